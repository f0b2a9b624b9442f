//! Reads replies of models: finds the JSON object, reads it into a type, and derives the JSON
//! Schema for the question from the same type. Each reader gives the fields their meaning.

mod beside;
mod deserialize;
pub(crate) mod fields;
mod objects;
mod schema;
mod strict;

pub(crate) use deserialize::{ReadError, from_node};
pub(crate) use objects::{breaks_off, first_lines, looks_like_refusal, objects};
pub(crate) use schema::{restrict_to, schema_of};
pub(crate) use strict::StrictObject;

#[cfg(test)]
mod tests;
