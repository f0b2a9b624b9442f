//! Whether a check and a judge speak of one fault. They do not share ids, so their words are
//! compared: what is quoted, numbers and the nouns of the fault.

use std::collections::BTreeSet;

/// Whether two descriptions of a fault in one place share most of their words.
#[must_use]
pub fn alike(a: &str, b: &str) -> bool {
    /// Fewer words in common say nothing.
    const LEAST: usize = 3;
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count();
    // A judge quotes more than a check says; so the shorter one is measured.
    shared >= LEAST && shared * 2 >= a.len().min(b.len())
}

/// The words that say something, without their endings.
fn words(text: &str) -> BTreeSet<String> {
    const COMMON: [&str; 40] = [
        "card", "the", "and", "but", "has", "have", "with", "for", "from", "this", "that", "its",
        "are", "was", "not", "one", "use", "uses", "instead", "more", "than", "most", "least",
        "should", "contain", "into", "each", "best", "read", "says", "like", "find", "at", "of",
        "in", "is", "it", "to", "an", "or",
    ];
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$' && c != '£')
        .map(str::to_lowercase)
        .map(|word| match word.strip_suffix('s') {
            Some(stem) if stem.len() > 3 => stem.to_owned(),
            _ => word,
        })
        .filter(|word| word.len() > 1 || word.contains(['$', '£']))
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fault_in_two_voices_is_one() {
        for (check, judge, expected) in [
            (
                "Card 3 explainer_plain has a sentence of 17 words, but at most 15 are allowed",
                "Card 3 explainer_plain: one sentence has 17 words, 'When we share £20 between 4 friends we can see'",
                true,
            ),
            (
                "Card 2 explainer uses a foreign currency: $4",
                "Card 2 explainer uses the foreign currency $4 instead of £",
                true,
            ),
            (
                "Card 4: the rubric of card 4 has no method marks",
                "Card 4 rubric lacks method marks - only awards accuracy mark",
                true,
            ),
            (
                "Card 4: the rubric of card 4 has no method marks",
                "Card 4: hint 3 gives away the answer, £8",
                false,
            ),
            (
                "Card 3 explainer_plain has a sentence of 17 words",
                "Card 3 explainer_plain uses passive voice: 'is calculated'",
                false,
            ),
        ] {
            assert_eq!(alike(check, judge), expected, "{check} / {judge}");
        }
    }
}
