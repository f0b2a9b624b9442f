//! What the parser understood of items: which text is the vignette, the stem, an
//! option, and which option the key names. It holds places, never text, so that a
//! bank of a hundred thousand items stays small. It knows no check and no figure.

use std::ops::Range;

use redraft_gate::content::{Document, TextField};

/// The items of a document; one item alone is a bank of one.
#[derive(Debug, Default)]
pub struct Bank {
    /// In the order of the file.
    pub items: Vec<Item>,
    /// The options of all items, one item's after the other's.
    pub options: Vec<Choice>,
    /// Whether the file is a list of items, were it of one or of none.
    pub is_bank: bool,
}

/// One item.
#[derive(Clone, Debug)]
pub struct Item {
    /// The index of its component: the item's own in a bank, else the whole.
    pub component: usize,
    /// Its extent in the source's text.
    pub range: Range<usize>,
    /// The case it presents.
    pub vignette: Option<Part>,
    /// What it asks.
    pub stem: Option<Part>,
    /// The text that asks, where the stem has several.
    pub lead_in: TextRef,
    /// The list of options as a node of the file.
    pub option_list: Option<Range<usize>>,
    /// Where its field begins, with its name.
    pub option_field: usize,
    /// Its options, in [`Bank::options`].
    pub options: Range<u32>,
    /// Where the key stands, were it `null`.
    pub key_range: Option<Range<usize>>,
    /// What the key says.
    pub key: Key,
    /// Why the key is right.
    pub explanation: Option<Part>,
    /// Whether a field for the explanation is there, were it empty.
    pub has_explanation_field: bool,
    /// The level that it says it tests.
    pub bloom: Option<Bloom>,
    /// Whether its options go by the letters of their places.
    pub by_letters: bool,
    /// Whether it says that several answers are to be chosen.
    pub several_wanted: bool,
    /// The shape it came in.
    pub shape: Shape,
}

/// The shapes in use, by where the key is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `distractors` with flags, and an `answerKey` beside them.
    Distractors,
    /// `options` and a `correct_answer`.
    Keyed,
    /// `options` with flags; vignette or stem are objects.
    Labelled,
}

/// A field of an item that is there and may hold several texts.
#[derive(Clone, Debug)]
pub struct Part {
    /// The field's value.
    pub range: Range<usize>,
    /// Its texts among those of the document.
    pub texts: Range<u32>,
}

/// A text among those of the document; [`TextRef::NONE`] where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRef(pub u32);

impl TextRef {
    /// No text.
    pub const NONE: Self = Self(u32::MAX);

    /// The text.
    #[must_use]
    pub fn of(self, document: &Document) -> Option<&TextField> {
        document.texts().get(self.0 as usize)
    }
}

/// An option.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its extent in the source's text.
    pub range: Range<usize>,
    /// What it says.
    pub text: TextRef,
    /// Why it is right or wrong.
    pub explanation: TextRef,
    /// Whether it is flagged as right.
    pub flag: Option<bool>,
}

/// What the key says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// There is none, or it is empty.
    Missing,
    /// One option, by its index.
    One(u16),
    /// Several options, for items with several answers.
    Several,
    /// Something that is no option.
    Unknown,
    /// A number that may count from 0 or from 1.
    Ambiguous,
}

/// Bloom's levels, revised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bloom {
    /// Recall.
    Remember,
    /// Explain.
    Understand,
    /// Use.
    Apply,
    /// Take apart.
    Analyse,
    /// Judge.
    Evaluate,
    /// Make.
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

    /// The level's name.
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

/// An item beside its bank and document: what checks look at.
#[derive(Clone, Copy, Debug)]
pub struct ItemView<'a> {
    /// The item.
    pub item: &'a Item,
    bank: &'a Bank,
    document: &'a Document,
}

/// The items of a document, with their texts.
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
    /// The name of the item: its id in a bank, `item` alone.
    #[must_use]
    pub fn id(&self) -> &'a str {
        match self.document.components().get(self.item.component) {
            Some(component) if self.item.component > 0 => &component.id.0,
            _ => "item",
        }
    }

    /// Its options.
    #[must_use]
    pub fn options(&self) -> &'a [Choice] {
        let Range { start, end } = self.item.options;
        self.bank
            .options
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }

    /// The text of an option.
    #[must_use]
    pub fn option_field(&self, index: usize) -> Option<&'a TextField> {
        self.options()
            .get(index)
            .and_then(|option| option.text.of(self.document))
    }

    /// What an option says, without a label before it; empty where it says
    /// nothing. Labels are labels where the first option has one: `E. coli` may
    /// stand fifth.
    #[must_use]
    pub fn option(&self, index: usize) -> &'a str {
        let text = |index| match self.option_field(index) {
            Some(field) => field.text.trim(),
            None => self.bare_option(index),
        };
        let labelled = without_label(text(0), 0).len() < text(0).len();
        if labelled {
            without_label(text(index), index)
        } else {
            text(index)
        }
    }

    /// An option that is a number and no string, as the file writes it.
    fn bare_option(&self, index: usize) -> &'a str {
        self.options()
            .get(index)
            .and_then(|option| self.document.source().text().get(option.range.clone()))
            .filter(|source| source.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
            .unwrap_or_default()
    }

    /// What all options say.
    pub fn option_texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let view = *self;
        (0..self.options().len()).map(move |index| view.option(index))
    }

    /// The texts of a part.
    #[must_use]
    pub fn texts(&self, part: Option<&Part>) -> &'a [TextField] {
        part.and_then(|part| {
            let Range { start, end } = part.texts;
            self.document.texts().get(start as usize..end as usize)
        })
        .unwrap_or_default()
    }

    /// The texts of the stem.
    #[must_use]
    pub fn stem(&self) -> &'a [TextField] {
        self.texts(self.item.stem.as_ref())
    }

    /// The texts of the vignette.
    #[must_use]
    pub fn vignette(&self) -> &'a [TextField] {
        self.texts(self.item.vignette.as_ref())
    }

    /// The texts of the explanation.
    #[must_use]
    pub fn explanation(&self) -> &'a [TextField] {
        self.texts(self.item.explanation.as_ref())
    }

    /// The text that asks.
    #[must_use]
    pub fn lead_in(&self) -> Option<&'a TextField> {
        self.item
            .lead_in
            .of(self.document)
            .or_else(|| self.stem().last())
            .filter(|field| !field.text.trim().is_empty())
    }

    /// Whether it presents a case that is not empty.
    #[must_use]
    pub fn has_vignette(&self) -> bool {
        self.vignette()
            .iter()
            .any(|field| !field.text.trim().is_empty())
    }

    /// The indices of the options that are flagged as right.
    pub fn flagged(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.options()
            .iter()
            .enumerate()
            .filter(|(_, option)| option.flag == Some(true))
            .map(|(index, _)| index)
    }

    /// The one option that is flagged as right, if it is one.
    #[must_use]
    pub fn only_flagged(&self) -> Option<usize> {
        let mut flagged = self.flagged();
        flagged.next().filter(|_| flagged.next().is_none())
    }

    /// The right option, where key and flags leave no doubt.
    #[must_use]
    pub fn correct(&self) -> Option<usize> {
        match self.item.key {
            Key::One(index) => {
                let index = usize::from(index);
                let mut flagged = self.flagged().peekable();
                (flagged.peek().is_none() || self.only_flagged() == Some(index)).then_some(index)
            }
            Key::Missing | Key::Ambiguous => self.only_flagged(),
            Key::Several | Key::Unknown => None,
        }
    }

    /// Where to point for a fault of the stem.
    #[must_use]
    pub fn stem_range(&self) -> Range<usize> {
        let stem = self.item.stem.as_ref().map(|stem| stem.range.clone());
        stem.unwrap_or_else(|| self.head())
    }

    /// Where to point for a fault of the options as a whole.
    #[must_use]
    pub fn options_range(&self) -> Range<usize> {
        self.item.option_list.clone().unwrap_or_else(|| self.head())
    }

    /// The place of one option's text, or of the option where it has none.
    #[must_use]
    pub fn option_range(&self, index: usize) -> Range<usize> {
        match (self.option_field(index), self.options().get(index)) {
            (Some(field), _) => field.map.source_span(),
            (None, Some(option)) => option.range.clone(),
            (None, None) => self.options_range(),
        }
    }

    /// The opening of the item, for what is not there at all.
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

/// An option's text without its own label before it (`B. Aspirin`), which is the
/// label of its place and nothing else.
#[must_use]
pub fn without_label(text: &str, index: usize) -> &str {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let mut chars = inner.chars();
    let own = u8::try_from(index)
        .ok()
        .filter(|index| *index < 26)
        .map(|index| char::from(b'A' + index));
    if own.is_none() || chars.next().map(|first| first.to_ascii_uppercase()) != own {
        return text;
    }
    let rest = chars.as_str();
    let after = rest.strip_prefix(['.', ')', ':']).unwrap_or_default();
    // A label stands apart from what it labels.
    let apart = after.starts_with(char::is_whitespace) || inner.len() < text.len();
    match after.trim_start() {
        "" => text,
        _ if !apart => text,
        words => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_label_of_its_own_place_is_taken_off() {
        for (text, index, expected) in [
            ("B. Aspirin", 1, "Aspirin"),
            ("(b) Aspirin", 1, "Aspirin"),
            ("b) Aspirin", 1, "Aspirin"),
            ("C. difficile", 1, "C. difficile"),
            ("E. coli", 0, "E. coli"),
            ("A", 0, "A"),
            ("A.", 0, "A."),
            ("Aspirin", 0, "Aspirin"),
            ("(a)", 0, "(a)"),
            ("É. x", 0, "É. x"),
            ("", 0, ""),
        ] {
            assert_eq!(without_label(text, index), expected, "{text}");
        }
    }

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
