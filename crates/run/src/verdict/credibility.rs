//! Decides whether a verdict is credible (ruling 70). A small model that gives .75 to everything
//! follows the form without having judged anything.
//!
//! | the verdict | doubt |
//! |---|---|
//! | gives all criteria the same score, to .01, below .90 | flat |
//! | scores a criterion below .75 without an issue that names it | unexplained |
//! | scores a criterion with a major or critical issue no lower than all those without | contradicted |
//! | quotes passages, and none of them is in the text | misquoted |
//! | proposes to replace the criticised words by themselves | empty fix |
//! | comes from a judge that failed `redraft models --test` (`judge_test`) | failed test |
//!
//! A doubtful verdict has low confidence: another judge is asked, and nothing is accepted on it
//! alone.

use schemars::JsonSchema;
use serde::Serialize;

use super::anchor::fold;
use super::{Anchored, Awarded, Issue, IssueSeverity};
use redraft_gate::score::Score;

/// Why a verdict is not credible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Doubt {
    /// All criteria have the same score.
    Flat {
        /// The highest of them.
        score: Score,
    },
    /// A low score without an issue that explains it.
    Unexplained {
        /// The criterion.
        criterion: String,
        /// Its score.
        score: Score,
    },
    /// A major or critical issue did not lower the score of its criterion.
    Contradicted {
        /// The criterion.
        criterion: String,
        /// Its score.
        score: Score,
    },
    /// None of the quotes is in the text.
    Misquoted {
        /// How many were given.
        quotes: usize,
    },
    /// A fix repeats the words that it is to replace.
    EmptyFix {
        /// The criterion of the issue.
        criterion: String,
    },
    /// The judge failed `redraft models --test`, whatever it says of this text.
    FailedTest {
        /// The pairs that it ranked correctly.
        right: u32,
        /// How many there were.
        pairs: u32,
    },
}

const fn thousandths(value: u16) -> Score {
    match Score::from_thousandths(value) {
        Some(score) => score,
        None => Score::ONE,
    }
}

/// Scores that differ by at most this count as equal, in thousandths.
const ALIKE: u16 = 10;
/// From this score on equal scores are credible: a good text is good in every respect.
const CREDIBLY_FLAT: Score = thousandths(900);
/// A criterion below this score needs an issue.
const NEEDS_AN_ISSUE: Score = thousandths(750);

/// All doubts about a verdict, in the order of the table.
pub(super) fn doubts(awarded: &[Awarded], issues: &[Issue]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    doubts.extend(flat(awarded));
    doubts.extend(unexplained(awarded, issues));
    doubts.extend(contradicted(awarded, issues));
    doubts.extend(misquoted(issues));
    doubts.extend(empty_fix(issues));
    doubts
}

fn flat(awarded: &[Awarded]) -> Option<Doubt> {
    let scores = || awarded.iter().map(Awarded::score);
    let (least, most) = (scores().min()?, scores().max()?);
    let is_alike = most.thousandths() - least.thousandths() <= ALIKE;
    let is_flat = awarded.len() > 1 && is_alike && most < CREDIBLY_FLAT;
    is_flat.then_some(Doubt::Flat { score: most })
}

fn unexplained(awarded: &[Awarded], issues: &[Issue]) -> Option<Doubt> {
    let is_named = |awarded: &Awarded| {
        issues
            .iter()
            .any(|issue| issue.criterion == awarded.criterion)
    };
    let low = awarded
        .iter()
        .find(|awarded| awarded.score < NEEDS_AN_ISSUE && !is_named(awarded))?;
    Some(Doubt::Unexplained {
        criterion: low.criterion.clone(),
        score: low.score,
    })
}

fn contradicted(awarded: &[Awarded], issues: &[Issue]) -> Option<Doubt> {
    let is_blamed = |awarded: &&Awarded| {
        issues.iter().any(|issue| {
            issue.criterion == awarded.criterion && issue.severity >= IssueSeverity::Major
        })
    };
    let best_without = awarded
        .iter()
        .filter(|awarded| !is_blamed(awarded))
        .map(Awarded::score)
        .max()?;
    let blamed = awarded
        .iter()
        .filter(is_blamed)
        .find(|awarded| awarded.score >= best_without)?;
    Some(Doubt::Contradicted {
        criterion: blamed.criterion.clone(),
        score: blamed.score,
    })
}

fn misquoted(issues: &[Issue]) -> Option<Doubt> {
    let quoted = || issues.iter().filter(|issue| issue.quote.is_some());
    let quotes = quoted().count();
    let none_is_there = quoted().all(|issue| issue.anchor == Anchored::Unanchored);
    (quotes > 0 && none_is_there).then_some(Doubt::Misquoted { quotes })
}

fn empty_fix(issues: &[Issue]) -> Option<Doubt> {
    let repeats = |issue: &&Issue| {
        let quote = fold(issue.quote.as_deref().unwrap_or_default()).text;
        !quote.is_empty() && fold(&issue.suggested_fix).text == quote
    };
    let issue = issues.iter().find(repeats)?;
    Some(Doubt::EmptyFix {
        criterion: issue.criterion.clone(),
    })
}

#[cfg(test)]
mod tests {
    use crate::fixtures::{LESSON, document, issue, rubric, verdict};
    use crate::verdict::Confidence;

    /// Each row of the table with a credible verdict that just misses it.
    #[test]
    fn verdicts_that_cannot_be_believed_are_of_low_confidence() {
        let (document, rubric) = (document(LESSON), rubric());
        let about = |criterion: &str, severity: &str| {
            issue([criterion, severity, "sec_1", "", "It is wrong.", ""])
        };
        let quoting = |quote: &str, fix: &str| {
            issue(["clarity", "minor", "sec_1", quote, "It is unclear.", fix])
        };
        let there = document.texts()[0].text.lines().next().unwrap().to_owned();
        for (scores, issues, expected) in [
            ([750, 750, 750], vec![], Some("flat")),
            (
                [745, 750, 755],
                vec![about("completeness", "minor")],
                Some("flat"),
            ),
            ([890, 895, 899], vec![], Some("flat")),
            ([900, 900, 900], vec![], None),
            ([890, 895, 901], vec![], None),
            ([800, 850, 890], vec![], None),
            ([749, 850, 890], vec![], Some("unexplained")),
            ([749, 850, 890], vec![about("completeness", "minor")], None),
            (
                [749, 850, 890],
                vec![about("truth", "minor")],
                Some("unexplained"),
            ),
            (
                [950, 940, 930],
                vec![about("completeness", "major")],
                Some("contradicted"),
            ),
            (
                [940, 940, 930],
                vec![about("completeness", "critical")],
                Some("contradicted"),
            ),
            (
                [930, 940, 900],
                vec![about("completeness", "critical")],
                None,
            ),
            ([950, 940, 930], vec![about("completeness", "minor")], None),
            (
                [950, 940, 930],
                vec![
                    about("completeness", "major"),
                    about("truth", "major"),
                    about("clarity", "major"),
                ],
                None,
            ),
            (
                [950, 940, 930],
                vec![quoting("Ice cream floats.", "x")],
                Some("misquoted"),
            ),
            (
                [950, 940, 930],
                vec![quoting("Ice cream floats.", "x"), quoting(&there, "x")],
                None,
            ),
            (
                [950, 940, 930],
                vec![quoting(&there, &there)],
                Some("empty_fix"),
            ),
            ([950, 940, 930], vec![quoting(&there, "Other words.")], None),
        ] {
            let verdict = verdict(&document, &rubric, "j", &scores, "high", &issues);
            let kinds: Vec<String> = verdict
                .doubts()
                .iter()
                .map(|doubt| serde_json::to_value(doubt).unwrap()["kind"].to_string())
                .collect();
            let expected: Vec<String> = expected.iter().map(|kind| format!("{kind:?}")).collect();
            assert_eq!(kinds, expected, "{scores:?} {issues:?}");
            let confidence = match expected.is_empty() {
                true => Confidence::High,
                false => Confidence::Low,
            };
            assert_eq!(verdict.confidence(), confidence);
        }
    }
}
