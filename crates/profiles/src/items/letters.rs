//! Several options named by their letters at once. Knows nothing of keys and items.

use super::option_words;

/// The positions that several letters name: `A, C`, `B and D`, or `ACD`, as banks in Chinese
/// write it. A letter may name no option.
pub(super) fn letters(key: &str, options: usize) -> Option<Vec<usize>> {
    if let Some(run) = run_of_letters(key.trim_matches(['"', '\'']), options) {
        return Some(run);
    }
    let words = entries(key, options)?;
    let is_list = words.len() > 1 && words.iter().all(|word| is_letter(word));
    is_list.then(|| {
        words
            .iter()
            .flat_map(|word| word.bytes().map(position))
            .collect()
    })
}

/// The signs between the entries of a list, and around it.
const AROUND_ENTRIES: [char; 12] = [
    ',', ';', '&', '+', ' ', '"', '\'', '[', ']', '、', '，', '；',
];

/// The entries of a list: `A, C`, `1 und 3`, `a y b`. `None` if a word leaves open which of
/// them is meant: “B or C”, “B/C”.
pub(super) fn entries(key: &str, options: usize) -> Option<Vec<&str>> {
    // “B/C” is one or the other as often as both.
    if key.contains('/') {
        return None;
    }
    let words: Vec<&str> = key
        .split(AROUND_ENTRIES)
        .filter(|word| !word.is_empty())
        .collect();
    let is_joining = |index: usize, word: &str| {
        let before = index.checked_sub(1).and_then(|before| words.get(before));
        let (Some(before), Some(after)) = (before, words.get(index + 1)) else {
            return false;
        };
        option_words::joins(word)
            && (!is_letter(word) || is_between((before, after), word, options))
    };
    let joining: Vec<bool> = (words.iter().enumerate())
        .map(|(index, word)| is_joining(index, word))
        .collect();
    let of = |wanted: bool| {
        let words = words.iter().zip(&joining);
        let of = words.filter(move |(_, joins)| **joins == wanted);
        of.map(|(word, _)| *word)
    };
    let is_open = of(true).any(option_words::leaves_open);
    (!is_open).then(|| of(false).collect())
}

/// Whether a letter is the word *and* of a language (“A e C”, “a y b”) and names no option: no
/// option has it, it is of another case than its neighbours, or it breaks their order.
fn is_between((before, after): (&str, &str), word: &str, options: usize) -> bool {
    let is_upper = |word: &str| word.chars().all(char::is_uppercase);
    let is_rising = || match (place(before), place(word), place(after)) {
        (Some(before), Some(own), Some(after)) => before < own && own < after,
        _ => false,
    };
    let differs = is_upper(before) && is_upper(after) && !is_upper(word);
    let is_option = place(word).is_some_and(|place| place < options);
    differs || !is_option || !is_rising()
}

/// The positions that letters without anything between them name, in the order of the alphabet.
pub(super) fn run_of_letters(key: &str, options: usize) -> Option<Vec<usize>> {
    let is_run = key.len() > 1
        && key
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() && position(byte) < options)
        && key.as_bytes().windows(2).all(|pair| pair[0] < pair[1]);
    is_run.then(|| key.bytes().map(position).collect())
}

/// The position that a single letter names.
pub(super) fn place(letter: &str) -> Option<usize> {
    letter
        .bytes()
        .next()
        .filter(|_| is_letter(letter))
        .map(position)
}

fn position(letter: u8) -> usize {
    usize::from(letter.to_ascii_uppercase() - b'A')
}

pub(super) fn is_letter(label: &str) -> bool {
    label.len() == 1 && label.bytes().all(|byte| byte.is_ascii_alphabetic())
}
