//! `foreign-script`: characters of a script that does not belong in the text.
//!
//! | position | reported | fix |
//! |---|---|---|
//! | in or at a word (`wa的ter`) | yes | none that is safe: models *replace* letters, so without it the word is broken |
//! | one character between spaces (`hot 的 water`) | yes, unless the text calls it a letter, a character … | removed with one space |
//! | a word of its own (`hot 热水 water`) | yes, unless the lesson is about it | none: it may carry meaning |
//! | in quotes, brackets, emphasis, tables, after a colon or an equals sign | no: the text talks about it | |
//! | letters that look like the right ones | no: `hybrid-script-word` | |
//!
//! More than a few of them are an error without a fix: the text has to be
//! rewritten (seed 001, phases 1 and 2).

use std::collections::HashSet;
use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::BlockKind;
use redraft_text::scripts::{Script, ScriptCounts, look_alike, script};
use redraft_text::words::words;

use crate::shared::home_script::HomeScript;
use crate::shared::taught_language;

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
    what: "Reports letters from a script other than the document's: a Chinese character in an English or Russian sentence, a Cyrillic letter in a Chinese one. Latin and Greek letters are allowed everywhere, and so are characters that the text talks about: in quotes, brackets, emphasis, tables or code, named as a letter or character, and in lessons about the language. `--fix` removes a single character alone between spaces. Inside or next to a word it is only reported: it usually replaces a letter that is lost, so the word has to be rewritten. More than a few, spread over the text, are an error: the text has to be rewritten.",
    why: "Models slip into another language for a character or a word. A learner cannot read it, and stops trusting the rest.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\nWater boils 的 at a hundred degrees, and the st是m rises from it.\n",
            passes: "# Water\n\nThe Chinese word for water is “水”, and the letter Д is Cyrillic. An angle α of 5 kΩ.\n",
            fixed: Some("# Water\n\nWater boils at a hundred degrees, and the st是m rises from it.\n"),
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
        what: "maximum number of foreign characters or words that count as single slips; more are an error",
    }],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some(home) = HomeScript::of(document).filter(HomeScript::has_guests) else {
        return;
    };
    let topic = taught_language::topic(examination.companions);
    let strays = strays(document, &home, &topic);
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
    let mut known = None;
    for stray in &strays {
        let field = &document.texts()[stray.field];
        let finding = sink.in_text(field, stray.run.clone(), message(field, stray, &home));
        if let Some(removal) = &stray.removal {
            finding.fix(Fix::safe(vec![document.edit(field, removal.clone(), "")]));
        } else if stray.kind == StrayKind::Attached {
            let known = known.get_or_insert_with(|| known_words(document));
            if is_insertion(&field.text, &stray.run, known) {
                let edit = document.edit(field, stray.run.clone(), "");
                finding.fix(Fix::proposed(vec![edit]));
            }
        }
    }
}

fn message(field: &TextField, stray: &Stray, home: &HomeScript) -> String {
    let shown = |range: Range<usize>| -> String { field.text[range].chars().take(SHOWN).collect() };
    let run = shown(stray.run.clone());
    let (script, leading) = (stray.script.name(), home.leading.name());
    if stray.kind == StrayKind::Attached {
        let word = shown(word_around(&field.text, &stray.run));
        return format!("“{run}” in “{word}” is {script} in a text that is {leading}; write the word again");
    }
    format!("“{run}” is {script} in a text that is {leading}")
}

/// The letters around a range that no space or sign separates from it.
fn word_around(text: &str, range: &Range<usize>) -> Range<usize> {
    let reach = |letters: &mut dyn Iterator<Item = char>| -> usize {
        letters
            .take(LONGEST_WORD)
            .take_while(|c| c.is_alphanumeric())
            .map(char::len_utf8)
            .sum()
    };
    let before = reach(&mut text[..range.start].chars().rev());
    let after = reach(&mut text[range.end..].chars());
    range.start - before..range.end + after
}

/// How far a word is followed to either side, in letters.
const LONGEST_WORD: usize = 40;

/// Whether the character was put into a word that the document also has without it.
fn is_insertion(text: &str, run: &Range<usize>, known: &HashSet<String>) -> bool {
    let word = word_around(text, run);
    let without = [&text[word.start..run.start], &text[run.end..word.end]].concat();
    without.chars().count() > 2 && known.contains(&without.to_lowercase())
}

fn known_words(document: &Document) -> HashSet<String> {
    document
        .texts()
        .iter()
        .flat_map(|field| words(&field.text))
        .map(|(_, word)| word.to_lowercase())
        .collect()
}

/// How many characters of a foreign passage a message shows.
const SHOWN: usize = 20;

/// Something that does not belong.
#[derive(Debug)]
struct Stray {
    field: usize,
    block: usize,
    run: Range<usize>,
    script: Script,
    kind: StrayKind,
    removal: Option<Range<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StrayKind {
    /// In or at a word.
    Attached,
    /// A single character on its own.
    Single,
    Word,
    /// The text talks about it.
    Excused,
}

fn strays(document: &Document, home: &HomeScript, topic: &str) -> Vec<Stray> {
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
                (StrayKind::Excused, None)
            } else {
                classify(&field.text, &run, home, is_table)
            };
            // Twins of the right letters are another check's, and scholars write the yers of
            // Old Slavic in Latin letters, too (“opatъ”).
            let twins = |c: char| look_alike(c, home.leading).is_some();
            let yers = |c: char| home.leading == Script::Latin && "ъьЪЬ".contains(c);
            let letters = || field.text[run.clone()].chars();
            if kind == StrayKind::Attached && (letters().all(twins) || letters().all(yers)) {
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
    excuse_lessons_about_it(document, &mut found, topic);
    found
}

/// A document that puts characters of a script in quotes and tables again and
/// again is about them, and so is one whose specification names a language that
/// is written so.
fn excuse_lessons_about_it(document: &Document, found: &mut Vec<Stray>, topic: &str) {
    let mut guests: Vec<Script> = found.iter().map(|stray| stray.script).collect();
    guests.sort_unstable();
    guests.dedup();
    for guest in guests {
        let of = |kind: StrayKind| {
            found
                .iter()
                .filter(|stray| stray.script == guest && stray.kind == kind)
                .count()
        };
        let (excused, words, singles) = (of(StrayKind::Excused), of(StrayKind::Word), of(StrayKind::Single));
        let standing_alone = words + singles;
        if standing_alone == 0 {
            continue;
        }
        let attached = of(StrayKind::Attached);
        // Mixing throughout is not enough: slips are spread, too.
        let is_mixed = || {
            attached == 0
                && excused + standing_alone > 2
                && talk::names_language(document.source().text(), guest)
        };
        let is_about = excused >= 2 && excused * 2 >= attached + standing_alone
            || talk::names_language(topic, guest)
            || is_mixed();
        found.retain(|stray| {
            !is_about
                || stray.script != guest
                || matches!(stray.kind, StrayKind::Attached | StrayKind::Excused)
        });
    }
    found.retain(|stray| stray.kind != StrayKind::Excused);
}

/// The runs of foreign letters in the prose of a text; words that follow each
/// other are one run.
fn runs(field: &TextField, home: &HomeScript) -> Vec<Range<usize>> {
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
    home: &HomeScript,
    is_table: bool,
) -> (StrayKind, Option<Range<usize>>) {
    let before = text[..run.start].chars().next_back();
    let after = text[run.end..].chars().next();
    let length = text[run.clone()].chars().count();
    let at_word = |c: Option<char>| c.is_some_and(|c| home.is_word(c));
    let attached = usize::from(at_word(before)) + usize::from(at_word(after));
    if talk::names_it(&text[..run.start], &text[run.end..]) {
        return (StrayKind::Excused, None);
    }
    if home.is_unspaced() && (attached == 0 || length > 1) {
        // Words of an alphabet may directly adjoin Chinese characters.
        let is_open =
            |c: Option<char>| at_word(c) || c.is_none_or(|c| c.is_whitespace() || is_stop(c));
        let free = is_open(before) && is_open(after) && !is_table;
        return free_standing(text, run, home, length, free);
    }
    if attached > 0 {
        return (StrayKind::Attached, None);
    }
    let opens = before.is_none_or(char::is_whitespace);
    let closes = after.is_none_or(|c| c.is_whitespace() || is_stop(c));
    free_standing(text, run, home, length, opens && closes && !is_table)
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
    home: &HomeScript,
    length: usize,
    free: bool,
) -> (StrayKind, Option<Range<usize>>) {
    if !free || talk::is_gloss(&text[..run.start], &text[run.end..]) {
        return (StrayKind::Excused, None);
    }
    if length > 1 {
        return (StrayKind::Word, None);
    }
    // It may be the article or the conjunction, in the wrong letters.
    let is_twin = text[run.clone()]
        .chars()
        .all(|c| look_alike(c, home.leading).is_some());
    (
        StrayKind::Single,
        (!is_twin).then(|| removal(text, run, home)).flatten(),
    )
}

/// The character and the space that came with it. `None` where it does not stand
/// between spaces, or a line would lose its all.
fn removal(text: &str, run: &Range<usize>, home: &HomeScript) -> Option<Range<usize>> {
    let before = &text[..run.start];
    let after = &text[run.end..];
    let space_before = before.ends_with(' ');
    let space_after = after.starts_with(' ');
    let line_starts = before.is_empty() || before.ends_with('\n');
    let line_ends = after.is_empty() || after.starts_with(['\n', '\r']);
    let at_home = |c: Option<char>| c.is_some_and(|c| script(c) == home.leading);
    if space_before && space_after && home.is_unspaced() {
        let inner = (before.chars().nth_back(1), after.chars().nth(1));
        if at_home(inner.0) && at_home(inner.1) {
            return Some(run.start - 1..run.end + 1);
        }
    }
    if space_after && (space_before || line_starts) {
        return Some(run.start..run.end + 1);
    }
    (space_before && line_ends).then(|| run.start - 1..run.end)
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
    fn at(&mut self, offset: usize, home: &HomeScript) -> (usize, bool, bool) {
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
        let foreign: usize = home.guests().map(|script| counts.of(script)).sum();
        let is_passage = foreign > 3 && foreign * 10 > counts.letters() * 4;
        let is_table = matches!(block.kind, BlockKind::Table { .. });
        self.seen = Some((index, is_passage, is_table));
        (index, is_passage, is_table)
    }
}
