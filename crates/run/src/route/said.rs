//! The text of a task, normalised for looking up words.

use super::RepairTask;

impl RepairTask {
    /// Whether its issues or instructions contain one of these stems at the beginning of a word.
    #[must_use]
    pub fn speaks_of(&self, stems: &[&str]) -> bool {
        let issues = self.source_issues.iter().flat_map(|targeted| {
            [
                &targeted.issue.description,
                &targeted.issue.suggested_fix,
                &targeted.fix_instructions,
            ]
        });
        issues
            .chain([&self.synthesized_instructions])
            .any(|said| has_stem(&fold(said), stems))
    }
}

/// Lower-cases a text with single spaces between and around words, so that ` stem` finds the
/// beginning of a word.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + 2);
    folded.push(' ');
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, ':' | '`') {
            folded.extend(c.to_lowercase());
        } else if !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

fn has_stem(folded: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| folded.contains(stem))
}
