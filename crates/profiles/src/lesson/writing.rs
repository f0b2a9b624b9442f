//! Assembles a lesson from its written sections, as Markdown or in the form of the
//! JSON that it replaces.
//!
//! | old text | new text |
//! |---|---|
//! | Markdown, or nothing | Markdown |
//! | JSON | the same object: see below |
//! | JSON that cannot be read | a new object with title, introduction, sections and conclusion |
//!
//! | field of a JSON lesson | then |
//! |---|---|
//! | title, introduction, sections, conclusion | the new text, in the field they were in; a second field for the same is removed |
//! | examples, exercises, interactive elements | emptied: they belong to the old text, and the new one has its own in its sections |
//! | whatever else it has (ids, dates, the name of a course) | stays |

use redraft_gate::content::Document;
use redraft_run::write::{Draft, SectionKind, WrittenSection, markdown};
use serde_json::{Map, Value, json};

use super::json::{CONCLUSION, INTRODUCTION, OF_THE_TEXT, WRAPPERS};

pub(super) fn assemble(draft: &Draft, like: &Document) -> String {
    if !like.shape().ends_with("json") {
        return markdown(draft);
    }
    let mut root = match serde_json::from_str(like.source().text()) {
        Ok(Value::Object(root)) => root,
        _ => Map::new(),
    };
    let wrapper = wrapper(&root);
    // A wrapped lesson may have its title outside.
    if wrapper.is_some()
        && let Some(title) = root.get_mut("title")
    {
        *title = json!(draft.title);
    }
    match wrapper.and_then(|name| root.get_mut(name)?.as_object_mut()) {
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
    let of_kind = |kind: SectionKind| {
        draft
            .sections
            .iter()
            .filter(move |section: &&WrittenSection| section.kind == kind)
    };
    let text = |kind| of_kind(kind).next().map(|section| section.text.as_str());
    lesson.insert("title".to_owned(), json!(draft.title));
    put(
        lesson,
        INTRODUCTION,
        "introduction",
        text(SectionKind::Introduction),
    );
    let sections: Vec<Value> = of_kind(SectionKind::Section)
        .map(|section| json!({"title": section.title, "content": section.text}))
        .collect();
    lesson.insert("sections".to_owned(), Value::Array(sections));
    put(
        lesson,
        CONCLUSION,
        "conclusion",
        text(SectionKind::Conclusion),
    );
    for name in OF_THE_TEXT {
        match lesson.get_mut(*name) {
            Some(Value::Array(list)) => list.clear(),
            Some(Value::Object(fields)) => fields.clear(),
            Some(other) => *other = Value::Null,
            None => {}
        }
    }
}

/// Puts the text into the field it was in, else into a new one. It replaces a list
/// of points, and no old text stays next to it.
fn put(lesson: &mut Map<String, Value>, names: &[&str], new: &str, text: Option<&str>) {
    let name = names
        .iter()
        .copied()
        .find(|name| lesson.contains_key(*name));
    for other in names.iter().filter(|other| name != Some(**other)) {
        lesson.remove(*other);
    }
    match (name.unwrap_or(new), text) {
        (name, Some(text)) => {
            lesson.insert(name.to_owned(), json!(text));
        }
        (name, None) => {
            lesson.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::super::Lesson;
    use super::*;

    fn draft() -> Draft {
        let section = |kind, title: &str, text: &str| WrittenSection {
            kind,
            title: title.to_owned(),
            text: text.to_owned(),
        };
        Draft {
            title: "Steam".to_owned(),
            sections: vec![
                section(SectionKind::Introduction, "", "Why it \"hisses\"."),
                section(SectionKind::Section, "Heat", "It gets hot.\n\nVery hot."),
                section(SectionKind::Conclusion, "Summary", "It boils."),
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
    fn a_lesson_is_assembled_in_the_form_of_the_old_one() {
        let fields = r#""introduction": "Why it \"hisses\".", "sections": [{"title": "Heat", "content": "It gets hot.\n\nVery hot."}], "conclusion": "It boils.""#;
        for (old, hint, expected) in [
            ("", Hint::Markdown, None),
            ("# Old\n\nText.\n", Hint::Markdown, None),
            (
                r#"{"id": 7, "title": "Old", "introduction": "x", "sections": [], "conclusion": "y", "examples": [{"title": "E"}]}"#,
                Hint::Json,
                Some(format!(
                    r#"{{"id": 7, "title": "Steam", {fields}, "examples": []}}"#
                )),
            ),
            // What belongs to the old text goes with it; the rest stays.
            (
                r#"{"course": "c1", "title": "Old", "intro": "x", "introduction": "z", "sections": [{"title": "Ice", "content": "It melts."}], "exercises": [{"question": "Why does it melt?"}], "interactive_elements": {"quiz": "Ice?"}, "conclusion": "y", "tags": ["ice"]}"#,
                Hint::Json,
                Some(format!(
                    r#"{{"course": "c1", "title": "Steam", {}, "exercises": [], "interactive_elements": {{}}, "tags": ["ice"]}}"#,
                    fields.replace("introduction", "intro")
                )),
            ),
            (
                r#"{"title": "Old", "content": {"introduction": "x", "sections": []}}"#,
                Hint::Json,
                Some(format!(
                    r#"{{"title": "Steam", "content": {{"title": "Steam", {fields}}}}}"#
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
            let ids: Vec<&str> = again
                .components()
                .iter()
                .map(|component| component.id.0.as_str())
                .collect();
            for id in ["sec_introduction", "sec_1", "sec_conclusion"] {
                assert!(ids.contains(&id), "{old}: {ids:?}");
            }
        }
    }
}
