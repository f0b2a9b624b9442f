//! What makes a text another way to write the same answer: numbers as words and digits, British
//! and American spelling, abbreviations, words that add nothing, and names that the item itself
//! gives to one thing. The words are data (`same_answer` of the phrase lists). Synonyms that the
//! item does not name are for a judge.
//!
//! | the right answer | another option | how it is known |
//! |---|---|---|
//! | four | 4; IV | `written` |
//! | haemorrhage | hemorrhage | `written` |
//! | acute myocardial infarction | acute MI | `abbreviates` |
//! | Streptococcus pyogenes | S. pyogenes | `abbreviates` |
//! | aspirin | aspirin 75 mg; probable aspirin | `adds_nothing` |
//! | acetaminophen | paracetamol, and the item says “acetaminophen (paracetamol)” | `are_named_alike` |

use redraft_text::language::Language;
use redraft_text::phrases::{PhraseList, is_unspaced};

use super::meaning;

static LIST: PhraseList = PhraseList::new("same_answer", &["number", "qualifier", "alias"]);

/// A word as it is compared: numbers in digits, one spelling of English.
pub(super) fn written(word: &str, language: Option<&Language>) -> String {
    const ROMAN: [&str; 12] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii",
    ];
    if let Some(number) = ROMAN.iter().position(|roman| *roman == word) {
        return (number + 1).to_string();
    }
    let code = language.map(Language::as_str);
    let files = LIST.files().iter();
    let mut own = files.filter(|file| code.is_none_or(|code| code == file.language));
    let number = own.find_map(|file| file.words("number").position(|known| known == word));
    match number {
        Some(number) => number.to_string(),
        None if code.is_none_or(|code| code == "en") => one_spelling(word),
        None => word.to_owned(),
    }
}

/// *Haemorrhage* and *hemorrhage*, *tumour* and *tumor*, *ionise* and *ionize*.
fn one_spelling(word: &str) -> String {
    const LEAST: usize = 5;
    if word.len() < LEAST || !word.is_ascii() {
        return word.to_owned();
    }
    let word = word
        .replace("ae", "e")
        .replace("oe", "e")
        .replace("sulph", "sulf");
    for (british, american) in [
        ("isation", "ization"),
        ("ising", "izing"),
        ("ised", "ized"),
        ("ises", "izes"),
        ("ise", "ize"),
        ("yse", "yze"),
        ("ours", "ors"),
        ("our", "or"),
        ("res", "ers"),
        ("tre", "ter"),
    ] {
        if let Some(start) = word.strip_suffix(british) {
            return format!("{start}{american}");
        }
    }
    word
}

/// Whether what an option has beyond the words of the right answer makes nothing else of it:
/// numbers with their units, years, *probable*. `is_own` says which words the right one has.
pub(super) fn adds_nothing(option: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    const UNIT: usize = 4;
    let words = meaning::content_words(option);
    let more: Vec<&String> = words.iter().filter(|word| !is_own(word)).collect();
    let has_digits = |word: &str| word.contains(|c: char| c.is_numeric());
    let measures = more.iter().any(|word| has_digits(word));
    !more.is_empty()
        && more.iter().all(|word| {
            has_digits(word)
                || measures && word.chars().count() <= UNIT
                || LIST.has_word("qualifier", word)
        })
}

/// Whether two texts are the same but for words of one that the other abbreviates: `MI`,
/// *acute MI*, *A.M.I.* for an acute myocardial infarction.
pub(super) fn abbreviates(one: &str, other: &str) -> bool {
    let (one, other) = (tokens(one), tokens(other));
    aligned(&one, &other) == Some(true) || aligned(&other, &one) == Some(true)
}

/// Words without full stops inside, small words left out, in their own case.
fn tokens(text: &str) -> Vec<String> {
    let is_dotted = |word: &str| {
        let mut letters = word.split('.').filter(|part| !part.is_empty());
        word.matches('.').count() > 1 && letters.all(|part| part.chars().count() == 1)
    };
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '(' | ')' | ','));
    words
        .map(|word| match is_dotted(word) {
            true => word.replace('.', ""),
            false => word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned(),
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// Goes through two texts word by word; an abbreviation takes the words that it stands for.
/// Says whether one was used, or `None` where the texts differ.
fn aligned(short: &[String], long: &[String]) -> Option<bool> {
    const LEAST: usize = 2;
    let (mut at, mut used) = (0, false);
    for word in short {
        let letters: Vec<char> = word.trim_end_matches('s').chars().collect();
        let is_acronym = letters.len() >= LEAST && letters.iter().all(|c| c.is_uppercase());
        let next = long.get(at);
        if next.is_some_and(|next| next.to_lowercase() == word.to_lowercase()) {
            at += 1;
        } else if at == 0 && short.len() > 1 && next.is_some_and(|next| is_initial(word, next)) {
            at += 1;
            used = true;
        } else if let Some(taken) = is_acronym
            .then(|| initials(&letters, long.get(at..)?))
            .flatten()
        {
            at += taken;
            used = true;
        } else {
            return None;
        }
    }
    (at == long.len()).then_some(used)
}

/// “S.” for *Streptococcus*, before the rest of a name.
fn is_initial(letter: &str, word: &str) -> bool {
    const LEAST: usize = 4;
    let mut letters = letter.chars();
    let first = letters.next().filter(|first| first.is_uppercase());
    first.is_some()
        && letters.next().is_none()
        && word.chars().next() == first
        && word.chars().count() >= LEAST
}

/// How many words these letters stand for: each word gives its initial, and may give more of its
/// letters (`SAH` for a subarachnoid haemorrhage). Small words may stand between.
fn initials(letters: &[char], words: &[String]) -> Option<usize> {
    let upper = |word: &str| -> Vec<char> { word.chars().flat_map(char::to_uppercase).collect() };
    let (mut said, mut taken) = (0, 0);
    for word in words.iter().map(|word| upper(word)) {
        let Some(letter) = letters.get(said) else {
            break;
        };
        if word.first() == Some(letter) {
            said += 1;
            let mut inside = word.iter().skip(1);
            let begins_next = |said: usize| {
                let next = words.get(taken + 1).map(|next| upper(next));
                next.is_some_and(|next| next.first() == letters.get(said))
            };
            while said < letters.len()
                && !begins_next(said)
                && inside.any(|c| letters.get(said) == Some(c))
            {
                said += 1;
            }
        } else {
            let text: String = word.iter().collect();
            if !meaning::content_words(&text).is_empty() {
                return None;
            }
        }
        taken += 1;
    }
    (said == letters.len() && taken > 1).then_some(taken)
}

/// Whether a text gives two names to one thing: “A (B)”, “A, also called B”, “A = B”.
pub(super) fn are_named_alike(text: &str, one: &str, other: &str) -> bool {
    let lower = text.to_lowercase();
    let (one, other) = (plain(one), plain(other));
    let is_long = |name: &str| name.chars().nth(1).is_some();
    one != other
        && is_long(&one)
        && is_long(&other)
        && (follows(&lower, &one, &other) || follows(&lower, &other, &one))
}

fn plain(name: &str) -> String {
    let name = name.trim().trim_end_matches('.');
    name.to_lowercase()
}

/// Whether the second name stands after the first, with brackets, an equals sign or words for
/// another name between them.
fn follows(text: &str, first: &str, second: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric) || is_unspaced(second);
    text.match_indices(first).any(|(at, _)| {
        let front = text.get(..at).unwrap_or_default();
        let after = text.get(at + first.len()..).unwrap_or_default();
        let begins = !front.ends_with(char::is_alphanumeric) || is_unspaced(first);
        if !begins || !ends(after) {
            return false;
        }
        let mut rest = after.trim_start();
        let mut is_linked = false;
        // An article, a bracket and a phrase at most.
        for _ in 0..LINKS {
            let signs =
                rest.trim_start_matches(['(', '[', '（', '=', '≡', ',', '，', '“', '"', '‘', ' ']);
            is_linked |= rest.starts_with(['(', '[', '（', '=', '≡']);
            rest = signs;
            let alias = LIST.all("alias").filter_map(|alias| {
                let after = rest.strip_prefix(alias)?;
                let is_whole = is_unspaced(alias) || !after.starts_with(char::is_alphanumeric);
                is_whole.then_some(after)
            });
            match alias.min_by_key(|after| after.len()) {
                Some(after) => {
                    rest = after.trim_start_matches([' ', ':', '“', '"']);
                    is_linked = true;
                }
                None => break,
            }
        }
        is_linked && rest.strip_prefix(second).is_some_and(ends)
    })
}

/// How many signs and phrases may stand between two names.
const LINKS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let same = |code: &str, text: &str| {
            let (right, option) = text.split_once(" => ").unwrap();
            let language = Language::parse(code);
            super::super::forms::say_the_same((right, option), "", language.as_ref())
        };
        let wrong = LIST.wrong_examples("same", |file, text| same(file.language, text));
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn abbreviations_stand_for_the_words_they_begin() {
        for (one, other, expected) in [
            ("Central retinal artery occlusion", "CRAO", true),
            ("CRAO", "Central retinal artery occlusion", true),
            ("Acute myocardial infarction", "Acute MI", true),
            ("Acute MI", "Acute myocardial infarction", true),
            ("Pulmonary embolism", "P.E.", true),
            ("Subarachnoid haemorrhage", "SAH", true),
            ("Sinus headache", "SAH", false),
            ("Computed tomography of the chest", "CT of the chest", true),
            ("Magnetic resonance imaging", "MRI scan", false),
            ("Central retinal artery occlusion", "CRVO", false),
            ("Electrocardiogram", "EEG", false),
            ("Acute myocardial infarction", "Acute PE", false),
            ("Aspirin", "Heparin", false),
            ("MI", "MI", false),
        ] {
            assert_eq!(abbreviates(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn an_item_that_gives_one_thing_two_names_says_so() {
        for (text, expected) in [
            ("Paracetamol (acetaminophen) lowers fever.", true),
            (
                "Acetaminophen, also known as paracetamol, lowers fever.",
                true,
            ),
            ("Acetaminophen is another name for paracetamol.", true),
            ("Paracetamol = acetaminophen", true),
            ("Paracetamol and acetaminophen were compared.", false),
            ("Paracetamol, acetaminophen and codeine", false),
            ("Paracetamol (not acetaminophen) was given.", false),
            ("Paracetamol lowers fever (acetaminophen too).", false),
        ] {
            let found = are_named_alike(text, "Paracetamol", "Acetaminophen");
            assert_eq!(found, expected, "{text}");
        }
        assert!(are_named_alike(
            "心肌梗死（又称心梗）很危险。",
            "心梗",
            "心肌梗死"
        ));
    }
}
