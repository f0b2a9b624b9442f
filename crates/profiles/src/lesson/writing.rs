//! A lesson put together from its written parts: as Markdown, or in the form of the
//! JSON that it takes the place of.
//!
//! | what stood there | what is written |
//! |---|---|
//! | Markdown, or nothing | Markdown |
//! | JSON | the same object, with title, introduction, sections and conclusion in the fields they were in; whatever else it has stays |
//! | JSON that cannot be read | a new object with these four fields |

use redraft_core::content::Document;
use redraft_core::write::{Draft, PartKind, WrittenPart, markdown};
use serde_json::{Map, Value, json};

use super::json::{CONCLUSION, INTRODUCTION, WRAPPERS};

pub(super) fn assemble(draft: &Draft, like: &Document) -> String {
    if !like.shape().ends_with("json") {
        return markdown(draft);
    }
    let mut root = match serde_json::from_str(like.source().text()) {
        Ok(Value::Object(root)) => root,
        _ => Map::new(),
    };
    match wrapper(&root).and_then(|name| root.get_mut(name)?.as_object_mut()) {
        Some(lesson) => fill(lesson, draft),
        None => fill(&mut root, draft),
    }
    // An object of texts can always be written.
    let text = serde_json::to_string_pretty(&Value::Object(root)).unwrap_or_default();
    text + "\n"
}

fn wrapper(root: &Map<String, Value>) -> Option<&'static str> {
    let is_lesson = |fields: &Map<String, Value>| {
        fields.contains_key("sections")
            || INTRODUCTION.iter().any(|name| fields.contains_key(*name))
    };
    if is_lesson(root) {
        return None;
    }
    WRAPPERS.iter().copied().find(|name| {
        root.get(*name)
            .and_then(Value::as_object)
            .is_some_and(is_lesson)
    })
}

fn fill(lesson: &mut Map<String, Value>, draft: &Draft) {
    let of_kind = |kind: PartKind| {
        draft
            .parts
            .iter()
            .filter(move |part: &&WrittenPart| part.kind == kind)
    };
    let text = |kind| of_kind(kind).next().map(|part| part.text.as_str());
    lesson.insert("title".to_owned(), json!(draft.title));
    put(
        lesson,
        INTRODUCTION,
        "introduction",
        text(PartKind::Introduction),
    );
    let sections: Vec<Value> = of_kind(PartKind::Section)
        .map(|part| json!({"title": part.title, "content": part.text}))
        .collect();
    lesson.insert("sections".to_owned(), Value::Array(sections));
    put(lesson, CONCLUSION, "conclusion", text(PartKind::Conclusion));
}

/// Into the field it was in, else into a new one. A list of points gives way to
/// the text.
fn put(lesson: &mut Map<String, Value>, names: &[&str], new: &str, text: Option<&str>) {
    let Some(text) = text else { return };
    let name = names
        .iter()
        .copied()
        .find(|name| lesson.contains_key(*name))
        .unwrap_or(new);
    lesson.insert(name.to_owned(), json!(text));
}

#[cfg(test)]
mod tests {
    use redraft_core::profile::Profile as _;
    use redraft_core::reading::{self, Hint};
    use redraft_core::source::Source;

    use super::super::Lesson;
    use super::*;

    fn draft() -> Draft {
        let part = |kind, title: &str, text: &str| WrittenPart {
            kind,
            title: title.to_owned(),
            text: text.to_owned(),
        };
        Draft {
            title: "Steam".to_owned(),
            parts: vec![
                part(PartKind::Introduction, "", "Why it \"hisses\"."),
                part(PartKind::Section, "Heat", "It gets hot.\n\nVery hot."),
                part(PartKind::Conclusion, "Summary", "It boils."),
            ],
        }
    }

    fn read(text: &str, hint: Hint) -> Document {
        Lesson.parse(
            reading::read(Source::new(text.as_bytes().to_vec()), hint),
            None,
        )
    }

    #[test]
    fn a_lesson_is_put_together_in_the_form_of_what_stood_there() {
        let fields = r#""introduction": "Why it \"hisses\".", "sections": [{"title": "Heat", "content": "It gets hot.\n\nVery hot."}], "conclusion": "It boils.""#;
        for (old, hint, expected) in [
            ("", Hint::Markdown, None),
            ("# Old\n\nText.\n", Hint::Markdown, None),
            (
                r#"{"id": 7, "title": "Old", "introduction": "x", "sections": [], "conclusion": "y", "examples": [{"title": "E"}]}"#,
                Hint::Json,
                Some(format!(
                    r#"{{"id": 7, "title": "Steam", {fields}, "examples": [{{"title": "E"}}]}}"#
                )),
            ),
            (
                r#"{"lesson_id": "l1", "content": {"intro": "x", "sections": ["a"], "summary": ["p"]}}"#,
                Hint::Json,
                Some(format!(
                    r#"{{"lesson_id": "l1", "content": {{"title": "Steam", {}}}}}"#,
                    fields
                        .replace("introduction", "intro")
                        .replace("conclusion", "summary")
                )),
            ),
            (
                r#"{"title": "Old", "introduction": "It breaks o"#,
                Hint::Json,
                Some(format!(r#"{{"title": "Steam", {fields}}}"#)),
            ),
        ] {
            let text = assemble(&draft(), &read(old, hint));
            match expected {
                None => assert_eq!(
                    text,
                    "# Steam\n\nWhy it \"hisses\".\n\n## Heat\n\nIt gets hot.\n\nVery hot.\n\n## Summary\n\nIt boils.\n"
                ),
                Some(expected) => {
                    let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                    assert_eq!(value(&text), value(&expected), "{old}");
                }
            }
            let again = read(&text, hint);
            let parts: Vec<&str> = again
                .components()
                .iter()
                .map(|part| part.id.0.as_str())
                .collect();
            for part in ["sec_introduction", "sec_1", "sec_conclusion"] {
                assert!(parts.contains(&part), "{old}: {parts:?}");
            }
        }
    }
}
