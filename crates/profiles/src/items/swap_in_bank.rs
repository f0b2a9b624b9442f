//! Exchanges two options of a question in a bank that is not JSON.
//!
//! | format | what changes places | the key |
//! |---|---|---|
//! | GIFT, Moodle XML, QTI | the whole options, with what marks the right one | goes with its option |
//! | Aiken, tables | the texts and the feedback | names the new letter |

use redraft_banks::BankFormat;
use redraft_text::json::{Node, Quotes};

use super::read::OptionNodes;
use super::swap::{Change, Swap};

/// Whether the key is part of the option that it marks.
fn key_is_inside(format: BankFormat) -> bool {
    match format {
        BankFormat::Gift | BankFormat::MoodleXml | BankFormat::Qti => true,
        BankFormat::Aiken | BankFormat::Table => false,
    }
}

/// The changes that exchange two options and move the key.
pub(super) fn changes(swap: &Swap<'_>, format: BankFormat) -> Option<Vec<Change>> {
    let first = swap.nodes.options.get(swap.from)?;
    let second = swap.nodes.options.get(swap.to)?;
    if key_is_inside(format) {
        return whole(swap.source, first.node, second.node);
    }
    let mut changes = fields(first, second, |option| option.text)?;
    match (first.explanation, second.explanation) {
        (None, None) => {}
        _ => changes.extend(fields(first, second, |option| option.explanation)?),
    }
    changes.extend(swap.keys()?);
    Some(changes)
}

/// Options as they are written, without the white space after them.
fn whole(source: &str, first: Node<'_>, second: Node<'_>) -> Option<Vec<Change>> {
    let place = |node: Node<'_>| {
        let span = node.span();
        let text = source.get(span.clone())?.trim_end();
        Some((span.start..span.start + text.len(), text.to_owned()))
    };
    let ((first, of_first), (second, of_second)) = (place(first)?, place(second)?);
    Some(vec![(first, of_second), (second, of_first)])
}

/// Texts that are written anew at the other's place, if both need nothing around them.
fn fields<'a>(
    first: &OptionNodes<'a>,
    second: &OptionNodes<'a>,
    field: fn(&OptionNodes<'a>) -> Option<Node<'a>>,
) -> Option<Vec<Change>> {
    let (first, second) = (field(first)?.string()?, field(second)?.string()?);
    let written = |at: &Quotes, text: &str| match at {
        // A formula would need an apostrophe, and some signs quotes.
        Quotes::Foreign(writing)
            if !writing.needs_whole(text) && !text.starts_with(['=', '+', '-', '@', '\'']) =>
        {
            Some(writing.write(text))
        }
        _ => None,
    };
    let here = written(&first.quotes, &second.text)?;
    let there = written(&second.quotes, &first.text)?;
    Some(vec![
        (first.map.source_span(), here),
        (second.map.source_span(), there),
    ])
}
