//! What is known about each version of the text: the self-review, the verdicts, and the prompts
//! that judges were given. Makes no decisions; `decide` does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::panel::Panel;
use super::text::Text;
use super::wording::Wordings;
use crate::agreement::{self, Agreement};
use crate::arbitrate::{self, Arbitration};
use crate::ask::{ModelSettings, Role};
use crate::assess::{Assessment, Vote};
use crate::decide::{GoodEnough, Grounds, QualityStatus};
use crate::policy::{Confirm, Judging};
use crate::reasons::Unconfirmed;
use crate::setup::Setup;
use crate::solve::Solving;
use crate::verdict::{self, Confidence, Issue, Reason, Unscored, Verdict};
use crate::verify;
use redraft_gate::finding::{Finding, Remedy, Severity};
use redraft_gate::review::{self, IssueSeverity, SelfReview};
use redraft_gate::score::Score;
use redraft_gate::span::Version;

/// The judges, the cheap one first: the order in which a single judge is chosen.
pub(super) const JUDGES: [Role; 3] = [
    Role::JudgeSecondary,
    Role::JudgePrimary,
    Role::JudgeTiebreaker,
];

pub(super) struct Judgements {
    setup: Arc<Setup>,
    panels: BTreeMap<Version, Panel>,
    wordings: BTreeMap<Version, Wordings>,
    self_reviews: BTreeMap<Version, SelfReview>,
    solvings: BTreeMap<Version, Solving>,
}

impl Judgements {
    pub(super) fn new(setup: Arc<Setup>) -> Self {
        Self {
            setup,
            panels: BTreeMap::new(),
            wordings: BTreeMap::new(),
            self_reviews: BTreeMap::new(),
            solvings: BTreeMap::new(),
        }
    }

    pub(super) fn panel(&self, version: Version) -> Option<&Panel> {
        self.panels.get(&version)
    }

    pub(super) fn panel_mut(&mut self, version: Version) -> &mut Panel {
        self.panels.entry(version).or_default()
    }

    pub(super) fn verdict(&self, version: Version, role: Role) -> Option<&Verdict> {
        self.panel(version)?.verdict(role)
    }

    /// The result of blind solving.
    pub(super) fn solving(&self, text: &Text) -> Option<&Solving> {
        self.solvings.get(&text.version())
    }

    pub(super) fn keep_solving(&mut self, text: &Text, solving: Solving) {
        self.solvings.insert(text.version(), solving);
    }

    /// The prompts that judges get about a version.
    pub(super) fn wordings(&self, version: Version) -> Wordings {
        let known = self.wordings.get(&version).cloned();
        known.unwrap_or_else(|| {
            Wordings::new(Some(verdict::schema(
                &self.setup.rubric,
                &self.setup.companions,
            )))
        })
    }

    pub(super) fn keep_wordings(&mut self, version: Version, wordings: Wordings) {
        self.wordings.insert(version, wordings);
    }

    /// The self-review of a version, by the program or by a model. Before one is stored, that of
    /// the initial text.
    pub(super) fn self_review(&self, text: &Text) -> &SelfReview {
        self.self_reviews
            .get(&text.version())
            .unwrap_or(&self.setup.self_review)
    }

    pub(super) fn keep_self_review(&mut self, text: &Text, review: SelfReview) {
        self.self_reviews.insert(text.version(), review);
    }

    /// Stores the program's own review of a version.
    pub(super) fn review(&mut self, text: &Text) {
        self.keep_self_review(text, review::review(text.findings(), text.findings()));
    }

    /// Adds issues for a judge to look at.
    pub(super) fn flag(&mut self, text: &Text, issues: Vec<review::Issue>) {
        let mut review = self.self_review(text).clone();
        if !issues.is_empty() && review.status != review::Status::Regenerate {
            review.status = review::Status::FlagToJudge;
        }
        review.issues.extend(issues);
        self.keep_self_review(text, review);
    }

    /// Shows what was flagged before a repair to the judges of the repaired version, too.
    pub(super) fn inherit_self_review(&mut self, from: &Text, to: &Text) {
        let review = self.self_review(from).clone();
        self.self_reviews.entry(to.version()).or_insert(review);
    }

    /// The issues that were flagged for a judge.
    pub(super) fn flagged(&self, text: &Text) -> Vec<review::Issue> {
        self.self_review(text)
            .issues
            .iter()
            .filter(|issue| issue.severity == IssueSeverity::Complex)
            .cloned()
            .collect()
    }

    /// Why a version is not worth judging, such as a lesson that is cut off.
    pub(super) fn unusable(&self, text: &Text) -> Option<Unscored> {
        let review = self.self_review(text);
        let because = if review.status == review::Status::Regenerate {
            review.reasoning.clone()
        } else if let Some(error) = self.beyond_repair(text) {
            format!(
                "{} ({}), which no repair can change",
                error.message, error.check.name
            )
        } else if !self.setup.policy.judge_invalid && text.open_errors() > 0 {
            let error = text
                .findings()
                .iter()
                .find(|finding| finding.severity == Severity::Error)?;
            format!("{} ({})", error.message, error.check.name)
        } else {
            return None;
        };
        Some(Unscored::new(
            Reason::Unusable,
            format!("no judge was asked: {}", because.trim_end_matches('.')),
        ))
    }

    /// An error that no repair can fix, however good the rest is: the text would have to grow or
    /// shrink by more than a repair may.
    pub(super) fn beyond_repair<'a>(&self, text: &'a Text) -> Option<&'a Finding> {
        let limits = self.setup.policy.repair.length;
        text.findings().iter().find(|finding| match finding.remedy {
            Some(Remedy::Resize { hundredths }) if finding.severity == Severity::Error => {
                !verify::may_become(text.document(), hundredths, limits)
            }
            _ => false,
        })
    }

    /// Records that no judge is asked about a version.
    pub(super) fn leave_unjudged(&mut self, text: &Text, because: &Unscored) {
        let panel = self.panels.entry(text.version()).or_default();
        for seat in &self.setup.seats {
            if JUDGES.contains(&seat.role) {
                panel.leave_unscored(seat.role, because.clone());
            }
        }
        if panel.unscored().is_empty() {
            panel.leave_unscored(Role::JudgeSecondary, because.clone());
        }
    }

    /// Decides on a version with one of the functions of `decide`.
    pub(super) fn decide<T>(
        &self,
        text: &Text,
        good_enough: GoodEnough,
        unconfirmed: Option<&Unconfirmed>,
        decide: impl Fn(&Grounds<'_>) -> T,
    ) -> T {
        let assessment = self.assessment(text);
        let unscored = self.why_unscored(text);
        let issues = self.issues(text);
        let missing = self.missing_judges(text);
        decide(&Grounds {
            policy: &self.setup.policy,
            findings: text.findings(),
            issues: &issues,
            scored: assessment.as_ref().ok_or(&unscored),
            good_enough,
            solving: self.solving(text),
            unconfirmed: unconfirmed.or(missing.as_ref()),
        })
    }

    pub(super) fn has_critical(&self, text: &Text) -> bool {
        text.findings().iter().any(|finding| finding.critical)
            || self
                .issues(text)
                .iter()
                .any(|issue| issue.severity == verdict::IssueSeverity::Critical)
    }

    /// Whether an issue is open that the policy never accepts.
    pub(super) fn is_blocked(&self, text: &Text) -> bool {
        let issues = self.issues(text);
        self.setup.policy.blocking_issue(&issues).is_some()
    }

    /// The combined score of a version's judges.
    pub(super) fn assessment(&self, text: &Text) -> Option<Assessment> {
        Assessment::of(&self.votes(text), &self.setup.rubric, text.findings())
    }

    /// The votes that count for a version's score.
    fn votes(&self, text: &Text) -> Vec<Vote<'_>> {
        let panel = self.panel(text.version());
        let mut votes = panel.map(Panel::votes).unwrap_or_default();
        // A second opinion replaces that of a single judge with low confidence.
        let is_sure = |vote: &Vote<'_>| vote.verdict.confidence() > Confidence::Low;
        if self.setup.policy.judging == Judging::Single && votes.iter().any(is_sure) {
            votes.retain(is_sure);
        }
        votes
    }

    /// The judges' reasons for the scores of a version.
    pub(super) fn reasons(&self, text: &Text) -> BTreeMap<String, Vec<String>> {
        let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let votes = self.votes(text);
        for awarded in votes.iter().flat_map(|vote| vote.verdict.awarded()) {
            if let Some(reason) = awarded.reason() {
                let said = reasons.entry(awarded.criterion().to_owned()).or_default();
                said.push(reason.to_owned());
            }
        }
        reasons
    }

    /// The scores of two versions by the judges who scored both (ruling 53). `None` if there are
    /// none.
    pub(super) fn compared(&self, one: &Text, other: &Text) -> Option<(Score, Score)> {
        let voted = |text: &Text| self.panel(text.version()).map(Panel::voted);
        let (first, second) = (voted(one)?, voted(other)?);
        let common: BTreeSet<&String> = first.intersection(&second).collect();
        let by_common = |text: &Text| {
            let mut votes = self.panel(text.version())?.votes();
            votes.retain(|vote| common.contains(&vote.verdict.judge().model));
            let assessment = Assessment::of(&votes, &self.setup.rubric, text.findings())?;
            Some(assessment.overall())
        };
        Some((by_common(one)?, by_common(other)?))
    }

    /// Whether a judge could not read all of it.
    pub(super) fn was_read_in_part(&self, text: &Text) -> bool {
        let panel = self.panel(text.version());
        panel.is_some_and(|panel| panel.verdicts().any(|verdict| verdict.unread().is_some()))
    }

    /// The arbitration of a version's verdicts.
    pub(super) fn arbitration(&self, text: &Text) -> Option<Arc<Arbitration>> {
        let panel = self.panel(text.version())?;
        panel.arbitration(|| {
            let assessment = self.assessment(text)?;
            Some(Arc::new(arbitrate::arbitrate(
                &panel.votes(),
                &assessment,
                &self.setup.rubric,
                text.document(),
            )))
        })
    }

    pub(super) fn issues(&self, text: &Text) -> Vec<Issue> {
        self.arbitration(text)
            .map(|ruled| {
                ruled
                    .issues
                    .iter()
                    .map(|targeted| targeted.issue.clone())
                    .collect()
            })
            .unwrap_or_default()
    }

    pub(super) fn quality(&self, text: &Text) -> QualityStatus {
        self.assessment(text)
            // The quality of unread text is unknown.
            .filter(|assessment| assessment.unread().is_none())
            .map_or(QualityStatus::BelowStandard, |assessment| {
                QualityStatus::of(assessment.overall())
            })
    }

    /// Why a version has no score; the first judge's reason if there are several.
    pub(super) fn why_unscored(&self, text: &Text) -> Unscored {
        self.panel(text.version())
            .and_then(|panel| panel.unscored().values().next().cloned())
            .unwrap_or_else(|| Unscored::new(Reason::CallFailed, "no judge was asked"))
    }

    pub(super) fn judges_of(&self, text: &Text) -> usize {
        self.panel(text.version()).map_or(0, Panel::size)
    }

    fn judges_configured(&self) -> usize {
        self.setup
            .seats
            .iter()
            .filter(|seat| JUDGES.contains(&seat.role))
            .filter_map(|seat| seat.models.first())
            .map(ModelSettings::name)
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// Why a version's judges are not enough: they disagree, or there are fewer than the setup
    /// requires.
    fn missing_judges(&self, text: &Text) -> Option<Unconfirmed> {
        let panel = self.panel(text.version())?;
        if panel.is_incomparable {
            return Some(Unconfirmed::Incomparable);
        }
        if panel.is_disputed {
            let third = panel.unscored().get(&Role::JudgeTiebreaker);
            return Some(Unconfirmed::Disputed {
                unscored: third.cloned(),
            });
        }
        // If the policy asks for a panel and one could be had, one judge is not enough.
        let is_required = self.setup.require_judged || self.judges_configured() > 1;
        if !is_required || !panel.is_incomplete || panel.size() == 0 {
            return None;
        }
        Some(panel.without_verdict().unwrap_or(Unconfirmed::OneJudge))
    }

    /// Why the panel has not confirmed a repaired version (rulings 31, 36).
    pub(super) fn unconfirmed(&self, text: &Text) -> Option<Unconfirmed> {
        if self.setup.policy.confirm == Confirm::Nobody {
            return None;
        }
        if self.judges_configured() < 2 {
            return self.setup.require_judged.then_some(Unconfirmed::OneJudge);
        }
        let panel = self.panel(text.version())?;
        if panel.size() > 1 {
            return None;
        }
        Some(panel.without_verdict().unwrap_or(Unconfirmed::NotAsked))
    }

    /// Whether a version's judges disagree so much that a reviewer should look.
    pub(super) fn needs_second_look(&self, text: &Text) -> bool {
        let Some(panel) = self.panel(text.version()) else {
            return true;
        };
        panel.is_incomplete
            || panel.is_disputed
            || panel.is_incomparable
            || self
                .arbitration(text)
                .is_none_or(|arbitration| arbitration.needs_review)
    }

    pub(super) fn agreement(&self, text: &Text) -> Option<Agreement> {
        let votes = self.panel(text.version())?.votes();
        (!votes.is_empty()).then(|| agreement::of_panel(&votes, &self.setup.rubric))
    }
}
