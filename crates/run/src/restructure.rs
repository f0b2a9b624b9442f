//! Changes of a document's components that no repair makes (ruling 59): they are proposed
//! to a person, as data. Which issues and findings ask for one is for the profile.

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
    /// In the component it is in.
    Own,
    /// In another one: what it is in cannot change.
    To(ComponentId),
    /// Nowhere: no edit of a component can fix it.
    Nowhere,
    /// Nowhere: it is proposed to a person.
    Person(Restructuring),
}
