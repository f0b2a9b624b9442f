//! Learns how much each cue says for chat about an answer, and writes
//! `data/chat_weights`: a logistic regression over the sentences in `training`, the
//! same one on every machine.
//!
//! `cargo run --release -p redraft-text --example learn_chat -- [--test FOLDER] [--ordinary FILE] [--write]`
//!
//! `--test` names a folder of files `LANG.openers.txt`, `LANG.innocent_openers.txt` and so
//! on, which are not learned from; `--ordinary` a file of lines `LANG<tab>sentence` of
//! published texts, none of which is chat.

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
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use redraft_text::framing::cues;

const LANGUAGES: [&str; 7] = ["en", "de", "es", "fr", "pt", "ru", "zh"];

/// Each talk with the sections that are it, those that are not, and what a sum must exceed.
const TALKS: [(&str, &[&str], &[&str], f64); 3] = [
    (
        "opening",
        &["openers"],
        &["innocent", "innocent openers"],
        0.0,
    ),
    (
        "closing",
        &["closers"],
        &["innocent", "innocent closers"],
        0.0,
    ),
    (
        "refusal",
        &["refusals"],
        &[
            "innocent",
            "innocent refusals",
            "innocent openers",
            "innocent closers",
        ],
        -1.0,
    ),
];

struct Sentence {
    language: usize,
    cues: Vec<usize>,
    is_chat: bool,
    weight: f64,
}

#[derive(Default)]
struct Settings {
    test: Option<PathBuf>,
    ordinary: Option<PathBuf>,
    write: bool,
    decay: f64,
    show: bool,
    samples: usize,
}

fn main() {
    let mut settings = Settings {
        decay: 0.2,
        samples: 40,
        ..Settings::default()
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--test" => settings.test = arguments.next().map(PathBuf::from),
            "--ordinary" => settings.ordinary = arguments.next().map(PathBuf::from),
            "--write" => settings.write = true,
            "--show" => settings.show = true,
            "--decay" => settings.decay = arguments.next().unwrap().parse().unwrap(),
            "--samples" => settings.samples = arguments.next().unwrap().parse().unwrap(),
            other => panic!("unknown argument {other}"),
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = LANGUAGES
        .iter()
        .map(|language| read(&root.join(format!("training/{language}.txt"))))
        .collect();
    let ordinary = settings
        .ordinary
        .as_deref()
        .map(ordinary)
        .unwrap_or_default();
    let mut written: Vec<String> = vec![String::new(); LANGUAGES.len()];
    for (talk, wanted, unwanted, shift) in TALKS {
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut sentences = Vec::new();
        let mut seed = 1;
        for (language, file) in files.iter().enumerate() {
            for (sections, is_chat) in [(wanted, true), (unwanted, false)] {
                for section in sections {
                    for line in file.get(*section).into_iter().flatten() {
                        let texts = expand(line, file, settings.samples, &mut seed);
                        let weight = (1.0 / texts.len() as f64).max(0.25);
                        for text in texts {
                            let cues = number(&text, language, &mut names);
                            let weight = if is_chat { weight } else { weight * 2.0 };
                            sentences.push(Sentence {
                                language,
                                cues,
                                is_chat,
                                weight,
                            });
                        }
                    }
                }
            }
            for text in ordinary.get(LANGUAGES[language]).into_iter().flatten() {
                let cues = number(text, language, &mut names);
                sentences.push(Sentence {
                    language,
                    cues,
                    is_chat: false,
                    weight: 2.0,
                });
            }
        }
        let learned = learn(&sentences, names.len(), settings.decay);
        let fit = sentences
            .iter()
            .filter(|one| (score(&learned, &one.cues) > shift) == one.is_chat);
        println!(
            "{talk}: {} sentences, {} cues, {} fit",
            sentences.len(),
            names.len(),
            fit.count()
        );
        let tables = tables(&names, &learned, shift);
        for (text, table) in written.iter_mut().zip(&tables) {
            let _ = writeln!(text, "\n[{talk}]");
            let mut rows: Vec<_> = table.iter().collect();
            rows.sort_by_key(|(cue, weight)| (-**weight, (*cue).clone()));
            for (cue, weight) in rows {
                let _ = writeln!(text, "{weight} {cue}");
            }
        }
        if let Some(test) = &settings.test {
            measure(talk, test, &tables, &settings);
        }
    }
    if settings.write {
        for (language, text) in LANGUAGES.iter().zip(&written) {
            let path = root.join(format!("data/chat_weights/{language}.txt"));
            let head = "# Weights of cues, learned by `examples/learn_chat.rs` from the sentences in `training`; not\n# written by hand. A sum above zero is chat. `framing/cues.rs` says what a cue is.\n";
            std::fs::write(path, format!("{head}{text}")).unwrap();
        }
    }
}

/// The lines of a file by section.
fn read(path: &Path) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        match line.strip_prefix("== ") {
            Some(name) => name.clone_into(&mut section),
            None => sections
                .entry(section.clone())
                .or_default()
                .push(line.to_owned()),
        }
    }
    sections
}

fn ordinary(path: &Path) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        if let Some((language, text)) = line.split_once('\t') {
            found
                .entry(language.to_owned())
                .or_default()
                .push(text.to_owned());
        }
    }
    found
}

/// A line with its choices made in a few ways: `(a|b)` is a choice, `{name}` any line of
/// the section `part name`.
fn expand(
    line: &str,
    file: &BTreeMap<String, Vec<String>>,
    samples: usize,
    seed: &mut u64,
) -> Vec<String> {
    if !line.contains(['{', '|']) {
        return vec![line.to_owned()];
    }
    let mut found: Vec<String> = Vec::new();
    for _ in 0..samples {
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

/// The numbers of a text's cues: in its language, and those that languages share.
fn number(text: &str, language: usize, names: &mut HashMap<String, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for cue in cues(text, LANGUAGES[language]) {
        let mut add = |name: String| {
            let next = names.len();
            found.push(*names.entry(name).or_insert(next));
        };
        if is_shared(&cue) {
            add(format!("* {cue}"));
        }
        add(format!("{} {cue}", LANGUAGES[language]));
    }
    found
}

fn is_shared(cue: &str) -> bool {
    !["w ", "b ", "p ", "t "]
        .iter()
        .any(|own| cue.starts_with(own))
}

fn score(weights: &[f64], cues: &[usize]) -> f64 {
    cues.iter().map(|cue| weights[*cue]).sum()
}

/// Weights by AdaGrad, with a penalty on large ones.
fn learn(sentences: &[Sentence], cues: usize, decay: f64) -> Vec<f64> {
    const ROUNDS: usize = 12;
    const STEP: f64 = 0.1;
    let mut weights = vec![0.0; cues];
    let mut squares = vec![1e-2; cues];
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut counts = vec![0.0; cues];
    for sentence in sentences {
        for cue in &sentence.cues {
            counts[*cue] += 1.0;
        }
    }
    let mut seed = 7;
    for _ in 0..ROUNDS {
        for at in (1..order.len()).rev() {
            order.swap(at, random(&mut seed, at + 1));
        }
        for at in &order {
            let sentence = &sentences[*at];
            let sum = score(&weights, &sentence.cues);
            let chance = 1.0 / (1.0 + (-sum).exp());
            let target = if sentence.is_chat { 1.0 } else { 0.0 };
            let error = (chance - target) * sentence.weight;
            for cue in &sentence.cues {
                let slope = error + decay * weights[*cue] / counts[*cue];
                squares[*cue] += slope * slope;
                weights[*cue] -= STEP * slope / f64::sqrt(squares[*cue]);
            }
        }
    }
    let _ = sentences.iter().map(|one| one.language).max();
    weights
}

/// The weights of each language in thousandths, without those that say nearly nothing.
fn tables(
    names: &HashMap<String, usize>,
    weights: &[f64],
    shift: f64,
) -> Vec<BTreeMap<String, i32>> {
    LANGUAGES
        .iter()
        .map(|language| {
            let mut table: BTreeMap<String, f64> = BTreeMap::new();
            for (name, number) in names {
                let (of, cue) = name.split_once(' ').unwrap();
                if of == *language || of == "*" {
                    *table.entry(cue.to_owned()).or_default() += weights[*number];
                }
            }
            *table.entry("bias".to_owned()).or_default() -= shift;
            table
                .into_iter()
                .filter(|(_, weight)| weight.abs() >= 0.1)
                .map(|(cue, weight)| (cue, (weight * 1000.0).round() as i32))
                .collect()
        })
        .collect()
}

fn measure(talk: &str, folder: &Path, tables: &[BTreeMap<String, i32>], settings: &Settings) {
    let kind = match talk {
        "opening" => "openers",
        "closing" => "closers",
        _ => "refusals",
    };
    for (language, table) in LANGUAGES.iter().zip(tables) {
        let lines = |name: &str| -> Vec<(i32, String)> {
            let path = folder.join(format!("{language}.{name}.txt"));
            let text = std::fs::read_to_string(path).unwrap_or_default();
            text.lines()
                .map(|line| {
                    let cues = cues(line, language);
                    let sum = cues.iter().filter_map(|cue| table.get(cue)).sum();
                    (sum, line.to_owned())
                })
                .collect()
        };
        let chat = lines(kind);
        let innocent: Vec<_> = ["openers", "closers"]
            .iter()
            .filter(|one| **one == kind || talk == "refusal")
            .flat_map(|one| lines(&format!("innocent_{one}")))
            .collect();
        let found = chat.iter().filter(|(sum, _)| *sum > 0).count();
        let alarms = innocent.iter().filter(|(sum, _)| *sum > 0).count();
        let mut sums: Vec<i32> = innocent.iter().map(|(sum, _)| *sum).collect();
        sums.sort_unstable_by_key(|sum| -sum);
        let at = |allowed: usize| {
            let limit = sums.get(allowed).copied().unwrap_or(i32::MIN);
            chat.iter().filter(|(sum, _)| *sum > limit).count()
        };
        println!(
            "  {language} {talk}: {found} of {} found, {alarms} of {} alarms; with 0, 1, 2, 4 alarms {} {} {} {}",
            chat.len(),
            innocent.len(),
            at(0),
            at(1),
            at(2),
            at(4)
        );
        if settings.show {
            for (sum, line) in chat.iter().filter(|(sum, _)| *sum <= 0) {
                println!("    missed {sum}: {line}");
            }
            for (sum, line) in innocent.iter().filter(|(sum, _)| *sum > 0) {
                println!("    ALARM {sum}: {line}");
            }
        }
    }
}
