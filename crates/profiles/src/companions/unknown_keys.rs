//! The keys of a specification that nothing reads (ruling 57): each with its place and
//! the known key that is most like it, so that a misspelt `key_ponts` does not vanish.
//!
//! | a key | then |
//! |---|---|
//! | declared in `fields.rs`, in snake_case, camelCase or with hyphens | read |
//! | `id`, `…_id`, `version`, `description`, beginning with `$` or `_` | left to its owner, without a word |
//! | anything else | listed, once for all sections |

use std::collections::BTreeSet;

use redraft_text::json::{Kind, Node};

use super::fields::{Object, Value, specification};

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

/// The keys of a specification that are not read; none where it is not one.
#[must_use]
pub fn unknown_keys(bytes: Vec<u8>) -> Vec<UnknownKey> {
    let json = super::json(bytes);
    let Some(root) = json.as_ref().and_then(redraft_text::json::Json::root) else {
        return Vec::new();
    };
    let mut search = Search::default();
    search.object(&specification::OBJECT, root);
    search.found
}

#[derive(Default)]
struct Search {
    found: Vec<UnknownKey>,
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

    fn unknown(&mut self, object: &'static Object, key: &str, value: Node<'_>) {
        /// More are not a slip but another format.
        const MOST: usize = 20;
        if is_left_alone(key) || self.found.len() >= MOST {
            return;
        }
        if !self.listed.insert((object.name, key.to_owned())) {
            return;
        }
        let known: Vec<&'static str> = object.all_fields().map(|field| field.names[0]).collect();
        let names = object.all_fields().flat_map(|field| field.names);
        self.found.push(UnknownKey {
            path: value.path(),
            nearest: nearest(key, names.copied()),
            known,
        });
    }
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
        unknown_keys(text.as_bytes().to_vec())
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
    fn a_flood_of_unknown_keys_is_cut() {
        let keys: Vec<String> = (0..500).map(|n| format!("\"q{n}\": 1")).collect();
        let text = format!("{{\"title\": \"x\", {}}}", keys.join(", "));
        assert_eq!(found(&text).len(), 20);
    }
}
