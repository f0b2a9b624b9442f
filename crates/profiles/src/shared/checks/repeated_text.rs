//! `repeated-text`: a paragraph that stands twice, or words that go round in
//! circles.

use std::collections::HashMap;
use std::ops::Range;

use redraft_core::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_core::content::{ComponentKind, TextField};
use redraft_core::finding::{Fix, Severity};
use redraft_text::markdown::{Block, BlockKind};

pub(super) static CHECK: Check = Check {
    code: "TXT010",
    name: "repeated-text",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a paragraph stands twice, or the same words follow each other again and again",
    what: "Reports a paragraph that has stood word for word before, and a run of words that repeats itself several times in a row (an error when it is long: the model got stuck). Only paragraphs of some length count; code, lists, tables, quotations and refrains are left alone. A paragraph that directly follows its twin is deleted by `--fix`.",
    why: "Models that write long texts lose track and say things twice, or fall into a loop until their limit ends it.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        passes: "# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n",
        fixed: Some("# Water\n\nWater boils at a hundred degrees when the pressure of the air is normal.\n\nSteam rises.\n"),
    }],
    parameters: &[
        Parameter {
            name: "min-words",
            what: "words a paragraph must have before its repetition is reported",
        },
        Parameter {
            name: "min-loop",
            what: "how often the same words must follow each other to be a loop",
        },
    ],
    caps: &[],
    run,
};

/// The longest phrase whose repetition is looked for, in words.
const LONGEST_PHRASE: usize = 40;

/// Words from which on a loop is certainly no style.
const CERTAIN_LOOP: usize = 24;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let min_words = examination.count("min-words");
    let min_loop = examination.count("min-loop").max(2);
    let mut seen: HashMap<(&str, Vec<&str>), usize> = HashMap::new();
    let mut lines = LineCounter::new(examination.document.source().text());
    for field in examination.document.texts() {
        if !field.is_body() || !teaches(examination, field) {
            continue;
        }
        let mut before: Option<(usize, Range<usize>)> = None;
        for (index, block) in field.markdown().blocks.iter().enumerate() {
            if block.kind != BlockKind::Paragraph || block.parent.is_some() {
                continue;
            }
            let words = words(&field.text[block.content.clone()]);
            if words.len() < min_words {
                continue;
            }
            loops(sink, field, block, &words, min_loop);
            let key: Vec<&str> = words.iter().map(|(_, word)| *word).collect();
            let line = lines.line(field.map.to_source(block.content.clone()).start);
            let follows_twin = before.as_ref().is_some_and(|(at, _)| at + 1 == index);
            match seen.entry((last_segment(&field.path), key)) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(line);
                }
                std::collections::hash_map::Entry::Occupied(entry) => {
                    let line = *entry.get();
                    let finding = sink.in_text(
                        field,
                        block.content.clone(),
                        format!("this paragraph repeats the one in line {line} word for word"),
                    );
                    if let Some((_, twin)) = before.as_ref().filter(|(_, twin)| {
                        follows_twin && field.text[twin.clone()] == field.text[block.content.clone()]
                    }) {
                        let deletion =
                            examination.document.edit(field, twin.end..block.content.end, "");
                        finding.fix(Fix::safe(vec![deletion]));
                    }
                }
            }
            before = Some((index, block.content.clone()));
        }
    }
}

/// Item banks reuse a case for several questions; that is no repetition.
fn teaches(examination: &Examination<'_>, field: &TextField) -> bool {
    !matches!(
        examination.document.components()[field.component].kind,
        ComponentKind::Vignette | ComponentKind::Explanation | ComponentKind::Stem | ComponentKind::Options
    )
}

/// The field's own name: an explainer and its plain version may say the same.
fn last_segment(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Lines of ever later places, so that the text is counted through only once.
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
            self.line += self.text[self.at..at].iter().filter(|byte| **byte == b'\n').count();
            self.at = at;
        }
        self.line
    }
}

/// Words with their places; a Chinese character counts as a word.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let wide = ('\u{2e80}'..='\u{9fff}').contains(&c) && c.is_alphanumeric();
        if c.is_alphanumeric() && !wide {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            words.push((from, &text[from..at]));
        }
        if wide {
            words.push((at, &text[at..at + c.len_utf8()]));
        }
    }
    if let Some(from) = start {
        words.push((from, &text[from..]));
    }
    words
}

/// Finds the longest run of words that repeats itself.
fn loops(sink: &mut Sink<'_>, field: &TextField, block: &Block, words: &[(usize, &str)], min_loop: usize) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let ids: Vec<usize> = words
        .iter()
        .map(|(_, word)| {
            let next = numbers.len();
            *numbers.entry(word).or_insert(next)
        })
        .collect();
    // Most words of ordinary prose are new; where they are, nothing loops for long.
    if numbers.len() * 4 > words.len() * 3 {
        return;
    }
    let mut longest: Option<(usize, Range<usize>)> = None;
    for phrase in 1..=LONGEST_PHRASE.min(ids.len() / 2) {
        let mut run = 0;
        for index in phrase..=ids.len() {
            if index < ids.len() && ids[index] == ids[index - phrase] {
                run += 1;
                continue;
            }
            let total = run + phrase;
            let is_loop = run > 0 && total / phrase >= min_loop && total >= 12;
            let is_new_word = longest.as_ref().is_none_or(|(_, range)| range.len() < total);
            if is_loop && is_new_word {
                longest = Some((phrase, index - total..index));
            }
            run = 0;
        }
    }
    let Some((phrase, range)) = longest else { return };
    let (first, last) = (words[range.start].0, words[range.end - 1]);
    let offset = block.content.start;
    let finding = sink.in_text(
        field,
        offset + first..offset + last.0 + last.1.len(),
        format!("the same {phrase} word(s) follow each other {} times", range.len() / phrase),
    );
    if range.len() >= CERTAIN_LOOP {
        finding.severity(Severity::Error);
    }
}
