//! Which scripts are at home in a document, and which are foreign to it. What
//! follows from a foreign letter is the business of the checks.

use redraft_gate::content::{Document, TextRole};
use redraft_text::scripts::{Script, ScriptCounts, script};

/// The scripts that are at home in a document.
pub(super) struct HomeScript {
    pub leading: Script,
    counts: ScriptCounts,
}

/// Letters below which nothing is foreign.
const FEWEST_LETTERS: usize = 30;

impl HomeScript {
    /// `None` for a document without letters.
    pub(super) fn of(document: &Document) -> Option<Self> {
        let mut counts = ScriptCounts::default();
        for field in document
            .texts()
            .iter()
            .filter(|field| field.role != TextRole::Code)
        {
            for range in &field.markdown().prose {
                counts.add(field.text.get(range.clone()).unwrap_or_default());
            }
        }
        let leading = counts.leading()?;
        Some(Self { leading, counts })
    }

    /// Whether there are enough letters to say what is foreign.
    pub(super) fn is_settled(&self) -> bool {
        self.counts.letters() >= FEWEST_LETTERS
    }

    /// Whether the document has letters of a foreign script.
    pub(super) fn has_guests(&self) -> bool {
        self.is_settled() && self.guests().next().is_some()
    }

    /// The foreign scripts that the document has letters of.
    pub(super) fn guests(&self) -> impl Iterator<Item = Script> {
        self.counts
            .present()
            .filter(|script| self.is_foreign(*script))
    }

    /// Whether letters of a script do not belong in the document. Latin and Greek
    /// letters are terms and symbols everywhere.
    pub(super) fn is_foreign(&self, script: Script) -> bool {
        if matches!(script, Script::Common | Script::Latin | Script::Greek)
            || script == self.leading
        {
            return false;
        }
        let kin = match (self.leading, script) {
            (Script::Kana | Script::Hangul, Script::Han) => true,
            // Japanese with many characters.
            (Script::Han, Script::Kana) => {
                self.counts.of(Script::Kana) * 20 > self.counts.of(Script::Han)
            }
            _ => false,
        };
        // A text in two scripts is in both of them.
        let is_second = self.counts.of(script) * 7 > self.counts.letters();
        !kin && !is_second
    }

    /// Whether words are written without spaces.
    pub(super) fn is_unspaced(&self) -> bool {
        is_unspaced(self.leading)
    }

    /// Whether a character is part of a word of the document.
    pub(super) fn is_word(&self, c: char) -> bool {
        let script = script(c);
        script == self.leading || script == Script::Latin && c.is_alphabetic() || c.is_ascii_digit()
    }
}

/// Whether a script is written without spaces between its words.
pub(super) fn is_unspaced(script: Script) -> bool {
    matches!(
        script,
        Script::Han | Script::Kana | Script::Thai | Script::Lao | Script::Khmer | Script::Burmese
    )
}
