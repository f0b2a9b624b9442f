//! Learns how much each cue says for chat about an answer, and writes
//! `data/chat_weights.bin`: a logistic regression over the sentences in `training`, all
//! languages together, the same one whenever it is run.
//!
//! `cargo run --release -p redraft-text --example learn_chat -- [--write] [--quiet FILE] [--show]`
//!
//! The limits are not chosen by hand: each fifth of the lines is judged by weights that were
//! learned from the other four, and a limit is where a fixed share of the innocent ones sound
//! an alarm ([`TALKS`]). So they hold for sentences that nobody has written down, and do not
//! move when some are added. Weights are logarithms of odds in a fixed unit ([`UNIT`]).
//!
//! `--quiet` names a file of published sentences, `KIND<tab>LANG<tab>NUMBER<tab>TEXT`, none of
//! which is chat: it is measured and never learned from. `--show` lists what is missed.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a program for contributors reads files, prints and stops at the first surprise"
)]

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use redraft_text::framing::{Cue, bracketed, cues, scaled};

const LANGUAGES: [&str; 7] = ["en", "de", "es", "fr", "pt", "ru", "zh"];

/// Each talk with its section, and how many of a thousand innocent lines that look like it
/// may sound an alarm. Ordinary sentences do so ten times less often.
const TALKS: [(&str, &str, f64); 5] = [
    ("opening", "openers", 7.0),
    ("closing", "closers", 10.0),
    ("refusal", "refusals", 20.0),
    ("slot", "slots", 60.0),
    ("gap", "gaps", 3.5),
];

/// How many parts of a weight make one.
const UNIT: f64 = 16.0;

/// Into how many parts the lines are divided for choosing the limits.
const PARTS: usize = 5;

/// Sections that are made of those in the files: words in brackets, and lines without them.
const MADE: [&str; 3] = ["slots", "innocent slots", "gaps"];

/// What is none of the talks.
const INNOCENT: [&str; 7] = [
    "innocent",
    "innocent openers",
    "innocent closers",
    "innocent refusals",
    "innocent placeholders",
    "innocent labels",
    "placeholders",
];

/// Sections of lines that are taken as they are begin with this.
const WRITTEN: &str = "written ";

/// How large weights may get.
const STRENGTH: f64 = 60.0;

/// A sentence that is no chat counts so much more.
const INNOCENT_WEIGHT: f64 = 2.0;

/// How many cues are kept.
const MOST_CUES: usize = 62_000;

struct Line {
    language: &'static str,
    section: String,
    text: String,
    weight: f64,
    /// Lines with one origin are in one part.
    part: usize,
    is_written: bool,
}

struct Sentence {
    cues: Vec<usize>,
    is_chat: bool,
    weight: f64,
}

#[derive(Default)]
struct Settings {
    write: bool,
    show: bool,
    quiet: Option<PathBuf>,
    strength: f64,
    most: usize,
}

fn main() {
    let mut settings = Settings {
        strength: STRENGTH,
        most: MOST_CUES,
        ..Settings::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => settings.write = true,
            "--show" => settings.show = true,
            "--quiet" => settings.quiet = arguments.next().map(PathBuf::from),
            "--strength" => settings.strength = arguments.next().unwrap().parse().unwrap(),
            "--most" => settings.most = arguments.next().unwrap().parse().unwrap(),
            other => panic!("unknown argument {other}"),
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines: Vec<Line> = LANGUAGES
        .iter()
        .flat_map(|language| {
            let path = root.join(format!("training/{language}.txt"));
            read(language, &path)
        })
        .collect();
    let found: Vec<Vec<Cue>> = lines.iter().map(|line| cues(&line.text)).collect();
    let mut weights: Vec<BTreeMap<Cue, f64>> = Vec::new();
    let mut limits = Vec::new();
    for (name, section, alarms) in TALKS {
        let limit = limit(&lines, &found, section, alarms / 1000.0, &settings);
        let (learned, bias) = learn_talk(&lines, &found, section, None, settings.strength);
        println!(
            "{name}: {} cues, limit {limit:.2}, bias {bias:.2}",
            learned.len()
        );
        weights.push(learned);
        limits.push(((limit - bias) * UNIT * 1000.0).round() as i64);
    }
    let table = Table::new(&weights, limits, settings.most);
    println!(
        "{} cues kept, {} bytes",
        table.cues.len(),
        table.bytes().len()
    );
    for talk in 0..TALKS.len() {
        measure(talk, &table, &lines, &found, &settings);
    }
    if settings.write {
        std::fs::write(root.join("data/chat_weights.bin"), table.bytes()).unwrap();
    }
}

/// The sum, in logarithms of odds, that a share of the innocent lines exceed if they were
/// not learned from.
fn limit(
    lines: &[Line],
    found: &[Vec<Cue>],
    section: &str,
    share: f64,
    settings: &Settings,
) -> f64 {
    let mut innocent: Vec<(f64, f64)> = Vec::new();
    let mut chat: Vec<(f64, &Line)> = Vec::new();
    for part in 0..PARTS {
        let (weights, bias) = learn_talk(lines, found, section, Some(part), settings.strength);
        for (line, cues) in lines.iter().zip(found) {
            let sum: f64 = cues.iter().filter_map(|cue| weights.get(cue)).sum();
            let sum = sum / (cues.len().max(1) as f64).sqrt() + bias;
            if line.part == part && line.section == section {
                chat.push((sum, line));
            } else if line.part == part && is_against(&line.section, section) {
                innocent.push((sum, line.weight));
            }
        }
    }
    innocent.sort_by(|one, two| two.0.total_cmp(&one.0));
    let mut left = share * innocent.iter().map(|(_, weight)| weight).sum::<f64>();
    let limit = innocent.iter().find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    let limit = limit.map_or(0.0, |(sum, _)| *sum);
    for language in LANGUAGES {
        let of = chat
            .iter()
            .filter(|(_, line)| line.language == language && line.is_written);
        let all = of.clone().count();
        let found = of.filter(|(sum, _)| *sum > limit).count();
        println!("  {language} {section} that were not learned from: {found} of {all} found");
    }
    limit
}

/// The lines of a language, with their choices made.
fn read(language: &'static str, path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        match line.strip_prefix("== ") {
            Some(name) => name.clone_into(&mut section),
            None => {
                let lines = sections.entry(section.clone()).or_default();
                lines.push(line.to_owned());
            }
        }
    }
    let mut seed = 1;
    let mut found = Vec::new();
    for (name, lines) in &sections {
        if name.starts_with("part ") {
            continue;
        }
        let written = name.strip_prefix(WRITTEN);
        for line in lines {
            let texts = match written {
                Some(_) => vec![line.clone()],
                None => expand(line, &sections, &mut seed),
            };
            let weight = (1.0 / texts.len() as f64).max(0.1);
            if section_of(name) == "placeholders" || section_of(name).starts_with("innocent") {
                let is_innocent = section_of(name) != "placeholders";
                let made = |section: &str, text: String| Line {
                    language,
                    section: section.to_owned(),
                    text,
                    weight,
                    part: part(line),
                    is_written: true,
                };
                for text in &texts {
                    let slots = bracketed(text);
                    let section = if is_innocent { MADE[1] } else { MADE[0] };
                    if !is_innocent && slots.is_empty() {
                        found.push(made(MADE[2], text.clone()));
                    }
                    found.extend(slots.into_iter().map(|slot| made(section, slot.text)));
                }
            }
            found.extend(texts.into_iter().map(|text| Line {
                language,
                section: written.unwrap_or(name).to_owned(),
                text,
                weight,
                part: part(line),
                is_written: written.is_some(),
            }));
        }
    }
    found
}

/// The part of the lines that one is in: a hash, so that adding lines moves no others.
fn part(line: &str) -> usize {
    let hash = line.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash >> 20) as usize % PARTS
}

fn section_of(name: &str) -> &str {
    name.strip_prefix(WRITTEN).unwrap_or(name)
}

/// Whether a section is what a talk is not.
fn is_against(section: &str, talk: &str) -> bool {
    match talk {
        "slots" => section == "innocent slots",
        "gaps" => INNOCENT.contains(&section) && section != "placeholders",
        _ => INNOCENT.contains(&section),
    }
}

/// A line with its choices made in a few ways: `(a|b)` is a choice, `{name}` any line of
/// the section `part name`.
fn expand(line: &str, file: &BTreeMap<String, Vec<String>>, seed: &mut u64) -> Vec<String> {
    const SAMPLES: usize = 8;
    if !line.contains(['{', '|']) {
        return vec![line.to_owned()];
    }
    let mut found: Vec<String> = Vec::new();
    for _ in 0..SAMPLES {
        let mut text = line.to_owned();
        for _ in 0..40 {
            if let Some(open) = text.find('{') {
                let close = open + text[open..].find('}').expect("a part that ends");
                let name = format!("part {}", &text[open + 1..close]);
                let lines = file
                    .get(&name)
                    .unwrap_or_else(|| panic!("no {name}: {line}"));
                let chosen = lines[random(seed, lines.len())].clone();
                text.replace_range(open..=close, &chosen);
            } else if let Some((open, close)) = innermost(&text) {
                let choices: Vec<&str> = text[open + 1..close].split('|').collect();
                let chosen = choices[random(seed, choices.len())].to_owned();
                text.replace_range(open..=close, &chosen);
            } else {
                break;
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text
            .replace(" ,", ",")
            .replace(" .", ".")
            .replace(" !", "!");
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// The first choice that holds no other.
fn innermost(text: &str) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(at),
            ')' => {
                let start = open.pop()?;
                if text[start..at].contains('|') {
                    return Some((start, at));
                }
            }
            _ => {}
        }
    }
    None
}

fn random(seed: &mut u64, below: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) as usize) % below
}

fn learn_talk(
    lines: &[Line],
    found: &[Vec<Cue>],
    section: &str,
    without: Option<usize>,
    strength: f64,
) -> (BTreeMap<Cue, f64>, f64) {
    let mut numbers: HashMap<Cue, usize> = HashMap::new();
    let mut names: Vec<Cue> = Vec::new();
    let mut sentences = Vec::new();
    for (line, cues) in lines.iter().zip(found) {
        let is_chat = line.section == section;
        if without == Some(line.part) || !(is_chat || is_against(&line.section, section)) {
            continue;
        }
        let cues = cues
            .iter()
            .map(|cue| {
                *numbers.entry(*cue).or_insert_with(|| {
                    names.push(*cue);
                    names.len() - 1
                })
            })
            .collect();
        let weight = line.weight * if is_chat { 1.0 } else { INNOCENT_WEIGHT };
        sentences.push(Sentence {
            cues,
            is_chat,
            weight,
        });
    }
    let mut weights = learn(&sentences, names.len(), strength);
    let bias = weights.pop().unwrap_or_default();
    (names.into_iter().zip(weights).collect(), bias)
}

/// Weights that make the sentences likely and are small, by the method of Broyden,
/// Fletcher, Goldfarb and Shanno with little memory. The last weight is for all sentences
/// alike, and becomes a part of the limit.
fn learn(sentences: &[Sentence], cues: usize, strength: f64) -> Vec<f64> {
    const ROUNDS: usize = 120;
    const MEMORY: usize = 8;
    let mut at = vec![0.0; cues + 1];
    let (mut cost, mut slope) = judge(sentences, &at, strength);
    let mut steps: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
    for _ in 0..ROUNDS {
        let mut direction: Vec<f64> = slope.iter().map(|one| -one).collect();
        let mut shares = Vec::new();
        for (step, change, share) in steps.iter().rev() {
            let alpha = share * dot(step, &direction);
            add(&mut direction, change, -alpha);
            shares.push(alpha);
        }
        if let Some((step, change, _)) = steps.last() {
            let scale = dot(step, change) / dot(change, change);
            direction.iter_mut().for_each(|one| *one *= scale);
        }
        for ((step, change, share), alpha) in steps.iter().zip(shares.iter().rev()) {
            let beta = share * dot(change, &direction);
            add(&mut direction, step, alpha - beta);
        }
        let descent = dot(&direction, &slope);
        let mut length = if steps.is_empty() {
            1.0 / dot(&slope, &slope).sqrt()
        } else {
            1.0
        };
        let (next, next_cost, next_slope) = loop {
            let mut next = at.clone();
            add(&mut next, &direction, length);
            let (next_cost, next_slope) = judge(sentences, &next, strength);
            if next_cost <= cost + 1e-4 * length * descent || length < 1e-8 {
                break (next, next_cost, next_slope);
            }
            length /= 2.0;
        };
        let step: Vec<f64> = next.iter().zip(&at).map(|(new, old)| new - old).collect();
        let change: Vec<f64> = next_slope
            .iter()
            .zip(&slope)
            .map(|(new, old)| new - old)
            .collect();
        let curve = dot(&step, &change);
        let is_done = (cost - next_cost).abs() < 1e-7 * cost.abs();
        if curve > 1e-12 {
            steps.push((step, change, 1.0 / curve));
            if steps.len() > MEMORY {
                steps.remove(0);
            }
        }
        (at, cost, slope) = (next, next_cost, next_slope);
        if is_done {
            break;
        }
    }
    at
}

/// The cost of weights and how it changes with each.
fn judge(sentences: &[Sentence], weights: &[f64], strength: f64) -> (f64, Vec<f64>) {
    let mut cost = weights.iter().map(|weight| weight * weight).sum::<f64>() / 2.0;
    let mut slope = weights.to_vec();
    let last = weights.len() - 1;
    // What holds of every sentence may be large.
    cost -= weights[last] * weights[last] / 2.0;
    slope[last] = 0.0;
    for sentence in sentences {
        let root = (sentence.cues.len().max(1) as f64).sqrt();
        let sum: f64 =
            sentence.cues.iter().map(|cue| weights[*cue]).sum::<f64>() / root + weights[last];
        let signed = if sentence.is_chat { sum } else { -sum };
        let weight = sentence.weight * strength;
        cost += weight * (1.0 + (-signed).exp()).ln();
        let error = weight / (1.0 + signed.exp());
        let error = if sentence.is_chat { -error } else { error };
        for cue in &sentence.cues {
            slope[*cue] += error / root;
        }
        slope[last] += error;
    }
    (cost, slope)
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| one * two).sum()
}

fn add(to: &mut [f64], what: &[f64], times: f64) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += times * what;
    }
}

/// The weights that are kept, as small whole numbers.
struct Table {
    limits: Vec<i64>,
    cues: BTreeMap<Cue, [i8; 5]>,
}

impl Table {
    fn new(weights: &[BTreeMap<Cue, f64>], limits: Vec<i64>, most: usize) -> Self {
        let mut all: BTreeMap<Cue, [f64; 5]> = BTreeMap::new();
        for (talk, weights) in weights.iter().enumerate() {
            for (cue, weight) in weights {
                all.entry(*cue).or_default()[talk] = (weight * UNIT).clamp(-127.0, 127.0);
            }
        }
        let worth = |weights: &[f64; 5]| {
            weights
                .iter()
                .fold(0.0_f64, |most, one| most.max(one.abs()))
        };
        let mut ordered: Vec<(Cue, [f64; 5])> = all.into_iter().collect();
        ordered.sort_by(|one, two| {
            worth(&two.1)
                .total_cmp(&worth(&one.1))
                .then(one.0.cmp(&two.0))
        });
        ordered.truncate(most);
        let rounded = ordered
            .into_iter()
            .map(|(cue, weights)| (cue, weights.map(|one| one.round() as i8)));
        Self {
            limits,
            cues: rounded.filter(|(_, weights)| *weights != [0; 5]).collect(),
        }
    }

    fn sum(&self, cues: &[Cue], talk: usize) -> i64 {
        let weights = cues.iter().filter_map(|cue| self.cues.get(cue));
        let sum = weights.map(|weights| i64::from(weights[talk])).sum();
        scaled(sum, cues.len())
    }

    /// As `framing/weights.rs` reads it.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for limit in &self.limits {
            bytes.extend(i32::try_from(*limit).unwrap().to_le_bytes());
        }
        for bucket in 0..=4096_u32 {
            let before = self.cues.range(..bucket << 16).count();
            bytes.extend(u16::try_from(before).unwrap().to_le_bytes());
        }
        for cue in self.cues.keys() {
            bytes.extend(((cue & 0xFFFF) as u16).to_le_bytes());
        }
        for weights in self.cues.values() {
            bytes.extend(weights.map(i8::cast_unsigned));
        }
        bytes
    }
}

fn measure(talk: usize, table: &Table, lines: &[Line], found: &[Vec<Cue>], settings: &Settings) {
    let (name, section, _) = TALKS[talk];
    let limit = table.limits[talk];
    let mut loudest: BTreeMap<(String, String), (i64, String)> = BTreeMap::new();
    if let Some(path) = &settings.quiet {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let [kind, language, number, text] = line.splitn(4, '\t').collect::<Vec<_>>()[..]
            else {
                panic!("{line}");
            };
            if kind == name {
                let sum = table.sum(&cues(text), talk);
                let entry = loudest
                    .entry((language.to_owned(), number.to_owned()))
                    .or_insert((i64::MIN, String::new()));
                if sum > entry.0 {
                    *entry = (sum, text.to_owned());
                }
            }
        }
        let mut sums: Vec<i64> = loudest.values().map(|(sum, _)| *sum).collect();
        sums.sort_unstable_by_key(|sum| -sum);
        let over = sums.iter().filter(|sum| **sum > limit).count();
        println!(
            "{name}: limit {limit}, {over} of {} quiet ones sound an alarm",
            sums.len()
        );
        if settings.show {
            let mut loud: Vec<_> = loudest.iter().collect();
            loud.sort_by_key(|(_, (sum, _))| -sum);
            for ((language, _), (sum, text)) in loud.iter().take(40) {
                println!(
                    "    {language} {sum} {}",
                    text.chars().take(150).collect::<String>()
                );
            }
        }
    }
    let (mut all_found, mut all) = (0, 0);
    for language in LANGUAGES {
        let sums = |is_chat: bool| -> Vec<(i64, &str)> {
            let of_language = lines
                .iter()
                .zip(found)
                .filter(|(line, _)| line.language == language);
            of_language
                .filter(|(line, _)| {
                    line.section == section && is_chat
                        || is_against(&line.section, section) && !is_chat
                })
                .map(|(line, cues)| (table.sum(cues, talk), line.text.as_str()))
                .collect()
        };
        let (chat, innocent) = (sums(true), sums(false));
        let of = |list: &[(i64, &str)]| list.iter().filter(|(sum, _)| *sum > limit).count();
        all_found += of(&chat);
        all += chat.len();
        let quiet = loudest.iter().filter(|((one, _), _)| one == language);
        println!(
            "  {language} {name}: {} of {} found, {} of {} alarms, {} of {} quiet",
            of(&chat),
            chat.len(),
            of(&innocent),
            innocent.len(),
            quiet.clone().filter(|(_, (sum, _))| *sum > limit).count(),
            quiet.count(),
        );
        if settings.show {
            for (sum, text) in chat.iter().filter(|(sum, _)| *sum <= limit) {
                println!("    missed {sum}: {text}");
            }
            for (sum, text) in innocent.iter().filter(|(sum, _)| *sum > limit) {
                println!("    ALARM {sum}: {text}");
            }
        }
    }
    println!("{name}: {all_found} of {all} found");
}
