//! Whether a check and a judge speak of one fault. They do not share ids, so their words are
//! compared: what is quoted, numbers and the nouns of the fault.

use std::collections::BTreeSet;

/// Whether two descriptions of a fault in one place share most of their words, or quote the same
/// passage and share some.
#[must_use]
pub fn alike(a: &str, b: &str) -> bool {
    /// Fewer words in common say nothing.
    const LEAST: usize = 3;
    if let Some(alike) = of_one_passage(a, b) {
        return alike;
    }
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count();
    // A judge quotes more than a check says; so the shorter one is measured.
    shared >= LEAST && shared * 2 >= a.len().min(b.len())
}

/// If both quote one passage: whether they say something alike of it. Words for the place say
/// nothing: one sentence may be too long and passive as well.
fn of_one_passage(a: &str, b: &str) -> Option<bool> {
    const PLACES: [&str; 10] = [
        "sentence",
        "explainer_plain",
        "explainer",
        "cfu",
        "stem",
        "question",
        "rubric",
        "hint",
        "criterion",
        "word",
    ];
    const LEAST: usize = 2;
    let quotes = passages(a);
    if !passages(b).iter().any(|passage| quotes.contains(passage)) {
        return None;
    }
    let said = |text: &str| {
        let mut said = words(&without_passages(text));
        said.retain(|word| !PLACES.contains(&word.as_str()));
        said
    };
    let (a, b) = (said(a), said(b));
    let shared = a.intersection(&b).count();
    Some(shared >= LEAST && shared * 4 >= a.len().min(b.len()))
}

/// What a text quotes, in lower case; single words may stand in several passages.
fn passages(text: &str) -> BTreeSet<String> {
    const LEAST_WORDS: usize = 3;
    let parts = text.split('“').skip(1);
    let quoted = parts.filter_map(|part| Some(part.split_once('”')?.0));
    let long = quoted.filter(|quoted| quoted.split_whitespace().count() >= LEAST_WORDS);
    long.map(str::to_lowercase).collect()
}

fn without_passages(text: &str) -> String {
    let mut parts = text.split('“');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.split_once('”').map_or(part, |(_, after)| after));
    rest.fold(first, |all, part| all + " " + part)
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
                "Card 4: no marks for the method in this rubric, all for the result",
                true,
            ),
            (
                "Card 4: the rubric of card 4 has no method marks",
                "Card 4: hint 3 gives away the answer, £8",
                false,
            ),
            (
                "The rubric of card 4 only gives marks for the answer (“Gives an answer in pounds” and “States £14”)",
                "Card 4: The first mark is for any answer; the working earns nothing: “Gives an answer in pounds”",
                true,
            ),
            (
                "Card 3 explainer_plain has a sentence of 17 words: “The price of the coat is cut”",
                "Card 3 explainer_plain: the sentence uses passive voice: “The price of the coat is cut”",
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
