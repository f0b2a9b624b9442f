//! What the numbers of keys count from: 0 or 1. One item rarely shows it, a bank usually
//! does: a 0 cannot count from 1, and the number of options cannot count from 0. What
//! nothing settles stays open; a key is never guessed.
//!
//! | the user says | the bank shows | a field named as an index | any other field |
//! |---|---|---|---|
//! | 0 or 1 | – | as told | as told |
//! | nothing | from 0 | from 0 | from 0 |
//! | nothing | from 1 | from 1 | from 1 |
//! | nothing | nothing | from 0 | open |
//! | nothing | both | from 0 | open |
//!
//! A number that is the label or id of an option names that one, unless others of its field can
//! only be positions and count otherwise: then it is ambiguous. Numbers in a field of a weak name
//! (`key`) that number the items themselves are no keys.
//!
//! Where both a label and a text may be meant, because labels are the names of columns, the
//! field shows which: by a number that is a label only, or by a text that is no number. If it
//! shows neither or both, the number is ambiguous.
//!
//! A number that is also the text of an option (4 among 2, 4, 6, 8) counts as the others of its
//! field do. Where no other counts, a string of JSON is the text, and so is a number, or a cell
//! of a table, if another of the field can only be a text or a letter; else it is ambiguous, unless
//! all readings name one option.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Key;

/// What numbers count from, or that they do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    Zero,
    One,
    /// They are the texts of options: how a bank tells an item of its own, read alone, what the
    /// others have shown.
    Text,
}

impl Base {
    /// The base that a number names: 0, 1, or 2 for texts.
    #[must_use]
    pub fn of(number: f64) -> Option<Self> {
        if number == 0.0 {
            Some(Self::Zero)
        } else if number == 1.0 {
            Some(Self::One)
        } else if number == 2.0 {
            Some(Self::Text)
        } else {
            None
        }
    }

    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
            Self::Text => 2,
        }
    }
}

/// A key that is a number.
#[derive(Clone, Debug)]
pub(super) struct NumberedKey {
    /// The index of its item.
    pub(super) item: usize,
    /// The name of its field; numbers under another name may count otherwise.
    pub(super) field: String,
    /// Whether that name says that it is an index.
    pub(super) is_index: bool,
    pub(super) number: i64,
    pub(super) options: usize,
    /// The right option, where flags or another field say which it is.
    pub(super) known: Option<usize>,
    /// The option whose text is this number.
    pub(super) text: Option<u16>,
    /// The option whose label or id is this number.
    pub(super) label: Option<u16>,
    /// Whether the name of the field also means other things than a key.
    pub(super) is_weak: bool,
    /// Whether it is written as a string.
    pub(super) is_string: bool,
    /// Whether its options are *true* and *false*: a 0 may be the first, or mean *false*.
    pub(super) is_truth: bool,
}

/// What the keys of a bank show.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    zero: bool,
    one: bool,
    is_index: bool,
    /// Whether a number of the field can only be a position.
    counts: bool,
}

impl Evidence {
    fn add(&mut self, key: &NumberedKey) {
        if key.text.is_some() || key.label.is_some() {
            return;
        }
        self.counts = true;
        let last = i64::try_from(key.options).unwrap_or(i64::MAX);
        let known = key.known.and_then(|known| i64::try_from(known).ok());
        self.is_index = key.is_index;
        self.zero |= key.number == 0 && !key.is_truth || known == Some(key.number);
        self.one |= key.number == last || known.is_some_and(|known| known + 1 == key.number);
    }

    fn base(self) -> Option<Base> {
        match (self.zero, self.one) {
            (true, false) => Some(Base::Zero),
            (false, true) => Some(Base::One),
            _ if self.is_index => Some(Base::Zero),
            _ => None,
        }
    }
}

/// The keys that numbers mean, by item, and what they all count from, if that is the same
/// for every field.
pub(super) fn settle(
    keys: &[NumberedKey],
    told: Option<Base>,
    by_text: &BTreeSet<String>,
) -> (Vec<(usize, Key)>, Option<Base>) {
    let mut evidence: BTreeMap<&str, Evidence> = BTreeMap::new();
    for key in keys {
        evidence.entry(key.field.as_str()).or_default().add(key);
    }
    let are_items: BTreeSet<&str> = evidence
        .keys()
        .copied()
        .filter(|field| number_the_items(keys, field))
        .collect();
    let is_told_text = told == Some(Base::Text);
    let told = told.filter(|base| *base != Base::Text);
    let base_of = |field: &str| told.or_else(|| evidence.get(field).and_then(|found| found.base()));
    let counts = |key: &NumberedKey| {
        let found = evidence.get(key.field.as_str());
        found.is_some_and(|found| found.counts)
    };
    let is_text = |key: &NumberedKey| key.is_string || is_told_text || by_text.contains(&key.field);
    // Fields with a number that can only be a label.
    let of_labels: BTreeSet<&str> = keys
        .iter()
        .filter(|key| key.label.is_some() && key.text.is_none())
        .map(|key| key.field.as_str())
        .collect();
    let has_labels = |key: &NumberedKey| of_labels.contains(key.field.as_str());
    let settled = keys
        .iter()
        .map(|key| {
            let counts = counts(key);
            let read = match (key.label, key.text) {
                _ if are_items.contains(key.field.as_str()) => Key::Missing,
                (Some(label), Some(text)) if told.is_none() => {
                    label_or_text((label, text), has_labels(key), is_text(key))
                }
                (Some(label), _) if told.is_none() && !counts => Key::One(label),
                (Some(label), _) => labelled(key, label, base_of(&key.field)),
                (None, Some(text)) if !counts && told.is_none() => {
                    text_or_position(key, text, is_text(key))
                }
                _ => read(key, base_of(&key.field)),
            };
            (key.item, read)
        })
        .collect();
    let mut bases = evidence.keys().map(|field| base_of(field));
    let first = bases.next().flatten();
    let base = first
        .filter(|_| bases.all(|base| base == first))
        .or_else(|| {
            let is_open = |key: &NumberedKey| key.label.is_some() && key.text.is_some();
            let mut open = keys.iter().filter(|key| is_open(key));
            let are_labels = open.any(|key| has_labels(key) && !is_text(key));
            are_labels.then(|| base_of_labels(keys)).flatten()
        });
    let mut texts = keys.iter().filter(|key| key.text.is_some());
    let are_texts = texts.any(|key| !counts(key) && is_text(key)) && !keys.iter().any(counts);
    (settled, base.or(are_texts.then_some(Base::Text)))
}

/// The fewest items whose numbers say that they count the items.
const LEAST_ITEMS: usize = 3;

/// Whether the numbers of a field of a weak name rise by one from item to item.
fn number_the_items(keys: &[NumberedKey], field: &str) -> bool {
    let own: Vec<&NumberedKey> = keys.iter().filter(|key| key.field == field).collect();
    let follows = |pair: &[&NumberedKey]| {
        pair[1].item == pair[0].item + 1 && pair[1].number == pair[0].number + 1
    };
    own.len() >= LEAST_ITEMS && own[0].is_weak && own.windows(2).all(follows)
}

/// What a number says that is the label of one option and the text of another.
fn label_or_text((label, text): (u16, u16), has_labels: bool, is_text: bool) -> Key {
    match (has_labels, is_text) {
        (true, false) => Key::One(label),
        (false, true) => Key::One(text),
        _ => Key::Ambiguous,
    }
}

/// What labels count from: it tells an item of its own that its number is a label, where the
/// others of its bank have shown that.
fn base_of_labels(keys: &[NumberedKey]) -> Option<Base> {
    [Base::Zero, Base::One].into_iter().find(|base| {
        let mut labelled = keys.iter().filter_map(|key| Some((key, key.label?)));
        labelled.all(|(key, label)| read(key, Some(*base)) == Key::One(label))
    })
}

/// What the number of a label says where numbers of its field are positions.
fn labelled(key: &NumberedKey, label: u16, base: Option<Base>) -> Key {
    match read(key, base) {
        Key::One(position) if position == label => Key::One(label),
        _ => Key::Ambiguous,
    }
}

/// What a number says that is the text of an option, in a field that nothing shows to count.
fn text_or_position(key: &NumberedKey, text: u16, is_text: bool) -> Key {
    let options = i64::try_from(key.options).unwrap_or(i64::MAX);
    let mut positions = [key.number, key.number - 1]
        .into_iter()
        .filter(|position| (0..options).contains(position));
    if is_text || positions.all(|position| position == i64::from(text)) {
        Key::One(text)
    } else {
        Key::Ambiguous
    }
}

fn read(key: &NumberedKey, base: Option<Base>) -> Key {
    let position = match base {
        Some(Base::Zero) => key.number,
        Some(Base::One) => key.number - 1,
        Some(Base::Text) | None => return Key::Number,
    };
    match u16::try_from(position) {
        Ok(position) if usize::from(position) < key.options => Key::One(position),
        _ => Key::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(field: &str, numbers: &[i64]) -> Vec<NumberedKey> {
        let keys = numbers.iter().enumerate();
        keys.map(|(item, number)| NumberedKey {
            item,
            field: field.to_owned(),
            is_index: field.contains("index"),
            number: *number,
            options: 4,
            known: None,
            text: None,
            label: None,
            is_weak: field == "key",
            is_string: false,
            is_truth: false,
        })
        .collect()
    }

    fn settled(field: &str, numbers: &[i64], told: Option<Base>) -> Vec<Key> {
        let (settled, _) = settle(&keys(field, numbers), told, &BTreeSet::new());
        settled.into_iter().map(|(_, key)| key).collect()
    }

    #[test]
    fn a_number_that_is_a_label_and_a_text_is_read_as_the_others_of_its_field() {
        // The third of 4, 3, 2 and 9 is called 3, and the second is 3.
        let open = NumberedKey {
            label: Some(2),
            text: Some(1),
            ..keys("answer", &[3]).remove(0)
        };
        let label = NumberedKey {
            item: 1,
            label: Some(0),
            ..keys("answer", &[1]).remove(0)
        };
        let text = BTreeSet::from(["answer".to_owned()]);
        let none = BTreeSet::new();
        let read = |keys: &[NumberedKey], told, by_text| {
            let (settled, base) = settle(keys, told, by_text);
            (settled[0].1, base)
        };
        let alone = std::slice::from_ref(&open);
        let both = [open.clone(), label];
        assert_eq!(read(alone, None, &none), (Key::Ambiguous, None));
        assert_eq!(read(alone, None, &text), (Key::One(1), Some(Base::Text)));
        assert_eq!(read(&both, None, &none), (Key::One(2), Some(Base::One)));
        assert_eq!(read(&both, None, &text).0, Key::Ambiguous);
        // What the bank has shown holds for the item alone.
        assert_eq!(read(alone, Some(Base::One), &none).0, Key::One(2));
        assert_eq!(read(alone, Some(Base::Text), &none).0, Key::One(1));
    }

    #[test]
    fn a_bank_shows_what_its_numbers_count_from_or_leaves_it_open() {
        use Key::{Number as Open, One, Unknown};
        for (field, numbers, told, expected) in [
            ("answer", &[0, 2][..], None, vec![One(0), One(2)]),
            ("answer", &[4, 2], None, vec![One(3), One(1)]),
            ("answer", &[1, 2], None, vec![Open, Open]),
            ("answer", &[0, 4, 2], None, vec![Open, Open, Open]),
            ("answer", &[1, 2], Some(Base::Zero), vec![One(1), One(2)]),
            ("answer", &[1, 2], Some(Base::One), vec![One(0), One(1)]),
            ("answer", &[0, 2], Some(Base::One), vec![Unknown, One(1)]),
            ("answerindex", &[1, 2], None, vec![One(1), One(2)]),
            ("answerindex", &[4, 2], None, vec![One(3), One(1)]),
            ("answerindex", &[0, 4], None, vec![One(0), Unknown]),
        ] {
            assert_eq!(
                settled(field, numbers, told),
                expected,
                "{field} {numbers:?}"
            );
        }
    }

    #[test]
    fn a_0_among_true_and_false_may_mean_false() {
        let mut keys = keys("answer", &[0, 0]);
        keys[0].is_truth = true;
        keys[0].options = 2;
        let settled = |keys: &[NumberedKey]| settle(keys, None, &BTreeSet::new()).0;
        assert_eq!(settled(&keys[..1]), [(0, Key::Number)]);
        assert_eq!(settled(&keys), [(0, Key::One(0)), (1, Key::One(0))]);
    }

    #[test]
    fn flags_and_other_fields_show_it_too() {
        let mut keys = keys("answer", &[1, 2]);
        keys[0].known = Some(0);
        let (settled, base) = settle(&keys, None, &BTreeSet::new());
        assert_eq!(settled, [(0, Key::One(0)), (1, Key::One(1))]);
        assert_eq!(base, Some(Base::One));
    }

    #[test]
    fn a_number_that_is_a_label_names_it_unless_its_field_counts_otherwise() {
        use Key::{Ambiguous, One};
        let label = |number, label| NumberedKey {
            label: Some(label),
            ..keys("answer", &[number]).remove(0)
        };
        let plain = |number| keys("answer", &[number]).remove(0);
        for (keys, told, expected) in [
            (vec![label(2, 1)], None, vec![One(1)]),
            (vec![label(2, 0)], None, vec![One(0)]),
            // A 0 among labels from 1 on is a position, and so are the others.
            (vec![label(2, 1), plain(0)], None, vec![Ambiguous, One(0)]),
            (vec![label(2, 1), plain(4)], None, vec![One(1), One(3)]),
            (vec![label(2, 1)], Some(Base::Zero), vec![Ambiguous]),
            (vec![label(2, 1)], Some(Base::One), vec![One(1)]),
        ] {
            let (settled, _) = settle(&keys, told, &BTreeSet::new());
            let settled: Vec<Key> = settled.into_iter().map(|(_, key)| key).collect();
            assert_eq!(settled, expected, "{keys:?} {told:?}");
        }
    }

    #[test]
    fn numbers_of_the_items_themselves_are_no_keys() {
        use Key::{Missing, One};
        assert_eq!(settled("key", &[1, 2, 3, 4], None), [Missing; 4]);
        assert_eq!(
            settled("key", &[1, 2, 2, 4], None),
            [One(0), One(1), One(1), One(3)]
        );
        assert_eq!(
            settled("answer", &[1, 2, 3, 4], None),
            [One(0), One(1), One(2), One(3)]
        );
    }

    #[test]
    fn a_number_that_is_also_a_text_follows_its_field() {
        use Key::{Ambiguous, One};
        let text = |number, text, is_string| NumberedKey {
            text: Some(text),
            is_string,
            ..keys("answer", &[number]).remove(0)
        };
        let plain = |number| keys("answer", &[number]).remove(0);
        let by_text = BTreeSet::from(["answer".to_owned()]);
        let nothing = BTreeSet::new();
        for (keys, elsewhere, expected) in [
            (vec![text(4, 2, false)], &nothing, vec![Ambiguous]),
            (vec![text(4, 3, false)], &nothing, vec![One(3)]),
            (vec![text(0, 0, false)], &nothing, vec![One(0)]),
            (vec![text(4, 2, true)], &nothing, vec![One(2)]),
            (vec![text(4, 2, false)], &by_text, vec![One(2)]),
            // Others of the field count.
            (
                vec![text(2, 0, true), plain(0)],
                &nothing,
                vec![One(2), One(0)],
            ),
            (
                vec![text(2, 0, false), plain(4)],
                &nothing,
                vec![One(1), One(3)],
            ),
        ] {
            let (settled, base) = settle(&keys, None, elsewhere);
            let settled: Vec<Key> = settled.into_iter().map(|(_, key)| key).collect();
            assert_eq!(settled, expected, "{keys:?}");
            // Each item alone, told what the bank has shown, has the same key.
            for (key, expected) in keys.iter().zip(&expected) {
                let alone = settle(std::slice::from_ref(key), base, &nothing).0;
                assert_eq!(alone[0].1, *expected, "{key:?} {base:?}");
            }
        }
    }
}
