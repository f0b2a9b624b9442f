//! Whether a repair turns the meaning of a text round: a negation that goes, a word that
//! becomes its opposite. The words are data (`opposites` of the phrase lists). Knows texts
//! alone, not items.
//!
//! | the new text | turned round |
//! |---|---|
//! | has fewer negations, and no issue quotes one | where facts are given |
//! | differs from the old one by negations alone | always |
//! | has an opposite in place of a word, and no issue quotes that word | always |
//! | has a word or two in place of others, and no issue quotes those | where facts are given |

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use redraft_text::phrases::{PhraseList, is_unspaced};

static LIST: PhraseList = PhraseList::new("opposites", &["negation", "opposite", "prefix"]);

/// How strictly a text is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// A case: its facts stay.
    Case,
    /// A question: what is denied stays denied.
    Facts,
    /// An explanation, which may be told in another way.
    Prose,
}

/// The words of all languages.
struct Words {
    negations: HashSet<&'static str>,
    /// Negations of scripts without spaces.
    anywhere: Vec<&'static str>,
    pairs: Vec<(&'static str, &'static str)>,
    prefixes: Vec<(&'static str, &'static str)>,
}

fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let negations = || LIST.files().iter().flat_map(|file| file.words("negation"));
        let pairs = |section| LIST.all(section).filter_map(|line| line.split_once(' '));
        Words {
            negations: negations().filter(|word| !is_unspaced(word)).collect(),
            anywhere: negations().filter(|word| is_unspaced(word)).collect(),
            pairs: pairs("opposite").collect(),
            prefixes: pairs("prefix").collect(),
        }
    })
}

/// A text as it is compared.
struct Read {
    lower: String,
    counts: HashMap<String, usize>,
}

impl Read {
    fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let mut counts = HashMap::new();
        for word in lower.split(|c: char| !c.is_alphanumeric()) {
            // Signs of a script without spaces are words of their own.
            let signs = word
                .chars()
                .filter(|c| is_unspaced(c.encode_utf8(&mut [0; 4])));
            for sign in signs {
                *counts.entry(sign.to_string()).or_default() += 1;
            }
            let is_word = !word.is_empty()
                && !word
                    .chars()
                    .any(|c| is_unspaced(c.encode_utf8(&mut [0; 4])));
            if is_word {
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        }
        Self { lower, counts }
    }

    fn count(&self, word: &str) -> usize {
        if is_unspaced(word) {
            self.lower.matches(word).count()
        } else {
            self.counts.get(word).copied().unwrap_or_default()
        }
    }

    fn negations(&self) -> usize {
        let whole = self.counts.iter();
        let whole: usize = whole
            .filter(|(word, _)| words().negations.contains(word.as_str()))
            .map(|(_, count)| count)
            .sum();
        let anywhere = words().anywhere.iter();
        whole + anywhere.map(|word| self.count(word)).sum::<usize>()
    }

    /// The words with a meaning of which there are more than in another text.
    fn more_than(&self, other: &Self) -> Vec<&str> {
        let counts = self.counts.iter();
        let mut more: Vec<&str> = counts
            .filter(|(word, count)| **count > other.count(word) && !is_small(word))
            .map(|(word, _)| word.as_str())
            .collect();
        more.sort_unstable();
        more
    }

    /// How many words one has and the other does not, beside negations.
    fn differs_by(&self, other: &Self) -> usize {
        let more = |one: &Self, than: &Self| -> usize {
            let counts = one.counts.iter();
            counts
                .filter(|(word, _)| !words().negations.contains(word.as_str()))
                .map(|(word, count)| count.saturating_sub(than.count(word)))
                .sum()
        };
        more(self, other) + more(other, self)
    }
}

/// What of a text is turned round, as an objection; `quotes` are the words that issues quote.
pub(super) fn turned(
    (old, new): (&str, &str),
    quotes: &[String],
    strictness: Strictness,
) -> Option<String> {
    if old == new {
        return None;
    }
    let (was, is) = (Read::of(old), Read::of(new));
    let quoted: Vec<Read> = quotes.iter().map(|quote| Read::of(quote)).collect();
    negated(&was, &is, &quoted, strictness)
        .or_else(|| opposite(&was, &is, &quoted))
        .or_else(|| {
            let is_case = strictness == Strictness::Case;
            is_case.then(|| replaced(&was, &is, &quoted)).flatten()
        })
}

/// The most words that are replaced without the sentence being another.
const FEW: usize = 2;
/// The same in a script without spaces, in signs.
const FEW_SIGNS: usize = 4;

/// A word or two of a case that others replace: *diffusely* that became *focally*.
fn replaced(was: &Read, is: &Read, quoted: &[Read]) -> Option<String> {
    let (lost, gained) = (was.more_than(is), is.more_than(was));
    let limit = if lost.iter().all(|word| is_unspaced(word)) {
        FEW_SIGNS
    } else {
        FEW
    };
    let is_free = |word: &str| quoted.iter().any(|quote| quote.count(word) > 0);
    let is_same = |word: &str| gained.iter().any(|other| is_inflected(word, other));
    let first = lost.iter().find(|word| !is_free(word) && !is_same(word))?;
    let is_few = lost.len() <= limit && gained.len() <= 2 * limit && !gained.is_empty();
    is_few.then(|| {
        format!("“{first}” was replaced, and no issue quotes it; keep the facts of the case")
    })
}

/// Whether two words differ by their endings alone.
fn is_inflected(one: &str, other: &str) -> bool {
    const ROOT: usize = 4;
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let longest = one.chars().count().max(other.chars().count());
    same >= ROOT && longest - same <= 3
}

/// Whether a word of either kind of script negates.
fn negates(word: &str) -> bool {
    words().negations.contains(word)
        || words()
            .anywhere
            .iter()
            .any(|negation| negation.contains(word))
}

/// The most other words that change when a sentence is merely negated: “has”, “does … have”.
const AROUND: usize = 3;

fn negated(was: &Read, is: &Read, quoted: &[Read], strictness: Strictness) -> Option<String> {
    let (before, after) = (was.negations(), is.negations());
    let is_free = quoted.iter().any(|quote| quote.negations() > 0);
    let added = is.more_than(was);
    let is_denial = after > before && added.iter().all(|word| negates(word));
    let is_flip = was.differs_by(is) <= AROUND && (after < before || is_denial);
    let is_lost = strictness != Strictness::Prose && after < before;
    ((is_flip || is_lost) && !is_free).then(|| {
        "a negation is gone or was added, and no issue quotes it; what the text denies must stay denied"
            .to_owned()
    })
}

fn opposite(was: &Read, is: &Read, quoted: &[Read]) -> Option<String> {
    let replaced = |from: &str, to: &str| {
        was.count(from) > is.count(from)
            && is.count(to) > was.count(to)
            && !quoted.iter().any(|quote| quote.count(from) > 0)
    };
    let pairs = words().pairs.iter();
    let pair = pairs
        .flat_map(|(one, other)| [(*one, *other), (*other, *one)])
        .find(|(from, to)| replaced(from, to))
        .map(|(from, to)| (from.to_owned(), to.to_owned()));
    let (from, to) = pair
        .or_else(|| prefixed(was, &replaced))
        .or_else(|| with_prefix(was, is, &replaced))?;
    Some(format!(
        "“{from}” became “{to}”, its opposite, and no issue quotes it; keep it"
    ))
}

/// *Wahrscheinlich* that became *unwahrscheinlich*.
fn with_prefix(
    was: &Read,
    is: &Read,
    replaced: &dyn Fn(&str, &str) -> bool,
) -> Option<(String, String)> {
    const NEGATING: [&str; 8] = ["un", "in", "im", "ir", "non", "des", "не", "a"];
    const ROOT: usize = 4;
    let negates = |one: &str, other: &str| {
        let mut all = NEGATING.iter();
        all.any(|prefix| other.strip_prefix(prefix) == Some(one) && one.chars().count() >= ROOT)
    };
    let pairs = was.counts.keys().flat_map(|from| {
        let others = is
            .counts
            .keys()
            .filter(move |to| negates(from, to) || negates(to, from));
        others.map(move |to| (from.clone(), to.clone()))
    });
    pairs.filter(|(from, to)| replaced(from, to)).min()
}

/// *Hypertension* that became *hypotension*.
fn prefixed(was: &Read, replaced: &dyn Fn(&str, &str) -> bool) -> Option<(String, String)> {
    let both = words().prefixes.iter();
    let both = both.flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    both.flat_map(|(from, to)| {
        was.counts.keys().filter_map(move |word| {
            let rest = word.strip_prefix(from)?;
            Some((word.clone(), format!("{to}{rest}")))
        })
    })
    .filter(|(from, to)| replaced(from, to))
    .min()
}

/// The words of a text that carry its meaning, in the order of the alphabet: without
/// articles and the like, but with what negates.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let all = lower.split(|c: char| !c.is_alphanumeric());
    let mut content: Vec<String> = all
        .filter(|word| !word.is_empty())
        .filter(|word| words().negations.contains(word) || !is_small(word))
        .map(str::to_owned)
        .collect();
    content.sort();
    content
}

/// Whether a word negates.
pub(super) fn is_negation(word: &str) -> bool {
    words().negations.contains(word)
}

/// Articles and prepositions that change nothing between the same nouns.
fn is_small(word: &str) -> bool {
    const SMALL: &str = "do does did have has had n s t a an the of in on at with by for de la le les l d du des un une el los las del una o os as do da dos das um uma em no na der die das dem den des ein eine einer eines im am mit von bei в на с со у от";
    SMALL.split(' ').any(|small| small == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        let is_turned = |text: &str, strictness| {
            let (old, new) = text.split_once(" => ").unwrap();
            turned((old, new), &[], strictness).is_some()
        };
        for strictness in [Strictness::Case, Strictness::Facts, Strictness::Prose] {
            let wrong = LIST.wrong_examples("turned", |_, text| is_turned(text, strictness));
            assert_eq!(wrong, [""; 0]);
        }
    }

    #[test]
    fn what_an_issue_quotes_may_be_turned_round() {
        for (old, new, quote) in [
            ("He has no fever.", "He has fever.", "no fever"),
            (
                "The left arm is weak.",
                "The right arm is weak.",
                "left arm",
            ),
            (
                "He has hypertension.",
                "He has hypotension.",
                "hypertension",
            ),
        ] {
            for (quotes, expected) in [
                (vec![quote.to_owned()], false),
                (vec!["he".to_owned()], true),
            ] {
                let found = turned((old, new), &quotes, Strictness::Facts).is_some();
                assert_eq!(found, expected, "{old} {quotes:?}");
            }
        }
    }

    #[test]
    fn a_word_of_a_case_is_not_replaced_but_words_are_added() {
        for (old, new, expected) in [
            ("It is diffusely enlarged.", "It is focally enlarged.", true),
            (
                "Her pulse is 112 per minute.",
                "Her pulse is 112 per hour.",
                true,
            ),
            ("Температура нормальная.", "Температура повышенная.", true),
            ("体温正常。", "体温升高。", true),
            ("It is enlarged.", "It is diffusely enlarged.", false),
            ("She presents with pain.", "She presented with pain.", false),
            (
                "A man coughs.",
                "He is a man of 40 years who has been coughing all night since last week.",
                false,
            ),
        ] {
            let found = turned((old, new), &[], Strictness::Case).is_some();
            assert_eq!(found, expected, "{new}");
            assert!(
                turned((old, new), &[old.to_lowercase()], Strictness::Case).is_none(),
                "{old}"
            );
        }
    }

    #[test]
    fn small_words_and_order_do_not_matter_but_negations_do() {
        let same = |a: &str, b: &str| content_words(a) == content_words(b);
        assert!(same(
            "Delayed relaxation of reflexes",
            "Reflexes with delayed relaxation"
        ));
        assert!(same("le ramipril", "Ramipril"));
        assert!(!same("Shock with fever", "Shock without fever"));
        assert!(!same("Raised thyroxine", "Thyroxine"));
    }
}
