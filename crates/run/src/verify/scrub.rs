//! Whether an edit of the self-review (`FIXED`) removes noise and nothing else.
//!
//! | a word | allowed |
//! |---|---|
//! | is new | never |
//! | differs only in look-alike letters of another alphabet | yes |
//! | is removed from talk about the answer, from reasoning or from a control token at an end | yes |
//! | is removed, and is one of a few in another alphabet than the text's and not Latin | yes |
//! | is removed from anywhere else | never |
//!
//! Punctuation and markup are not words: closing a fence or an emphasis is always allowed.

use std::ops::Range;

use redraft_text::framing;
use redraft_text::scripts::{self, Script, ScriptCounts};
use redraft_text::{words, wrappers};

use super::facts::shown;
use super::{Objection, ObjectionKind};
use redraft_gate::content::Document;

/// This many stray words may always be removed.
const STRAYS: usize = 3;

/// Checks that two texts differ only in noise.
///
/// # Errors
/// If words of content were added, removed or changed.
pub fn scrubs_only(before: &Document, after: &Document) -> Result<(), Objection> {
    let (old, new) = (before.source().text(), after.source().text());
    let noise = noise(old);
    let leading = leading(old);
    // A few stray characters are noise; many are the other language of a language lesson. Latin
    // words are names and terms in any lesson.
    let mut strays = STRAYS.max(words::count_words(old) / 50);
    let mut drop = |range: &Range<usize>, word: &str| -> Result<(), Objection> {
        if is_noise(range, &noise) {
            return Ok(());
        }
        if strays > 0 && is_foreign(word, leading) {
            strays -= 1;
            return Ok(());
        }
        Err(objection(format!(
            "the word {} was dropped or changed; only noise may be scrubbed",
            shown(word)
        )))
    };
    let mut rest = words::words(old);
    for (_, word) in words::words(new) {
        loop {
            let Some((range, candidate)) = rest.next() else {
                return Err(objection(format!(
                    "the word {} is new; only noise may be scrubbed",
                    shown(word)
                )));
            };
            if alike(candidate, word, leading) {
                break;
            }
            drop(&range, candidate)?;
        }
    }
    for (range, word) in rest {
        drop(&range, word)?;
    }
    Ok(())
}

fn objection(message: String) -> Objection {
    Objection::new(ObjectionKind::MoreThanNoise, message)
}

fn is_noise(range: &Range<usize>, noise: &[Range<usize>]) -> bool {
    let next = noise.partition_point(|noise| noise.end <= range.start);
    noise
        .get(next)
        .is_some_and(|noise| noise.start <= range.start && range.end <= noise.end)
}

fn is_foreign(word: &str, leading: Option<Script>) -> bool {
    let mut counts = ScriptCounts::default();
    counts.add(word);
    leading.is_some_and(|leading| {
        counts.letters() > 0 && counts.of(leading) == 0 && counts.of(Script::Latin) == 0
    })
}

/// Whether two words are equal apart from look-alike letters.
fn alike(old: &str, new: &str, leading: Option<Script>) -> bool {
    let fold = |c: char| {
        leading
            .and_then(|wanted| scripts::look_alike(c, wanted))
            .unwrap_or(c)
    };
    old == new
        || (old.chars().count() == new.chars().count()
            && old.chars().map(fold).eq(new.chars().map(fold)))
}

fn leading(text: &str) -> Option<Script> {
    let mut counts = ScriptCounts::default();
    counts.add(text);
    counts.leading()
}

/// Talk about the answer, reasoning and control tokens, in order and without overlaps.
fn noise(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = framing::reasoning(text, &|_| false)
        .into_iter()
        .filter(|thought| thought.certain)
        .map(|thought| thought.range)
        .collect();
    found.push(0..wrappers::leading_tokens(text));
    found.push(wrappers::trailing_tokens(text));
    found.extend(framing::opening(text).map(|chat| chat.range));
    found.extend(framing::closing(text).map(|chat| chat.range));
    found.extend(
        framing::self_reference(text)
            .into_iter()
            .map(|chat| chat.range),
    );
    found.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
