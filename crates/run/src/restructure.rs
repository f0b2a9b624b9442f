//! Changes to a document's structure that no repair makes (ruling 59). They are proposed to a
//! reviewer, as data. The profile decides which issues and findings need one.

use schemars::JsonSchema;
use serde::Serialize;

use redraft_gate::span::ComponentId;

/// Components that a person is asked to merge, split, delete or add.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Restructuring {
    pub action: RestructuringAction,
    /// The components concerned, in the order of the text; empty if none was named.
    pub components: Vec<ComponentId>,
    /// What is wrong, in the words of who found it.
    pub reason: String,
    /// Who found it.
    pub raised_by: RaisedBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RestructuringAction {
    Merge,
    Split,
    Delete,
    Add,
    /// A key or expected answer that nothing proves wrong.
    ChangeAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RaisedBy {
    Judge,
    Check,
}

/// Where a finding of the free checks is repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingRoute {
    /// In its own component.
    Own,
    /// In another component, because its own cannot change.
    To(ComponentId),
    /// Not at all: no edit of a component can fix it.
    Nowhere,
    /// Not by a repair: it is proposed to a reviewer.
    Person(Restructuring),
}
