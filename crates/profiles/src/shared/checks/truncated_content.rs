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
//! | a heading with nothing under it, or nothing but chat about the answer | end of the lesson |
//! | dots on a line of their own | end of the lesson |
//! | what stands for a text, a remark, dots after a sentence (`left_out`) | a section, a field, its end |
//! | a link, code or formula that is opened and never closed | end of a text |
//! | a mark of a list or quotation without words, a letter alone, half a line under a head of a table | end of the lesson |
//! | a row that stops, a head without rows (`tables`) | anywhere |
//! | a paragraph without an end that the next one finishes, in small letters (`sections`) | anywhere |
//! | a last sentence that stops at a comma, in a bracket or at a word that needs another | end of a text |
//! | the same, or half a word with a hyphen, before a heading (`sections`) | end of a section |
//! | a last sentence without punctuation, where sentences have it (`ending`) | end of the lesson, of a section in JSON |
//! | the same before a heading: only a warning | end of a section |
//! | a last item that breaks off, unlike the items before it | end of the lesson |
//!
//! | an explanation of an option, a hint … that stops at a word that needs another (`short_texts`) | its end |
//! | a text of a card without punctuation, where all of the same name have it | its end |
//!
//! Fields of cards and items need no full stop at all (ruling 50).

mod blocks;
mod ending;
mod last_line;
mod left_out;
mod sections;
mod short_texts;
mod tables;
mod words;

use std::cell::OnceCell;
use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{ComponentKind, TextField};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;
use redraft_text::framing;
use redraft_text::left_out::is_continued;
use redraft_text::json::RecoveryKind;
use redraft_text::language::Language;
use redraft_text::markdown::{Block, BlockKind};

use self::blocks::{
    ends_as_a_sentence, ends_in_something_else, has_words, names_arguments, place_of, unclosed_inline,
    without_notes,
};
use self::ending::{Ending, Unfinished, is_in_short_lines};
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
    what: "Reports content that was cut: JSON that is not closed, a last code block that is not closed, a last heading with nothing under it, a last sentence that stops in the middle, and a section that stops so before the next heading. A lesson may end in a list, a table, code, a picture or a link without any full stop. A sentence counts as cut if it stops at a comma, an open bracket or a word such as “the”, or if it has no punctuation although the sentences before it do; before a heading the latter is only a warning. A text that was left out counts, too: a section that says “Same as before.”, a remark such as “[rest of the lesson unchanged]”, a sentence that breaks off in dots. Explanations, cases and cards need no full stop, unless their own sentences and all other texts beside them have one.",
    why: "The model reached its output limit. The missing text is often the summary, the exercises or the answers, and readers cannot know that.",
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

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let text = document.source().text();
    let end = text.trim_end().len();
    // What ends with its line is spoken of at its last character, which is still a part of it.
    let last_of_line = |at: usize| {
        let before = text.get(..at).filter(|_| at < end);
        before.and_then(|before| before.char_indices().next_back())
    };
    for recovered in document.recovered() {
        match &recovered.what {
            Trouble::Json(kind @ RecoveryKind::CutOff { .. }) => {
                let at = recovered.range.start.min(end);
                let at = last_of_line(at).map_or(at, |(last, _)| last);
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
        let text = Text {
            examination,
            field,
            min_words,
            has_arguments: OnceCell::new(),
        };
        let mut cuts = text.left_out();
        let rest = text.cut().into_iter().chain(text.cut_sections());
        let is_new = |cut: &Cut, cuts: &[Cut]| {
            let overlaps = |other: &Cut| {
                other.range.start <= cut.range.end && cut.range.start <= other.range.end
            };
            !cuts.iter().any(overlaps)
        };
        for cut in rest {
            if is_new(&cut, &cuts) {
                cuts.push(cut);
            }
        }
        for cut in cuts {
            sink.in_text(field, cut.range, cut.message)
                .severity(cut.severity);
        }
    }
    let short = document.texts().iter().filter(|field| !field.is_body());
    for field in short {
        let text = Text {
            examination,
            field,
            min_words,
            has_arguments: OnceCell::new(),
        };
        let beside = || &document.texts()[text.beside()];
        let language = text.language().or(Some("en"));
        if let Some(cut) = short_texts::cut(field, beside, language) {
            sink.in_text(field, cut.range, cut.message)
                .severity(cut.severity);
        }
    }
    for field in document.texts() {
        let text = Text {
            examination,
            field,
            min_words,
            has_arguments: OnceCell::new(),
        };
        let beside = || &document.texts()[text.beside()];
        if let Some(cut) = short_texts::cut_question(field, beside, text.language().or(Some("en"))) {
            sink.in_text(field, cut.range, cut.message)
                .severity(cut.severity);
        }
    }
}

/// Dots on a line of their own after a last paragraph: what follows was left out.
fn dots_after_all(field: &TextField, block: &Block) -> Option<Cut> {
    let text = field.text.get(block.content.clone())?.trim_end();
    let (before, line) = text.rsplit_once('\n').unwrap_or(("", text));
    let is_dots = matches!(line.trim(), "..." | "…" | "[...]" | "[…]" | "(...)" | "(…)");
    let follows = !before.trim().is_empty() || block.parent.is_none() && block.span.start > 0;
    (is_dots && field.is_last && follows).then(|| {
        let start = block.content.start + text.len() - line.len();
        Cut::certain(
            start..block.content.start + text.len(),
            "the lesson ends in dots, as if more was to follow".to_owned(),
        )
    })
}

/// A last paragraph such as “Shall I continue?”: a model wrote a part of a text. An author
/// of a series writes “To be continued”, and that is no cut.
fn continued_elsewhere(field: &TextField, block: &Block) -> Option<Cut> {
    const LONGEST: usize = 120;
    let text = field.text.get(block.content.clone())?.trim_end();
    let is_said = text.len() <= LONGEST && block.parent.is_none() && is_continued(text);
    (is_said && field.is_last).then(|| {
        Cut::certain(
            block.content.start..block.content.start + text.len(),
            "the lesson ends by offering to continue".to_owned(),
        )
    })
}

/// A text that is looked at from its end.
struct Text<'a> {
    examination: &'a Examination<'a>,
    field: &'a TextField,
    min_words: usize,
    /// Whether `**` may mark an argument in it; asked once, and seldom.
    has_arguments: OnceCell<bool>,
}

/// Where and how a text was cut.
struct Cut {
    range: Range<usize>,
    message: String,
    severity: Severity,
}

impl Cut {
    fn certain(range: Range<usize>, message: String) -> Self {
        Self {
            range,
            message,
            severity: Severity::Error,
        }
    }
}

impl Text<'_> {
    fn has_arguments(&self) -> bool {
        let names = || names_arguments(&self.field.text);
        *self.has_arguments.get_or_init(names)
    }

    /// Where and how the text was cut, if it was.
    fn cut(&self) -> Option<Cut> {
        let field = self.field;
        let analysis = field.markdown();
        // What a model says after a cut does not make it whole.
        let chat = framing::closing(&field.text).map(|chat| chat.range);
        let offer = chat.clone().filter(|_| field.is_last);
        if let Some(range) = offer.filter(|range| is_continued(&field.text[range.clone()])) {
            return Some(Cut::certain(
                range,
                "the lesson ends by offering to continue".to_owned(),
            ));
        }
        let chat = chat.map(|chat| chat.start);
        let end = chat.unwrap_or(usize::MAX);
        let (index, block) = analysis.last_content_block_before(end)?;
        if block.span.end > end {
            return None;
        }
        if let Some(cut) = last_line::cut(field).filter(|_| chat.is_none()) {
            return Some(cut);
        }
        match &block.kind {
            BlockKind::CodeBlock { fence: Some(fence) }
                if unclosed_fence::is_cut(field, block, fence) =>
            {
                Some(Cut::certain(
                    fence.opening.clone(),
                    "the text ends inside this code block, which is never closed".to_owned(),
                ))
            }
            // A link may be all that a heading needs, and a sentence with a line under it is
            // no heading.
            BlockKind::Heading { text, .. }
                if field.is_last
                    && block.parent.is_none()
                    && !field.text[block.span.clone()].contains('[')
                    && !text.trim_end().ends_with(['.', '!', '。', '！']) =>
            {
                let follows = analysis
                    .blocks
                    .get(index + 1..)
                    .unwrap_or_default()
                    .iter()
                    .any(|after| after.span.start < end && shows_something(after));
                (!follows).then(|| {
                    Cut::certain(
                        block.span.clone(),
                        format!(
                            "the lesson ends with the heading “{}” and nothing under it",
                            text.trim()
                        ),
                    )
                })
            }
            BlockKind::Table { .. } => tables::cut_table(field, block),
            BlockKind::Paragraph => dots_after_all(field, block)
                .or_else(|| continued_elsewhere(field, block))
                .or_else(|| unclosed_inline(field, block, &|| self.has_arguments()))
                .or_else(|| self.cut_sentence(index, block)),
            _ => None,
        }
    }

    fn cut_sentence(&self, index: usize, block: &Block) -> Option<Cut> {
        let field = self.field;
        if ends_in_something_else(field, block) {
            return None;
        }
        // A lone item may be too short for its language to be detected.
        let language = self
            .language()
            .or_else(|| (!self.is_written_in_sentences()).then_some("en"));
        let plain = field
            .markdown()
            .plain_text(&field.text, block.content.clone());
        let ending = Ending::of(without_notes(&plain), language)?;
        if !self.is_written_in_sentences() {
            return self.cut_field(block, &ending);
        }
        let why = if is_inside(field, block, |kind| matches!(kind, BlockKind::Item { .. })) {
            self.cut_item(index, &ending)?
        } else if is_inside(field, block, |kind| matches!(kind, BlockKind::BlockQuote)) {
            // A line of verse may end in a dash.
            let is_verse = is_in_short_lines(field.text.get(block.content.clone())?);
            self.unfinished(&ending).filter(|_| !is_verse)?
        } else {
            self.cut_paragraph(block, &ending)?
        };
        Some(self.in_sentence(block, &ending, &why, Severity::Error))
    }

    fn in_sentence(&self, block: &Block, ending: &Ending<'_>, why: &str, severity: Severity) -> Cut {
        let from = place_of(&self.field.text, block, ending.sentence);
        Cut {
            range: from..block.content.end,
            message: format!("the text stops in the middle of a sentence: {why}"),
            severity,
        }
    }

    /// An explanation, a case or the text of a card needs no full stop (ruling 50),
    /// whatever the texts beside it have, so that an item has the same findings alone
    /// and in a bank. A bracket that stays open is a slip more often than a cut.
    fn cut_field(&self, block: &Block, ending: &Ending<'_>) -> Option<Cut> {
        /// Fewer words may be a title.
        const SHORTEST: usize = 4;
        const FEWEST: usize = 2;
        let Some(unfinished) = ending.unfinished() else {
            /// Where so many other texts of an item end as sentences do, one is a warning.
            const ENOUGH: usize = 3;
            if ending.words_before == 0
                && ending.words >= self.min_words
                && !ending.is_title()
                && self.is_of_an_item()
                && self.others_are_punctuated(ENOUGH)
            {
                let why = "it has no punctuation, unlike all other texts of the item";
                return Some(self.in_sentence(block, ending, why, Severity::Warning));
            }
            let tells = ending.words_before > 0 || ending.hangs().is_some() && ending.words > 3;
            let is_long = ending.words >= self.min_words;
            let stops = !ending.is_title()
                && (tells && self.others_are_punctuated(FEWEST)
                    || (is_long || ending.words >= SHORTEST) && self.is_unlike_its_namesakes());
            let why = ending.hangs().map_or_else(
                || "it has no punctuation, unlike its other sentences and texts".to_owned(),
                |hanging| describe(&hanging),
            );
            return stops.then(|| self.in_sentence(block, ending, &why, Severity::Error));
        };
        let severity = match unfinished {
            Unfinished::Open(_) if !ending.opens_near_its_end() => return None,
            Unfinished::Open(_) => Severity::Warning,
            _ if ending.words_before == 0 && ending.words < self.min_words => return None,
            _ => Severity::Error,
        };
        Some(self.in_sentence(block, ending, &describe(&unfinished), severity))
    }

    /// Where the item of the text is. In a bank only the texts of the same item count
    /// (ruling 50), and looking through all items for each would not be linear.
    fn item(&self) -> Option<Range<usize>> {
        const MOST_PARTS: usize = 32;
        let components = self.examination.document.components();
        let at = self.field.component.min(components.len().checked_sub(1)?);
        let before = components[..=at].iter().rev().take(MOST_PARTS);
        let mut items = before.filter(|component| component.kind == ComponentKind::Item);
        items.next().map(|item| item.range.clone())
    }

    /// The indexes of the texts of the same item; of all texts, where there is none.
    fn beside(&self) -> Range<usize> {
        let texts = self.examination.document.texts();
        let start = |field: &TextField| field.map.source_span().start;
        self.item().map_or(0..texts.len(), |item| {
            let at = |end: usize| texts.partition_point(|field| start(field) < end);
            at(item.start)..at(item.end).max(at(item.start))
        })
    }

    /// Whether this is a text of a card that has no punctuation, where at least two texts of
    /// the same name have it, and all of them.
    fn is_unlike_its_namesakes(&self) -> bool {
        const FEWEST: usize = 2;
        if self.component() != Some(ComponentKind::Card) {
            return false;
        }
        let name = last_segment(&self.field.path);
        let mut whole = 0_usize;
        for field in self.examination.document.texts() {
            if std::ptr::eq(field, self.field) || last_segment(&field.path) != name {
                continue;
            }
            if !ends_as_a_sentence(field.text.trim()) {
                return false;
            }
            whole += 1;
        }
        whole >= FEWEST
    }

    /// Whether every other text of an item or a set of cards ends as sentences do. Phrases
    /// of a few words need not.
    fn others_are_punctuated(&self, fewest: usize) -> bool {
        const SENTENCE: usize = 4;
        const LONG: usize = 8;
        let texts = self.examination.document.texts();
        let mut whole = 0_usize;
        for field in &texts[self.beside()] {
            if std::ptr::eq(field, self.field) {
                continue;
            }
            let text = field.text.trim();
            if ends_as_a_sentence(text) {
                whole += usize::from(has_words(text, SENTENCE));
            } else if field.is_body() && has_words(text, LONG) {
                return false;
            }
        }
        whole >= fewest
    }

    /// Whether the text is a lesson or a part of one, rather than a field of a card or
    /// an item.
    fn is_written_in_sentences(&self) -> bool {
        matches!(
            self.component(),
            None | Some(
                ComponentKind::Whole
                    | ComponentKind::Introduction
                    | ComponentKind::Section
                    | ComponentKind::Conclusion
                    | ComponentKind::Example
                    | ComponentKind::Exercise
            )
        )
    }

    fn component(&self) -> Option<ComponentKind> {
        let components = self.examination.document.components();
        components
            .get(self.field.component)
            .map(|component| component.kind)
    }

    fn language(&self) -> Option<&str> {
        self.examination.document.language().map(Language::as_str)
    }

    /// What the sentence itself tells, where it is long enough to tell anything.
    fn unfinished(&self, ending: &Ending<'_>) -> Option<String> {
        const FEWEST: usize = 3;
        let is_prose =
            ending.words >= FEWEST && (ending.words_before > 0 || ending.words >= self.min_words);
        ending
            .unfinished()
            .filter(|_| is_prose)
            .map(|unfinished| describe(&unfinished))
    }

    fn cut_paragraph(&self, block: &Block, ending: &Ending<'_>) -> Option<String> {
        /// After fewer words a name may follow ("Thank you. Anna").
        const ENOUGH_BEFORE: usize = 6;
        /// Words that people take their leave with, rather than explain.
        const FAREWELL: usize = 4;
        // A paragraph that has whole sentences is punctuated, whatever others are.
        if let Some(why) = self.unfinished(ending) {
            return Some(why);
        }
        if let Some(hanging) = ending.hangs().filter(|_| ending.words_before > 0)
            && ending.words >= self.min_words
        {
            return Some(describe(&hanging));
        }
        let source = self.field.text.get(block.content.clone())?;
        let is_farewell = ending.is_farewell()
            && (ending.words_before == 0 || ending.words <= FAREWELL || ending.hangs().is_none());
        if is_farewell
            || ending.is_label()
            || is_in_short_lines(source)
            || !self.is_prose()
        {
            return None;
        }
        let habit = self.habit(block);
        if habit == Habit::Bare
            || (ending.words_before == 0 && ending.is_answer(&self.field.text))
        {
            return None;
        }
        let without_stop = || Some("it has no punctuation".to_owned());
        let is_long = ending.words >= self.min_words && !ending.is_title();
        // Only a whole lesson is signed, not a section in a field of its own.
        let is_section = !self.field.path.is_empty() && !self.field.is_last;
        let may_be_signed = !is_section
            && (ending.words_before < ENOUGH_BEFORE || ending.follows_a_farewell());
        let follows = ending.words_before > 0 && !(ending.is_title() && may_be_signed);
        // Where there is but one paragraph, it has to be longer to count.
        let is_very_long = self.field.path.is_empty() && ending.words >= self.min_words + 2;
        if follows || (is_long && (matches!(habit, Habit::Punctuated | Habit::Mostly) || is_very_long)) {
            return without_stop();
        }
        // A section in JSON among others that are all punctuated.
        if is_section
            && habit == Habit::Punctuated
            && ending.words + 2 >= self.min_words
            && (ending.begins_a_sentence() || ending.hangs().is_some())
        {
            return without_stop();
        }
        // A short line proves something only where nothing else is to follow; in
        // JSON a lonely field may be a mere name.
        if !self.field.is_last || (habit == Habit::Unknown && !self.field.path.is_empty()) {
            return None;
        }
        if let Some(unfinished) = ending.hangs() {
            return Some(describe(&unfinished));
        }
        if ending.ends_in_part_of_a_word_of(&self.field.text) {
            return Some("it ends in the middle of a word".to_owned());
        }
        let is_sentence = ending.begins_a_sentence()
            || ending.goes_on_after_a_comma()
            || (habit != Habit::Mostly && ending.is_of_ordinary_words());
        is_sentence.then(without_stop).flatten()
    }

    /// An item needs no full stop, so that only its siblings, its own sentences
    /// or a word that needs another can tell.
    fn cut_item(&self, index: usize, ending: &Ending<'_>) -> Option<String> {
        const FEWEST: usize = 2;
        const CLAUSE: usize = 5;
        if !self.field.is_last || ending.is_farewell() {
            return None;
        }
        let siblings = self.siblings(index);
        // After `first;` and `second;` the last needs nothing.
        let is_whole = |sibling: &&str| {
            ends_as_a_sentence(sibling) && !sibling.trim_end().ends_with([';', '；', ':', '：'])
        };
        let punctuated = siblings.iter().copied().filter(is_whole).count();
        let all_are = punctuated == siblings.len();
        let most_are = punctuated > 0 && punctuated * 2 >= siblings.len();
        // Hardly any list has a single item.
        let stops = if most_are || siblings.is_empty() {
            ending.hangs()
        } else {
            ending.unfinished()
        };
        if let Some(unfinished) = stops {
            // A cloze has its gap at the end of many items.
            let language = self.language();
            let is_habit = siblings.iter().any(|sibling| {
                Ending::of(sibling, language).is_some_and(|other| other.hangs().is_some())
            });
            let is_open = matches!(unfinished, Unfinished::Open(_));
            let is_enough = is_open || ending.words >= FEWEST || punctuated > 0;
            if is_habit || is_enough {
                return (!is_habit).then(|| describe(&unfinished));
            }
        }
        let unlike_all = match siblings.as_slice() {
            [] => {
                self.items_are_punctuated(index)
                    || self.is_numbered_alone(index)
                    || (ending.words >= CLAUSE && ending.goes_on_after_a_comma())
            }
            // A stop in brackets or quotation marks may be theirs alone.
            [sibling] => {
                let is_certain = sibling
                    .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'))
                    .ends_with(['.', '!', '。', '！']);
                is_certain && (self.items_are_punctuated(index) || self.is_among_sentences(index))
            }
            _ => all_are,
        };
        let all_ask = !siblings.is_empty()
            && siblings
                .iter()
                .all(|sibling| sibling.trim_end().ends_with(['?', '？']));
        // "Enjoy" may close a list of sentences, "How" cannot.
        let is_enough = ending.words >= FEWEST || all_ask || ending.begins_a_sentence();
        if unlike_all && is_enough {
            return Some("it has no punctuation, unlike all the items before it".to_owned());
        }
        if ending.asks() && self.items_ask(index) {
            return Some("it has no question mark, unlike the other questions".to_owned());
        }
        let in_sentences = ending.words_before > 0 && !ending.is_title();
        (in_sentences && (siblings.is_empty() || most_are))
            .then(|| "it has no punctuation, unlike the sentences before it".to_owned())
    }

    /// Whether an item is the only one of a list that counts from 1, in a text
    /// of punctuated paragraphs: one says nothing.
    fn is_numbered_alone(&self, paragraph: usize) -> bool {
        let blocks = &self.field.markdown().blocks;
        let parent = |index: usize| blocks.get(index).and_then(|block| block.parent);
        let list = parent(paragraph).and_then(parent);
        let is_numbered = list.and_then(|list| blocks.get(list)).is_some_and(|list| {
            matches!(
                list.kind,
                BlockKind::List {
                    ordered: true,
                    start: 1,
                    ..
                }
            )
        });
        is_numbered && self.is_among_sentences(paragraph)
    }

    /// Whether hardly a paragraph of the text lacks its punctuation.
    fn is_among_sentences(&self, paragraph: usize) -> bool {
        let blocks = &self.field.markdown().blocks;
        blocks
            .get(paragraph)
            .is_some_and(|block| self.habit(block) == Habit::Punctuated)
    }

    /// Whether the items of this text that begin with a question word all end
    /// with a question mark.
    fn items_ask(&self, paragraph: usize) -> bool {
        const FEWEST: usize = 3;
        let language = self.language();
        let mut asked = 0;
        for text in self.items_but(paragraph) {
            if !ending::asks(text, language) {
                continue;
            }
            if !text.trim_end().ends_with(['?', '？']) {
                return false;
            }
            asked += 1;
        }
        asked >= FEWEST
    }

    /// Whether the items of the other lists end as sentences do, nearly all.
    fn items_are_punctuated(&self, paragraph: usize) -> bool {
        const FEWEST: usize = 4;
        let (mut with, mut without) = (0_usize, 0_usize);
        for text in self.items_but(paragraph) {
            if ends_as_a_sentence(text) {
                with += 1;
            } else {
                without += 1;
            }
        }
        with >= FEWEST && with >= 10 * without
    }

    /// The paragraphs in the items of this text, but for one.
    fn items_but(&self, paragraph: usize) -> impl Iterator<Item = &str> {
        let blocks = &self.field.markdown().blocks;
        blocks
            .iter()
            .enumerate()
            .filter(move |(index, block)| {
                let in_item = block
                    .parent
                    .and_then(|parent| blocks.get(parent))
                    .is_some_and(|parent| matches!(parent.kind, BlockKind::Item { .. }));
                *index != paragraph && in_item && block.kind == BlockKind::Paragraph
            })
            .filter_map(|(_, block)| self.field.text.get(block.content.clone()))
    }

    /// The texts of the items beside the one that holds a paragraph.
    fn siblings(&self, paragraph: usize) -> Vec<&str> {
        let blocks = &self.field.markdown().blocks;
        let parent = |index: usize| blocks.get(index).and_then(|block| block.parent);
        let Some(item) = parent(paragraph) else {
            return Vec::new();
        };
        let Some(list) = parent(item) else {
            return Vec::new();
        };
        let end = blocks.get(list).map_or(0, |list| list.span.end);
        let inside = blocks.iter().enumerate().skip(list + 1);
        inside
            .take_while(|(_, block)| block.span.start < end)
            .filter(|(index, block)| block.parent == Some(list) && *index != item)
            .filter_map(|(_, block)| self.field.text.get(block.span.clone()))
            .collect()
    }

    /// Whether the text is written in sentences at all: the last of a lesson, or
    /// one of its sections. A question or a solution may be a mere formula.
    fn is_prose(&self) -> bool {
        let is_section = matches!(
            self.component(),
            Some(ComponentKind::Introduction | ComponentKind::Section | ComponentKind::Conclusion)
        );
        self.field.is_last || is_section
    }

    /// How paragraphs end: those of this text and of the texts that have the same
    /// name in other parts of the document.
    fn habit(&self, last: &Block) -> Habit {
        let name = last_segment(&self.field.path);
        match self.habit_of(last, |field| last_segment(&field.path) == name) {
            // The only introduction or summary is compared with all other texts.
            Habit::Unknown => self.habit_of(last, |_| true),
            habit => habit,
        }
    }

    fn habit_of(&self, last: &Block, is_alike: impl Fn(&TextField) -> bool) -> Habit {
        const ENOUGH: usize = 40;
        let (mut with, mut without) = (0_usize, 0_usize);
        let texts = self.examination.document.texts().iter().rev();
        'texts: for field in texts.filter(|field| field.is_body() && is_alike(field)) {
            for block in field.markdown().blocks.iter().rev() {
                let is_this = std::ptr::eq(field, self.field) && block.span == last.span;
                if block.kind != BlockKind::Paragraph
                    || block.parent.is_some()
                    || is_this
                    || ends_in_something_else(field, block)
                {
                    continue;
                }
                let text = field.text.get(block.content.clone()).unwrap_or_default();
                if !has_words(text, self.min_words) {
                    continue;
                }
                if ends_as_a_sentence(text) {
                    with += 1;
                } else {
                    without += 1;
                }
                if with + without >= ENOUGH {
                    break 'texts;
                }
            }
        }
        if with < 4 * without {
            Habit::Bare
        } else if with < 12 * without {
            Habit::Mostly
        } else if with > 0 {
            Habit::Punctuated
        } else {
            Habit::Unknown
        }
    }
}

/// How the paragraphs of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// With punctuation, hardly one without.
    Punctuated,
    /// Most with punctuation.
    Mostly,
    /// Many without punctuation.
    Bare,
    /// There is only one paragraph.
    Unknown,
}

fn describe(unfinished: &Unfinished) -> String {
    match unfinished {
        Unfinished::Mark(mark) => format!("it ends with “{mark}”"),
        Unfinished::Word(word) => format!("after “{word}” something must follow"),
        Unfinished::Open(bracket) => format!("the “{bracket}” is never closed"),
    }
}

/// The field's own name: the sections of a lesson share their habits.
fn last_segment(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
