//! `repeated-text`: a repeated paragraph, or the same words over and over.
//!
//! | what comes back | where | reported |
//! |---|---|---|
//! | a paragraph of some length | anywhere in the text | once; as an error if it directly follows its copy |
//! | the words before a break, after it (`seams`) | in a paragraph, or across two | as an error |
//! | a phrase, several times in a row (`words`) | inside a paragraph or an item | as an error if there are many words |
//! | items, rows, sentences, short paragraphs, several times in a row (`units`) | in a text | as an error if there are many |
//! | the same that differ in a counter, or in a word here and there | in a text | as a warning |
//! | whole fields | in a list of JSON | as items are |
//! | refrains, tables of numbers, exercises with other numbers, lines to fill in, code | | no |

mod seams;
mod units;
mod words;

use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{ComponentKind, TextField};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::BlockKind;
use rustc_hash::FxHashMap;

use self::words::{Least, Words, loops, same_words};
use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT010",
    name: "repeated-text",
    severity: Severity::Warning,
    mends: Mends::Proposes,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a paragraph is repeated, or the same words occur over and over",
    what: "Reports a paragraph that repeats an earlier one word for word, and words that are repeated several times in a row (an error if there are many: the model was stuck in a loop): phrases, sentences, items, rows of a table, paragraphs, entries of a JSON list. Lines that differ only in a counter, or in a word here and there, count if there are several. A paragraph that directly follows its copy is an error, and so are the last words before a break that come again after it, as where a model went on with an answer that was cut off. Refrains, exercises with other numbers, lines to fill in, tables of numbers and code are left alone. The deletion of a paragraph that directly follows its copy is proposed, not applied: a safe fix deletes no sentence.",
    why: "Models that write long texts lose track and repeat themselves, or loop until they reach their output limit.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        passes: "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        fixed: None,
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

/// Words from which on nobody writes a paragraph twice, one copy below the other.
const CERTAIN_TWIN: usize = 16;

/// Words from which on a loop is certainly not a matter of style.
const CERTAIN_LOOP: usize = 24;

/// Words of an option or another short text that follow themselves four times or more.
fn short_loop(text: &str) -> Option<Range<usize>> {
    const LONGEST: usize = 8;
    const ROUNDS: usize = 3;
    const FEWEST: usize = 6;
    let words: Vec<&str> = text.split_whitespace().collect();
    (1..=LONGEST.min(words.len() / (ROUNDS + 1))).find_map(|length| {
        let mut run = 0;
        (length..words.len()).find_map(|index| {
            let is_word = words[index].contains(char::is_lowercase) && words[index].chars().nth(2).is_some();
            let is_same = words[index].eq_ignore_ascii_case(words[index - length]);
            run = if is_same && (is_word || length > 1) { run + 1 } else { 0 };
            (run >= ROUNDS * length && run + length >= FEWEST).then_some(0..text.len())
        })
    })
}

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let min_words = examination.count("min-words");
    let min_loop = examination.count("min-loop").max(2);
    // By the name of the field and a hash of the words; matches are compared word by
    // word.
    let mut seen: FxHashMap<(&str, u64), Vec<Seen<'_>>> = FxHashMap::default();
    let mut lines = LineCounter::new(examination.document.source().text());
    for field in examination.document.texts() {
        if !field.is_body() {
            if let Some(range) = short_loop(&field.text) {
                sink.in_text(field, range, "the same words come again and again; the generator was caught in a loop")
                    .severity(Severity::Error);
            }
            continue;
        }
        let teaches = teaches(examination, field);
        let mut before: Option<(usize, Range<usize>)> = None;
        let mut words = Words::default();
        let looping = units::in_text(examination, sink, field);
        seams::report(sink, field, &looping);
        for (index, block) in field.markdown().blocks.iter().enumerate() {
            if block.kind != BlockKind::Paragraph {
                continue;
            }
            let text = field.text.get(block.content.clone()).unwrap_or_default();
            words.read(text);
            let next = looping.partition_point(|lap| lap.end <= block.content.start);
            let is_looping = looping
                .get(next)
                .is_some_and(|lap| lap.start < block.content.end);
            if words.words.len() < min_words || is_looping {
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
            if !teaches || block.parent.is_some() {
                continue;
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
                // The refrain of a song comes back. What else comes back again and
                // again is reported once.
                Some(_) if is_verse => {}
                Some(twin) if twin.is_reported && !follows_twin => {}
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
                        let finding = finding.fix(Fix::proposed(vec![deletion]));
                        if words.words.len() >= CERTAIN_TWIN {
                            finding.severity(Severity::Error);
                        }
                    }
                }
            }
            before = Some((index, block.content.clone()));
        }
    }
    units::in_fields(examination, sink);
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
