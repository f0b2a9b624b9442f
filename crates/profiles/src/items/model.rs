//! The parsed items: which text is the vignette, the stem, an option, and which
//! option the key names. Holds ranges, never text, so that a bank of a hundred
//! thousand items stays small. Knows no check and no threshold.

use std::ops::Range;

use redraft_gate::content::{Document, TextField};
use redraft_text::language::Language;

use super::counting::Base;
use super::labels::without_label;
use super::letters::{letters, place};

/// The items of a document; a single item is a bank of one.
#[derive(Debug, Default)]
pub struct Bank {
    pub items: Vec<Item>,
    /// The options of all items, item by item.
    pub options: Vec<Choice>,
    /// Whether the file is a list of items, even of one or none.
    pub is_bank: bool,
    /// The values of the list that are not items, as they stand in the text.
    pub not_items: Vec<Range<usize>>,
    /// What keys that are numbers count from; `None` if there are none, or if nothing
    /// settles it.
    pub index_base: Option<Base>,
}

#[derive(Clone, Debug)]
pub struct Item {
    /// The index of its component: its own in a bank, otherwise the document.
    pub component: usize,
    pub range: Range<usize>,
    pub vignette: Option<FieldValue>,
    pub stem: Option<FieldValue>,
    /// The text that asks the question, if the stem names one.
    pub lead_in: TextRef,
    /// How the question goes on after a gap that the options fill.
    pub stem_after_gap: TextRef,
    pub option_list: Option<Range<usize>>,
    /// Where the field of that list starts, including its name.
    pub option_field: usize,
    /// Its options in [`Bank::options`].
    pub options: Range<u32>,
    /// The range of the key, even if it is `null`.
    pub key_range: Option<Range<usize>>,
    pub key: Key,
    /// Other fields that state the key as well.
    pub more_keys: Box<[Range<usize>]>,
    pub explanation: Option<FieldValue>,
    /// Whether there is a field for the explanation, even if it is empty.
    pub has_explanation_field: bool,
    /// The level that the item says it tests.
    pub bloom: Option<Bloom>,
    /// Whether the letters of positions name its options.
    pub by_letters: bool,
    /// Whether its options are in an order that learners see; not if the right one stands
    /// apart from the wrong ones.
    pub has_order: bool,
    /// Whether the item asks for several answers.
    pub wants_several: bool,
    pub shape: Shape,
}

/// The JSON shapes in use, by where they keep the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `distractors` with flags, and an `answerKey`.
    Distractors,
    /// `options` and a `correct_answer`.
    Keyed,
    /// `options` with flags; vignette or stem are objects.
    Labelled,
}

/// The value of a field, which may contain several texts.
#[derive(Clone, Debug)]
pub struct FieldValue {
    pub range: Range<usize>,
    /// Indices into the texts of the document.
    pub texts: Range<u32>,
}

/// The index of a text in the document; [`TextRef::NONE`] if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRef(pub u32);

impl TextRef {
    pub const NONE: Self = Self(u32::MAX);

    #[must_use]
    pub fn of(self, document: &Document) -> Option<&TextField> {
        document.texts().get(self.0 as usize)
    }
}

/// An option of an item.
#[derive(Clone, Debug)]
pub struct Choice {
    pub range: Range<usize>,
    pub text: TextRef,
    pub explanation: TextRef,
    /// Whether the option is flagged as correct, if it has a flag.
    pub flag: Option<bool>,
}

/// What the key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// No key, or an empty one.
    Missing,
    /// One option, by its index.
    One(u16),
    /// Several options, for items with several answers.
    Several,
    /// No option of the item.
    Unknown,
    /// Something that may mean several options.
    Ambiguous,
    /// A number that may count from 0 or from 1.
    Number,
    /// Different options in different fields.
    Disagreeing,
}

impl Key {
    /// What two fields that both state the key say together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Missing, found) | (found, Self::Missing) => found,
            (Self::One(a), Self::One(b)) if a != b => Self::Disagreeing,
            // A field that names an option settles what another leaves open.
            (Self::Ambiguous | Self::Number, found @ Self::One(_))
            | (found @ Self::One(_), Self::Ambiguous | Self::Number) => found,
            (found, Self::One(_)) => found,
            (_, found) => found,
        }
    }
}

/// The levels of the revised Bloom taxonomy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bloom {
    Remember,
    Understand,
    Apply,
    Analyse,
    Evaluate,
    Create,
}

impl Bloom {
    /// All levels, the lowest first.
    pub const ALL: [Self; 6] = [
        Self::Remember,
        Self::Understand,
        Self::Apply,
        Self::Analyse,
        Self::Evaluate,
        Self::Create,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Remember => "remember",
            Self::Understand => "understand",
            Self::Apply => "apply",
            Self::Analyse => "analyze",
            Self::Evaluate => "evaluate",
            Self::Create => "create",
        }
    }

    /// The level that a word or a number from 1 to 6 names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_lowercase();
        let starts = |stems: &[&str]| stems.iter().any(|stem| word.starts_with(stem));
        Some(match word.as_str() {
            "1" => Self::Remember,
            "2" => Self::Understand,
            "3" => Self::Apply,
            "4" => Self::Analyse,
            "5" => Self::Evaluate,
            "6" => Self::Create,
            _ if starts(&["rememb", "recall", "knowledge"]) => Self::Remember,
            _ if starts(&["underst", "compreh"]) => Self::Understand,
            _ if starts(&["apply", "applic"]) => Self::Apply,
            _ if starts(&["analy"]) => Self::Analyse,
            _ if starts(&["evalu"]) => Self::Evaluate,
            _ if starts(&["creat", "synth"]) => Self::Create,
            _ => return None,
        })
    }
}

/// An item with its bank and document, as checks see it.
#[derive(Clone, Copy, Debug)]
pub struct ItemView<'a> {
    pub item: &'a Item,
    bank: &'a Bank,
    document: &'a Document,
}

pub fn items(document: &Document) -> impl Iterator<Item = ItemView<'_>> {
    document.model::<Bank>().into_iter().flat_map(move |bank| {
        bank.items.iter().map(move |item| ItemView {
            item,
            bank,
            document,
        })
    })
}

impl<'a> ItemView<'a> {
    /// The item's id in a bank, otherwise `item`.
    #[must_use]
    pub fn id(&self) -> &'a str {
        match self.document.components().get(self.item.component) {
            Some(component) if self.item.component > 0 => &component.id.0,
            _ => "item",
        }
    }

    #[must_use]
    pub fn language(&self) -> Option<&'a Language> {
        self.document.language()
    }

    #[must_use]
    pub fn options(&self) -> &'a [Choice] {
        let Range { start, end } = self.item.options;
        self.bank
            .options
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    #[must_use]
    pub fn option_field(&self, index: usize) -> Option<&'a TextField> {
        self.options()
            .get(index)
            .and_then(|option| option.text.of(self.document))
    }

    #[must_use]
    pub fn option_explanation(&self, index: usize) -> Option<&'a TextField> {
        self.options()
            .get(index)
            .and_then(|option| option.explanation.of(self.document))
    }

    /// The text of an option without its label; empty if there is none. Labels are
    /// only removed if the first option has one: `E. coli` may be the fifth option.
    #[must_use]
    pub fn option(&self, index: usize) -> &'a str {
        self.option_as_labelled(index, self.are_labelled())
    }

    fn are_labelled(&self) -> bool {
        let first = self.option_as_written(0);
        without_label(first, 0).len() < first.len()
    }

    fn option_as_labelled(&self, index: usize, are_labelled: bool) -> &'a str {
        let text = self.option_as_written(index);
        if are_labelled {
            without_label(text, index)
        } else {
            text
        }
    }

    fn option_as_written(&self, index: usize) -> &'a str {
        match self.option_field(index) {
            Some(field) => field.text.trim(),
            None => self.numeric_option(index),
        }
    }

    /// An option that is a number instead of a string, as written.
    fn numeric_option(&self, index: usize) -> &'a str {
        self.options()
            .get(index)
            .and_then(|option| self.document.source().text().get(option.range.clone()))
            .filter(|source| source.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
            .unwrap_or_default()
    }

    pub fn option_texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let view = *self;
        let are_labelled = self.are_labelled();
        (0..self.options().len()).map(move |index| view.option_as_labelled(index, are_labelled))
    }

    #[must_use]
    pub fn texts(&self, field: Option<&FieldValue>) -> &'a [TextField] {
        field
            .and_then(|field| {
                let Range { start, end } = field.texts;
                self.document.texts().get(start as usize..end as usize)
            })
            .unwrap_or_default()
    }

    #[must_use]
    pub fn stem(&self) -> &'a [TextField] {
        self.texts(self.item.stem.as_ref())
    }

    /// All options that are right, in their order: the one of the key, those that it lists,
    /// or those that are flagged.
    #[must_use]
    pub fn right(&self) -> Vec<usize> {
        let listed = || {
            let source = self.document.source().text();
            let key = source.get(self.item.key_range.clone()?)?;
            let several = self.item.key == Key::Several;
            several.then(|| self.listed(key.trim()))?
        };
        match self.correct() {
            Some(only) => vec![only],
            None => listed().unwrap_or_else(|| self.flagged().collect()),
        }
    }

    /// The options that a key names: `A, C`, `["A", "C"]`, `["Iron", "Copper"]`.
    fn listed(&self, key: &str) -> Option<Vec<usize>> {
        if !key.starts_with('[') {
            return letters(key, self.options().len());
        }
        let scanned = redraft_text::json::scan(key, 0..key.len());
        let texts: Vec<&str> = self.option_texts().collect();
        let entry = |entry: &str| {
            let entry = entry.trim();
            let mut same = (0..texts.len()).filter(|index| texts[*index].trim() == entry);
            match (same.next(), same.next()) {
                (Some(only), None) => Some(only),
                (None, _) => place(entry),
                _ => None,
            }
        };
        let named = scanned.root()?.items().map(|one| entry(one.as_str()?));
        let mut named = named.collect::<Option<Vec<usize>>>()?;
        named.sort_unstable();
        named.dedup();
        Some(named)
    }

    /// How the question goes on after a gap that the options fill.
    #[must_use]
    pub fn stem_after_gap(&self) -> Option<&'a TextField> {
        self.item.stem_after_gap.of(self.document)
    }

    #[must_use]
    pub fn vignette(&self) -> &'a [TextField] {
        self.texts(self.item.vignette.as_ref())
    }

    #[must_use]
    pub fn explanation(&self) -> &'a [TextField] {
        self.texts(self.item.explanation.as_ref())
    }

    /// The text that asks the question.
    #[must_use]
    pub fn lead_in(&self) -> Option<&'a TextField> {
        self.item
            .lead_in
            .of(self.document)
            .or_else(|| self.stem().last())
            .filter(|field| !field.text.trim().is_empty())
    }

    /// Whether the item has a vignette that is not empty.
    #[must_use]
    pub fn has_vignette(&self) -> bool {
        self.vignette()
            .iter()
            .any(|field| !field.text.trim().is_empty())
    }

    /// The indices of the options that are flagged as correct.
    pub fn flagged(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.options()
            .iter()
            .enumerate()
            .filter(|(_, option)| option.flag == Some(true))
            .map(|(index, _)| index)
    }

    /// The option that is flagged as correct, if it is the only one.
    #[must_use]
    pub fn only_flagged(&self) -> Option<usize> {
        let mut flagged = self.flagged();
        flagged.next().filter(|_| flagged.next().is_none())
    }

    /// The right option, if key and flags agree.
    #[must_use]
    pub fn correct(&self) -> Option<usize> {
        match self.item.key {
            Key::One(index) => {
                let index = usize::from(index);
                let mut flagged = self.flagged().peekable();
                (flagged.peek().is_none() || self.only_flagged() == Some(index)).then_some(index)
            }
            Key::Missing | Key::Ambiguous => self.only_flagged(),
            Key::Several | Key::Unknown | Key::Number | Key::Disagreeing => None,
        }
    }

    /// Where to point for a finding about the stem.
    #[must_use]
    pub fn stem_range(&self) -> Range<usize> {
        let stem = self.item.stem.as_ref().map(|stem| stem.range.clone());
        stem.unwrap_or_else(|| self.head())
    }

    /// Where to point for a finding about all options.
    #[must_use]
    pub fn options_range(&self) -> Range<usize> {
        self.item.option_list.clone().unwrap_or_else(|| self.head())
    }

    /// The range of an option's text, otherwise of the option.
    #[must_use]
    pub fn option_range(&self, index: usize) -> Range<usize> {
        match (self.option_field(index), self.options().get(index)) {
            (Some(field), _) => field.map.source_span(),
            (None, Some(option)) => option.range.clone(),
            (None, None) => self.options_range(),
        }
    }

    /// The item's opening brace, to point at for something that is missing.
    #[must_use]
    pub fn head(&self) -> Range<usize> {
        let Range { start, end } = self.item.range;
        start..end.min(start + 1)
    }
}

/// The letter of an option: A to Z, then numbers.
#[must_use]
pub fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'A' + index).to_string(),
        _ => (index + 1).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bloom_levels_are_read_as_people_write_them() {
        for (word, expected) in [
            ("Apply", Some(Bloom::Apply)),
            ("application", Some(Bloom::Apply)),
            ("ANALYSIS", Some(Bloom::Analyse)),
            ("3", Some(Bloom::Apply)),
            ("Knowledge", Some(Bloom::Remember)),
            ("hard", None),
        ] {
            assert_eq!(Bloom::parse(word), expected, "{word}");
        }
    }
}
