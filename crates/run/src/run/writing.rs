//! The stage that writes a whole text: from nothing, or to replace another one (seed 003 §1,
//! rulings 14, 18, 28).
//!
//! | | lessons | cards and items |
//! |---|---|---|
//! | requires | a specification | a scheme-of-work entry, or a specification |
//! | asks | the planner, then an expander for each section in parallel, then the smoother | the author |
//! | assembly | by the program | none: one answer has everything |
//!
//! | failure | then |
//! |---|---|
//! | of the planner, the author, or any section | nothing is written, with the reason |
//! | a section that is cut off at its limit | retried once with twice the limit |
//! | a section that did not fit beside the reservations of others | retried once these are settled |
//! | of the smoother, or an edit of its that touches more than a join | the text stays as it was assembled |
//!
//! Generated text is scrubbed before it is verified.

use std::sync::Arc;

use redraft_text::words::count_words;

use super::asking::{AskOutcome, Conversation, Reading, converse};
use super::context::Context;
use super::review::scrub;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::ask::{Role, Schema, Tokens};
use crate::event::EventKind;
use crate::prompt::PromptError;
use crate::reasons::SkipReason;
use crate::repair::Applied;
use crate::request::Task;
use crate::setup::{Seat, Setup};
use crate::verdict::{Reason, Unscored};
use crate::verify::{self, Permitted};
use crate::write::{self, Draft, Join, Manner, Plan, WrittenSection};
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_gate::span::ComponentId;

/// Instructions for a writer, in addition to the companions.
pub(super) struct Order {
    /// What was wrong with an earlier version, one line each.
    pub(super) complaints: Vec<String>,
    pub(super) length: AnswerLength,
    /// Its label in receipts.
    pub(super) label: String,
}

/// The limit of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerLength {
    /// As configured.
    Usual,
    /// Twice as long, because the last answer was cut off.
    Doubled,
}

/// The written text or the reason for the failure, with the tokens used.
pub(super) struct Written {
    pub(super) result: Result<Text, Unscored>,
    pub(super) used: Tokens,
}

/// Writes a whole text to replace one that may be empty. `path` is the prefix of the ask ids.
pub(super) async fn write_whole(
    context: &Context,
    path: &str,
    like: &Text,
    order: &Order,
) -> Result<Written, PromptError> {
    let writer = Writer {
        context,
        path,
        like,
        order,
    };
    writer.write().await
}

/// Writes one whole text.
struct Writer<'a> {
    context: &'a Context,
    path: &'a str,
    /// The text that is replaced.
    like: &'a Text,
    order: &'a Order,
}

impl Writer<'_> {
    fn setup(&self) -> &Setup {
        &self.context.setup
    }

    async fn write(&self) -> Result<Written, PromptError> {
        self.context.emit(EventKind::NodeEnter { node: "write" });
        let mut written = match self.setup().profile.manner() {
            Manner::Sections => self.write_by_plan().await?,
            Manner::Whole => self.write_by_author().await?,
        };
        let mut smoothed = 0;
        if let Ok(text) = &written.result
            && self.setup().profile.manner() == Manner::Sections
        {
            let (after, edits, used) = self.smooth(text.clone()).await?;
            written.result = Ok(after);
            written.used = written.used.plus(used);
            smoothed = edits;
        }
        if let Ok(text) = &written.result {
            self.context.emit(EventKind::TextWritten {
                content: text.version(),
                words: count_words(text.document().source().text()),
                smoothed,
            });
        }
        self.context.emit(EventKind::NodeComplete { node: "write" });
        Ok(written)
    }

    async fn write_by_plan(&self) -> Result<Written, PromptError> {
        let planned = self.ask_planner().await?;
        let mut used = planned.used;
        let plan = match planned.result {
            Ok(plan) => plan,
            Err(unscored) => return Ok(failed("the planner", &unscored, used)),
        };
        let sections = self.write_parts(&plan).await?;
        used = used.plus(sections.used);
        let texts = match sections.result {
            Ok(texts) => texts,
            Err(unscored) => {
                return Ok(Written {
                    result: Err(unscored),
                    used,
                });
            }
        };
        let mut draft = Draft {
            title: plan.title.clone(),
            sections: Vec::new(),
        };
        for (planned, text) in plan.sections.iter().zip(texts) {
            self.context.emit(EventKind::SectionWritten {
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
        let text = self.setup().profile.assemble(&draft, self.like.document());
        Ok(self.replace_text(&text, used))
    }

    async fn write_by_author(&self) -> Result<Written, PromptError> {
        let ended = self.ask_author().await?;
        Ok(match ended.result {
            Ok(text) => self.replace_text(&text, ended.used),
            Err(unscored) => failed("the author", &unscored, ended.used),
        })
    }

    /// Replaces the whole text by `words`, and scrubs the result.
    fn replace_text(&self, words: &str, used: Tokens) -> Written {
        let document = self.like.document();
        let source = document.source();
        let edit = document.edit_source(0..source.text().len(), words);
        let edited = self
            .like
            .edited(
                self.setup().inspector.as_ref(),
                vec![edit],
                &self.order.label,
                Some(&ComponentId::whole()),
            )
            .filter(|_| source.takes_text());
        let result = match edited {
            Some(text) => Ok(scrub(self.context, text)),
            None => Err(Unscored::new(
                Reason::Rejected,
                "the file is not UTF-8; convert it first",
            )),
        };
        Written { result, used }
    }

    async fn ask_planner(&self) -> Result<AskOutcome<Plan>, PromptError> {
        let setup = self.setup();
        let complaints = self.order.complaints.as_slice();
        let asked = Asked {
            path: format!("{}/plan/planner", self.path),
            role: Role::Planner,
            length: AnswerLength::Usual,
        };
        let schema = Some(write::plan_schema());
        let conversation = self.conversation(
            asked,
            self.like,
            (Task::Plan { complaints }, schema),
            Box::new(move |reply, _| {
                write::read_plan(reply, setup.companions.specification.as_ref())
            }),
        );
        first(
            converse(
                setup,
                &self.context.mailbox,
                conversation.into_iter().collect(),
            )
            .await?,
        )
    }

    /// Writes the sections of a plan in parallel. Returns their texts in order, or the first
    /// failure.
    async fn write_parts(&self, plan: &Plan) -> Result<Sections, PromptError> {
        let mut texts: Vec<Option<String>> = vec![None; plan.sections.len()];
        let mut used = Tokens::default();
        let mut open: Vec<(usize, AnswerLength)> = (0..plan.sections.len())
            .map(|at| (at, self.order.length))
            .collect();
        // Terminates: every pass but the last writes a section or doubles a limit.
        for pass in 1.. {
            let asked = std::mem::take(&mut open);
            if asked.is_empty() {
                break;
            }
            let ended = self.ask_expanders(plan, (pass, &asked)).await?;
            let any = ended.iter().any(|one| one.result.is_ok());
            let mut trouble = None;
            for ((at, length), one) in asked.into_iter().zip(ended) {
                used = used.plus(one.used);
                match one.result {
                    Ok(text) => {
                        if let Some(place) = texts.get_mut(at) {
                            *place = Some(text);
                        }
                    }
                    Err(unscored) => match unscored.reason {
                        Reason::OverBudget if any => open.push((at, length)),
                        Reason::Truncated if length == AnswerLength::Usual => {
                            open.push((at, AnswerLength::Doubled));
                        }
                        _ => trouble = trouble.or(Some((at, unscored))),
                    },
                }
            }
            if let Some((at, unscored)) = trouble {
                let part = plan
                    .sections
                    .get(at)
                    .map_or_else(String::new, |part| format!("{} “{}”", part.id, part.title));
                return Ok(Sections {
                    result: Err(named(&part, &unscored)),
                    used,
                });
            }
        }
        Ok(Sections {
            result: Ok(texts.into_iter().flatten().collect()),
            used,
        })
    }

    async fn ask_expanders(
        &self,
        plan: &Plan,
        (pass, asked): (u32, &[(usize, AnswerLength)]),
    ) -> Result<Vec<AskOutcome<String>>, PromptError> {
        let verb = match pass {
            1 => "section".to_owned(),
            pass => format!("section{pass}"),
        };
        let conversations = asked
            .iter()
            .filter_map(|(at, length)| {
                let planned = plan.sections.get(*at)?;
                let asked = Asked {
                    path: format!("{}/{verb}/{}", self.path, planned.id),
                    role: Role::Expander,
                    length: *length,
                };
                let task = Task::WriteSection {
                    plan,
                    section: *at,
                    complaints: &self.order.complaints,
                };
                self.conversation(
                    asked,
                    self.like,
                    (task, None),
                    Box::new(move |reply, _| write::read_section(reply, planned)),
                )
            })
            .collect();
        converse(self.setup(), &self.context.mailbox, conversations).await
    }

    async fn ask_author(&self) -> Result<AskOutcome<String>, PromptError> {
        let setup = self.setup();
        let asked = Asked {
            path: format!("{}/author/author", self.path),
            role: Role::Author,
            length: self.order.length,
        };
        let task = Task::Author {
            complaints: &self.order.complaints,
        };
        let conversation = self.conversation(
            asked,
            self.like,
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
        first(
            converse(
                setup,
                &self.context.mailbox,
                conversation.into_iter().collect(),
            )
            .await?,
        )
    }

    /// Has the joins smoothed, if a smoother is configured. Returns the text, the number of edits
    /// and the tokens used.
    async fn smooth(&self, text: Text) -> Result<(Text, usize, Tokens), PromptError> {
        let joins = write::joins(text.document());
        if joins.is_empty() || self.context.seat(Role::Smoother).is_none() {
            return Ok((text, 0, Tokens::default()));
        }
        let ended = self.ask_smoother(&text, &joins).await?;
        let used = ended.used;
        let reason = match ended.result {
            Ok(None) => return Ok((text, 0, used)),
            Ok(Some(applied)) => {
                let edits = applied.edits.len();
                let whole = ComponentId::whole();
                let inspector = self.setup().inspector.as_ref();
                match text.edited(inspector, applied.edits, "joins smoothed", Some(&whole)) {
                    Some(after) => return Ok((after, edits, used)),
                    None => SkipReason::DoesNotFit,
                }
            }
            Err(unscored) => SkipReason::NoAnswer(unscored),
        };
        self.context.emit(EventKind::Skipped {
            what: "smoother",
            reason,
        });
        Ok((text, 0, used))
    }

    async fn ask_smoother(
        &self,
        text: &Text,
        joins: &[Join],
    ) -> Result<AskOutcome<Option<Applied>>, PromptError> {
        let setup = self.setup();
        let asked = Asked {
            path: format!("{}/smooth/smoother", self.path),
            role: Role::Smoother,
            length: AnswerLength::Usual,
        };
        let conversation = self.conversation(
            asked,
            text,
            (Task::Smooth { joins }, None),
            Box::new(move |reply, _| {
                let applied = write::read_smoothed(text.document(), joins, reply)?;
                if let Some(applied) = &applied {
                    let after = setup.inspector.inspect(applied.bytes.clone());
                    let permitted = Permitted {
                        length: setup.policy.repair.length,
                        ..Permitted::default()
                    };
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
        first(
            converse(
                setup,
                &self.context.mailbox,
                conversation.into_iter().collect(),
            )
            .await?,
        )
    }

    /// A conversation with a writer; `None` if the role has no model.
    fn conversation<'a, T>(
        &'a self,
        asked: Asked,
        text: &'a Text,
        (task, schema): (Task<'a>, Option<Arc<Schema>>),
        read: ReadReply<'a, T>,
    ) -> Option<Conversation<'a, T>> {
        let setup = self.setup();
        let mut seat: Seat = self.context.seat(asked.role)?.clone();
        if asked.length == AnswerLength::Doubled {
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

/// Reads a writer's reply.
type ReadReply<'a, T> = Box<
    dyn Fn(&crate::ask::Reply, &crate::ask::ModelSettings) -> Result<T, Unscored>
        + Send
        + Sync
        + 'a,
>;

/// The role that is asked, the ask id, and the limit of the answer.
struct Asked {
    path: String,
    role: Role,
    length: AnswerLength,
}

/// The sections of a plan in order, or why one could not be written; with the tokens used.
struct Sections {
    result: Result<Vec<String>, Unscored>,
    used: Tokens,
}

fn failed(who: &str, unscored: &Unscored, used: Tokens) -> Written {
    Written {
        result: Err(named(who, unscored)),
        used,
    }
}

/// A failure with the name of the role that failed.
fn named(who: &str, unscored: &Unscored) -> Unscored {
    Unscored::new(unscored.reason, format!("{who}: {}", unscored.message))
}

/// The result of the only conversation.
fn first<T>(ended: Vec<AskOutcome<T>>) -> Result<AskOutcome<T>, PromptError> {
    ended.into_iter().next().ok_or_else(|| {
        PromptError("internal error: no model for the role that is asked".to_owned())
    })
}
