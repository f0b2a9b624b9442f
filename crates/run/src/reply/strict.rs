//! Strictly reads the object of a reply that decides something (ruling 49): there must be exactly
//! one, it must be complete, and the members that matter must not have been repaired.
//!
//! | the reply | result |
//! |---|---|
//! | nothing but white space | `empty` |
//! | a refusal, or words around the object that decline | `refused` |
//! | no object of this kind | `not_a_verdict` |
//! | an incomplete object, whatever came before it; thinking that never ends | `truncated` |
//! | several objects, even if one is quoted, broken or of another kind; a duplicate key; members that are not strict JSON | `wrong_shape` |
//! | an object announced as an example, or inside a comment, a tag or another's turn | `wrong_shape` |
//! | sentences before it in a language that nobody here reads; words after it that may retract something or add to it | `wrong_shape` |
//!
//! A reply may think aloud before its object, put it into a fence, and end with an offer of help.

use std::collections::BTreeSet;
use std::ops::Range;

use redraft_text::json::{Json, Node, RecoveryKind};
use redraft_text::reply;

use super::beside::Beside;
use super::objects::{breaks_off, first_lines, looks_like_refusal, objects};
use crate::ask::{Finish, Reply};
use crate::unscored::{Reason, Unscored};

/// Describes the object that is expected in a reply.
pub(crate) struct StrictObject<'a> {
    /// Its name in messages: `verdict`.
    pub(crate) name: &'a str,
    /// The role that gives it: `judge`.
    pub(crate) by: &'a str,
    /// The member that identifies it.
    pub(crate) field: &'a str,
    /// Members that identify an incomplete one.
    pub(crate) earlier: &'a [&'a str],
    /// Members that must be strict JSON: repairing `0,93` would create a score that nobody gave.
    pub(crate) strict: &'a [&'a str],
    /// Members that no other object of the reply may have. Such an object would be a second one, or
    /// a part of this one that is never read.
    pub(crate) nowhere_else: &'a [&'a str],
}

impl StrictObject<'_> {
    /// Finds the object; it is guaranteed to have a root.
    ///
    /// # Errors
    /// If the reply has no reliable object; the reason says why.
    pub(crate) fn find(&self, reply: &Reply) -> Result<Json, Unscored> {
        let Self { name, by, .. } = self;
        let text = reply.text.as_str();
        let declined = |text: &str| {
            let message = format!("the {by} declined: {}", first_lines(text));
            Unscored::new(Reason::Refused, message)
        };
        if reply.finish == Finish::Refusal {
            return Err(declined(text));
        }
        if text.trim().is_empty() {
            return Err(Unscored::new(Reason::Empty, "the reply was empty"));
        }
        let mut candidates = objects(text, self.field, self.earlier);
        // An object before the break is one that the model continued from.
        if breaks_off(reply) || candidates.iter().any(|candidate| !candidate.complete()) {
            let message = format!("the reply breaks off: {}", first_lines(text));
            return Err(Unscored::new(Reason::Truncated, message));
        }
        let beside = Beside::of(text, &candidates);
        let around = beside.all();
        if looks_like_refusal(&around) {
            return Err(declined(&around));
        }
        let wrong = |what: String| Err(Unscored::new(Reason::WrongShape, what));
        let is_elsewhere = |name: &&str| around.contains(&format!("\"{name}\""));
        match (candidates.pop(), candidates.is_empty()) {
            (None, _) => Err(Unscored::new(
                Reason::NotAVerdict,
                format!("there is no {name} in the reply: {}", first_lines(text)),
            )),
            (Some(_), false) => wrong(format!(
                "the reply contains several {name}s; it must contain exactly one"
            )),
            (Some(_), true) if self.nowhere_else.iter().any(is_elsewhere) => wrong(format!(
                "the reply contains a second {name}, or a part of one"
            )),
            (Some(_), true) if self.is_beside_another(text) => wrong(format!(
                "there is another object beside the {name}; the reply must contain exactly one"
            )),
            (Some(_), true) if beside.announces_sample() => {
                wrong(format!("the {name} is announced as an example"))
            }
            (Some(_), true) if beside.has_unread_words_before() => {
                wrong(format!("words precede the {name}; answer with it alone"))
            }
            (Some(_), true) if let Some(what) = beside.enclosing() => {
                wrong(format!("the {name} is inside {what}; answer with it alone"))
            }
            (Some(_), true) if beside.has_words_after() => wrong(format!(
                "words follow the {name}; everything must be inside it: {}",
                first_lines(beside.after())
            )),
            (Some(only), true) => {
                let root = only.root().filter(|_| only.recoveries_omitted == 0);
                let Some(root) = root else {
                    return wrong(format!("the {name} is not JSON"));
                };
                match self.fault(&only, root) {
                    Some(fault) => wrong(fault),
                    None => Ok(only),
                }
            }
        }
    }

    /// Whether the reply has another object of plain JSON, such as an issue under other names, or
    /// an error.
    fn is_beside_another(&self, text: &str) -> bool {
        reply::objects(text).iter().any(|value| {
            let is_plain = value.complete() && value.recoveries.is_empty();
            let says = |root: Node<'_>| root.members().next().is_some();
            is_plain
                && (value.root()).is_some_and(|root| says(root) && root.get(self.field).is_none())
        })
    }

    /// What makes its JSON unreliable.
    fn fault(&self, json: &Json, root: Node<'_>) -> Option<String> {
        let strict: Vec<(&str, Range<usize>)> = self
            .strict
            .iter()
            .filter_map(|name| Some((*name, root.get(name)?.span())))
            .collect();
        let members = || self.strict.iter().filter_map(|name| root.get(name));
        let items = members().flat_map(Node::items);
        let mut objects = std::iter::once(root).chain(members()).chain(items);
        if objects.any(same_key_twice) {
            return Some(format!("the {} has the same key twice", self.name));
        }
        json.recoveries.iter().find_map(|recovery| {
            if recovery.kind == RecoveryKind::DuplicateKey {
                return Some(format!("the {} has the same key twice", self.name));
            }
            let touches = |span: &Range<usize>| {
                recovery.span.start <= span.end && span.start <= recovery.span.end
            };
            let (name, _) = strict.iter().find(|(_, span)| touches(span))?;
            Some(format!(
                "`{name}` is not valid JSON: {}",
                recovery.kind.describe()
            ))
        })
    }
}

/// Whether two keys of an object differ only in case, blanks or punctuation: it is left open which
/// of them counts.
fn same_key_twice(object: Node<'_>) -> bool {
    let mut known = BTreeSet::new();
    object.members().any(|(name, _)| {
        let letters = name.text.chars().filter(|c| c.is_alphanumeric());
        let letters: String = letters.flat_map(char::to_lowercase).collect();
        !known.insert(letters)
    })
}
