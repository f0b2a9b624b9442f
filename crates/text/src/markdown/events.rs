//! The parser's own events, for those who show a text instead of analysing it: read with
//! the same options and guards as the analysis, so that what a check found at an offset is
//! shown at that offset. The only place where the parser is visible from outside.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use super::front_matter::find_front_matter;
use super::guard::guard;
use super::line_edges::byte_order_mark;
use super::parse::{options, without_money};

/// Passes every event of a text on, in order, with its range in the text. Front matter has
/// no events. Words of an event may differ from those at its range (entities, escapes, and
/// what the guards changed): where both have the same length, those of the text are right.
pub fn for_each_event(text: &str, mut visit: impl FnMut(Event<'_>, Range<usize>)) {
    let mark = byte_order_mark(text);
    let front_matter = find_front_matter(text, mark);
    let base = front_matter.as_ref().map_or(mark, |range| range.end);
    let guarded = guard(&text[base..]);
    let source = without_money(text, guarded.source, base, front_matter);
    for (event, range) in Parser::new_ext(&source, options()).into_offset_iter() {
        visit(event, base + range.start..base + range.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_offsets_of_the_text_and_money_is_no_mathematics() {
        let text = "---\ntitle: a\n---\n\n# Water\n\nIt costs $3 and **$4**, and $x = 3$.\n";
        let mut words = Vec::new();
        for_each_event(text, |event, range| match event {
            Event::Text(_) => words.push(text[range].to_owned()),
            Event::InlineMath(_) => words.push(format!("math {}", &text[range])),
            _ => {}
        });
        let all = words.join("|");
        assert!(all.starts_with("Water|It costs "), "{all}");
        assert!(
            all.contains("math $x = 3$") && !all.contains("math $3"),
            "{all}"
        );
    }
}
