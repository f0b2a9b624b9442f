//! Repairing until the policy says stop (seed 003 §2, §10; rulings 31–37).
//!
//! | after a text is judged | then |
//! |---|---|
//! | it meets the accept rule, and was not repaired | accepted |
//! | it meets the accept rule, and was repaired | the panel confirms it; then accepted |
//! | it is good enough, after a repair | as the accept rule |
//! | only a judge is lacking who can read all of it, or is sure | the same as the next row |
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

use super::bench::Wanted;
use super::flow::Flow;
use super::person::{MOST_REFUSALS, Person};
use super::progress::Attempt;
use super::text::Text;
use crate::assess::Assessment;
use crate::decide::Ruling;
use crate::event::EventKind;
use crate::outcome::Outcome;
use crate::prompt::PromptError;
use crate::reasons::{Because, Refusal, StopReason};
use crate::route::RefinementPlan;
use redraft_gate::score::Score;

/// How often a person may ask for one more round, and how often they may give
/// another text.
const MOST_RETRIES: u32 = 5;
const MOST_EDITS: u32 = 20;

/// Where a round of repair led.
enum Round {
    /// To this text, which is judged.
    Text(Text),
    /// To a stop, because of this.
    Stop(StopReason),
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
                return Ok(self.finish(&text, ruling, None));
            }
            match self.round(&text).await? {
                Round::Text(next) => text = next,
                Round::Stop(reason) => {
                    self.post.emit(EventKind::Stopped {
                        reason: reason.clone(),
                    });
                    let best = self
                        .progress
                        .best()
                        .map_or_else(|| text.clone(), |best| best.text.clone());
                    match self.stop(&best, reason).await? {
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
        self.self_review = redraft_gate::review::review(before, text.findings());
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
        Ok(self.accepted(text, good_enough, unconfirmed.as_ref()).ok())
    }

    /// One round of repair.
    async fn round(&mut self, text: &Text) -> Result<Round, PromptError> {
        if let Some(reason) = self.why_stop() {
            return Ok(Round::Stop(reason));
        }
        if let Some(reason) = self.beyond_repair(text, self.was_repaired(text)) {
            return Ok(Round::Stop(StopReason::BeyondRepair { reason }));
        }
        self.lock_what_was_edited_enough();
        let whole = self.wants_whole(text);
        let plan = match (self.plan(text), &whole) {
            (Ok(plan), _) => plan,
            (Err(_), Some(whole)) => whole.clone(),
            (Err(reason), None) => {
                return Ok(Round::Stop(StopReason::NothingToRepair { reason }));
            }
        };
        let node = self.begin_round(&plan);
        let executed = match &whole {
            Some(_) => self
                .write_again(text)
                .await?
                .map(|after| (after, Vec::new())),
            None => Ok(self.execute(text, &plan).await?),
        };
        self.progress.instruction = None;
        if let Some(ruled) = self.arbitration(text) {
            self.progress
                .conflicts
                .extend(ruled.conflicts.iter().cloned());
        }
        self.post.emit(EventKind::NodeComplete { node });
        let (after, kept) = match executed {
            Ok(executed) => executed,
            Err(reason) => return Ok(Round::Stop(StopReason::NotRewritten { reason })),
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
        // A change that was undone is an attempt, too: another may do better.
        let was_tried =
            next.version() != text.version() || self.progress.proposed_in == self.progress.round;
        self.progress.idle = match was_tried {
            true => 0,
            false => self.progress.idle + 1,
        };
        self.tell_of_round(&next, score, gain);
        if came_back {
            return Ok(Round::Stop(StopReason::SameTextAgain));
        }
        Ok(Round::Text(next))
    }

    /// A round begins; gives the name of its stage.
    pub(super) fn begin_round(&mut self, plan: &RefinementPlan) -> &'static str {
        self.progress.round += 1;
        let node = self.setup.profile.stage_name("repair");
        self.post.emit(EventKind::NodeEnter { node });
        self.post.emit(EventKind::RefinementStart {
            iteration: self.progress.round,
            target_sections: plan.sections_to_modify.clone(),
            mode: self.setup.mode.name(),
            estimated_tokens: plan.estimated_cost,
        });
        node
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
    fn why_stop(&self) -> Option<StopReason> {
        let policy = &self.setup.policy.repair;
        if let Some(stopped) = &self.post.lock().stopped {
            return Some(StopReason::Interrupted(stopped.clone()));
        }
        let most = policy.iterations + self.progress.extra;
        if self.progress.round >= most {
            return Some(StopReason::IterationsUsedUp { most });
        }
        self.why_converged()
    }

    /// Why more rounds would bring nothing (ruling 37): each of the last two
    /// brought less than the policy calls an improvement, or the score goes to and
    /// fro. Where the policy calls everything an improvement, only rounds in which
    /// nobody proposes a change end the attempts.
    fn why_converged(&self) -> Option<StopReason> {
        const IDLE: u32 = 3;
        let below = i32::from(self.setup.policy.repair.converged_below.thousandths());
        if below == 0 {
            return (self.progress.idle >= IDLE).then_some(StopReason::NoProposal { rounds: IDLE });
        }
        let scores: Vec<i32> = self
            .progress
            .lineage()
            .filter_map(Attempt::overall)
            .map(|score| i32::from(score.thousandths()))
            .collect();
        let reason = match self.progress.gains.as_slice() {
            [.., before, last] if *before < below && *last < below => StopReason::Converged {
                below: self.setup.policy.repair.converged_below,
            },
            _ => match scores.as_slice() {
                [.., first, second, third]
                    if (second - first).signum() * (third - second).signum() < 0
                        && (third - first).abs() < below =>
                {
                    StopReason::Oscillating
                }
                _ => return None,
            },
        };
        self.post.emit(EventKind::ConvergenceDetected {
            reason: reason.clone(),
        });
        Some(reason)
    }

    /// The end of repair: the best text so far is decided on. `Err` gives the text
    /// to go on with, where a person wants that.
    async fn stop(
        &mut self,
        best: &Text,
        stopped: StopReason,
    ) -> Result<Result<Outcome, Text>, PromptError> {
        if let Some(ruling) = self.try_to_accept(best, true).await? {
            return Ok(Ok(self.finish(best, ruling, None)));
        }
        let unconfirmed = self.unconfirmed(best).filter(|_| !best.made.is_empty());
        let ruling = self.ruling(best, true, unconfirmed.as_ref());
        let Ruling::HandOver(not_accepted) = ruling else {
            return Ok(Ok(self.finish(best, ruling, Some(stopped))));
        };
        let because = Because {
            not_accepted,
            stopped: Some(stopped),
        };
        for _ in 0..MOST_REFUSALS {
            match self.ask_person(best, &because).await {
                Person::Decided(outcome) => return Ok(Ok(*outcome)),
                Person::Edit(_) if self.progress.by_hand >= MOST_EDITS => {
                    self.refuse_person(Refusal::EditedOften);
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
                    self.refuse_person(Refusal::RetriedOften);
                }
            }
        }
        let ruling = Ruling::HandOver(because.not_accepted);
        Ok(Ok(self.finish(best, ruling, because.stopped)))
    }

    /// The text that a person wrote.
    fn by_hand(&mut self, text: &Text, content: &str) -> Text {
        let edits = text.difference(content.as_bytes());
        let after = text
            .edited(self.setup.inspector.as_ref(), edits, "by hand", None)
            .unwrap_or_else(|| text.clone());
        self.self_review = redraft_gate::review::review(after.findings(), after.findings());
        after
    }
}
