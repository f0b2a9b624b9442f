//! Texts without any markup: one line of words. Their Markdown structure depends on
//! nothing but their length, so it is made once for each length and shared; a bank
//! has hundreds of thousands of them. What markup means is not known here, only which
//! characters can have none.

use std::sync::OnceLock;

use redraft_text::markdown::{self, Markdown};

/// Longer texts are analysed on their own.
const LONGEST: usize = 2_048;

/// The structure of a text that is a single line of plain words; `None` where it
/// has to be analysed.
pub(crate) fn markdown(text: &str) -> Option<&'static Markdown> {
    static BY_LENGTH: [OnceLock<Markdown>; LONGEST] = [const { OnceLock::new() }; LONGEST];
    let shared = BY_LENGTH.get(text.len())?;
    is_plain(text).then(|| shared.get_or_init(|| markdown::analyse(&"a".repeat(text.len()))))
}

/// Whether nothing in a text can be markup: it begins with a letter, so it is no
/// list, and goes on with letters, digits, single spaces and harmless signs.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins = bytes.first().is_some_and(u8::is_ascii_alphabetic);
    let ends = bytes.last().is_some_and(|byte| *byte != b' ');
    begins
        && ends
        && bytes.iter().all(|byte| HARMLESS[usize::from(*byte)])
        // Addresses are found without markup, and a colon is in most of them.
        && !text.contains("www.")
        && !text.contains("//")
}

const HARMLESS: [bool; 256] = {
    let mut harmless = [false; 256];
    let signs = b" ,.;:?%/()-";
    let mut at = 0;
    while at < signs.len() {
        harmless[signs[at] as usize] = true;
        at += 1;
    }
    let mut byte = 0;
    while byte < 128_u8 {
        if byte.is_ascii_alphanumeric() {
            harmless[byte as usize] = true;
        }
        byte += 1;
    }
    harmless
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_and_addresses_are_not_plain() {
        for (text, expected) in [
            ("Which drug is given first?", true),
            ("A 45-year-old man (BP 120/80), in 5% of cases.", true),
            ("1. First", false),
            ("- item", false),
            ("*x*", false),
            ("a_b", false),
            ("a\nb", false),
            ("see www.example.org", false),
            ("see http://example.org", false),
            ("ends ", false),
            ("", false),
            ("5 mg", false),
        ] {
            assert_eq!(markdown(text).is_some(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_shared_structure_is_the_texts_own(text in "[A-Za-z][A-Za-z0-9 ,.;:?%/()-]{0,80}") {
            if let Some(shared) = markdown(&text) {
                prop_assert_eq!(shared, &markdown::analyse(&text));
            }
        }
    }
}
