//! Splits a JSON lesson, flat or wrapped in `content`, into components.

use redraft_gate::content::{ComponentKind, Document, TextRole};
use redraft_gate::reading::{Form, Raw};
use redraft_text::json::{Json, Kind, Node};
use redraft_text::language::Language;

use crate::fields::{FieldReader, first_of};

pub(super) const INTRODUCTION: &[&str] = &["intro", "introduction"];
pub(super) const CONCLUSION: &[&str] = &["summary", "conclusion"];
/// Fields that are about the text of the lesson, beside its title and sections.
pub(super) const OF_THE_TEXT: &[&str] = &["examples", "exercises", "interactive_elements"];
pub(super) const WRAPPERS: &[&str] = &["content", "lesson", "lesson_content"];

pub(super) fn is_lesson(root: Node<'_>) -> bool {
    has_lesson_fields(root) || wrapped(root).is_some()
}

fn has_lesson_fields(node: Node<'_>) -> bool {
    node.get("sections").is_some() || first_of(node, INTRODUCTION).is_some()
}

fn wrapped(root: Node<'_>) -> Option<Node<'_>> {
    WRAPPERS
        .iter()
        .filter_map(|name| root.get(name))
        .find(|inner| inner.kind() == Kind::Object && has_lesson_fields(*inner))
}

pub(super) fn parse(raw: &Raw, language: Option<Language>) -> Document {
    let first;
    let json = match &raw.form {
        Form::Json(json) => Some(json),
        Form::JsonLines(values) => {
            first = values.first();
            first.as_ref()
        }
        Form::Markdown(_) => None,
    };
    let Some(root) = json.and_then(Json::root) else {
        let mut reader = FieldReader::new(raw, "empty", 0..0);
        reader.nothing("a lesson");
        return reader.finish(language);
    };
    let inner = wrapped(root);
    let shape = if inner.is_some() {
        "wrapped-json"
    } else {
        "flat-json"
    };
    let mut reader = FieldReader::new(raw, shape, root.span());
    if matches!(raw.form, Form::JsonLines(_)) {
        reader.nothing("a single lesson; it contains several JSON values");
    } else if !is_lesson(root) {
        reader.nothing("a lesson");
    }
    read(&mut reader, root, inner.unwrap_or(root));
    reader.finish(language)
}

fn read(reader: &mut FieldReader, root: Node<'_>, lesson: Node<'_>) {
    let title = first_of(lesson, &["title"]).or_else(|| first_of(root, &["title"]));
    reader.title(title);
    reader.text(0, TextRole::Title, title);
    if let Some(intro) = first_of(lesson, INTRODUCTION) {
        let component = reader.component(
            "sec_introduction",
            ComponentKind::Introduction,
            None,
            intro.span(),
        );
        reader.text(component, TextRole::Body, Some(intro));
    }
    for (index, section) in reader.list(lesson.get("sections")).into_iter().enumerate() {
        let component = reader.component(
            format!("sec_{}", index + 1),
            ComponentKind::Section,
            section.get("title"),
            section.span(),
        );
        read_section(reader, component, section);
    }
    for (index, example) in reader.list(lesson.get("examples")).into_iter().enumerate() {
        let component = reader.component(
            format!("example_{}", index + 1),
            ComponentKind::Example,
            example.get("title"),
            example.span(),
        );
        reader.text(component, TextRole::Title, example.get("title"));
        reader.text(component, TextRole::Body, example.get("content"));
        reader.text(component, TextRole::Body, example.get("explanation"));
        reader.text(component, TextRole::Code, example.get("code"));
    }
    for (index, exercise) in reader.list(lesson.get("exercises")).into_iter().enumerate() {
        let component = reader.component(
            format!("exercise_{}", index + 1),
            ComponentKind::Exercise,
            exercise.get("title"),
            exercise.span(),
        );
        reader.text(component, TextRole::Title, exercise.get("title"));
        for field in ["question", "instructions", "description", "solution"] {
            reader.text(component, TextRole::Body, exercise.get(field));
        }
        for field in ["hints", "grading_rubric"] {
            reader.text(component, TextRole::Short, exercise.get(field));
        }
    }
    if let Some(conclusion) = first_of(lesson, CONCLUSION) {
        let component = reader.component(
            "sec_conclusion",
            ComponentKind::Conclusion,
            None,
            conclusion.span(),
        );
        let role = match conclusion.kind() {
            Kind::Array => TextRole::Short,
            _ => TextRole::Body,
        };
        reader.text(component, role, Some(conclusion));
    }
    if let Some(elements) = lesson.get("interactive_elements") {
        reader.strings_below(0, TextRole::Short, elements);
    }
}

/// A section is an object; a bare text in the list is its content.
fn read_section(reader: &mut FieldReader, component: usize, section: Node<'_>) {
    match section.kind() {
        Kind::Object => {
            reader.text(component, TextRole::Title, section.get("title"));
            reader.text(
                component,
                TextRole::Body,
                first_of(section, &["content", "text", "body"]),
            );
        }
        Kind::String => {
            reader.odd(section, "an object");
            reader.text(component, TextRole::Body, Some(section));
        }
        _ => reader.odd(section, "an object"),
    }
}
