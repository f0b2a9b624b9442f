//! The names under which items keep their fields: the seeds' own, those of question banks
//! and of text generators, in several languages (`item_fields` of the phrase lists). A name
//! is compared without case, spaces, hyphens and underscores, so that `correct_answer` and
//! `correctAnswer` are one. Knows no values.

use std::collections::HashMap;
use std::sync::OnceLock;

use redraft_text::phrases::PhraseList;

/// What a field is to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    Vignette,
    Stem,
    /// A stem, if the rest of the object is an item.
    WeakStem,
    Options,
    /// Options, if something says that one of them is right.
    WeakOptions,
    /// The wrong options alone; the right one is the value of the key.
    WrongOptions,
    Key,
    /// A key by a name that also means other things.
    WeakKey,
    /// A key whose number is an index.
    IndexKey,
    /// A key or a worked solution.
    Solution,
    Explanation,
}

static LIST: PhraseList = PhraseList::new(
    "item_fields",
    &[
        "vignette",
        "stem",
        "weak stem",
        "options",
        "weak options",
        "wrong options",
        "key",
        "index key",
        "weak key",
        "solution",
        "explanation",
        "option text",
        "option label",
        "option explanation",
        "flag",
        "option name",
        "wrong name",
        "list",
        "clinical",
        "medical",
        "yes",
        "no",
        "label word",
        "right text",
        "option share",
        "key lead",
        "key head",
        "key part",
        "index part",
    ],
);

/// The sections with the names of each role.
const ROLES: &[(Role, &str)] = &[
    (Role::Vignette, "vignette"),
    (Role::Stem, "stem"),
    (Role::WeakStem, "weak stem"),
    (Role::Options, "options"),
    (Role::WeakOptions, "weak options"),
    (Role::WrongOptions, "wrong options"),
    (Role::Key, "key"),
    (Role::IndexKey, "index key"),
    (Role::WeakKey, "weak key"),
    (Role::Solution, "solution"),
    (Role::Explanation, "explanation"),
];

/// The words of a section in all languages, the preferred first.
fn words(section: &str) -> Vec<&'static str> {
    let files = LIST.files().iter();
    files.flat_map(|file| file.words(section)).collect()
}

macro_rules! section {
    ($(#[$doc:meta])* $name:ident, $section:literal) => {
        $(#[$doc])*
        pub(super) fn $name() -> &'static [&'static str] {
            static WORDS: OnceLock<Vec<&'static str>> = OnceLock::new();
            WORDS.get_or_init(|| words($section))
        }
    };
}

section!(
    /// The names of an option's own fields.
    option_text,
    "option text"
);
section!(option_label, "option label");
section!(option_explanation, "option explanation");
section!(flags, "flag");
section!(
    /// The names of lists of items.
    lists,
    "list"
);
section!(
    /// What a flag says.
    yes,
    "yes"
);
section!(no, "no");
section!(
    /// Words before the letter of a key: “Option B”.
    label_words,
    "label word"
);
section!(
    /// The words of which the name of a key can be made.
    key_heads,
    "key head"
);
section!(key_parts, "key part");
section!(index_parts, "index part");
section!(
    /// Weak keys whose value may be the right option where the wrong ones stand apart.
    right_texts,
    "right text"
);
section!(
    /// The share of the marks that an option earns.
    option_shares,
    "option share"
);
section!(option_names, "option name");
section!(wrong_names, "wrong name");
section!(clinical, "clinical");
section!(medical, "medical");

/// The words before a key or a right answer in a sentence, lower case.
pub(super) fn leads() -> impl Iterator<Item = &'static str> {
    LIST.all("key lead")
}

/// What a key may say after the words before it: “The correct answer is B”.
pub(super) fn without_lead(key: &str) -> impl Iterator<Item = &str> {
    // A longer text is no key, and may repeat the words without end.
    const LONGEST: usize = 200;
    let after = move |lead: &str| {
        let start = key.get(..lead.len()).filter(|_| key.len() <= LONGEST)?;
        (start.to_lowercase() == lead).then(|| &key[lead.len()..])
    };
    let rests = leads().filter_map(after);
    let rests = rests.map(|rest| rest.trim_start_matches([':', '：']).trim());
    rests.filter(|rest| !rest.is_empty())
}

/// The role of a field, and its rank among the names of that role.
pub(super) fn role(name: &str) -> Option<(Role, usize)> {
    static BY_NAME: OnceLock<HashMap<&'static str, (Role, usize)>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| {
        let names = ROLES.iter().flat_map(|(role, section)| {
            let ranked = words(section).into_iter().enumerate();
            ranked.map(|(rank, name)| (name, (*role, rank)))
        });
        names.collect()
    });
    // The longest name has fewer letters than this.
    if name.len() > 80 {
        return None;
    }
    let name = plain(name);
    let known = by_name.get(name.as_str()).copied();
    known.or_else(|| composed(&name).map(|role| (role, COMPOSED)))
}

/// The rank of a name that is not listed: after those that are.
const COMPOSED: usize = 1000;

/// A name that is not listed but made of words for keys: `correct_choice_letter`. It says
/// which option is right only if its value does.
fn composed(name: &str) -> Option<Role> {
    let word = |rest: &str, words: &[&'static str]| {
        let begun = words.iter().filter(|word| rest.starts_with(**word));
        begun.map(|word| word.len()).max()
    };
    let mut rest = name.get(word(name, key_heads())?..)?;
    let mut role = None;
    while !rest.is_empty() {
        let (index, part) = (word(rest, index_parts()), word(rest, key_parts()));
        role = match (index, role) {
            (Some(_), _) | (None, Some(Role::IndexKey)) => Some(Role::IndexKey),
            (None, _) => Some(Role::WeakKey),
        };
        rest = rest.get(index.or(part)?..)?;
    }
    role
}

/// Whether a name is one of these.
pub(super) fn is_one_of(name: &str, names: &[&str]) -> Option<usize> {
    if name.len() > 80 {
        return None;
    }
    let name = plain(name);
    names.iter().position(|known| *known == name)
}

/// A name as it is compared.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.'));
    letters.flat_map(char::to_lowercase).collect()
}

/// What numbered fields hold: `option_a`, `opb`, `C`, `distractor2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbered {
    Option,
    /// A wrong option; the right one is the value of the key.
    Wrong,
}

/// A field that is one of several options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumberedName {
    pub(super) what: Numbered,
    /// What the names of its neighbours begin with, too.
    pub(super) prefix: String,
    /// Its number or the letter's, from 0.
    pub(super) index: usize,
}

/// Whether a word means an option: *distractor*, *Antwort*.
pub(super) fn is_word_for_option(word: &str) -> bool {
    const LEAST: usize = 4;
    let known = |names: &[&str]| names.contains(&word);
    word.chars().count() >= LEAST && (known(option_names()) || known(wrong_names()))
}

/// Reads the name of a field that is one of several options.
pub(super) fn numbered(name: &str) -> Option<NumberedName> {
    if name.len() > 40 {
        return None;
    }
    let name = plain(name);
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (prefix, index) = match (digits, name.chars().next_back()) {
        (1 | 2, _) => {
            let (prefix, number) = name.split_at(name.len() - digits);
            (prefix, number.parse::<usize>().ok()?)
        }
        (0, Some(letter @ 'a'..='j')) => {
            let prefix = name.strip_suffix(letter).unwrap_or_default();
            (prefix, letter as usize - 'a' as usize)
        }
        _ => return None,
    };
    let what = if prefix.is_empty() || option_names().contains(&prefix) {
        Numbered::Option
    } else if wrong_names().contains(&prefix) {
        Numbered::Wrong
    } else {
        return None;
    };
    // Letters and numbers are different series.
    let series = if digits > 0 { "#" } else { "" };
    Some(NumberedName {
        what,
        prefix: format!("{prefix}{series}"),
        index,
    })
}

/// Whether a field says that an item is about medicine: a vignette, or what only clinical
/// items carry.
pub(super) fn is_clinical(name: &str) -> bool {
    is_one_of(name, clinical()).is_some()
}

/// Whether the value of a field `subject` names a medical subject.
pub(super) fn is_medical(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    let mut words = subject.split(|c: char| !c.is_alphanumeric());
    words.any(|word| medical().contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_role_and_is_written_as_it_is_compared() {
        assert_eq!(LIST.faults(), [""; 0]);
        let mut seen = std::collections::BTreeMap::new();
        for (role, section) in ROLES {
            for name in words(section) {
                assert_eq!(plain(name), name);
                let earlier = seen.insert(name, *role);
                assert!(earlier.is_none_or(|earlier| earlier == *role), "{name}");
            }
        }
        for names in [option_text(), option_label(), option_explanation(), flags()] {
            for name in names {
                assert_eq!(plain(name), *name);
            }
        }
    }

    #[test]
    fn items_are_read_by_the_names_of_every_language() {
        let wrong = LIST.wrong_examples("item", |_, text| {
            let scanned = redraft_text::json::scan(text, 0..text.len());
            let root = scanned.root().unwrap();
            let item = crate::items::lists::of(root).map_or(root, |list| list[0]);
            let nodes = crate::items::read::item(item);
            nodes.is_item() && nodes.options.len() == 3 && nodes.keys.len() == 1
        });
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn case_and_separators_do_not_matter() {
        for name in [
            "correct_answer",
            "correctAnswer",
            "Correct Answer",
            "CORRECT-ANSWER",
        ] {
            assert_eq!(role(name), Some((Role::Key, 1)), "{name}");
        }
        assert_eq!(
            role("Antwortmöglichkeiten").map(|found| found.0),
            Some(Role::Options)
        );
        assert_eq!(role("difficulty"), None);
    }

    #[test]
    fn names_made_of_words_for_keys_are_keys() {
        for (name, expected) in [
            ("correct_choice_letter", Some(Role::WeakKey)),
            ("answer_code", Some(Role::WeakKey)),
            ("best_option", Some(Role::WeakKey)),
            ("rightOptionIndex", Some(Role::IndexKey)),
            ("correct_indices", Some(Role::IndexKey)),
            ("answer_explanation", Some(Role::Explanation)),
            ("answer_options", Some(Role::Options)),
            ("student_answer", None),
            ("answer_count", None),
            ("correct_feedback", None),
            ("best", None),
            ("option_text", None),
        ] {
            assert_eq!(role(name).map(|found| found.0), expected, "{name}");
        }
    }

    #[test]
    fn options_in_fields_of_their_own_are_recognised_by_letter_or_number() {
        for (name, what, prefix, index) in [
            ("A", Numbered::Option, "", 0),
            ("d", Numbered::Option, "", 3),
            ("opb", Numbered::Option, "op", 1),
            ("option_c", Numbered::Option, "option", 2),
            ("optionD", Numbered::Option, "option", 3),
            ("Option 2", Numbered::Option, "option#", 2),
            ("distractor3", Numbered::Wrong, "distractor#", 3),
            ("incorrect_answer_1", Numbered::Wrong, "incorrectanswer#", 1),
        ] {
            let expected = NumberedName {
                what,
                prefix: prefix.to_owned(),
                index,
            };
            assert_eq!(numbered(name), Some(expected), "{name}");
        }
        for name in ["", "answer", "cop", "topic", "z", "section1", "media"] {
            assert_eq!(numbered(name), None, "{name}");
        }
    }
}
