//! Lines that the programs around a model leave in its answer: labels of a chat page,
//! counts of tokens, errors of the network, the seam between two messages, marks of
//! citations that lead nowhere. The words are data (`data/residue`). Where a line stands
//! and what follows from it is for the caller.
//!
//! | a line | then |
//! |---|---|
//! | `Copy code`, `ChatGPT said:` | wherever it stands alone |
//! | `Continuing from where I left off:`, `=== CHUNK 2 ===` | the same |
//! | `Error: 429 Too Many Requests`, `[stream interrupted]`, a trace of calls | at an edge |
//! | `Tokens used: 1,204`, `status=200 id=x`, `(412 words)` | at an edge |
//! | `Human: Thanks!` | at the end |
//! | `User: continue` | before the next message of the model, wherever it stands |
//! | `real 0m3.02s`, `root@host:~#`, `>>> Send a message` | at an edge |
//! | `undefined`, `[object Object]`, `""` | at the end, as a whole section |

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::phrases::{PhraseList, is_unspaced};
use crate::word_index::WordIndex;

static LIST: PhraseList = PhraseList::new(
    "residue",
    &[
        "interface",
        "continuation",
        "seam",
        "failure",
        "failed",
        "failing",
        "measure",
        "program",
        "unit",
        "turn",
        "model",
        "request",
    ],
);

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residue {
    /// A button or label of a page.
    Interface,
    /// The seam between two messages.
    Seam,
    /// A program or the network failed.
    Failure,
    /// What the answer took.
    Measure,
    /// The other side of a chat speaks.
    Turn,
    /// A tool is called.
    Call,
    /// The writing of the text is spoken of.
    Note,
    /// The other side asks the model to go on.
    Request,
    /// What a program prints for a value that is not there.
    Value,
}

impl Residue {
    /// Whether no lesson has such a line in its middle.
    #[must_use]
    pub fn is_certain_anywhere(self) -> bool {
        matches!(self, Self::Interface | Self::Seam)
    }
}

/// Longer paragraphs are text, in characters.
const LONGEST: usize = 240;
/// Words of a line about a failure, at most.
const MOST_WORDS: usize = 16;

#[expect(
    clippy::expect_used,
    reason = "constant patterns, compiled in every test run"
)]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// `openai.error.Timeout:`, `ValueError:`, `java.net.SocketTimeoutException`.
static RAISED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:Exception in thread .*|[\w.]*[A-Za-z](?:Error|Exception|Timeout)\b(?:: .*)?)$")
});
/// `HTTP 503 Service Unavailable`, `502 Bad Gateway`.
static STATUS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:HTTP(?:/\d(?:\.\d)?)? )?[45]\d\d:? [A-Z][a-z]+(?: [A-Za-z-]+){0,4}$")
});
/// `[INFO] 2025-03-02 12:00:01 …`, `2025-03-02T12:00:01Z ERROR …`, `[12:04:11] …`.
static LOGGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:\[(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\]|(?:INFO|DEBUG|WARN|ERROR):|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[\d\d:\d\d:\d\d\]) ",
    )
});
/// `model=m latency=2310ms`.
static PAIRS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[A-Za-z_][\w.-]*=[^\s=]+[ ,;|]*){2,}$"));
/// `at java.base/java.net.Socket.read(Socket.java:121)`
static FRAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^at [\w.$/<>]+ ?\([^()]*:\d+(?::\d+)?\)$"));
/// `prompt_tokens: 312, completion_tokens: 1024`
static COUNTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[A-Za-z]+(?:_[A-Za-z]+)+ ?[:=] ?\d+[ ,;|]*){2,}$"));
/// `{"usage": …}`
static USAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^\{ ?"(?:usage|finish_reason|stop_reason|error|status|detail|total_tokens|id|object)" ?:.*\}$"#,
    )
});
/// What a shell or a tool on the command line prints around an answer: the time it took, a
/// prompt, `[end of text]`.
static SHELL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^ (?:
        (?:real|user|sys) \s+ \d+m[\d.]+s
        | [\w.-]+@[\w.-]+:[^\s]*[\#$%] (?:\ .*)?
        | PS\ [A-Z]:\\[^>]*> .*
        | >>>\ Send\ a\ message .*
        | (?:total|load|eval|prompt\ eval)\ (?:duration|rate|count): .*
        | (?:llama|whisper|ggml)_[a-z_]+: .*
        | main:\ [a-z].*
        | \[end\ of\ text\]
        | Process\ finished\ with\ exit\ code\ -?\d+
        | \[Process\ (?:exited|completed).*\]
        | (?:---|===|\*\*\*)?\s?(?:EOF|END\ OF\ (?:FILE|OUTPUT|RESPONSE|TRANSCRIPT))\s?(?:---|===|\*\*\*)?
        ) $",
    )
});

// Few lines can be any of these, and a look at a line takes less than a pattern; most texts
// need none of the patterns.
const CHUNK_SIGNS: [char; 10] = ['=', '#', '*', '~', '<', '>', '-', '[', '(', '.'];
const RAISED_KINDS: [&str; 3] = ["Error", "Exception", "Timeout"];
const LOG_LEVELS: [&str; 4] = ["INFO", "DEBUG", "WARN", "ERROR"];
static SHELL_WORDS: LazyLock<WordIndex> = LazyLock::new(|| {
    WordIndex::new([
        "real",
        "user",
        "sys",
        "@",
        "PS ",
        ">>> Send",
        "duration:",
        "rate:",
        "count:",
        "llama_",
        "whisper_",
        "ggml_",
        "main:",
        "[end of text]",
        "Process",
        "EOF",
        "END OF",
    ])
});

/// How the lines begin that [`SHELL`] matches, but for a prompt with its `@`. A line has no
/// blanks at its edges.
const SHELL_BEGINS: [&str; 19] = [
    "real",
    "user",
    "sys",
    "PS ",
    ">>> Send",
    "total",
    "load",
    "eval",
    "prompt eval",
    "llama_",
    "whisper_",
    "ggml_",
    "main:",
    "[end of text]",
    "Process",
    "[Process",
    "---",
    "===",
    "***",
];

static FAILURES: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::new(LIST.all("failure")));

/// What programs print for nothing, or for a thing that is no text.
const VALUES: [&str; 15] = [
    "ok",
    "null",
    "None",
    "undefined",
    "NaN",
    "nil",
    "<nil>",
    "{}",
    "[]",
    "\"\"",
    "''",
    "[object Object]",
    "content_filter",
    "true",
    "false",
];

/// `=== CHUNK 2 ===`, `--- part 2/3 ---`, `[Part 2 of 3]`
static CHUNK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:[=#*~<>-]{2,} ?(?:chunk|part|message|segment|page) \d+(?: ?(?:of|/) ?\d+)? ?[=#*~<>-]{2,}|\[(?:chunk|message|segment) \d+(?: ?(?:of|/) ?\d+)?\]|\(continued\)|\[continued\]|\.{3} ?(?:continued|cont\.).*)$",
    )
});
/// Marks that a service puts in for a citation.
static CITATION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"【[^【】\n]{0,20}†[^【】\n]{0,40}】|\[\d+†[A-Za-z][^\]\n]{0,30}\]|:?contentReference\[oaicite:\d+\](?:\{index=\d+\})?|\[?oaicite:\d+\]?|\[cite_start\]|\[cite: ?\d+(?:, ?\d+)*\]|\[\^\d+\^\]|<grok:render\b.*?</grok:render>|[\u{e200}\u{e202}]?(?:file)?cite[\u{e202}]?turn\d+(?:search|view|news|file|image|fetch)\d+[^\s]{0,40}",
    )
});

/// `<tool_call>{…}`, `[TOOL_CALLS][{…}]`
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:<(?:tool_call|tool_use|function_call|function_calls|invoke)\b|\[TOOL_CALLS\]|<\|(?:tool_call|python_tag)\|>)",
    )
});

/// What a paragraph without its marks of emphasis is.
#[must_use]
pub fn residue(paragraph: &str) -> Option<Residue> {
    // Of a line break that was escaped once too often its sign is left.
    let whole = paragraph.trim().trim_start_matches("\\n").trim();
    if VALUES.contains(&whole) {
        return Some(Residue::Value);
    }
    if whole.is_empty() || whole.chars().count() > LONGEST {
        return is_trace(whole).then_some(Residue::Failure);
    }
    if is_trace(whole) {
        return Some(Residue::Failure);
    }
    if whole.starts_with(['<', '[']) && CALL.is_match(whole) {
        return Some(Residue::Call);
    }
    if whole.starts_with(CHUNK_SIGNS) && CHUNK.is_match(whole) {
        return Some(Residue::Seam);
    }
    let mut lines = whole.lines();
    let bare = |line: &str| {
        line.trim_matches(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '*' | '_' | '[' | ']' | '(' | ')' | '-' | '—' | '–' | '~' | '<' | '>'
                )
        })
        .to_lowercase()
        .replace('’', "'")
    };
    let is_button = |line: &str| {
        let line = bare(line);
        let words = line.trim_end_matches([':', '：', '?', '？', '…', '.']);
        LIST.all("interface")
            .any(|label| label.trim_end_matches('.') == words)
    };
    let is_picture = |c: char| "👍👎🔄📋🔊🔁📤".contains(c) || c.is_whitespace();
    if whole.chars().all(is_picture) || lines.all(is_button) {
        return Some(Residue::Interface);
    }
    let first = bare(whole.lines().next()?);
    let words = whole.split_whitespace().count();
    let begins = |section: &'static str| {
        LIST.all(section)
            .find_map(|phrase| rest_after(&first, phrase))
    };
    let is_seam = LIST
        .all("seam")
        .any(|seam| seam == first.trim_end_matches([':', '：', '.', '!', '…', ' ']));
    let is_announced =
        words <= MOST_WORDS && begins("continuation").is_some() && !has_sentence_after(whole);
    if is_announced || is_seam && !whole.contains('\n') {
        return Some(Residue::Seam);
    }
    if let Some(said) = begins("turn").and_then(|rest| rest.strip_prefix([':', '：'])) {
        let said = said.trim().trim_end_matches(['.', '!', '。', '！']);
        let is_request = LIST.all("request").any(|request| request == said);
        return Some(if is_request {
            Residue::Request
        } else {
            Residue::Turn
        });
    }
    if whole.contains('\n') {
        return whole.lines().all(is_record).then_some(Residue::Measure);
    }
    let is_status = whole.starts_with(['H', '4', '5']) && STATUS.is_match(whole);
    let has_kind = || RAISED_KINDS.iter().any(|kind| whole.contains(kind));
    if is_status || has_kind() && RAISED.is_match(whole) {
        return Some(Residue::Failure);
    }
    if is_record(whole) || is_measure(&first) {
        return Some(Residue::Measure);
    }
    let is_error = whole.starts_with("Error: ") && words <= MOST_WORDS / 2;
    if is_error && !whole.ends_with(['.', '?', ':']) {
        return Some(Residue::Failure);
    }
    let fails =
        || FAILURES.any_in(&first) && LIST.all("failure").any(|phrase| has_phrase(&first, phrase));
    let is_short = words <= MOST_WORDS / 2 && !first.contains(['“', '"', '`']);
    let is_marked = whole.starts_with('[') && whole.ends_with(']') || begins("failed").is_some();
    let is_failure = words <= MOST_WORDS && (is_marked || is_short) && fails();
    let is_sentence = || words <= MOST_WORDS * 2 && begins("failing").is_some();
    (is_failure || is_sentence()).then_some(Residue::Failure)
}

/// Whether a paragraph is the name of the model before what it says: `Assistant: Sure.`
#[must_use]
pub fn is_turn_of_the_model(paragraph: &str) -> bool {
    let first = paragraph.trim().trim_matches('*').to_lowercase();
    LIST.all("model")
        .any(|name| rest_after(&first, name).is_some_and(|rest| rest.starts_with([':', '：'])))
}

/// How many lines at the end of a paragraph are no text of the author, though the
/// paragraph is: `Water boils.\nTokens used: 77`.
#[must_use]
pub fn residue_at_the_end(paragraph: &str) -> Option<(Range<usize>, Residue)> {
    const MOST: usize = 4;
    let mut found = None;
    let mut end = paragraph.trim_end().len();
    for _ in 0..MOST {
        let Some(start) = paragraph[..end].rfind('\n').map(|at| at + 1) else {
            break;
        };
        let line = &paragraph[start..end];
        let what = residue(line).filter(|what| {
            let is_label = *what == Residue::Interface && line.split_whitespace().count() < 2;
            !is_label && !matches!(what, Residue::Seam | Residue::Call)
        });
        let Some(what) = what else { break };
        found = Some((start..paragraph.trim_end().len(), what));
        end = paragraph[..start].trim_end().len();
    }
    found
}

/// Marks of citations that a service left in a text.
#[must_use]
pub fn citation_marks(text: &str) -> Vec<Range<usize>> {
    const PARTS: [&str; 6] = ["†", "oaicite", "turn", "[cite", "^]", "<grok:"];
    if !PARTS.iter().any(|part| text.contains(part)) {
        return Vec::new();
    }
    CITATION
        .find_iter(text)
        .map(|found| found.range())
        .collect()
}

fn is_trace(text: &str) -> bool {
    text.starts_with("Traceback (most recent call last)")
}

/// A line that a program writes for programs.
fn is_record(line: &str) -> bool {
    let line = line.trim();
    let is_frame = line.starts_with("at ") && line.ends_with(')') && line.contains(['.', '/']);
    is_frame && FRAME.is_match(line)
        || may_be_logged(line) && LOGGED.is_match(line)
        || may_be_pairs(line) && PAIRS.is_match(line)
        || line.contains('_') && COUNTS.is_match(line)
        || line.starts_with('{') && USAGE.is_match(line)
        || may_be_of_a_shell(line) && SHELL_WORDS.any_in(line) && SHELL.is_match(line)
}

/// Whether [`LOGGED`] may match: a level, or a date or time by the place of its first sign.
fn may_be_logged(line: &str) -> bool {
    let inner = line.strip_prefix('[').unwrap_or(line);
    let mut after = inner.chars().skip_while(|c| c.is_numeric());
    inner.starts_with(char::is_numeric) && after.next().is_some_and(|c| matches!(c, '-' | ':'))
        || LOG_LEVELS.iter().any(|level| inner.starts_with(level))
        || inner.starts_with("TRACE")
}

/// Whether [`PAIRS`] may match.
fn may_be_pairs(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && line.bytes().filter(|byte| *byte == b'=').nth(1).is_some()
}

/// Whether [`SHELL`] may match.
fn may_be_of_a_shell(line: &str) -> bool {
    SHELL_BEGINS.iter().any(|begin| line.starts_with(begin))
        || line.starts_with("EOF")
        || line.starts_with("END OF")
        || line.contains('@') && line.contains(['#', '$', '%'])
}

/// `Tokens used: 1,204`, `Word count: 412`, `412 words`; neither is a sentence.
fn is_measure(line: &str) -> bool {
    if line.ends_with(['.', '。', '!', '?']) {
        return false;
    }
    const MOST: usize = 14;
    let is_named = LIST.all("measure").any(|name| {
        rest_after(line, name).is_some_and(|rest| {
            let has_number = rest.contains(|c: char| c.is_ascii_digit());
            let is_given = rest.starts_with([':', '=', '：']);
            let is_program = name.contains('_') || name.contains("reason");
            let is_maker = name.starts_with("generated");
            let names_model = || LIST.all("program").any(|model| has_phrase(rest, model));
            ((is_given && (has_number || is_program))
                || (is_maker && (has_number || names_model())))
                && line.split_whitespace().count() <= MOST
        })
    });
    let count = line.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, ',' | '.' | '~' | '≈' | ' ')
    });
    let is_count = count.len() < line.len() && LIST.all("unit").any(|unit| unit == count);
    is_named || is_count
}

/// What follows a phrase that begins a line as whole words.
fn rest_after<'t>(line: &'t str, phrase: &str) -> Option<&'t str> {
    let rest = line.strip_prefix(phrase)?;
    let is_whole = is_unspaced(phrase) || !rest.starts_with(|c: char| c.is_alphanumeric());
    is_whole.then(|| rest.trim_start_matches([' ', '*', '_']))
}

/// Whether a phrase stands in a line as whole words.
pub(crate) fn has_phrase(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        is_unspaced(phrase)
            || (is_edge(line[..at].chars().next_back())
                && is_edge(line[at + phrase.len()..].chars().next()))
    })
}

/// Whether more than the announcement is said.
fn has_sentence_after(text: &str) -> bool {
    text.trim_end_matches(['.', ':', '!', '…', ' '])
        .contains(['.', '。', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_every_language_hold() {
        assert_eq!(LIST.faults(), [""; 0]);
        for (section, expected) in [
            ("failure", Residue::Failure),
            ("continuation", Residue::Seam),
        ] {
            let wrong = LIST.wrong_examples(section, |_, text| residue(text) == Some(expected));
            assert_eq!(wrong, [""; 0]);
        }
    }

    #[test]
    fn what_programs_print_is_told_from_text() {
        for (line, expected) in [
            ("Copy code", Some(Residue::Interface)),
            ("👍 👎", Some(Residue::Interface)),
            ("User: please continue", Some(Residue::Request)),
            ("undefined", Some(Residue::Value)),
            ("user\t0m0.031s", Some(Residue::Measure)),
            ("**ChatGPT said:**", Some(Residue::Interface)),
            ("Continuing from where I stopped:", Some(Residue::Seam)),
            ("Hier ist der Rest:", Some(Residue::Seam)),
            ("--- part 2/3 ---", Some(Residue::Seam)),
            ("[connection lost]", Some(Residue::Failure)),
            ("504 Gateway Time-out", Some(Residue::Failure)),
            (
                "requests.exceptions.ReadTimeout: no answer",
                Some(Residue::Failure),
            ),
            ("Erreur : service indisponible", Some(Residue::Failure)),
            ("Tokens used: 77", Some(Residue::Measure)),
            ("status=200 id=abc", Some(Residue::Measure)),
            ("finish_reason: stop", Some(Residue::Measure)),
            (
                "prompt_tokens: 312, completion_tokens: 1024",
                Some(Residue::Measure),
            ),
            (
                "at java.base/java.net.Socket.read(Socket.java:121)",
                Some(Residue::Measure),
            ),
            ("Error: timeout", Some(Residue::Failure)),
            ("Error: the file is missing. Check its name.", None),
            ("(350 palabras)", Some(Residue::Measure)),
            ("Human: and now in German?", Some(Residue::Turn)),
            ("用户：谢谢", Some(Residue::Turn)),
            (
                "<tool_call>{\"name\": \"x\"}</tool_call>",
                Some(Residue::Call),
            ),
            ("Copy the code into your editor.", None),
            (
                "The server answers with 503 Service Unavailable if it is overloaded, and the client waits.",
                None,
            ),
            ("Let me continue with an example. Water boils.", None),
            ("The human heart beats 70 times a minute.", None),
            ("A token is a part of a word.", None),
            ("Model: a simplified picture of reality", None),
            ("An error is a chance to learn.", None),
            ("x=1 is the solution", None),
        ] {
            assert_eq!(residue(line), expected, "{line}");
        }
    }

    #[test]
    fn marks_of_citations_are_found() {
        for (text, count) in [
            ("Water boils【4†source】 at 100 °C.", 1),
            ("Water boils.[3†L12-L20]", 1),
            ("Water :contentReference[oaicite:0]{index=0} boils.", 1),
            ("Water boils citeturn0search1turn0news2", 1),
            ("A dagger† marks a note【one】, and turn 3 follows.", 0),
        ] {
            assert_eq!(citation_marks(text).len(), count, "{text}");
        }
    }
}
