//! What no repair may add to a text (rulings 48 and 65): content that acts or hides,
//! words that address the judge, comments that silence checks. Whatever was there
//! before may stay; moving it is not adding.

use std::collections::BTreeMap;

use crate::finding::Severity;
use crate::fix::Inspected;
use crate::silence;

/// The checks whose findings a repair must not bring, whatever else it mends.
const NEVER: &[&str] = &["active-content", "bidi-control", "prompt-injection"];

/// What the text after a repair has that the text before had not, in words.
#[must_use]
pub fn added(before: &Inspected, after: &Inspected) -> Vec<String> {
    let mut added = Vec::new();
    let mut known = counts(findings(before).map(|(words, _)| words));
    for (words, message) in findings(after) {
        if !take(&mut known, words) {
            added.push(message);
        }
    }
    let mut known = counts(ignore_comments(before));
    for comment in ignore_comments(after) {
        if !take(&mut known, comment) {
            added.push("it brings an ignore comment; leave it out".to_owned());
        }
    }
    added
}

/// The words of each finding that counts, with what to say about it.
fn findings(inspected: &Inspected) -> impl Iterator<Item = (&str, String)> {
    let source = inspected.document.source();
    inspected
        .findings
        .iter()
        .filter(|finding| finding.severity > Severity::Info && NEVER.contains(&finding.check.name))
        .map(|finding| {
            let words = source.text().get(source.text_range(finding.span));
            let message = format!(
                "it brings a new fault ({}): {}",
                finding.check.name, finding.message
            );
            (words.unwrap_or_default(), message)
        })
}

fn ignore_comments(inspected: &Inspected) -> impl Iterator<Item = &str> {
    let texts = inspected.document.texts().iter();
    texts.flat_map(|field| silence::comments(&field.text))
}

fn counts<'a>(words: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for words in words {
        *counts.entry(words).or_default() += 1;
    }
    counts
}

fn take(known: &mut BTreeMap<&str, usize>, words: &str) -> bool {
    match known.get_mut(words).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::markdown_lesson;

    fn inspected(text: &str) -> Inspected {
        Inspected {
            document: markdown_lesson(text),
            findings: Vec::new(),
        }
    }

    #[test]
    fn an_ignore_comment_may_stay_or_move_but_not_come() {
        let comment = "<!-- redraft-ignore TXT003: shown -->";
        let plain = inspected("# A\n\nText.\n");
        let silenced = inspected(&format!("# A\n\n{comment}\n\nText.\n"));
        let moved = inspected(&format!("# A\n\nText.\n\n{comment}\n"));
        let twice = inspected(&format!("{comment}\n\n# A\n\n{comment}\n\nText.\n"));
        assert_eq!(added(&plain, &silenced).len(), 1);
        assert_eq!(added(&silenced, &moved), [""; 0]);
        assert_eq!(added(&silenced, &plain), [""; 0]);
        assert_eq!(added(&silenced, &twice).len(), 1);
    }
}
