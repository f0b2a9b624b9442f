//! Rebalances the positions of a bank's keys: in some items the right option changes places
//! with a wrong one. Only options, keys and letters that name options are edited; an item
//! about which there is any doubt keeps its order. Deterministic: the same bank always gives
//! the same result.
//!
//! | an item keeps its order if | |
//! |---|---|
//! | its key is missing, doubtful or several options | `Key` |
//! | an option speaks of others, is a number, or is part of a scale or an alphabetical list | `Options` |
//! | a text names options by their places, or by letters or numbers that may mean something else | `Letters` |
//! | another list or map goes by the order or the letters of the options | `OtherFields` |
//! | its JSON is malformed, or an option or the key is in a form that cannot be moved | `Form` |

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_gate::content::Document;
use redraft_gate::receipt::ServedEdit;
use redraft_text::json::{self, Json, Kind, Node};

use super::counting::Base;
use super::model::{Bank, ItemView, items, letter};
use super::option_words;
use super::order::{self, KeptOrder, Letters};
use super::read::{self, ItemNodes, LayoutKind};
use super::swap::{self, Swap};
use super::swap_in_bank;

/// What rebalancing a bank does.
#[derive(Clone, Debug, Default)]
pub struct Rebalanced {
    /// In the order of the file.
    pub moved: Vec<MovedKey>,
    /// Items that keep their order, by reason.
    pub kept: BTreeMap<Kept, usize>,
    /// The edits, each with the component that it lies in.
    pub edits: Vec<ServedEdit>,
}

/// A key that changes places with a wrong option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedKey {
    /// The item's id.
    pub item: String,
    /// Where the right option was, and where it is now; the option there took its place.
    pub from: usize,
    pub to: usize,
}

impl MovedKey {
    /// The old and the new letter of each option that moved.
    #[must_use]
    pub fn letters(&self) -> [(String, String); 2] {
        let (from, to) = (letter(self.from), letter(self.to));
        [(from.clone(), to.clone()), (to, from)]
    }
}

/// Why an item keeps its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    Key,
    Options(KeptOrder),
    Letters,
    OtherFields,
    Form,
}

/// Rebalances a bank; `None` if the document is none.
#[must_use]
pub fn rebalance(document: &Document) -> Option<Rebalanced> {
    let bank = document.model::<Bank>().filter(|bank| bank.is_bank)?;
    let trees = Trees::of(document);
    let mut result = Rebalanced::default();
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (index, view) in items(document).enumerate() {
        let options = view.options().len();
        let Some(key) = view
            .correct()
            .filter(|_| view.item.has_order && (2..=26).contains(&options))
        else {
            *result.kept.entry(Kept::Key).or_default() += 1;
            continue;
        };
        let group = groups.entry(options).or_insert_with(|| Group::new(options));
        group.counts[key] += 1;
        match movable(document, view, &trees, bank.index_base) {
            Ok(()) => group.movable[key].push((spread(document, view), index)),
            Err(kept) => *result.kept.entry(kept).or_default() += 1,
        }
    }
    let mut moves: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for group in groups.into_values() {
        group.even_out(&mut moves);
    }
    for (index, view) in items(document).enumerate() {
        let Some((from, to)) = moves.get(&index).copied() else {
            continue;
        };
        match edits(document, view, (&trees, from, to), bank.index_base) {
            Some(edits) => {
                result.edits.extend(edits);
                result.moved.push(MovedKey {
                    item: view.id().to_owned(),
                    from,
                    to,
                });
            }
            None => *result.kept.entry(Kept::Form).or_default() += 1,
        }
    }
    Some(result)
}

/// The items with the same number of options.
struct Group {
    /// Keys at each position.
    counts: Vec<usize>,
    /// The items that may move, by the position of their keys.
    movable: Vec<Vec<(u64, usize)>>,
}

impl Group {
    fn new(options: usize) -> Self {
        Self {
            counts: vec![0; options],
            movable: vec![Vec::new(); options],
        }
    }

    /// Moves keys from the most frequent position to the rarest until they differ by one at
    /// most, or nothing more may move.
    fn even_out(mut self, moves: &mut BTreeMap<usize, (usize, usize)>) {
        for items in &mut self.movable {
            items.sort_unstable();
        }
        loop {
            let to = (0..self.counts.len()).min_by_key(|position| self.counts[*position]);
            let from = (0..self.counts.len())
                .filter(|position| !self.movable[*position].is_empty())
                .max_by_key(|position| (self.counts[*position], std::cmp::Reverse(*position)));
            let (Some(from), Some(to)) = (from, to) else {
                return;
            };
            if self.counts[from] < self.counts[to] + 2 {
                return;
            }
            let Some((_, item)) = self.movable[from].pop() else {
                return;
            };
            self.counts[from] -= 1;
            self.counts[to] += 1;
            moves.insert(item, (from, to));
        }
    }
}

/// A number by which the items that move are spread over the bank.
fn spread(document: &Document, view: ItemView<'_>) -> u64 {
    let text = document.source().text().get(view.item.range.clone());
    text.unwrap_or_default()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// Reads items again: JSON, or the questions of another format.
struct Trees(Option<redraft_banks::Bank>);

impl Trees {
    fn of(document: &Document) -> Self {
        let format = document.form().bank_format();
        Self(format.and_then(|format| redraft_banks::cut(document.source().text(), format)))
    }

    fn read(&self, text: &str, range: &Range<usize>) -> Json {
        match &self.0 {
            Some(bank) => bank.read(text, range),
            None => json::scan(text, range.clone()),
        }
    }
}

/// Whether an item may be given another order.
fn movable(
    document: &Document,
    view: ItemView<'_>,
    trees: &Trees,
    base: Option<Base>,
) -> Result<(), Kept> {
    if view.item.wants_several {
        return Err(Kept::Key);
    }
    if let Some(kept) = order::of_options(view) {
        return Err(Kept::Options(kept));
    }
    let source = document.source().text();
    let scanned = trees.read(source, &view.item.range);
    let root = scanned.root().filter(|_| scanned.recoveries.is_empty());
    let root = root.ok_or(Kept::Form)?;
    let nodes = read::item(root);
    if nodes.options.len() != view.options().len() {
        return Err(Kept::Form);
    }
    // Letters of other alphabets are not looked for in texts.
    let is_other = |label: Option<&str>| label.is_some_and(|label| !label.is_ascii());
    let labelled = nodes.labelled();
    if labelled
        .iter()
        .any(|option| is_other(option.label) || is_other(option.printed))
    {
        return Err(Kept::Letters);
    }
    let count = nodes.options.len();
    let explained = explanations(&nodes);
    for node in texts(root, &nodes) {
        let text = node.as_str().unwrap_or_default();
        if option_words::points_by_place(text) {
            return Err(Kept::Letters);
        }
        let is_explanation = explained
            .iter()
            .any(|explanation| holds(*explanation, node));
        match (order::letters(text, count), is_explanation) {
            (Letters::Certain(letters), _) if letters.is_empty() => {}
            (Letters::Certain(_), true) => {}
            // A question rarely names options, and its letters mean other things.
            (Letters::Doubtful, false)
                if asks(&nodes, node) && !order::lists_letters(text, count) => {}
            _ => return Err(Kept::Letters),
        }
    }
    if goes_by_order(root, &nodes) {
        return Err(Kept::OtherFields);
    }
    // Any other position serves for a trial.
    let from = view.correct().ok_or(Kept::Key)?;
    let to = if from == 0 { 1 } else { 0 };
    edits(document, view, (trees, from, to), base)
        .map(|_| ())
        .ok_or(Kept::Form)
}

/// The explanations of an item and its options.
fn explanations<'a>(nodes: &ItemNodes<'a>) -> Vec<Node<'a>> {
    let of_options = nodes.options.iter().filter_map(|option| option.explanation);
    nodes.explanation.into_iter().chain(of_options).collect()
}

/// Whether a text belongs to the question itself.
fn asks(nodes: &ItemNodes<'_>, text: Node<'_>) -> bool {
    let mut asked = nodes.vignette.into_iter().chain(nodes.stem);
    asked.any(|node| holds(node, text))
}

fn holds(outer: Node<'_>, inner: Node<'_>) -> bool {
    let (outer, inner) = (outer.span(), inner.span());
    outer.start <= inner.start && inner.end <= outer.end
}

/// The texts of an item that may name its options: all but options, keys, addresses and what
/// the item is called by.
fn texts<'a>(root: Node<'a>, nodes: &ItemNodes<'a>) -> Vec<Node<'a>> {
    let is_own = |node: Node<'a>| {
        nodes
            .options
            .iter()
            .any(|option| option.text.is_some_and(|text| holds(text, node)))
            || nodes.keys.iter().any(|key| holds(key.value, node))
    };
    below(root)
        .into_iter()
        .filter(|node| node.as_str().is_some_and(|text| is_text(*node, text)))
        .filter(|node| !is_own(*node))
        .collect()
}

fn is_text(node: Node<'_>, text: &str) -> bool {
    let name = node.key().map(|name| name.text.to_lowercase());
    let is_id = name.is_some_and(|name| {
        matches!(name.as_str(), "id" | "uuid" | "_id")
            || name.ends_with("_id")
            || name.ends_with("url")
    });
    // A text may quote an address and name options as well.
    let is_address = text.contains("://") && !text.trim().contains(char::is_whitespace);
    text.chars().nth(1).is_some() && !is_id && !is_address
}

/// Every value below another, itself included.
fn below(root: Node<'_>) -> Vec<Node<'_>> {
    let mut open = vec![root];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        found.push(node);
        open.extend(node.items());
        open.extend(node.members().map(|(_, value)| value));
    }
    found
}

/// Whether another list or map goes by the order or the letters of the options.
fn goes_by_order(root: Node<'_>, nodes: &ItemNodes<'_>) -> bool {
    let labels: Vec<String> = nodes
        .options
        .iter()
        .enumerate()
        .map(|(index, option)| option.label.map_or_else(|| letter(index), str::to_owned))
        .collect();
    let is_own = |node: Node<'_>| {
        let list = nodes.layout.list;
        let is_list = list.is_some_and(|list| node.span() == list.span());
        let in_list = nodes.layout.kind != LayoutKind::None
            && nodes.options.iter().any(|option| holds(option.node, node));
        is_list || in_list || node.span() == root.span()
    };
    let is_column = |node: Node<'_>| {
        let outer = node.parent().zip(nodes.layout.list);
        nodes.layout.kind == LayoutKind::Columns
            && outer.is_some_and(|(parent, list)| parent.span() == list.span())
    };
    below(root).into_iter().any(|node| match node.kind() {
        Kind::Array if is_column(node) => false,
        Kind::Array => !is_own(node) && node.len() == labels.len(),
        Kind::Object if !is_own(node) => {
            let names = node.members().map(|(name, _)| name.text.as_ref());
            let named =
                names.filter(|name| labels.iter().any(|label| label.eq_ignore_ascii_case(name)));
            named.count() > 0
        }
        _ => false,
    })
}

/// The edits that exchange two options of an item; `None` if that cannot be done with
/// certainty. The new item is read again: the same options, and the same right one.
fn edits(
    document: &Document,
    view: ItemView<'_>,
    (trees, from, to): (&Trees, usize, usize),
    base: Option<Base>,
) -> Option<Vec<ServedEdit>> {
    let source = document.source().text();
    let range = view.item.range.clone();
    let scanned = trees.read(source, &range);
    let root = scanned.root()?;
    let nodes = read::item(root);
    let swap = Swap {
        source,
        nodes: &nodes,
        from,
        to,
        base,
    };
    let mut changes = match &trees.0 {
        Some(bank) => swap_in_bank::changes(&swap, bank.format)?,
        None => {
            let mut changes = swap.options()?;
            changes.extend(swap.keys()?);
            changes
        }
    };
    changes.extend(named_letters(&nodes, root, (from, to))?);
    changes.retain(|(range, text)| source.get(range.clone()) != Some(text));
    changes.sort_by_key(|(range, _)| range.start);
    let apart = changes
        .windows(2)
        .all(|pair| pair[0].0.end <= pair[1].0.start);
    let after = apart.then(|| applied(source, &range, &changes))?;
    let again = trees.read(&after, &(0..after.len()));
    if !swap::keeps_meaning(&again, (&nodes, from), to, base) {
        return None;
    }
    let task = format!("BNK001: {} and {} exchanged", letter(from), letter(to));
    let served = changes.into_iter().map(|(range, text)| ServedEdit {
        component: document.component_at(range.start).id.clone(),
        edit: document.edit_source(range, text),
        task: task.clone(),
    });
    Some(served.collect())
}

/// The letters in explanations that name the exchanged options.
fn named_letters(
    nodes: &ItemNodes<'_>,
    root: Node<'_>,
    (from, to): (usize, usize),
) -> Option<Vec<(Range<usize>, String)>> {
    let explained = explanations(nodes);
    let mut changes = Vec::new();
    for node in texts(root, nodes) {
        if !explained
            .iter()
            .any(|explanation| holds(*explanation, node))
        {
            continue;
        }
        let string = node.string()?;
        let Letters::Certain(letters) = order::letters(&string.text, nodes.options.len()) else {
            return None;
        };
        for (range, index) in letters {
            let other = match index {
                index if index == from => to,
                index if index == to => from,
                _ => continue,
            };
            let is_lower = string
                .text
                .get(range.clone())?
                .bytes()
                .all(|byte| byte.is_ascii_lowercase());
            let new = if is_lower {
                letter(other).to_lowercase()
            } else {
                letter(other)
            };
            changes.push((string.map.to_source(range), new));
        }
    }
    Some(changes)
}

/// A range of a text with changes made.
fn applied(source: &str, range: &Range<usize>, changes: &[(Range<usize>, String)]) -> String {
    let mut text = String::with_capacity(range.len() + 8);
    let mut at = range.start;
    for (changed, new) in changes {
        text.push_str(source.get(at..changed.start).unwrap_or_default());
        text.push_str(new);
        at = changed.end;
    }
    text.push_str(source.get(at..range.end).unwrap_or_default());
    text
}
