//! `placeholder-text`: text that was to be replaced and was not. The phrases are
//! in `crates/text/data/placeholders`.
//!
//! | form | example | severity |
//! |---|---|---|
//! | a whole paragraph in any brackets that names what is missing | `{topic}`, `[Image: a cell]`, `<insert example>` | error |
//! | the same in a sentence | `Dear [name], …`, `Plants need {element}.` | warning |
//! | dots and nothing else | `[...]`, `…` | error if they are a whole section, else warning |
//! | a comment that asks for text | `<!-- TODO: add exercises -->` | warning |
//! | in brackets | `[Insert text here]`, `[TODO: add image]`, `【请填写】` | error |
//! | a whole paragraph, heading or item | `Your text here`, `TBD`, `Inhalt folgt` | error |
//! | a paragraph of nothing but brackets that begin with an order | `[Insert diagram of a cell]` | error |
//! | in brackets, could be a button | `[insert image]` | warning |
//! | filler Latin | `Lorem ipsum dolor sit amet` | error |
//! | a note at the start of a paragraph | `TODO: write this` | error |
//! | a note at the end of a paragraph, or what is still to come | `Definition: TBD`, `It is so. FIXME` | warning |
//! | a number that is missing | `see Figure XX` | warning |
//! | the same word again and again, or numbered | `Option 1, Option 2, Option 3` | warning |
//! | a variable in other signs | `%TOPIC%`, `$THEMA$` | warning |
//! | a paragraph of nothing but words in curly brackets | `{worked example}` | error |
//! | the same after whom it is for | `[Teacher: insert a local example]` | error |
//! | a paragraph in brackets that names a part of a text | `[Practice problem 3]`, `(photo of a volcano)` | warning |
//! | a word that names what is missing in angle brackets | `in <year>` | warning |
//! | a note in another language | `À FAIRE : ajouter un exemple` | warning |
//! | brackets after a label, an order to put something here | `Source: [add a textbook]`, `Insert a short story here.` | warning |
//! | what sounds as if it stood for something | `[correct letter]`, `Cards 6–10 follow the same format.` | warning |

mod forms;
mod lines;
mod names;

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::framing;
use redraft_text::light_regex::{PatternList, Regex, not_in, regex};
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::phrases::PhraseList;


use crate::shared::prose::{is_inside, is_quoted, prose_blocks};

pub(super) static CHECK: Check = Check {
    code: "TXT003",
    name: "placeholder-text",
    severity: Severity::Error,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "a placeholder was left in the text",
    what: "Reports placeholders in English, Russian, German, Spanish, French, Portuguese and Chinese: in brackets (“[Insert text here]”), as a whole paragraph (“Your text here”, “TBD”), as a note (“TODO: …”), as a template’s variable (“{{section_content}}”), as dots and nothing else, and filler Latin. In a sentence, “[name]”, “{topic}” and “(insert image)” are warnings. Code, quoted words and links are left alone, and so is a sentence that merely contains such words: “Type your text here and press Enter.” is part of a lesson.",
    why: "A placeholder is a gap in the lesson, and the first thing that a reader sees.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\n[Insert text here]\n",
            passes: "# Forms\n\nThe field shows “Your text here”. Write a `TODO` list, and type your text here.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "[Вставьте текст здесь]", "sections": []}"#,
            passes: r#"{"intro": "Вода кипит при ста градусах.", "sections": []}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "phrases",
        what: "more phrases to report as placeholders anywhere in prose",
    }],
    caps: &[],
    run,
};

static LIST: PhraseList = PhraseList::new(
    "placeholders",
    &[
        "bracketed",
        "button",
        "please",
        "order",
        "insert",
        "gap",
        "hole",
        "rest",
        "note",
        "whole",
        "whole pattern",
        "heading",
        "words",
        "joining words",
        "slots",
        "slot labels",
        "slot joining words",
        "marks",
        "learner's",
        "numbered",
        "pending",
        "angle",
        "note marks",
        "lone",
        "pictures",
        "credits",
        "put",
        "put here",
        "put what",
    ],
);

/// In brackets: an order to insert something here.
static BRACKETED: LazyLock<PatternList> = LazyLock::new(|| {
    let character = not_in(r"\]\n");
    let inside = patterns("bracketed", &character);
    PatternList::new(inside.map(|inside| format!(r"^[\[【]\s*(?:{inside})\s*[\]】]$")))
});

/// In brackets: could be a placeholder or the label of a button.
static BUTTON: LazyLock<PatternList> = LazyLock::new(|| {
    let character = not_in(r"\]\n");
    let inside = patterns("button", &character);
    PatternList::new(inside.map(|inside| format!(r"^\[\s*(?:{inside})\s*\]$")))
});

/// A paragraph in brackets that begins with an order or a word for a picture: it
/// does not address a reader. In the middle of a paragraph the same may be a button.
static ORDER: LazyLock<PatternList> = LazyLock::new(|| {
    let character = not_in(r"\]>}\n");
    let please = patterns("please", "").collect::<Vec<_>>().join("|");
    PatternList::new(patterns("order", &character).map(|order| {
        format!(
            r"^[\[【<{{]{{1,2}}\s*(?:{please})?(?:{order}){character}{{0,160}}[\]】>}}]{{1,2}}\.?$"
        )
    }))
});

/// The patterns of a section in all languages, with `~` for a character inside the
/// brackets and a space for any white space.
fn patterns(section: &str, character: &str) -> impl Iterator<Item = String> {
    LIST.all(section)
        .map(move |pattern| pattern.replace('~', character).replace(' ', r"\s+"))
}

/// Filler Latin that goes on.
static FILLER: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r"(?i)\blorem\s+ipsum\s+dolor(?:\s+sit\s+amet)?").ok());

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let phrases: Vec<String> = examination
        .texts("phrases")
        .iter()
        .map(|phrase| phrase.to_lowercase())
        .collect();
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
    {
        for (index, block) in prose_blocks(field) {
            let block_text = &field.text[block.content.clone()];
            let is_heading = matches!(block.kind, BlockKind::Heading { .. });
            let severity = if (whole(block_text) && (!is_heading || is_hole(block_text)))
                || is_note(block_text)
                || is_order(field, block)
            {
                Some(Severity::Error)
            } else {
                let gap = whole_block(field, index, block);
                gap.or_else(|| is_unfinished(field, block).then_some(Severity::Warning))
            };
            if let Some(severity) = severity {
                let message = format!("“{}” is a placeholder", shortened(block_text));
                sink.in_text(field, block.content.clone(), message)
                    .severity(severity);
                continue;
            }
            look(sink, field, block, &phrases);
        }
        for (found, severity) in forms::in_markup(field) {
            let message = format!(
                "“{}” is a placeholder",
                shortened(&field.text[found.clone()])
            );
            sink.in_text(field, found, message).severity(severity);
        }
    }
}

/// Whether a whole block is a gap in the text, and how certain that is.
fn whole_block(field: &TextField, index: usize, block: &Block) -> Option<Severity> {
    let text = &field.text[block.content.clone()];
    let is_heading = matches!(block.kind, BlockKind::Heading { .. });
    let is_verbatim = field.markdown().is_verbatim(block.content.start);
    if is_verbatim || is_inside(field, block, |kind| *kind == BlockKind::BlockQuote) {
        return None;
    }
    match forms::of_block(text)? {
        forms::Gap::Dots if is_heading => None,
        // Where something was left out between two paragraphs, a person decides.
        forms::Gap::Dots if is_alone(field, index) => Some(Severity::Error),
        forms::Gap::Dots => Some(Severity::Warning),
        forms::Gap::Named => Some(Severity::Error),
    }
}

/// Whether a block says of itself that it is not finished: “Definition: TBD”,
/// “FIXME check this number”, a stray TODO at its end.
fn is_unfinished(field: &TextField, block: &Block) -> bool {
    let text = &field.text[block.content.clone()];
    let is_shown = field.markdown().is_verbatim(block.content.start)
        || is_inside(field, block, |kind| *kind == BlockKind::BlockQuote);
    let is_heading = matches!(block.kind, BlockKind::Heading { .. });
    let is_paragraph = field.role == TextRole::Body && block.kind == BlockKind::Paragraph;
    !is_shown
        && ((!is_heading && names::is_bare_order(text))
            || forms::is_pending(text)
            || forms::is_marked(text)
            || lines::is_note(text)
            || (is_paragraph && lines::is_order_to_put(text))
            || (!is_heading && !is_reference_inside(field, block) && lines::is_labelled(text))
            || forms::is_repeated(text)
            || (is_paragraph && !is_reference(field, block.content.start) && lines::is_lone(text))
            || (is_paragraph && !text.contains("__") && framing::sounds_like_gap(text)))
}

/// Whether a link begins here: `[text]` may be explained elsewhere.
fn is_reference(field: &TextField, at: usize) -> bool {
    let links = &field.markdown().links;
    let next = links.partition_point(|link| link.span.end <= at);
    links.get(next).is_some_and(|link| link.span.start <= at)
}

/// Whether a block holds a link: what stands in its brackets may be explained elsewhere.
fn is_reference_inside(field: &TextField, block: &Block) -> bool {
    let links = &field.markdown().links;
    let next = links.partition_point(|link| link.span.end <= block.content.start);
    links.get(next).is_some_and(|link| link.span.start < block.content.end)
}

/// Whether a block is all there is between two headings.
fn is_alone(field: &TextField, index: usize) -> bool {
    let blocks = &field.markdown().blocks;
    let is_top = |block: &&Block| block.parent.is_none();
    let before = blocks.get(..index).unwrap_or_default();
    let after = blocks.get(index + 1..).unwrap_or_default();
    let is_edge = |block: Option<&Block>| {
        block.is_none_or(|block| matches!(block.kind, BlockKind::Heading { .. }))
    };
    blocks.get(index).as_ref().is_some_and(is_top)
        && is_edge(before.iter().rfind(is_top))
        && is_edge(after.iter().find(is_top))
}

fn look(sink: &mut Sink<'_>, field: &TextField, block: &Block, phrases: &[String]) {
    let block_text = &field.text[block.content.clone()];
    let offset = block.content.start;
    let mut report = |found: Range<usize>, severity| {
        let range = offset + found.start..offset + found.end;
        let is_meant = field.markdown().is_verbatim(range.start)
            || is_quoted(&field.text, &range)
            || lines::is_in_quotes(block_text, found.start)
            || is_link_text(&field.text, &range);
        if !is_meant {
            let message = format!(
                "“{}” is a placeholder",
                shortened(&field.text[range.clone()])
            );
            sink.in_text(field, range, message).severity(severity);
        }
    };
    for bracketed in brackets(block_text) {
        let text = &block_text[bracketed.clone()];
        let is_file = text.contains('.') && !text.contains(char::is_whitespace);
        // "[Add file]" is a button; an order of three words hardly is.
        let is_long = text.split_whitespace().nth(2).is_some();
        let orders = is_long.then_some((&ORDER, Severity::Warning));
        let kinds = [(&BRACKETED, Severity::Error), (&BUTTON, Severity::Warning)];
        for (pattern, severity) in kinds.into_iter().chain(orders) {
            if !is_file && forms::matches(pattern, text) {
                report(bracketed.clone(), severity);
                break;
            }
        }
    }
    let mut gaps = forms::in_sentence(block_text);
    for found in framing::sounds_like_slots(block_text) {
        let is_new = gaps.iter().all(|gap| gap.end <= found.start || found.end <= gap.start);
        if is_new && !is_reference(field, offset + found.start) {
            gaps.push(found);
        }
    }
    for found in gaps {
        report(found, Severity::Warning);
    }
    if may_be_filler(block_text) {
        for found in FILLER
            .iter()
            .flat_map(|pattern| pattern.find_iter(block_text.as_bytes()))
        {
            report(found.range(), Severity::Error);
        }
    }
    if !phrases.is_empty() {
        let lower = block_text.to_lowercase();
        // Lower case may have other lengths; such a block is reported whole.
        let aligned = lower.len() == block_text.len();
        for phrase in phrases.iter().filter(|phrase| !phrase.is_empty()) {
            if let Some(at) = lower.find(phrase.as_str()) {
                let range = at..at + phrase.len();
                let whole = 0..block_text.len();
                let fits = aligned && block_text.get(range.clone()).is_some();
                report(if fits { range } else { whole }, Severity::Error);
            }
        }
    }
}

/// Text in brackets on one line, brackets included, unless it is the text of a
/// link: the patterns are slow, and most brackets are links.
fn brackets(text: &str) -> impl Iterator<Item = Range<usize>> {
    let starts = memchr::memchr2_iter(b'[', "【".as_bytes()[0], text.as_bytes());
    starts.filter_map(|start| {
        let rest = &text[start..];
        let open = ["[", "【"].into_iter().find(|open| rest.starts_with(open))?;
        let inner = start + open.len();
        let rest = &text[inner..];
        let (end, close) = rest.match_indices([']', '】', '\n', '[', '【']).next()?;
        let end = inner + end + close.len();
        (matches!(close, "]" | "】") && !is_link_text(text, &(start..end))).then_some(start..end)
    })
}

/// Saves most texts from the pattern.
fn may_be_filler(text: &str) -> bool {
    text.contains("ipsum") || text.contains("Ipsum") || text.contains("IPSUM")
}

/// `[Insert text here](…)` is a link, whatever it is called.
fn is_link_text(text: &str, range: &Range<usize>) -> bool {
    text[range.end..].starts_with(['(', '[', ':'])
}

fn whole(block: &str) -> bool {
    const LONGEST: usize = 80;
    if block.len() > LONGEST {
        return false;
    }
    let bare = block
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    // Quoted or in code: the text is about it.
    let quoted = block
        .trim_start()
        .starts_with(['"', '“', '„', '«', '\'', '`', '「', '《']);
    !quoted && LIST.all("whole").any(|phrase| phrase == bare)
}

/// Whether a heading that is a placeholder leaves a gap: “TODO”, “Placeholder” and
/// “Coming soon” may well be what a section is about.
fn is_hole(heading: &str) -> bool {
    let bare = heading
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    LIST.all("heading").any(|hole| bare.starts_with(hole))
}

/// `TODO: write this` at the start of a block; `TODO list` is a topic.
fn is_note(block: &str) -> bool {
    let bare = block.trim_start_matches(['*', '_', ' ', '(']);
    ["TODO", "FIXME", "TBD", "XXX"].iter().any(|word| {
        bare.strip_prefix(word).is_some_and(|rest| {
            let rest = rest.trim_start_matches(['*', '_', ' ', '\u{a0}', '-', '–', '—']);
            rest.starts_with([':', '：']) || forms::is_note(rest)
        })
    })
}

/// A whole block in brackets that asks for text.
fn is_order(field: &TextField, block: &Block) -> bool {
    const LONGEST: usize = 400;
    let text = field.text[block.content.clone()].trim_matches(['*', '_', ' ']);
    if text.len() > LONGEST || !text.starts_with(['[', '【', '<', '{']) {
        return false;
    }
    // A link and a button of a menu have their own markup or a short label.
    let is_verbatim = field.markdown().is_verbatim(block.content.start);
    let links = &field.markdown().links;
    let next = links.partition_point(|link| link.span.start < block.content.start);
    let is_link = links
        .get(next)
        .is_some_and(|link| link.span.start < block.content.end);
    let is_label = !text.contains(char::is_whitespace) && text.is_ascii();
    !is_verbatim
        && !is_link
        && !is_label
        && (forms::matches(&ORDER, text)
            || lines::without_addressee(text).is_some_and(|text| forms::matches(&ORDER, &text)))
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = shown.char_indices().nth(MOST) {
        shown.truncate(at);
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_a_pattern() {
        for patterns in [&BRACKETED, &BUTTON, &ORDER] {
            assert_eq!(patterns.faults(), [""; 0]);
        }
        assert!(FILLER.is_some());
    }

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        let bracketed = LIST.wrong_examples("bracketed", |_, text| forms::matches(&BRACKETED, text));
        assert_eq!(bracketed, [""; 0]);
        let order = LIST.wrong_examples("order", |_, text| forms::matches(&ORDER, text));
        assert_eq!(order, [""; 0]);
        assert_eq!(LIST.wrong_examples("whole", |_, text| whole(text)), [""; 0]);
    }

    #[test]
    fn a_note_needs_its_colon() {
        for (text, expected) in [
            ("TODO: write this", true),
            ("**TODO:** write this", true),
            ("TODO write this", true),
            ("TODO lists are useful.", false),
            ("To do this, press Enter.", false),
        ] {
            assert_eq!(is_note(text), expected, "{text}");
        }
    }
}
