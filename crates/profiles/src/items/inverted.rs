//! Texts that say the same in another order of words: *Myocardial infarction, acute* and
//! *acute myocardial infarction*, *cancer of the lung* and *lung cancer*. Only inversions
//! count: *low sodium, high potassium* is not *high sodium, low potassium*.

use super::wording;

/// The longest text that is turned round, in words.
const LONGEST: usize = 8;

/// A text in its natural order of words, in lower case, for comparison.
pub(super) fn natural(text: &str) -> String {
    let lower = wording::plain(text);
    let mut words = lower.split_whitespace();
    if words.clone().nth(LONGEST).is_some() || words.next().is_none() {
        return lower;
    }
    let mut parts = lower.split(',').map(str::trim);
    let turned = match (parts.next(), parts.next(), parts.next()) {
        // `infarction, acute`: what is added stands before; a list has more to say.
        (Some(head), Some(added), None) if is_adjective(added) && !head.is_empty() => {
            format!("{added} {head}")
        }
        _ => lower.clone(),
    };
    of_to_front(&turned).unwrap_or(turned)
}

/// One or two words without a verb or a conjunction can stand before the noun.
fn is_adjective(added: &str) -> bool {
    const NOT: &[&str] = &[
        "and", "or", "not", "but", "then", "und", "oder", "y", "o", "et", "ou", "e", "и", "или",
    ];
    let mut words = added.split_whitespace();
    let count = words.clone().count();
    (1..=2).contains(&count)
        && words
            .all(|word| !NOT.contains(&word) && word.chars().all(|c| c.is_alphabetic() || c == '-'))
}

/// *cancer of the lung* as *lung cancer*.
fn of_to_front(text: &str) -> Option<String> {
    let (head, rest) = text.split_once(" of ")?;
    let whole = rest.strip_prefix("the ").unwrap_or(rest);
    let is_short = whole.split_whitespace().count() <= 2 && !whole.contains(" of ");
    let is_plain = |text: &str| {
        text.chars()
            .all(|c| c.is_alphabetic() || c == ' ' || c == '-')
    };
    (is_short && is_plain(head) && is_plain(whole)).then(|| format!("{whole} {head}"))
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn inversions_are_the_same_and_lists_are_not() {
        for (a, b, expected) in [
            (
                "Myocardial infarction, acute",
                "Acute myocardial infarction",
                true,
            ),
            ("Lung cancer", "Cancer of the lung", true),
            (
                "Otitis media, chronic suppurative",
                "Chronic suppurative otitis media",
                true,
            ),
            (
                "Low sodium, high potassium",
                "High sodium, low potassium",
                false,
            ),
            ("Aspirin, heparin", "Heparin, aspirin", false),
            ("Aspirin and heparin", "Heparin and aspirin", false),
            ("Increase, then decrease", "Then decrease increase", false),
            ("A man bites a dog", "A dog bites a man", false),
            ("", "", true),
        ] {
            assert_eq!(natural(a) == natural(b), expected, "{a} / {b}");
        }
    }
}
