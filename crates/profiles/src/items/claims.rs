//! What the explanation of an option claims about it: that it is right or wrong, or that
//! another is to be chosen. The words are data (`key_claims` of the phrase lists). Only
//! what is certain counts: an opening verdict, an imperative with a letter.

use std::ops::Range;

use redraft_text::phrases::{PhraseList, is_unspaced};

static LIST: PhraseList = PhraseList::new(
    "key_claims",
    &["wrong", "right", "because", "choose", "so", "option"],
);

/// Whether an option's explanation begins by calling it right or wrong.
pub(super) fn verdict(text: &str) -> Option<bool> {
    let text = folded(text);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_said = |section: &str| LIST.all(section).any(|claim| begins_with(text, claim));
    match (is_said("right"), is_said("wrong")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// A claim, before punctuation, at the end, or before a word like “because”.
fn begins_with(text: &str, claim: &str) -> bool {
    let Some(rest) = text.strip_prefix(claim) else {
        return false;
    };
    let Some(next) = rest.chars().next() else {
        return true;
    };
    let after = rest.trim_start();
    let is_dash = after.starts_with(['-', '–', '—', ':', ';', '!']);
    let because = LIST.all("because").any(|word| {
        after.strip_prefix(word).is_some_and(|rest| {
            let next = rest.chars().next();
            is_unspaced(word) || next.is_none_or(|c| !c.is_alphanumeric())
        })
    });
    matches!(
        next,
        '.' | ':' | '!' | ',' | ';' | '。' | '！' | '，' | '；' | '：'
    ) || (next.is_whitespace() && (is_dash || because))
        || (is_unspaced(claim) && because)
}

/// The letter of the option that a text tells the reader to choose; `None` where it
/// names several, or none.
pub(super) fn chosen(text: &str) -> Option<(usize, Range<usize>)> {
    let lower = folded(text);
    // The letter is read in the text itself, so places must agree.
    if lower.len() != text.len() {
        return None;
    }
    let mut found: Option<(usize, Range<usize>)> = None;
    for verb in LIST.all("choose") {
        for (at, _) in lower.match_indices(verb) {
            let end = at + verb.len();
            let Some(index) = begins_a_clause(&lower, at).then(|| letter_after(text, &lower, end))
            else {
                continue;
            };
            let Some((index, to)) = index else { continue };
            match &found {
                Some((earlier, _)) if *earlier != index => return None,
                Some(_) => {}
                None => found = Some((index, at..to)),
            }
        }
    }
    found
}

fn begins_a_clause(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let last = before.chars().next_back();
    if last.is_none_or(|c| !c.is_alphanumeric()) {
        return true;
    }
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| LIST.all("so").any(|so| so == word))
}

fn letter_after(text: &str, lower: &str, from: usize) -> Option<(usize, usize)> {
    const SIGNS: [char; 8] = [' ', '(', ':', '"', '“', '*', '：', '«'];
    let mut at = from;
    loop {
        let rest = lower.get(at..)?;
        at += rest.len() - rest.trim_start_matches(SIGNS).len();
        let rest = lower.get(at..)?;
        let word = LIST.all("option").find(|word| {
            rest.strip_prefix(word).is_some_and(|rest| {
                is_unspaced(word) || rest.starts_with(|c: char| !c.is_alphanumeric())
            }) && !text.get(at..).is_some_and(|own| {
                own.starts_with(|c: char| c.is_ascii_uppercase()) && word.len() == 1
            })
        });
        match word {
            Some(word) => at += word.len(),
            None => break,
        }
    }
    let mut chars = text.get(at..)?.chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    let next = chars.next();
    let is_alone = next.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '\'');
    // “Choose A vein” is not an option; a lone A needs an end after it.
    let is_article = letter == 'A' && next.is_some_and(|c| c == ' ');
    let index = u8::try_from(letter).ok()?.checked_sub(b'A')?;
    (is_alone && !is_article).then_some((usize::from(index), at + 1))
}

/// Lower case without emphasis, with plain apostrophes where that keeps the length.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let wrong = LIST.wrong_examples("wrong", |_, text| verdict(text) == Some(false));
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("right", |_, text| verdict(text) == Some(true));
        assert_eq!(wrong, [""; 0]);
        let wrong = LIST.wrong_examples("choose", |_, text| chosen(text).is_some());
        assert_eq!(wrong, [""; 0]);
    }
}
