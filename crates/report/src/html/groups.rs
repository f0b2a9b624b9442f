//! A document as it is shown: groups (sections, cards, items, or the components of a single
//! item), each with its fields. Where a text lies in the file stays known.

use std::collections::HashMap;
use std::ops::Range;

use redraft_gate::content::{ComponentKind, Document, TextField, TextRole};

/// A section, a card or an item.
#[derive(Clone, Debug)]
pub(super) struct Group<'d> {
    /// The component's id; that of the whole document for what stands before all others.
    pub(super) id: &'d str,
    pub(super) title: Option<&'d str>,
    pub(super) kind: ComponentKind,
    /// Its extent in the source's text.
    pub(super) range: Range<usize>,
}

/// The groups of a document, in its order. The first is the document as a whole, with what
/// stands in no component.
pub(super) fn of(document: &Document) -> Vec<Group<'_>> {
    let components = document.components();
    let mut groups: Vec<Group<'_>> = components
        .iter()
        .filter(|part| part.parent == Some(0))
        .map(|part| Group {
            id: &part.id.0,
            title: part.title.as_deref(),
            kind: part.kind,
            range: part.range.clone(),
        })
        .collect();
    groups.sort_by_key(|group| group.range.start);
    if let Some(whole) = components.first() {
        let end = groups
            .first()
            .map_or(whole.range.end, |first| first.range.start);
        groups.insert(
            0,
            Group {
                id: &whole.id.0,
                title: document.title(),
                kind: ComponentKind::Whole,
                range: whole.range.start..end.max(whole.range.start),
            },
        );
    }
    groups
}

/// The group at an offset of the source's text.
pub(super) fn at(groups: &[Group<'_>], offset: usize) -> usize {
    let after = groups.partition_point(|group| group.range.start <= offset);
    let last = after.saturating_sub(1);
    match groups.get(last) {
        Some(group) if group.range.contains(&offset) || group.range.end == offset => last,
        Some(_) if last > 0 && groups.len() > 1 => last,
        _ => 0,
    }
}

/// Which group each component lies in.
#[derive(Debug)]
pub(super) struct Homes<'d> {
    by_component: Vec<usize>,
    by_id: HashMap<&'d str, usize>,
}

impl<'d> Homes<'d> {
    pub(super) fn of(document: &'d Document, groups: &[Group<'_>]) -> Self {
        let own: HashMap<&str, usize> = groups
            .iter()
            .enumerate()
            .map(|(index, group)| (group.id, index))
            .collect();
        let mut by_component: Vec<usize> = Vec::new();
        let mut by_id = HashMap::new();
        // Parents come before their children.
        for part in document.components() {
            let home = match part.parent {
                None => 0,
                Some(0) => own.get(part.id.0.as_str()).copied().unwrap_or(0),
                Some(parent) => by_component.get(parent).copied().unwrap_or(0),
            };
            by_component.push(home);
            by_id.insert(part.id.0.as_str(), home);
        }
        Self {
            by_component,
            by_id,
        }
    }

    pub(super) fn of_id(&self, id: &str) -> usize {
        self.by_id.get(id).copied().unwrap_or(0)
    }

    /// The group of a field of a JSON document.
    pub(super) fn of_field(&self, field: &TextField) -> usize {
        let home = self.by_component.get(field.component);
        home.copied().unwrap_or(0)
    }
}

/// Whether the document is one Markdown text over all its components.
pub(super) fn is_one_text(document: &Document) -> bool {
    matches!(document.texts(), [field] if field.path.is_empty())
}

/// What a field is called: `cards[2].cfu.hints[0]` of a card is `check, hint 1`.
pub(super) fn label(field: &TextField, group: ComponentKind) -> Option<String> {
    if field.path.is_empty() || field.role == TextRole::Title {
        return None;
    }
    let is_entry = matches!(
        group,
        ComponentKind::Card | ComponentKind::Item | ComponentKind::Section
    );
    let path = match field.path.split_once("].") {
        Some((first, rest)) if is_entry && is_list(first) => rest,
        _ => &field.path,
    };
    let mut words: Vec<String> = Vec::new();
    for step in path.split('.').map(step) {
        // `options[0].text` is an option, and `misconceptions[0].misconception` one, too.
        let is_said = words.last().is_some_and(|last| {
            matches!(step.as_str(), "text" | "description" | "content") || last.starts_with(&step)
        });
        if !is_said {
            words.push(step);
        }
    }
    Some(words.join(", "))
}

/// Whether this is the name of a list and a number: `cards[2`.
fn is_list(first: &str) -> bool {
    first.split_once('[').is_some_and(|(name, number)| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

fn step(step: &str) -> String {
    let (name, number) = match step.split_once('[') {
        Some((name, rest)) => (name, rest.trim_end_matches(']').parse::<usize>().ok()),
        None => (step, None),
    };
    let name = match name {
        "cfu" => "check".to_owned(),
        "criteria" if number.is_some() => "criterion".to_owned(),
        name => humanised(name),
    };
    match number {
        Some(number) => format!("{} {}", name.trim_end_matches('s'), number + 1),
        None => name,
    }
}

/// An identifier in words: `clarity_readability` and `clarityReadability` are `clarity
/// readability`.
pub(super) fn humanised(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = '_';
    for c in name.chars() {
        if c == '_' || c == '-' {
            out.push(' ');
        } else if c.is_uppercase() && before.is_lowercase() {
            out.push(' ');
            out.extend(c.to_lowercase());
        } else {
            out.push(c);
        }
        before = c;
    }
    out
}

/// The same with a capital, for a heading.
pub(super) fn titled(name: &str) -> String {
    let words = humanised(name);
    let mut chars = words.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => words,
    }
}

/// What a group is, in a word.
pub(super) fn kind(kind: ComponentKind) -> &'static str {
    match kind {
        ComponentKind::Whole => "Document",
        ComponentKind::Introduction => "Introduction",
        ComponentKind::Section => "Section",
        ComponentKind::Conclusion => "Conclusion",
        ComponentKind::Example => "Example",
        ComponentKind::Exercise => "Exercise",
        ComponentKind::Meta => "About the lesson",
        ComponentKind::Card => "Card",
        ComponentKind::Item => "Item",
        ComponentKind::Vignette => "Vignette",
        ComponentKind::Stem => "Question",
        ComponentKind::Options => "Options",
        ComponentKind::AnswerKey => "Answer key",
        ComponentKind::Explanation => "Explanation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_read_as_words() {
        for (name, expected) in [
            ("clarity_readability", "Clarity readability"),
            ("answerKey", "Answer key"),
            ("slo_coverage", "Slo coverage"),
            ("", ""),
        ] {
            assert_eq!(titled(name), expected);
        }
        assert_eq!(step("hints[0]"), "hint 1");
        assert_eq!(step("explainer_plain"), "explainer plain");
        assert_eq!(step("criteria[1]"), "criterion 2");
    }
}
