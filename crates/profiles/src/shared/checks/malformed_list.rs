//! `malformed-list`: a list that Markdown shows as one paragraph.

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::BlockKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT009",
    name: "malformed-list",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a list whose markers Markdown does not recognise",
    what: "Reports two or more lines in a row that begin with a list marker without a space after it (`-First`, `1.First`; three or more for words in small letters, `-first`), or with a typographic bullet (`•`). Markdown shows them as one run-on paragraph. `--fix` inserts the space or replaces the bullet with `-`. Negative and decimal numbers, command-line options (`-v`) and emphasis are left alone.",
    why: "Steps on separate lines in the source run together on the page.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Tea\n\nYou need:\n\n-Water\n-Tea\n-A cup\n",
        passes: "# Tea\n\nYou need:\n\n- Water\n- Tea\n- A cup\n",
        fixed: Some("# Tea\n\nYou need:\n\n- Water\n- Tea\n- A cup\n"),
    }],
    run,
    ..DEFAULTS
};

/// A line that looks like an item: its marker, and what would make it one.
#[derive(Debug)]
struct Line {
    kind: Marker,
    marker: Range<usize>,
    insertion: &'static str,
    replaces: bool,
    ends_as_a_sentence: bool,
    start: Start,
}

/// What comes after the marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// What begins an item and nothing else.
    Item,
    /// A word in small letters, which may be an option of a command.
    SmallWord,
    /// An option of a command, a key of YAML, a value.
    Option,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    Bullet(char),
    Number(u32),
}

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.is_body())
    {
        let mut run: Vec<Line> = Vec::new();
        for block in &field.markdown().blocks {
            if block.kind != BlockKind::Paragraph {
                report(examination, sink, field, &std::mem::take(&mut run));
                continue;
            }
            let mut starts_paragraph = true;
            for line in lines(&field.text, &block.content) {
                let item = item(&field.text, line);
                // Another marker begins another list.
                if item.as_ref().is_some_and(|item| !follows(&run, item)) {
                    report(examination, sink, field, &std::mem::take(&mut run));
                }
                match item {
                    // A numbered list can interrupt a paragraph only with 1.
                    Some(item)
                        if run.is_empty()
                            && !starts_paragraph
                            && !matches!(item.kind, Marker::Bullet(_) | Marker::Number(1)) => {}
                    Some(item) => run.push(item),
                    None => report(examination, sink, field, &std::mem::take(&mut run)),
                }
                starts_paragraph = false;
            }
        }
        report(examination, sink, field, &run);
    }
}

fn follows(run: &[Line], item: &Line) -> bool {
    match (run.last().map(|last| last.kind), item.kind) {
        (Some(Marker::Bullet(before)), Marker::Bullet(bullet)) => before == bullet,
        (Some(Marker::Number(before)), Marker::Number(number)) => number == before + 1,
        _ => false,
    }
}

fn report(examination: &Examination<'_>, sink: &mut Sink<'_>, field: &TextField, run: &[Line]) {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return;
    };
    let is_small = run.iter().any(|line| line.start != Start::Item);
    if run.len() < if is_small { SMALL_WORDS } else { 2 }
        || run.iter().any(|line| line.start == Start::Option)
        || (is_small && is_about_options(&field.text, first.marker.start))
    {
        return;
    }
    let range = first.marker.start..last.marker.end;
    let edits = run
        .iter()
        .map(|line| {
            let at = if line.replaces {
                line.marker.clone()
            } else {
                line.marker.end..line.marker.end
            };
            examination.document.edit(field, at, line.insertion)
        })
        .collect();
    let message = format!(
        "{} lines look like a list but have no valid Markdown markers; use `- ` or `1. `",
        run.len()
    );
    // Lines of a dialogue begin with a dash and end as sentences do; notes to a
    // table begin with an asterisk.
    let ends = |line: &&Line| line.ends_as_a_sentence;
    let is_dialogue =
        first.kind == Marker::Bullet('-') && run.iter().filter(ends).count() * 2 > run.len();
    let is_note = first.kind == Marker::Bullet('*')
        && (run.len() < SMALL_WORDS || run.iter().any(|line| line.ends_as_a_sentence));
    let is_certain = !is_dialogue && !is_note;
    let fix = if is_certain {
        Fix::safe(edits)
    } else {
        Fix::proposed(edits)
    };
    sink.in_text(field, range, message).fix(fix);
}

/// The lines of a range, without their line breaks.
fn lines<'a>(text: &'a str, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'a> {
    let mut start = range.start;
    text[range.clone()].split_inclusive('\n').map(move |line| {
        let this = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        this
    })
}

fn item(text: &str, line: Range<usize>) -> Option<Line> {
    let content = &text[line.clone()];
    let indent = content.len() - content.trim_start_matches(' ').len();
    let content = &content[indent..];
    let start = line.start + indent;
    let ends_as_a_sentence = content.trim_end().ends_with(['.', '!', '?', '…']);
    let first = content.chars().next()?;
    if matches!(first, '•' | '‣' | '◦' | '●' | '▪') {
        let rest = content[first.len_utf8()..].trim_start();
        let spaced = content[first.len_utf8()..].starts_with([' ', '\t', '\u{a0}']);
        return (!rest.is_empty()).then_some(Line {
            kind: Marker::Bullet(first),
            marker: start..start + first.len_utf8(),
            insertion: if spaced { "-" } else { "- " },
            replaces: true,
            ends_as_a_sentence,
            start: Start::Item,
        });
    }
    if matches!(first, '-' | '*' | '+') {
        let rest = &content[1..];
        let next = rest.chars().next()?;
        let emphasis = first == '*' && rest.contains('*');
        let begins_item = (next.is_uppercase() || (next.is_alphabetic() && !next.is_ascii()))
            || rest.starts_with("**");
        // `-Xmx`, `-I/path`: an option, not an item.
        let is_option = next.is_ascii_uppercase()
            && rest
                .chars()
                .nth(1)
                .is_none_or(|second| !second.is_alphabetic() || second.is_uppercase())
            && !rest.starts_with("A ")
            && !rest.starts_with("I ");
        let start_of_item = if begins_item && !is_option {
            Start::Item
        } else if next.is_lowercase() && first != '+' && !is_option {
            small_word(rest)
        } else {
            return None;
        };
        return (!emphasis).then_some(Line {
            kind: Marker::Bullet(first),
            marker: start..start + 1,
            insertion: " ",
            replaces: false,
            ends_as_a_sentence,
            start: start_of_item,
        });
    }
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let number: u32 = content
        .get(..digits)
        .filter(|_| (1..=3).contains(&digits))?
        .parse()
        .ok()?;
    let rest = content[digits..].strip_prefix(['.', ')'])?;
    let next = rest.chars().next()?;
    (next.is_alphabetic() || rest.starts_with("**")).then_some(Line {
        kind: Marker::Number(number),
        marker: start..start + digits + 1,
        insertion: " ",
        replaces: false,
        ends_as_a_sentence,
        start: Start::Item,
    })
}

/// Lines in small letters that make a list; fewer may be something else.
const SMALL_WORDS: usize = 3;

/// What a small letter after the marker begins: a word, or `-v`, `-o=file`, `-name:`.
fn small_word(rest: &str) -> Start {
    const SHORTEST: usize = 3;
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    let after = &rest[word.len()..];
    let is_word = word
        .trim_end_matches([',', ';', '.', '!', '?'])
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
    let is_short = word.chars().count() < SHORTEST && after.trim().is_empty();
    let is_column = after.starts_with("  ") || after.starts_with('\t');
    let is_letter = word.chars().count() == 1;
    if !is_word || is_short || is_column || is_letter || word.ends_with(',') {
        Start::Option
    } else {
        Start::SmallWord
    }
}

/// Whether the text before a list speaks of a command and its options.
fn is_about_options(text: &str, at: usize) -> bool {
    const NEAR: usize = 300;
    const WORDS: &[&str] = &[
        "option", "flag", "switch", "argument", "parameter", "command", "terminal", "--", "`-",
        "опци", "флаг", "ключ", "параметр", "команд", "schalter", "befehl", "opción", "opcion",
        "comando", "parâmetro", "opç", "commande", "paramètre", "选项", "参数", "命令",
    ];
    let from = text.floor_char_boundary(at.saturating_sub(NEAR));
    let before = text[from..at].to_lowercase();
    WORDS.iter().any(|word| before.contains(word))
}
