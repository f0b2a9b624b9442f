//! Writing a whole text: from nothing, or anew where repair would not do (seed 003
//! §1, rulings 14, 18, 28).
//!
//! | | lessons | cards and items |
//! |---|---|---|
//! | needs | a specification | a scheme-of-work entry, or a specification |
//! | asks | planner, then an expander for each part side by side, then the smoother | author |
//! | puts together | the program | nobody: it comes in one answer |
//!
//! | what fails | then |
//! |---|---|
//! | the planner, the author, or any part | nothing is written, with the reason |
//! | a part that broke off at its limit | once more with twice the limit |
//! | a part that did not fit beside the others' reservations | once more when they are settled |
//! | the smoother, or an edit of its that touches more than a join | the text stays as it was put together |
//!
//! A whole that is written anew begins a new line of texts: locks and counts of
//! edits begin again, the count of such beginnings does not. Generated text is
//! scrubbed before anybody looks at it.

use std::sync::Arc;

use redraft_text::words::count_words;

use super::converse::{Conversation, Ended, Reading, converse};
use super::flow::Flow;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::ask::{Budget, Role, Schema, Tokens};
use crate::decide::Ruling;
use crate::event::EventKind;
use crate::outcome::{Outcome, TaskDone};
use crate::prompt::PromptError;
use crate::reasons::{Because, CannotWrite, NotAccepted, NotWritten, RollbackReason, SkipReason};
use crate::repair::Applied;
use crate::request::Task;
use crate::route::RefinementPlan;
use crate::rubric::FixAction;
use crate::setup::{Seat, to_read};
use crate::token_estimate::estimated_tokens;
use crate::verdict::{IssueSeverity, Reason, Unscored};
use crate::verify::{self, Permitted};
use crate::write::{self, Draft, Join, Manner, Plan, WrittenSection};
use redraft_gate::check::Concern;
use redraft_gate::reading::{self, Hint};
use redraft_gate::review::{self, Status};
use redraft_gate::source::Source;
use redraft_gate::span::ComponentId;

/// What a writer is told besides what came with the text.
struct Order {
    /// What was wrong with an earlier version, one line each.
    complaints: Vec<String>,
    /// Whether answers may be twice as long, because the last one broke off.
    is_longer: bool,
    /// What a receipt calls it.
    label: String,
}

/// What was written, or why nothing was; and what it used.
struct Written {
    result: Result<Text, Unscored>,
    used: Tokens,
}

impl Flow {
    /// Writes a text where there is none, and goes on with it as with any other.
    pub(super) async fn write(&mut self, empty: Text) -> Result<Outcome, PromptError> {
        let order = Order {
            complaints: Vec::new(),
            is_longer: false,
            label: "writing".to_owned(),
        };
        let written = match self.may_write() {
            Ok(()) => {
                let written = self.write_whole(&empty, &order).await?;
                written.result.map_err(NotWritten::NoAnswer)
            }
            Err(reason) => Err(NotWritten::NotTried { reason }),
        };
        let text = match written {
            Ok(text) => Text::original(text.inspected),
            Err(reason) => {
                let unscored = match &reason {
                    NotWritten::NoAnswer(unscored) | NotWritten::Unusable(unscored) => {
                        unscored.clone()
                    }
                    NotWritten::NotTried { .. } => {
                        Unscored::new(Reason::CallFailed, "nothing was written")
                    }
                };
                self.leave_unjudged(&empty, &unscored);
                let not_accepted = NotAccepted::NotWritten { reason };
                self.post.emit(EventKind::EscalationTriggered {
                    reason: Because::from(not_accepted.clone()),
                });
                return Ok(self.finish(&empty, Ruling::HandOver(not_accepted), None));
            }
        };
        self.self_review = review::review(text.findings(), text.findings());
        // Budgets follow the length of the text (ruling 38), which is known now.
        let tokens = estimated_tokens(text.document().source().text());
        let to_read = to_read(tokens, &self.setup.companions, &self.setup.seats);
        {
            let mut post = self.post.lock();
            let policy = &self.setup.policy;
            post.ledger
                .allot(Budget::Judging, policy.judging_limit(to_read));
            post.ledger
                .allot(Budget::Repair, policy.repair_limit(tokens));
        }
        self.tell_of_free_stages(&text);
        self.refine(text).await
    }

    /// Whether a whole text can be written at all.
    ///
    /// # Errors
    /// What is missing.
    fn may_write(&self) -> Result<(), CannotWrite> {
        let companions = &self.setup.companions;
        let (roles, has_order): (&[Role], bool) = match self.setup.profile.manner() {
            Manner::Sections => (
                &[Role::Planner, Role::Expander],
                companions.specification.is_some(),
            ),
            Manner::Whole => (
                &[Role::Author],
                companions.specification.is_some() || companions.scheme_of_work.len() == 1,
            ),
        };
        if !has_order {
            return Err(CannotWrite::NoSpecification);
        }
        match roles.iter().find(|role| self.seat(**role).is_none()) {
            None => Ok(()),
            Some(role) => Err(CannotWrite::NoModel { role: *role }),
        }
    }

    /// Whether the whole may be written once more (ruling 18).
    ///
    /// # Errors
    /// Why not.
    pub(super) fn may_write_again(&self) -> Result<(), CannotWrite> {
        let most = self.setup.policy.repair.whole_regenerations;
        match self.progress.regenerations {
            _ if most == 0 => Err(CannotWrite::Forbidden),
            times if times >= most => Err(CannotWrite::RewrittenOften { times }),
            _ => self.may_write(),
        }
    }

    /// The plan of a text that is better written anew than repaired, where somebody
    /// can write it.
    pub(super) fn wants_whole(&self, text: &Text) -> Option<RefinementPlan> {
        self.may_write_again().ok()?;
        // Nobody throws away what no judge has read.
        if self.was_read_in_part(text) {
            return None;
        }
        self.plan_for_report(text)
            .filter(|plan| plan.whole_because.is_some())
    }

    /// Writes a text anew that nobody can repair or judge, as often as the policy
    /// allows (ruling 18).
    pub(super) async fn replace_unusable(&mut self, mut text: Text) -> Result<Text, PromptError> {
        while self.self_review.status == Status::Regenerate
            && self.progress.round < self.setup.policy.repair.iterations
            && self.may_write_again().is_ok()
        {
            self.progress.round += 1;
            match self.write_anew(&text).await? {
                Ok(after) => text = self.mend_damage(after).await?,
                Err(reason) => {
                    self.post.emit(EventKind::Skipped {
                        what: "writing",
                        reason: SkipReason::NotRewritten { reason },
                    });
                    break;
                }
            }
        }
        Ok(text)
    }

    /// Writes a text anew that was judged. `Err` where nothing came of it that a
    /// judge could be shown.
    pub(super) async fn write_again(
        &mut self,
        text: &Text,
    ) -> Result<Result<Text, NotWritten>, PromptError> {
        let before = self.self_review.clone();
        let after = match self.write_anew(text).await? {
            Ok(after) => after,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(match self.unusable(&after) {
            None => Ok(after),
            Some(unusable) => {
                self.self_review = before;
                let reason = NotWritten::Unusable(unusable);
                self.reject_rewrite(&reason);
                Err(reason)
            }
        })
    }

    /// What was written anew in this round is not kept after all.
    fn reject_rewrite(&mut self, reason: &NotWritten) {
        let reason = RollbackReason::NotRewritten {
            reason: reason.clone(),
        };
        self.rolled_back(&ComponentId::whole(), FixAction::RegenerateSection, &reason);
        if let Some(task) = self.progress.done.last_mut() {
            task.kept = false;
            task.because = Some(reason);
        }
    }

    async fn write_anew(&mut self, text: &Text) -> Result<Result<Text, NotWritten>, PromptError> {
        let is_cut = text.document().is_cut_off()
            || self
                .self_review
                .issues
                .iter()
                .any(|issue| issue.kind == Concern::Truncation.name());
        let order = Order {
            complaints: self.complaints(text),
            is_longer: is_cut,
            label: label_of_rewrite(self.progress.round),
        };
        self.progress.begin_lineage();
        let Written { result, used } = self.write_whole(text, &order).await?;
        self.progress.done.push(TaskDone {
            iteration: self.progress.round,
            section_id: ComponentId::whole(),
            section_title: text.document().title().unwrap_or_default().to_owned(),
            action_type: FixAction::RegenerateSection,
            priority: IssueSeverity::Critical,
            synthesized_instructions: order.complaints.join("\n"),
            issues: order.complaints,
            kept: true,
            because: None,
            tokens: used,
        });
        let after = match result.map_err(NotWritten::NoAnswer) {
            Ok(after) => after,
            Err(reason) => {
                self.reject_rewrite(&reason);
                return Ok(Err(reason));
            }
        };
        self.self_review = review::review(after.findings(), after.findings());
        Ok(Ok(after))
    }

    /// What was wrong with a text, for whoever writes it anew: a person's wish
    /// first, then the gravest.
    fn complaints(&self, text: &Text) -> Vec<String> {
        const MOST: usize = 12;
        let mut issues = self.issues(text);
        issues.sort_by_key(|issue| std::cmp::Reverse(issue.severity));
        let said = issues.into_iter().map(|issue| issue.description);
        let unusable = (self.self_review.status == Status::Regenerate)
            .then(|| self.self_review.reasoning.clone());
        let wish = self.progress.instruction.clone();
        wish.into_iter()
            .chain(unusable)
            .chain(said)
            .take(MOST)
            .collect()
    }

    /// Writes a whole text in the place of one that may be empty.
    async fn write_whole(&mut self, like: &Text, order: &Order) -> Result<Written, PromptError> {
        self.post.emit(EventKind::NodeEnter { node: "write" });
        let mut written = match self.setup.profile.manner() {
            Manner::Sections => self.write_by_plan(like, order).await?,
            Manner::Whole => self.write_by_author(like, order).await?,
        };
        let mut smoothed = 0;
        if let Ok(text) = &written.result
            && self.setup.profile.manner() == Manner::Sections
        {
            let (after, edits, used) = self.smooth(text.clone()).await?;
            written.result = Ok(after);
            written.used = written.used.plus(used);
            smoothed = edits;
        }
        if let Ok(text) = &written.result {
            self.post.emit(EventKind::TextWritten {
                content: text.version(),
                words: count_words(text.document().source().text()),
                smoothed,
            });
        }
        self.post.emit(EventKind::NodeComplete { node: "write" });
        Ok(written)
    }

    async fn write_by_plan(&mut self, like: &Text, order: &Order) -> Result<Written, PromptError> {
        let planned = self.ask_planner(like, order).await?;
        let mut used = planned.used;
        let plan = match planned.result {
            Ok(plan) => plan,
            Err(unscored) => return Ok(failed("the planner", &unscored, used)),
        };
        let (parts, spent) = self.write_parts(like, &plan, order).await?;
        used = used.plus(spent);
        let texts = match parts {
            Ok(texts) => texts,
            Err((part, unscored)) => return Ok(failed(&part, &unscored, used)),
        };
        let mut draft = Draft {
            title: plan.title.clone(),
            sections: Vec::new(),
        };
        for (planned, text) in plan.sections.iter().zip(texts) {
            self.post.emit(EventKind::SectionWritten {
                section: planned.id.clone(),
                title: planned.title.clone(),
                words: count_words(&text),
            });
            draft.sections.push(WrittenSection {
                kind: planned.kind,
                title: planned.title.clone(),
                text,
            });
        }
        let text = self.setup.profile.assemble(&draft, like.document());
        Ok(self.put_down(like, order, &text, used))
    }

    async fn write_by_author(
        &mut self,
        like: &Text,
        order: &Order,
    ) -> Result<Written, PromptError> {
        let ended = self.ask_author(like, order).await?;
        Ok(match ended.result {
            Ok(text) => self.put_down(like, order, &text, ended.used),
            Err(unscored) => failed("the author", &unscored, ended.used),
        })
    }

    /// The text with these words in the place of all that stood there, scrubbed.
    fn put_down(&mut self, like: &Text, order: &Order, words: &str, used: Tokens) -> Written {
        let document = like.document();
        let source = document.source();
        let edit = document.edit_source(0..source.text().len(), words);
        let edited = like
            .edited(
                self.setup.inspector.as_ref(),
                vec![edit],
                &order.label,
                Some(&ComponentId::whole()),
            )
            .filter(|_| source.takes_text());
        let result = match edited {
            Some(text) => Ok(self.scrub(text)),
            None => Err(Unscored::new(
                Reason::Rejected,
                "the file is not UTF-8; convert it first",
            )),
        };
        Written { result, used }
    }

    async fn ask_planner(&self, like: &Text, order: &Order) -> Result<Ended<Plan>, PromptError> {
        let setup = &self.setup;
        let complaints = order.complaints.as_slice();
        let asked = Asked {
            path: format!("{}/plan/planner", self.path()),
            role: Role::Planner,
            is_longer: false,
        };
        let schema = Some(write::plan_schema());
        let conversation = self.conversation(
            asked,
            like,
            (Task::Plan { complaints }, schema),
            Box::new(move |reply, _| {
                write::read_plan(reply, setup.companions.specification.as_ref())
            }),
        );
        first(converse(setup, &self.post, conversation.into_iter().collect()).await?)
    }

    /// Writes the parts of a plan side by side; gives their texts in order, or the
    /// first that could not be written.
    async fn write_parts(
        &self,
        like: &Text,
        plan: &Plan,
        order: &Order,
    ) -> Result<(Result<Vec<String>, (String, Unscored)>, Tokens), PromptError> {
        let mut texts: Vec<Option<String>> = vec![None; plan.sections.len()];
        let mut used = Tokens::default();
        let mut open: Vec<(usize, bool)> = (0..plan.sections.len())
            .map(|at| (at, order.is_longer))
            .collect();
        // Every pass but the last writes a part or lifts a limit, so this ends.
        for pass in 1.. {
            let asked = std::mem::take(&mut open);
            if asked.is_empty() {
                break;
            }
            let ended = self
                .ask_expanders(like, plan, order, (pass, &asked))
                .await?;
            let any = ended.iter().any(|one| one.result.is_ok());
            let mut trouble = None;
            for ((at, is_longer), one) in asked.into_iter().zip(ended) {
                used = used.plus(one.used);
                match one.result {
                    Ok(text) => {
                        if let Some(place) = texts.get_mut(at) {
                            *place = Some(text);
                        }
                    }
                    Err(unscored) => match unscored.reason {
                        Reason::OverBudget if any => open.push((at, is_longer)),
                        Reason::Truncated if !is_longer => open.push((at, true)),
                        _ => trouble = trouble.or(Some((at, unscored))),
                    },
                }
            }
            if let Some((at, unscored)) = trouble {
                let part = plan
                    .sections
                    .get(at)
                    .map_or_else(String::new, |part| format!("{} “{}”", part.id, part.title));
                return Ok((Err((part, unscored)), used));
            }
        }
        Ok((Ok(texts.into_iter().flatten().collect()), used))
    }

    async fn ask_expanders(
        &self,
        like: &Text,
        plan: &Plan,
        order: &Order,
        (pass, asked): (u32, &[(usize, bool)]),
    ) -> Result<Vec<Ended<String>>, PromptError> {
        let verb = match pass {
            1 => "section".to_owned(),
            pass => format!("section{pass}"),
        };
        let conversations = asked
            .iter()
            .filter_map(|(at, is_longer)| {
                let planned = plan.sections.get(*at)?;
                let asked = Asked {
                    path: format!("{}/{verb}/{}", self.path(), planned.id),
                    role: Role::Expander,
                    is_longer: *is_longer,
                };
                let task = Task::WriteSection {
                    plan,
                    section: *at,
                    complaints: &order.complaints,
                };
                self.conversation(
                    asked,
                    like,
                    (task, None),
                    Box::new(move |reply, _| write::read_section(reply, planned)),
                )
            })
            .collect();
        converse(&self.setup, &self.post, conversations).await
    }

    async fn ask_author(&self, like: &Text, order: &Order) -> Result<Ended<String>, PromptError> {
        let setup = &self.setup;
        let asked = Asked {
            path: format!("{}/author/author", self.path()),
            role: Role::Author,
            is_longer: order.is_longer,
        };
        let task = Task::Author {
            complaints: &order.complaints,
        };
        let conversation = self.conversation(
            asked,
            like,
            (task, None),
            Box::new(move |reply, _| {
                let object = write::read_object(reply)?;
                let shape = |what: &str| Unscored::new(Reason::WrongShape, what);
                let fixed = setup
                    .inspector
                    .fix(object.into_bytes())
                    .map_err(|error| shape(&error.to_string()))?;
                let source = fixed.inspected.document.source();
                let raw = reading::read(Source::new(source.bytes().to_vec()), Hint::Json);
                if !setup.profile.recognises(&raw) {
                    return Err(shape("the JSON object is not of the wanted form"));
                }
                Ok(source.text().to_owned())
            }),
        );
        first(converse(setup, &self.post, conversation.into_iter().collect()).await?)
    }

    /// Has the joins smoothed, where somebody is there for it. Gives the text, how
    /// many edits were made, and what it used.
    async fn smooth(&mut self, text: Text) -> Result<(Text, usize, Tokens), PromptError> {
        let joins = write::joins(text.document());
        if joins.is_empty() || self.seat(Role::Smoother).is_none() {
            return Ok((text, 0, Tokens::default()));
        }
        let ended = self.ask_smoother(&text, &joins).await?;
        let used = ended.used;
        let reason = match ended.result {
            Ok(None) => return Ok((text, 0, used)),
            Ok(Some(applied)) => {
                let edits = applied.edits.len();
                let whole = ComponentId::whole();
                let inspector = self.setup.inspector.as_ref();
                match text.edited(inspector, applied.edits, "joins smoothed", Some(&whole)) {
                    Some(after) => return Ok((after, edits, used)),
                    None => SkipReason::DoesNotFit,
                }
            }
            Err(unscored) => SkipReason::NoAnswer(unscored),
        };
        self.post.emit(EventKind::Skipped {
            what: "smoother",
            reason,
        });
        Ok((text, 0, used))
    }

    async fn ask_smoother(
        &self,
        text: &Text,
        joins: &[Join],
    ) -> Result<Ended<Option<Applied>>, PromptError> {
        let setup = &self.setup;
        let asked = Asked {
            path: format!("{}/smooth/smoother", self.path()),
            role: Role::Smoother,
            is_longer: false,
        };
        let conversation = self.conversation(
            asked,
            text,
            (Task::Smooth { joins }, None),
            Box::new(move |reply, _| {
                let applied = write::read_smoothed(text.document(), joins, reply)?;
                if let Some(applied) = &applied {
                    let after = setup.inspector.inspect(applied.bytes.clone());
                    let permitted = Permitted::default();
                    verify::tier_one(&text.inspected, &after, &ComponentId::whole(), &permitted)
                        .map_err(|objections| {
                            let all: Vec<String> =
                                objections.iter().map(ToString::to_string).collect();
                            Unscored::new(Reason::Rejected, all.join("; "))
                        })?;
                }
                Ok(applied)
            }),
        );
        first(converse(setup, &self.post, conversation.into_iter().collect()).await?)
    }

    /// A conversation with a writer; `None` where nobody sits there.
    fn conversation<'a, T>(
        &'a self,
        asked: Asked,
        text: &'a Text,
        (task, schema): (Task<'a>, Option<Arc<Schema>>),
        read: ReadReply<'a, T>,
    ) -> Option<Conversation<'a, T>> {
        let setup = &self.setup;
        let mut seat: Seat = self.seat(asked.role)?.clone();
        if asked.is_longer {
            for model in &mut seat.models {
                model.max_tokens = model.max_tokens.saturating_mul(2);
            }
        }
        Some(Conversation {
            path: asked.path,
            seat,
            content: text.version(),
            wordings: Wordings::new(schema),
            reading: Reading::InPart,
            render: wording::render(setup, text.document(), task),
            read,
        })
    }
}

/// What a receipt calls a rewrite of the whole text.
pub(super) fn label_of_rewrite(round: u32) -> String {
    format!("round {round}: written anew")
}

/// Reads a writer's reply.
type ReadReply<'a, T> = Box<
    dyn Fn(&crate::ask::Reply, &crate::ask::ModelSettings) -> Result<T, Unscored>
        + Send
        + Sync
        + 'a,
>;

/// Who is asked, under which name, and whether with twice the limit.
struct Asked {
    path: String,
    role: Role,
    is_longer: bool,
}

fn failed(who: &str, unscored: &Unscored, used: Tokens) -> Written {
    let message = format!("{who}: {}", unscored.message);
    Written {
        result: Err(Unscored::new(unscored.reason, message)),
        used,
    }
}

/// The end of the only conversation.
fn first<T>(ended: Vec<Ended<T>>) -> Result<Ended<T>, PromptError> {
    ended
        .into_iter()
        .next()
        .ok_or_else(|| PromptError("nobody sits on the seat that is asked".to_owned()))
}
