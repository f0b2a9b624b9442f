//! Reading what the delta judge says (ruling 32), and whether a part still fits
//! the one before it. Anything but a plain answer to every question is an error
//! of form, never a yes.
//!
//! | question | answer |
//! |---|---|
//! | yes or no | `{"answers": [{"id": "issue_1", "reason": "…", "answer": "yes"}, …]}`, one for every issue id and for `constraint_1` … in the task's order. Yes: the issue is solved, the constraint holds |
//! | the same, of a part written again | also one about `next_part`: yes where the part behind still fits. It decides nothing about the repair |
//! | which is better | `{"reason": "…", "better": "first"}`, or `second`, or `same` |
//! | consistency | `{"reason": "…", "quote": "…", "fits": "yes"}`; the quote is the passage that does not fit, else empty |

use std::sync::{Arc, LazyLock};

use redraft_text::json::{Kind, Node};
use serde::Serialize;
use serde_json::json;

use crate::answer::objects;
use crate::ask::{Reply, Schema};
use crate::reasons::{RollbackReason, Unmet};
use crate::repair::FormError;
use crate::request::DeltaQuestion;
use crate::route::RepairTask;
use crate::rubric::FixAction;
use redraft_gate::span::ComponentId;

/// What the delta judge said about one repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// An answer to every issue and constraint.
    YesNo(Vec<DeltaAnswer>),
    /// Which text is better.
    WhichIsBetter {
        /// Which.
        better: Better,
        /// Why.
        reason: String,
    },
}

/// An answer about one issue or constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeltaAnswer {
    /// The issue's id, or `constraint_1` and so on.
    pub id: String,
    /// Whether the issue is solved, or the constraint holds.
    pub yes: bool,
    /// Why.
    pub reason: String,
}

/// Which of two texts is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// The repaired one.
    After,
    /// The old one.
    Before,
    /// Neither.
    Same,
}

impl Delta {
    /// Whether the repair did what it was to do.
    #[must_use]
    pub fn passed(&self) -> bool {
        match self {
            Self::YesNo(answers) => !answers.is_empty() && answers.iter().all(|answer| answer.yes),
            Self::WhichIsBetter { better, .. } => *better == Better::After,
        }
    }

    /// Why it did not, for the next attempt's prompt.
    #[must_use]
    pub fn objection(&self) -> Option<RollbackReason> {
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

/// Whether a part fits the one before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fits {
    /// Whether it does.
    pub fits: bool,
    /// Why.
    pub reason: String,
    /// The passage that does not fit.
    pub quote: Option<String>,
}

/// Reads the delta judge's answer about a task.
///
/// # Errors
/// When it does not answer every question with a plain yes or no.
pub fn read_delta(
    reply: &Reply,
    task: &RepairTask,
    question: DeltaQuestion,
) -> Result<Delta, FormError> {
    let text = crate::repair::usable(reply)?;
    match question {
        DeltaQuestion::YesNo => last_object(&text, "answers", |root| yes_no(root, &ids(task))),
        DeltaQuestion::WhichIsBetter { after_first } => last_object(&text, "better", |root| {
            let better = match word(root, "better").as_deref() {
                Some("first") if after_first => Better::After,
                Some("second") if !after_first => Better::After,
                Some("first" | "second") => Better::Before,
                Some("same") => Better::Same,
                _ => return Err(malformed("`better` must be first, second or same")),
            };
            Ok(Delta::WhichIsBetter {
                better,
                reason: string(root, "reason"),
            })
        }),
    }
}

/// The id under which the part behind a rewritten one is asked about.
const NEXT_PART: &str = "next_part";

/// The part behind one that was written again, where a question about the repair
/// also asks whether that part still fits.
#[must_use]
pub fn looked_behind(task: &RepairTask, question: DeltaQuestion) -> Option<&ComponentId> {
    let asks = question == DeltaQuestion::YesNo && task.action_type == FixAction::RegenerateSection;
    task.check_after.as_ref().filter(|_| asks)
}

/// What an answer about a repair says of the part behind; `None` where it says
/// nothing plain, so that it has to be asked about by itself.
#[must_use]
pub fn read_next(reply: &Reply, task: &RepairTask, question: DeltaQuestion) -> Option<Fits> {
    looked_behind(task, question)?;
    let text = crate::repair::usable(reply).ok()?;
    let answer = last_object(&text, "answers", |root| {
        yes_no(root, &[NEXT_PART.to_owned()])
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

/// Reads whether a part fits the one before it.
///
/// # Errors
/// When it does not say so.
pub fn read_consistency(reply: &Reply) -> Result<Fits, FormError> {
    let text = crate::repair::usable(reply)?;
    last_object(&text, "fits", |root| {
        let fits = truth(root, "fits").ok_or_else(|| malformed("`fits` must be yes or no"))?;
        Ok(Fits {
            fits,
            reason: string(root, "reason"),
            quote: Some(string(root, "quote")).filter(|quote| !quote.is_empty()),
        })
    })
}

/// What an answer to a delta question has to look like.
#[must_use]
pub fn delta_schema(task: &RepairTask, question: DeltaQuestion) -> Arc<Schema> {
    let mut asked = ids(task);
    asked.extend(looked_behind(task, question).map(|_| NEXT_PART.to_owned()));
    Arc::new(Schema::new(match question {
        DeltaQuestion::YesNo => json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["answers"],
            "properties": {"answers": {"type": "array", "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["id", "reason", "answer"],
                "properties": {
                    "id": {"type": "string", "enum": asked},
                    "reason": {"type": "string"},
                    "answer": {"type": "string", "enum": ["yes", "no"]},
                },
            }}},
        }),
        DeltaQuestion::WhichIsBetter { .. } => json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["reason", "better"],
            "properties": {
                "reason": {"type": "string"},
                "better": {"type": "string", "enum": ["first", "second", "same"]},
            },
        }),
    }))
}

/// What an answer to the consistency question has to look like.
#[must_use]
pub fn consistency_schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        Arc::new(Schema::new({
            json!({
                "type": "object",
                "additionalProperties": false,
                "required": ["reason", "quote", "fits"],
                "properties": {
                    "reason": {"type": "string"},
                    "quote": {"type": "string"},
                    "fits": {"type": "string", "enum": ["yes", "no"]},
                },
            })
        }))
    });
    Arc::clone(&SCHEMA)
}

/// What has to be answered: every issue, every constraint.
fn ids(task: &RepairTask) -> Vec<String> {
    let issues = task.source_issues.iter().map(|issue| issue.id.clone());
    let constraints = (1..=task.constraints.len()).map(|number| format!("constraint_{number}"));
    issues.chain(constraints).collect()
}

fn yes_no(root: Node<'_>, ids: &[String]) -> Result<Delta, FormError> {
    let list = root
        .get("answers")
        .filter(|list| list.kind() == Kind::Array);
    let given: Vec<DeltaAnswer> = list
        .into_iter()
        .flat_map(Node::items)
        .map(|node| {
            let id = string(node, "id");
            let yes = truth(node, "answer")
                .ok_or_else(|| malformed(format!("the answer about `{id}` must be yes or no")))?;
            Ok(DeltaAnswer {
                yes,
                reason: string(node, "reason"),
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

fn string(node: Node<'_>, name: &str) -> String {
    node.get(name)
        .and_then(Node::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

fn word(node: Node<'_>, name: &str) -> Option<String> {
    let word = node.get(name).and_then(Node::as_str)?;
    Some(word.trim().trim_end_matches('.').to_ascii_lowercase())
}

fn truth(node: Node<'_>, name: &str) -> Option<bool> {
    let value = node.get(name)?;
    value
        .as_bool()
        .or_else(|| match word(node, name).as_deref() {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            _ => None,
        })
}

/// The last whole object of a reply that has a member of this name and can be
/// read, outside reasoning.
fn last_object<T>(
    text: &str,
    member: &str,
    read: impl Fn(Node<'_>) -> Result<T, FormError>,
) -> Result<T, FormError> {
    let mut best = None;
    for value in objects(text, member, &[]) {
        match value.root() {
            Some(_) if !value.complete() => best = Some(Err(FormError::Truncated)),
            Some(root) => match (read(root), &best) {
                (Err(_), Some(Ok(_))) => {}
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
