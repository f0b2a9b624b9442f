//! A set of cards as a row of a store, and back.
//!
//! | store | `cards` | lists and objects beside them |
//! |---|---|---|
//! | `appwrite` | one string: `gzip:` and the base64 of the compressed JSON array | as JSON in a string |
//! | `json` | the array, and `cards_gzip` with the base64 beside it | as they are |
//!
//! The compressed bytes are those of the array as it is written, and the same cards give
//! the same bytes on every machine. How a file is read and written is not known here.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, GzBuilder};
use redraft_gate::reading::{self, Form, Hint};
use redraft_gate::source::Source;
use redraft_text::json::{Json, Kind, Node};
use thiserror::Error;

/// Before the compressed cards in one string.
const PREFIX: &str = "gzip:";

/// The field that holds the compressed cards beside the plain ones.
pub const COMPRESSED: &str = "cards_gzip";

/// What a row must have to be found again, with what is taken where the cards do not say.
#[derive(Clone, Debug, Default)]
pub struct RowDefaults {
    pub course: Option<String>,
    pub order: Option<i64>,
    pub created_by: Option<String>,
    pub status: Option<String>,
}

/// Why there is no row, or no template.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("not a JSON object with a `cards` array")]
    NotCards,
    #[error("the cards have no `{field}`; give {option}")]
    Missing {
        field: &'static str,
        option: &'static str,
    },
    #[error("`cards` is not {PREFIX} and the base64 of a compressed JSON array: {0}")]
    Damaged(String),
    #[error("the cards unpack to more than {0} bytes")]
    TooLarge(u64),
    #[error("the template is not valid JSON; repair it with `redraft check --fix`")]
    Invalid,
}

/// The row of a store that keeps cards in one string.
///
/// # Errors
/// When these are not cards, or what the store needs is missing.
pub fn packed_row(template: &[u8], defaults: &RowDefaults) -> Result<String, StoreError> {
    let (text, json) = read(template).ok_or(StoreError::NotCards)?;
    let root = json.root().ok_or(StoreError::NotCards)?;
    let cards = cards_of(root).ok_or(StoreError::NotCards)?;
    let written = |node: Node<'_>| text.get(node.span()).unwrap_or_default();
    valid(written(cards).to_owned())?;
    let missing = |field, option| StoreError::Missing { field, option };
    let given = |name: &str| root.get(name).filter(|node| node.kind() != Kind::Null);
    let course = given("courseId")
        .map(|node| written(node).to_owned())
        .or_else(|| defaults.course.as_deref().map(quoted))
        .ok_or_else(|| missing("courseId", "--course ID"))?;
    let order = given("sow_order")
        .map(|node| written(node).to_owned())
        .or_else(|| defaults.order.map(|order| order.to_string()))
        .ok_or_else(|| missing("sow_order", "--order N"))?;
    let or = |name: &str, usual: String| given(name).map_or(usual, |node| written(node).to_owned());
    let created_by = quoted(defaults.created_by.as_deref().unwrap_or("redraft"));
    let status = quoted(defaults.status.as_deref().unwrap_or("draft"));
    let mut fields: Vec<(String, String)> = vec![
        ("courseId".to_owned(), course),
        ("sow_order".to_owned(), order),
        ("createdBy".to_owned(), or("createdBy", created_by)),
        ("version".to_owned(), or("version", "1".to_owned())),
        ("status".to_owned(), or("status", status)),
    ];
    let mut known: HashSet<String> = fields.iter().map(|(name, _)| name.clone()).collect();
    known.extend(["cards", COMPRESSED].map(str::to_owned));
    for (key, value) in root.members() {
        if !known.insert(key.text.clone()) {
            continue;
        }
        let value = match value.kind() {
            // A store of columns has no lists and objects.
            Kind::Array | Kind::Object => quoted(written(value)),
            _ => written(value).to_owned(),
        };
        fields.push((key.text.clone(), value));
    }
    let packed = format!("\"{PREFIX}{}\"", packed(written(cards).as_bytes()));
    fields.push(("cards".to_owned(), packed));
    let lines: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("  {}: {value}", quoted(name)))
        .collect();
    valid(format!("{{\n{}\n}}\n", lines.join(",\n")))
}

/// The template with its cards compressed beside the plain ones.
///
/// # Errors
/// When it is not a JSON object with a list of cards.
pub fn plain_row(template: &[u8]) -> Result<String, StoreError> {
    let (text, json) = read(template).ok_or(StoreError::NotCards)?;
    let root = json.root().ok_or(StoreError::NotCards)?;
    let cards = cards_of(root).ok_or(StoreError::NotCards)?;
    let plain = text.get(cards.span()).unwrap_or_default();
    let field = format!("\"{}\"", packed(plain.as_bytes()));
    let (at, field) = match root.get(COMPRESSED) {
        Some(old) => (old.span(), field),
        None => {
            let end = cards.span().end;
            (end..end, format!(",\n  \"{COMPRESSED}\": {field}"))
        }
    };
    let whole = root.span();
    let part = |range| text.get(range).unwrap_or_default();
    valid(format!(
        "{}{field}{}\n",
        part(whole.start..at.start),
        part(at.end..whole.end)
    ))
}

/// The template of a row whose cards are one string; `None` where it is not such a row.
///
/// # Errors
/// When the string cannot be unpacked, or unpacks to more than this many bytes.
pub fn unpacked(row: &[u8], most: u64) -> Result<Option<Vec<u8>>, StoreError> {
    // Looked for before anything is parsed: nearly all files are not rows.
    let marks = format!("\"{PREFIX}");
    if memchr::memmem::find(row, marks.as_bytes()).is_none() {
        return Ok(None);
    }
    let Some((text, json)) = read(row) else {
        return Ok(None);
    };
    let Some(root) = json.root().filter(|root| root.kind() == Kind::Object) else {
        return Ok(None);
    };
    let cards = root.get("cards").and_then(Node::as_str);
    let Some(packed) = cards.and_then(|cards| cards.strip_prefix(PREFIX)) else {
        return Ok(None);
    };
    let cards = unzipped(packed, most)?;
    let mut lines = Vec::new();
    for (key, value) in root.members() {
        let written = text.get(value.span()).unwrap_or_default();
        let value = match (key.text.as_str(), value.as_str()) {
            ("cards", _) => cards.clone(),
            // Lists and objects come back out of their strings.
            (_, Some(json)) if is_packed(json) => json.to_owned(),
            _ => written.to_owned(),
        };
        lines.push(format!("  {}: {value}", quoted(&key.text)));
    }
    valid(format!("{{\n{}\n}}\n", lines.join(",\n"))).map(|text| Some(text.into_bytes()))
}

/// Whether a string holds a JSON list or object.
fn is_packed(text: &str) -> bool {
    text.trim_start().starts_with(['[', '{'])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// The members that come back from a packed row as something else: strings which hold a JSON
/// list or object themselves.
#[must_use]
pub fn ambiguous(template: &[u8]) -> Vec<String> {
    let Some((_, json)) = read(template) else {
        return Vec::new();
    };
    let members = json.root().into_iter().flat_map(Node::members);
    members
        .filter(|(_, value)| value.as_str().is_some_and(is_packed))
        .map(|(key, _)| key.text.clone())
        .collect()
}

fn read(bytes: &[u8]) -> Option<(String, Json)> {
    let raw = reading::read(Source::new(bytes.to_vec()), Hint::Json);
    let text = raw.source.text().to_owned();
    match raw.form {
        Form::Json(json) => Some((text, json)),
        Form::Markdown(_) | Form::JsonLines(_) => None,
    }
}

fn cards_of(root: Node<'_>) -> Option<Node<'_>> {
    root.get("cards")
        .filter(|cards| cards.kind() == Kind::Array)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn valid(row: String) -> Result<String, StoreError> {
    match serde_json::from_str::<serde::de::IgnoredAny>(&row) {
        Ok(_) => Ok(row),
        Err(_) => Err(StoreError::Invalid),
    }
}

/// Without a time and a name, so that the bytes depend on the content alone.
fn packed(bytes: &[u8]) -> String {
    let mut writer = GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = writer.write_all(bytes);
    STANDARD.encode(writer.finish().unwrap_or_default())
}

fn unzipped(packed: &str, most: u64) -> Result<String, StoreError> {
    let damaged = |why: &dyn std::fmt::Display| StoreError::Damaged(why.to_string());
    let bytes = STANDARD
        .decode(packed.trim())
        .map_err(|error| damaged(&error))?;
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(bytes.as_slice())
        .take(most.saturating_add(1))
        .read_to_end(&mut text)
        .map_err(|error| damaged(&error))?;
    if text.len() as u64 > most {
        return Err(StoreError::TooLarge(most));
    }
    let text = String::from_utf8(text).map_err(|error| damaged(&error))?;
    match text.trim_start().starts_with('[') {
        true => Ok(text),
        false => Err(damaged(&"it holds no JSON array")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = r#"{"courseId": "course_1", "title": "Ü", "outcomeRefs": ["O1"], "sow_order": 4, "policy": {"calculator_allowed": false}, "cards": [ {"id": "c1", "cost": 1.50} ], "n": 12345678901234567890}"#;

    #[test]
    fn a_packed_row_comes_back_as_the_template() {
        let row = packed_row(TEMPLATE.as_bytes(), &RowDefaults::default()).unwrap();
        let value: serde_json::Value = serde_json::from_str(&row).unwrap();
        assert_eq!(value["courseId"], "course_1");
        assert_eq!(value["sow_order"], 4);
        assert_eq!(value["createdBy"], "redraft");
        assert_eq!(value["version"], 1);
        assert_eq!(value["status"], "draft");
        assert_eq!(value["outcomeRefs"], r#"["O1"]"#);
        assert_eq!(value["policy"], r#"{"calculator_allowed": false}"#);
        assert!(value["cards"].as_str().unwrap().starts_with("gzip:H4sI"));
        assert!(row.contains("12345678901234567890"), "{row}");
        assert_eq!(
            row,
            packed_row(TEMPLATE.as_bytes(), &RowDefaults::default()).unwrap()
        );
        let back = unpacked(row.as_bytes(), 1_000_000).unwrap().unwrap();
        let back = String::from_utf8(back).unwrap();
        assert!(
            back.contains(r#""cards": [ {"id": "c1", "cost": 1.50} ]"#),
            "{back}"
        );
        assert!(back.contains(r#""outcomeRefs": ["O1"]"#), "{back}");
    }

    #[test]
    fn every_member_of_a_row_comes_back() {
        let template = r#"{"courseId": "c", "sow_order": 1, "createdBy": "a", "version": 2, "status": "draft", "cards": [], "tags": ["x", {"y": 1}], "meta": {"z": []}, "note": null, "said": "[sic] {", "answer": "[1]"}"#;
        let row = packed_row(template.as_bytes(), &RowDefaults::default()).unwrap();
        let back = unpacked(row.as_bytes(), 1_000).unwrap().unwrap();
        let value = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap();
        let (mut before, mut after) = (value(template.as_bytes()), value(&back));
        // A string that holds a list is one afterwards, and is named.
        assert_eq!(ambiguous(template.as_bytes()), ["answer"]);
        assert_eq!(before["answer"].take(), "[1]");
        assert_eq!(after["answer"].take(), serde_json::json!([1]));
        assert_eq!(after, before);
    }

    #[test]
    fn what_a_store_needs_is_asked_for() {
        let bare = br#"{"title": "T", "cards": []}"#;
        let error = packed_row(bare, &RowDefaults::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the cards have no `courseId`; give --course ID"
        );
        let given = RowDefaults {
            course: Some("course_9".to_owned()),
            order: Some(3),
            ..RowDefaults::default()
        };
        assert!(
            packed_row(bare, &given)
                .unwrap()
                .contains("\"sow_order\": 3")
        );
        for other in ["", "[]", "# A lesson", r#"{"cards": 1}"#, r#"{"cards": [}"#] {
            assert!(packed_row(other.as_bytes(), &given).is_err(), "{other}");
            assert!(plain_row(other.as_bytes()).is_err(), "{other}");
        }
    }

    #[test]
    fn damaged_and_huge_rows_are_rejected_and_other_files_left_alone() {
        let row = |cards: &str| format!(r#"{{"courseId": "c", "cards": "{cards}"}}"#);
        for cards in ["gzip:", "gzip:!!!", "gzip:AAAA", "gzip:H4sIAAAA"] {
            assert!(unpacked(row(cards).as_bytes(), 1_000).is_err(), "{cards}");
        }
        let bomb = format!("gzip:{}", packed(&vec![b'['; 100_000]));
        assert!(matches!(
            unpacked(row(&bomb).as_bytes(), 1_000),
            Err(StoreError::TooLarge(_))
        ));
        let object = format!("gzip:{}", packed(b"{}"));
        assert!(unpacked(row(&object).as_bytes(), 1_000).is_err());
        for other in [
            TEMPLATE,
            "# gzip: a lesson",
            r#"{"text": "gzip:x"}"#,
            r#"["gzip:x"]"#,
        ] {
            assert!(
                unpacked(other.as_bytes(), 1_000).unwrap().is_none(),
                "{other}"
            );
        }
    }

    #[test]
    fn the_compressed_cards_are_the_plain_ones_byte_for_byte() {
        for (template, cards) in [
            (TEMPLATE, r#"[ {"id": "c1", "cost": 1.50} ]"#),
            (r#"{"cards":[]}"#, "[]"),
            (
                r#"{"cards": ["£"], "cards_gzip": "old", "after": 1}"#,
                r#"["£"]"#,
            ),
        ] {
            let row = plain_row(template.as_bytes()).unwrap();
            let value: serde_json::Value = serde_json::from_str(&row).unwrap();
            let held = unzipped(value[COMPRESSED].as_str().unwrap(), 1_000).unwrap();
            assert_eq!(held, cards);
            assert_eq!(row.matches(COMPRESSED).count(), 1, "{row}");
            // What was there stays as it was written.
            let start = template
                .split_once("cards_gzip")
                .map_or(template, |(start, _)| start);
            let end = start.find(cards).unwrap() + cards.len();
            assert!(row.starts_with(&template[..end]), "{row}");
            // Packing once more changes nothing.
            assert_eq!(plain_row(row.as_bytes()).unwrap(), row);
        }
    }
}
