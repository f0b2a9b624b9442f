//! Reading a model's reply: finding the JSON object in it, reading that object into
//! a type, and deriving from the same type the JSON Schema that goes out with the
//! question. What the fields mean is for each reader to say.

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
