//! `truncated-content`: the text was cut before its end.
//!
//! A missing full stop proves nothing: good lessons end in lists, tables, code
//! and links (ruling 9). What counts as evidence:
//!
//! | evidence | where |
//! |---|---|
//! | JSON that is not closed | the file |
//! | the generator says that it hit its limit | JSON fields |
//! | a code block that is not closed and swallows nothing | end of a text |
//! | a heading with nothing under it | end of the lesson |
//! | a last sentence that stops at a comma, an open bracket or a word that needs another | end of a text |
//! | a last sentence that stops without punctuation after others that have it | end of the lesson |
//! | a last item without punctuation where all others have it | end of the lesson |

use std::ops::Range;

use redraft_core::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_core::content::TextField;
use redraft_core::finding::Severity;
use redraft_core::reading::Trouble;
use redraft_text::json::RecoveryKind;
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::words::count_words;

use super::unclosed_fence;
use crate::shared::prose::{is_inside, shows_something};

pub(super) static CHECK: Check = Check {
    code: "TXT001",
    name: "truncated-content",
    severity: Severity::Error,
    critical: true,
    mends: Mends::Never,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "the text stops before its end",
    what: "Reports content that was cut: JSON that is not closed, a last code block that is not closed, a last heading with nothing under it, a last sentence that stops in the middle. A lesson may end in a list, a table, code, a picture or a link without any full stop. A sentence counts as cut when it stops at a comma, an open bracket or a word such as “the”, or when it has no punctuation although the sentences before it do.",
    why: "The model hit its limit. What is missing is often the summary, the exercises or the answers, and no reader can know that.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\nWater boils at 100 °C. When the pressure is lower, for example on the\n",
            passes: "# Water\n\nWater boils at 100 °C. Read more:\n\n- [Steam](steam.md)\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "Water boils.", "sections": [{"title": "Heat", "content": "Heat makes wa"#,
            passes: r#"{"intro": "Water boils.", "sections": [{"title": "Heat", "content": "Heat makes water boil."}]}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "min-words",
        what: "words a last sentence must have before a missing full stop is taken for a cut",
    }],
    caps: &[],
    run,
};

/// Words after which a sentence cannot end, in the languages we read.
const NEEDS_ANOTHER: &[&str] = &[
    "the", "a", "an", "of", "and", "or", "but", "with", "from", "into", "than", "that", "which", "because", "if",
    "when", "while", "their", "its", "your", "our", "my", "is", "are", "was", "were", "be", "been", "has", "have",
    "can", "will", "would", "should", "could", "must", "may", "as", "at", "by", "for", "и", "в", "во", "на", "с",
    "со", "к", "о", "об", "от", "из", "за", "для", "по", "что", "чтобы", "который", "которая", "которое", "которые",
    "или", "но", "а", "не", "как", "при", "der", "die", "das", "des", "dem", "den", "ein", "eine", "einen", "einem",
    "einer", "und", "oder", "aber", "dass", "weil", "wenn", "mit", "von", "für", "im", "zum", "zur", "ist", "sind",
    "el", "la", "los", "las", "un", "una", "unos", "unas", "de", "del", "y", "o", "pero", "que", "porque", "si",
    "con", "en", "para", "por", "su", "sus", "es", "son", "al", "le", "les", "une", "des", "du", "et", "ou", "mais",
    "qui", "parce", "avec", "dans", "pour", "par", "sur", "est", "sont", "au", "aux", "os", "um", "uma", "do", "da",
    "dos", "das", "e", "mas", "porque", "se", "com", "em", "no", "na", "são", "não",
];

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let end = document.source().text().trim_end().len();
    for recovered in document.recovered() {
        match &recovered.what {
            Trouble::Json(kind @ RecoveryKind::CutOff { .. }) => {
                let at = recovered.range.start.min(end);
                sink.in_source(at..recovered.range.end.max(at), kind.describe().to_string());
            }
            Trouble::StoppedByLimit => {
                sink.in_source(
                    recovered.range.clone(),
                    "the generator says that it stopped because it hit its limit",
                );
            }
            _ => {}
        }
    }
    if document.is_cut_off() {
        return;
    }
    let min_words = examination.count("min-words");
    for field in document.texts().iter().filter(|field| field.is_body()) {
        if let Some((range, message)) = cut(field, min_words) {
            sink.in_text(field, range, message);
        }
    }
}

/// Where and how a text was cut, if it was.
fn cut(field: &TextField, min_words: usize) -> Option<(Range<usize>, String)> {
    let analysis = field.markdown();
    let (index, block) = analysis.last_content_block()?;
    match &block.kind {
        BlockKind::CodeBlock { fence: Some(fence) } if unclosed_fence::is_cut(field, block, fence) => Some((
            fence.opening.clone(),
            "the text ends inside this code block, which is never closed".to_owned(),
        )),
        BlockKind::Heading { text, .. } if field.is_last && block.parent.is_none() => {
            let follows = analysis.blocks[index + 1..].iter().any(shows_something);
            (!follows).then(|| {
                (
                    block.span.clone(),
                    format!("the lesson ends with the heading “{}” and nothing under it", text.trim()),
                )
            })
        }
        BlockKind::Paragraph => cut_sentence(field, block, min_words),
        _ => None,
    }
}

fn cut_sentence(field: &TextField, block: &Block, min_words: usize) -> Option<(Range<usize>, String)> {
    let text = &*field.text;
    let end = block.content.end;
    if ends_in_something_else(field, block) {
        return None;
    }
    let plain = field.markdown().plain_text(text, block.content.clone());
    let tail = plain.trim_end_matches(|c: char| c.is_whitespace() || is_closing(c));
    let last = tail.chars().next_back()?;
    if is_terminal(last) || !(last.is_alphanumeric() || is_interrupting(last)) {
        return None;
    }
    let (start_of_last, before) = last_sentence(tail);
    let sentence = &tail[start_of_last..];
    let words = count_words(sentence);
    let last_word = sentence
        .rsplit(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    let shown_from = place_of(text, block, sentence);
    let found = |why: &str| {
        Some((
            shown_from..end,
            format!("the text stops in the middle of a sentence: {why}"),
        ))
    };
    let in_list = is_inside(field, block, |kind| matches!(kind, BlockKind::Item { .. }));
    let is_prose = words >= 3 && (before || words >= min_words);
    if !in_list && is_prose {
        if is_interrupting(last) {
            return found(&format!("it ends with “{last}”"));
        }
        if NEEDS_ANOTHER.contains(&last_word.to_lowercase().as_str()) && last_word.chars().count() < tail.len() {
            return found(&format!("after “{last_word}” something must follow"));
        }
    }
    if !field.is_last {
        return None;
    }
    if in_list {
        let unlike = is_unlike_its_siblings(field, block);
        return if unlike && words >= 3 {
            found("it has no punctuation, unlike all the items before it")
        } else {
            None
        };
    }
    let in_quote = is_inside(field, block, |kind| matches!(kind, BlockKind::BlockQuote));
    let punctuates = punctuates(field, block, min_words);
    let is_cut = last.is_alphanumeric() && !in_quote && punctuates && (before || words >= min_words);
    if is_cut { found("it has no punctuation") } else { None }
}

/// A block may end in a link, code, a picture, mathematics or a footnote, which
/// need no full stop.
fn ends_in_something_else(field: &TextField, block: &Block) -> bool {
    let analysis = field.markdown();
    let end = block.content.end;
    let trimmed = field.text[..end].trim_end_matches(|c: char| is_closing(c) || matches!(c, '*' | '_' | ' ')).len();
    let touches = |span: &Range<usize>| span.end >= trimmed && span.start < end;
    let last_link = analysis.links.partition_point(|link| link.span.start < end);
    let last_note = analysis.footnotes.partition_point(|note| note.span.start < end);
    (end > 0 && analysis.is_verbatim(end - 1))
        || (trimmed > 0 && analysis.is_verbatim(trimmed - 1))
        || analysis.links[..last_link].last().is_some_and(|link| touches(&link.span))
        || analysis.footnotes[..last_note].last().is_some_and(|note| touches(&note.span))
        || field.text[..end].ends_with(['}', '|', '>', '\\', '='])
}

/// Whether the lesson's other paragraphs mostly end as sentences do.
fn punctuates(field: &TextField, last: &Block, min_words: usize) -> bool {
    const ENOUGH: usize = 40;
    let (mut with, mut without) = (0_usize, 0_usize);
    let blocks = field.markdown().blocks.iter().rev();
    for block in blocks.filter(|block| block.kind == BlockKind::Paragraph && block.parent.is_none()) {
        if block.span == last.span || ends_in_something_else(field, block) {
            continue;
        }
        let text = field.text[block.content.clone()].trim_end_matches(|c: char| is_closing(c) || matches!(c, '*' | '_'));
        if count_words(text) < min_words {
            continue;
        }
        if text.chars().next_back().is_some_and(is_terminal) {
            with += 1;
        } else {
            without += 1;
        }
        if with + without >= ENOUGH {
            break;
        }
    }
    // A text of a single paragraph has no habits; its own sentences decide.
    with >= 4 * without
}

/// Whether a last item has no punctuation while all its siblings, at least two,
/// have it.
fn is_unlike_its_siblings(field: &TextField, block: &Block) -> bool {
    let blocks = &field.markdown().blocks;
    let Some(item) = block.parent else { return false };
    let Some(list) = blocks.get(item).and_then(|item| item.parent) else {
        return false;
    };
    let siblings: Vec<&Block> = blocks
        .iter()
        .enumerate()
        .filter(|(index, other)| other.parent == Some(list) && *index != item)
        .map(|(_, other)| other)
        .collect();
    siblings.len() >= 2
        && siblings.iter().all(|sibling| {
            field.text[sibling.span.clone()]
                .trim_end_matches(|c: char| c.is_whitespace() || is_closing(c) || matches!(c, '*' | '_'))
                .chars()
                .next_back()
                .is_some_and(|c| matches!(c, '.' | '!' | '?' | '。' | '！' | '？'))
        })
}

/// The start of the last sentence, and whether others stand before it.
fn last_sentence(text: &str) -> (usize, bool) {
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !is_full_stop(c) {
            continue;
        }
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' => true,
            _ => next.is_none_or(|next| next.is_whitespace() || is_closing(next)),
        };
        if ends && next.is_some() {
            start = at + c.len_utf8();
        }
    }
    let rest = &text[start..];
    let skipped = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || is_closing(c)).len();
    (start + skipped, start > 0)
}

/// Where the last sentence begins in the source: at its first words, else at the
/// block's start.
fn place_of(text: &str, block: &Block, sentence: &str) -> usize {
    let content = &text[block.content.clone()];
    let head: String = sentence.chars().take(24).collect();
    content.rfind(&head).map_or(block.content.start, |at| block.content.start + at)
}

fn is_full_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn is_terminal(c: char) -> bool {
    is_full_stop(c) || matches!(c, ':' | ';' | '：' | '；' | '।' | '؟' | '۔' | '‽')
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '›' | '」' | '』' | '》' | '）' | '】' | '“')
}

/// Characters that promise more.
fn is_interrupting(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | '(' | '（' | '[' | '„' | '«' | '–' | '—')
}
