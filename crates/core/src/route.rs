//! From what stands to what is done: one task for every part that is to be
//! repaired, in batches that can run side by side (seed 003 §5, §6; rulings 28,
//! 30, 41). A function of what it is given; the order of issues and findings
//! does not matter.
//!
//! First the whole (ruling 28):
//!
//! | the rubric's criterion of structure | body sections with a critical issue | overall | then |
//! |---|---|---|---|
//! | below .60 | any | any | the whole is written again |
//! | any | more than 40% | any | the whole is written again |
//! | any | any | below .60 | the whole is written again |
//! | else | else | else | part by part |
//!
//! Then every part (the strongest of its issues' actions):
//!
//! | in the part | action |
//! |---|---|
//! | an issue that asks for regeneration, said where, its quote not missing | written again |
//! | an error of integrity or hygiene that no safe fix removes (ruling 18) | written again |
//! | anything else | edited |
//!
//! | part | then |
//! |---|---|
//! | inside one that is written again | its issues are served there |
//! | edited as often as the policy allows, or inside such a one | no task; its issues are unserved |
//! | a warning of a check in it, but no issue | no task |
//! | a warning that caps a criterion below the rubric's threshold (ruling 6) | a task: nothing else can raise that criterion |
//! | an error of a check in it | a task, also without any issue: it stops acceptance |
//!
//! Which parts get a task (the policy's targets):
//!
//! | targets | parts |
//! |---|---|
//! | all | every part with an issue or an error |
//! | failing | of those the ones with an error, a cap, a critical or major issue, or an issue of a criterion below its threshold; all where there is none of these |
//! | weakest | one: the first with an error; else the part of the criterion with the lowest score, the heavier of two (ruling 20) |
//!
//! No issue is lost: it is in a task, it binds every task, or it is unserved with
//! the reason. Where an issue goes stands in `place`, what runs side by side in
//! `batches`.

mod batches;
mod context;
pub mod estimate;
pub mod expect;
mod measure;
mod parts;
mod place;
mod stop_words;
mod terms;
mod wording;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arbitrate::{AgreementLevel, Arbitration, Conflict, TargetedIssue};
use crate::ask::Tokens;
use crate::assess::Assessment;
use crate::check::Phase;
use crate::companion::Companions;
use crate::content::{ComponentKind, Document};
use crate::finding::{Finding, Severity};
use crate::rubric::{FixAction, Rubric, Score};
use crate::severity;
use crate::span::ComponentId;
use crate::verdict::{Anchored, IssueSeverity};

use batches::Entry;
use estimate::Overheads;
use parts::Parts;
use place::{Place, Places};
use wording::Demands;

pub use expect::{Forecast, StageEstimate, expect};
pub use measure::Measure;

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub struct Routing<'a> {
    /// The text.
    pub document: &'a Document,
    /// What came with it.
    pub companions: &'a Companions,
    /// What it was judged by.
    pub rubric: &'a Rubric,
    /// What stands of the judges' issues.
    pub arbitration: &'a Arbitration,
    /// The score; `None` where a fault is mended before anybody is paid to judge
    /// (rulings 18, 19).
    pub assessment: Option<&'a Assessment>,
    /// What the checks found and what is still open.
    pub findings: &'a [Finding],
    /// The policy's figures.
    pub figures: &'a RouteFigures,
    /// Parts that have been edited as often as the policy allows (ruling 34).
    pub locked: &'a BTreeSet<ComponentId>,
}

/// The figures of a policy that a plan depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteFigures {
    /// Which parts are repaired.
    pub targets: Targets,
    /// The criterion of structure; `None` where the rubric has none.
    pub structure_criterion: Option<String>,
    /// Below this score of it the whole is written again.
    pub structure_least: Score,
    /// Beyond this share of body sections with a critical issue, in percent, the
    /// whole is written again; `None` for never.
    pub critical_share: Option<u8>,
    /// Below this overall score the whole is written again; `None` for never.
    pub overall_least: Option<Score>,
    /// The most terms that are to be preserved.
    pub most_terms: usize,
    /// What our own words in prompts take.
    pub overheads: Overheads,
}

impl RouteFigures {
    /// Seed 003 §5 under ruling 28, for a rubric with this criterion of structure.
    #[must_use]
    pub fn seed(structure_criterion: &str) -> Self {
        let least = Score::from_thousandths(600).unwrap_or(Score::ONE);
        Self {
            structure_criterion: Some(structure_criterion.to_owned()),
            structure_least: least,
            critical_share: Some(40),
            overall_least: Some(least),
            ..Self::part_by_part(Targets::All)
        }
    }

    /// Never the whole: there is nobody to write it, or the profile repairs parts
    /// only.
    #[must_use]
    pub fn part_by_part(targets: Targets) -> Self {
        Self {
            targets,
            structure_criterion: None,
            structure_least: Score::from_thousandths(0).unwrap_or(Score::ONE),
            critical_share: None,
            overall_least: None,
            most_terms: 30,
            overheads: Overheads::default(),
        }
    }
}

/// Which parts are repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Targets {
    /// Every part with an issue.
    All,
    /// Those that keep the text from being accepted.
    Failing,
    /// Only the weakest.
    Weakest,
}

/// What is to be done to one part (seed 003 §3.2, `SectionRefinementTask`).
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairTask {
    /// The part.
    pub section_id: ComponentId,
    /// Its title, where it has one.
    pub section_title: String,
    /// How it is repaired.
    pub action_type: FixAction,
    /// Everything that is to be done, conflicts resolved.
    pub synthesized_instructions: String,
    /// What must not get worse while it is done: the losers of conflicts, and
    /// what was said about the text as a whole.
    pub constraints: Vec<String>,
    /// The text on both sides.
    pub context_anchors: ContextAnchors,
    /// That of its most severe issue.
    pub priority: IssueSeverity,
    /// The issues behind it.
    pub source_issues: Vec<TargetedIssue>,
    /// The part behind it that has to be looked at once this one is written
    /// again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_after: Option<ComponentId>,
    /// What it is expected to take: tokens for repair and verification.
    pub estimated_tokens: Tokens,
}

/// The text on both sides of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextAnchors {
    /// The last three sentences before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev_section_end: Option<String>,
    /// The first three sentences after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_section_start: Option<String>,
}

/// What is to be done to a text (seed 003 §3.2).
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefinementPlan {
    /// How far it has come.
    pub status: PlanStatus,
    /// Why the whole is to be written again, where it is; there are no tasks
    /// then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_because: Option<String>,
    /// The tasks, in the order of the text.
    pub tasks: Vec<RepairTask>,
    /// The parts of each batch: side by side within a batch, one batch after the
    /// other.
    pub execution_batches: Vec<Vec<ComponentId>>,
    /// What the tasks are expected to take, in tokens.
    pub estimated_cost: u64,
    /// Krippendorff's alpha of the panel; `null` where it is undefined.
    pub agreement_score: Option<f64>,
    /// What that comes to.
    pub agreement_level: AgreementLevel,
    /// The conflict ledger.
    pub conflict_resolutions: Vec<Conflict>,
    /// Parts that nobody touches.
    pub sections_to_preserve: Vec<ComponentId>,
    /// Parts that are repaired.
    pub sections_to_modify: Vec<ComponentId>,
    /// Terms that stay as they are (ruling 41).
    pub preserve_terminology: Vec<String>,
    /// Issues about the text as a whole that bind every task.
    pub global_issues: Vec<TargetedIssue>,
    /// What the checks found and tasks are to remove.
    pub served_findings: Vec<ServedFinding>,
    /// Issues that no task serves, and why: a locked part, no part named.
    pub unserved: Vec<Unserved>,
}

/// A finding that a task is to remove, beside its issues.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServedFinding {
    /// The part whose task it is.
    pub section_id: ComponentId,
    /// The code of the check.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
}

/// An issue that no task serves.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Unserved {
    /// The issue.
    pub issue: TargetedIssue,
    /// Why.
    pub because: String,
}

/// How far a plan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PlanStatus {
    /// Not begun.
    Pending,
    /// Under way.
    Executing,
    /// Done.
    Completed,
    /// Given up.
    Failed,
}

/// Makes a plan.
#[must_use]
pub fn route(request: &Routing<'_>) -> RefinementPlan {
    let parts = Parts::of(request.document);
    let mut issues: Vec<&TargetedIssue> = request.arbitration.issues.iter().collect();
    issues.sort_by(|a, b| rank(a).cmp(&rank(b)));
    if let Some(because) = whole_because(request, &parts, &issues) {
        let unserved = issues.iter().map(|issue| Unserved {
            issue: (*issue).clone(),
            because: "the whole text is to be written again".to_owned(),
        });
        let unserved = unserved.collect();
        return plan(request, Some(because), unserved);
    }
    let mut drafts = Drafts::new(request, &parts);
    drafts.place(&issues);
    drafts.add_findings();
    drafts.gather();
    drafts.select();
    drafts.bind();
    drafts.into_plan()
}

/// The order in which issues are looked at: the most severe first, then as the
/// arbiter counted them.
fn rank<'i>(issue: &'i TargetedIssue) -> impl Ord + use<'i> {
    (
        Reverse(issue.issue.severity),
        issue.id.len(),
        &issue.id,
        &issue.target_section_id,
        &issue.issue.criterion,
        &issue.issue.description,
    )
}

/// Why the whole is to be written again (ruling 28).
fn whole_because(
    request: &Routing<'_>,
    parts: &Parts<'_>,
    issues: &[&TargetedIssue],
) -> Option<String> {
    let figures = request.figures;
    if let Some(assessment) = request.assessment {
        let structure = figures.structure_criterion.as_deref().and_then(|name| {
            let mut criteria = assessment.criteria().iter();
            criteria.find(|criterion| criterion.name() == name)
        });
        if let Some(structure) = structure.filter(|found| found.score() < figures.structure_least) {
            return Some(format!(
                "{} scores {}, below {}: single sections cannot mend it",
                structure.name(),
                structure.score(),
                figures.structure_least
            ));
        }
    }
    if let Some(share) = figures.critical_share {
        // An issue whose quote is not in the text never alone regenerates
        // anything (ruling 26).
        let critical: BTreeSet<usize> = issues
            .iter()
            .filter(|issue| issue.issue.severity == IssueSeverity::Critical)
            .filter(|issue| issue.issue.anchor != Anchored::Unanchored)
            .filter_map(|issue| parts.find(&issue.target_section_id))
            .map(|part| parts.first_level(part))
            .collect();
        let body = parts.body().count();
        let struck = parts.body().filter(|part| critical.contains(part)).count();
        if struck * 100 > body * usize::from(share) {
            return Some(format!(
                "{struck} of {body} sections have a critical issue, more than {share}%"
            ));
        }
    }
    let overall = request.assessment?.overall();
    let least = figures.overall_least.filter(|least| overall < *least)?;
    Some(format!("the overall score is {overall}, below {least}"))
}

/// What one part is in for.
#[derive(Debug, Default)]
struct Draft<'a> {
    issues: Vec<&'a TargetedIssue>,
    findings: Vec<&'a Finding>,
    rewritten: bool,
    /// A criterion that is to be raised though no issue speaks to it.
    raise: Option<&'a str>,
}

impl Draft<'_> {
    fn has_error(&self) -> bool {
        self.findings.iter().any(|finding| stops(finding))
    }

    fn priority(&self) -> IssueSeverity {
        let issues = self.issues.iter().map(|issue| issue.issue.severity);
        let findings = self
            .findings
            .iter()
            .map(|finding| severity::as_issue(finding.severity, finding.critical));
        let raised = self.raise.map(|_| IssueSeverity::Major);
        let highest = issues.chain(findings).chain(raised).max();
        highest.unwrap_or(IssueSeverity::Minor)
    }
}

/// Whether a finding keeps a text from being accepted.
fn stops(finding: &Finding) -> bool {
    severity::stops(finding.severity, finding.critical)
}

/// Whether a finding caps a criterion below what the rubric demands of it: no
/// judge's score can make up for it (ruling 6).
fn holds_down(finding: &Finding, rubric: &Rubric) -> bool {
    finding.caps.iter().any(|cap| {
        rubric
            .criterion(cap.criterion)
            .and_then(|criterion| criterion.threshold)
            .is_some_and(|threshold| cap.at < threshold)
    })
}

/// The tasks to be, by part.
struct Drafts<'a> {
    request: &'a Routing<'a>,
    parts: &'a Parts<'a>,
    places: Places<'a>,
    by_part: BTreeMap<usize, Draft<'a>>,
    everywhere: Vec<&'a TargetedIssue>,
    unserved: Vec<Unserved>,
}

impl<'a> Drafts<'a> {
    fn new(request: &'a Routing<'a>, parts: &'a Parts<'a>) -> Self {
        Self {
            request,
            parts,
            places: Places::new(parts, request.rubric, request.locked),
            by_part: BTreeMap::new(),
            everywhere: Vec::new(),
            unserved: Vec::new(),
        }
    }

    fn place(&mut self, issues: &[&'a TargetedIssue]) {
        for issue in issues {
            let place = self.places.of(issue);
            self.put(issue, place);
        }
    }

    fn put(&mut self, issue: &'a TargetedIssue, place: Place) {
        match place {
            Place::Named(parts) => {
                let rewritten = issue.fix_action == FixAction::RegenerateSection
                    && issue.issue.anchor != Anchored::Unanchored;
                for part in parts {
                    let draft = self.by_part.entry(part).or_default();
                    draft.issues.push(issue);
                    draft.rewritten |= rewritten;
                }
            }
            Place::Guessed(part) => self.by_part.entry(part).or_default().issues.push(issue),
            Place::Everywhere => self.everywhere.push(issue),
            Place::Nowhere(because) => self.leave(issue, because),
        }
    }

    fn leave(&mut self, issue: &TargetedIssue, because: impl Into<String>) {
        self.unserved.push(Unserved {
            issue: issue.clone(),
            because: because.into(),
        });
    }

    /// What the checks found goes along with a part's task; what stops acceptance
    /// makes one.
    fn add_findings(&mut self) {
        let mut findings: Vec<&'a Finding> = self
            .request
            .findings
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning || finding.critical)
            .filter(|finding| finding.safe_fix().is_none())
            .collect();
        findings.sort_by(|a, b| order(a).cmp(&order(b)));
        // Errors first: they may open the task that a warning joins.
        findings.sort_by_key(|finding| !stops(finding));
        for finding in findings {
            let Some(part) = self.parts.find(&finding.component) else {
                continue;
            };
            if !self.parts.is_repairable(part) || self.parts.is_within(part, self.request.locked) {
                continue;
            }
            let open = std::iter::once(part)
                .chain(self.parts.ancestors(part))
                .find(|part| self.by_part.contains_key(part));
            let opens = stops(finding) || holds_down(finding, self.request.rubric);
            let Some(part) = open.or_else(|| opens.then_some(part)) else {
                continue;
            };
            let draft = self.by_part.entry(part).or_default();
            draft.findings.push(finding);
            let damaged = matches!(finding.check.phase, Phase::Integrity | Phase::Hygiene);
            draft.rewritten |= finding.severity == Severity::Error && damaged;
        }
    }

    /// A part inside one that is written again is written again with it.
    fn gather(&mut self) {
        let all: Vec<usize> = self.by_part.keys().copied().collect();
        for part in all {
            let is_rewritten =
                |part: &usize| self.by_part.get(part).is_some_and(|draft| draft.rewritten);
            let outer = self.parts.ancestors(part).filter(is_rewritten).last();
            if let Some(outer) = outer
                && let Some(inner) = self.by_part.remove(&part)
                && let Some(draft) = self.by_part.get_mut(&outer)
            {
                draft.issues.extend(inner.issues);
                draft.findings.extend(inner.findings);
            }
        }
        for draft in self.by_part.values_mut() {
            draft.issues.sort_by(|a, b| rank(a).cmp(&rank(b)));
            draft.issues.dedup_by(|a, b| std::ptr::eq(*a, *b));
        }
    }

    /// Keeps the parts that the policy wants repaired.
    fn select(&mut self) {
        let (kept, because): (BTreeSet<usize>, &str) = match self.request.figures.targets {
            Targets::All => return,
            Targets::Failing => (
                self.failing(),
                "it is minor, and its criterion reaches what the rubric asks for",
            ),
            Targets::Weakest => (
                self.weakest().into_iter().collect(),
                "only the weakest part is corrected at a time",
            ),
        };
        let (kept, left): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut self.by_part)
            .into_iter()
            .partition(|(part, _)| kept.contains(part));
        self.by_part = kept;
        for issue in left.into_values().flat_map(|draft| draft.issues) {
            let is_served = self
                .by_part
                .values()
                .any(|draft| draft.issues.iter().any(|other| std::ptr::eq(*other, issue)));
            let is_left = |left: &Unserved| left.issue == *issue;
            if !is_served && !self.unserved.iter().any(is_left) {
                self.leave(issue, because);
            }
        }
    }

    fn failing(&self) -> BTreeSet<usize> {
        let falls_short: BTreeSet<&str> = self
            .request
            .assessment
            .map(Assessment::criteria)
            .unwrap_or_default()
            .iter()
            .filter(|criterion| !criterion.suffices())
            .map(crate::assess::Assessed::name)
            .collect();
        let fails = |draft: &Draft<'_>| {
            draft.priority() > IssueSeverity::Minor
                || draft
                    .findings
                    .iter()
                    .any(|finding| holds_down(finding, self.request.rubric))
                || draft
                    .issues
                    .iter()
                    .any(|issue| falls_short.contains(issue.issue.criterion.as_str()))
        };
        let failing: BTreeSet<usize> = self
            .by_part
            .iter()
            .filter(|(_, draft)| fails(draft))
            .map(|(part, _)| *part)
            .collect();
        if failing.is_empty() {
            self.by_part.keys().copied().collect()
        } else {
            failing
        }
    }

    /// The part of the weakest criterion; it gets a draft where it has none.
    fn weakest(&mut self) -> Option<usize> {
        let with_error = self.by_part.iter().find(|(_, draft)| draft.has_error());
        if let Some((part, _)) = with_error {
            return Some(*part);
        }
        for criterion in self.weakest_first() {
            let speaks = |draft: &Draft<'_>| {
                let issues = draft.issues.iter();
                issues
                    .filter(|issue| issue.issue.criterion == criterion)
                    .map(|issue| issue.issue.severity)
                    .max()
            };
            let named = self
                .by_part
                .iter()
                .filter_map(|(part, draft)| Some((speaks(draft)?, Reverse(*part))))
                .max();
            if let Some((_, Reverse(part))) = named {
                return Some(part);
            }
            let target = self.places.for_criterion(criterion, 0).into_iter();
            let open = |part: &usize| !self.parts.is_within(*part, self.request.locked);
            if let Some(part) = target.into_iter().find(open) {
                self.by_part.entry(part).or_default().raise = Some(criterion);
                return Some(part);
            }
        }
        let worst = self
            .by_part
            .iter()
            .max_by_key(|(part, draft)| (draft.priority(), Reverse(**part)));
        worst.map(|(part, _)| *part)
    }

    /// The criteria, the lowest score first; of two alike the heavier (ruling
    /// 20), then as the rubric has them.
    fn weakest_first(&self) -> Vec<&'a str> {
        let Some(assessment) = self.request.assessment else {
            return Vec::new();
        };
        let rubric = self.request.rubric;
        let mut criteria: Vec<(Score, Reverse<u32>, &'a str)> = assessment
            .criteria()
            .iter()
            .map(|assessed| {
                let weight = rubric
                    .criterion(assessed.name())
                    .map_or(0, |criterion| criterion.weight);
                (assessed.score(), Reverse(weight), assessed.name())
            })
            .collect();
        criteria.sort_by_key(|(score, weight, _)| (*score, *weight));
        criteria.into_iter().map(|(_, _, name)| name).collect()
    }

    /// What is about the whole binds every task; where there is none, it becomes
    /// one.
    fn bind(&mut self) {
        if !self.by_part.is_empty() {
            return;
        }
        for issue in std::mem::take(&mut self.everywhere) {
            let place = self.places.best_fit(issue);
            self.put(issue, place);
        }
    }

    fn into_plan(self) -> RefinementPlan {
        let global = self.everywhere.clone();
        let mut plan = plan(self.request, None, Vec::new());
        let touched: BTreeSet<usize> = self.by_part.keys().copied().collect();
        let is_touched = |part: usize| {
            touched.contains(&part)
                || self
                    .parts
                    .ancestors(part)
                    .any(|outer| touched.contains(&outer))
        };
        // A part holds what is done to the parts inside it.
        let outer: BTreeSet<usize> = touched
            .iter()
            .flat_map(|part| self.parts.ancestors(*part))
            .collect();
        plan.sections_to_preserve = (0..self.request.document.components().len())
            .filter(|part| self.parts.get(*part).kind != ComponentKind::Whole)
            .filter(|part| !is_touched(*part) && !outer.contains(part))
            .map(|part| self.parts.get(part).id.clone())
            .collect();
        plan.preserve_terminology = terms::terminology(
            self.parts,
            self.request.companions,
            &touched,
            self.request.figures.most_terms,
        );
        for (part, draft) in &self.by_part {
            let task = self.task(*part, draft, &global, &plan.preserve_terminology);
            plan.served_findings
                .extend(draft.findings.iter().map(|finding| ServedFinding {
                    section_id: task.section_id.clone(),
                    code: finding.check.code,
                    name: finding.check.name,
                    severity: finding.severity,
                    message: finding.message.clone(),
                }));
            plan.sections_to_modify.push(task.section_id.clone());
            plan.tasks.push(task);
        }
        let mut entries: Vec<(Reverse<IssueSeverity>, Entry)> = plan
            .tasks
            .iter()
            .zip(self.by_part.keys())
            .enumerate()
            .map(|(task, (of, part))| {
                let entry = Entry {
                    task,
                    path: self.parts.path(*part).clone(),
                    action: of.action_type,
                };
                (Reverse(of.priority), entry)
            })
            .collect();
        entries.sort_by_key(|(priority, entry)| (*priority, entry.task));
        let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
        plan.execution_batches = batches::batches(&entries)
            .into_iter()
            .map(|batch| {
                let ids = batch.into_iter().filter_map(|task| plan.tasks.get(task));
                ids.map(|task| task.section_id.clone()).collect()
            })
            .collect();
        plan.estimated_cost = plan
            .tasks
            .iter()
            .map(|task| task.estimated_tokens.total())
            .fold(0, u64::saturating_add);
        plan.global_issues = global.into_iter().cloned().collect();
        plan.unserved = self.unserved;
        plan.unserved
            .sort_by(|a, b| rank(&a.issue).cmp(&rank(&b.issue)));
        plan
    }

    fn task(
        &self,
        part: usize,
        draft: &Draft<'a>,
        global: &[&'a TargetedIssue],
        terms: &[String],
    ) -> RepairTask {
        let component = self.parts.get(part);
        let conflicts: Vec<&Conflict> = self
            .request
            .arbitration
            .conflicts
            .iter()
            .filter(|conflict| {
                let is_about = |issue: &&TargetedIssue| {
                    issue.id == conflict.winner || issue.id == conflict.loser
                };
                conflict.section_id == component.id || draft.issues.iter().any(is_about)
            })
            .collect();
        let mut constraints: Vec<String> = conflicts
            .iter()
            .map(|conflict| conflict.constraint.clone())
            .chain(
                global
                    .iter()
                    .map(|issue| format!("The text as a whole: {}", wording::asked(issue))),
            )
            .collect();
        let mut said = BTreeSet::new();
        constraints.retain(|constraint| said.insert(wording::bare(constraint)));
        // What lost a conflict is a constraint, no demand (ruling 27), as long as
        // what it lost to is served here.
        let lost = |issue: &&&TargetedIssue| {
            conflicts.iter().any(|conflict| {
                conflict.loser == issue.id
                    && draft.issues.iter().any(|other| other.id == conflict.winner)
            })
        };
        let raise = draft.raise.map(|name| {
            let criterion = self.request.rubric.criterion(name);
            (
                name,
                criterion.map_or("", |criterion| criterion.description.as_str()),
            )
        });
        let demands = Demands {
            issues: draft
                .issues
                .iter()
                .filter(|issue| !lost(issue))
                .copied()
                .collect(),
            findings: draft.findings.clone(),
            raise,
            constraints: &constraints,
        };
        let synthesized_instructions = wording::instructions(&demands);
        let (action_type, check_after) = if draft.rewritten {
            (FixAction::RegenerateSection, self.behind(part))
        } else {
            (FixAction::SurgicalEdit, None)
        };
        let mut task = RepairTask {
            section_id: component.id.clone(),
            section_title: component.title.clone().unwrap_or_default(),
            action_type,
            synthesized_instructions,
            constraints,
            context_anchors: context::anchors(self.parts, part),
            priority: draft.priority(),
            source_issues: draft.issues.iter().copied().cloned().collect(),
            check_after,
            estimated_tokens: Tokens::default(),
        };
        let text = self.parts.text(part);
        let estimate = estimate::task(&task, text, terms, &self.request.figures.overheads);
        task.estimated_tokens = estimate.total();
        task
    }

    /// The part behind one, or behind the one it closes.
    fn behind(&self, part: usize) -> Option<ComponentId> {
        std::iter::once(part)
            .chain(self.parts.ancestors(part))
            .find_map(|part| self.parts.behind(part))
            .map(|behind| self.parts.get(behind).id.clone())
    }
}

/// The order of findings: that of the file.
fn order<'f>(finding: &'f Finding) -> impl Ord + use<'f> {
    (
        finding.span.start,
        finding.span.end,
        finding.check.code,
        &finding.message,
    )
}

/// A plan without tasks.
fn plan(request: &Routing<'_>, whole: Option<String>, unserved: Vec<Unserved>) -> RefinementPlan {
    let agreement = &request.arbitration.agreement;
    RefinementPlan {
        status: PlanStatus::Pending,
        whole_because: whole,
        tasks: Vec::new(),
        execution_batches: Vec::new(),
        estimated_cost: 0,
        agreement_score: agreement.alpha,
        agreement_level: agreement.level,
        conflict_resolutions: request.arbitration.conflicts.clone(),
        sections_to_preserve: Vec::new(),
        sections_to_modify: Vec::new(),
        preserve_terminology: Vec::new(),
        global_issues: Vec::new(),
        served_findings: Vec::new(),
        unserved,
    }
}

#[cfg(test)]
mod tests;
