//! Detects sentences and paragraphs that are cut off inside a repaired text. `own_text` handles a
//! cut at the end, and the delta judge decides whether the text makes sense.
//!
//! | cut | unless |
//! |---|---|
//! | a sentence stops at a word that needs another, or the next one begins inside it (`cut_sentences`) | the same words were there before |
//! | an old sentence has lost the full stop before it | a comma or another mark joins them, or its first word is also capitalised inside sentences |
//! | a paragraph before another one ends without punctuation | one did before, or it is short |
//! | a bracket or quotation is not closed | one was not closed before |

use redraft_text::cut_sentences::cut_sentences;
use redraft_text::language::Language;
use redraft_text::markdown::{Block, BlockKind, Markdown, analyse};
use redraft_text::sentences::sentences;
use redraft_text::words::count_words;

use super::own_text::{CLOSING, stops};

/// A line with fewer words may be a label.
const FEWEST: usize = 4;

/// The first words that show a new cut inside the text.
pub(super) fn cut_inside(old: &str, new: &str, language: Option<&Language>) -> Option<String> {
    let analysis = analyse(new);
    unfinished(old, new, &analysis, language)
        .or_else(|| run_into(old, new, language))
        .or_else(|| bare_paragraph(old, new, &analysis))
        .or_else(|| unclosed(old, new))
}

/// Words that show a cut, outside code.
fn unfinished(
    old: &str,
    new: &str,
    analysis: &Markdown,
    language: Option<&Language>,
) -> Option<String> {
    let language = language.map_or("en", Language::as_str);
    let is_code = |at: usize| analysis.code.iter().any(|range| range.contains(&at));
    let found = cut_sentences(new, language).into_iter();
    let mut found = found
        .filter(|range| !is_code(range.start) && !is_in_heading(analysis, range.start))
        .filter_map(|range| {
            let before = new.get(..range.start)?;
            let from = before.char_indices().rev().nth(30).map_or(0, |(at, _)| at);
            Some((new.get(range.clone())?, new.get(from..range.end)?))
        });
    // A word alone can occur elsewhere for a good reason; the sentence must be new.
    found
        .find(|(words, shown)| !old.contains(words) || !old.contains(shown))
        .map(|(_, shown)| shown.to_owned())
}

fn is_in_heading(analysis: &Markdown, at: usize) -> bool {
    let mut blocks = analysis.blocks.iter();
    blocks.any(|block| {
        matches!(
            block.kind,
            BlockKind::Heading { .. } | BlockKind::Table { .. }
        ) && block.span.contains(&at)
    })
}

/// A sentence that followed a full stop and now follows a word.
fn run_into(old: &str, new: &str, language: Option<&Language>) -> Option<String> {
    let ranges = sentences(old, language);
    let starts = ranges.filter(|range| stops(old.get(..range.start).unwrap_or_default()));
    for range in starts {
        let sentence = old.get(range.clone()).unwrap_or_default().trim();
        let first = sentence
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let has_capital = first.chars().next().is_some_and(char::is_uppercase);
        let has_case = first.chars().any(|c| c.is_uppercase() || c.is_lowercase());
        if count_words(sentence) < FEWEST || (has_case && !has_capital) {
            continue;
        }
        let Some(at) = new.find(sentence) else {
            continue;
        };
        let before = new.get(..at).unwrap_or_default();
        let end = before.trim_end_matches([' ', '\n']);
        let gap = before.get(end.len()..).unwrap_or_default();
        let is_bare =
            end.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '(' | '-' | '–'));
        let joins = end.ends_with([',', '，']) && !has_case;
        let is_new_block = gap.contains("\n\n") || last_line(end).starts_with('#');
        if is_bare && !joins && !is_new_block && !is_capital_anywhere(old, first, has_case) {
            let from = end.char_indices().rev().nth(30).map_or(0, |(at, _)| at);
            return end.get(from..).map(str::to_owned);
        }
    }
    None
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default().trim_start()
}

/// Whether a word is also capitalised inside a sentence: a name, or a noun in German.
fn is_capital_anywhere(text: &str, word: &str, has_case: bool) -> bool {
    has_case
        && text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let end = before.trim_end();
            end.len() < before.len()
                && end.ends_with(|c: char| c.is_alphanumeric() || c == ',')
                && !before.ends_with('\n')
        })
}

/// A paragraph that ends in a word, before another paragraph or a heading.
fn bare_paragraph(old: &str, new: &str, analysis: &Markdown) -> Option<String> {
    let before = analyse(old);
    let paragraphs = |analysis: &Markdown| -> Vec<usize> {
        let blocks = analysis.blocks.iter().enumerate();
        let top = blocks.filter(|(_, block)| is_paragraph(block));
        top.map(|(index, _)| index).collect()
    };
    let is_bare = |text: &str| {
        let end = text.trim_end().trim_end_matches(CLOSING);
        count_words(text) >= FEWEST && end.ends_with(|c: char| c.is_alphanumeric() || c == ',')
    };
    let of = |analysis: &Markdown, text: &str, index: usize| -> String {
        let block = analysis.blocks.get(index);
        let content = block.and_then(|block| text.get(block.content.clone()));
        content.unwrap_or_default().to_owned()
    };
    let earlier: Vec<String> = paragraphs(&before)
        .into_iter()
        .map(|index| of(&before, old, index))
        .collect();
    if earlier.is_empty() || earlier.iter().any(|paragraph| is_bare(paragraph)) {
        return None;
    }
    paragraphs(analysis).into_iter().find_map(|index| {
        let text = of(analysis, new, index);
        let next = analysis.blocks.get(index + 1)?;
        let goes_on = match &next.kind {
            BlockKind::Paragraph => {
                let next = new.get(next.content.clone()).unwrap_or_default();
                next.starts_with(['$', '\\', '!', '|', '<'])
            }
            BlockKind::Heading { .. } => false,
            _ => true,
        };
        let from = text.char_indices().rev().nth(40).map_or(0, |(at, _)| at);
        (is_bare(&text) && !goes_on && !earlier.contains(&text))
            .then(|| text.get(from..).unwrap_or_default().to_owned())
    })
}

fn is_paragraph(block: &Block) -> bool {
    block.kind == BlockKind::Paragraph && block.parent.is_none()
}

/// A bracket or quotation that is not closed, although all were before.
fn unclosed(old: &str, new: &str) -> Option<String> {
    const PAIRS: &[(char, char)] = &[
        ('(', ')'),
        ('（', '）'),
        ('「', '」'),
        ('《', '》'),
        ('«', '»'),
        ('“', '”'),
    ];
    let count = |text: &str, sign: char| text.chars().filter(|c| *c == sign).count();
    let open = PAIRS.iter().find(|(opens, closes)| {
        let balanced = count(old, *opens) == count(old, *closes);
        // German closes quotations with the sign that opens them in other languages.
        let is_german = *opens == '“' && new.contains('„');
        balanced && !is_german && count(new, *opens) > count(new, *closes)
    })?;
    let at = new.rfind(open.0)?;
    let rest = new.get(at..)?;
    let end = rest.char_indices().nth(40).map_or(rest.len(), |(at, _)| at);
    rest.get(..end).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "High up the pressure is lower. Therefore water boils sooner there, and potatoes take longer. Cooks in the mountains use a lid (of steel).\n\nThe lid lets nothing out. It is heavy.";

    #[test]
    fn what_breaks_off_inside_is_found_and_good_edits_are_not() {
        let cases: [(&str, &str, bool); 14] = [
            (" and potatoes take longer.", " and potatoes take lon", true),
            (
                " and potatoes take longer.",
                " and potatoes take longer than the.",
                true,
            ),
            (
                " and potatoes take longer.",
                " and pasta takes longer, because",
                true,
            ),
            ("lets nothing out. It is", "lets nothing out It is", true),
            (
                "(of steel).\n",
                "(of steel), which keeps the steam in\n",
                true,
            ),
            ("use a lid (of steel).", "use a lid (of steel.", true),
            (
                " and potatoes take longer.",
                " and pasta takes longer.",
                false,
            ),
            (
                " and potatoes take longer.",
                " and potatoes take longer!",
                false,
            ),
            ("lower. Therefore water", "lower; therefore water", false),
            ("lower. Therefore water", "lower, so water", false),
            ("(of steel).\n", "(of steel):\n\n- heavy\n- dear\n", false),
            ("(of steel).\n", "made of steel.\n", false),
            ("It is heavy.", "What is it made of? It is heavy.", false),
            ("It is heavy.", "It is heavy (and dear).", false),
        ];
        for (was, is, expected) in cases {
            assert!(OLD.contains(was), "{was}");
            let new = OLD.replace(was, is);
            let found = cut_inside(OLD, &new, None);
            assert_eq!(found.is_some(), expected, "{is}: {found:?}");
        }
        assert_eq!(cut_inside(OLD, OLD, None), None);
    }

    #[test]
    fn names_and_nouns_may_follow_a_word() {
        let old =
            "Das Wasser kocht. Kartoffeln garen langsam im Topf. Die Köche essen gern Kartoffeln.";
        let new = old.replace("kocht. Kartoffeln", "kocht und Kartoffeln");
        assert_eq!(cut_inside(old, &new, None), None);
        let chinese = "高处的气压较低。因此那里的水沸腾得更早。";
        let cut = chinese.replace("较低。", "较");
        assert!(cut_inside(chinese, &cut, None).is_some());
        let joined = chinese.replace("较低。", "较低，");
        assert_eq!(cut_inside(chinese, &joined, None), None);
    }
}
