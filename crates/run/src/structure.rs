//! Structured operations of a repair (ruling 59): entries of lists in a JSON document are
//! added, replaced or removed, and a few values set. A profile declares where
//! ([`Slot`]); a patcher proposes; the program writes the bytes, in the file's own style.
//! No profile is known here, and nothing is decided about whether the result is good:
//! that is for `verify` and the delta judge.
//!
//! | a proposed operation | then |
//! |---|---|
//! | on a path that no slot has | a complaint that lists the slots |
//! | on a slot that no issue of the task speaks of | rejected |
//! | an entry that is empty, JSON, framed, there already or not among the allowed ones | rejected |
//! | removes an entry that must stay, or leaves too few | rejected |
//! | points that do not add up to their total | rejected |
//! | an id that occurs already | rejected |
//! | anything else | edits, all at once with those of the texts |

mod entry;
mod json_path;
mod plan;
mod sequence;
mod values;

pub(crate) use json_path::find;
pub(crate) use plan::{Structure, edits, read};

use crate::outcome::OperationKind;
use crate::route::RepairTask;

/// A change of a list or value (ruling 59), as a reply puts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub kind: OperationKind,
    /// Where: `cfu.hints`, `cfu.hints[2]`.
    pub path: String,
    /// The words of the new entries or value.
    pub body: String,
}

/// A list or value of a component that a repair may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Where it is, or would be: `cards[2].cfu.hints`.
    pub path: String,
    pub form: SlotForm,
    /// Stems of the words in which an issue speaks of it, each after a space. What no
    /// issue speaks of stays as it is.
    pub about: &'static [&'static str],
}

/// What a slot holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotForm {
    /// A list of texts.
    Texts(Texts),
    /// A list of objects.
    Entries(Entries),
    /// One of a few values.
    Value(Vec<Choice>),
    /// A number.
    Number,
}

/// A list of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The texts that may be added; `None` for any.
    pub allowed: Option<Vec<String>>,
    /// Texts that stay.
    pub keep: Vec<String>,
    /// The fewest entries it may have.
    pub least: usize,
}

/// A list of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    pub fields: Vec<EntryField>,
    /// How ids of new entries are made, where entries have ids.
    pub ids: Option<IdStyle>,
    /// The number that the entries add up to.
    pub total: Option<Total>,
    /// The fewest entries it may have.
    pub least: usize,
}

/// A field of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryField {
    pub name: String,
    pub kind: FieldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Text,
    /// A number above zero.
    Number,
}

/// Ids such as `MISC_004`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdStyle {
    /// The field that holds the id.
    pub field: String,
    pub prefix: String,
    /// Digits of its number.
    pub width: usize,
}

/// A number beside a list that its entries add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// Its name, beside the list: `total_points`.
    pub name: String,
    /// The field of the entries: `points`.
    pub of: String,
}

/// A value that may be chosen, with everything that has to change along with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    /// For the prompt: when it is right.
    pub means: String,
    pub changes: Vec<ValueChange>,
}

/// A value that is set, or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    pub path: String,
    /// `None` removes it.
    pub to: Option<Value>,
}

/// A value of a JSON document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(String),
    /// A number as it is written.
    Number(String),
    Bool(bool),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Slot {
    /// Whether a task speaks of this slot: only then may its repair change it.
    #[must_use]
    pub fn is_asked_for(&self, task: &RepairTask) -> bool {
        task.speaks_of(self.about)
    }

    /// The operations that make sense on it.
    #[must_use]
    pub fn operations(&self) -> &'static [OperationKind] {
        match self.form {
            SlotForm::Texts(_) | SlotForm::Entries(_) => &[
                OperationKind::Add,
                OperationKind::Replace,
                OperationKind::Remove,
            ],
            SlotForm::Value(_) | SlotForm::Number => &[OperationKind::Replace],
        }
    }
}

#[cfg(test)]
mod tests;
