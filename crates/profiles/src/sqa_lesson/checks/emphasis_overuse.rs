//! `emphasis-overuse`: too much italic, underlined, bold or upper-case text.

use std::sync::LazyLock;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;
use regex::Regex;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::{CardField, CardText, card_texts};
use crate::sqa_lesson::plain_language::words;

pub(super) static CHECK: Check = Check {
    code: "SQA058",
    name: "emphasis-overuse",
    severity: Severity::Info,
    phase: Phase::Acceptance,
    summary: "too much italic, underlined, bold or upper-case text",
    what: "Counts emphasis in explainers and stems: more than 3 italic or underlined passages (hard to read with dyslexia) and more than one for every twenty words; bold for more than a third of a text of at least 20 words; five words in a row in capitals. Code and formulas are ignored. Caps `accessibility` at .90 (seed 000: avoid italic and underline overuse).",
    why: "Slanted and underlined letters run together for readers with dyslexia, and where everything is stressed, nothing is.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "Use the *right* unit for the *right* item, and *never* mix *pounds* and pence."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "Use the *right* unit for the **right** item, and never mix pounds and pence."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "slanted",
            what: "italic or underlined passages allowed in any text",
        },
        Parameter {
            name: "words-a-stretch",
            what: "words of text for each further passage",
        },
        Parameter {
            name: "bold-share",
            what: "maximum share of words in bold",
        },
        Parameter {
            name: "capitals",
            what: "number of words in capitals in a row that is too many",
        },
    ],
    caps: &[ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

static BOLD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\*\*[^*\n]+\*\*|__[^_\n]+__|<b>[^<\n]*</b>|<strong>[^<\n]*</strong>").ok());
static SLANTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"<u>[^<\n]*</u>|<i>[^<\n]*</i>|<em>[^<\n]*</em>|\*[^\s*][^*\n]*\*|\b_[^_\s][^_\n]*_\b").ok()
});

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in card_texts(examination.document) {
        if matches!(text.card_field, CardField::Explainer | CardField::Plain | CardField::Stem)
            && let Some((range, how)) = overuse(&text, examination)
        {
            let message = format!("{} {how}", text.label());
            sink.in_text(text.field, range, message).caps(CHECK.caps);
        }
    }
}

/// Where emphasis is overused, and what to say about it.
fn overuse(text: &CardText<'_>, examination: &Examination<'_>) -> Option<(std::ops::Range<usize>, String)> {
    let mut prose = text.text().to_owned();
    blank(&mut prose, text.masked());
    let total = words(&prose).count();
    let bold: Vec<std::ops::Range<usize>> = BOLD
        .as_ref()?
        .find_iter(&prose)
        .map(|found| found.range())
        .collect();
    let bold_words: usize = bold.iter().filter_map(|range| prose.get(range.clone())).map(|text| words(text).count()).sum();
    let first_bold = bold.first().cloned();
    blank(&mut prose, bold);
    let slanted: Vec<std::ops::Range<usize>> =
        SLANTED.as_ref()?.find_iter(&prose).map(|found| found.range()).collect();
    let allowed = examination.count("slanted").max(total / examination.count("words-a-stretch").max(1));
    if slanted.len() > allowed {
        let how = format!(
            "has {} italic or underlined passages in {total} words; keep the most important one, and make it bold",
            slanted.len()
        );
        return Some((slanted.first()?.clone(), how));
    }
    #[expect(clippy::cast_precision_loss, reason = "texts have few words")]
    let share = bold_words as f64 / total.max(1) as f64;
    if total >= 20 && share > examination.number("bold-share") {
        let how = format!("has {bold_words} of {total} words in bold; keep bold for the words to remember");
        return Some((first_bold?, how));
    }
    let capitals = capitals(text.text(), examination.count("capitals"))?;
    let how = "has a run of words in capitals; write them in lower case".to_owned();
    Some((capitals, how))
}

/// Replaces ranges with spaces.
fn blank(text: &mut String, ranges: Vec<std::ops::Range<usize>>) {
    for range in ranges {
        let len = range.len();
        if text.get(range.clone()).is_some() {
            text.replace_range(range, &" ".repeat(len));
        }
    }
}

/// The first run of at least this many words in capitals.
fn capitals(text: &str, least: usize) -> Option<std::ops::Range<usize>> {
    let mut run: Option<(std::ops::Range<usize>, usize)> = None;
    for (range, word) in words(text) {
        let is_loud = word.chars().filter(|c| c.is_alphabetic()).count() >= 2
            && word.chars().all(|c| !c.is_lowercase());
        run = match run {
            Some((whole, count)) if is_loud => Some((whole.start..range.end, count + 1)),
            None if is_loud => Some((range, 1)),
            _ => None,
        };
        if let Some((whole, count)) = &run
            && *count >= least.max(1)
        {
            return Some(whole.clone());
        }
    }
    None
}
