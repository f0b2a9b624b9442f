//! Finding words with letters of more than one script, and their parts.

use std::ops::Range;

use redraft_text::scripts::{Script, script};

use crate::shared::home_script::is_unspaced;

/// A word with letters of several scripts.
pub(super) struct MixedWord<'a> {
    pub text: &'a str,
    /// Where it is in the text that was searched.
    pub range: Range<usize>,
    /// The two scripts, in the order of the alphabet table; `None` if there are more.
    pub scripts: Option<[Script; 2]>,
    /// Its parts in one script each.
    pub parts: Vec<ScriptRun<'a>>,
}

/// Letters of one script in a row.
pub(super) struct ScriptRun<'a> {
    pub script: Script,
    pub text: &'a str,
}

impl ScriptRun<'_> {
    pub(super) fn letters(&self) -> usize {
        self.text.chars().filter(|c| !is_joined(*c)).count()
    }

    pub(super) fn is_upper(&self) -> bool {
        self.text.chars().all(|c| is_joined(c) || c.is_uppercase())
    }

    pub(super) fn is_lower(&self) -> bool {
        self.text.chars().all(|c| is_joined(c) || c.is_lowercase())
    }
}

impl MixedWord<'_> {
    pub(super) fn letters(&self, of: Script) -> impl Iterator<Item = char> {
        let chars = self.text.chars();
        chars.filter(move |c| !is_joined(*c) && mixing_script(*c) == of)
    }

    pub(super) fn letter_count(&self) -> usize {
        self.text.chars().filter(|c| !is_joined(*c)).count()
    }

    /// The parts of the word between those in scripts without spaces.
    fn between_unspaced(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        for part in &self.parts {
            let range = at..at + part.text.len();
            at = range.end;
            match ranges.last_mut() {
                _ if is_unspaced(part.script) => {}
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        ranges
    }

    /// `сServer`: one small letter that is a word of its own, before a name.
    pub(super) fn is_preposition_before_name(&self) -> bool {
        let [first, second] = self.parts.as_slice() else {
            return false;
        };
        first.letters() == 1 && first.is_lower() && second.text.starts_with(char::is_uppercase)
    }
}

/// Calls `found` for every word with letters of more than one script. Chinese,
/// Japanese and Korean count as one script here, since they are written together.
pub(super) fn mixed_words<'a>(text: &'a str, mut found: impl FnMut(MixedWord<'a>)) {
    let mut word: Option<(usize, Script)> = None;
    let mut is_mixed = false;
    let mut report = |start: usize, end: usize| {
        if end - start > LONGEST_WORD {
            return;
        }
        let word = read(text, start..end);
        if word.scripts.is_some() {
            found(word);
            return;
        }
        // A hybrid word that stands in Chinese without spaces.
        for range in word.between_unspaced() {
            let inner = read(text, start + range.start..start + range.end);
            if inner.parts.len() > 1 {
                found(inner);
            }
        }
    };
    for (at, c) in text.char_indices() {
        if is_joined(c) && word.is_some() {
            continue;
        }
        let own = mixing_script(c);
        match (word, own) {
            (Some((start, _)), Script::Common) => {
                if is_mixed {
                    report(start, at);
                }
                (word, is_mixed) = (None, false);
            }
            (None, Script::Common) => {}
            (None, own) => word = Some((at, own)),
            (Some((_, first)), own) => is_mixed |= own != first,
        }
    }
    if let Some((start, _)) = word.filter(|_| is_mixed) {
        report(start, text.len());
    }
}

/// The longest word that is looked at, in bytes.
const LONGEST_WORD: usize = 200;

fn read(text: &str, range: Range<usize>) -> MixedWord<'_> {
    let word = &text[range.clone()];
    let mut parts: Vec<ScriptRun<'_>> = Vec::new();
    let mut start = 0;
    let mut current = None;
    for (at, c) in word.char_indices().filter(|(_, c)| !is_joined(*c)) {
        let own = mixing_script(c);
        if let Some(script) = current.filter(|script| *script != own) {
            let text = &word[start..at];
            parts.push(ScriptRun { script, text });
            start = at;
        }
        current = Some(own);
    }
    if let Some(script) = current {
        let text = &word[start..];
        parts.push(ScriptRun { script, text });
    }
    let mut all: Vec<Script> = parts.iter().map(|part| part.script).collect();
    all.sort_unstable_by_key(|script| order(*script));
    all.dedup();
    MixedWord {
        text: word,
        range,
        scripts: <[Script; 2]>::try_from(all).ok(),
        parts,
    }
}

/// Latin, Cyrillic, Greek, then the others.
fn order(script: Script) -> (u8, Script) {
    let first = match script {
        Script::Latin => 0,
        Script::Cyrillic => 1,
        Script::Greek => 2,
        _ => 3,
    };
    (first, script)
}

fn mixing_script(c: char) -> Script {
    match script(c) {
        Script::Kana | Script::Hangul => Script::Han,
        own => own,
    }
}

/// Accents, joiners, the soft hyphen and the long sign of Japanese belong to the
/// letter before them.
fn is_joined(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36F}' | '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{30FC}' | '\u{64B}'..='\u{655}'
    )
}
