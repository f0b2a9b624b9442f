//! Several options named by their letters at once. Knows nothing of keys and items.

/// The positions that several letters name: `A, C`, `B and D`, or `ACD`, as banks in Chinese
/// write it. A letter may name no option.
pub(super) fn letters(key: &str, options: usize) -> Option<Vec<usize>> {
    if let Some(run) = run_of_letters(key.trim_matches(['"', '\'']), options) {
        return Some(run);
    }
    let words: Vec<&str> = key
        .split([',', ';', '&', '/', ' ', '"', '\'', '[', ']', '、', '，'])
        .filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("and"))
        .collect();
    let is_list = words.len() > 1 && words.iter().all(|word| is_letter(word));
    is_list.then(|| {
        words
            .iter()
            .flat_map(|word| word.bytes().map(position))
            .collect()
    })
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
