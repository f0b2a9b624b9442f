//! Repairing until the policy says stop (seed 003 §2, §10; rulings 31–37).
//!
//! | after a text is judged | then |
//! |---|---|
//! | it meets the accept rule, and was not repaired | accepted |
//! | it meets the accept rule, and was repaired | the panel confirms it; then accepted |
//! | it is good enough, after a repair | as the accept rule |
//! | only a judge is lacking who can read all of it | the same as the next row |
//! | rounds, budget or time are used up; nothing improves; the same text comes back; no task is left | the best text so far is taken, and decided on |
//! | else | the next round of repair |
//!
//! | the best text at a stop | then |
//! |---|---|
//! | meets the accept rule, or is good enough, and the panel has confirmed it | accepted |
//! | else, people at hand | a person decides |
//! | else | best effort |
//!
//! A score is never estimated: a text that nobody has scored is not in the history
//! from which the best is taken.

use std::collections::{BTreeMap, BTreeSet};

use super::bench::{Bench, Wanted};
use super::flow::Flow;
use super::person::{MOST_REFUSALS, Person};
use super::repairing::Kept;
use super::text::Text;
use crate::arbitrate::Conflict;
use crate::ask::{Role, Time};
use crate::assess::Assessment;
use crate::decide::Ruling;
use crate::event::EventKind;
use crate::outcome::{Iteration, OpenFinding, Outcome, TaskDone, Unsettled};
use crate::prompt::PromptError;
use crate::rubric::Score;
use crate::span::{ComponentId, Version};
use crate::verdict::{Issue, Unscored, Verdict};

/// How often a person may ask for one more round, and how often they may give
/// another text.
const MOST_RETRIES: u32 = 5;
const MOST_EDITS: u32 = 20;

/// The judges, in the order in which they are asked for a second opinion.
const JUDGES: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeTiebreaker,
    Role::JudgeSecondary,
];

/// What was repaired so far.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Rounds of repair that were begun.
    pub(super) round: u32,
    /// Rounds that a person asked for on top.
    extra: u32,
    /// The texts that were judged, in order.
    history: Vec<Attempt>,
    /// Where in it the best is looked for: a person's own text is not passed over
    /// for one that came before it.
    best_from: usize,
    /// How often a person gave another text.
    by_hand: u32,
    /// How often each part was edited.
    pub(super) edits: BTreeMap<ComponentId, u32>,
    /// Parts that are not edited any more.
    pub(super) locked: BTreeSet<ComponentId>,
    /// Why the last repair of a part was undone.
    pub(super) undone: BTreeMap<ComponentId, String>,
    /// What was done.
    pub(super) done: Vec<TaskDone>,
    /// What each round brought against the best before it, in thousandths.
    gains: Vec<i32>,
    /// How many rounds in a row have left the text as it was.
    idle: u32,
    /// Who won where the issues of a round demanded opposite things.
    pub(super) conflicts: Vec<Conflict>,
    /// What a person wants to be heeded.
    pub(super) instruction: Option<String>,
    /// How often the whole was written anew. What is locked, edited and gained
    /// counts from the last time on.
    pub(super) regenerations: u32,
}

#[derive(Debug)]
struct Attempt {
    round: u32,
    /// How often the whole had been written anew by then.
    lineage: u32,
    text: Text,
    assessment: Option<Assessment>,
    /// Why nobody scored it.
    unscored: Option<Unscored>,
    issues: Vec<Issue>,
    judges: usize,
    at: Time,
    /// Whether it was found to make something worse, and left.
    is_undone: bool,
}

impl Attempt {
    fn overall(&self) -> Option<Score> {
        self.assessment.as_ref().map(Assessment::overall)
    }
}

impl Progress {
    /// The texts that were judged, for the outcome.
    pub(super) fn iterations(&self) -> Vec<Iteration> {
        self.history
            .iter()
            .map(|attempt| Iteration {
                iteration: attempt.round,
                content: attempt.text.version(),
                score: attempt.overall(),
                criteria: attempt
                    .assessment
                    .iter()
                    .flat_map(Assessment::criteria)
                    .map(|criterion| (criterion.name().to_owned(), criterion.score()))
                    .collect(),
                judges: attempt.judges,
                issues: attempt.issues.len(),
                remaining: attempt.issues.clone(),
                unscored: attempt.unscored.clone(),
                findings: attempt
                    .text
                    .findings()
                    .iter()
                    .map(OpenFinding::of)
                    .collect(),
                at: attempt.at,
            })
            .collect()
    }

    /// What kept changing.
    pub(super) fn unsettled(&self) -> Unsettled {
        let sections = self
            .edits
            .iter()
            .filter(|(_, edits)| **edits > 1)
            .map(|(section, _)| section.clone())
            .collect();
        let mut courses: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
        for criterion in self
            .history
            .iter()
            .filter_map(|attempt| attempt.assessment.as_ref())
            .flat_map(Assessment::criteria)
        {
            courses
                .entry(criterion.name())
                .or_default()
                .push(i32::from(criterion.score().thousandths()));
        }
        let rose_and_fell = |course: &Vec<i32>| {
            let rose = course.windows(2).any(|pair| pair[1] > pair[0]);
            let fell = course.windows(2).any(|pair| pair[1] < pair[0]);
            rose && fell
        };
        let criteria = courses
            .iter()
            .filter(|(_, course)| rose_and_fell(course))
            .map(|(name, _)| (*name).to_owned())
            .collect();
        Unsettled { sections, criteria }
    }

    /// The best text so far; of equals the earlier (ruling 39).
    fn best(&self) -> Option<&Attempt> {
        self.history
            .iter()
            .skip(self.best_from)
            .filter(|attempt| attempt.assessment.is_some() && !attempt.is_undone)
            .rev()
            .max_by_key(|attempt| attempt.overall())
    }

    /// A text that made something worse is not taken for the best, whatever its
    /// overall score: what the report calls undone is not in what goes out.
    fn leave(&mut self, version: Version) {
        for attempt in &mut self.history {
            attempt.is_undone |= attempt.text.version() == version;
        }
    }

    /// From here on another text is repaired: locks and edits of the old one say
    /// nothing about it (ruling 18).
    pub(super) fn begin_lineage(&mut self) {
        self.regenerations += 1;
        self.locked.clear();
        self.edits.clear();
        self.undone.clear();
        self.gains.clear();
    }

    /// What was judged since the whole was last written anew.
    fn lineage(&self) -> impl Iterator<Item = &Attempt> {
        let since = self.regenerations;
        self.history
            .iter()
            .filter(move |attempt| attempt.lineage == since)
    }

    fn knows(&self, version: Version) -> bool {
        self.history
            .iter()
            .any(|attempt| attempt.text.version() == version)
    }
}

/// Where a round of repair led.
enum Round {
    /// To this text, which is judged.
    Text(Text),
    /// To a stop, because of this.
    Stop(String),
}

impl Flow {
    /// Repairs a text until it is accepted, or the policy says stop.
    pub(super) async fn refine(&mut self, original: Text) -> Result<Outcome, PromptError> {
        let text = self.scrub(original);
        self.review_scrubbed(&text);
        // What is damaged is mended before anybody is paid to look at it.
        let mut text = self.mend_damage(text).await?;
        text = self.replace_unusable(text).await?;
        if self.unusable(&text).is_none() {
            text = self.review_by_model(text).await?;
        }
        if let Some(unusable) = self.unusable(&text) {
            self.leave_unjudged(&text, &unusable);
        } else {
            self.judge(&text, &self.path(), Wanted::First).await?;
        }
        self.remember(&text);
        loop {
            if let Some(ruling) = self.try_to_accept(&text, self.was_repaired(&text)).await? {
                return Ok(self.finish(&text, ruling));
            }
            match self.round(&text).await? {
                Round::Text(next) => text = next,
                Round::Stop(because) => {
                    let best = self
                        .progress
                        .best()
                        .map_or_else(|| text.clone(), |best| best.text.clone());
                    match self.stop(&best, because).await? {
                        Ok(outcome) => return Ok(outcome),
                        Err(next) => text = next,
                    }
                }
            }
        }
    }

    /// The beginning of the names of this round's asks.
    pub(super) fn path(&self) -> String {
        format!("i{}", self.progress.round)
    }

    fn was_repaired(&self, text: &Text) -> bool {
        self.progress.round > 0 && !text.made.is_empty()
    }

    /// After scrubbing the findings are others, and so is what they come to.
    fn review_scrubbed(&mut self, text: &Text) {
        if text.made.is_empty() {
            return;
        }
        let before = &self.setup.inspected.findings;
        self.self_review = crate::review::review(before, text.findings());
    }

    pub(super) fn remember(&mut self, text: &Text) {
        if self.progress.knows(text.version()) {
            // The panel's word takes the place of the single judge's.
            let assessment = self.assessment(text);
            let (issues, judges) = (self.issues(text), self.judges_of(text));
            let unscored = assessment.is_none().then(|| self.why_unscored(text));
            for attempt in &mut self.progress.history {
                if attempt.text.version() == text.version() {
                    attempt.assessment.clone_from(&assessment);
                    attempt.unscored.clone_from(&unscored);
                    attempt.issues.clone_from(&issues);
                    attempt.judges = judges;
                }
            }
            return;
        }
        let assessment = self.assessment(text);
        let attempt = Attempt {
            round: self.progress.round,
            lineage: self.progress.regenerations,
            unscored: assessment.is_none().then(|| self.why_unscored(text)),
            assessment,
            issues: self.issues(text),
            judges: self.judges_of(text),
            is_undone: false,
            at: self.post.lock().now,
            text: text.clone(),
        };
        self.progress.history.push(attempt);
    }

    fn judges_of(&self, text: &Text) -> usize {
        self.benches
            .get(&text.version())
            .map_or(0, |bench| bench.verdicts().count())
    }

    /// Accepts a text where the rules allow it; a repaired one only with the
    /// panel.
    async fn try_to_accept(
        &mut self,
        text: &Text,
        good_enough: bool,
    ) -> Result<Option<Ruling>, PromptError> {
        if self.accepted(text, good_enough, None).is_err() {
            return Ok(None);
        }
        if !text.made.is_empty() && self.unconfirmed(text).is_some() {
            let path = format!("{}/confirm", self.path());
            self.judge(text, &path, Wanted::Confirmed).await?;
            self.remember(text);
        }
        let unconfirmed = if text.made.is_empty() {
            None
        } else {
            self.unconfirmed(text)
        };
        Ok(self
            .accepted(text, good_enough, unconfirmed.as_deref())
            .ok())
    }

    /// One round of repair.
    async fn round(&mut self, text: &Text) -> Result<Round, PromptError> {
        if let Some(because) = self.why_stop() {
            return Ok(Round::Stop(because));
        }
        if self.lacks_only_a_reader(text, self.was_repaired(text)) {
            let because = "what was read needs no more repair";
            return Ok(Round::Stop(because.to_owned()));
        }
        let whole = self.wants_whole(text);
        let plan = match (self.plan(text), &whole) {
            (Ok(plan), _) => plan,
            (Err(_), Some(whole)) => whole.clone(),
            (Err(because), None) => return Ok(Round::Stop(because)),
        };
        self.progress.round += 1;
        let node = self.setup.profile.stage_name("repair");
        self.post.emit(EventKind::NodeEnter { node });
        self.post.emit(EventKind::RefinementStart {
            iteration: self.progress.round,
            target_sections: plan.sections_to_modify.clone(),
            mode: self.setup.mode.name(),
            estimated_tokens: plan.estimated_cost,
        });
        let executed = match &whole {
            Some(_) => self
                .write_again(text)
                .await?
                .map(|after| (after, Vec::new())),
            None => Ok(self.execute(text, &plan).await?),
        };
        self.progress.instruction = None;
        if let Some(ruled) = self.arbitration(text) {
            self.progress.conflicts.extend(ruled.conflicts);
        }
        self.post.emit(EventKind::NodeComplete { node });
        let (after, kept) = match executed {
            Ok(executed) => executed,
            Err(because) => return Ok(Round::Stop(because)),
        };
        let best_before = self.progress.best().and_then(Attempt::overall);
        let came_back = after.version() != text.version() && self.progress.knows(after.version());
        let next = if after.version() == text.version() || came_back {
            after
        } else {
            self.tell_of_checks(&after);
            self.judge(&after, &self.path(), Wanted::Repaired).await?;
            self.remember(&after);
            self.guard_what_was_good(text, after, &kept).await?
        };
        let score = self.assessment(&next).as_ref().map(Assessment::overall);
        let gain = match (score, best_before) {
            (Some(now), Some(before)) => {
                Some(i32::from(now.thousandths()) - i32::from(before.thousandths()))
            }
            _ => None,
        };
        self.progress.gains.push(gain.unwrap_or(0));
        self.progress.idle = match next.version() == text.version() {
            true => self.progress.idle + 1,
            false => 0,
        };
        self.tell_of_round(&next, score, gain);
        if came_back {
            return Ok(Round::Stop("the same text has come back".to_owned()));
        }
        Ok(Round::Text(next))
    }

    /// That a round is over.
    pub(super) fn tell_of_round(&self, text: &Text, score: Option<Score>, gain: Option<i32>) {
        let (tokens, cost_micros) = self.post.lock().ledger.total();
        self.post.emit(EventKind::IterationComplete {
            iteration: self.progress.round,
            score,
            score_delta: gain,
            content: text.version(),
            tokens,
            cost_micros,
        });
    }

    /// Why no further round is begun.
    fn why_stop(&self) -> Option<String> {
        let policy = &self.setup.policy.repair;
        if let Some(stopped) = &self.post.lock().stopped {
            return Some(stopped.message.clone());
        }
        let most = policy.iterations + self.progress.extra;
        if self.progress.round >= most {
            return Some(match most {
                1 => "the one round of repair is used up".to_owned(),
                most => format!("all {most} rounds of repair are used up"),
            });
        }
        self.why_converged()
    }

    /// Why more rounds would bring nothing (ruling 37): each of the last two
    /// brought less than the policy calls an improvement, or the score goes to and
    /// fro. Where the policy calls everything an improvement, only rounds that
    /// change nothing end the attempts.
    fn why_converged(&self) -> Option<String> {
        const IDLE: u32 = 3;
        let below = i32::from(self.setup.policy.repair.converged_below.thousandths());
        if below == 0 {
            return (self.progress.idle >= IDLE)
                .then(|| "the last three rounds changed nothing".to_owned());
        }
        let scores: Vec<i32> = self
            .progress
            .lineage()
            .filter_map(Attempt::overall)
            .map(|score| i32::from(score.thousandths()))
            .collect();
        let because = match self.progress.gains.as_slice() {
            [.., before, last] if *before < below && *last < below => {
                format!(
                    "the last two rounds brought less than {}",
                    self.setup.policy.repair.converged_below
                )
            }
            _ => match scores.as_slice() {
                [.., first, second, third]
                    if (second - first).signum() * (third - second).signum() < 0
                        && (third - first).abs() < below =>
                {
                    "the score goes to and fro".to_owned()
                }
                _ => return None,
            },
        };
        self.post.emit(EventKind::ConvergenceDetected {
            because: because.clone(),
        });
        Some(because)
    }

    /// The end of repair: the best text so far is decided on. `Err` gives the text
    /// to go on with, where a person wants that.
    async fn stop(
        &mut self,
        best: &Text,
        because: String,
    ) -> Result<Result<Outcome, Text>, PromptError> {
        if let Some(ruling) = self.try_to_accept(best, true).await? {
            return Ok(Ok(self.finish(best, ruling)));
        }
        let unconfirmed = self.unconfirmed(best).filter(|_| !best.made.is_empty());
        let (why, hand_over) = match self.ruling(best, true, unconfirmed.as_deref()) {
            Ruling::HandOver(why) => (why, true),
            Ruling::BestEffort(why) => (why, false),
            ruling => return Ok(Ok(self.finish(best, ruling))),
        };
        let why = format!("{why}; {because}");
        if !hand_over {
            return Ok(Ok(self.finish(best, Ruling::BestEffort(why))));
        }
        for _ in 0..MOST_REFUSALS {
            match self.ask_person(best, &why).await {
                Person::Decided(outcome) => return Ok(Ok(*outcome)),
                Person::Edit(_) if self.progress.by_hand >= MOST_EDITS => {
                    self.refuse_person("it was edited often enough");
                }
                Person::Edit(content) => {
                    self.progress.by_hand += 1;
                    let text = self.by_hand(best, &content);
                    if let Some(unusable) = self.unusable(&text) {
                        self.leave_unjudged(&text, &unusable);
                    } else {
                        let path = format!("{}/edited{}", self.path(), self.progress.by_hand);
                        self.judge(&text, &path, Wanted::Repaired).await?;
                    }
                    self.remember(&text);
                    let is_this = |attempt: &Attempt| attempt.text.version() == text.version();
                    let place = self.progress.history.iter().position(is_this);
                    self.progress.best_from = place.unwrap_or_default();
                    return Ok(Err(text));
                }
                Person::Retry(instruction) => {
                    if self.progress.extra < MOST_RETRIES {
                        self.progress.extra += 1;
                        self.progress.locked.clear();
                        self.progress.edits.clear();
                        self.progress.gains.clear();
                        self.progress.idle = 0;
                        self.progress.instruction = Some(instruction);
                        return Ok(Err(best.clone()));
                    }
                    self.refuse_person("it was tried often enough");
                }
            }
        }
        Ok(Ok(self.finish(best, Ruling::HandOver(why))))
    }

    /// The text that a person wrote.
    fn by_hand(&mut self, text: &Text, content: &str) -> Text {
        let edits = text.difference(content.as_bytes());
        let after = text
            .edited(self.setup.inspector.as_ref(), edits, "by hand", None)
            .unwrap_or_else(|| text.clone());
        self.self_review = crate::review::review(after.findings(), after.findings());
        after
    }

    /// Criteria that were good must stay good (ruling 33). Compares scores of the
    /// same judge only; nothing is undone until a second judge sees the fall, too.
    async fn guard_what_was_good(
        &mut self,
        before: &Text,
        after: Text,
        kept: &[Kept],
    ) -> Result<Text, PromptError> {
        let fallen = self.fallen(before, &after, None);
        let Some((judge, criterion, locked_at, score)) = fallen.first().cloned() else {
            return Ok(after);
        };
        let confirmed = self.confirm_fall(before, &after, &fallen).await?;
        if confirmed.is_empty() {
            self.post.emit(EventKind::QualityLockTriggered {
                criterion,
                locked_at,
                score,
                confirmed: false,
                undone: Vec::new(),
            });
            return Ok(after);
        }
        let named: BTreeSet<ComponentId> = self
            .benches
            .get(&after.version())
            .into_iter()
            .flat_map(Bench::verdicts)
            .flat_map(Verdict::issues)
            .filter(|issue| confirmed.contains(&issue.criterion))
            .map(|issue| issue.location.clone())
            .filter(|location| kept.iter().any(|kept| kept.component == *location))
            .collect();
        let undone: BTreeSet<ComponentId> = if named.is_empty() {
            kept.iter().map(|kept| kept.component.clone()).collect()
        } else {
            named.clone()
        };
        self.post.emit(EventKind::QualityLockTriggered {
            criterion,
            locked_at,
            score,
            confirmed: true,
            undone: undone.iter().cloned().collect(),
        });
        for section in &named {
            self.lock(section, "a repair of it made a good criterion worse");
        }
        self.take_back(&undone);
        self.progress.leave(after.version());
        let rebuilt = self.rebuild(before, kept, &undone);
        if rebuilt.version() == before.version() {
            return Ok(before.clone());
        }
        let path = format!("{}/mixed", self.path());
        self.judge(&rebuilt, &path, Wanted::Repaired).await?;
        self.remember(&rebuilt);
        if self.fallen(before, &rebuilt, Some(judge)).is_empty() {
            return Ok(rebuilt);
        }
        let all = kept.iter().map(|kept| kept.component.clone()).collect();
        self.take_back(&all);
        self.progress.leave(rebuilt.version());
        Ok(before.clone())
    }

    /// The criteria by which a judge of both texts scores the later one lower than
    /// the best it gave by more than is tolerated.
    fn fallen(
        &self,
        before: &Text,
        after: &Text,
        by: Option<Role>,
    ) -> Vec<(Role, String, Score, Score)> {
        let policy = &self.setup.policy;
        let lock_from = policy
            .good_enough
            .map_or(policy.accept, |enough| enough.from);
        let mut fallen = Vec::new();
        for role in JUDGES {
            if by.is_some_and(|by| by != role) {
                continue;
            }
            let verdict = |version: Version| {
                self.benches
                    .get(&version)
                    .and_then(|bench| bench.verdict(role))
            };
            let (Some(now), Some(earlier)) = (verdict(after.version()), verdict(before.version()))
            else {
                continue;
            };
            if now.judge().model != earlier.judge().model {
                continue;
            }
            for criterion in &self.setup.rubric.criteria {
                let best = self
                    .progress
                    .lineage()
                    .filter(|attempt| attempt.text.version() != after.version())
                    .filter_map(|attempt| verdict(attempt.text.version()))
                    .filter(|verdict| verdict.judge().model == now.judge().model)
                    .filter_map(|verdict| verdict.score(&criterion.name))
                    .max();
                let (Some(best), Some(score)) = (best, now.score(&criterion.name)) else {
                    continue;
                };
                let tolerated = score.thousandths() + policy.repair.tolerance.thousandths();
                if best >= lock_from && tolerated < best.thousandths() {
                    fallen.push((role, criterion.name.clone(), best, score));
                }
            }
        }
        fallen
    }

    /// The criteria whose fall a second judge sees, too. A judge that has scored
    /// both texts is believed as it is; only where there is none, one is asked.
    async fn confirm_fall(
        &mut self,
        before: &Text,
        after: &Text,
        fallen: &[(Role, String, Score, Score)],
    ) -> Result<BTreeSet<String>, PromptError> {
        let first = fallen.first().map(|(role, ..)| *role);
        let has_scored_both = |flow: &Self, role: Role| {
            [before, after].iter().all(|text| {
                let bench = flow.benches.get(&text.version());
                bench.is_some_and(|bench| bench.verdict(role).is_some())
            })
        };
        let others = || JUDGES.into_iter().filter(|role| Some(*role) != first);
        if !others().any(|role| has_scored_both(self, role)) {
            let second = others().find(|role| self.seat(*role).is_some());
            let Some(second) = second else {
                return Ok(BTreeSet::new());
            };
            let path = format!("{}/guard", self.path());
            self.ask_judges(after, &path, &[second]).await?;
            let path = format!("{path}/before");
            self.ask_judges(before, &path, &[second]).await?;
            self.remember(before);
            self.remember(after);
        }
        let score = |text: &Text, role: Role, criterion: &str| {
            self.benches
                .get(&text.version())
                .and_then(|bench| bench.verdict(role))
                .and_then(|verdict| verdict.score(criterion))
                .map(Score::thousandths)
        };
        let tolerance = self.setup.policy.repair.tolerance.thousandths();
        let sees = |role: Role, criterion: &str| {
            let scores = (
                score(before, role, criterion),
                score(after, role, criterion),
            );
            matches!(scores, (Some(before), Some(after)) if after + tolerance < before)
        };
        Ok(fallen
            .iter()
            .filter(|(judge, criterion, ..)| {
                JUDGES
                    .into_iter()
                    .any(|role| role != *judge && sees(role, criterion))
            })
            .map(|(_, criterion, ..)| criterion.clone())
            .collect())
    }

    /// The tasks of these parts in this round were undone after all.
    fn take_back(&mut self, sections: &BTreeSet<ComponentId>) {
        let round = self.progress.round;
        for task in &mut self.progress.done {
            if task.iteration == round && task.kept && sections.contains(&task.section_id) {
                task.kept = false;
                task.because = Some("it made a good criterion worse".to_owned());
            }
        }
    }

    /// A part is not edited any more.
    pub(super) fn lock(&mut self, section: &ComponentId, because: &str) {
        if self.progress.locked.insert(section.clone()) {
            self.post.emit(EventKind::SectionLocked {
                section: section.clone(),
                because: because.to_owned(),
            });
        }
    }
}
