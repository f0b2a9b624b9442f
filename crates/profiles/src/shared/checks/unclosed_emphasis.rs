//! `unclosed-emphasis`: asterisks that the learner sees.
//!
//! The Markdown analysis consumes every `**` that it understands; the learner sees
//! those that are left in prose.
//!
//! | left in a block | read as | fix |
//! |---|---|---|
//! | `**word ** more`, `** word**` | bold with an extra space | delete the space |
//! | `字**“词”**字` | bold that punctuation hides from Markdown | none |
//! | `**Word more` | bold that is never closed | delete the marker |
//! | `word** more` | the end of bold that was never opened | delete the marker |
//! | `2**3`, `src/**/x`, `**kwargs` | not emphasis | not reported |
//! | `**word more` in a text about a language with such arguments | bold, or an argument | proposed |

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::{Block, BlockKind, DegradedWhy};

use crate::check_list::DEFAULTS;
use crate::shared::prose::prose_blocks;

pub(super) static CHECK: Check = Check {
    code: "TXT006",
    name: "unclosed-emphasis",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "bold that is never closed, so that learners see the asterisks",
    what: "Reports `**` that Markdown does not understand as bold: opened and never closed, closed and never opened, or with a space on the wrong side. `--fix` deletes the extra space or the unpaired marker. A pair that Markdown misses because of Chinese or Japanese punctuation is only reported. Powers (`2**3`), patterns (`src/**/*.js`), Python's `**kwargs` and anything in code are left alone, and so are single asterisks, which have too many other uses.",
    why: "The learner sees asterisks instead of bold text, sometimes through a whole paragraph.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\n**Boiling point: at 100 °C water boils.\n\nSteam is **hot ** air.\n",
        passes: "# Water\n\n**Boiling point:** at 100 °C water boils. In Python, 2**3 is 8.\n",
        fixed: Some("# Water\n\nBoiling point: at 100 °C water boils.\n\nSteam is **hot** air.\n"),
    }],
    run,
    ..DEFAULTS
};

/// Marks of a text that are looked at. No reader of a report wants more, and each
/// finding costs memory.
const MOST_MARKS: usize = 10_000;

/// A `**` that the learner sees.
#[derive(Clone, Debug)]
struct Mark {
    range: Range<usize>,
    before: Option<char>,
    after: Option<char>,
}

impl Mark {
    fn opens(&self) -> bool {
        self.after
            .is_some_and(|c| c.is_alphanumeric() || is_opening(c) || is_pictograph(c))
            && self
                .before
                .is_none_or(|c| c.is_whitespace() || (!c.is_alphanumeric() && !is_code_like(c)))
    }

    fn closes(&self) -> bool {
        self.before
            .is_some_and(|c| !c.is_whitespace() && !is_code_like(c))
            && self
                .after
                .is_none_or(|c| c.is_whitespace() || (!c.is_alphanumeric() && !is_code_like(c)))
    }

    /// In quotation marks or brackets of its own: `'**'`, `(**)`.
    fn is_talked_about(&self) -> bool {
        self.before.is_some_and(|c| {
            matches!(
                c,
                '\'' | '"' | '“' | '‘' | '„' | '«' | '(' | '[' | '（' | '「'
            )
        }) && self.after.is_some_and(|c| {
            matches!(
                c,
                '\'' | '"' | '”' | '’' | '“' | '»' | ')' | ']' | '）' | '」'
            )
        })
    }

    /// White space or the edge of the block where a word should be: on both sides,
    /// or with punctuation on the outer one (`**word **, more`).
    fn is_loose(&self) -> bool {
        let blank = |side: Option<char>| side.is_none_or(char::is_whitespace);
        let ends = |c: char| matches!(c, ',' | '.' | ';' | ':' | '!' | '?' | ')');
        blank(self.before) && (blank(self.after) || self.after.is_some_and(ends))
            || blank(self.after) && self.before == Some('(')
    }

    /// Between letters of which one is Chinese or Japanese: there are no spaces to
    /// tell the beginning from the end, and no powers.
    fn is_among_wide_letters(&self) -> bool {
        let letter = |c: char| c.is_alphabetic();
        let wide = |c: char| c > '\u{2e80}' && c.is_alphabetic();
        self.before.is_some_and(letter)
            && self.after.is_some_and(letter)
            && (self.before.is_some_and(wide) || self.after.is_some_and(wide))
    }

    /// Beside a wide character, where Markdown's punctuation rules prevent emphasis.
    fn is_wide(&self) -> bool {
        let wide = |c: char| c > '\u{2e80}' || matches!(c, '“' | '”' | '‘' | '’' | '《' | '》');
        self.before.is_some_and(wide) || self.after.is_some_and(wide)
    }
}

fn is_opening(c: char) -> bool {
    matches!(
        c,
        '"' | '“' | '„' | '«' | '(' | '[' | '「' | '《' | '¿' | '¡' | '`' | '$'
    )
}

/// Symbols beyond the punctuation of any language: emoji and similar.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Characters beside which `**` is an operator or a pattern.
fn is_code_like(c: char) -> bool {
    matches!(
        c,
        '/' | '\\' | '*' | '=' | '<' | '>' | '|' | '{' | '}' | '^' | '#' | '@' | '&' | '+' | '_'
    )
}

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.is_body())
    {
        if !field.text.contains("**") {
            continue;
        }
        let mut marks = marks(field);
        marks.truncate(MOST_MARKS);
        let page = Page {
            examination,
            field,
            end: field.text.trim_end().len(),
            arguments: OnceCell::new(),
        };
        let mut from = 0;
        for (_, block) in prose_blocks(field) {
            // A table is a single block; its cells end with their line.
            let is_table = matches!(block.kind, BlockKind::Table { .. });
            let first =
                from + marks[from..].partition_point(|mark| mark.range.start < block.span.start);
            let last =
                first + marks[first..].partition_point(|mark| mark.range.start < block.span.end);
            from = last;
            let inside = &marks[first..last];
            if is_table {
                for row in
                    inside.chunk_by(|a, b| !field.text[a.range.end..b.range.start].contains('\n'))
                {
                    page.pair_up(sink, block, row);
                }
            } else {
                page.pair_up(sink, block, inside);
            }
        }
    }
}

/// All runs of exactly two asterisks in prose.
fn marks(field: &TextField) -> Vec<Mark> {
    let text = &*field.text;
    let analysis = field.markdown();
    // What was read as plain text may well be closed.
    let crowded: Vec<_> = analysis
        .degraded
        .iter()
        .filter(|degraded| degraded.why == DegradedWhy::Markers)
        .collect();
    let is_degraded = |at: usize| crowded.iter().any(|degraded| degraded.span.contains(&at));
    let mut marks = Vec::new();
    for range in &analysis.prose {
        if is_degraded(range.start) || marks.len() > MOST_MARKS {
            continue;
        }
        let prose = &text[range.clone()];
        let mut at = 0;
        while let Some(found) = prose[at..].find("**") {
            let start = range.start + at + found;
            let length = text[start..]
                .bytes()
                .take_while(|byte| *byte == b'*')
                .count();
            let escaped = text[..start].ends_with('\\');
            if length == 2 && !escaped && !is_degraded(start) {
                let mark = Mark {
                    range: start..start + 2,
                    before: text[..start].chars().next_back(),
                    after: text[start + 2..].chars().next(),
                };
                if !mark.is_talked_about() {
                    marks.push(mark);
                }
            }
            at += found + length;
            if at >= prose.len() {
                break;
            }
        }
    }
    marks
}

/// A text and what is known about the arguments that its code uses.
struct Page<'a> {
    examination: &'a Examination<'a>,
    field: &'a TextField,
    /// Where the text ends, without trailing white space.
    end: usize,
    arguments: OnceCell<Arguments<'a>>,
}

/// Words after `**` in code, and whether the text is about a language that
/// has such arguments.
struct Arguments<'a> {
    in_code: HashSet<&'a str>,
    are_a_topic: bool,
}

impl<'a> Page<'a> {
    fn pair_up(&self, sink: &mut Sink<'_>, block: &Block, marks: &[Mark]) {
        let (examination, field) = (self.examination, self.field);
        let text = &*field.text;
        let mut index = 0;
        while let Some(mark) = marks.get(index) {
            if let Some(other) = marks.get(index + 1) {
                let between = &text[mark.range.end..other.range.start];
                let inner = between.trim();
                let is_short = inner.chars().count() <= 200 && !inner.is_empty();
                // The space inside one of the two markers is the error. A bracket
                // may leave a marker loose without one: `[a](**`.
                let gap = if mark.is_loose() {
                    mark.range.end..other.range.start - between.trim_start().len()
                } else {
                    mark.range.end + between.trim_end().len()..other.range.start
                };
                // Bold that works stays as it is, and so do the lines.
                let loose = mark.is_loose() != other.is_loose()
                    && !gap.is_empty()
                    && !text[gap.clone()].contains('\n')
                    && !between.contains("**");
                if is_short && loose && (mark.opens() || other.closes()) {
                    let deletion = examination.document.edit(field, gap, "");
                    sink.in_text(
                        field,
                        mark.range.start..other.range.end,
                        "a space next to the asterisks breaks this bold text; delete it",
                    )
                    .fix(Fix::safe(vec![deletion]));
                    index += 2;
                    continue;
                }
                if is_short
                    && (mark.is_wide() || other.is_wide())
                    && !mark.is_loose()
                    && !other.is_loose()
                {
                    sink.in_text(
                        field,
                        mark.range.start..other.range.end,
                        "punctuation next to the asterisks breaks this bold text; move it out of the bold",
                    );
                    index += 2;
                    continue;
                }
            }
            self.report_unpaired(sink, block, mark);
            index += 1;
        }
    }

    fn report_unpaired(&self, sink: &mut Sink<'_>, block: &Block, mark: &Mark) {
        let (examination, field) = (self.examination, self.field);
        let text = &*field.text;
        let (message, is_certain) = if mark.opens() {
            if is_note(text, mark) {
                return;
            }
            let starts_block = text[block.content.start..mark.range.start]
                .trim()
                .is_empty();
            match self.argument(mark) {
                Argument::Is if !starts_block => return,
                Argument::Is | Argument::MayBe => (
                    "bold is never closed; delete the asterisks or close it",
                    false,
                ),
                Argument::No => (
                    "bold is never closed; delete the asterisks or close it",
                    true,
                ),
            }
        } else if mark.closes() {
            // `0.45**` is a mark of significance.
            let is_after_number = mark.before.is_some_and(|c| c.is_numeric() || c == ')');
            if is_after_number && matches!(block.kind, BlockKind::Table { .. }) {
                return;
            }
            (
                "bold ends here but was never opened; delete the asterisks or open it",
                !is_after_number,
            )
        } else if mark.is_among_wide_letters() {
            (
                "these asterisks have no counterpart and are shown; delete them or complete the pair",
                true,
            )
        } else {
            return;
        };
        let deletion = examination.document.edit(field, mark.range.clone(), "");
        // In a truncated text the open marker is a result of the cut.
        let is_last = block.span.end >= self.end || self.precedes_heading(block);
        let may_be_cut = is_last && text[..block.content.end].ends_with(char::is_alphanumeric);
        let fix = if is_certain && !may_be_cut {
            Fix::safe(vec![deletion])
        } else {
            Fix::proposed(vec![deletion])
        };
        sink.in_text(field, mark.range.clone(), message).fix(fix);
    }

    /// Whether a section ends with this block.
    fn precedes_heading(&self, block: &Block) -> bool {
        let blocks = &self.field.markdown().blocks;
        let next = blocks.partition_point(|other| other.span.start < block.span.end);
        blocks.get(next).is_some_and(|next| {
            next.parent.is_none() && matches!(next.kind, BlockKind::Heading { .. })
        })
    }

    fn argument(&self, mark: &Mark) -> Argument {
        const USUAL: &[&str] = &[
            "kwargs",
            "kwds",
            "kw",
            "kwarg",
            "keywords",
            "options",
            "opts",
            "params",
            "attrs",
            "attributes",
            "args",
            "dict",
            "mapping",
            "config",
            "settings",
            "arguments",
            "parameters",
            "hash",
        ];
        let text = &*self.field.text;
        let word = identifier(&text[mark.range.end..]);
        let rest = &text[mark.range.end + word.len()..];
        // A word in another case or script, or the start of a longer one.
        if word.is_empty() || rest.starts_with(|c: char| c.is_alphanumeric() || c == '-') {
            return Argument::No;
        }
        let arguments = self.arguments.get_or_init(|| self.arguments());
        let in_brackets = rest.starts_with(')') || mark.before == Some('(');
        if word.contains('_')
            || arguments.in_code.contains(word)
            || (USUAL.contains(&word) && (arguments.are_a_topic || word.starts_with("kw")))
            || (arguments.are_a_topic && in_brackets)
        {
            return Argument::Is;
        }
        if arguments.are_a_topic {
            Argument::MayBe
        } else {
            Argument::No
        }
    }

    fn arguments(&self) -> Arguments<'a> {
        let text = &*self.field.text;
        let code = self
            .field
            .markdown()
            .code
            .iter()
            .filter_map(|range| text.get(range.clone()));
        let in_code = code
            .flat_map(|code| {
                code.match_indices("**")
                    .map(|(at, _)| identifier(&code[at + 2..]))
            })
            .filter(|word| !word.is_empty())
            .collect();
        let are_a_topic = ["Python", "python", "kwargs", "Ruby", "ruby", "Julia"]
            .iter()
            .any(|name| text.contains(name));
        Arguments {
            in_code,
            are_a_topic,
        }
    }
}

/// Whether asterisks begin a line as the mark of a note does: `**p < .01`, or other
/// lines around it begin with one or three.
fn is_note(text: &str, mark: &Mark) -> bool {
    const NEAR: usize = 200;
    let before = &text[..mark.range.start];
    if !before.trim_end_matches([' ', '\t']).ends_with('\n') {
        return false;
    }
    let rest = &text[mark.range.end..];
    let is_probability = rest.strip_prefix(['p', 'P']).is_some_and(|rest| {
        rest.trim_start().starts_with(['<', '=', '≤', '\\', '&'])
    });
    let is_mark = |line: &str| {
        let stars = line.bytes().take_while(|byte| *byte == b'*').count();
        let rest = &line[stars..];
        matches!(stars, 1 | 3) && rest.starts_with(|c: char| !c.is_whitespace()) && !rest.contains('*')
    };
    let from = text.floor_char_boundary(mark.range.start.saturating_sub(NEAR));
    let above = text[from..mark.range.start].trim_end().lines().next_back();
    let below = rest.lines().nth(1);
    is_probability || above.is_some_and(is_mark) || below.is_some_and(is_mark)
}

/// Whether a `**` and the word after it are an argument in a programming
/// language, written without back-ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    Is,
    MayBe,
    No,
}

/// The name at the start of a text, if it is in lower case as arguments are.
fn identifier(text: &str) -> &str {
    let length = text
        .bytes()
        .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_')
        .count();
    &text[..length]
}
