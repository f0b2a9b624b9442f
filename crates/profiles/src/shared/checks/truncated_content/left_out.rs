//! Text that was left out and not merely cut: a section that says “Same as before.”, a remark
//! such as `[rest of the lesson unchanged]`, a sentence that breaks off in dots or in
//! `[truncated]`. `redraft_text::left_out` knows the words.
//!
//! | what | where |
//! |---|---|
//! | a phrase that stands for a text | all of a section or of a field that explains |
//! | a phrase that refers to another text | the same, in lessons and cards |
//! | one word in brackets | all of such a field in JSON |
//! | a remark in brackets or a comment | a paragraph of its own |
//! | a remark in brackets that ends a sentence before its end | end of a section or of such a field |
//! | dots after a sentence of some length | the same, where no other paragraph ends so |

use redraft_gate::content::{ComponentKind, TextField};
use redraft_text::left_out::{self, Remark, Stead};
use redraft_text::markdown::{Block, BlockKind};

use super::blocks::{ends_as_a_sentence, without_notes};
use super::ending::Ending;
use super::words::is_abbreviation;
use super::{Cut, Text};

/// What is said of a whole text that says nothing itself.
const STANDS_FOR: &str = "this stands for a text that was left out; write the text";

impl Text<'_> {
    /// What of the text was left out.
    pub(super) fn left_out(&self) -> Vec<Cut> {
        let field = self.field;
        if self.is_whole_text_left_out() {
            return vec![Cut::certain(0..field.text.trim_end().len(), STANDS_FOR.to_owned())];
        }
        let mut cuts = Vec::new();
        let top = top_blocks(field);
        for (at, block) in top.iter().enumerate() {
            let is_heading = |other: Option<&&Block>| {
                other.is_some_and(|other| matches!(other.kind, BlockKind::Heading { .. }))
            };
            let ends_section = at + 1 == top.len() || is_heading(top.get(at + 1));
            let begins_section = at > 0 && is_heading(top.get(at - 1));
            let is_section = begins_section && ends_section && self.is_written_in_sentences();
            if !matches!(block.kind, BlockKind::Paragraph | BlockKind::Html) {
                let last = last_paragraph(field, block).filter(|_| ends_section);
                cuts.extend(last.and_then(|last| self.broken_off(last)));
                continue;
            }
            let Some(text) = field.text.get(block.content.clone()) else {
                continue;
            };
            let range = block.content.clone();
            let is_remark = match left_out::remark(text) {
                Some(Remark::OfText) => true,
                Some(Remark::Bare) => !follows_code(&top, at),
                None => false,
            };
            if is_remark {
                cuts.push(Cut::certain(
                    range,
                    "this says that a part of the text was left out; write it".to_owned(),
                ));
            } else if is_section && left_out::stands_for_text(text).is_some() {
                cuts.push(Cut::certain(range, STANDS_FOR.to_owned()));
            } else if ends_section {
                cuts.extend(self.broken_off(block));
            }
        }
        cuts
    }

    /// A paragraph that ends in a remark or in dots in the middle of a sentence.
    fn broken_off(&self, block: &Block) -> Option<Cut> {
        let range = block.content.clone();
        let text = self.field.text.get(range.clone())?;
        match left_out::remark_at_the_end(text) {
            Some(from) => (!ends_as_a_sentence(&text[..from])).then(|| {
                Cut::certain(
                    range.start + from..range.end,
                    "the text breaks off here and says so; write the rest".to_owned(),
                )
            }),
            None => self.dots_after_a_sentence(block),
        }
    }

    /// Whether a field of JSON says only that its text is elsewhere.
    fn is_whole_text_left_out(&self) -> bool {
        if self.field.path.is_empty() {
            return false;
        }
        let text = &self.field.text;
        match left_out::stands_for_text(text) {
            Some(Stead::LeftOut) => true,
            Some(Stead::Refers) => !self.is_of_an_item(),
            None => is_one_word_in_brackets(text),
        }
    }

    pub(super) fn is_of_an_item(&self) -> bool {
        matches!(
            self.component(),
            Some(ComponentKind::Vignette | ComponentKind::Explanation | ComponentKind::Item)
        )
    }

    /// A sentence that ends in dots: a program that closes what was cut puts them there, and
    /// hardly any author does at the end of a section.
    fn dots_after_a_sentence(&self, block: &Block) -> Option<Cut> {
        const FEWEST: usize = 5;
        const FEWEST_AFTER_OTHERS: usize = 2;
        const MOST_COMMAS: usize = 2;
        let field = self.field;
        let text = field.text.get(block.content.clone())?;
        let before = without_dots(text)?;
        let plain = field
            .markdown()
            .plain_text(&field.text, block.content.clone());
        let plain = without_dots(&plain)?.to_owned();
        let language = self.language().or(Some("en"));
        let ending = Ending::of(without_notes(&plain), language)?;
        let hangs = ending.hangs().is_some();
        let last = plain.rsplit(char::is_whitespace).next().unwrap_or_default();
        let may_end_so = ending.is_farewell()
            || ending.is_title()
            || left_out::may_end_in_dots(ending.sentence)
            || is_abbreviation(&last.to_lowercase())
            || ending.sentence.matches([',', '，', '、']).count() >= MOST_COMMAS
            || self.has_other_dots(block);
        let fewest = match ending.words_before {
            0 => FEWEST,
            _ if hangs => 1,
            _ => FEWEST_AFTER_OTHERS,
        };
        let is_enough = ending.words >= fewest && before.ends_with(char::is_alphabetic);
        (is_enough && (hangs || !may_end_so)).then(|| {
            Cut::certain(
                block.content.start + before.len()..block.content.start + text.trim_end().len(),
                "the text breaks off in dots in the middle of a sentence; write the rest".to_owned(),
            )
        })
    }

    /// Whether another paragraph of the document ends in dots, so that it is a manner.
    fn has_other_dots(&self, this: &Block) -> bool {
        let texts = self.examination.document.texts();
        let fields = texts[self.beside()].iter().filter(|field| field.is_body());
        let mut others = fields.flat_map(|field| {
            let is_own = std::ptr::eq(field, self.field);
            top_blocks(field)
                .into_iter()
                .filter(move |block| !is_own || block.span != this.span)
                .filter_map(|block| field.text.get(block.content.clone()))
        });
        others.any(|text| without_dots(text).is_some())
    }
}

/// A text without the dots at its end, if it has any after a letter.
fn without_dots(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let before = text.strip_suffix("...").or_else(|| text.strip_suffix('…'))?;
    let before = before.trim_end();
    (!before.ends_with(['.', '…'])).then_some(before)
}

/// `[item]`, `<content>`: a name for what should be there.
fn is_one_word_in_brackets(text: &str) -> bool {
    const LONGEST: usize = 24;
    let text = text.trim();
    let inner = [('[', ']'), ('<', '>'), ('{', '}')]
        .iter()
        .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close));
    inner.is_some_and(|word| {
        (2..=LONGEST).contains(&word.len())
            && word
                .chars()
                .all(|c| c.is_lowercase() || matches!(c, '_' | '-'))
    })
}

/// Whether a remark may belong to the code before it.
fn follows_code(top: &[&Block], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| top.get(before));
    before.is_some_and(|block| matches!(block.kind, BlockKind::CodeBlock { .. }))
}

/// The last paragraph of a list or a quotation.
fn last_paragraph<'f>(field: &'f TextField, outer: &Block) -> Option<&'f Block> {
    let is_text = matches!(outer.kind, BlockKind::List { .. } | BlockKind::BlockQuote);
    let blocks = field.markdown().blocks.iter().rev();
    let last = blocks
        .filter(|block| !block.kind.is_container())
        .find(|block| outer.span.start <= block.span.start && block.span.end <= outer.span.end)?;
    (is_text && last.kind == BlockKind::Paragraph).then_some(last)
}

fn top_blocks(field: &TextField) -> Vec<&Block> {
    let blocks = field.markdown().blocks.iter();
    blocks.filter(|block| block.parent.is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_off_only_after_words() {
        for (text, expected) in [
            ("Heat makes the...", Some("Heat makes the")),
            ("Heat makes…\n", Some("Heat makes")),
            ("Heat....", None),
            ("Heat.", None),
        ] {
            assert_eq!(without_dots(text), expected, "{text}");
        }
    }

    #[test]
    fn one_word_in_brackets_names_what_is_missing() {
        for (text, expected) in [
            ("[item]", true),
            ("<content>", true),
            ("[section_text]", true),
            ("[1]", false),
            ("[see the map]", false),
            ("item", false),
        ] {
            assert_eq!(is_one_word_in_brackets(text), expected, "{text}");
        }
    }
}
