//! `hybrid-script-word`: a word in letters of two scripts.
//!
//! | the letters | example | finding | fix |
//! |---|---|---|---|
//! | one way, every foreign letter has a look-alike, and most letters stay | `мoре`, `systеm` | yes | exchanged |
//! | one way, but most letters would change (`Gорје`), or a name has an ending of another script | | yes; no for endings | proposed |
//! | either way | `cор` | yes | exchanged where the document has the one word and not the other, otherwise proposed |
//! | no way | `навигаator`, `Biлет` | yes | none |
//! | a mixture that is good (`SQLзапрос`, `VIPы`, `机器learning`, `kΩ`) | | no | |
//! | a quantity with its index (`Tпл = 232`, `Eк`, `Uδυν`) | | no | |
//!
//! Which mixtures are good is decided in `mixtures`, what is a quantity in `quantities`. Letters of a script that is
//! foreign to the whole document are the business of `foreign-script`.

use std::collections::HashSet;
use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::scripts::{Script, look_alike, script};
use redraft_text::words::words;

use crate::check_list::DEFAULTS;
use crate::shared::home_script::HomeScript;
use crate::shared::prose::is_quoted;

mod mixtures;
mod quantities;
mod word;

use word::{MixedWord, mixed_words};

pub(super) static CHECK: Check = Check {
    code: "TXT032",
    name: "hybrid-script-word",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Language,
    summary: "a word mixes letters of two scripts",
    what: "Reports words in which some letters come from another script: a Latin “o” in a Russian word, or half a word in each (“навигаator”). `--fix` replaces the wrong letters if each has an exact look-alike, most letters of the word stay, and the word cannot be read the other way round; otherwise the change is only proposed, or left to the author. Words joined by a hyphen, an apostrophe or a digit (`SQL-запрос`, `e-mail'ом`, `х1`), abbreviations and names with an ending (`VIPы`, `Pythonом`), Latin words in Chinese, Japanese, Korean and Thai text, symbols (`kΩ`, `Δx`), quantities with an index (`Tпл`, `Eк`), identifiers, formulas and code are left alone.",
    why: "The word may look right, but searches miss it, spell checkers reject it and screen readers spell it out. A word that changes script halfway cannot be read at all.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Море\n\nВода в мoре солёная, и пить её нельзя.\n",
            passes: "# Море\n\nВода в море солёная, и SQL-запрос об этом не знает.\n",
            fixed: Some("# Море\n\nВода в море солёная, и пить её нельзя.\n"),
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "The systеm boils water and makes steam.", "sections": []}"#,
            passes: r#"{"intro": "The system heats Δx of water at 5 kΩ.", "sections": []}"#,
            fixed: Some(r#"{"intro": "The system boils water and makes steam.", "sections": []}"#),
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    if document.texts().iter().all(|field| field.text.is_ascii()) {
        return;
    }
    let mut context = None;
    for field in prose_fields(document) {
        for prose in &field.markdown().prose {
            let text = field.text.get(prose.clone()).unwrap_or_default();
            if !may_be_mixed(text) {
                continue;
            }
            mixed_words(text, |word| {
                let Some(context) = context.get_or_insert_with(|| Context::of(document)) else {
                    return;
                };
                let Some(meant) = meant(text, &word, context) else {
                    return;
                };
                let at = prose.start + word.range.start..prose.start + word.range.end;
                let finding = sink.in_text(field, at.clone(), message(&word, meant));
                let is_mentioned = is_quoted(&field.text, &at);
                if let Some((wanted, is_safe)) = repair(&word, meant, &context.vocabulary) {
                    let edits = replacements(word.text, wanted)
                        .map(|(offset, old, new)| {
                            let start = at.start + offset;
                            document.edit(
                                field,
                                start..start + old.len_utf8(),
                                new.encode_utf8(&mut [0; 4]),
                            )
                        })
                        .collect();
                    finding.fix(if is_safe && !is_mentioned {
                        Fix::safe(edits)
                    } else {
                        Fix::proposed(edits)
                    });
                }
            });
        }
    }
}

/// Whether a text has letters other than Latin ones. The bytes are those that
/// letters from Greek on start with; `E2` is punctuation and symbols.
fn may_be_mixed(text: &str) -> bool {
    let starts_letter = |byte: u8| matches!(byte, 0xCD..=0xE1 | 0xE3..=0xED);
    text.bytes().any(starts_letter)
}

/// What the whole document says about a word of it.
struct Context {
    home: HomeScript,
    /// Letters beyond the Russian ones that its Cyrillic words have: `і`, `ј`, `ї`.
    letters: HashSet<char>,
    /// Its words, in lower case.
    vocabulary: HashSet<String>,
    /// Whether it writes quantities with an index: `Tпл`, `Qпл`.
    has_quantities: bool,
}

impl Context {
    fn of(document: &Document) -> Option<Self> {
        let home = HomeScript::of(document)?;
        let mut letters = HashSet::new();
        for (field, range) in prose_of(document) {
            let text = field.text.get(range).unwrap_or_default();
            for word in text.split(|c: char| !c.is_alphabetic()) {
                let is_other = |c: char| script(c) == Script::Cyrillic && !is_russian(c);
                if word.contains(is_other) && word.chars().all(|c| script(c) == Script::Cyrillic) {
                    letters.extend(word.chars().filter(|c| is_other(*c)).flat_map(char::to_lowercase));
                }
            }
        }
        let vocabulary = vocabulary_of(document);
        let has_quantities = quantities::are_used(document, &vocabulary);
        Some(Self {
            home,
            letters,
            vocabulary,
            has_quantities,
        })
    }

    /// The look-alike of a letter, if the document's language has it: Russian has
    /// no `і`, `ѕ` and `ј`, so that a Russian word with a Latin `s` is none.
    fn twin(&self, c: char, wanted: Script) -> Option<char> {
        look_alike(c, wanted).filter(|twin| {
            wanted != Script::Cyrillic
                || is_russian(*twin)
                || twin.to_lowercase().any(|small| self.letters.contains(&small))
        })
    }
}

fn is_russian(c: char) -> bool {
    matches!(c, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё')
}

/// What a word was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// All its letters belong to this script.
    Certain(Script),
    /// They may belong to this script.
    Likely(Script),
    /// They belong to one of these.
    Either(Script, Script),
    /// Unknown.
    Unknown(Script, Script),
}

/// The decision table at the top; `None` where there is nothing to report.
fn meant(text: &str, word: &MixedWord<'_>, context: &Context) -> Option<Meant> {
    let [a, b] = word.scripts?;
    let home = &context.home;
    if mixtures::is_good(word, home) || quantities::is_quantity(text, word, context) {
        return None;
    }
    let unknown = || {
        let is_reported_elsewhere = home.is_settled() && (home.is_foreign(a) || home.is_foreign(b));
        (!is_reported_elsewhere
            && mixtures::is_hybrid(word, home)
            && !mixtures::is_identifier(text, &word.range))
        .then_some(Meant::Unknown(a, b))
    };
    let alphabets = [Script::Latin, Script::Cyrillic, Script::Greek];
    if !alphabets.contains(&a) || !alphabets.contains(&b) {
        return unknown();
    }
    let all_twins = |of: Script, wanted: Script| {
        let mut letters = word.letters(of);
        letters.all(|c| context.twin(c, wanted).is_some())
    };
    match (all_twins(a, b), all_twins(b, a)) {
        // In Greek only the certain ones: an α in a Latin word is a symbol.
        (true, false) => (b != Script::Greek || home.leading == b)
            .then(|| weigh(word, b, home))
            .or_else(unknown),
        (false, true) => Some(weigh(word, a, home)),
        (true, true) => Some(Meant::Either(a, b)),
        (false, false) => unknown(),
    }
}

/// How sure it is that a word that can be of one script was to be. `Gорје` would
/// lose all but its first letter: there that letter is the wrong one.
fn weigh(word: &MixedWord<'_>, wanted: Script, home: &HomeScript) -> Meant {
    let kept = word.letters(wanted).count();
    let replaced = word.letter_count() - kept;
    let is_leading = home.leading == wanted;
    let is_plausible = if is_leading {
        kept >= replaced
    } else {
        kept >= 2 * replaced
    };
    let is_numeral = wanted == Script::Latin && is_roman_numeral(&exchanged(word.text, wanted));
    if (is_plausible || is_numeral) && !word.is_preposition_before_name() {
        Meant::Certain(wanted)
    } else {
        Meant::Likely(wanted)
    }
}

fn is_roman_numeral(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| b"IVXLCDM".contains(&byte))
}

/// The script to write the word in, and whether that is safe.
fn repair(
    word: &MixedWord<'_>,
    meant: Meant,
    vocabulary: &HashSet<String>,
) -> Option<(Script, bool)> {
    let knows = |wanted: Script| vocabulary.contains(&exchanged(word.text, wanted).to_lowercase());
    match meant {
        Meant::Certain(wanted) => Some((wanted, !is_insertion(word.text, wanted, vocabulary))),
        Meant::Likely(wanted) => Some((wanted, false)),
        Meant::Either(a, b) => match (knows(a), knows(b)) {
            (true, false) => Some((a, true)),
            (false, true) => Some((b, true)),
            _ => {
                let most = |script: &Script| word.letters(*script).count();
                let likely = [b, a].into_iter().max_by_key(most)?;
                Some((likely, false))
            }
        },
        Meant::Unknown(..) => None,
    }
}

fn message(word: &MixedWord<'_>, meant: Meant) -> String {
    let text = word.text;
    match meant {
        Meant::Certain(wanted) | Meant::Likely(wanted) => {
            let wrong: Vec<String> = replacements(text, wanted)
                .map(|(_, old, _)| format!("“{old}” ({})", script(old).name()))
                .collect();
            format!(
                "“{text}” is a {} word with {}",
                wanted.name(),
                wrong.join(", ")
            )
        }
        Meant::Either(a, b) => format!(
            "“{text}” mixes {} and {} letters that look alike; use one script",
            a.name(),
            b.name()
        ),
        Meant::Unknown(a, b) => format!(
            "“{text}” mixes {} and {} letters; write the word in one script, or separate two words",
            a.name(),
            b.name()
        ),
    }
}

/// The letters to be exchanged: offset in the word, old, new.
fn replacements(word: &str, wanted: Script) -> impl Iterator<Item = (usize, char, char)> {
    word.char_indices()
        .filter(move |(_, c)| script(*c) != wanted)
        .filter_map(move |(at, c)| look_alike(c, wanted).map(|twin| (at, c, twin)))
}

/// The word with every letter in one script, as far as there are look-alikes.
fn exchanged(word: &str, wanted: Script) -> String {
    word.chars()
        .map(|c| {
            if script(c) == wanted {
                c
            } else {
                look_alike(c, wanted).unwrap_or(c)
            }
        })
        .collect()
}

/// Whether the letter was put in between rather than exchanged: without it the
/// word is one that the document knows, with its twin it is not.
fn is_insertion(word: &str, wanted: Script, vocabulary: &HashSet<String>) -> bool {
    let without: String = word.chars().filter(|c| script(*c) == wanted).collect();
    without.chars().count() > 2
        && vocabulary.contains(&without.to_lowercase())
        && !vocabulary.contains(&exchanged(word, wanted).to_lowercase())
}

fn prose_fields(document: &Document) -> impl Iterator<Item = &TextField> {
    document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
}

fn prose_of(document: &Document) -> impl Iterator<Item = (&TextField, Range<usize>)> {
    prose_fields(document).flat_map(|field| {
        field
            .markdown()
            .prose
            .iter()
            .map(move |range| (field, range.clone()))
    })
}

fn vocabulary_of(document: &Document) -> HashSet<String> {
    prose_of(document)
        .flat_map(|(field, range)| words(&field.text[range]).map(|(_, word)| word.to_lowercase()))
        .collect()
}

#[cfg(test)]
mod tests;
