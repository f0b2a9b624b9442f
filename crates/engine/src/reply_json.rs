//! Replies in a given shape: the JSON that a schema asks for, out of whatever a
//! model wrote around it. It knows no profile; verdicts are read in core, which
//! can say more about them.
//!
//! | the reply | it is |
//! |---|---|
//! | several objects that fit | the last |
//! | objects, none of which fits | a complaint about the last: where, and what is wrong |
//! | an object that breaks off | a complaint; closing it would hide the cut |
//! | no object | a complaint that shows the first words |

use redraft_text::reply;
use serde_json::Value;
use thiserror::Error;

/// A schema, ready to read replies.
#[derive(Debug)]
pub struct Shape {
    validator: jsonschema::Validator,
}

/// A schema that is none.
#[derive(Debug, Error)]
#[error("this is no JSON Schema: {0}")]
pub struct ShapeError(String);

/// What is wrong with a reply, in words that a model can be shown.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Complaint(pub String);

impl Shape {
    /// Reads a schema.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(schema: &Value) -> Result<Self, ShapeError> {
        jsonschema::validator_for(schema)
            .map(|validator| Self { validator })
            .map_err(|error| ShapeError(error.to_string()))
    }

    /// The object of a reply that has this shape.
    ///
    /// # Errors
    /// When there is none, with what to tell the model.
    pub fn read(&self, text: &str) -> Result<Value, Complaint> {
        let (mut fitting, mut trouble) = (None, None);
        for object in reply::objects(text) {
            if !object.complete() {
                trouble = Some(format!("the answer breaks off: {}", first_words(text)));
                continue;
            }
            let value = reply::valid_json(text, &object)
                .and_then(|json| serde_json::from_str::<Value>(&json).ok());
            let Some(value) = value else {
                trouble = Some(format!(
                    "the answer is no valid JSON: {}",
                    first_words(text)
                ));
                continue;
            };
            match self.faults(&value) {
                None => fitting = Some(value),
                Some(faults) => trouble = Some(faults),
            }
        }
        fitting.ok_or_else(|| {
            Complaint(trouble.unwrap_or_else(|| {
                format!(
                    "there is no JSON object in the answer: {}",
                    first_words(text)
                )
            }))
        })
    }

    /// The first faults of a value; `None` where it has the shape.
    fn faults(&self, value: &Value) -> Option<String> {
        const MOST: usize = 3;
        let faults: Vec<String> = self
            .validator
            .iter_errors(value)
            .take(MOST)
            .map(|error| {
                let place = error.instance_path().to_string();
                let what: String = error.to_string().chars().take(160).collect();
                if place.is_empty() {
                    what
                } else {
                    format!("{place}: {what}")
                }
            })
            .collect();
        (!faults.is_empty()).then(|| {
            format!(
                "the answer does not have the shape that was asked for: {}",
                faults.join("; ")
            )
        })
    }
}

/// The beginning of a reply, for a message.
fn first_words(text: &str) -> String {
    const MOST: usize = 160;
    let beginning: String = text.chars().take(MOST * 4).collect();
    let joined = beginning.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.is_empty() {
        return "it is empty".to_owned();
    }
    match joined.char_indices().nth(MOST) {
        Some((at, _)) => format!("“{}…”", joined.get(..at).unwrap_or_default()),
        None => format!("“{joined}”"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_object_of_the_shape_is_taken() {
        let shape = Shape::new(&json!({
            "type": "object", "required": ["fixed"], "additionalProperties": false,
            "properties": {"fixed": {"type": "boolean"}, "why": {"type": "string", "maxLength": 9}},
        }))
        .unwrap();
        for (text, expected) in [
            (r#"{"fixed": true}"#, Ok(json!({"fixed": true}))),
            (
                "{\"fixed\": true} … no: {\"fixed\": false}",
                Ok(json!({"fixed": false})),
            ),
            (
                "{\"fixed\": true}\n\nI hope {this} helps",
                Ok(json!({"fixed": true})),
            ),
            (
                "<think>{\"fixed\": true}</think>```json\n{'fixed': False,}\n```",
                Ok(json!({"fixed": false})),
            ),
            ("", Err("it is empty")),
            ("Yes, it is fixed.", Err("“Yes, it is fixed.”")),
            (r#"{"fixed": tr"#, Err("breaks off")),
            (r#"{"fixed": "yes"}"#, Err("/fixed")),
            (r#"{"why": "I say so, and more"}"#, Err("fixed")),
        ] {
            match (shape.read(text), expected) {
                (Ok(value), Ok(expected)) => assert_eq!(value, expected, "{text}"),
                (Err(complaint), Err(words)) => {
                    assert!(complaint.0.contains(words), "{text}: {complaint}");
                }
                (read, expected) => panic!("{text}: {read:?}, not {expected:?}"),
            }
        }
        assert!(Shape::new(&json!({"type": 7})).is_err());
    }
}
