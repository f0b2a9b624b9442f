//! `hybrid-script-word`: letters of another script that look like the right
//! ones, inside a word.
//!
//! | Latin letters | Cyrillic letters | word | meant |
//! |---|---|---|---|
//! | all have a twin | some have none | `мoре` | Cyrillic |
//! | some have none | all have a twin | `systеm` | Latin |
//! | all have a twin | all have a twin | `cор` | the document's script, if it has the majority here |
//! | some have none | some have none | `SQLзапрос` | two words run together, not reported |
//!
//! Greek is looked at in the same way, but only beside three letters of another
//! script: `Δx` and `kΩ` are good.

use std::collections::HashSet;
use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::scripts::{Script, ScriptCounts, look_alike, script};
use redraft_text::words::words;

use crate::check_list::DEFAULTS;
use crate::shared::prose::is_quoted;

pub(super) static CHECK: Check = Check {
    code: "TXT032",
    name: "hybrid-script-word",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Language,
    summary: "a word mixes letters of two scripts that look alike",
    what: "Reports words in which some letters come from another script and look the same (a Latin “o” in a Russian word); scripts compared are Latin, Cyrillic and Greek. `--fix` replaces the wrong letters if each has a look-alike and the script of the word is clear. Words joined by a hyphen, an apostrophe or a digit (`SQL-запрос`, `e-mail'ом`, `х1`), abbreviations with a Russian ending, formulas and code are left alone.",
    why: "The word looks right, but searches miss it, spell checkers reject it and screen readers spell it out.",
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
    if document.source().text().is_ascii()
        && document.texts().iter().all(|field| field.text.is_ascii())
    {
        return;
    }
    let fields = || {
        document
            .texts()
            .iter()
            .filter(|field| field.role != TextRole::Code)
    };
    let mut leading = None;
    let mut vocabulary = None;
    for field in fields() {
        for prose in &field.markdown().prose {
            let text = field.text.get(prose.clone()).unwrap_or_default();
            // The bytes that Greek and Cyrillic letters start with.
            if text.is_ascii() || !text.bytes().any(|byte| matches!(byte, 0xCD..=0xD4)) {
                continue;
            }
            mixed_words(text, |range, scripts| {
                let word = &text[range.clone()];
                if word.len() > LONGEST_WORD {
                    return;
                }
                let leading = *leading.get_or_insert_with(|| leading_script(document));
                let Some(meant) = meant(word, scripts, leading) else {
                    return;
                };
                let at = prose.start + range.start..prose.start + range.end;
                let finding = sink.in_text(field, at.clone(), message(word, meant));
                let Meant::Certain(wanted) = meant else {
                    return;
                };
                let vocabulary = vocabulary.get_or_insert_with(|| vocabulary_of(document));
                if !is_quoted(&field.text, &at) && !is_insertion(word, wanted, vocabulary) {
                    let edits = replacements(word, wanted)
                        .map(|(offset, old, new)| {
                            let start = at.start + offset;
                            document.edit(
                                field,
                                start..start + old.len_utf8(),
                                new.encode_utf8(&mut [0; 4]),
                            )
                        })
                        .collect();
                    finding.fix(Fix::safe(edits));
                }
            });
        }
    }
}

/// The longest word, in bytes.
const LONGEST_WORD: usize = 120;

/// What a word was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// All its letters belong to this script.
    Certain(Script),
    /// Nobody can say.
    Unknown,
}

fn message(word: &str, meant: Meant) -> String {
    match meant {
        Meant::Certain(wanted) => {
            let wrong: Vec<String> = replacements(word, wanted)
                .map(|(_, old, _)| format!("“{old}” ({})", script(old).name()))
                .collect();
            format!(
                "“{word}” is a {} word with {}",
                wanted.name(),
                wrong.join(", ")
            )
        }
        Meant::Unknown => format!("“{word}” mixes letters of two scripts; use one script"),
    }
}

/// The letters to be exchanged: offset in the word, old, new.
fn replacements(word: &str, wanted: Script) -> impl Iterator<Item = (usize, char, char)> {
    word.char_indices()
        .filter(move |(_, c)| script(*c) != wanted)
        .filter_map(move |(at, c)| look_alike(c, wanted).map(|twin| (at, c, twin)))
}

/// Calls `found` for every run of letters with more than one of the three
/// scripts, with the letters of each: Latin, Cyrillic, Greek.
fn mixed_words(text: &str, mut found: impl FnMut(Range<usize>, Letters)) {
    let mut word: Option<usize> = None;
    let mut letters = Letters::default();
    for (at, c) in text.char_indices() {
        let counter = match script(c) {
            Script::Latin => Some(&mut letters.latin),
            Script::Cyrillic => Some(&mut letters.cyrillic),
            Script::Greek => Some(&mut letters.greek),
            // Accents belong to the letter before them.
            Script::Common if word.is_some() && matches!(c, '\u{300}'..='\u{36F}' | '\u{AD}') => {
                continue;
            }
            _ => None,
        };
        match counter {
            Some(counter) => {
                *counter += 1;
                word.get_or_insert(at);
            }
            None => {
                if let Some(start) = word.take() {
                    if letters.are_mixed() {
                        found(start..at, letters);
                    }
                    letters = Letters::default();
                }
            }
        }
    }
    if let Some(start) = word.filter(|_| letters.are_mixed()) {
        found(start..text.len(), letters);
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Letters {
    latin: usize,
    cyrillic: usize,
    greek: usize,
}

impl Letters {
    fn are_mixed(self) -> bool {
        usize::from(self.latin > 0) + usize::from(self.cyrillic > 0) + usize::from(self.greek > 0)
            > 1
    }
}

/// The decision table at the top; `None` where there is nothing to report.
fn meant(word: &str, letters: Letters, leading: Option<Script>) -> Option<Meant> {
    let (a, b) = match letters {
        Letters { greek: 0, .. } => (Script::Latin, Script::Cyrillic),
        Letters { cyrillic: 0, .. } => (Script::Latin, Script::Greek),
        Letters { latin: 0, .. } => (Script::Cyrillic, Script::Greek),
        _ => return None,
    };
    let count = |wanted: Script| match wanted {
        Script::Latin => letters.latin,
        Script::Cyrillic => letters.cyrillic,
        _ => letters.greek,
    };
    if b == Script::Greek && count(a).max(count(b)) < 3 {
        return None;
    }
    let all_twins = |of: Script, wanted: Script| {
        word.chars().filter(|c| script(*c) == of).all(|c| {
            look_alike(c, wanted).is_some_and(|twin| wanted != Script::Cyrillic || is_russian(twin))
        })
    };
    if ran_together(word, a, b) {
        return None;
    }
    match (all_twins(a, b), all_twins(b, a)) {
        // In Greek only the certain ones: an α in a Latin word is a symbol.
        (true, false) => {
            Some(Meant::Certain(b)).filter(|_| b != Script::Greek || leading == Some(b))
        }
        (false, true) => (leading != Some(b) || !is_suffix(word, b)).then_some(Meant::Certain(a)),
        (true, true) => {
            let most = if count(a) > count(b) { a } else { b };
            let is_clear = count(a) != count(b) && count(a) + count(b) > 2 && leading == Some(most);
            Some(if is_clear {
                Meant::Certain(most)
            } else {
                Meant::Unknown
            })
        }
        (false, false) => (b == Script::Cyrillic && changes(word) > 1).then_some(Meant::Unknown),
    }
}

/// `І`, `Ѕ` and `Ј` look like Latin letters, but Russian does not have them: a
/// word with a Latin `S` is not Russian in disguise.
fn is_russian(c: char) -> bool {
    matches!(c, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё')
}

/// How often the script changes within a word.
fn changes(word: &str) -> usize {
    let mut scripts = word
        .chars()
        .map(script)
        .filter(|found| *found != Script::Common);
    let Some(mut before) = scripts.next() else {
        return 0;
    };
    scripts.fold(0, |changes, next| {
        let changed = next != before;
        before = next;
        changes + usize::from(changed)
    })
}

/// `COMпорт`, `SQLзапрос`, `кодJava`: two words, or an abbreviation and a word.
fn ran_together(word: &str, a: Script, b: Script) -> bool {
    if changes(word) != 1 {
        return false;
    }
    let letters = |of: Script| word.chars().filter(move |c| script(*c) == of);
    let is_abbreviation = |of: Script| letters(of).count() > 1 && letters(of).all(char::is_uppercase);
    let has_small = |of: Script| letters(of).any(char::is_lowercase);
    is_abbreviation(a) && has_small(b) || is_abbreviation(b) && has_small(a)
}

/// `Pythonа`: a Latin name with a Russian ending.
fn is_suffix(word: &str, of: Script) -> bool {
    changes(word) == 1 && word.chars().next_back().is_some_and(|c| script(c) == of)
}

fn leading_script(document: &Document) -> Option<Script> {
    let mut counts = ScriptCounts::default();
    for (field, range) in prose_of(document) {
        counts.add(field.text.get(range).unwrap_or_default());
    }
    counts.leading()
}

fn prose_of(document: &Document) -> impl Iterator<Item = (&TextField, Range<usize>)> {
    document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
        .flat_map(|field| {
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

/// Whether the letter was put in between rather than exchanged: without it the
/// word is one that the document knows, with its twin it is not.
fn is_insertion(word: &str, wanted: Script, vocabulary: &HashSet<String>) -> bool {
    let without: String = word.chars().filter(|c| script(*c) == wanted).collect();
    let exchanged: String = word
        .chars()
        .map(|c| {
            if script(c) == wanted {
                c
            } else {
                look_alike(c, wanted).unwrap_or(c)
            }
        })
        .collect();
    without.chars().count() > 2
        && vocabulary.contains(&without.to_lowercase())
        && !vocabulary.contains(&exchanged.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(text: &str, leading: Script) -> Vec<(String, Meant)> {
        let mut found = Vec::new();
        mixed_words(text, |range, letters| {
            if let Some(meant) = meant(&text[range.clone()], letters, Some(leading)) {
                found.push((text[range].to_owned(), meant));
            }
        });
        found
    }

    #[test]
    fn hybrid_words_are_told_from_words_that_belong_so() {
        let cyrillic = Some(Meant::Certain(Script::Cyrillic));
        let latin = Some(Meant::Certain(Script::Latin));
        for (text, leading, expected) in [
            ("в мoре", Script::Cyrillic, cyrillic),
            ("Bода", Script::Cyrillic, cyrillic),
            ("нa", Script::Cyrillic, cyrillic),
            ("cор", Script::Cyrillic, cyrillic),
            ("systеm", Script::Latin, latin),
            ("systеm", Script::Cyrillic, latin),
            ("caр", Script::Latin, latin),
            ("ХIХ", Script::Cyrillic, latin),
            ("Ηello", Script::Latin, latin),
            ("oс", Script::Cyrillic, Some(Meant::Unknown)),
            ("програjмма", Script::Cyrillic, Some(Meant::Unknown)),
            ("SQL-запрос", Script::Cyrillic, None),
            ("SQLзапрос", Script::Cyrillic, None),
            ("COMпорт", Script::Cyrillic, None),
            ("e-mail'ом", Script::Cyrillic, None),
            ("IT-шник", Script::Cyrillic, None),
            ("C-образный", Script::Cyrillic, None),
            ("Pythonа", Script::Cyrillic, None),
            ("х1 и x2", Script::Cyrillic, None),
            ("Δx kΩ μm αβγ ΔT λx", Script::Latin, None),
            ("Müller naïve", Script::Latin, None),
            ("ещё й", Script::Cyrillic, None),
        ] {
            let found = decide(text, leading);
            assert_eq!(
                found.first().map(|(_, meant)| *meant),
                expected,
                "{text} {found:?}"
            );
        }
    }

    #[test]
    fn a_letter_put_in_between_is_not_exchanged() {
        let vocabulary = HashSet::from(["water".to_owned()]);
        assert!(is_insertion("wаater", Script::Latin, &vocabulary));
        assert!(!is_insertion("wаter", Script::Latin, &vocabulary));
    }
}
