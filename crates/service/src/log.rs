//! Structured logs: one JSON object a line on standard error. Nothing of a document, a
//! reply or a key is logged.

use std::io::Write as _;

use redraft_engine::clock::{Clock as _, SystemClock};
use serde_json::{Map, Value};

/// Writes a line. A log that cannot be written stops nothing.
pub fn line(event: &str, fields: Value) {
    let mut object = Map::new();
    object.insert("at".to_owned(), SystemClock.now().0.into());
    object.insert("event".to_owned(), event.into());
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    let text = Value::Object(object).to_string() + "\n";
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
