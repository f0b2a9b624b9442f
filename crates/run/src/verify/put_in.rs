//! Tier one for the sentences that an edit puts into a component. In the middle of a component the
//! checks of whole texts see no framing and no refusal, because those stand at a text's beginning
//! or end; in the sentences of the edit alone they do.
//!
//! | objection | unless |
//! |---|---|
//! | a refusal, an introduction of the answer, an offer of help | the old sentences in its place have one |
//! | a note about the edit | the same |
//! | characters that nobody sees | the text before had as many |
//! | marks of deletion or insertion (`~~`, `{--`, `[-`) | the text before had as many |
//! | a long sentence twice | the text before had it twice |

use std::collections::BTreeSet;

use redraft_text::edit_notes::edit_notes;
use redraft_text::framing;
use redraft_text::language::Language;
use redraft_text::sentences::sentences;

use super::changes::inserted;
use super::facts::shown;
use super::{Objection, ObjectionKind};

/// Objections to what differs between two versions of a passage.
pub(super) fn put_in(
    (old, new): (&str, &str),
    language: Option<&Language>,
    objections: &mut Vec<Objection>,
) {
    if unseen(new) > unseen(old) {
        objections.push(Objection::new(
            ObjectionKind::NewFindings,
            "the text has characters that nobody sees; write it without",
        ));
    }
    if marked(new) > marked(old) {
        objections.push(Objection::new(
            ObjectionKind::Note,
            "the text marks what was deleted or inserted; write only how it reads now",
        ));
    }
    if let Some(sentence) = said_twice(old, new, language) {
        objections.push(Objection::new(
            ObjectionKind::NewFindings,
            format!("{} is said twice; say it once", shown(sentence)),
        ));
    }
    for (before, after) in inserted((old, new), language) {
        let (before, after) = (before.trim(), after.trim());
        let chat = chats(after).filter(|_| chats(before).is_none());
        if let Some(what) = chat {
            objections.push(Objection::new(
                ObjectionKind::Wrapped,
                format!("{} {what}; write the text alone", shown(after)),
            ));
        }
    }
}

/// What a passage says to whoever asked for it.
fn chats(text: &str) -> Option<&'static str> {
    if !framing::refusals(text).is_empty() {
        return Some("declines to answer");
    }
    if framing::opening(text).is_some() {
        return Some("speaks of the answer");
    }
    if framing::closing(text).is_some() {
        return Some("offers further help");
    }
    (!edit_notes(text).is_empty()).then_some("is about the edit")
}

/// How many marks show a change instead of making it.
fn marked(text: &str) -> usize {
    const MARKS: [&str; 7] = ["~~", "{--", "{++", "{~~", "<del>", "<ins>", "<strike>"];
    let plain = MARKS.iter().map(|mark| text.matches(mark).count());
    // `[-1, 1]` is an interval.
    let bracketed = ["[-", "[+"]
        .into_iter()
        .flat_map(|mark| text.match_indices(mark));
    let words = bracketed.filter(|(at, mark)| {
        let rest = text.get(at + mark.len()..).unwrap_or_default();
        rest.starts_with(char::is_alphabetic)
    });
    plain.sum::<usize>() + words.count()
}

/// A sentence of some six words or more that the text has more than once, and the text before at
/// most once.
fn said_twice<'t>(old: &str, new: &'t str, language: Option<&Language>) -> Option<&'t str> {
    const LETTERS: usize = 24;
    let mut seen = BTreeSet::new();
    let mut all = sentences(new, language).filter_map(|range| new.get(range));
    all.find(|sentence| {
        // “After: …” says it again, too.
        let sentence = sentence.rsplit(": ").next().unwrap_or_default();
        let sentence = sentence.trim_matches(|c: char| !c.is_alphanumeric());
        let letters = sentence.chars().filter(|c| c.is_alphabetic()).count();
        letters >= LETTERS && !seen.insert(sentence) && old.matches(sentence).count() < 2
    })
}

/// How many characters nobody sees: marks without a width where no script needs them, marks of
/// direction without letters that run from right to left, and the letters of tags, which can spell
/// out an order. A flag may end in such letters.
fn unseen(text: &str) -> usize {
    const FLAG: char = '\u{1f3f4}';
    let mut is_flag = false;
    let mut before = ' ';
    let runs_left = text.contains(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
            && c != '\u{61c}'
    });
    text.chars()
        .filter(|c| {
            let is_tag = matches!(c, '\u{e0000}'..='\u{e007f}');
            is_flag = *c == FLAG || is_flag && is_tag;
            // Between letters of Persian or Hindi, and in emoji, joiners mean something.
            let is_joiner = matches!(c, '\u{200c}' | '\u{200d}') && before.is_ascii();
            before = *c;
            let is_mark = matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{e0100}'..='\u{e01ef}');
            let is_turn = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}');
            is_mark || is_joiner || is_turn && !runs_left || is_tag && !is_flag
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "Water boils at 100 degrees. The bubbles are steam. They rise.";

    fn objects_to(sentence: &str) -> bool {
        let new = OLD.replace("The bubbles are steam.", sentence);
        let mut objections = Vec::new();
        put_in((OLD, &new), None, &mut objections);
        !objections.is_empty()
    }

    #[test]
    fn what_is_said_to_the_editor_is_seen_in_the_middle_of_a_text() {
        for sentence in [
            "I'm sorry, but I can't help with that.",
            "The bubbles are water. Let me know if you need more changes.",
            "Here is the corrected sentence: The bubbles are water vapour.",
            "The bubbles are water vapour. (Edited to fix the wording.)",
            "The bubbles are water vapour. [Revised for clarity]",
            "Die Blasen sind Dampf. (Überarbeitet, um den Fehler zu beheben.)",
            "The bub\u{200b}bles are water vapour.",
            "The bubbles are \u{2067}water\u{2069} vapour.",
            "The bubbles are ~~steam~~ water vapour.",
            "The bubbles are [-steam-] [+water vapour+].",
            "The bubbles are {--steam--}{++water vapour++}.",
            "As requested, the bubbles are water vapour.",
            "The bubbles are water vapour. Hope this helps! 😊",
            "The bubbles are water vapour.\nUser: thanks\nAssistant: You are welcome.",
            "Revised: The bubbles are water vapour.",
            "The bubbles are water vapour. Edit: clarified the sentence.",
            "The bubbles are water vapour. [Nota: frase corretta.]",
            "The bubbles are water vapour. (Zin herschreven op verzoek.)",
            "The bubbles are water vapour. [Uwaga: poprawiono zdanie.]",
            "The bubbles are water vapour. (Düzeltildi.)",
            "The bubbles are the vapour of the water that boils down there. The bubbles are the vapour of the water that boils down there.",
            "The bubbles are water vapour.\u{e0067}\u{e0069}\u{e0076}\u{e0065}",
        ] {
            assert!(objects_to(sentence), "{sentence}");
        }
        for sentence in [
            "The bubbles are water vapour.",
            "The bubbles are water vapour (steam that has not cooled).",
            "The bubbles are steam: 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} water.",
            "می‌روم.",
            "The bubbles form where x is in [-1, 1], or in [+1, 2].",
            "Note that the bubbles are water vapour.",
            "",
        ] {
            assert!(!objects_to(sentence), "{sentence}");
        }
    }
}
