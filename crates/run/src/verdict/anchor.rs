//! Looks up the quotes of a judge in the text (ruling 26).
//!
//! | the quote | result |
//! |---|---|
//! | is in a text word for word | exact |
//! | is there apart from case, spaces, marks and emphasis | normalised |
//! | has no letter or digit, and is not there | not a quote |
//! | is nowhere | unanchored |
//!
//! `location` finds the component that a judge names in words.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use redraft_gate::content::{Component, Document};

use super::Anchored;

/// A document prepared for looking up many quotes.
#[derive(Debug)]
pub struct Quotes<'d> {
    document: &'d Document,
    folded: OnceCell<Vec<Folded>>,
}

/// A place where a quote occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Whether it matches exactly.
    pub anchored: Anchored,
    /// Index of the text.
    pub text: usize,
    /// The byte range in that text.
    pub range: Range<usize>,
}

impl<'d> Quotes<'d> {
    #[must_use]
    pub fn new(document: &'d Document) -> Self {
        Self {
            document,
            folded: OnceCell::new(),
        }
    }

    /// The first occurrence of a quote in the document.
    ///
    /// # Errors
    /// If it does not occur: whether it is a quote at all.
    pub fn look_up(&self, quote: &str) -> Result<Occurrence, Anchored> {
        for (text, field) in self.document.texts().iter().enumerate() {
            if let Some(at) = field.text.find(quote) {
                return Ok(Occurrence {
                    anchored: Anchored::Exact,
                    text,
                    range: at..at + quote.len(),
                });
            }
        }
        let wanted = fold(&with_latex_restored(quote));
        if wanted.text.is_empty() {
            return Err(Anchored::NotQuoted);
        }
        let folded = self.folded.get_or_init(|| {
            let texts = self.document.texts().iter();
            texts.map(|field| fold(&field.text)).collect()
        });
        for (text, (field, folded)) in self.document.texts().iter().zip(folded).enumerate() {
            if let Some(range) = folded.find(&wanted.text, &field.text) {
                return Ok(Occurrence {
                    anchored: Anchored::Normalised,
                    text,
                    range,
                });
            }
        }
        Err(Anchored::Unanchored)
    }

    /// The document's own words at an occurrence.
    #[must_use]
    pub fn words(&self, occurrence: &Occurrence) -> Option<&'d str> {
        let field = self.document.texts().get(occurrence.text)?;
        field.text.get(occurrence.range.clone())
    }

    /// The component that contains an occurrence.
    #[must_use]
    pub fn component(&self, occurrence: &Occurrence) -> Option<&'d Component> {
        let field = self.document.texts().get(occurrence.text)?;
        Some(self.document.component_in(field, occurrence.range.clone()))
    }
}

/// Restores LaTeX commands in a quote whose backslash was not escaped in JSON (`\frac`, `\beta`,
/// `\times`, `\rho`): a form feed, backspace, tab or carriage return before a letter.
fn with_latex_restored(quote: &str) -> Cow<'_, str> {
    const EATEN: [(char, char); 4] = [('\u{c}', 'f'), ('\u{8}', 'b'), ('\t', 't'), ('\r', 'r')];
    if !quote.contains(EATEN.map(|(eaten, _)| eaten)) {
        return quote.into();
    }
    let mut restored = String::with_capacity(quote.len());
    let mut chars = quote.chars().peekable();
    while let Some(c) = chars.next() {
        let letter = EATEN.iter().find(|(eaten, _)| *eaten == c);
        let is_before_letter = chars.peek().is_some_and(char::is_ascii_lowercase);
        match letter.filter(|_| is_before_letter) {
            Some((_, letter)) => restored.extend([' ', *letter]),
            None => restored.push(c),
        }
    }
    restored.into()
}

/// A text in lower case with everything except letters and digits replaced by single spaces,
/// because models straighten quotation marks, drop emphasis and join lines.
#[derive(Debug)]
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of `text`, the first byte of its character in the original.
    from: Vec<usize>,
}

impl Folded {
    fn find(&self, wanted: &str, text: &str) -> Option<Range<usize>> {
        let at = self.text.find(wanted)?;
        let start = *self.from.get(at)?;
        let last = *self.from.get(at + wanted.len() - 1)?;
        let end = last + text.get(last..)?.chars().next()?.len_utf8();
        Some(start..end)
    }
}

pub(super) fn fold(text: &str) -> Folded {
    let mut folded = Folded {
        text: String::with_capacity(text.len()),
        from: Vec::with_capacity(text.len()),
    };
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() {
            folded.text.extend(c.to_lowercase());
        } else if !folded.text.is_empty() && !folded.text.ends_with(' ') {
            folded.text.push(' ');
        }
        folded.from.resize(folded.text.len(), at);
    }
    if folded.text.ends_with(' ') {
        folded.text.pop();
        folded.from.pop();
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folding_keeps_letters_and_digits_and_where_they_came_from() {
        for (text, expected) in [
            ("", ""),
            (" — ", ""),
            ("The *water*  takes\nheat.", "the water takes heat"),
            ("«Ёлка», 5 см³", "ёлка 5 см³"),
            ("水在100 °C沸腾。", "水在100 c沸腾"),
        ] {
            let folded = fold(text);
            assert_eq!(folded.text, expected);
            assert_eq!(folded.from.len(), folded.text.len());
        }
        let text = "Say “HOT”, *water*.";
        let range = fold(text).find("hot water", text).unwrap();
        assert_eq!(&text[range], "HOT”, *water");
    }

    proptest! {
        #[test]
        fn whatever_is_found_lies_in_the_text(text in "\\PC{0,40}", from in 0usize..40, to in 0usize..40) {
            let folded = fold(&text);
            if let Some(wanted) = folded.text.get(from..to).filter(|wanted| !wanted.is_empty()) {
                let range = folded.find(wanted, &text).unwrap();
                prop_assert!(text.get(range).is_some());
            }
        }
    }
}
