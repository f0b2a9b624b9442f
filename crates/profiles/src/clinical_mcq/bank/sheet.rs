//! The sheet of a bank: keys by position, what length gives away, faults by kind,
//! the worst items. Sheets of several files add up to the sheet of a folder. It
//! prints nothing.

use std::collections::BTreeMap;

use redraft_gate::content::Document;
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::policy::Parameters;
use redraft_text::lines::LineIndex;

use super::chance::{self, LengthCue, Lengths, PositionBias, Positions};
use super::similar::{self, Fingerprint};
use crate::clinical_mcq::model::{Bank, Bloom, ItemView, items};
use crate::clinical_mcq::wording;

/// How many of the worst items a sheet names.
pub const WORST: usize = 10;

/// What a bank amounts to.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Items.
    pub items: usize,
    /// Whether it is a list of items in one file.
    pub is_list: bool,
    /// Keys by position.
    pub positions: Positions,
    /// How often the longest option is the key.
    pub lengths: Lengths,
    /// Items by the level that they say they test.
    pub blooms: BTreeMap<Bloom, usize>,
    /// Items with a fault, by the name of the check.
    pub flaws: BTreeMap<&'static str, usize>,
    /// The worst items, the worst first.
    pub worst: Vec<WorstItem>,
    /// Where the items stand and what they amount to; kept for folders only.
    places: Vec<Place>,
    fingerprints: Vec<Option<Fingerprint>>,
}

/// Where an item stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The item's id.
    pub id: String,
    /// The line it begins on.
    pub line: usize,
}

/// An item with many faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstItem {
    /// Where it stands.
    pub place: Place,
    /// Its errors.
    pub errors: usize,
    /// Its warnings.
    pub warnings: usize,
    /// Its remarks.
    pub remarks: usize,
}

impl WorstItem {
    fn weight(&self) -> (usize, usize, usize) {
        (self.errors, self.warnings, self.remarks)
    }
}

/// Whether a sheet is to be added to others, which takes more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// On its own.
    Alone,
    /// As a part of a folder's.
    InFolder,
}

/// The items of two files that say the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// The earlier one.
    pub first: Place,
    /// The later one.
    pub second: Place,
    /// The share of runs of words that they have in common.
    pub likeness: f64,
}

/// Whether there is enough to say something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tested<T> {
    /// Fewer items than the test needs.
    TooFew {
        /// The items there are.
        items: u64,
        /// The items it needs.
        needed: u64,
    },
    /// Nothing that chance would not give.
    Unremarkable(T),
    /// More than chance gives.
    Striking(T),
}

impl<T> Tested<T> {
    /// What was measured, where it is striking.
    #[must_use]
    pub fn striking(self) -> Option<T> {
        match self {
            Self::Striking(found) => Some(found),
            _ => None,
        }
    }
}

impl Sheet {
    /// The sheet of a document; `None` where it has no items. A file that holds
    /// one item and is no list is no bank of its own.
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
        sheet.count_findings(path, document, bank, findings);
        if what_for == Use::InFolder {
            let lines = LineIndex::new(document.source().text());
            for view in items(document) {
                sheet.places.push(place(path, view, &lines));
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
            // More options than letters are a broken file.
            let Some(key) = view.correct().filter(|_| (2..=26).contains(&options)) else {
                continue;
            };
            let counts = sheet
                .positions
                .entry(options)
                .or_insert_with(|| vec![0; options]);
            if let Some(count) = counts.get_mut(key) {
                *count += 1;
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
            let counts = of_items.entry(index).or_default();
            match finding.severity {
                Severity::Error => counts[0] += 1,
                Severity::Warning => counts[1] += 1,
                Severity::Info => counts[2] += 1,
            }
            // Findings stand in the order of the file, so an item's come together.
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
            if let Some([errors, warnings, remarks]) = chosen.get(&index) {
                self.worst.push(WorstItem {
                    place: place(path, view, &lines),
                    errors: *errors,
                    warnings: *warnings,
                    remarks: *remarks,
                });
            }
        }
        self.worst
            .sort_by_key(|item| std::cmp::Reverse(item.weight()));
    }

    /// Adds another sheet.
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
        self.worst.extend(other.worst);
        self.worst
            .sort_by_key(|item| std::cmp::Reverse(item.weight()));
        self.worst.truncate(WORST);
        self.places.extend(other.places);
        self.fingerprints.extend(other.fingerprints);
    }

    /// Whether the keys prefer a position.
    #[must_use]
    pub fn position_bias(&self, parameters: &Parameters) -> Option<Tested<PositionBias>> {
        const CHECK: &str = "key-position-bias";
        let bias = chance::position_bias(&self.positions)?;
        let needed = whole(parameters.number(CHECK, "least-items"));
        Some(if bias.items < needed {
            Tested::TooFew {
                items: bias.items,
                needed,
            }
        } else if bias.p_value < parameters.number(CHECK, "p-below")
            && bias.effect >= parameters.number(CHECK, "least-effect")
        {
            Tested::Striking(bias)
        } else {
            Tested::Unremarkable(bias)
        })
    }

    /// Whether the longest option is the key too often.
    #[must_use]
    pub fn length_cue(&self, parameters: &Parameters) -> Option<Tested<LengthCue>> {
        const CHECK: &str = "longest-key-bank";
        let cue = chance::length_cue(&self.lengths)?;
        let needed = whole(parameters.number(CHECK, "least-items"));
        Some(if cue.items < needed {
            Tested::TooFew {
                items: cue.items,
                needed,
            }
        } else if cue.p_value < parameters.number(CHECK, "p-below")
            && cue.rate() >= cue.chance + parameters.number(CHECK, "least-more")
        {
            Tested::Striking(cue)
        } else {
            Tested::Unremarkable(cue)
        })
    }

    /// Items of different files that say the same. Those of one file are found
    /// when the file is checked.
    #[must_use]
    pub fn duplicates_between_files(&self, parameters: &Parameters) -> Vec<Duplicate> {
        let least = parameters.number("duplicate-items", "least-likeness");
        similar::pairs(&self.fingerprints, least)
            .into_iter()
            .filter_map(|pair| {
                let (first, second) = (self.places.get(pair.first)?, self.places.get(pair.second)?);
                (first.path != second.path).then(|| Duplicate {
                    first: first.clone(),
                    second: second.clone(),
                    likeness: pair.likeness,
                })
            })
            .collect()
    }
}

/// The one option that is longer than all others.
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

fn place(path: &str, view: ItemView<'_>, lines: &LineIndex) -> Place {
    Place {
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
