//! Reads the self-review that a model wrote (seed 001). `review` has the program's own review of
//! its findings. This module decides neither what follows from a status nor whether an edit is
//! applied.
//!
//! | the reply | result |
//! |---|---|
//! | white space, a refusal, no object with `status`, one that breaks off | an error of that name |
//! | the `text_id` of another text, or none | an error, `another_text` |
//! | an unknown status, type or severity | an error, `wrong_shape` |
//! | REGENERATE without a CRITICAL issue | an error, `wrong_shape`: nothing shows the damage |
//! | FIXED without an edit | an error, `wrong_shape` |
//! | FLAG_TO_JUDGE or PASS_WITH_FLAGS without an issue | an error, `wrong_shape` |
//! | PASS with issues | an error, `wrong_shape` |
//! | edits with any status other than FIXED | read without them |
//! | an edit that names no component and whose words are not found | an error, `wrong_shape` |
//! | reasoning of more than two sentences | the first two |
//! | several objects | the last well-formed one outside quotations |

use std::sync::{Arc, LazyLock};

use redraft_text::json::Node;
use redraft_text::sentences::sentences;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ask::{Finish, Reply, Schema};
use crate::reply::fields::{Choice, Choices, List, Text};
use crate::reply::{breaks_off, first_lines, from_node, looks_like_refusal, objects, schema_of};
use crate::verdict::{Quotes, Reason, location};
use redraft_gate::check::Concern;
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::review::{Issue, IssueSeverity, SelfReview, Status};
use redraft_gate::span::ComponentId;

/// A model's review of a text, before a judge is paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ModelReview {
    pub status: Status,
    /// The reason in at most two sentences.
    pub reasoning: String,
    pub issues: Vec<Issue>,
    /// Edits that remove noise; only with [`Status::Fixed`].
    pub edits: Vec<ProposedEdit>,
}

/// An unchecked edit that a model proposes within one component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProposedEdit {
    pub location: ComponentId,
    /// Words of the component.
    pub search: String,
    /// The replacement; empty to delete the words.
    pub replace: String,
}

/// Why a reply is not usable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct FormError {
    /// The kind of reason; it decides whether a complaint may help.
    pub reason: Reason,
    /// The reason, worded for people and for the complaint.
    pub message: String,
}

impl FormError {
    fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
        }
    }

    fn shape(message: impl Into<String>) -> Self {
        Self::new(Reason::WrongShape, message)
    }
}

/// Reads a reply as a review of this text.
///
/// # Errors
/// If the reply has no reliable review; the reason says why.
pub fn read(document: &Document, reply: &Reply) -> Result<ModelReview, FormError> {
    let text = reply.text.as_str();
    let declined = || {
        let message = format!("the reviewer declined: {}", first_lines(text));
        FormError::new(Reason::Refused, message)
    };
    if reply.finish == Finish::Refusal {
        return Err(declined());
    }
    if text.trim().is_empty() {
        return Err(FormError::new(Reason::Empty, "the reply was empty"));
    }
    let mut best = None;
    let mut trouble = None;
    let mut breaks_off = breaks_off(reply);
    for candidate in objects(text, "status", &["text_id", "issues"]) {
        if !candidate.complete() {
            breaks_off = true;
            continue;
        }
        match candidate.root().map(|root| review(document, text, root)) {
            Some(Ok(review)) => best = Some(review),
            Some(Err(error)) => trouble = Some(error),
            None => {}
        }
    }
    if let Some(review) = best.filter(|_| !breaks_off) {
        return Ok(review);
    }
    Err(if let Some(trouble) = trouble.filter(|_| !breaks_off) {
        trouble
    } else if breaks_off {
        let message = format!("the reply breaks off: {}", first_lines(text));
        FormError::new(Reason::Truncated, message)
    } else if looks_like_refusal(text) {
        declined()
    } else {
        let message = format!("there is no review in the reply: {}", first_lines(text));
        FormError::new(Reason::NotAVerdict, message)
    })
}

/// Whether a self-reviewer that was not configured explicitly has something to look at: the text's
/// companions (seed 001, phase 3), or what the free checks flagged (ruling 54).
#[must_use]
pub fn has_occasion(companions: &Companions, by_program: &SelfReview) -> bool {
    let has_companion = companions.specification.is_some()
        || !companions.sources.is_empty()
        || !companions.scheme_of_work.is_empty()
        || !companions.outcomes.is_empty();
    let is_flag = |issue: &Issue| issue.severity != IssueSeverity::Fixable;
    has_companion || by_program.issues.iter().any(is_flag)
}

/// A review as a model writes it.
#[derive(Deserialize, JsonSchema)]
struct ReviewReply {
    text_id: Text,
    issues: List<IssueReply>,
    edits: List<EditReply>,
    reasoning: Text,
    status: Choice<Status>,
}

#[derive(Deserialize, JsonSchema)]
struct IssueReply {
    #[serde(rename = "type")]
    concern: Choice<Concern>,
    severity: Choice<IssueSeverity>,
    location: Text,
    description: Text,
}

#[derive(Deserialize, JsonSchema)]
struct EditReply {
    location: Text,
    search: Text,
    replace: Text,
}

fn review(document: &Document, text: &str, root: Node<'_>) -> Result<ModelReview, FormError> {
    let given: ReviewReply =
        from_node(text, root).map_err(|error| FormError::shape(error.to_string()))?;
    let content = document.source().version().to_string();
    let text_id = given.text_id.trimmed();
    if text_id != content {
        let message = if text_id.is_empty() {
            "the review does not say which text it is about".to_owned()
        } else {
            format!("the review is about another text ({text_id}, not {content})")
        };
        return Err(FormError::new(Reason::AnotherText, message));
    }
    let status = known("status", &given.status)?;
    let issues: Vec<Issue> = given
        .issues
        .0
        .iter()
        .map(|given| issue(document, given))
        .collect::<Result<_, _>>()?;
    let edits: Vec<ProposedEdit> = match status {
        Status::Fixed => given
            .edits
            .0
            .iter()
            .map(|given| edit(document, given))
            .collect::<Result<_, _>>()?,
        _ => Vec::new(),
    };
    let is_critical = |issue: &Issue| issue.severity == IssueSeverity::Critical;
    let lacks = match status {
        Status::Regenerate if !issues.iter().any(is_critical) => {
            "the status is REGENERATE, but no issue is CRITICAL"
        }
        Status::Fixed if edits.is_empty() => "the status is FIXED, but there are no edits",
        Status::FlagToJudge | Status::PassWithFlags if issues.is_empty() => {
            "the status says that there are issues, but none is listed"
        }
        Status::Pass if !issues.is_empty() => "the status is PASS, but issues are listed",
        _ => "",
    };
    if !lacks.is_empty() {
        return Err(FormError::shape(lacks));
    }
    Ok(ModelReview {
        status,
        reasoning: two_sentences(given.reasoning.trimmed()),
        issues,
        edits,
    })
}

impl Choices for Status {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("PASS", Self::Pass),
        ("PASS_WITH_FLAGS", Self::PassWithFlags),
        ("FIXED", Self::Fixed),
        ("REGENERATE", Self::Regenerate),
        ("FLAG_TO_JUDGE", Self::FlagToJudge),
    ];
}

impl Choices for IssueSeverity {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("CRITICAL", Self::Critical),
        ("COMPLEX", Self::Complex),
        ("FIXABLE", Self::Fixable),
        ("INFO", Self::Info),
    ];
}

impl Choices for Concern {
    const NAMED: &'static [(&'static str, Self)] = &[
        ("TRUNCATION", Self::Truncation),
        ("LANGUAGE", Self::Language),
        ("ALIGNMENT", Self::Alignment),
        ("HALLUCINATION", Self::Hallucination),
        ("HYGIENE", Self::Hygiene),
    ];
}

fn known<T: Choices>(field: &str, choice: &Choice<T>) -> Result<T, FormError> {
    choice.known().ok_or_else(|| {
        let given = first_lines(choice.given().trimmed());
        FormError::shape(format!(
            "`{field}` is {given}; it must be one of {}",
            Choice::<T>::names().join(", ")
        ))
    })
}

fn issue(document: &Document, given: &IssueReply) -> Result<Issue, FormError> {
    let description = given.description.trimmed();
    if description.is_empty() {
        return Err(FormError::shape("an issue says nothing"));
    }
    let location = location::resolve(document, given.location.trimmed())
        .map_or_else(ComponentId::whole, |component| component.id.clone());
    Ok(Issue {
        kind: known("type", &given.concern)?.name(),
        severity: known("severity", &given.severity)?,
        location: location.to_string(),
        description: description.to_owned(),
    })
}

fn edit(document: &Document, given: &EditReply) -> Result<ProposedEdit, FormError> {
    // White space at both ends is part of the search text.
    let search = given.search.whole();
    if search.trim().is_empty() {
        return Err(FormError::shape("an edit does not say what to search for"));
    }
    let quotes = Quotes::new(document);
    let quoted = || {
        let occurrence = quotes.look_up(search).ok()?;
        quotes.component(&occurrence)
    };
    let location = location::resolve(document, given.location.whole())
        .or_else(quoted)
        .map(|component| component.id.clone())
        .ok_or_else(|| {
            FormError::shape(format!(
                "an edit names no part of the text: {}",
                first_lines(given.location.whole())
            ))
        })?;
    Ok(ProposedEdit {
        location,
        search: search.to_owned(),
        replace: given.replace.whole().to_owned(),
    })
}

/// The first two sentences (seed 001).
fn two_sentences(text: &str) -> String {
    let end = sentences(text, None).nth(1).map_or(text.len(), |s| s.end);
    text.get(..end).unwrap_or(text).to_owned()
}

/// The JSON Schema of the reply.
#[must_use]
pub fn schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> =
        LazyLock::new(|| Arc::new(Schema::new(schema_of::<ReviewReply>())));
    Arc::clone(&SCHEMA)
}

#[cfg(test)]
mod tests {
    use super::*;
    use redraft_gate::content::{Component, ComponentKind, DocumentBuilder, NewText, TextRole};
    use redraft_gate::source::Source;

    const TEXT: &str = "Sure, here it is!\n\nWater boils at 100 °C.\n";

    fn document() -> Document {
        let mut builder = DocumentBuilder::new(Source::new(TEXT.as_bytes().to_vec()), "markdown");
        builder.component(Component {
            id: ComponentId::from("sec_introduction"),
            kind: ComponentKind::Introduction,
            title: None,
            range: 0..TEXT.len(),
            parent: Some(DocumentBuilder::WHOLE),
        });
        builder.text(NewText {
            component: DocumentBuilder::WHOLE,
            path: "".into(),
            role: TextRole::Body,
            text: TEXT.into(),
            map: redraft_text::text_map::TextMap::identity(0, TEXT.len()),
            markdown: None,
        });
        builder.finish(None)
    }

    fn read_text(text: &str, finish: Finish) -> Result<ModelReview, FormError> {
        let document = document();
        let id = document.source().version().to_string();
        let reply = Reply {
            finish,
            ..Reply::of(text.replace("ID", &id))
        };
        read(&document, &reply)
    }

    fn reply(status: &str, issues: &str, edits: &str) -> String {
        format!(
            r#"{{"text_id": "ID", "issues": [{issues}], "edits": [{edits}], "reasoning": "One. Two. Three.", "status": "{status}"}}"#
        )
    }

    fn issue_of(kind: &str, severity: &str) -> String {
        format!(
            r#"{{"type": "{kind}", "severity": "{severity}", "location": "sec_introduction", "description": "It is so."}}"#
        )
    }

    const EDIT: &str =
        r#"{"location": "sec_introduction", "search": "Sure, here it is!\n\n", "replace": ""}"#;

    #[test]
    fn every_status_is_read_with_what_it_needs() {
        for (status, issues, edits, expected) in [
            ("PASS", String::new(), "", Status::Pass),
            (
                "PASS_WITH_FLAGS",
                issue_of("ALIGNMENT", "INFO"),
                "",
                Status::PassWithFlags,
            ),
            ("FIXED", issue_of("HYGIENE", "FIXABLE"), EDIT, Status::Fixed),
            (
                "REGENERATE",
                issue_of("TRUNCATION", "CRITICAL"),
                "",
                Status::Regenerate,
            ),
            (
                "FLAG_TO_JUDGE",
                issue_of("HALLUCINATION", "COMPLEX"),
                "",
                Status::FlagToJudge,
            ),
        ] {
            let review = read_text(&reply(status, &issues, edits), Finish::Stop).unwrap();
            assert_eq!(review.status, expected);
            assert_eq!(review.reasoning, "One. Two.");
            assert_eq!(review.issues.len(), usize::from(!issues.is_empty()));
            assert_eq!(review.edits.len(), usize::from(!edits.is_empty()));
        }
    }

    #[test]
    fn an_edit_keeps_its_white_space_and_is_placed_by_its_part_or_its_words() {
        for edit in [
            EDIT.to_owned(),
            EDIT.replace("sec_introduction", "the opening"),
        ] {
            let review = read_text(&reply("FIXED", "", &edit), Finish::Stop).unwrap();
            assert_eq!(
                review.edits,
                [ProposedEdit {
                    location: ComponentId::from("sec_introduction"),
                    search: "Sure, here it is!\n\n".to_owned(),
                    replace: String::new(),
                }]
            );
        }
    }

    #[test]
    fn edits_beside_another_status_are_left_out() {
        let issue = issue_of("HALLUCINATION", "COMPLEX");
        let review = read_text(&reply("FLAG_TO_JUDGE", &issue, EDIT), Finish::Stop).unwrap();
        assert_eq!(review.edits, []);
    }

    #[test]
    fn what_cannot_be_used_is_an_error_with_a_reason() {
        let complex = issue_of("ALIGNMENT", "COMPLEX");
        let elsewhere = r#"{"location": "x", "search": "not there", "replace": ""}"#;
        let nothing = r#"{"location": "sec_introduction", "search": " ", "replace": ""}"#;
        for (text, reason) in [
            (" \n".to_owned(), Reason::Empty),
            ("All is well.".to_owned(), Reason::NotAVerdict),
            ("I'm sorry, no.".to_owned(), Reason::Refused),
            (reply("FINE", "", ""), Reason::WrongShape),
            (reply("REGENERATE", &complex, ""), Reason::WrongShape),
            (reply("FIXED", &complex, ""), Reason::WrongShape),
            (reply("FIXED", "", elsewhere), Reason::WrongShape),
            (reply("FIXED", "", nothing), Reason::WrongShape),
            (reply("FLAG_TO_JUDGE", "", ""), Reason::WrongShape),
            (reply("PASS_WITH_FLAGS", "", ""), Reason::WrongShape),
            (reply("PASS", &complex, ""), Reason::WrongShape),
            (
                reply("FLAG_TO_JUDGE", &issue_of("TASTE", "COMPLEX"), ""),
                Reason::WrongShape,
            ),
            (
                reply("FLAG_TO_JUDGE", &issue_of("ALIGNMENT", "BAD"), ""),
                Reason::WrongShape,
            ),
            (
                reply("FLAG_TO_JUDGE", r#"{"type": "HYGIENE"}"#, ""),
                Reason::WrongShape,
            ),
            (
                reply("PASS", "", "").replace("ID", "0000000000000000"),
                Reason::AnotherText,
            ),
            (
                reply("PASS", "", "").replace("\"text_id\": \"ID\", ", ""),
                Reason::AnotherText,
            ),
            (reply("PASS", "", "")[..60].to_owned(), Reason::Truncated),
            (format!("> {}", reply("PASS", "", "")), Reason::NotAVerdict),
        ] {
            let error = read_text(&text, Finish::Stop).unwrap_err();
            assert_eq!(error.reason, reason, "{text}\n{error}");
        }
        let refused = read_text(&reply("PASS", "", ""), Finish::Refusal).unwrap_err();
        assert_eq!(refused.reason, Reason::Refused);
    }

    #[test]
    fn the_last_review_outside_reasoning_and_quotations_counts() {
        let flagged = reply("FLAG_TO_JUDGE", &issue_of("ALIGNMENT", "COMPLEX"), "");
        let text = format!(
            "<think>{}</think>\n{}\nOn second thoughts:\n```json\n{flagged}\n```\n> {}",
            reply("PASS", "", ""),
            reply("PASS", "", ""),
            reply("PASS", "", ""),
        );
        let review = read_text(&text, Finish::Stop).unwrap();
        assert_eq!(review.status, Status::FlagToJudge);
    }
}
