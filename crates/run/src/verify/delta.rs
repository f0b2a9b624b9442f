//! Reads the delta judge's answers (ruling 32), and whether a component still fits the one before
//! it. Anything but a plain answer to every question is a form error, never a yes.
//!
//! | question | answer |
//! |---|---|
//! | yes or no | `{"answers": [{"id": "issue_1", "reason": "…", "answer": "yes"}, …]}`, one for each issue id and for `constraint_1` … in the task's order. Yes means that the issue is solved or the constraint holds |
//! | the same, about a rewritten component | also one for `next_part`: yes if the next component still fits. It does not affect the repair |
//! | which is better | `{"reason": "…", "better": "first"}`, or `second`, or `same` |
//! | consistency | `{"reason": "…", "quote": "…", "fits": "yes"}`; the quote is the passage that does not fit, or empty |

use std::sync::{Arc, LazyLock};

use redraft_text::json::{Json, Node, RecoveryKind};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::{Reply, Schema};
use crate::reasons::{RollbackReason, Unmet};
use crate::repair::FormError;
use crate::reply::fields::{Choice, Choices, List, Text, YesNo};
use crate::reply::{from_node, objects, restrict_to, schema_of};
use crate::request::DeltaQuestion;
use crate::route::RepairTask;
use crate::rubric::FixAction;
use redraft_gate::span::ComponentId;

/// The delta judge's answer about one repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// An answer for every issue and constraint.
    YesNo(Vec<DeltaAnswer>),
    WhichIsBetter {
        better: Better,
        reason: String,
    },
}

/// The answer about one issue or constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeltaAnswer {
    /// The issue's id, or `constraint_1` and so on.
    pub id: String,
    /// Whether the issue is solved or the constraint holds.
    pub yes: bool,
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// The repaired text.
    After,
    /// The text before the repair.
    Before,
    /// Neither.
    Same,
}

impl Delta {
    /// Whether the repair passes.
    #[must_use]
    pub fn passed(&self) -> bool {
        match self {
            Self::YesNo(answers) => !answers.is_empty() && answers.iter().all(|answer| answer.yes),
            Self::WhichIsBetter { better, .. } => *better == Better::After,
        }
    }

    /// Why it does not meet the task's demands, for the next attempt's prompt.
    #[must_use]
    pub fn objection(&self, task: &RepairTask) -> Option<RollbackReason> {
        if self.passed() {
            return None;
        }
        Some(match self {
            Self::YesNo(answers) => RollbackReason::NotSolved {
                unmet: answers
                    .iter()
                    .filter(|answer| !answer.yes)
                    .map(|answer| Unmet {
                        id: answer.id.clone(),
                        demand: demand(task, &answer.id),
                        reason: answer.reason.clone(),
                    })
                    .collect(),
            },
            Self::WhichIsBetter { reason, .. } => RollbackReason::NotBetter {
                reason: reason.clone(),
            },
        })
    }
}

/// Whether a component fits the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fits {
    pub fits: bool,
    pub reason: String,
    /// The passage that does not fit.
    pub quote: Option<String>,
}

/// Reads the delta judge's answer about a task.
///
/// # Errors
/// If it does not answer every question with a plain yes or no.
pub fn read_delta(
    reply: &Reply,
    task: &RepairTask,
    question: DeltaQuestion,
) -> Result<Delta, FormError> {
    let text = crate::repair::usable(reply)?;
    match question {
        DeltaQuestion::YesNo => last_object(&text, "answers", |given| yes_no(given, &ids(task))),
        DeltaQuestion::WhichIsBetter { after_first } => {
            last_object(&text, "better", |given: BetterReply| {
                let word = given.better.given().word().unwrap_or_default();
                let better = match Choice::<Position>::named(&word) {
                    Some(Position::First) if after_first => Better::After,
                    Some(Position::Second) if !after_first => Better::After,
                    Some(Position::First | Position::Second) => Better::Before,
                    Some(Position::Same) => Better::Same,
                    None => return Err(malformed("`better` must be first, second or same")),
                };
                Ok(Delta::WhichIsBetter {
                    better,
                    reason: given.reason.trimmed().to_owned(),
                })
            })
        }
    }
}

/// The id of the question about the component after a rewritten one.
const NEXT_PART: &str = "next_part";

/// The component after a rewritten one, if the question about the repair also asks whether it still
/// fits.
#[must_use]
pub fn next_component_asked_about(
    task: &RepairTask,
    question: DeltaQuestion,
) -> Option<&ComponentId> {
    let asks = question == DeltaQuestion::YesNo && task.action_type == FixAction::RegenerateSection;
    task.check_after.as_ref().filter(|_| asks)
}

/// The answer about the next component. `None` if it is not plain, so that a separate question is
/// needed.
#[must_use]
pub fn read_next(reply: &Reply, task: &RepairTask, question: DeltaQuestion) -> Option<Fits> {
    next_component_asked_about(task, question)?;
    let text = crate::repair::usable(reply).ok()?;
    let answer = last_object(&text, "answers", |given| {
        yes_no(given, &[NEXT_PART.to_owned()])
    });
    match answer.ok()? {
        Delta::YesNo(answers) => answers.into_iter().next().map(|answer| Fits {
            fits: answer.yes,
            reason: answer.reason,
            quote: None,
        }),
        Delta::WhichIsBetter { .. } => None,
    }
}

/// Reads whether a component fits the one before it.
///
/// # Errors
/// If there is no plain answer.
pub fn read_consistency(reply: &Reply) -> Result<Fits, FormError> {
    let text = crate::repair::usable(reply)?;
    last_object(&text, "fits", |given: FitsReply| {
        let fits = given.fits.0;
        let quote = given.quote.trimmed();
        Ok(Fits {
            fits: fits.ok_or_else(|| malformed("`fits` must be yes or no"))?,
            reason: given.reason.trimmed().to_owned(),
            quote: (!quote.is_empty()).then(|| quote.to_owned()),
        })
    })
}

/// An answer to the questions of a task, as the delta judge writes it.
#[derive(Deserialize, JsonSchema)]
struct AnswersReply {
    answers: List<AnswerReply>,
}

#[derive(Deserialize, JsonSchema)]
struct AnswerReply {
    id: Text,
    reason: Text,
    answer: YesNo,
}

/// Which of two texts is better, as the delta judge writes it.
#[derive(Deserialize, JsonSchema)]
struct BetterReply {
    reason: Text,
    better: Choice<Position>,
}

/// One of the two texts in the order in which they were shown.
#[derive(Clone, Copy)]
enum Position {
    First,
    Second,
    Same,
}

impl Choices for Position {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("first", Self::First),
        ("second", Self::Second),
        ("same", Self::Same),
    ];
}

/// Whether a component fits the one before it, as a model writes it.
#[derive(Deserialize, JsonSchema)]
struct FitsReply {
    reason: Text,
    quote: Text,
    fits: YesNo,
}

/// The schema of an answer to a delta question.
#[must_use]
pub fn delta_schema(task: &RepairTask, question: DeltaQuestion) -> Arc<Schema> {
    Arc::new(Schema::new(match question {
        DeltaQuestion::YesNo => {
            let mut asked = ids(task);
            asked.extend(next_component_asked_about(task, question).map(|_| NEXT_PART.to_owned()));
            let mut schema = schema_of::<AnswersReply>();
            restrict_to(
                &asked,
                &mut schema,
                "/properties/answers/items/properties/id",
            );
            schema
        }
        DeltaQuestion::WhichIsBetter { .. } => schema_of::<BetterReply>(),
    }))
}

/// The schema of an answer to the consistency question.
#[must_use]
pub fn consistency_schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> =
        LazyLock::new(|| Arc::new(Schema::new(schema_of::<FitsReply>())));
    Arc::clone(&SCHEMA)
}

/// The ids that must be answered: every issue and every constraint.
fn ids(task: &RepairTask) -> Vec<String> {
    let issues = task.source_issues.iter().map(|issue| issue.id.clone());
    let constraints = (1..=task.constraints.len()).map(|number| format!("constraint_{number}"));
    issues.chain(constraints).collect()
}

/// The demand of a task with this id.
fn demand(task: &RepairTask, id: &str) -> String {
    let issue = task.source_issues.iter().find(|issue| issue.id == id);
    let constraint = || {
        let number: usize = id.strip_prefix("constraint_")?.parse().ok()?;
        task.constraints.get(number.checked_sub(1)?)
    };
    let said = issue.map(|issue| &issue.issue.description);
    said.or_else(constraint).cloned().unwrap_or_default()
}

fn yes_no(given: AnswersReply, ids: &[String]) -> Result<Delta, FormError> {
    let given: Vec<DeltaAnswer> = given
        .answers
        .0
        .into_iter()
        .map(|given| {
            let id = given.id.trimmed().to_owned();
            let yes = given
                .answer
                .0
                .ok_or_else(|| malformed(format!("the answer about `{id}` must be yes or no")))?;
            Ok(DeltaAnswer {
                yes,
                reason: given.reason.trimmed().to_owned(),
                id,
            })
        })
        .collect::<Result<_, FormError>>()?;
    ids.iter()
        .map(|id| {
            let mut about = given.iter().filter(|answer| answer.id == *id);
            let first = about
                .next()
                .ok_or_else(|| malformed(format!("there is no answer about `{id}`")))?;
            if about.any(|other| other.yes != first.yes) {
                return Err(malformed(format!(
                    "there are two answers about `{id}`, and they differ"
                )));
            }
            Ok(first.clone())
        })
        .collect::<Result<_, _>>()
        .map(Delta::YesNo)
}

fn malformed(message: impl Into<String>) -> FormError {
    FormError::Malformed(message.into())
}

fn has_key_twice(value: &Json) -> bool {
    let mut recoveries = value.recoveries.iter();
    value.recoveries_omitted > 0
        || recoveries.any(|recovery| recovery.kind == RecoveryKind::DuplicateKey)
}

/// The last complete object outside reasoning that has this member and can be read.
fn last_object<R: DeserializeOwned, T: PartialEq>(
    text: &str,
    member: &str,
    read: impl Fn(R) -> Result<T, FormError>,
) -> Result<T, FormError> {
    let read = |root: Node<'_>| {
        let given = from_node(text, root).map_err(|error| malformed(error.to_string()))?;
        read(given)
    };
    let mut best = None;
    for value in objects(text, member, &[]) {
        match value.root() {
            Some(_) if !value.complete() => best = Some(Err(FormError::Truncated)),
            // If there is both a no and a yes, neither is plain.
            Some(_) if has_key_twice(&value) => {
                return Err(malformed("the answer has the same key twice"));
            }
            Some(root) => match (read(root), &best) {
                (Err(_), Some(Ok(_))) => {}
                (Ok(one), Some(Ok(other))) if one != *other => {
                    return Err(malformed("there are two answers, and they differ"));
                }
                (result, _) => best = Some(result),
            },
            None => {}
        }
    }
    best.unwrap_or_else(|| {
        Err(FormError::Missing(format!(
            "there is no object with `{member}` in the answer"
        )))
    })
}
