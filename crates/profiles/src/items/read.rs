//! Which value of an object is the vignette, the stem, an option, the key and the
//! explanation of an item, in every form that is read. It looks at one object and builds
//! nothing.
//!
//! | form of the options | example |
//! |---|---|
//! | list of texts or objects | `"options": ["Aspirin", {"label": "B", "text": "Heparin"}]` |
//! | map | `"options": {"A": "Aspirin", "B": "Heparin"}` |
//! | columns | `"choices": {"label": ["A", "B"], "text": ["Aspirin", "Heparin"]}` |
//! | fields of their own | `"A": "Aspirin", "B": "Heparin"`; `"opa"`, `"option_1"` |
//! | the right one apart | `"correct_answer": "Aspirin", "distractors": ["Heparin"]`; `"distractor1"` |

use std::ops::Range;

use redraft_text::json::{Kind, Node};

use super::key::{self, KeyField, Labelled, Reading};
use super::labels;
use super::model::Key;
use super::names::{self, Numbered, Role, option_explanation, option_label, option_text};

/// The parts of an item.
#[derive(Debug, Default)]
pub(super) struct ItemNodes<'a> {
    pub(super) vignette: Option<Node<'a>>,
    pub(super) stem: Option<Node<'a>>,
    /// How the question goes on after a gap that the options fill.
    pub(super) stem_after_gap: Option<Node<'a>>,
    pub(super) explanation: Option<Node<'a>>,
    /// Whether there is a field for the explanation, even if it is empty.
    pub(super) has_explanation_field: bool,
    /// In the order of their letters.
    pub(super) options: Vec<OptionNodes<'a>>,
    pub(super) layout: Layout<'a>,
    /// The key in each field that states it, the one that counts first.
    pub(super) keys: Vec<KeyField<'a>>,
}

/// How an item keeps its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LayoutKind {
    /// There are none.
    #[default]
    None,
    List,
    Map,
    Columns,
    Fields,
    KeyApart,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout<'a> {
    pub(super) kind: LayoutKind,
    /// The value that holds all of them, where there is one.
    pub(super) list: Option<Node<'a>>,
}

/// The parts of an option.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptionNodes<'a> {
    /// The whole option.
    pub(super) node: Node<'a>,
    pub(super) label: Option<&'a str>,
    /// An id that is a number.
    pub(super) id: Option<i64>,
    /// The name of its field, where it has one of its own, or its second text.
    pub(super) name: Option<&'a str>,
    pub(super) text: Option<Node<'a>>,
    pub(super) explanation: Option<Node<'a>>,
    pub(super) flag: Option<bool>,
    /// Whether a field numbers the options in another order.
    pub(super) unordered: bool,
}

impl<'a> OptionNodes<'a> {
    /// The explanation, if it stands elsewhere than the option.
    pub(super) fn explanation_apart(&self) -> Option<Node<'a>> {
        let own = self.node.span();
        self.explanation.filter(|node| {
            let span = node.span();
            span.start < own.start || span.end > own.end
        })
    }

    pub(super) fn labelled(&self) -> Labelled<'a> {
        let text = self.text.and_then(Node::as_str).unwrap_or_default();
        Labelled {
            label: self.label,
            name: self.name,
            printed: None,
            text,
            words: text,
            number: self.text.and_then(Node::as_f64),
            id: self.id,
            unordered: self.unordered,
        }
    }
}

impl<'a> ItemNodes<'a> {
    /// Whether it has what makes an item: options, and a question or a case.
    pub(super) fn is_item(&self) -> bool {
        self.layout.kind != LayoutKind::None && (self.stem.is_some() || self.vignette.is_some())
    }

    pub(super) fn labelled(&self) -> Vec<Labelled<'a>> {
        let mut options: Vec<Labelled<'a>> =
            self.options.iter().map(OptionNodes::labelled).collect();
        let texts: Vec<&str> = options.iter().map(|option| option.text).collect();
        if labels::printed_in_another_order(&texts) {
            for option in &mut options {
                option.unordered = true;
            }
        }
        for (option, printed) in options
            .iter_mut()
            .zip(labels::printed(&texts).into_iter().flatten())
        {
            option.printed = Some(printed.label);
            option.words = printed.words;
        }
        options
    }

    /// The extent of the options.
    pub(super) fn option_range(&self) -> Option<Range<usize>> {
        if let Some(list) = self.layout.list {
            return Some(list.span());
        }
        let start = self.options.iter().map(|option| start(option.node)).min()?;
        let end = self.options.iter().map(|option| option.node.span().end);
        Some(start..end.max()?)
    }

    /// Where the field of the options begins, including its name.
    pub(super) fn option_field(&self) -> Option<usize> {
        match self.layout.list {
            Some(list) => Some(start(list)),
            None => self.option_range().map(|range| range.start),
        }
    }
}

/// Where a field begins, including its name.
fn start(node: Node<'_>) -> usize {
    let own = node.span().start;
    node.key().map_or(own, |name| name.span.start)
}

/// The fields of an object by their roles: of each the one with the best name.
#[derive(Default)]
struct Fields<'a> {
    best: Vec<(Role, usize, Node<'a>)>,
    keys: Vec<(Role, usize, Node<'a>)>,
    numbered: Vec<(names::NumberedName, &'a str, Node<'a>)>,
    has_explanation: bool,
}

impl<'a> Fields<'a> {
    fn of(object: Node<'a>) -> Self {
        let mut fields = Self::default();
        for (name, value) in object.members() {
            let name = name.text.as_ref();
            if let Some((role, rank)) = names::role(name) {
                fields.has_explanation |= role == Role::Explanation;
                fields.add(role, rank, value);
            } else if let Some(numbered) = names::numbered(name)
                && matches!(value.kind(), Kind::String | Kind::Number | Kind::Object)
            {
                fields.numbered.push((numbered, name, value));
            }
        }
        fields
            .keys
            .sort_by_key(|(role, rank, _)| (key_rank(*role), *rank));
        fields
    }

    fn add(&mut self, role: Role, rank: usize, value: Node<'a>) {
        if matches!(
            role,
            Role::Key | Role::IndexKey | Role::WeakKey | Role::Solution
        ) {
            self.keys.push((role, rank, value));
            return;
        }
        if value.kind() == Kind::Null {
            return;
        }
        match self.best.iter_mut().find(|(other, ..)| *other == role) {
            // Of two fields with one name the last counts.
            Some(best) if rank <= best.1 => *best = (role, rank, value),
            Some(_) => {}
            None => self.best.push((role, rank, value)),
        }
    }

    fn get(&self, role: Role) -> Option<Node<'a>> {
        let found = self.best.iter().find(|(other, ..)| *other == role);
        found.map(|(_, _, value)| *value)
    }
}

fn key_rank(role: Role) -> usize {
    match role {
        Role::Key => 0,
        Role::IndexKey => 1,
        Role::WeakKey => 2,
        _ => 3,
    }
}

/// Reads the parts of an item in an object; an object that is none has few of them.
pub(super) fn item(object: Node<'_>) -> ItemNodes<'_> {
    if object.kind() != Kind::Object {
        return ItemNodes::default();
    }
    let mut fields = Fields::of(object);
    let mut item = ItemNodes {
        vignette: fields.get(Role::Vignette),
        stem: fields.get(Role::Stem),
        stem_after_gap: object.get("stem_after_gap"),
        explanation: fields.get(Role::Explanation),
        has_explanation_field: fields.has_explanation,
        ..ItemNodes::default()
    };
    item.options_of(&fields);
    // `{"question": {"stem": "…", "choices": […]}, "answerKey": "B"}`
    if item.layout.kind == LayoutKind::None
        && let Some(question) = item.stem.filter(|stem| stem.kind() == Kind::Object)
    {
        let inner = Fields::of(question);
        item.options_of(&inner);
        if item.layout.kind != LayoutKind::None {
            item.stem = inner.get(Role::Stem).or(inner.get(Role::WeakStem));
            // `{"question": {"stem": "…", "choices": […], "answer": "B"}}`
            item.explanation = item.explanation.or(inner.get(Role::Explanation));
            item.has_explanation_field |= inner.has_explanation;
            fields.keys.extend(inner.keys);
        }
    }
    if item.layout.kind != LayoutKind::None {
        item.stem = item.stem.or(fields.get(Role::WeakStem));
    }
    item.keys_of(&fields);
    item.or_weak_options(&fields);
    item
}

impl<'a> ItemNodes<'a> {
    fn options_of(&mut self, fields: &Fields<'a>) {
        if let Some(list) = fields.get(Role::Options) {
            self.take_list(list);
        }
        if self.layout.kind == LayoutKind::None {
            self.take_fields(fields);
        }
    }

    fn take_list(&mut self, list: Node<'a>) {
        let (kind, options) = match list.kind() {
            Kind::Object => match columns(list) {
                Some(options) => (LayoutKind::Columns, options),
                None => (LayoutKind::Map, map(list)),
            },
            Kind::Array => {
                let mut options: Vec<OptionNodes<'a>> =
                    list.items().map(|node| option(node, None)).collect();
                infer_labels(&mut options);
                infer_flags(&mut options);
                (LayoutKind::List, options)
            }
            _ => (LayoutKind::List, Vec::new()),
        };
        self.layout = Layout {
            kind,
            list: Some(list),
        };
        self.options = options;
    }

    /// Options in fields of their own: a series of at least two, from the first on.
    fn take_fields(&mut self, fields: &Fields<'a>) {
        for (first, ..) in &fields.numbered {
            let same = |other: &&names::NumberedName| other.prefix == first.prefix;
            let numbered = fields.numbered.iter().map(|(name, ..)| name);
            let least = numbered.filter(same).map(|name| name.index).min();
            // Fields may stand in any order: a series begins with its first name, which is A,
            // 0 or 1. What begins with B has lost an option.
            let by_letter = !first.prefix.ends_with('#');
            let latest = usize::from(!by_letter);
            if first.what != Numbered::Option || first.index > latest || least != Some(first.index)
            {
                continue;
            }
            let mut series: Vec<_> = fields
                .numbered
                .iter()
                .filter(|(other, ..)| other.prefix == first.prefix && other.index >= first.index)
                .collect();
            series.sort_by_key(|(name, ..)| name.index);
            let in_order = series.iter().zip(first.index..);
            let length = in_order
                .take_while(|((name, ..), index)| name.index == *index)
                .count();
            if length < 2 {
                continue;
            }
            self.options = series[..length]
                .iter()
                .enumerate()
                .map(|(index, (_, name, node))| OptionNodes {
                    label: LETTERS.get(index).copied().filter(|_| by_letter),
                    name: Some(name),
                    ..option(*node, None)
                })
                .collect();
            self.layout.kind = LayoutKind::Fields;
            return;
        }
    }

    /// The key in every field that states one, and the right option where it stands apart
    /// from the wrong ones.
    fn keys_of(&mut self, fields: &Fields<'a>) {
        let wrong = self.wrong_options(fields);
        let mut keys = fields.keys.iter();
        let right = keys.find(|(role, _, value)| may_be_right(*role, *value));
        let right = right.map(|(.., value)| *value);
        if let (Some(wrong), Some(right)) = (wrong, right) {
            self.options = wrong;
            self.options.push(option(right, None));
            self.options.sort_by_key(|option| option.node.span().start);
            self.layout = Layout {
                kind: LayoutKind::KeyApart,
                list: None,
            };
            return;
        }
        let labelled = self.labelled();
        for (role, _, value) in &fields.keys {
            let field = KeyField::new(*value, *role);
            let reading = key::read(field, &labelled);
            match role {
                // A worked solution is an explanation.
                Role::Solution if reading == Reading::Key(Key::Unknown) && has_words(*value) => {
                    self.explanation = self.explanation.or(Some(*value));
                    self.has_explanation_field = true;
                }
                Role::WeakKey | Role::Solution
                    if !key::is_plausible(reading, *value)
                        || self.layout.kind == LayoutKind::None => {}
                _ => self.keys.push(field),
            }
        }
    }

    /// The wrong options of an item whose right one stands apart.
    fn wrong_options(&self, fields: &Fields<'a>) -> Option<Vec<OptionNodes<'a>>> {
        let list = |list: Node<'a>| -> Vec<OptionNodes<'a>> {
            list.items().map(|node| option(node, None)).collect()
        };
        match self.layout.kind {
            LayoutKind::None => {
                if let Some(wrong) = fields.get(Role::WrongOptions).map(list) {
                    return Some(wrong).filter(|wrong| !wrong.is_empty());
                }
                let wrong: Vec<OptionNodes<'a>> = fields
                    .numbered
                    .iter()
                    .filter(|(name, ..)| name.what == Numbered::Wrong)
                    .map(|(_, name, node)| OptionNodes {
                        name: Some(name),
                        ..option(*node, None)
                    })
                    .collect();
                Some(wrong).filter(|wrong| !wrong.is_empty())
            }
            // `distractors` may hold all options, with flags, or the wrong ones alone.
            LayoutKind::List => {
                let named = self.layout.list.and_then(Node::key);
                let is_distractors =
                    named.is_some_and(|name| names::plain(&name.text) == "distractors");
                let is_flagged = self.options.iter().any(|option| option.flag.is_some());
                let labelled = self.labelled();
                let names_one = fields.keys.iter().any(|(role, _, value)| {
                    key::read(KeyField::new(*value, *role), &labelled) != Reading::Key(Key::Unknown)
                        || value.as_str().is_some_and(key::is_bare)
                });
                (is_distractors && !is_flagged && !names_one && !self.options.is_empty())
                    .then(|| self.options.clone())
            }
            _ => None,
        }
    }

    /// Takes `answers` and the like as the options, if something says which of them is
    /// right: other data sets list every accepted answer there.
    fn or_weak_options(&mut self, fields: &Fields<'a>) {
        let Some(list) = fields.get(Role::WeakOptions) else {
            return;
        };
        if self.layout.kind != LayoutKind::None {
            return;
        }
        let mut trial = ItemNodes {
            vignette: self.vignette,
            stem: self.stem.or(fields.get(Role::WeakStem)),
            stem_after_gap: self.stem_after_gap,
            explanation: self.explanation,
            has_explanation_field: self.has_explanation_field,
            ..ItemNodes::default()
        };
        trial.take_list(list);
        trial.keys_of(fields);
        let is_flagged = trial.options.iter().any(|option| option.flag == Some(true));
        let names_one = trial.keys.iter().any(|key| {
            let reading = key::read(*key, &trial.labelled());
            matches!(
                reading,
                Reading::Number(_)
                    | Reading::NumberOrText(..)
                    | Reading::NumberOrLabel(..)
                    | Reading::Key(Key::One(_))
            )
        });
        if trial.options.len() > 1 && (is_flagged || names_one) {
            *self = trial;
        }
    }
}

const LETTERS: [&str; 10] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"];

fn has_words(value: Node<'_>) -> bool {
    const SEVERAL: usize = 5;
    value
        .as_str()
        .is_some_and(|text| text.split_whitespace().nth(SEVERAL).is_some())
}

/// `{"label": ["A", "B"], "text": ["Aspirin", "Heparin"]}`
fn columns(object: Node<'_>) -> Option<Vec<OptionNodes<'_>>> {
    let column = |names: &[&str]| {
        let mut members = object.members();
        let found = members.find(|(name, value)| {
            value.kind() == Kind::Array && names::is_one_of(&name.text, names).is_some()
        });
        found.map(|(_, value)| value)
    };
    let texts = column(option_text())?;
    let labels: Vec<Option<&str>> = column(option_label())
        .map(|labels| labels.items().map(Node::as_str).collect())
        .unwrap_or_default();
    let options = texts.items().enumerate().map(|(index, node)| OptionNodes {
        label: labels.get(index).copied().flatten(),
        ..option(node, None)
    });
    Some(options.collect())
}

fn map(object: Node<'_>) -> Vec<OptionNodes<'_>> {
    let options = object.members();
    let mut options: Vec<OptionNodes<'_>> = options
        .map(|(label, node)| option(node, Some(&label.text)))
        .collect();
    // `"answer_e": null` at the end is a column that this item does not need.
    while options.len() > 2
        && options
            .last()
            .is_some_and(|last| last.node.kind() == Kind::Null)
    {
        options.pop();
    }
    // `{"Aspirin": "A", "Heparin": "B"}`: the labels are where texts are expected.
    let is_label = |option: &OptionNodes<'_>| {
        let name = option.label.is_some_and(|name| !key::is_bare(name));
        name && option.text.is_some_and(is_short)
    };
    if options.len() > 1 && options.iter().all(is_label) {
        return Vec::new();
    }
    options
}

fn option<'a>(node: Node<'a>, label: Option<&'a str>) -> OptionNodes<'a> {
    let mut option = OptionNodes {
        node,
        label,
        id: None,
        name: None,
        text: Some(node),
        explanation: None,
        flag: None,
        unordered: false,
    };
    if node.kind() == Kind::Array {
        return pair(node, option);
    }
    if node.kind() != Kind::Object {
        return option;
    }
    // `{"A": "Aspirin"}`
    let mut members = node.members();
    if let (Some((name, value)), None) = (members.next(), members.next())
        && value.kind() == Kind::String
        && names::is_one_of(&name.text, option_text()).is_none()
        && key::is_bare(&name.text)
    {
        option.label = Some(&name.text);
        option.text = Some(value);
        return option;
    }
    let flag_node = field(node, names::flags(), |_| true);
    let text = field(node, option_text(), |value| value.kind() != Kind::Bool);
    let own_label = field(node, option_label(), |value| value.kind() == Kind::String);
    let (text, own_label) = match (text, own_label) {
        // `{"value": "a", "label": "Aspirin"}`
        (Some(text), Some(label)) if is_short(text) && !is_short(label) => {
            (Some(label), Some(text))
        }
        (None, Some(label)) if !is_short(label) => (Some(label), None),
        (None, None) => (only_text(node), None),
        found => found,
    };
    option.text = text;
    option.name = other_text(node, text);
    option.label = own_label.and_then(Node::as_str).or(label);
    option.explanation = field(node, option_explanation(), |_| true)
        .filter(|found| Some(found.span()) != text.map(Node::span));
    option.flag = flag_node.and_then(flag);
    if option.label.is_none() {
        option.id = field(node, option_label(), |value| value.kind() == Kind::Number)
            .and_then(Node::as_i64);
    }
    option
}

/// The only text of an option, by whatever name.
fn only_text(node: Node<'_>) -> Option<Node<'_>> {
    let is_text = |value: &Node<'_>| value.kind() == Kind::String;
    let mut texts = node.members().map(|(_, value)| value).filter(is_text);
    texts.next().filter(|_| texts.next().is_none())
}

/// A second text of an option, by which a key may name it: `{"value": "item2", "text": "Rome"}`.
fn other_text<'a>(node: Node<'a>, text: Option<Node<'a>>) -> Option<&'a str> {
    let is_other = |value: &Node<'a>| Some(value.span()) != text.map(Node::span);
    let mut texts = node
        .members()
        .filter(|(name, _)| names::is_one_of(&name.text, option_text()).is_some())
        .map(|(_, value)| value)
        .filter(is_other);
    texts.find_map(Node::as_str)
}

/// Labels in a field by whatever name: a letter of the series beside each text. Numbers in
/// another order than the options show that a number may be no position.
fn infer_labels<'a>(options: &mut [OptionNodes<'a>]) {
    let is_known = |option: &OptionNodes<'_>| option.label.is_some() || option.id.is_some();
    if options.len() < 2 || options.iter().any(is_known) {
        return;
    }
    let Some(first) = options.first().map(|option| option.node) else {
        return;
    };
    for (name, _) in first.members() {
        let name = name.text.as_ref();
        let beside = |option: &OptionNodes<'a>| -> Option<Node<'a>> {
            let value = option.node.get(name)?;
            (Some(value.span()) != option.text.map(Node::span)).then_some(value)
        };
        let letter = |node: Node<'_>| {
            let letter = node
                .as_str()
                .filter(|text| text.len() == 1)?
                .bytes()
                .next()?;
            let letter = Some(letter.to_ascii_lowercase()).filter(u8::is_ascii_lowercase)?;
            Some(i64::from(letter - b'a'))
        };
        let places = |place: &dyn Fn(Node<'_>) -> Option<i64>| -> Option<Vec<i64>> {
            options
                .iter()
                .map(|option| place(beside(option)?))
                .collect()
        };
        if places(&letter).is_some_and(|places| is_permuted(&places, 0)) {
            for option in options.iter_mut() {
                option.label = option.node.get(name).and_then(Node::as_str);
            }
            return;
        }
        let is_flag = names::is_one_of(name, names::flags()).is_some();
        let numbers = places(&|node| node.as_i64()).filter(|_| !is_flag);
        let is_shuffled = |numbers: &Vec<i64>| {
            (is_permuted(numbers, 0) || is_permuted(numbers, 1)) && !numbers.is_sorted()
        };
        if numbers.as_ref().is_some_and(is_shuffled) {
            for option in options.iter_mut() {
                option.unordered = true;
            }
        }
    }
}

/// The right option by the share of the marks that each earns: one earns some, the others none.
/// Several that earn something may be right in part.
fn infer_flags(options: &mut [OptionNodes<'_>]) {
    if options.len() < 2 || options.iter().any(|option| option.flag.is_some()) {
        return;
    }
    let share = |option: &OptionNodes<'_>| {
        let share = field(option.node, names::option_shares(), |_| true)?;
        share
            .as_f64()
            .or_else(|| share.as_str()?.trim().parse().ok())
    };
    let shares: Option<Vec<f64>> = options.iter().map(share).collect();
    let earns = |share: &f64| *share > 0.0;
    let Some(shares) = shares.filter(|all| all.iter().filter(|one| earns(one)).count() == 1) else {
        return;
    };
    for (option, share) in options.iter_mut().zip(&shares) {
        option.flag = Some(earns(share));
    }
}

/// Whether the value of a key may be the text of the right option, where the wrong ones stand
/// apart. `"key": "bio-12"` is an id.
fn may_be_right(role: Role, value: Node<'_>) -> bool {
    let Some(text) = value
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
    else {
        return false;
    };
    let is_id = || text.contains('_') || text.contains('-') && text.contains(char::is_numeric);
    let is_named = || {
        let name = value.key();
        name.is_some_and(|name| names::is_one_of(&name.text, names::right_texts()).is_some())
    };
    role == Role::Key || role == Role::WeakKey && is_named() && !key::is_bare(text) && !is_id()
}

/// Whether numbers are those from `first` on, in any order.
fn is_permuted(numbers: &[i64], first: i64) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted
        .iter()
        .zip(first..)
        .all(|(number, expected)| *number == expected)
}

/// `["B", "Heparin"]`: a label and a text. Any other list is no option.
fn pair<'a>(node: Node<'a>, empty: OptionNodes<'a>) -> OptionNodes<'a> {
    let entries: Vec<Node<'a>> = node.items().take(3).collect();
    let text = |entry: &Node<'a>| entry.kind() == Kind::String;
    match entries[..] {
        [label, words] if text(&label) && text(&words) && is_short(label) => OptionNodes {
            label: label.as_str(),
            text: Some(words),
            ..empty
        },
        _ => OptionNodes {
            text: None,
            ..empty
        },
    }
}

fn is_short(node: Node<'_>) -> bool {
    node.as_str()
        .is_some_and(|text| text.chars().nth(1).is_none())
}

/// The field of an object with the best of some names.
fn field<'a>(
    object: Node<'a>,
    known: &[&str],
    fits: impl Fn(Node<'a>) -> bool,
) -> Option<Node<'a>> {
    let ranked = object.members().filter_map(|(name, value)| {
        let rank = names::is_one_of(&name.text, known)?;
        (value.kind() != Kind::Null && fits(value)).then_some((rank, value))
    });
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, value)| value)
}

/// Whether a value says that an option is right.
pub(super) fn flag(node: Node<'_>) -> Option<bool> {
    match node.kind() {
        Kind::Bool => node.as_bool(),
        Kind::String => {
            let word = node.as_str()?.trim().to_lowercase();
            if names::yes().contains(&word.as_str()) {
                Some(true)
            } else {
                names::no().contains(&word.as_str()).then_some(false)
            }
        }
        Kind::Number => node.as_f64().map(|number| number > 0.0),
        _ => None,
    }
}
