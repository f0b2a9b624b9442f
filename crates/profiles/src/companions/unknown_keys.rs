//! The keys of a specification that nothing reads (ruling 57): each with its place and
//! the known key that is most like it, so that a misspelt `key_ponts` does not vanish.
//!
//! | a key | then |
//! |---|---|
//! | declared in `fields.rs`, in snake_case, camelCase or with hyphens | read |
//! | `id`, `…_id`, `version`, `description`, beginning with `$` or `_` | left to its owner, without a word |
//! | anything else | listed, once for all sections |
//!
//! A known key whose value is of another type is not read either, and is listed with what it
//! should hold.

use std::collections::BTreeSet;

use redraft_text::json::{Kind, Node};
use redraft_text::language::Language;

use super::fields::{Field, Object, Value, specification};

/// More are not a slip but another format.
const MOST: usize = 20;

/// A key that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// Where it is first found, such as `sections[0].key_ponts`.
    pub path: String,
    /// The known key most like it, if one is.
    pub nearest: Option<&'static str>,
    /// All keys that are read there.
    pub known: Vec<&'static str>,
}

/// A known key whose value is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongValue {
    /// Where it is, such as `estimated_duration_minutes`.
    pub path: String,
    /// What it should hold, such as `a number`.
    pub expected: &'static str,
}

/// What is not read of a specification; nothing where it is not one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotRead {
    pub unknown: Vec<UnknownKey>,
    pub wrong: Vec<WrongValue>,
}

/// The keys of a specification that are not read, and the values.
#[must_use]
pub fn not_read(bytes: Vec<u8>) -> NotRead {
    let json = super::json(bytes);
    let root = json.as_ref().and_then(redraft_text::json::Json::root);
    let Some(root) = root.filter(|root| specification::OBJECT.is(*root)) else {
        return NotRead::default();
    };
    let mut search = Search::default();
    search.object(&specification::OBJECT, root);
    search.found
}

#[derive(Default)]
struct Search {
    found: NotRead,
    /// Keys that were listed, by the object they are in.
    listed: BTreeSet<(&'static str, String)>,
}

impl Search {
    fn object(&mut self, object: &'static Object, node: Node<'_>) {
        if node.kind() != Kind::Object {
            return;
        }
        for (key, value) in node.members() {
            let key = &key.text;
            let Some(field) = object.all_fields().find(|field| field.is_called(key)) else {
                self.unknown(object, key, value);
                continue;
            };
            self.value(field, value);
            match field.value {
                Value::Object(inner) | Value::TextOrObject(inner) => self.object(inner, value),
                Value::Objects(inner)
                | Value::TextsOrObjects(inner)
                | Value::ObjectsOrJson(inner) => {
                    value.items().for_each(|item| self.object(inner, item));
                }
                Value::Text
                | Value::Number
                | Value::Integer
                | Value::Flag
                | Value::Id
                | Value::Count
                | Value::Codes => {}
            }
        }
    }

    fn value(&mut self, field: &Field, value: Node<'_>) {
        if let Some(expected) = expected(field, value)
            && self.found.wrong.len() < MOST
        {
            let path = value.path();
            self.found.wrong.push(WrongValue { path, expected });
        }
    }

    fn unknown(&mut self, object: &'static Object, key: &str, value: Node<'_>) {
        if is_left_alone(key) || self.found.unknown.len() >= MOST {
            return;
        }
        if !self.listed.insert((object.name, key.to_owned())) {
            return;
        }
        let known: Vec<&'static str> = object.all_fields().map(|field| field.names[0]).collect();
        let names = object.all_fields().flat_map(|field| field.names);
        self.found.unknown.push(UnknownKey {
            path: value.path(),
            nearest: nearest(key, names.copied()),
            known,
        });
    }
}

/// What a field should hold, if a value is of another type.
fn expected(field: &Field, value: Node<'_>) -> Option<&'static str> {
    let kind = value.kind();
    if std::ptr::eq(field, &specification::LANGUAGE)
        && value
            .as_str()
            .is_some_and(|tag| Language::parse(tag).is_none())
    {
        return Some("a language such as `en` or `German`");
    }
    let (fits, expected) = match field.value {
        Value::Text => (kind == Kind::String, "a text"),
        Value::Number => (value.as_f64().is_some(), "a number"),
        Value::Integer => (value.as_i64().is_some(), "a whole number"),
        Value::Flag => (kind == Kind::Bool, "true or false"),
        Value::Id => (
            kind == Kind::String || value.as_i64().is_some(),
            "a text or a whole number",
        ),
        Value::Count => (kind == Kind::Array, "a list"),
        Value::Codes => (kind == Kind::Array, "a list of texts"),
        Value::Object(_) => (kind == Kind::Object, "an object"),
        Value::TextOrObject(_) => (
            matches!(kind, Kind::String | Kind::Object),
            "a text or an object",
        ),
        Value::Objects(_) => (kind == Kind::Array, "a list of objects"),
        Value::TextsOrObjects(_) => (kind == Kind::Array, "a list of texts or objects"),
        Value::ObjectsOrJson(_) => (
            matches!(kind, Kind::String | Kind::Array),
            "a list of objects",
        ),
    };
    // An empty field is no mistake.
    (!fits && kind != Kind::Null).then_some(expected)
}

/// Keys that every generator has for itself.
fn is_left_alone(key: &str) -> bool {
    let plain = key.to_lowercase().replace('-', "_");
    plain.starts_with(['$', '_'])
        || plain.ends_with("_id")
        || key.ends_with("Id")
        || matches!(plain.as_str(), "id" | "version" | "description")
}

fn nearest(key: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    const SIMILAR: f64 = 0.8;
    let plain = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    names
        .map(|name| (strsim::jaro_winkler(&plain(key), &plain(name)), name))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Option<&'static str>)> {
        let unknown = not_read(text.as_bytes().to_vec()).unknown;
        unknown
            .into_iter()
            .map(|key| (key.path, key.nearest))
            .collect()
    }

    #[test]
    fn a_key_that_nothing_reads_is_listed_with_the_nearest_known_one() {
        for (text, expected) in [
            (
                r#"{"title": "x", "sections": [{"title": "a", "key_ponts": ["p"]}, {"key_ponts": []}]}"#,
                vec![("sections[0].key_ponts", Some("key_points"))],
            ),
            (
                r#"{"title": "x", "learningObjective": ["p"], "constraints": {"depth": "summary"}}"#,
                vec![
                    ("learningObjective", Some("learning_objectives")),
                    ("constraints", None),
                ],
            ),
            (
                r#"{"title": "x", "sections": [{"constraints": {"required_keyword": ["p"], "xyzzy": 1}}]}"#,
                vec![
                    (
                        "sections[0].constraints.required_keyword",
                        Some("required_keywords"),
                    ),
                    ("sections[0].constraints.xyzzy", None),
                ],
            ),
            (
                r#"{"$schema": "s", "lesson_id": 1, "courseId": 2, "version": 3, "title": "x", "learningObjectives": [{"id": 1, "objective": "o"}], "sections": [{"keyPoints": ["p"], "depth": "summary"}], "exercises": [{"any": 1}]}"#,
                vec![],
            ),
            ("[1]", vec![]),
            ("words", vec![]),
        ] {
            let expected: Vec<(String, Option<&'static str>)> = expected
                .into_iter()
                .map(|(path, nearest)| (path.to_owned(), nearest))
                .collect();
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn a_value_of_another_type_is_listed_with_what_it_should_be() {
        for (text, expected) in [
            (r#"{"title": "x", "tone": null, "sections": []}"#, vec![]),
            (
                r#"{"title": 5, "estimatedDurationMinutes": "forty", "sections": [{"title": "a", "key_points": "p"}]}"#,
                vec![
                    ("title", "a text"),
                    ("estimatedDurationMinutes", "a number"),
                    ("sections[0].key_points", "a list of texts"),
                ],
            ),
            (
                r#"{"title": "x", "language": "klingon"}"#,
                vec![("language", "a language such as `en` or `German`")],
            ),
            (
                r#"{"title": "x", "sections": {"a": 1}, "learning_objectives": "Name the parts"}"#,
                vec![
                    ("sections", "a list of texts or objects"),
                    ("learning_objectives", "a list of texts or objects"),
                ],
            ),
        ] {
            let wrong = not_read(text.as_bytes().to_vec()).wrong;
            let found: Vec<(&str, &str)> = wrong
                .iter()
                .map(|one| (one.path.as_str(), one.expected))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_flood_of_unknown_keys_is_cut() {
        let keys: Vec<String> = (0..500).map(|n| format!("\"q{n}\": 1")).collect();
        let text = format!("{{\"title\": \"x\", {}}}", keys.join(", "));
        assert_eq!(found(&text).len(), 20);
    }
}
