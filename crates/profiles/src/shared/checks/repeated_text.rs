//! `repeated-text`: a repeated paragraph, or the same words over and over.

use std::collections::HashMap;
use std::hash::Hasher as _;
use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{ComponentKind, TextField};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::letters::{end_of_plain, is_letter};
use redraft_text::markdown::{Block, BlockKind};
use rustc_hash::FxHasher;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT010",
    name: "repeated-text",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a paragraph is repeated, or the same words occur over and over",
    what: "Reports a paragraph that repeats an earlier one word for word, and words that are repeated several times in a row (an error if there are many: the model was stuck in a loop). Short paragraphs, code, lists, tables, quotations and refrains are left alone. `--fix` deletes a paragraph that directly follows its copy.",
    why: "Models that write long texts lose track and repeat themselves, or loop until they reach their output limit.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        passes: "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        fixed: Some(
            "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        ),
    }],
    parameters: &[
        Parameter {
            name: "min-words",
            what: "minimum number of words for a repeated paragraph to be reported",
        },
        Parameter {
            name: "min-loop",
            what: "minimum number of repetitions in a row that count as a loop",
        },
    ],
    run,
    ..DEFAULTS
};

/// The longest phrase that can form a loop, in words.
const LONGEST_PHRASE: usize = 40;

/// The minimum number of words of a loop, and of a loop in verse, where a refrain
/// may consist of one repeated word.
const SHORTEST_LOOP: usize = 12;
const VERSE: usize = 48;

/// How many paragraphs with the same hash are kept for comparison.
const MOST_ALIKE: usize = 4;

/// Words from which on a loop is certainly not a matter of style.
const CERTAIN_LOOP: usize = 24;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let min_words = examination.count("min-words");
    let min_loop = examination.count("min-loop").max(2);
    // By the name of the field and a hash of the words; matches are compared word by
    // word.
    let mut seen: HashMap<(&str, u64), Vec<Seen<'_>>> = HashMap::new();
    let mut lines = LineCounter::new(examination.document.source().text());
    for field in examination.document.texts() {
        if !field.is_body() || !teaches(examination, field) {
            continue;
        }
        let mut before: Option<(usize, Range<usize>)> = None;
        let mut words = Words::default();
        for (index, block) in field.markdown().blocks.iter().enumerate() {
            if block.kind != BlockKind::Paragraph || block.parent.is_some() {
                continue;
            }
            let text = field.text.get(block.content.clone()).unwrap_or_default();
            words.read(text);
            if words.words.len() < min_words {
                continue;
            }
            let is_verse = is_verse(text);
            let least = Least {
                rounds: min_loop,
                words: if is_verse { VERSE } else { SHORTEST_LOOP },
            };
            if words.may_loop(&least) {
                loops(sink, field, block, &words, &least);
            }
            let follows_twin = before.as_ref().is_some_and(|(at, twin)| {
                at + 1 == index && field.text.get(twin.clone()) == Some(text)
            });
            let line = lines.line(field.map.to_source(block.content.clone()).start);
            let alike = seen
                .entry((last_segment(&field.path), words.fingerprint()))
                .or_default();
            // Hash collisions are not expected; the first few paragraphs are compared
            // in any case.
            let has_room = alike.len() < MOST_ALIKE;
            match alike.iter_mut().find(|seen| same_words(seen.text, text)) {
                None if has_room => alike.push(Seen {
                    line,
                    text,
                    is_reported: false,
                }),
                None => {}
                // The refrain of a song comes back, but not at once. What comes
                // back again and again is reported once.
                Some(twin) if (is_verse || twin.is_reported) && !follows_twin => {}
                Some(twin) => {
                    twin.is_reported = true;
                    let line = twin.line;
                    let finding = sink.in_text(
                        field,
                        block.content.clone(),
                        format!("this paragraph repeats the one on line {line} word for word; delete one"),
                    );
                    if let Some((_, twin)) = before.as_ref().filter(|_| follows_twin) {
                        let deletion =
                            examination
                                .document
                                .edit(field, twin.end..block.content.end, "");
                        finding.fix(Fix::safe(vec![deletion]));
                    }
                }
            }
            before = Some((index, block.content.clone()));
        }
    }
}

struct Seen<'a> {
    line: usize,
    text: &'a str,
    is_reported: bool,
}

/// Item banks reuse a case for several questions; that is not a repetition.
fn teaches(examination: &Examination<'_>, field: &TextField) -> bool {
    !matches!(
        examination.document.components()[field.component].kind,
        ComponentKind::Vignette
            | ComponentKind::Explanation
            | ComponentKind::Stem
            | ComponentKind::Options
    )
}

/// The field's own name: an explainer and its plain version may say the same.
fn last_segment(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Line numbers of increasing offsets, counted in one pass.
struct LineCounter<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            line: 1,
        }
    }

    fn line(&mut self, at: usize) -> usize {
        if at > self.at {
            self.line += self.text[self.at..at]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            self.at = at;
        }
        self.line
    }
}

/// Verse: several lines, all of them short.
fn is_verse(text: &str) -> bool {
    const SHORT: usize = 60;
    text.trim_end().contains('\n') && text.lines().all(|line| line.len() < SHORT)
}

/// The words of a paragraph, kept from one to the next for their memory.
#[derive(Default)]
struct Words<'a> {
    /// With their offsets; a Chinese character counts as a word.
    words: Vec<(usize, &'a str)>,
    /// A hash for each.
    ids: Vec<u64>,
    echo: Echo,
}

impl<'a> Words<'a> {
    fn read(&mut self, text: &'a str) {
        self.words.clear();
        self.ids.clear();
        let bytes = text.as_bytes();
        let mut start = None;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            // Most text is plain letters, which need no decoding.
            if byte.is_ascii_alphanumeric() {
                start.get_or_insert(at);
                at = end_of_plain(bytes, at + 1);
                continue;
            }
            let (is_part, is_wide, len) = if byte.is_ascii() {
                (false, false, 1)
            } else {
                let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else {
                    break;
                };
                let is_part = is_letter(c) || c.is_numeric();
                let is_wide = is_part && ('\u{2e80}'..='\u{9fff}').contains(&c);
                (is_part, is_wide, c.len_utf8())
            };
            if is_part && !is_wide {
                start.get_or_insert(at);
            } else {
                if let Some(from) = start.take() {
                    self.push(from, &text[from..at]);
                }
                if is_wide {
                    self.push(at, &text[at..at + len]);
                }
            }
            at += len;
        }
        if let Some(from) = start {
            self.push(from, &text[from..]);
        }
    }

    fn push(&mut self, at: usize, word: &'a str) {
        self.words.push((at, word));
        let mut hasher = FxHasher::default();
        hasher.write(word.as_bytes());
        self.ids.push(hasher.finish());
    }

    fn fingerprint(&self) -> u64 {
        combined_hash(self.ids.iter().copied())
    }

    /// Whether to look for loops. In a loop every word after the first round has
    /// occurred just before; in ordinary prose hardly two words in a row have.
    fn may_loop(&mut self, least: &Least) -> bool {
        self.echo.longest(&self.ids) * least.rounds >= least.words * (least.rounds - 1)
    }
}

/// FNV-1a, which is fast for short input.
fn combined_hash(ids: impl Iterator<Item = u64>) -> u64 {
    ids.fold(0xcbf2_9ce4_8422_2325, |hash, id| {
        (hash ^ id).wrapping_mul(0x0100_0000_01b3)
    })
}

fn same_words(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (mut first, mut second) = (Words::default(), Words::default());
    first.read(a);
    second.read(b);
    let second = second.words.iter().map(|(_, word)| *word);
    first.words.iter().map(|(_, word)| *word).eq(second)
}

/// The minimum size of a loop.
struct Least {
    rounds: usize,
    words: usize,
}

/// Where word ids occurred last. A paragraph does not see those of another: its
/// positions start far enough after them.
struct Echo {
    last: [usize; Self::SLOTS],
    next: usize,
}

impl Default for Echo {
    fn default() -> Self {
        Self {
            last: [0; Self::SLOTS],
            next: LONGEST_PHRASE + 1,
        }
    }
}

impl Echo {
    const SLOTS: usize = 512;

    /// An upper bound of the longest run of ids that occurred shortly before: ids may
    /// share a slot, so that the real run may be shorter.
    fn longest(&mut self, ids: &[u64]) -> usize {
        let (mut row, mut longest) = (0, 0);
        for (at, id) in (self.next..).zip(ids) {
            let slot = &mut self.last[(id >> 20) as usize % Self::SLOTS];
            let is_echo = at - *slot <= LONGEST_PHRASE;
            row = if is_echo { row + 1 } else { 0 };
            longest = longest.max(row);
            *slot = at;
        }
        self.next += ids.len() + LONGEST_PHRASE + 1;
        longest
    }
}

/// Finds the longest run of words that repeats itself.
fn loops(sink: &mut Sink<'_>, field: &TextField, block: &Block, words: &Words<'_>, least: &Least) {
    let (words, ids) = (&words.words, &words.ids);
    let mut longest: Option<(usize, Range<usize>)> = None;
    for phrase in 1..=LONGEST_PHRASE.min(ids.len() / 2) {
        let mut run = 0;
        for index in phrase..=ids.len() {
            if index < ids.len() && ids[index] == ids[index - phrase] {
                run += 1;
                continue;
            }
            let total = run + phrase;
            let is_loop = run > 0 && total / phrase >= least.rounds && total >= least.words;
            let is_new_word = longest
                .as_ref()
                .is_none_or(|(_, range)| range.len() < total);
            // A row of numbers is a matrix or a bit pattern.
            let has_letters = || {
                words[index - phrase..index]
                    .iter()
                    .any(|(_, word)| word.contains(char::is_alphabetic))
            };
            if is_loop && is_new_word && has_letters() {
                longest = Some((phrase, index - total..index));
            }
            run = 0;
        }
    }
    let Some((phrase, range)) = longest else {
        return;
    };
    let (first, last) = (words[range.start].0, words[range.end - 1]);
    let offset = block.content.start;
    let finding = sink.in_text(
        field,
        offset + first..offset + last.0 + last.1.len(),
        format!(
            "the same {phrase} word(s) are repeated {} times in a row; delete the repetitions",
            range.len() / phrase
        ),
    );
    if range.len() >= CERTAIN_LOOP {
        finding.severity(Severity::Error);
    }
}
