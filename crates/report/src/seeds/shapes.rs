//! All seed shapes of one outcome, and the files that they are written to.

use std::collections::BTreeMap;
use std::path::Path;

use redraft_run::outcome::{Outcome, Status};
use schemars::JsonSchema;
use serde::Serialize;

use super::context::SeedContext;
use super::{best_effort, critic, plan, review_history, self_review, verdicts};

/// The outcome in the shapes of the seeds; which are there depends on the profile.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Seed {
    /// Of Scottish cards: what is known beyond the critic's result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<critic::CriticReport>,
    /// Of Scottish cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critic_result: Option<critic::CriticResult>,
    /// Of Scottish cards that were written or repaired: after each attempt. For
    /// files alone.
    #[serde(skip)]
    pub critic_attempts: Vec<critic::CriticResult>,
    /// Of items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_history: Option<review_history::ReviewState>,
    /// Of lessons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_review: Option<self_review::SelfReviewResponse>,
    /// Of lessons: what the judges said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge_verdict: Option<verdicts::Verdicts>,
    /// Of lessons: what is or was to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement_plan: Option<plan::Refinement>,
    /// Of lessons that come out as the best there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_effort: Option<best_effort::BestEffort>,
}

impl Seed {
    /// Whether the critic's result asks the author for a revision.
    #[must_use]
    pub fn needs_revision(&self) -> bool {
        let critic = self.critic_result.as_ref();
        critic.is_some_and(|critic| critic.overall_status == critic::CriticStatus::NeedsRevision)
    }

    /// The shapes of an outcome.
    #[must_use]
    pub fn of(outcome: &Outcome, context: &SeedContext) -> Self {
        let context = &context.under(outcome);
        match outcome.profile {
            "sqa-lesson" => Self {
                report: Some(critic::report(outcome, context)),
                critic_result: Some(critic::result(outcome, context)),
                critic_attempts: critic::attempts(outcome, context),
                ..Self::default()
            },
            "clinical-mcq" | "mcq" => Self {
                review_history: Some(review_history::state(outcome, context)),
                ..Self::default()
            },
            _ => Self {
                self_review: Some(self_review::response(outcome, context)),
                judge_verdict: (outcome.status != Status::Checked)
                    .then(|| verdicts::verdicts(outcome, context)),
                refinement_plan: plan::refinement(outcome, context),
                best_effort: (outcome.status == Status::BestEffort)
                    .then(|| best_effort::best_effort(outcome, context)),
                ..Self::default()
            },
        }
    }

    /// The files that hold its shapes, by name without extension with their text, in the order in
    /// which they are to be written: the result comes last, so that a reader who waits
    /// for it finds the attempts.
    ///
    /// # Errors
    /// When a shape cannot be serialised.
    pub fn files(&self) -> serde_json::Result<Vec<(String, String)>> {
        let mut files = Vec::new();
        for (index, result) in self.critic_attempts.iter().enumerate() {
            files.push((attempt_name(index + 1), critic_text(result)?));
        }
        if let serde_json::Value::Object(named) = serde_json::to_value(self)? {
            for (name, shape) in named.iter().filter(|(name, _)| *name != CRITIC) {
                files.push((name.clone(), serde_json::to_string_pretty(shape)? + "\n"));
            }
        }
        if let Some(result) = &self.critic_result {
            files.push((CRITIC.to_owned(), critic_text(result)?));
        }
        Ok(files)
    }

    /// The name of the first attempt that this result does not have, where it has
    /// attempts at all; files of an earlier run under it and later ones are stale.
    #[must_use]
    pub fn first_stale_attempt(&self) -> Option<usize> {
        self.critic_result
            .is_some()
            .then_some(self.critic_attempts.len() + 1)
    }
}

const CRITIC: &str = "critic_result";

/// A critic's result with two decimals in every score, as the seed prints them.
fn critic_text(result: &critic::CriticResult) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(result)?;
    let lines = text.lines().map(|line| {
        // Scores are its only numbers; words begin with a quotation mark.
        let score = line.rsplit_once(": ").and_then(|(name, value)| {
            let number = value.trim_end_matches(',');
            let comma = value.get(number.len()..)?;
            let is_number = number.starts_with(|c: char| c.is_ascii_digit());
            let score: f64 = number.parse().ok().filter(|_| is_number)?;
            Some(format!("{name}: {score:.2}{comma}"))
        });
        score.unwrap_or_else(|| line.to_owned())
    });
    Ok(lines.collect::<Vec<_>>().join("\n") + "\n")
}

/// The name of an attempt's file, without extension.
#[must_use]
pub fn attempt_name(number: usize) -> String {
    format!("critic_result.{number}")
}

/// The prefixes that tell the shapes of several files apart: the stem, or the whole
/// path where two share one. None for a single file.
#[must_use]
pub fn prefixes(paths: &[&Path]) -> Vec<Option<String>> {
    if paths.len() < 2 {
        return vec![None; paths.len()];
    }
    let stem = |path: &Path| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for path in paths {
        *count.entry(stem(path)).or_default() += 1;
    }
    paths
        .iter()
        .map(|path| {
            let name = stem(path);
            if count.get(&name) == Some(&1) {
                return Some(name);
            }
            let parts: Vec<String> = path
                .components()
                .filter_map(|part| match part {
                    std::path::Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
                    _ => None,
                })
                .collect();
            Some(parts.join("-"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_stems_or_else_by_their_paths() {
        for (paths, expected) in [
            (&["a/cards.json"][..], &[None][..]),
            (
                &["cards.json", "b/lesson.md"],
                &[Some("cards"), Some("lesson")],
            ),
            (
                &["a/x.md", "b/x.md", "./x.json", "y.md"],
                &[Some("a-x.md"), Some("b-x.md"), Some("x.json"), Some("y")],
            ),
            (&[], &[]),
        ] {
            let given: Vec<&Path> = paths.iter().map(Path::new).collect();
            let found = prefixes(&given);
            let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
            assert_eq!(found, expected, "{paths:?}");
        }
    }
}
