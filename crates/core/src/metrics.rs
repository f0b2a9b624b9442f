//! Figures about a document, in the field names of seed 002's heuristics.
//!
//! What is not measured is `null`, never a made-up figure.

use serde::Serialize;

use redraft_text::words;

use crate::content::{ComponentKind, Document, TextRole};
use crate::finding::{Finding, Severity};

/// The figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// Words a learner reads, code not counted.
    pub word_count: usize,
    /// Flesch-Kincaid grade; `null` while it is not measured.
    pub flesch_kincaid: Option<f64>,
    /// Whether the grade was not measured.
    pub flesch_kincaid_skipped: bool,
    /// Whether introduction and conclusion are there.
    pub sections_present: bool,
    /// Those that are not.
    pub missing_sections: Vec<&'static str>,
    /// Share of the specification's keywords that occur; `null` without one.
    pub keyword_coverage: Option<f64>,
    /// Worked examples.
    pub examples_count: usize,
    /// Tasks for the learner.
    pub exercises_count: usize,
    /// Messages of the errors.
    pub failure_reasons: Vec<String>,
    /// Messages of the warnings.
    pub warnings: Vec<String>,
}

/// Measures a document.
#[must_use]
pub fn measure(document: &Document, findings: &[Finding]) -> Metrics {
    let is_lesson = document.components().iter().any(|component| {
        matches!(
            component.kind,
            ComponentKind::Introduction | ComponentKind::Section | ComponentKind::Conclusion
        )
    });
    let has = |kind| document.of_kind(kind).next().is_some();
    let missing_sections: Vec<&'static str> = [
        (ComponentKind::Introduction, "introduction"),
        (ComponentKind::Conclusion, "conclusion"),
    ]
    .into_iter()
    .filter(|(kind, _)| is_lesson && !has(*kind))
    .map(|(_, name)| name)
    .collect();
    let messages = |severity| {
        findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .map(|finding| finding.message.clone())
            .collect()
    };
    Metrics {
        word_count: word_count(document),
        flesch_kincaid: None,
        flesch_kincaid_skipped: true,
        sections_present: missing_sections.is_empty(),
        missing_sections,
        keyword_coverage: None,
        examples_count: document.of_kind(ComponentKind::Example).count(),
        exercises_count: document.of_kind(ComponentKind::Exercise).count(),
        failure_reasons: messages(Severity::Error),
        warnings: messages(Severity::Warning),
    }
}

fn word_count(document: &Document) -> usize {
    document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
        .map(|field| {
            let prose = &field.markdown().prose;
            prose
                .iter()
                .filter_map(|range| field.text.get(range.clone()))
                .map(words::count_words)
                .sum::<usize>()
        })
        .sum()
}
