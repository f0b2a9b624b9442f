//! The metrics of a lesson in the field names of seed 002's `HeuristicResults`
//! and of seed 003 §11.

use redraft_gate::metrics::Metrics;
use schemars::JsonSchema;
use serde::Serialize;

/// The metrics of a lesson; `null` where something is not measured.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeuristicResults {
    /// Whether there is no error.
    pub passed: bool,
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

impl From<&Metrics> for HeuristicResults {
    fn from(metrics: &Metrics) -> Self {
        Self {
            passed: metrics.failure_reasons.is_empty(),
            word_count: metrics.word_count,
            flesch_kincaid: metrics.flesch_kincaid,
            flesch_kincaid_skipped: metrics.flesch_kincaid_skipped,
            avg_sentence_length: metrics.avg_sentence_length,
            avg_word_length: metrics.avg_word_length,
            paragraph_break_ratio: metrics.paragraph_break_ratio,
            sections_present: metrics.sections_present,
            missing_sections: metrics.missing_sections.clone(),
            keyword_coverage: metrics.keyword_coverage,
            examples_count: metrics.examples_count,
            exercises_count: metrics.exercises_count,
            failure_reasons: metrics.failure_reasons.clone(),
            warnings: metrics.warnings.clone(),
        }
    }
}
