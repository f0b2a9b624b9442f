//! `critic_result.json` of Scottish cards (seed 000), with exactly the seed's fields, and
//! `report.json` with what we say beyond them.
//!
//! Each dimension is rounded to two decimals, the overall computed from the
//! rounded ones, and the status follows from what is printed (ruling 2):
//!
//! | every dimension reaches its threshold | overall reaches the policy's | critical feedback | the run accepted it | status |
//! |---|---|---|---|---|
//! | yes | yes | none | yes | pass |
//! | else | | | | needs_revision |
//!
//! | overall | interpretation |
//! |---|---|
//! | .90 and more | excellent |
//! | .88 and more | acceptable |
//! | .85 and more | borderline |
//! | less | significant_issues |

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::check::Concern;
use redraft_gate::finding::Severity;
use redraft_gate::score::Score;
use redraft_gate::span::Version;
use redraft_profiles::registry;
use redraft_run::outcome::{OpenFinding, Outcome, Status};
use redraft_run::restructure::Restructuring;
use redraft_run::severity_scales::{CapEffect, FindingGrade, Urgency, urgency_of_issue};
use redraft_run::verdict::{Anchored, Issue};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::sentences;

use super::context::SeedContext;
use super::review_cycle::ReviewCycle;
use crate::same_fault::alike;

/// The most feedback that is given at once (seed 000).
pub const MOST_FEEDBACK: usize = 10;

/// What the critic says about a set of cards.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[schemars(title = "critic_result.json")]
pub struct CriticResult {
    /// Whether the cards pass.
    pub overall_status: CriticStatus,
    /// The weighted mean of the dimensions, to two decimals; `null` if they were
    /// not scored.
    pub overall_score: Option<Score>,
    /// The score of each dimension, to two decimals; `null` if there is none.
    #[serde(serialize_with = "in_order")]
    #[schemars(with = "BTreeMap<String, Option<Score>>")]
    pub dimension_scores: Vec<(String, Option<Score>)>,
    /// What to do, the most urgent first.
    #[schemars(length(max = 10))]
    pub feedback: Vec<Feedback>,
}

/// What is known beyond the critic's result.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[schemars(title = "report.json")]
pub struct CriticReport {
    /// What the overall score means.
    pub interpretation: Option<Interpretation>,
    /// How many entries of feedback are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_listed: Option<usize>,
    /// Why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
    /// Why it is not a pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The version of the text that all of this is about.
    pub content: Version,
    /// Whether scripts answered instead of models.
    pub scripted: bool,
    /// What only a person does: cards to merge, split, delete or add.
    pub proposals: Vec<Restructuring>,
}

/// Whether cards pass.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CriticStatus {
    /// They may.
    Pass,
    /// They may not.
    NeedsRevision,
}

/// What an overall score means.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpretation {
    /// .90 and more.
    Excellent,
    /// .88 and more: good enough for the SQA.
    Acceptable,
    /// .85 and more: small revisions are needed.
    Borderline,
    /// Less: large revisions are needed.
    SignificantIssues,
}

impl Interpretation {
    #[must_use]
    pub fn of(score: Score) -> Self {
        match score.thousandths() {
            900.. => Self::Excellent,
            880.. => Self::Acceptable,
            850.. => Self::Borderline,
            _ => Self::SignificantIssues,
        }
    }
}

/// Something that is to be done.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct Feedback {
    /// The dimension it speaks to.
    pub dimension: String,
    /// How urgent it is.
    pub severity: Urgency,
    /// Where: `Card 3`. Beyond the seed's fields.
    #[serde(skip)]
    pub location: String,
    /// What is wrong, and where.
    pub issue: String,
    /// What to do.
    pub action: String,
}

/// The result of the text that an outcome is about.
#[must_use]
pub fn result(outcome: &Outcome, context: &SeedContext) -> CriticResult {
    both(outcome, context).0
}

/// What is known of it beyond that.
#[must_use]
pub fn report(outcome: &Outcome, context: &SeedContext) -> CriticReport {
    both(outcome, context).1
}

fn both(outcome: &Outcome, context: &SeedContext) -> (CriticResult, CriticReport) {
    let cycle = ReviewCycle::last(outcome);
    let accepted = matches!(outcome.status, Status::Accepted | Status::AcceptedWarning)
        && outcome.decided_by.is_none();
    of_cycle(outcome, &cycle, context, accepted)
}

/// The results of all attempts, in order: after each of them the author reads one.
/// Empty without repair: a text that is only judged or checked is not an attempt.
#[must_use]
pub fn attempts(outcome: &Outcome, context: &SeedContext) -> Vec<CriticResult> {
    let repairs = outcome.receipts.is_some() || outcome.final_content.is_some();
    if !repairs || outcome.status == Status::Checked {
        return Vec::new();
    }
    let last = ReviewCycle::last(outcome).content;
    ReviewCycle::all(outcome)
        .iter()
        .map(|cycle| {
            if cycle.content == last {
                result(outcome, context)
            } else {
                of_cycle(outcome, cycle, context, false).0
            }
        })
        .collect()
}

fn of_cycle(
    outcome: &Outcome,
    cycle: &ReviewCycle<'_>,
    context: &SeedContext,
    accepted: bool,
) -> (CriticResult, CriticReport) {
    let dimensions: Vec<(String, Option<Score>)> = context
        .rubric
        .criteria
        .iter()
        .map(|criterion| {
            let score = cycle.criteria.get(criterion.name.as_str());
            (criterion.name.clone(), score.map(|score| rounded(*score)))
        })
        .collect();
    let overall = overall(&dimensions, context);
    let below: BTreeSet<&str> = context
        .rubric
        .criteria
        .iter()
        .filter(|criterion| given(&dimensions, &criterion.name) < criterion.threshold)
        .map(|criterion| criterion.name.as_str())
        .collect();
    let mut feedback = feedback(cycle, context, &below);
    let not_listed = feedback.len().saturating_sub(MOST_FEEDBACK);
    feedback.truncate(MOST_FEEDBACK);
    let critical = feedback
        .first()
        .is_some_and(|first| first.severity == Urgency::Critical);
    let reaches = overall.is_some_and(|score| score >= context.policy.accept);
    let passes = reaches && below.is_empty() && !critical && accepted;
    let result = CriticResult {
        overall_status: if passes {
            CriticStatus::Pass
        } else {
            CriticStatus::NeedsRevision
        },
        overall_score: overall,
        dimension_scores: dimensions,
        feedback,
    };
    let report = CriticReport {
        interpretation: overall.map(Interpretation::of),
        not_listed: (not_listed > 0).then_some(not_listed),
        unscored: cycle.unscored.clone(),
        because: outcome
            .because
            .as_ref()
            .map(sentences::because)
            .filter(|_| !passes && cycle.content == outcome.content),
        content: cycle.content,
        scripted: outcome.scripted,
        proposals: outcome.proposals.clone(),
    };
    (result, report)
}

fn given(dimensions: &[(String, Option<Score>)], name: &str) -> Option<Score> {
    let found = dimensions.iter().find(|(known, _)| known == name);
    found.and_then(|(_, score)| *score)
}

/// In the rubric's order.
fn in_order<S: Serializer>(
    dimensions: &[(String, Option<Score>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(dimensions.iter().map(|(name, score)| (name, score)))
}

/// To two decimals, half up.
fn rounded(score: Score) -> Score {
    Score::from_thousandths((score.thousandths() + 5) / 10 * 10).unwrap_or(Score::ONE)
}

/// The mean of the printed dimensions under the rubric's weights, to two decimals;
/// `None` where one of them has no score.
fn overall(dimensions: &[(String, Option<Score>)], context: &SeedContext) -> Option<Score> {
    let (mut sum, mut total) = (0u64, 0u64);
    for criterion in &context.rubric.criteria {
        let score = given(dimensions, &criterion.name)?;
        sum += u64::from(criterion.weight) * u64::from(score.thousandths());
        total += u64::from(criterion.weight);
    }
    let hundredths = (2 * sum + 10 * total).checked_div(20 * total)?;
    Score::from_thousandths(u16::try_from(hundredths * 10).ok()?)
}

fn feedback(
    cycle: &ReviewCycle<'_>,
    context: &SeedContext,
    below: &BTreeSet<&str>,
) -> Vec<Feedback> {
    let mut all: Vec<(usize, Feedback)> = Vec::new();
    // Several findings of one check in one component are one thing to do, and so
    // are remarks of one check in all components.
    let mut kinds: BTreeMap<(&str, &str), Vec<&OpenFinding>> = BTreeMap::new();
    for finding in cycle.findings {
        let component = match finding.severity {
            Severity::Info if !finding.critical => "",
            _ => finding.component.0.as_str(),
        };
        let kind = (component, finding.code);
        kinds.entry(kind).or_default().push(finding);
    }
    for alike in kinds.values() {
        if let Some(found) = of_findings(alike, context) {
            all.push((context.position(&alike[0].component), found));
        }
    }
    for issue in cycle.issues {
        let said = of_issue(issue, context);
        // What a check and a judge both found is one fault.
        match all.iter_mut().find(|(_, known)| same_fault(known, &said)) {
            Some((_, known)) => {
                known.severity = known.severity.max(said.severity);
                if !issue.suggested_fix.trim().is_empty() {
                    known.action = said.action;
                }
            }
            None => all.push((context.position(&issue.location), said)),
        }
    }
    all.sort_by(|(at, a), (other, b)| {
        let key = |at: usize, feedback: &Feedback| {
            let holds_up = below.contains(feedback.dimension.as_str());
            (Reverse(feedback.severity), Reverse(holds_up), at)
        };
        key(*at, a).cmp(&key(*other, b))
    });
    all.into_iter().map(|(_, feedback)| feedback).collect()
}

/// Whether two entries name one fault: the same place and dimension, in mostly the same
/// words.
fn same_fault(a: &Feedback, b: &Feedback) -> bool {
    a.location == b.location && a.dimension == b.dimension && alike(&a.issue, &b.issue)
}

fn of_findings(alike: &[&OpenFinding], context: &SeedContext) -> Option<Feedback> {
    let worst = alike
        .iter()
        .copied()
        .rev()
        .max_by_key(|finding| (finding.severity, finding.critical, Reverse(lowest(finding))))?;
    let location = context.component_name(&worst.component);
    let (observed, action) = parted(&worst.message);
    let mut elsewhere: Vec<String> = Vec::new();
    for finding in alike {
        let name = context.component_name(&finding.component);
        if name != location && !elsewhere.contains(&name) {
            elsewhere.push(name);
        }
    }
    let more = match alike.len() - 1 {
        0 => String::new(),
        _ if !elsewhere.is_empty() => format!("; the same: {}", elsewhere.join(", ")),
        1 => "; 1 more like it".to_owned(),
        number => format!("; {number} more like it"),
    };
    let caps_below = worst.caps.iter().any(|(name, cap)| {
        let criterion = context.rubric.criterion(name);
        criterion.is_some_and(|criterion| Some(*cap) < criterion.threshold)
    });
    Some(Feedback {
        dimension: dimension(worst).to_owned(),
        severity: FindingGrade {
            severity: worst.severity,
            critical: worst.critical,
        }
        .urgency(if caps_below {
            CapEffect::BelowThreshold
        } else {
            CapEffect::None
        }),
        issue: with_location(&location, observed) + &more,
        location,
        action: action.map_or_else(
            || {
                format!(
                    "Fix it; run `redraft explain {}` for what the check looks at, with an example",
                    worst.code
                )
            },
            capitalised,
        ),
    })
}

fn lowest(finding: &OpenFinding) -> Score {
    finding.caps.values().min().copied().unwrap_or(Score::ONE)
}

/// The dimension that a finding speaks to: the one it caps most, or could cap; for
/// the checks that all profiles share, by what they are concerned with.
fn dimension(finding: &OpenFinding) -> &'static str {
    let caps = finding.caps.iter().min_by_key(|(_, cap)| **cap);
    if let Some((name, _)) = caps {
        return name;
    }
    let check = registry::all_checks()
        .iter()
        .find(|check| check.code == finding.code);
    if let Some(cap) = check.and_then(|check| check.caps.first()) {
        return cap.criterion;
    }
    match check.map(|check| check.concern) {
        Some(Concern::Language) => "accessibility",
        Some(Concern::Alignment) => "sow_template_fidelity",
        Some(Concern::Hallucination) => "pedagogical_design",
        Some(Concern::Truncation | Concern::Hygiene) | None => "coherence",
    }
}

fn of_issue(issue: &Issue, context: &SeedContext) -> Feedback {
    let location = context.component_name(&issue.location);
    let mut said = with_location(&location, issue.description.trim_end_matches('.'));
    if let Some(quote) = issue.quote.as_deref()
        && !said.contains(quote)
    {
        let remark = match issue.anchor {
            Anchored::Unanchored => " (not found in the text)",
            _ => "",
        };
        said = format!("{said}: “{quote}”{remark}");
    }
    Feedback {
        dimension: issue.criterion.clone(),
        severity: urgency_of_issue(issue.severity),
        location,
        issue: said,
        action: if issue.suggested_fix.trim().is_empty() {
            "Rewrite the passage to resolve this".to_owned()
        } else {
            capitalised(issue.suggested_fix.trim())
        },
    }
}

/// Starts with the location, unless the words name it themselves.
fn with_location(location: &str, words: &str) -> String {
    if words.to_lowercase().contains(&location.to_lowercase()) {
        capitalised(words)
    } else {
        format!("{location}: {words}")
    }
}

/// What is wrong, and what to do about it: messages of checks say first the one,
/// then the other, with a semicolon between, and may quote a text that has
/// semicolons itself. A figure (“15 are the limit”) still belongs to what is wrong.
fn parted(message: &str) -> (&str, Option<&str>) {
    let mut depth = 0usize;
    for (at, letter) in message.char_indices() {
        match letter {
            '“' | '(' => depth += 1,
            '”' | ')' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                let (observed, action) = message.split_at(at);
                let action = action.trim_start_matches(';').trim();
                let is_figure = action.starts_with(|c: char| c.is_ascii_digit());
                if is_figure && action.contains(';') {
                    continue;
                }
                return (
                    observed.trim(),
                    Some(action).filter(|said| !said.is_empty()),
                );
            }
            _ => {}
        }
    }
    (message, None)
}

/// With a capital at the beginning.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_with_a_capital_in_any_language() {
        for (given, expected) in [("card", "Card"), ("é", "É"), ("раздел", "Раздел"), ("", "")]
        {
            assert_eq!(capitalised(given), expected);
        }
    }

    #[test]
    fn a_message_is_parted_where_it_begins_to_say_what_to_do() {
        for (message, observed, action) in [
            ("18 words; split it", "18 words", Some("split it")),
            (
                "it says “a; b” twice; keep one",
                "it says “a; b” twice",
                Some("keep one"),
            ),
            ("nothing to be done", "nothing to be done", None),
            ("odd;", "odd", None),
            (
                "17 words; 15 are the limit; split it",
                "17 words; 15 are the limit",
                Some("split it"),
            ),
            (
                "5 cards; merge two; keep four",
                "5 cards",
                Some("merge two; keep four"),
            ),
        ] {
            assert_eq!(parted(message), (observed, action));
        }
    }

    #[test]
    fn the_bands_of_the_seed_begin_where_they_should() {
        for (thousandths, expected) in [
            (1000, Interpretation::Excellent),
            (900, Interpretation::Excellent),
            (890, Interpretation::Acceptable),
            (880, Interpretation::Acceptable),
            (870, Interpretation::Borderline),
            (850, Interpretation::Borderline),
            (840, Interpretation::SignificantIssues),
            (0, Interpretation::SignificantIssues),
        ] {
            let score = Score::from_thousandths(thousandths).unwrap();
            assert_eq!(Interpretation::of(score), expected, "{score}");
        }
    }

    #[test]
    fn scores_are_rounded_half_up_to_what_is_printed() {
        for (given, printed) in [(874, 870), (875, 880), (999, 1000), (1000, 1000), (4, 0)] {
            let score = Score::from_thousandths(given).unwrap();
            assert_eq!(rounded(score).thousandths(), printed);
        }
    }
}
