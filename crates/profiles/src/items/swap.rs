//! Exchanges two options of an item in its own JSON: their texts with everything that
//! belongs to them, and the key. Labels that go by position stay where they are. What
//! cannot be exchanged with certainty gives nothing.

use std::ops::Range;

use redraft_text::json::{Json, Kind, Node};

use super::counting::Base;
use super::key::{self, KeyField, Labelled, Reading};
use super::labels::without_label;
use super::model::{Key, letter};
use super::names;
use super::read::{self, ItemNodes, LayoutKind};

/// A range of the source's text, and what is to be there.
pub(super) type Change = (Range<usize>, String);

#[derive(Clone, Copy)]
pub(super) struct Swap<'a> {
    pub(super) source: &'a str,
    pub(super) nodes: &'a ItemNodes<'a>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// What keys that are numbers count from.
    pub(super) base: Option<Base>,
}

impl Swap<'_> {
    /// The changes of the options.
    pub(super) fn options(&self) -> Option<Vec<Change>> {
        let first = self.nodes.options.get(self.from)?.node;
        let second = self.nodes.options.get(self.to)?.node;
        match self.nodes.layout.kind {
            LayoutKind::None | LayoutKind::KeyApart => None,
            _ if first.kind() == Kind::Object && second.kind() == Kind::Object => {
                self.objects(first, second)
            }
            _ if first.kind() == Kind::String && second.kind() == Kind::String => {
                self.strings(first, second)
            }
            _ => None,
        }
    }

    /// Texts change places without the labels at their start (`B. Rome`).
    fn strings(&self, first: Node<'_>, second: Node<'_>) -> Option<Vec<Change>> {
        let texts = self.nodes.options.first()?.text?.as_str()?;
        let labelled = without_label(texts, 0).len() < texts.len();
        let words = |node: Node<'_>, index: usize| -> Option<Range<usize>> {
            let string = node.string()?;
            let text: &str = &string.text;
            let start = if labelled {
                text.len() - without_label(text, index).len()
            } else {
                0
            };
            if labelled && start == 0 {
                return None;
            }
            Some(string.map.to_source(start..text.len()))
        };
        // Strings in different quotation marks are written differently.
        let quote = |node: Node<'_>| self.source.get(node.span())?.chars().next();
        if quote(first) != quote(second) {
            return None;
        }
        self.exchanged(words(first, self.from)?, words(second, self.to)?)
    }

    /// The members of two options change places, except labels that go by position. Where
    /// both have the same members, only their values do.
    fn objects(&self, first: Node<'_>, second: Node<'_>) -> Option<Vec<Change>> {
        let label = |node: Node<'_>| {
            let mut members = node.members();
            let found = members.find(|(name, value)| {
                names::is_one_of(&name.text, names::option_label()).is_some()
                    && self.label_of(node) == value.as_str()
                    && value.kind() == Kind::String
            });
            found.map(|(_, value)| value.span())
        };
        let stays = self.has_positions();
        let own: Vec<(&str, Node<'_>)> = members(first);
        let other: Vec<(&str, Node<'_>)> = members(second);
        let mut names: (Vec<&str>, Vec<&str>) = (
            own.iter().map(|(name, _)| *name).collect(),
            other.iter().map(|(name, _)| *name).collect(),
        );
        names.0.sort_unstable();
        names.1.sort_unstable();
        if names.0 != names.1 {
            // With a label that stays, members cannot simply be exchanged.
            return match (stays, label(first), label(second)) {
                (false, ..) | (_, None, None) => self.exchanged(first.span(), second.span()),
                _ => None,
            };
        }
        let mut changes = Vec::new();
        for (name, value) in own {
            let (_, there) = *other.iter().find(|(other, _)| *other == name)?;
            if stays && label(first) == Some(value.span()) {
                continue;
            }
            changes.extend(self.exchanged(value.span(), there.span())?);
        }
        Some(changes)
    }

    fn label_of(&self, node: Node<'_>) -> Option<&str> {
        let mut options = self.nodes.options.iter();
        let option = options.find(|option| option.node.span() == node.span())?;
        option.label
    }

    fn exchanged(&self, first: Range<usize>, second: Range<usize>) -> Option<Vec<Change>> {
        let text = |range: &Range<usize>| self.source.get(range.clone()).map(str::to_owned);
        let (of_first, of_second) = (text(&first)?, text(&second)?);
        Some(vec![(first, of_second), (second, of_first)])
    }

    /// Whether labels go by position: A, B, C or 1, 2, 3, or the names of a map or of fields.
    fn has_positions(&self) -> bool {
        let options = || self.nodes.options.iter().enumerate();
        let is = |wanted: &dyn Fn(usize) -> String| {
            options().all(|(index, option)| {
                option
                    .label
                    .is_none_or(|label| label.trim().eq_ignore_ascii_case(&wanted(index)))
            })
        };
        self.nodes.layout.kind != LayoutKind::List
            || is(&letter)
            || is(&|index| index.to_string())
            || is(&|index| (index + 1).to_string())
    }

    /// The changes of the fields that state the key.
    pub(super) fn keys(&self) -> Option<Vec<Change>> {
        let labelled = self.nodes.labelled();
        let mut changes = Vec::new();
        for field in &self.nodes.keys {
            if matches!(field.value.kind(), Kind::Null) {
                continue;
            }
            changes.extend(self.key(*field, field.value, &labelled)?);
        }
        Some(changes)
    }

    /// The change of a key; `Some(None)` if it stays as it is.
    fn key(
        &self,
        field: KeyField<'_>,
        value: Node<'_>,
        labelled: &[Labelled<'_>],
    ) -> Option<Option<Change>> {
        match value.kind() {
            Kind::Array => {
                let mut values = value.items();
                let only = values.next().filter(|_| values.next().is_none())?;
                self.key(field, only, labelled)
            }
            Kind::Number => self.number(field, value, labelled),
            Kind::String => self.word(field, value, labelled),
            _ => None,
        }
    }

    fn number(
        &self,
        field: KeyField<'_>,
        value: Node<'_>,
        labelled: &[Labelled<'_>],
    ) -> Option<Option<Change>> {
        let written = self.source.get(value.span())?;
        let number: i64 = written.parse().ok()?;
        match key::read(KeyField { value, ..field }, labelled) {
            Reading::Number(_) => {
                self.base?;
                let moved = i64::try_from(self.to).ok()? - i64::try_from(self.from).ok()?;
                Some(Some((value.span(), (number + moved).to_string())))
            }
            Reading::Key(Key::One(_)) | Reading::NumberOrLabel(..) => {
                let label = labelled.get(self.from)?.label;
                if label.is_some_and(|label| label.trim() == written) {
                    let new = labelled.get(self.to)?.label?;
                    let stays = !self.has_positions();
                    return Some((!stays).then(|| (value.span(), new.trim().to_owned())));
                }
                // The number is the text of the option.
                Some(None)
            }
            Reading::Key(_) | Reading::NumberOrText(..) => None,
        }
    }

    /// A key that is the option's text stays; a letter, a label or the name of a field
    /// becomes that of the new place.
    fn word(
        &self,
        field: KeyField<'_>,
        value: Node<'_>,
        labelled: &[Labelled<'_>],
    ) -> Option<Option<Change>> {
        let string = value.string()?;
        let text: &str = &string.text;
        let own = labelled.get(self.from)?;
        if own
            .text
            .trim()
            .trim_end_matches('.')
            .eq_ignore_ascii_case(text.trim().trim_end_matches('.'))
        {
            // `B. Rome` as a text has its label, which stays behind.
            let is_labelled =
                without_label(own.text.trim(), self.from).len() < own.text.trim().len();
            if !is_labelled {
                return Some(None);
            }
        }
        let reading = key::read(KeyField { value, ..field }, labelled);
        let range = self.label_in(text, own)?;
        let old = text.get(range.clone())?;
        let new = match reading {
            Reading::Number(number) => {
                self.base?;
                let moved = i64::try_from(self.to).ok()? - i64::try_from(self.from).ok()?;
                (number + moved).to_string()
            }
            Reading::Key(Key::One(_)) | Reading::NumberOrLabel(..) => {
                let is_name = own.name.is_some_and(|name| name == old);
                let there = labelled.get(self.to)?;
                let new = match (is_name, there.label) {
                    (true, _) => there.name?.to_owned(),
                    (false, Some(_)) if !self.has_positions() => return Some(None),
                    (false, Some(label)) => label.trim().to_owned(),
                    (false, None) => match there.printed {
                        Some(label) => label.to_owned(),
                        // A letter of another alphabet without labels beside it.
                        None if !old.is_ascii() => return None,
                        None => letter(self.to),
                    },
                };
                let is_lower = old.chars().all(char::is_lowercase);
                let is_upper = old.chars().all(char::is_uppercase);
                if is_lower {
                    new.to_lowercase()
                } else if is_upper {
                    new.to_uppercase()
                } else {
                    new
                }
            }
            Reading::Key(_) | Reading::NumberOrText(..) => return None,
        };
        Some(Some((string.map.to_source(range), new)))
    }

    /// Where a key names the option: its label, letter, number or field name.
    fn label_in(&self, text: &str, own: &Labelled<'_>) -> Option<Range<usize>> {
        let bare = key::bare_label(text.trim());
        let name = own.name.filter(|name| text.trim() == *name);
        let start = text
            .char_indices()
            .find(|(_, c)| c.is_alphanumeric())
            .map(|(at, _)| at)?;
        match (name, bare) {
            (Some(name), _) => {
                let at = text.find(name)?;
                Some(at..at + name.len())
            }
            (None, Some(bare)) => {
                let at = text.rfind(bare)?;
                Some(at..at + bare.len())
            }
            // `B. Rome`
            (None, None) => {
                let rest = text.get(start + 1..)?;
                rest.starts_with(['.', ')', ':', '-', ' '])
                    .then_some(start..start + 1)
            }
        }
    }
}

/// The members of an option by name.
fn members(object: Node<'_>) -> Vec<(&str, Node<'_>)> {
    let members = object.members();
    members
        .map(|(name, value)| (name.text.as_ref(), value))
        .collect()
}

/// Whether an item that was written anew has the same options, only with two of them
/// exchanged, and the same right one at its new place.
pub(super) fn keeps_meaning(
    after: &Json,
    (before, from): (&ItemNodes<'_>, usize),
    to: usize,
    base: Option<Base>,
) -> bool {
    let Some(root) = after
        .root()
        .filter(|_| after.complete() && after.recoveries.is_empty())
    else {
        return false;
    };
    let nodes = read::item(root);
    let words = |nodes: &ItemNodes<'_>| -> Vec<String> {
        let labelled = nodes.labelled();
        let first = labelled.first().map_or("", |first| first.text.trim());
        let has_labels = without_label(first, 0).len() < first.len();
        let texts = labelled.iter().enumerate().map(|(index, option)| {
            let text = option.text.trim();
            if has_labels {
                without_label(text, index)
            } else {
                text
            }
            .to_owned()
        });
        texts.collect()
    };
    let mut expected = words(before);
    if expected.len() <= from.max(to) {
        return false;
    }
    expected.swap(from, to);
    let flags = |nodes: &ItemNodes<'_>| -> Vec<Option<bool>> {
        nodes.options.iter().map(|option| option.flag).collect()
    };
    let mut expected_flags = flags(before);
    expected_flags.swap(from, to);
    let labelled = nodes.labelled();
    let names_it = nodes
        .keys
        .iter()
        .all(|field| match key::read(*field, &labelled) {
            Reading::Key(Key::One(index)) | Reading::NumberOrLabel(_, index) => {
                usize::from(index) == to
            }
            Reading::Key(Key::Missing) => true,
            Reading::Key(_) | Reading::NumberOrText(..) => false,
            Reading::Number(number) => {
                let position = base.map(|base| number - i64::from(base.number()));
                position.and_then(|position| usize::try_from(position).ok()) == Some(to)
            }
        });
    words(&nodes) == expected && flags(&nodes) == expected_flags && names_it
}
