//! The summary sheet of a bank: keys by position, length of keys, findings by check,
//! the worst items. The sheets of several files add up to the sheet of a folder.
//! Prints nothing.

use std::collections::BTreeMap;

use redraft_gate::content::Document;
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::policy::Parameters;
use redraft_text::lines::LineIndex;

use super::similar::{self, Fingerprint};
use super::statistics::{self, LengthCue, Lengths, PositionBias, Positions};
use crate::items::model::{Bank, Bloom, ItemView, items};
use crate::items::wording;

/// The number of worst items that a sheet lists.
pub const WORST: usize = 10;

#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub items: usize,
    /// Whether it is a list of items in one file.
    pub is_list: bool,
    pub positions: Positions,
    /// How often the longest option is the key.
    pub lengths: Lengths,
    /// Items by the level that they say they test.
    pub blooms: BTreeMap<Bloom, usize>,
    /// Items with a finding, by the name of the check.
    pub flaws: BTreeMap<&'static str, usize>,
    /// The worst items, the worst first.
    pub worst: Vec<WorstItem>,
    /// The values that are not items.
    pub not_items: Vec<NotAnItem>,
    /// The items of all files, with their fingerprints; only kept for folders.
    locations: Vec<ItemLocation>,
    fingerprints: Vec<Option<Fingerprint>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemLocation {
    pub path: String,
    pub id: String,
    /// The line that it starts on.
    pub line: usize,
}

/// A value of a bank that is not an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnItem {
    pub path: String,
    /// The line that it starts on.
    pub line: usize,
}

/// An item with many findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstItem {
    pub location: ItemLocation,
    pub errors: usize,
    pub warnings: usize,
    pub infos: usize,
}

impl WorstItem {
    fn weight(&self) -> (usize, usize, usize) {
        (self.errors, self.warnings, self.infos)
    }
}

/// Whether a sheet will be added to others, which takes more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// On its own.
    Alone,
    /// For the sheet of a folder.
    InFolder,
}

/// Two nearly identical items in different files.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    pub first: ItemLocation,
    pub second: ItemLocation,
    /// The share of word runs in common.
    pub likeness: f64,
}

/// The result of a statistical test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tested<T> {
    /// Fewer items than the test needs.
    TooFew { items: u64, needed: u64 },
    /// Consistent with chance.
    Unremarkable(T),
    /// Unlikely by chance.
    Striking(T),
}

impl<T> Tested<T> {
    /// Judges a measurement over a number of items.
    fn of(measured: T, items: u64, needed: u64, is_striking: impl FnOnce(&T) -> bool) -> Self {
        if items < needed {
            Self::TooFew { items, needed }
        } else if is_striking(&measured) {
            Self::Striking(measured)
        } else {
            Self::Unremarkable(measured)
        }
    }

    /// The measurement, if it is striking.
    #[must_use]
    pub fn striking(self) -> Option<T> {
        match self {
            Self::Striking(found) => Some(found),
            _ => None,
        }
    }
}

impl Sheet {
    /// The sheet of a document; `None` if it has no items, or is a single item that
    /// is not in a list.
    #[must_use]
    pub fn of(
        path: &str,
        document: &Document,
        findings: &[Finding],
        what_for: Use,
    ) -> Option<Self> {
        let bank = document.model::<Bank>()?;
        if bank.items.is_empty() || (!bank.is_bank && what_for == Use::Alone) {
            return None;
        }
        let mut sheet = Self::tally(document);
        sheet.is_list = bank.is_bank;
        if !bank.not_items.is_empty() {
            let lines = LineIndex::new(document.source().text());
            let others = bank.not_items.iter().map(|range| NotAnItem {
                path: path.to_owned(),
                line: lines.line_column(range.start).0,
            });
            sheet.not_items = others.collect();
        }
        sheet.count_findings(path, document, bank, findings);
        if what_for == Use::InFolder {
            let lines = LineIndex::new(document.source().text());
            for view in items(document) {
                sheet.locations.push(location(path, view, &lines));
                sheet.fingerprints.push(similar::fingerprint(view));
            }
        }
        Some(sheet)
    }

    /// Keys, lengths and levels of a document's items.
    #[must_use]
    pub fn tally(document: &Document) -> Self {
        let mut sheet = Self::default();
        for view in items(document) {
            sheet.items += 1;
            if let Some(bloom) = view.item.bloom {
                *sheet.blooms.entry(bloom).or_default() += 1;
            }
            let options = view.options().len();
            // More options than letters mean a broken file.
            let Some(key) = view.correct().filter(|_| (2..=26).contains(&options)) else {
                continue;
            };
            if view.item.has_order {
                let counts = sheet
                    .positions
                    .entry(options)
                    .or_insert_with(|| vec![0; options]);
                if let Some(count) = counts.get_mut(key) {
                    *count += 1;
                }
            }
            if let Some(longest) = only_longest(view) {
                let lengths = sheet.lengths.entry(options).or_default();
                lengths.0 += 1;
                lengths.1 += u64::from(longest == key);
            }
        }
        sheet
    }

    fn count_findings(
        &mut self,
        path: &str,
        document: &Document,
        bank: &Bank,
        findings: &[Finding],
    ) {
        let mut of_items: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
        let mut seen: Option<(usize, Vec<&'static str>)> = None;
        for finding in findings
            .iter()
            .filter(|finding| !finding.check.code.starts_with("BNK"))
        {
            let at = document.source().text_range(finding.span).start;
            let before = bank.items.partition_point(|item| item.range.start <= at);
            let Some(index) = before.checked_sub(1) else {
                continue;
            };
            // What is said of a line or a question that is no item says nothing of the item
            // before it.
            if bank.items[index].range.end < at {
                continue;
            }
            let counts = of_items.entry(index).or_default();
            match finding.severity {
                Severity::Error => counts[0] += 1,
                Severity::Warning => counts[1] += 1,
                Severity::Info => counts[2] += 1,
            }
            // Findings are in file order, so those of an item are adjacent.
            if seen.as_ref().is_none_or(|(of, _)| *of != index) {
                seen = Some((index, Vec::new()));
            }
            if let Some((_, names)) = &mut seen
                && !names.contains(&finding.check.name)
            {
                names.push(finding.check.name);
                *self.flaws.entry(finding.check.name).or_default() += 1;
            }
        }
        let mut order: Vec<(usize, [usize; 3])> = of_items.into_iter().collect();
        order.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        order.truncate(WORST);
        if order.is_empty() {
            return;
        }
        let lines = LineIndex::new(document.source().text());
        let chosen: BTreeMap<usize, [usize; 3]> = order.iter().copied().collect();
        for (index, view) in items(document).enumerate() {
            if let Some([errors, warnings, infos]) = chosen.get(&index) {
                self.worst.push(WorstItem {
                    location: location(path, view, &lines),
                    errors: *errors,
                    warnings: *warnings,
                    infos: *infos,
                });
            }
        }
        self.worst
            .sort_by_key(|item| std::cmp::Reverse(item.weight()));
    }

    pub fn add(&mut self, other: Self) {
        self.items += other.items;
        for (options, counts) in other.positions {
            let own = self
                .positions
                .entry(options)
                .or_insert_with(|| vec![0; options]);
            for (own, count) in own.iter_mut().zip(counts) {
                *own += count;
            }
        }
        for (options, (items, longest)) in other.lengths {
            let own = self.lengths.entry(options).or_default();
            *own = (own.0 + items, own.1 + longest);
        }
        for (bloom, count) in other.blooms {
            *self.blooms.entry(bloom).or_default() += count;
        }
        for (name, count) in other.flaws {
            *self.flaws.entry(name).or_default() += count;
        }
        self.not_items.extend(other.not_items);
        self.worst.extend(other.worst);
        self.worst
            .sort_by_key(|item| std::cmp::Reverse(item.weight()));
        self.worst.truncate(WORST);
        self.locations.extend(other.locations);
        self.fingerprints.extend(other.fingerprints);
    }

    /// Whether the keys favour a position.
    #[must_use]
    pub fn position_bias(&self, parameters: &Parameters) -> Option<Tested<PositionBias>> {
        const CHECK: &str = "key-position-bias";
        let bias = statistics::position_bias(&self.positions)?;
        let needed = whole(parameters.number(CHECK, "least-items"));
        Some(Tested::of(bias, bias.items, needed, |bias| {
            bias.p_value < parameters.number(CHECK, "p-below")
                && bias.effect >= parameters.number(CHECK, "least-effect")
        }))
    }

    /// Whether the longest option is the key too often.
    #[must_use]
    pub fn length_cue(&self, parameters: &Parameters) -> Option<Tested<LengthCue>> {
        const CHECK: &str = "longest-key-bank";
        let cue = statistics::length_cue(&self.lengths)?;
        let needed = whole(parameters.number(CHECK, "least-items"));
        Some(Tested::of(cue, cue.items, needed, |cue| {
            cue.p_value < parameters.number(CHECK, "p-below")
                && cue.rate() >= cue.chance + parameters.number(CHECK, "least-more")
        }))
    }

    /// Nearly identical items in different files. Those within one file are found
    /// when the file is checked.
    #[must_use]
    pub fn duplicates_between_files(&self, parameters: &Parameters) -> Vec<Duplicate> {
        let least = parameters.number("duplicate-items", "least-likeness");
        similar::pairs(&self.fingerprints, least)
            .into_iter()
            .filter_map(|pair| {
                let first = self.locations.get(pair.first)?;
                let second = self.locations.get(pair.second)?;
                (first.path != second.path).then(|| Duplicate {
                    first: first.clone(),
                    second: second.clone(),
                    likeness: pair.likeness,
                })
            })
            .collect()
    }
}

/// The option that is longer than all others.
fn only_longest(view: ItemView<'_>) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut alone = false;
    for (index, text) in view.option_texts().enumerate() {
        let length = wording::length(text);
        match best {
            Some((_, longest)) if length < longest => {}
            Some((_, longest)) if length == longest => alone = false,
            _ => {
                best = Some((index, length));
                alone = true;
            }
        }
    }
    best.filter(|_| alone).map(|(index, _)| index)
}

fn location(path: &str, view: ItemView<'_>, lines: &LineIndex) -> ItemLocation {
    ItemLocation {
        path: path.to_owned(),
        id: view.id().to_owned(),
        line: lines.line_column(view.item.range.start).0,
    }
}

fn whole(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "counts in a policy are small and the cast saturates"
    )]
    let whole = number as u64;
    whole
}
