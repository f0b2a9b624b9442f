//! Tier one for the sentences that an edit puts into a component. In the middle of a component the
//! checks of whole texts see no framing and no refusal, because those stand at a text's beginning
//! or end; in the sentences of the edit alone they do.
//!
//! | objection | unless |
//! |---|---|
//! | a refusal, an introduction of the answer, an offer of help | the old sentences in its place have one |
//! | a note about the edit | the same |
//! | characters that nobody sees | the text before had as many |

use redraft_text::edit_notes::edit_notes;
use redraft_text::framing;
use redraft_text::language::Language;

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

/// How many characters nobody sees: marks without a width where no script needs them, and the
/// letters of tags, which can spell out an order. A flag may end in such letters.
fn unseen(text: &str) -> usize {
    const FLAG: char = '\u{1f3f4}';
    let mut is_flag = false;
    let mut before = ' ';
    text.chars()
        .filter(|c| {
            let is_tag = matches!(c, '\u{e0000}'..='\u{e007f}');
            is_flag = *c == FLAG || is_flag && is_tag;
            // Between letters of Persian or Hindi, and in emoji, joiners mean something.
            let is_joiner = matches!(c, '\u{200c}' | '\u{200d}') && before.is_ascii();
            before = *c;
            let is_mark = matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{e0100}'..='\u{e01ef}');
            is_mark || is_joiner || is_tag && !is_flag
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
            "The bubbles are water vapour.\u{e0067}\u{e0069}\u{e0076}\u{e0065}",
        ] {
            assert!(objects_to(sentence), "{sentence}");
        }
        for sentence in [
            "The bubbles are water vapour.",
            "The bubbles are water vapour (steam that has not cooled).",
            "The bubbles are steam: 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} water.",
            "می‌روم.",
            "",
        ] {
            assert!(!objects_to(sentence), "{sentence}");
        }
    }
}
