//! Structured operations of a repair (ruling 59): adding, replacing and removing entries of lists
//! in a JSON document, and setting some values. A profile declares where they are allowed
//! ([`Slot`]), a patcher proposes them, and the program writes the bytes in the file's own style.
//! Knows no profile; `verify` and the delta judge decide whether the result is good.
//!
//! | a proposed operation | then |
//! |---|---|
//! | on a path without a slot | a complaint that lists the slots |
//! | on a slot that no issue of the task is about | rejected |
//! | an entry that is empty, JSON, framed, a duplicate or not among the allowed ones | rejected |
//! | removes an entry that must stay, or leaves too few | rejected |
//! | points that do not add up to their total | rejected |
//! | an id that exists already | rejected |
//! | anything else | edits, applied together with those of the texts |

mod entry;
mod json_path;
mod plan;
mod sequence;
mod values;

pub(crate) use json_path::find;
pub(crate) use plan::{Structure, edits, read};

use crate::outcome::OperationKind;
use crate::route::RepairTask;

/// A proposed change of a list or value (ruling 59).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub kind: OperationKind,
    /// The path: `cfu.hints`, `cfu.hints[2]`.
    pub path: String,
    /// The text of the new entries or value.
    pub body: String,
}

/// A list or value of a component that a repair may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The path where it is, or would be: `cards[2].cfu.hints`.
    pub path: String,
    pub form: SlotForm,
    /// Word stems by which an issue refers to it, each after a space. A slot that no issue refers
    /// to must not change.
    pub about: &'static [&'static str],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotForm {
    /// A list of texts.
    Texts(Texts),
    /// A list of objects.
    Entries(Entries),
    /// One of a few values.
    Value(Vec<Choice>),
    Number,
}

/// A list of texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The texts that may be added; `None` for any.
    pub allowed: Option<Vec<String>>,
    /// Texts that must stay.
    pub keep: Vec<String>,
    /// The minimum number of entries.
    pub least: usize,
}

/// A list of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    pub fields: Vec<EntryField>,
    /// How ids of new entries are made, if entries have ids.
    pub ids: Option<IdStyle>,
    /// The number that must equal the sum of the entries.
    pub total: Option<Total>,
    /// The minimum number of entries.
    pub least: usize,
}

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
    /// The number of digits.
    pub width: usize,
}

/// A number next to a list that must equal the sum of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The name of the number: `total_points`.
    pub name: String,
    /// The field of the entries that is added up: `points`.
    pub of: String,
}

/// A possible value, with everything else that must change with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub value: String,
    /// When to choose it, for the prompt.
    pub means: String,
    pub changes: Vec<ValueChange>,
}

/// A value to set or remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    pub path: String,
    /// `None` removes it.
    pub to: Option<Value>,
}

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
    /// Whether a task is about this slot. Only then may its repair change it.
    #[must_use]
    pub fn is_asked_for(&self, task: &RepairTask) -> bool {
        task.speaks_of(self.about)
    }

    /// The operations that it supports.
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
