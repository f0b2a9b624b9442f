//! Merges several verdicts on one text: how far the judges agree, which issues are kept, and which
//! instruction is followed where two demand opposite things.
//!
//! The result depends only on the verdicts, not on the order of the judges or the names of their
//! models. Roles filled by the same model count as one judge (ruling 24).
//!
//! | agreement | raised by | severity | the issue |
//! |---|---|---|---|
//! | not applicable, high | any | any | kept |
//! | moderate | two or more | any | kept |
//! | moderate | one | critical | kept |
//! | moderate | one | major, minor | set aside |
//! | low | any | critical | kept |
//! | low, and no component would be repaired | any | major, its quote found, its criterion below .75 | kept |
//! | low | any | else | set aside; a reviewer should look |
//!
//! | kept issue | fix action |
//! |---|---|
//! | its quote is not in the text (ruling 26) | surgical edit |
//! | not covered by the sources | surgical edit |
//! | major, fixed by an addition, and the rubric has an exception for that (ruling 28) | the rubric's exception |
//! | else | the rubric's action for its criterion and severity |
//!
//! When near-duplicates are merged, the strongest action wins: even if one judge misquoted the
//! text, another found the passage.

mod cluster;
mod conflict;
mod similar;
mod target;

use crate::agreement::Agreement;
use crate::agreement::AgreementLevel;
use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use crate::agreement;
use crate::assess::{Assessment, Vote};
use crate::planning_reasons::{Opposition, Precedence, SetAsideReason};
use crate::rubric::{FixAction, Rubric};
use crate::verdict::{Anchored, Issue, IssueSeverity, NOT_IN_SOURCES, Quotes};
use redraft_gate::content::Document;
use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;

use cluster::{Cluster, Raised};

/// An issue with everything a repair needs to know (seed 003 §3.1).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct TargetedIssue {
    /// Its name within the ruling: `issue_1`, in the order of the text.
    pub id: String,
    /// What the judges said; of several near-duplicates the most severe.
    #[serde(flatten)]
    pub issue: Issue,
    /// The component that is to be repaired.
    pub target_section_id: ComponentId,
    /// How.
    pub fix_action: FixAction,
    /// Where to look.
    pub context_window: ContextWindow,
    /// What to do, in one or more sentences.
    pub fix_instructions: String,
    /// How many judges raised it.
    pub raised_by: usize,
}

/// Where to look (seed 003 §3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ContextWindow {
    /// The words at which the passage begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_quote: Option<String>,
    /// The words at which it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_quote: Option<String>,
    /// How much of the text has to be seen.
    pub scope: Scope,
}

/// How much of a text has to be seen to repair something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// One paragraph.
    Paragraph,
    /// One component.
    #[default]
    Section,
    /// All of it.
    Global,
}

/// An issue that does not become part of a task, and why.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct SetAside {
    /// The issue.
    pub issue: TargetedIssue,
    /// Why.
    pub because: SetAsideReason,
}

/// An entry of the conflict ledger: two issues of one component demand opposite
/// things (ruling 27).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Conflict {
    /// The component.
    pub section_id: ComponentId,
    /// What is opposed.
    pub about: Opposition,
    /// The issue whose instruction is followed.
    pub winner: String,
    /// Its criterion.
    pub winner_criterion: String,
    /// The issue that became a constraint on it.
    pub loser: String,
    /// Its criterion.
    pub loser_criterion: String,
    /// The constraint, as prompts say it.
    pub constraint: String,
    /// Why the winner won.
    pub because: Precedence,
}

/// What the arbiter ruled.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Arbitration {
    /// How far the judges agree.
    pub agreement: Agreement,
    /// The issues that are kept, in the order of the text.
    pub issues: Vec<TargetedIssue>,
    /// The issues that were not kept.
    pub set_aside: Vec<SetAside>,
    /// The conflict ledger.
    pub conflicts: Vec<Conflict>,
    /// Whether a person should look at it: the judges agree too little.
    pub needs_review: bool,
}

impl Arbitration {
    /// An arbitration without judges: all `issues` are kept.
    #[must_use]
    pub fn of_nobody(issues: Vec<TargetedIssue>) -> Self {
        Self {
            agreement: Agreement {
                level: AgreementLevel::NotApplicable,
                alpha: None,
                undefined_because: None,
                widest_spread: 0,
            },
            issues,
            set_aside: Vec::new(),
            conflicts: Vec::new(),
            needs_review: false,
        }
    }
}

/// Arbitrates the issues of `votes`, all on one text. `assessment` must be of the same votes.
#[must_use]
pub fn arbitrate(
    votes: &[Vote<'_>],
    assessment: &Assessment,
    rubric: &Rubric,
    document: &Document,
) -> Arbitration {
    let agreement = agreement::of_panel(votes, rubric);
    let arbiter = Arbiter {
        rubric,
        document,
        quotes: Quotes::new(document),
    };
    let mut clusters = cluster::clusters(arbiter.raised(votes));
    clusters.sort_by_cached_key(|cluster| arbiter.order(cluster));
    let rule = KeepRule {
        agreement: &agreement,
        assessment,
        judges: models(votes).len(),
    };
    let mut standing = Vec::new();
    let mut set_aside = Vec::new();
    let kept = rule.kept(&clusters);
    for (index, (cluster, keeps)) in clusters.iter().zip(kept).enumerate() {
        let issue = arbiter.targeted(cluster, index + 1);
        match keeps {
            Ok(()) => standing.push(issue),
            Err(because) => set_aside.push(SetAside { issue, because }),
        }
    }
    Arbitration {
        needs_review: agreement.level == AgreementLevel::Low,
        conflicts: conflict::conflicts(&standing, rubric, &arbiter.quotes),
        agreement,
        issues: standing,
        set_aside,
    }
}

/// The models that judged, without duplicates.
fn models<'a>(votes: &[Vote<'a>]) -> Vec<&'a str> {
    let mut models: Vec<&str> = votes
        .iter()
        .map(|vote| vote.verdict.judge().model.as_str())
        .collect();
    models.sort_unstable();
    models.dedup();
    models
}

/// Decides which issues are kept.
struct KeepRule<'a> {
    agreement: &'a Agreement,
    assessment: &'a Assessment,
    judges: usize,
}

/// A criterion below this score is weak (ruling 25).
const WEAK: Score = match Score::from_thousandths(750) {
    Some(score) => score,
    None => Score::ONE,
};

impl KeepRule<'_> {
    fn kept(&self, clusters: &[Cluster]) -> Vec<Result<(), SetAsideReason>> {
        let mut kept: Vec<Result<(), SetAsideReason>> =
            clusters.iter().map(|cluster| self.keeps(cluster)).collect();
        let whole = ComponentId::whole();
        let leaves_a_task = clusters
            .iter()
            .zip(&kept)
            .any(|(cluster, keeps)| keeps.is_ok() && cluster.target != whole);
        if self.agreement.level == AgreementLevel::Low && !leaves_a_task {
            for (cluster, keeps) in clusters.iter().zip(&mut kept) {
                if self.is_solid(cluster) {
                    *keeps = Ok(());
                }
            }
        }
        kept
    }

    fn keeps(&self, cluster: &Cluster) -> Result<(), SetAsideReason> {
        let is_critical = cluster.severity() == IssueSeverity::Critical;
        let raised_by = cluster.judges();
        let judges = self.judges;
        match self.agreement.level {
            AgreementLevel::High | AgreementLevel::NotApplicable => Ok(()),
            _ if is_critical => Ok(()),
            AgreementLevel::Moderate if raised_by > 1 => Ok(()),
            AgreementLevel::Moderate => Err(SetAsideReason::RaisedByOne { judges }),
            AgreementLevel::Low => Err(SetAsideReason::JudgesDisagree { raised_by, judges }),
        }
    }

    /// A major issue of a weak criterion whose quote is in the text.
    fn is_solid(&self, cluster: &Cluster) -> bool {
        let is_weak = self
            .assessment
            .criteria()
            .iter()
            .any(|criterion| criterion.name() == cluster.criterion && criterion.score() < WEAK);
        is_weak
            && cluster.members.iter().any(|raised| {
                raised.issue.severity == IssueSeverity::Major && is_found(&raised.issue)
            })
    }
}

/// Whether the issue's quote is in the text.
fn is_found(issue: &Issue) -> bool {
    matches!(issue.anchor, Anchored::Exact | Anchored::Normalised)
}

struct Arbiter<'a> {
    rubric: &'a Rubric,
    document: &'a Document,
    quotes: Quotes<'a>,
}

/// Sort key of issues, by their position in the text.
type Order = (usize, usize, usize, Reverse<IssueSeverity>, String, String);

impl Arbiter<'_> {
    /// All issues, each with the component that is repaired for it. Judges are numbered by model;
    /// the numbers are compared and counted, never ranked.
    fn raised(&self, votes: &[Vote<'_>]) -> Vec<Raised> {
        let models = models(votes);
        let mut raised = Vec::new();
        for vote in votes {
            let model = vote.verdict.judge().model.as_str();
            let judge = models.partition_point(|known| *known < model);
            for issue in vote.verdict.issues() {
                let quote = issue.quote.as_deref().filter(|_| is_found(issue));
                raised.push(Raised {
                    judge,
                    target: target::of(issue, self.rubric, self.document),
                    occurrence: quote.and_then(|quote| self.quotes.look_up(quote).ok()),
                    issue: issue.clone(),
                });
            }
        }
        raised
    }

    fn order(&self, cluster: &Cluster) -> Order {
        let components = self.document.components();
        let part = components
            .iter()
            .position(|component| component.id == cluster.target)
            .unwrap_or(components.len());
        let occurrence = cluster
            .members
            .iter()
            .filter_map(|raised| raised.occurrence.as_ref())
            .map(|occurrence| (occurrence.text, occurrence.range.start))
            .min();
        let offset = occurrence.and_then(|(text, at)| {
            let field = self.document.texts().get(text)?;
            Some(field.map.to_source(at..at).start)
        });
        let issue = cluster.issue();
        (
            part,
            // Issues without a quote come last.
            offset.unwrap_or(usize::MAX),
            rank(self.rubric, &cluster.criterion),
            Reverse(cluster.severity()),
            issue.description,
            issue.suggested_fix,
        )
    }

    fn targeted(&self, cluster: &Cluster, number: usize) -> TargetedIssue {
        let issue = cluster.issue();
        TargetedIssue {
            id: format!("issue_{number}"),
            target_section_id: cluster.target.clone(),
            fix_action: self.action(cluster),
            context_window: self.window(cluster),
            fix_instructions: cluster.instructions(),
            raised_by: cluster.judges(),
            issue,
        }
    }

    fn action(&self, cluster: &Cluster) -> FixAction {
        let rewrites = cluster
            .members
            .iter()
            .any(|raised| self.action_alone(&raised.issue) == FixAction::RegenerateSection);
        if rewrites {
            FixAction::RegenerateSection
        } else {
            FixAction::SurgicalEdit
        }
    }

    fn action_alone(&self, issue: &Issue) -> FixAction {
        let is_unconfirmed = issue.source.as_deref() == Some(NOT_IN_SOURCES);
        let Some(criterion) = self.rubric.criterion(&issue.criterion) else {
            return FixAction::SurgicalEdit;
        };
        if issue.anchor == Anchored::Unanchored || is_unconfirmed {
            return FixAction::SurgicalEdit;
        }
        let repair = &criterion.repair;
        let is_found = matches!(issue.anchor, Anchored::Exact | Anchored::Normalised);
        if let Some(action) = repair.quoted.filter(|_| is_found) {
            return action;
        }
        match issue.severity {
            IssueSeverity::Critical => repair.critical,
            IssueSeverity::Major => repair
                .major_addition
                .filter(|_| conflict::is_addition(issue))
                .unwrap_or(repair.major),
            IssueSeverity::Minor => repair.minor,
        }
    }

    fn window(&self, cluster: &Cluster) -> ContextWindow {
        let occurrence = cluster.occurrence();
        let quoted = occurrence.and_then(|occurrence| self.quotes.words(occurrence));
        let scope = if quoted.is_some() {
            Scope::Paragraph
        } else if cluster.target == ComponentId::whole() {
            Scope::Global
        } else {
            Scope::Section
        };
        ContextWindow {
            start_quote: quoted.map(|quoted| first_words(quoted).to_owned()),
            end_quote: quoted.map(|quoted| last_words(quoted).to_owned()),
            scope,
        }
    }
}

/// Enough words to find a passage again.
const ANCHOR_WORDS: usize = 8;

fn first_words(quote: &str) -> &str {
    let end = redraft_text::words::words(quote)
        .nth(ANCHOR_WORDS - 1)
        .map_or(quote.len(), |(range, _)| range.end);
    quote.get(..end).unwrap_or(quote)
}

fn last_words(quote: &str) -> &str {
    let ranges: Vec<_> = redraft_text::words::words(quote).collect();
    let start = ranges
        .len()
        .checked_sub(ANCHOR_WORDS)
        .and_then(|index| ranges.get(index))
        .map_or(0, |(range, _)| range.start);
    quote.get(start..).unwrap_or(quote)
}

/// The criterion's rank in the hierarchy of the rubric; the lowest wins.
fn rank(rubric: &Rubric, criterion: &str) -> usize {
    rubric
        .hierarchy
        .iter()
        .position(|name| name == criterion)
        .unwrap_or(rubric.hierarchy.len())
}

#[cfg(test)]
mod tests;
