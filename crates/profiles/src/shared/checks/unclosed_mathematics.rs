//! `unclosed-mathematics`: a formula that is opened and never closed.
//!
//! | in prose | reported |
//! |---|---|
//! | `$x^2 + y`, `$\frac{1}{2}`: a sign, then what only formulas have | yes |
//! | `$x + y` where the text has other formulas and no language with `$` variables | yes |
//! | `$$` at the start of a paragraph, then a formula | yes |
//! | `\[`, `\(` without `\]`, `\)`, and a formula or `a =` after it | yes |
//! | `\begin{cases}` without its `\end`, at the start of a line or in mathematics | yes |
//! | `$5`, `5$`, `US$`, `$HOME`, `$ ls`, `${name}`, `$(this)`, anything in code | no |
//! | `$$` that begins the last paragraph of a text | no: `truncated-content` has it |

use std::cell::OnceCell;
use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::markdown::Block;

use crate::check_list::DEFAULTS;
use crate::shared::prose::prose_blocks;

pub(super) static CHECK: Check = Check {
    code: "TXT015",
    name: "unclosed-mathematics",
    severity: Severity::Warning,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a formula is opened and never closed",
    what: "Reports `$`, `$$`, `\\(`, `\\[` or `\\begin{…}` that opens a formula without its counterpart in the same paragraph. Prices, shell variables and prompts, template strings, jQuery and anything in code are left alone: what follows the sign has to look like a formula. There is no fix, because only the author knows where the formula ends.",
    why: "The learner sees the source of the formula, and a page that renders mathematics may swallow the text up to the next dollar sign.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Circles\n\nThe area is $\\pi r^2 and grows with the square of the radius.\n\nThe rest follows.\n",
        passes: "# Circles\n\nThe area is $\\pi r^2$ and grows with the square of the radius. A compass costs $5.\n\nThe rest follows.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let texts = examination.document.texts().iter();
    for field in texts.filter(|field| field.is_body()) {
        if memchr::memchr2(b'$', b'\\', field.text.as_bytes()).is_none() {
            continue;
        }
        let page = Page::new(field);
        for (_, block) in prose_blocks(field) {
            let is_last = block.span.end >= page.end;
            if is_last && field.text[block.content.clone()].starts_with("$$") {
                continue;
            }
            if let Some((at, opener)) = page.unclosed(block) {
                sink.in_text(
                    field,
                    at..at + opener.len(),
                    format!("`{opener}` opens a formula that is never closed; close it"),
                );
            }
        }
        for (range, name) in page.environments() {
            sink.in_text(
                field,
                range,
                format!("`\\begin{{{name}}}` has no `\\end{{{name}}}`; add it"),
            );
        }
    }
}

struct Page<'a> {
    field: &'a TextField,
    /// Where the text ends, without trailing white space.
    end: usize,
    /// Whether a letter after a dollar sign is a variable of mathematics: there are
    /// formulas, and no language that writes its variables so.
    has_formulas: bool,
}

impl<'a> Page<'a> {
    fn new(field: &'a TextField) -> Self {
        let text = &*field.text;
        let verbatim = &field.markdown().verbatim;
        let is_formula = |range: &Range<usize>| {
            text.get(range.clone())
                .is_some_and(|verbatim| verbatim.starts_with('$'))
        };
        const LANGUAGES: &[&str] = &[
            "PHP", "php", "Perl", "perl", "Bash", "bash", "shell", "PowerShell", "jQuery", "JavaScript",
            "```sh", "Sass", "scss", "Makefile", "Terraform", "Excel", "LaTeX",
        ];
        let has_formulas = verbatim.iter().any(is_formula)
            && !LANGUAGES.iter().any(|language| text.contains(language));
        Self {
            field,
            end: text.trim_end().len(),
            has_formulas,
        }
    }

    /// The first sign in a block that opens a formula and has no counterpart.
    fn unclosed(&self, block: &Block) -> Option<(usize, &'static str)> {
        let (text, analysis) = (&*self.field.text, self.field.markdown());
        let first = analysis
            .prose
            .partition_point(|range| range.end <= block.content.start);
        let ranges = analysis.prose.get(first..)?.iter();
        // Where the last closing signs are, searched for once.
        let content = text.get(block.content.clone())?;
        let last = |closer| content.rfind(closer).map(|at| block.content.start + at);
        let (round, square) = (OnceCell::new(), OnceCell::new());
        for range in ranges.take_while(|range| range.start < block.content.end) {
            let prose = text.get(range.clone())?;
            for (at, _) in prose.match_indices('$') {
                let at = range.start + at;
                let is_second = text[..at].ends_with(['$', '\\']);
                if let Some(found) = self.dollar(block, at).filter(|_| !is_second) {
                    return Some(found);
                }
            }
            // The backslash of `\(` is an escape and no part of the prose.
            let opener = match text.get(range.start.saturating_sub(1)..=range.start) {
                Some("\\(") => Some(("\\(", *round.get_or_init(|| last("\\)")))),
                Some("\\[") => Some(("\\[", *square.get_or_init(|| last("\\]")))),
                _ => None,
            };
            if let Some((opener, closes)) = opener
                && closes.is_none_or(|closes| closes < range.start)
                && let Some(rest) = text.get(range.start + 1..block.content.end)
                && (is_formula(rest) || is_letter_and_operator(rest.trim_start()))
            {
                return Some((range.start - 1, opener));
            }
        }
        None
    }

    /// The sign is unpaired, or the analysis would have taken it for mathematics.
    fn dollar(&self, block: &Block, at: usize) -> Option<(usize, &'static str)> {
        let text = &*self.field.text;
        let rest = text.get(at..block.content.end)?;
        if let Some(inner) = rest.strip_prefix("$$") {
            let is_first = at == block.content.start;
            let is_display = is_first && (inner.starts_with('\n') || is_formula(inner));
            return is_display.then_some((at, "$$"));
        }
        let inner = &rest[1..];
        let is_variable = self.has_formulas && is_letter_and_operator(inner);
        (is_formula(inner) || is_variable).then_some((at, "$"))
    }

    /// Environments of LaTeX that are begun outside code, at the start of a line or in
    /// mathematics, and never ended.
    fn environments(&self) -> Vec<(Range<usize>, &'a str)> {
        const NAMES: &[&str] = &[
            "equation", "align", "aligned", "alignat", "gather", "gathered", "split", "multline",
            "matrix", "pmatrix", "bmatrix", "vmatrix", "Bmatrix", "cases", "array", "eqnarray",
        ];
        let (text, analysis) = (&*self.field.text, self.field.markdown());
        let mut open: Vec<(Range<usize>, &str)> = Vec::new();
        let mut at = 0;
        while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
            let start = at + found;
            at = start + 1;
            let rest = &text[start..];
            let (is_begin, head) = if rest.starts_with("\\begin{") {
                (true, "\\begin{")
            } else if rest.starts_with("\\end{") {
                (false, "\\end{")
            } else {
                continue;
            };
            let name = rest[head.len()..].bytes().take(LONGEST_NAME);
            let Some(length) = name.into_iter().position(|byte| byte == b'}') else {
                continue;
            };
            let name = &rest[head.len()..head.len() + length];
            if analysis.is_code(start) || !NAMES.contains(&name.trim_end_matches('*')) {
                continue;
            }
            if !is_begin {
                if let Some(index) = open.iter().rposition(|(_, other)| *other == name) {
                    open.truncate(index);
                }
                continue;
            }
            let begins_line = text[..start]
                .trim_end_matches([' ', '\t', '>'])
                .ends_with('\n');
            if (begins_line || analysis.is_verbatim(start)) && open.len() < 64 {
                open.push((start..start + head.len() + length + 1, name));
            }
        }
        open
    }
}

/// The longest name of an environment, in bytes.
const LONGEST_NAME: usize = 16;

/// As much of a text as tells whether it is a formula: the rest of a long paragraph
/// is not read for every sign.
fn beginning(text: &str) -> &str {
    const LONGEST: usize = 60;
    &text[..text.floor_char_boundary(LONGEST)]
}

/// Whether a text begins as only a formula does: before the first word of prose there
/// is a command, a power or an index.
fn is_formula(text: &str) -> bool {
    let text = beginning(text).trim_start();
    if text.starts_with(|c: char| c.is_ascii_digit() && !text.contains('\\')) {
        // An amount, unless a power follows at once: `$3^2`.
        return text
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .starts_with('^');
    }
    if text.starts_with(['{', '(', '"', '\'', '`', '/']) {
        return false;
    }
    let mut previous = ' ';
    let mut letters = 0;
    for (index, c) in text.chars().enumerate() {
        match c {
            '\\' => {
                let command = text.split('\\').nth(1).unwrap_or_default();
                return command.starts_with(|c: char| c.is_ascii_alphabetic())
                    && command.bytes().take_while(u8::is_ascii_alphabetic).count() > 1;
            }
            '^' => return previous.is_alphanumeric() || matches!(previous, ')' | '}' | ']'),
            '_' if letters == 1 && index == 1 => {
                let next = text.chars().nth(index + 1);
                return next.is_some_and(|c| c == '{' || c.is_ascii_digit())
                    || text.chars().nth(index + 2).is_none_or(|c| !c.is_alphanumeric());
            }
            _ if c.is_alphabetic() => {
                letters += 1;
                // Two letters in a row are a word, a variable or a file.
                if letters > 2 {
                    return false;
                }
            }
            _ => letters = 0,
        }
        previous = c;
    }
    false
}

/// `x + `, `f(x) =`, `n < `: a single letter, then an operator and more.
fn is_letter_and_operator(text: &str) -> bool {
    let mut letters = beginning(text).chars();
    if !letters.next().is_some_and(char::is_alphabetic) {
        return false;
    }
    let rest = letters.as_str();
    let rest = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((argument, rest)) if argument.len() <= 4 => rest,
        _ => rest,
    };
    let rest = rest.trim_start_matches(' ');
    rest.starts_with(['+', '=', '<', '>', '−', '≤', '≥', '·', '×']) && !rest.starts_with("++")
        || rest.starts_with("- ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_distinguished_from_prices_and_variables() {
        for (text, expected) in [
            ("x^2 + y is", true),
            ("\\frac{1}{2} of", true),
            ("x_1 and", true),
            ("a_{ij}", true),
            ("3^2 is nine", true),
            (" E = mc^2", true),
            ("5 is the price", false),
            ("100", false),
            ("HOME", false),
            ("{name}", false),
            ("(this)", false),
            ("PATH_1", false),
            ("user_name", false),
            ("i_love", false),
            ("\\(", false),
        ] {
            assert_eq!(is_formula(text), expected, "{text}");
        }
        for (text, expected) in [
            ("x + y", true),
            ("f(x) = 3", true),
            ("x++", false),
            ("name = 3", false),
            ("5 + 3", false),
        ] {
            assert_eq!(is_letter_and_operator(text), expected, "{text}");
        }
    }
}
