//! Metrics of a document: those of seed 002's heuristics and of seed 003 §11.
//!
//! What is not measured is `None`, never an invented number. What depends on the
//! kind of content (sections, keywords) comes from its profile.

use schemars::JsonSchema;
use serde::Serialize;

use crate::content::{ComponentKind, Document, TextField, TextRole};
use crate::finding::{Finding, Severity};

/// Metrics of a document.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Metrics {
    /// Words a learner reads; code is not counted.
    pub word_count: usize,
    /// Flesch-Kincaid grade; English only, from a hundred words.
    pub flesch_kincaid: Option<f64>,
    /// Whether the grade was not measured.
    pub flesch_kincaid_skipped: bool,
    /// Average number of words in a sentence; `null` without prose.
    pub avg_sentence_length: Option<f64>,
    /// Average number of letters in a word; `null` without prose.
    pub avg_word_length: Option<f64>,
    /// Paragraphs per sentence; `null` without prose.
    pub paragraph_break_ratio: Option<f64>,
    /// Whether introduction and conclusion are present.
    pub sections_present: bool,
    /// Those that are missing.
    pub missing_sections: Vec<&'static str>,
    /// Share of the specification's keywords that occur; `null` without keywords,
    /// or if the languages differ.
    pub keyword_coverage: Option<f64>,
    /// Worked examples.
    pub examples_count: usize,
    /// Exercises for the learner.
    pub exercises_count: usize,
    /// Messages of the errors.
    pub failure_reasons: Vec<String>,
    /// Messages of the warnings.
    pub warnings: Vec<String>,
}

/// What only a profile can measure of its kind of content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileFigures {
    /// The expected sections that are missing.
    pub missing_sections: Vec<&'static str>,
    /// Share of the specification's keywords that occur, if it is known.
    pub keyword_coverage: Option<f64>,
    /// Worked examples.
    pub examples: usize,
    /// Exercises for the learner.
    pub exercises: usize,
}

impl Metrics {
    /// Adds the messages of errors and warnings.
    pub fn add_messages(&mut self, findings: &[Finding]) {
        let messages = |severity| {
            let found = findings.iter();
            let found = found.filter(move |finding| finding.severity == severity);
            found.map(|finding| finding.message.clone())
        };
        self.failure_reasons.extend(messages(Severity::Error));
        self.warnings.extend(messages(Severity::Warning));
    }
}

impl ProfileFigures {
    /// The metrics that follow from a document's components alone.
    #[must_use]
    pub fn counted(document: &Document) -> Self {
        Self {
            examples: document.of_kind(ComponentKind::Example).count(),
            exercises: document.of_kind(ComponentKind::Exercise).count(),
            ..Self::default()
        }
    }
}

/// The metrics of a text; the messages of its findings are added to them.
#[must_use]
pub fn measure(document: &Document, own: ProfileFigures) -> Metrics {
    let figures = document.figures();
    let flesch_kincaid = document.reading_grade().map(rounded);
    Metrics {
        word_count: word_count(document),
        flesch_kincaid,
        flesch_kincaid_skipped: flesch_kincaid.is_none(),
        avg_sentence_length: figures.avg_sentence_length().map(rounded),
        avg_word_length: figures.avg_word_length().map(rounded),
        paragraph_break_ratio: figures.paragraph_break_ratio().map(rounded),
        sections_present: own.missing_sections.is_empty(),
        missing_sections: own.missing_sections,
        keyword_coverage: own.keyword_coverage.map(rounded),
        examples_count: own.examples,
        exercises_count: own.exercises,
        failure_reasons: Vec::new(),
        warnings: Vec::new(),
    }
}

/// Thousandths: more digits would be false precision.
fn rounded(figure: f64) -> f64 {
    (figure * 1000.0).round() / 1000.0
}

/// The words that a learner reads, code not counted.
#[must_use]
pub fn word_count(document: &Document) -> usize {
    document.texts().iter().map(words_in).sum()
}

/// The words of one text, code not counted.
#[must_use]
pub fn words_in(field: &TextField) -> usize {
    if field.role == TextRole::Code {
        return 0;
    }
    field.word_count()
}
