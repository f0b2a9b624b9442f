//! Events of a stream that differ in their words alone. Most do: what stands around
//! the words is the same in hundreds of events, and need not be read each time.
//!
//! It is read once. An event that has the same around a string of JSON says the same
//! but for that string, whatever the protocol; any other event is no such event.

use std::borrow::Cow;

use crate::json_text;

/// What stands around the words of an event, with the quotation marks.
#[derive(Debug)]
pub(super) struct Frame {
    before: String,
    behind: String,
}

impl Frame {
    /// What stands around some words that were borrowed from an event; `None` where
    /// they were not, because they had to be put together from escapes.
    pub(super) fn around(event: &str, words: &str) -> Option<Self> {
        let start = words
            .as_ptr()
            .addr()
            .checked_sub(event.as_ptr().addr())
            .filter(|start| *start < event.len())?;
        let (before, rest) = event.split_at_checked(start)?;
        let behind = rest.strip_prefix(words)?;
        (before.ends_with('"') && behind.starts_with('"')).then(|| Self {
            before: before.to_owned(),
            behind: behind.to_owned(),
        })
    }

    /// The words of another event; `None` where something else differs, too.
    pub(super) fn words<'e>(&self, event: &'e str) -> Option<Cow<'e, str>> {
        let words = event
            .strip_prefix(self.before.as_str())?
            .strip_suffix(self.behind.as_str())?;
        if json_text::first_special(words.as_bytes()).is_none() {
            return Some(Cow::Borrowed(words));
        }
        // With the quotation marks that the frame has on either side.
        let start = self.before.len().checked_sub(1)?;
        let quoted = event.get(start..start + words.len() + 2)?;
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_events_that_differ_in_the_words_are_in_the_frame() {
        let event = r#"{"a":"x","d":{"c":"word"},"f":null}"#;
        let at = event.find("word").unwrap();
        let frame = Frame::around(event, &event[at..at + 4]).unwrap();
        for (other, expected) in [
            (event, Some("word")),
            (r#"{"a":"x","d":{"c":""},"f":null}"#, Some("")),
            (
                r#"{"a":"x","d":{"c":"é \"q\" \n\u00e9"},"f":null}"#,
                Some("é \"q\" \né"),
            ),
            // Something else differs.
            (r#"{"a":"y","d":{"c":"word"},"f":null}"#, None),
            (r#"{"a":"x","d":{"c":"word"},"f":"stop"}"#, None),
            (r#"{"a":"x","d":{"c":null},"f":null}"#, None),
            // Between the two ends is more than one string, or none.
            (r#"{"a":"x","d":{"c":"one","c":"two"},"f":null}"#, None),
            (r#"{"a":"x","d":{"c":"one\"},"f":null}"#, None),
            ("{\"a\":\"x\",\"d\":{\"c\":\"o\ne\"},\"f\":null}", None),
            (r#"{"a":"x","d":{"c":"},"f":null}"#, None),
            ("", None),
        ] {
            assert_eq!(frame.words(other).as_deref(), expected, "{other}");
        }
    }

    #[test]
    fn words_from_elsewhere_have_no_frame() {
        let event = String::from(r#"{"c":"word"}"#);
        let elsewhere = String::from("word");
        assert!(Frame::around(&event, &elsewhere).is_none());
        // A part of a string is no string.
        assert!(Frame::around(&event, &event[6..8]).is_none());
    }
}
