//! `dense-text`: too few paragraphs for so many sentences.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::shared::readability::{MIN_SENTENCES, prose};

pub(super) static CHECK: Check = Check {
    code: "TXT036",
    name: "dense-text",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    concern: Concern::Hygiene,
    summary: "too few paragraphs for the number of sentences",
    what: "Counts paragraphs and the sentences in them, and reports the document once, at the paragraph with the most sentences, if there are too few paragraphs. Headings, lists, tables, quotations and code blocks are not counted, and documents with few sentences, and multiple-choice items, are skipped.",
    why: "Paragraphs divide a text into steps. Learners lose their way in a wall of text.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater is strange. We drink it. We wash with it. We cook with it. It can be solid. It can be liquid. It can be a gas. On the stove it gets warm. Then bubbles form. They rise and burst. Now it stays as hot as it is. All the heat makes steam. Steam is clear. The cloud above it is water again. So keep your hand away.\n",
        passes: "# Water\n\nWater is strange. We drink it. We wash with it. We cook with it. It can be solid. It can be liquid. It can be a gas.\n\nOn the stove it gets warm. Then bubbles form. They rise and burst. Now it stays as hot as it is. All the heat makes steam. Steam is clear. The cloud above it is water again. So keep your hand away.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "min-breaks",
            what: "minimum number of paragraphs per sentence",
        },
        MIN_SENTENCES,
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(prose) = prose(examination) else {
        return;
    };
    let Some(breaks) = prose.figures.paragraph_break_ratio() else {
        return;
    };
    if breaks >= examination.number("min-breaks") {
        return;
    }
    let densest = prose
        .paragraphs()
        // The first of several.
        .rev()
        .max_by_key(|(_, paragraph)| paragraph.sentences.len());
    if let Some((field, paragraph)) = densest {
        sink.in_text(
            &examination.document.texts()[field],
            paragraph.range.clone(),
            format!(
                "{} sentences in only {} paragraphs; split this one, which has {}",
                prose.figures.sentences,
                prose.figures.paragraphs,
                paragraph.sentences.len(),
            ),
        );
    }
}
