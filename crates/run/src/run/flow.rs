//! The stages in their order: check and review are free and done; then the
//! self-reviewer, the judges, the decision, and between them, where that is
//! wanted, repair.
//!
//! | goal | what is done |
//! |---|---|
//! | judge | review, judge, decide; the text is not changed |
//! | refine | scrub, review, then judge and repair until the policy says stop |
//! | free | scrub; nobody is asked |
//! | write | the text is written first; then as refine |

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::bench::{Bench, Wanted};
use super::person::{MOST_REFUSALS, Person};
use super::post::SharedPost;
use super::progress::Progress;
use super::text::Text;
use super::wording::Wordings;
use crate::ask::ModelSettings;
use crate::ask::Role;
use crate::decide::{self, Grounds, Ruling};
use crate::event::EventKind;
use crate::outcome::{Outcome, Status};
use crate::prompt::PromptError;
use crate::reasons::{Because, BeyondRepair, NotAccepted, Refusal, StopReason, Unconfirmed};
use crate::route::estimate::Overheads;
use crate::setup::{Goal, Seat, Setup};
use crate::verdict::{Reason, Unscored};
use redraft_gate::finding::Severity;
use redraft_gate::review::{self, IssueSeverity, SelfReview};
use redraft_gate::span::Version;

/// A run under way.
pub(super) struct Flow {
    pub(super) setup: Arc<Setup>,
    pub(super) post: SharedPost,
    /// What the judges said about each version of the text.
    pub(super) benches: BTreeMap<Version, Bench>,
    /// What the judges of each version are asked, in words.
    pub(super) asked_of_judges: BTreeMap<Version, Wordings>,
    /// What the self-review came to, of the program or of the model.
    pub(super) self_review: SelfReview,
    /// What our own words take in prompts, measured once.
    pub(super) overheads: OnceLock<Overheads>,
    /// What was repaired so far.
    pub(super) progress: Progress,
}

impl Flow {
    pub(super) fn new(setup: Arc<Setup>, post: SharedPost) -> Self {
        Self {
            self_review: setup.self_review.clone(),
            benches: BTreeMap::new(),
            asked_of_judges: BTreeMap::new(),
            overheads: OnceLock::new(),
            progress: Progress::default(),
            setup,
            post,
        }
    }

    /// The run, from its beginning to its end.
    pub(super) async fn run(mut self) -> Result<Outcome, PromptError> {
        let text = Text::original(Arc::clone(&self.setup.inspected));
        self.post.emit(EventKind::RunStarted {
            run: self.setup.id.clone(),
            profile: self.setup.profile.id().0,
            content: text.version(),
            scripted: self.is_scripted(),
        });
        if self.setup.goal == Goal::Write {
            return self.write(text).await;
        }
        self.tell_of_free_stages(&text);
        match self.setup.goal {
            Goal::Judge => self.judge_only(text).await,
            Goal::Refine | Goal::Write => self.refine(text).await,
            Goal::Free => Ok(self.free(&text)),
        }
    }

    /// The free stages are done before a run begins, or as soon as a text is
    /// written; it tells of them.
    pub(super) fn tell_of_free_stages(&self, text: &Text) {
        self.tell_of_checks(text);
        self.post.emit(EventKind::SelfReview {
            by: "program".to_owned(),
            status: self.self_review.status,
            reasoning: self.self_review.reasoning.clone(),
        });
    }

    /// What the free checks found in a text.
    pub(super) fn tell_of_checks(&self, text: &Text) {
        let node = self.setup.profile.stage_name("check");
        let count = |severity| {
            text.findings()
                .iter()
                .filter(|finding| finding.severity == severity)
                .count()
        };
        self.post.emit(EventKind::NodeEnter { node });
        self.post.emit(EventKind::CheckComplete {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
        });
        self.post.emit(EventKind::NodeComplete { node });
    }

    pub(super) fn is_scripted(&self) -> bool {
        self.setup
            .seats
            .iter()
            .flat_map(|seat| &seat.models)
            .any(ModelSettings::is_scripted)
    }

    pub(super) fn seat(&self, role: Role) -> Option<&Seat> {
        self.setup.seats.iter().find(|seat| seat.role == role)
    }

    /// The text is judged as it is.
    async fn judge_only(&mut self, text: Text) -> Result<Outcome, PromptError> {
        let text = match self.unusable(&text) {
            Some(_) => text,
            None => self.review_by_model(text).await?,
        };
        if let Some(unusable) = self.unusable(&text) {
            self.leave_unjudged(&text, &unusable);
        } else {
            self.judge(&text, "i0", Wanted::First).await?;
        }
        self.remember(&text);
        match self.ruling(&text, true, None) {
            Ruling::HandOver(why) => {
                let because = Because::from(why.clone());
                for _ in 0..MOST_REFUSALS {
                    match self.ask_person(&text, &because).await {
                        Person::Decided(outcome) => return Ok(*outcome),
                        Person::Edit(_) | Person::Retry(_) => {
                            self.refuse_person(Refusal::JudgingOnly);
                        }
                    }
                }
                Ok(self.finish(&text, Ruling::HandOver(why), None))
            }
            ruling => Ok(self.finish(&text, ruling, None)),
        }
    }

    /// Why no judge is asked at all: nobody pays to hear that half a lesson is
    /// half a lesson.
    pub(super) fn unusable(&self, text: &Text) -> Option<Unscored> {
        let because = if self.self_review.status == review::Status::Regenerate {
            self.self_review.reasoning.clone()
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
            format!("the review stopped it before a judge was paid: {because}"),
        ))
    }

    /// What was flagged for a judge to look at.
    pub(super) fn flagged(&self) -> Vec<review::Issue> {
        self.self_review
            .issues
            .iter()
            .filter(|issue| issue.severity == IssueSeverity::Complex)
            .cloned()
            .collect()
    }

    /// What becomes of a text.
    pub(super) fn ruling(
        &self,
        text: &Text,
        may_be_good_enough: bool,
        unconfirmed: Option<&Unconfirmed>,
    ) -> Ruling {
        self.with_grounds(text, may_be_good_enough, unconfirmed, decide::decide)
    }

    /// Whether a text is accepted.
    pub(super) fn accepted(
        &self,
        text: &Text,
        may_be_good_enough: bool,
        unconfirmed: Option<&Unconfirmed>,
    ) -> Result<Ruling, NotAccepted> {
        self.with_grounds(text, may_be_good_enough, unconfirmed, decide::accepted)
    }

    /// Why repairing would not help, though a text is not accepted.
    pub(super) fn beyond_repair(
        &self,
        text: &Text,
        may_be_good_enough: bool,
    ) -> Option<BeyondRepair> {
        self.with_grounds(text, may_be_good_enough, None, decide::beyond_repair)
    }

    fn with_grounds<T>(
        &self,
        text: &Text,
        may_be_good_enough: bool,
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
            may_be_good_enough,
            unconfirmed: unconfirmed.or(missing.as_ref()),
        })
    }

    /// The end of a run whose text was decided on without a person.
    pub(super) fn finish(
        &mut self,
        text: &Text,
        ruling: Ruling,
        stopped: Option<StopReason>,
    ) -> Outcome {
        let because = |not_accepted| Because {
            not_accepted,
            stopped,
        };
        match ruling {
            Ruling::Accept => self.outcome(text, Status::Accepted, None, None),
            Ruling::AcceptWithWarning => self.outcome(text, Status::AcceptedWarning, None, None),
            Ruling::BestEffort(why) => {
                let because = because(why);
                self.post.emit(EventKind::BestEffortSelected {
                    reason: because.clone(),
                    quality: self.quality(text),
                });
                self.outcome(text, Status::BestEffort, Some(because), None)
            }
            Ruling::HandOver(why) => {
                self.outcome(text, Status::Escalated, Some(because(why)), None)
            }
        }
    }
}
