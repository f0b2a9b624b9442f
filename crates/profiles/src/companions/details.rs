//! Everything that an entry of a scheme of work says beyond the fields that checks use
//! (ruling 62): assessment notes, coherence, accessibility, the purpose of each card. It
//! goes to author and judge as lines `name: value`.

use redraft_text::json::{Kind, Node};

use super::fields::{self, Field};
use super::{Unreadable, json};
use crate::fields::id_text;

/// More than this is not a plan of one lesson.
const MOST: usize = 60;

/// What an entry says beyond the fields that are read by name.
pub(super) fn of_entry(entry: Node<'_>) -> Vec<(String, String)> {
    use fields::scheme_entry as field;
    let read = [
        &field::COURSE,
        &field::ORDER,
        &field::LABEL,
        &field::LESSON_TYPE,
        &field::MINUTES,
        &field::OUTCOMES,
        &field::STANDARDS,
        &field::ENGAGEMENT_TAGS,
        &fields::lesson_plan::CARDS,
    ];
    all(entry, &read)
}

/// What a planned card says beyond them.
pub(super) fn of_card(card: Node<'_>) -> Vec<(String, String)> {
    use fields::planned_card as field;
    let read = [
        &field::KIND,
        &field::TITLE,
        &field::MINUTES,
        &field::STANDARDS,
    ];
    let mut found = all(card, &read);
    // The order of the list says the same.
    found.retain(|(name, _)| name != "card_number");
    found
}

/// The descriptions of codes in a list of objects.
pub(super) fn descriptions(node: Node<'_>, list: &Field) -> Vec<(String, String)> {
    list.of(node)
        .into_iter()
        .flat_map(Node::items)
        .filter_map(|item| {
            let code = fields::code::CODE.of(item).and_then(id_text)?;
            let words = fields::standard::DESCRIPTION.of(item)?.as_str()?;
            Some((code, words.to_owned()))
        })
        .collect()
}

fn all(node: Node<'_>, read: &[&Field]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    below(node, "", read, &mut found);
    found.truncate(MOST);
    found
}

fn below(node: Node<'_>, path: &str, read: &[&Field], found: &mut Vec<(String, String)>) {
    for (key, value) in node.members() {
        let key = &key.text;
        // Book-keeping of a store: `$id`, `lessonTemplateRef`.
        let is_kept_back = key.starts_with(['$', '_'])
            || key.ends_with("Ref")
            || read.iter().any(|field| field.is_called(key));
        if is_kept_back || found.len() >= MOST {
            continue;
        }
        let name = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        match value.kind() {
            Kind::Object => below(value, &name, read, found),
            Kind::Null | Kind::Invalid => {}
            _ => {
                let words = words(value);
                if !words.trim().is_empty() {
                    found.push((name, words));
                }
            }
        }
    }
}

/// A value in words: lists by commas, objects as `name: value`.
fn words(node: Node<'_>) -> String {
    match node.kind() {
        Kind::String => node.as_str().unwrap_or_default().to_owned(),
        Kind::Number => node
            .as_f64()
            .map(|number| number.to_string())
            .unwrap_or_default(),
        Kind::Bool => node.as_bool().unwrap_or_default().to_string(),
        Kind::Array => node.items().map(words).collect::<Vec<_>>().join(", "),
        Kind::Object => {
            let members = node.members();
            let members = members.map(|(key, value)| format!("{}: {}", key.text, words(value)));
            members.collect::<Vec<_>>().join("; ")
        }
        Kind::Null | Kind::Invalid => String::new(),
    }
}

/// One entry of a scheme of work as a file of its own, with the course of the scheme.
///
/// # Errors
/// When the file is not a scheme of work. `Ok(None)` where it has no entry of this order.
pub fn entry_alone(bytes: Vec<u8>, order: i64) -> Result<Option<Vec<u8>>, Unreadable> {
    use fields::scheme as field;
    const EXPECTED: Unreadable =
        Unreadable("an entry of a scheme of work, or a whole one with `entries`");
    let source = String::from_utf8_lossy(&bytes).into_owned();
    let json = json(bytes).ok_or(EXPECTED)?;
    let root = json.root().ok_or(EXPECTED)?;
    let entries: Vec<Node<'_>> = match root.kind() {
        Kind::Array => root.items().collect(),
        _ => match field::ENTRIES.present(root) {
            Some(entries) => entries.items().collect(),
            None => vec![root],
        },
    };
    let found = entries.into_iter().find(|entry| {
        fields::scheme_entry::ORDER
            .of(*entry)
            .and_then(Node::as_i64)
            == Some(order)
    });
    let Some(entry) = found else { return Ok(None) };
    let text = source.get(entry.span()).unwrap_or_default();
    let course = field::COURSE.of(root).and_then(Node::as_str);
    let has_course = fields::scheme_entry::COURSE.of(entry).is_some();
    let alone = match course.filter(|_| !has_course) {
        Some(course) => {
            let course = serde_json::Value::from(course);
            let rest = text.strip_prefix('{').unwrap_or(text);
            format!("{{\"courseId\": {course},{rest}")
        }
        None => text.to_owned(),
    };
    Ok(Some(alone.into_bytes()))
}
