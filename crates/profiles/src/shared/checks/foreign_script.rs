//! `foreign-script`: characters of a script that does not belong in the text.
//!
//! | position | reported | fix |
//! |---|---|---|
//! | in or at a word (`wa的ter`) | yes | removed, where it is short |
//! | alone between words (`hot 的 water`) | yes, unless the text calls it a letter, a character … | removed with one space, where it is one character |
//! | a word of its own (`hot 热水 water`) | yes, unless the document names the language | none: it may carry meaning |
//! | in quotes, brackets, emphasis, tables, after a colon or an equals sign | no: the text talks about it | |
//! | letters that look like the right ones | no: `hybrid-script-word` | |
//!
//! More than a few of them are an error without a fix: the text has to be
//! rewritten (seed 001, phases 1 and 2).

use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::BlockKind;
use redraft_text::scripts::{Script, ScriptCounts, look_alike, script};

mod talk;

pub(super) static CHECK: Check = Check {
    code: "TXT031",
    name: "foreign-script",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Integrity,
    concern: Concern::Language,
    summary: "characters of an unrelated script in the text",
    what: "Reports letters of another script than the document's: a Chinese character in an English or Russian sentence, a Cyrillic letter in a Chinese one. Latin and Greek letters are allowed everywhere, and so are characters that the text talks about: in quotes, brackets, emphasis, tables or code, named as a letter or character, and in lessons about the language. `--fix` removes single characters where the text without them is certain. More than a few, spread over the text, are an error: the text has to be rewritten.",
    why: "Models slip into another language for a character or a word. A learner cannot read it, and stops trusting the rest.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\nWater bo的ils at a hundred degrees, and 是 steam rises from it.\n",
            passes: "# Water\n\nThe Chinese word for water is “水”, and the letter Д is Cyrillic. An angle α of 5 kΩ.\n",
            fixed: Some("# Water\n\nWater boils at a hundred degrees, and steam rises from it.\n"),
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "SQL — это 的 стандартный язык запросов к базам данных.", "sections": []}"#,
            passes: r#"{"intro": "SQL (Structured Query Language) — это стандартный язык.", "sections": []}"#,
            fixed: Some(
                r#"{"intro": "SQL — это стандартный язык запросов к базам данных.", "sections": []}"#,
            ),
        },
    ],
    parameters: &[Parameter {
        name: "isolated",
        what: "the most foreign characters or words that count as single slips; more are an error",
    }],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some(home) = Home::of(document) else {
        return;
    };
    let strays = strays(document, &home);
    let Some(first) = strays.first() else { return };
    let isolated = examination.count("isolated");
    let places = {
        let mut places: Vec<(usize, usize)> = strays
            .iter()
            .map(|stray| (stray.field, stray.block))
            .collect();
        places.dedup();
        places.len()
    };
    if strays.len() > isolated && (places > 1 || strays.len() > 2 * isolated) {
        let field = &document.texts()[first.field];
        let shown: Vec<String> = strays
            .iter()
            .take(5)
            .map(|stray| {
                let text = &document.texts()[stray.field].text[stray.run.clone()];
                text.chars().take(SHOWN).collect()
            })
            .collect();
        let message = format!(
            "{} characters or words of another script are spread over the text ({} …)",
            strays.len(),
            shown.join(" ")
        );
        sink.in_text(field, first.run.clone(), message)
            .severity(Severity::Error);
        return;
    }
    for stray in &strays {
        let field = &document.texts()[stray.field];
        let run: String = field.text[stray.run.clone()].chars().take(SHOWN).collect();
        let message = format!(
            "“{run}” is {} in a text that is {}",
            stray.script.name(),
            home.leading.name()
        );
        let finding = sink.in_text(field, stray.run.clone(), message);
        if let Some(removal) = &stray.removal {
            finding.fix(Fix::safe(vec![document.edit(field, removal.clone(), "")]));
        }
    }
}

/// How many characters of a foreign passage a message shows.
const SHOWN: usize = 20;

/// The scripts that are at home in a document.
struct Home {
    leading: Script,
    counts: ScriptCounts,
}

/// Letters below which no script leads.
const FEWEST_LETTERS: usize = 30;

impl Home {
    /// `None` where nothing in the document can be foreign.
    fn of(document: &Document) -> Option<Self> {
        let mut counts = ScriptCounts::default();
        for field in document
            .texts()
            .iter()
            .filter(|field| field.role != TextRole::Code)
        {
            for range in &field.markdown().prose {
                counts.add(field.text.get(range.clone()).unwrap_or_default());
            }
        }
        let leading = counts
            .leading()
            .filter(|_| counts.letters() >= FEWEST_LETTERS)?;
        let home = Self { leading, counts };
        home.has_guests().then_some(home)
    }

    fn has_guests(&self) -> bool {
        GUESTS
            .iter()
            .any(|script| self.counts.of(*script) > 0 && self.is_foreign(*script))
    }

    fn is_foreign(&self, script: Script) -> bool {
        if matches!(script, Script::Common | Script::Latin | Script::Greek)
            || script == self.leading
        {
            return false;
        }
        let kin = match (self.leading, script) {
            (Script::Kana | Script::Hangul, Script::Han) => true,
            // Japanese with many characters.
            (Script::Han, Script::Kana) => {
                self.counts.of(Script::Kana) * 20 > self.counts.of(Script::Han)
            }
            _ => false,
        };
        // A text in two scripts is in both of them.
        let is_second = self.counts.of(script) * 7 > self.counts.letters();
        !kin && !is_second
    }

    /// Whether words are written without spaces.
    fn is_unspaced(&self) -> bool {
        matches!(self.leading, Script::Han | Script::Kana | Script::Thai)
    }

    fn is_word(&self, c: char) -> bool {
        let script = script(c);
        script == self.leading || script == Script::Latin && c.is_alphabetic() || c.is_ascii_digit()
    }
}

/// Scripts that can be foreign.
const GUESTS: [Script; 11] = [
    Script::Cyrillic,
    Script::Armenian,
    Script::Hebrew,
    Script::Arabic,
    Script::Devanagari,
    Script::Thai,
    Script::Georgian,
    Script::Hangul,
    Script::Kana,
    Script::Han,
    Script::Other,
];

/// Something that does not belong.
#[derive(Debug)]
struct Stray {
    field: usize,
    block: usize,
    run: Range<usize>,
    script: Script,
    kind: Kind,
    removal: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In or at a word.
    Attached,
    /// A single character on its own.
    Single,
    Word,
    /// The text talks about it.
    Excused,
}

fn strays(document: &Document, home: &Home) -> Vec<Stray> {
    let mut found = Vec::new();
    for (index, field) in document.texts().iter().enumerate() {
        if field.role == TextRole::Code || field.text.is_ascii() {
            continue;
        }
        let markdown = field.markdown();
        let mut blocks = Blocks::new(field);
        for run in runs(field, home) {
            let Some(first) = field.text[run.clone()].chars().next() else {
                continue;
            };
            let (block, is_passage, is_table) = blocks.at(run.start, home);
            let (kind, removal) = if is_passage || markdown.is_verbatim(run.start) {
                (Kind::Excused, None)
            } else {
                classify(&field.text, &run, home, is_table)
            };
            // Twins of the right letters are another check's.
            let twins = |c: char| look_alike(c, home.leading).is_some();
            if kind == Kind::Attached && field.text[run.clone()].chars().all(twins) {
                continue;
            }
            found.push(Stray {
                field: index,
                block,
                run,
                script: script(first),
                kind,
                removal,
            });
        }
    }
    excuse_lessons_about_it(document, &mut found);
    found
}

/// A document that puts characters of a script in quotes and tables, or names
/// its language, is about them.
fn excuse_lessons_about_it(document: &Document, found: &mut Vec<Stray>) {
    for guest in GUESTS {
        let of = |kind: Kind| {
            found
                .iter()
                .filter(|stray| stray.script == guest && stray.kind == kind)
                .count()
        };
        let (excused, words, singles) = (of(Kind::Excused), of(Kind::Word), of(Kind::Single));
        let standing_alone = words + singles;
        if standing_alone == 0 {
            continue;
        }
        let attached = of(Kind::Attached);
        let is_named = talk::names_language(document.source().text(), guest);
        let is_about = excused >= 2 && excused * 2 >= attached + standing_alone
            || is_named && attached == 0 && excused + standing_alone > 2;
        let words_are_good = is_about || is_named;
        found.retain(|stray| {
            stray.script != guest
                || match stray.kind {
                    Kind::Word => !words_are_good,
                    Kind::Single => !is_about,
                    Kind::Attached | Kind::Excused => true,
                }
        });
    }
    found.retain(|stray| stray.kind != Kind::Excused);
}

/// The runs of foreign letters in the prose of a text; words that follow each
/// other are one run.
fn runs(field: &TextField, home: &Home) -> Vec<Range<usize>> {
    let mut runs: Vec<(Range<usize>, Script)> = Vec::new();
    for prose in &field.markdown().prose {
        let text = field.text.get(prose.clone()).unwrap_or_default();
        if text.is_ascii() {
            continue;
        }
        let mut between = String::new();
        for (offset, c) in text.char_indices() {
            let own = script(c);
            if own == Script::Common || !home.is_foreign(own) {
                between.push(c);
                continue;
            }
            let at = prose.start + offset;
            let end = at + c.len_utf8();
            match runs.last_mut() {
                Some((run, script))
                    if *script == own && continues(run, at, prose.start, &between) =>
                {
                    run.end = end;
                }
                _ => runs.push((at..end, own)),
            }
            between.clear();
        }
    }
    runs.into_iter().map(|(run, _)| run).collect()
}

/// Whether a letter goes on with the run before it: directly, or as the next
/// word of a phrase. Single letters with spaces between them are no phrase.
fn continues(run: &Range<usize>, at: usize, prose_start: usize, between: &str) -> bool {
    let is_first = run.start < prose_start;
    !is_first
        && (run.end == at
            || run.len() > 3 && between.len() <= 4 && !between.contains(char::is_alphanumeric))
}

fn classify(
    text: &str,
    run: &Range<usize>,
    home: &Home,
    is_table: bool,
) -> (Kind, Option<Range<usize>>) {
    let before = text[..run.start].chars().next_back();
    let after = text[run.end..].chars().next();
    let length = text[run.clone()].chars().count();
    let at_word = |c: Option<char>| c.is_some_and(|c| home.is_word(c));
    let attached = usize::from(at_word(before)) + usize::from(at_word(after));
    if talk::names_it(&text[..run.start], &text[run.end..]) {
        return (Kind::Excused, None);
    }
    if home.is_unspaced() && (attached == 0 || length > 1) {
        // Words of an alphabet may directly adjoin Chinese characters.
        let is_open =
            |c: Option<char>| at_word(c) || c.is_none_or(|c| c.is_whitespace() || is_stop(c));
        let free = is_open(before) && is_open(after) && !is_table;
        return free_standing(text, run, home, length, free);
    }
    match attached {
        2 if length <= 3 => (Kind::Attached, Some(run.clone())),
        1 if length == 1 => (Kind::Attached, Some(run.clone())),
        1 | 2 => (Kind::Attached, None),
        _ => {
            let opens = before.is_none_or(char::is_whitespace);
            let closes = after.is_none_or(|c| c.is_whitespace() || is_stop(c));
            free_standing(text, run, home, length, opens && closes && !is_table)
        }
    }
}

fn is_stop(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | ';' | '!' | '?' | '…' | '。' | '，' | '、' | '；' | '！' | '？'
    )
}

fn free_standing(
    text: &str,
    run: &Range<usize>,
    home: &Home,
    length: usize,
    free: bool,
) -> (Kind, Option<Range<usize>>) {
    if !free || talk::is_gloss(&text[..run.start], &text[run.end..]) {
        return (Kind::Excused, None);
    }
    if length > 1 {
        return (Kind::Word, None);
    }
    // It may be the article or the conjunction, in the wrong letters.
    let is_twin = text[run.clone()]
        .chars()
        .all(|c| look_alike(c, home.leading).is_some());
    (
        Kind::Single,
        (!is_twin).then(|| removal(text, run, home)).flatten(),
    )
}

/// The character and the space that came with it. `None` where nothing would be
/// left between two stops, or a line would lose its all.
fn removal(text: &str, run: &Range<usize>, home: &Home) -> Option<Range<usize>> {
    let before = &text[..run.start];
    let after = &text[run.end..];
    let space_before = before.ends_with(' ');
    let space_after = after.starts_with(' ');
    let line_starts = before.is_empty() || before.ends_with('\n');
    let line_ends = after.is_empty() || after.starts_with(['\n', '\r']);
    if line_starts && line_ends {
        return None;
    }
    let at_home = |c: Option<char>| c.is_some_and(|c| script(c) == home.leading);
    if space_before && space_after && home.is_unspaced() {
        let inner = (before.chars().nth_back(1), after.chars().nth(1));
        if at_home(inner.0) && at_home(inner.1) {
            return Some(run.start - 1..run.end + 1);
        }
    }
    if space_after {
        return Some(run.start..run.end + 1);
    }
    if space_before {
        return Some(run.start - 1..run.end);
    }
    None
}

/// Walks over the blocks of a text beside its runs.
struct Blocks<'a> {
    field: &'a TextField,
    next: usize,
    /// Start of the block that was looked at last, and whether it is a passage.
    seen: Option<(usize, bool, bool)>,
}

impl<'a> Blocks<'a> {
    fn new(field: &'a TextField) -> Self {
        Self {
            field,
            next: 0,
            seen: None,
        }
    }

    /// The block at an offset, whether it is a passage in a foreign script, and
    /// whether it is a table.
    fn at(&mut self, offset: usize, home: &Home) -> (usize, bool, bool) {
        let blocks = &self.field.markdown().blocks;
        while blocks
            .get(self.next)
            .is_some_and(|block| block.span.start <= offset)
        {
            self.next += 1;
        }
        let Some(index) = self.next.checked_sub(1) else {
            return (0, false, false);
        };
        if let Some((seen, is_passage, is_table)) = self.seen.filter(|(seen, ..)| *seen == index) {
            return (seen, is_passage, is_table);
        }
        let block = &blocks[index];
        let mut counts = ScriptCounts::default();
        counts.add(
            self.field
                .text
                .get(block.content.clone())
                .unwrap_or_default(),
        );
        let foreign: usize = GUESTS
            .iter()
            .filter(|script| home.is_foreign(**script))
            .map(|script| counts.of(*script))
            .sum();
        let is_passage = foreign > 3 && foreign * 10 > counts.letters() * 4;
        let is_table = matches!(block.kind, BlockKind::Table { .. });
        self.seen = Some((index, is_passage, is_table));
        (index, is_passage, is_table)
    }
}
