//! Removes what models put around the text of a field: its name, JSON, quotation marks.
//!
//! | the answer | then |
//! |---|---|
//! | `Stem: Which drug …`, `**Vignette**` on a line of its own | the label is removed if the old text had none |
//! | `{"stem": "Which drug …"}`, its members named after the fields of the component | each member is the text of its field |
//! | `{"text": "…"}` or another single member, for a component of one field | its value |
//! | JSON with any other member, nested, or a list | rejected: a key may hide in it |
//! | all of it in quotation marks, and the old text was not | they are removed |

use redraft_text::json::{self, Kind, Node};
use redraft_text::phrases::PhraseList;

use super::{Complaint, ComplaintKind, Passage};

/// The texts of fields that an answer gives as JSON. `None` if it is not JSON.
///
/// # Errors
/// If it has anything besides the texts of these fields.
pub(super) fn from_json(
    passages: &[Passage<'_>],
    text: &str,
) -> Option<Result<Vec<(usize, String)>, Complaint>> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let value = json::scan(text, 0..text.len());
    let is_whole = value.complete() && value.end == text.len();
    let root = value.root().filter(|_| is_whole)?;
    Some(members(passages, root).ok_or_else(|| {
        Complaint::new(
            ComplaintKind::UnknownField,
            "the answer is JSON; write the new text of the part alone".to_owned(),
        )
    }))
}

fn members(passages: &[Passage<'_>], root: Node<'_>) -> Option<Vec<(usize, String)>> {
    if !matches!(root.kind(), Kind::Object) {
        return None;
    }
    let members: Vec<(String, String)> = root
        .members()
        .map(|(name, value)| Some((name.text.clone(), value.as_str()?.to_owned())))
        .collect::<Option<_>>()?;
    let place = |name: &str| {
        let is_it = |passage: &&Passage<'_>| is_named(passage.name, name);
        let mut fitting =
            (0..passages.len()).filter(|at| passages.get(*at).as_ref().is_some_and(is_it));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    match (members.as_slice(), passages) {
        ([(name, value)], [_]) if is_wrapper(name) => Some(vec![(0, value.clone())]),
        ([], _) => None,
        (members, _) => members
            .iter()
            .map(|(name, value)| Some((place(name)?, value.clone())))
            .collect(),
    }
}

/// Whether `name` refers to a field: its path, or the last segment of it.
fn is_named(path: &str, name: &str) -> bool {
    let end = path.rsplit(['.', '/']).next().unwrap_or(path);
    path == name || end.eq_ignore_ascii_case(name)
}

/// Whether models use this name for the one text that was requested.
fn is_wrapper(name: &str) -> bool {
    let lower = name.to_lowercase();
    LIST.has_word("wrappers", &lower)
}

/// The text of a field without a leading label and enclosing quotation marks.
pub(super) fn bare<'t>(text: &'t str, passage: &Passage<'_>) -> &'t str {
    let old = passage.text.trim();
    let end = passage
        .name
        .rsplit(['.', '/'])
        .next()
        .unwrap_or(passage.name);
    let mut new = text.trim();
    if labelled(old, end).is_none()
        && let Some(rest) = labelled(new, end)
    {
        new = rest;
    }
    const QUOTES: [(char, char); 5] =
        [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“'), ('「', '」')];
    for (open, close) in QUOTES {
        let inner = new
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner
            && !inner.contains([open, close])
            && !old.starts_with(open)
        {
            new = inner.trim();
        }
    }
    new
}

/// What follows a leading field name: `Stem:`, `**New stem**:`.
fn labelled<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    const MARKS: [char; 5] = ['*', '_', '#', '`', ' '];
    let text = text.trim_start_matches(MARKS);
    let (label, rest) = text.split_once([':', '：', '\n'])?;
    let label = label.trim().trim_end_matches(MARKS).to_lowercase();
    let label = LIST
        .all("new")
        .find_map(|new| label.strip_prefix(new)?.strip_prefix(' '))
        .unwrap_or(&label)
        .trim();
    let name = name.to_lowercase();
    // In another field, `Scenario:` may be part of the text.
    let is_label = |text: &str| LIST.all("labels").any(|label| label == text);
    let is_of_item = is_label(&name) && is_label(label);
    let is_name = label == name || is_of_item;
    let rest = rest.trim_start_matches(MARKS).trim_start();
    (is_name && !rest.is_empty()).then_some(rest)
}

/// Labels that models put around the text of a field, as data.
static LIST: PhraseList = PhraseList::new("field_labels", &["new", "labels", "wrappers"]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong = LIST.wrong_examples("labels", |_, text| labelled(text, "stem").is_some());
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn labels_and_quotes_are_taken_off() {
        for (text, expected) in [
            ("Stem: Which drug is it?", Some("Which drug is it?")),
            ("**Stem:** Which drug is it?", Some("Which drug is it?")),
            (
                "## Revised stem\nWhich drug is it?",
                Some("Which drug is it?"),
            ),
            ("Frage: Welches Medikament?", Some("Welches Medikament?")),
            ("题干：哪一种药物？", Some("哪一种药物？")),
            ("Which drug: ramipril or aspirin?", None),
            ("Stem:", None),
            ("A man says: it hurts.", None),
        ] {
            assert_eq!(labelled(text, "stem"), expected, "{text}");
        }
        assert_eq!(labelled("Scenario: a shop sells tea.", "explainer"), None);
    }
}
