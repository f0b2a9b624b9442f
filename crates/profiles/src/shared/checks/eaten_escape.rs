//! `eaten-escape`: LaTeX that lost its backslash to an escape sequence.
//!
//! | was | is now | certain |
//! |---|---|---|
//! | `\frac`, `\beta`, `\alpha`, `\vec` | a form feed, backspace, bell or vertical tab and the rest | always: no text has these |
//! | `\text`, `\times`, `\to` | a tab and the rest | before `{`, or inside mathematics, or where the rest is not a word |
//! | `\right`, `\rho` | a carriage return and the rest | inside mathematics |
//! | `\neq`, `\nabla` | a line break and the rest | inside mathematics, where the rest is not a variable |
//! | `\nu`, `\ne`, `\ni` | a line break and a letter | never: the letter may be a variable |

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::BlockKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT029",
    name: "eaten-escape",
    severity: Severity::Error,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a LaTeX command lost its backslash to an escape sequence",
    what: "Reports LaTeX commands that were written into JSON with a single backslash and became a control character: `\\frac` as a form feed and “rac”, `\\text` as a tab and “ext”, `\\neq` as a line break and “eq”. If there is no doubt (a control character that no text contains, or one inside mathematics), `--fix` restores the command. A line break before a single letter may be intended, so its fix is only proposed.",
    why: "The file is valid JSON, so no parser reports it, but the formula is broken: the learner reads “rac{1}{2}”.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "One half is $\frac{1}{2}$, and $3 \times 4 = 12$.", "sections": []}"#,
            passes: r#"{"intro": "One half is $\\frac{1}{2}$, and $3 \\times 4 = 12$.", "sections": []}"#,
            fixed: Some(
                r#"{"intro": "One half is $\\frac{1}{2}$, and $3 \\times 4 = 12$.", "sections": []}"#,
            ),
        },
        Example {
            form: ExampleForm::Markdown,
            fails: "# Halves\n\nOne half is $\u{c}rac{1}{2}$.\n",
            passes: "# Halves\n\nOne half is $\\frac{1}{2}$.\n",
            fixed: Some("# Halves\n\nOne half is $\\frac{1}{2}$.\n"),
        },
    ],
    run,
    ..DEFAULTS
};

/// The commands that begin with a letter which some language's escapes eat,
/// without that letter.
const COMMANDS: &[(char, char, &[&str])] = &[
    ('\u{c}', 'f', &["rac", "orall", "lat", "rown", "box"]),
    (
        '\u{8}',
        'b',
        &[
            "eta",
            "ar",
            "inom",
            "egin",
            "ig",
            "igg",
            "igl",
            "igr",
            "igcup",
            "igcap",
            "igoplus",
            "oldsymbol",
            "mod",
            "ullet",
            "ot",
            "f",
            "ackslash",
            "ecause",
            "oxed",
            "reve",
        ],
    ),
    (
        '\u{7}',
        'a',
        &[
            "lpha", "pprox", "ngle", "rctan", "rcsin", "rccos", "st", "leph", "mp",
        ],
    ),
    (
        '\u{b}',
        'v',
        &[
            "ec",
            "arepsilon",
            "arphi",
            "artheta",
            "ee",
            "dots",
            "ert",
            "arnothing",
        ],
    ),
    (
        '\t',
        't',
        &[
            "ext", "extbf", "extit", "exttt", "extrm", "imes", "heta", "an", "anh", "au", "o",
            "op", "frac", "ilde", "riangle", "herefore", "ag",
        ],
    ),
    (
        '\r',
        'r',
        &[
            "ho",
            "ight",
            "ightarrow",
            "angle",
            "floor",
            "ceil",
            "brace",
            "m",
            "ightharpoonup",
        ],
    ),
    (
        '\n',
        'n',
        &[
            "eq", "abla", "otin", "leq", "geq", "mid", "onumber", "u", "e", "i", "ot", "eg",
        ],
    ),
];

/// Remainders after a tab that are not a word in any language.
const NO_WORDS: &[&str] = &["imes", "heta", "herefore", "riangle"];

/// Remainders after a line break that are not a variable.
const NO_VARIABLES: &[&str] = &["eq", "abla", "otin", "leq", "geq", "onumber"];

/// Whether a control character that no text contains is the rest of a command.
pub(super) fn is_eaten(text: &str, at: usize) -> bool {
    text[at..].starts_with(['\u{c}', '\u{8}', '\u{7}', '\u{b}']) && command(text, at).is_some()
}

/// The letter that was lost at an offset, and the rest of the command.
fn command(text: &str, at: usize) -> Option<(char, &'static str)> {
    let mut rest = text[at..].chars();
    let control = rest.next()?;
    let (_, letter, commands) = COMMANDS.iter().find(|(eaten, _, _)| *eaten == control)?;
    let rest = rest.as_str();
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = commands.iter().find(|name| **name == &rest[..length])?;
    Some((*letter, name))
}

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts() {
        // A line break counts only inside mathematics.
        let bytes = field.text.as_bytes();
        // Without an early exit, so that the loop is vectorised.
        let has_control = || {
            bytes.iter().fold(false, |found, byte| {
                found | matches!(byte, 0x07..=0x09 | 0x0b | 0x0c)
            })
        };
        let has_return = || {
            memchr::memchr_iter(b'\r', bytes)
                .any(|at| bytes.get(at + 1).is_some_and(|next| *next != b'\n'))
        };
        if bytes.contains(&b'$') || has_control() || has_return() {
            look(examination, sink, field);
        }
    }
}

fn look(examination: &Examination<'_>, sink: &mut Sink<'_>, field: &TextField) {
    let text = &*field.text;
    let code: Vec<Range<usize>> = field
        .markdown()
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::CodeBlock { .. }))
        .map(|block| block.span.clone())
        .collect();
    let mut mathematics = Mathematics::default();
    let mut from = 0;
    while let Some(character) = text.get(from..).and_then(|rest| rest.chars().next()) {
        let at = from;
        from += character.len_utf8();
        mathematics.pass(character);
        if !matches!(character, '\u{7}'..='\u{d}') {
            // After a letter, what is neither a control character nor a sign
            // of mathematics changes nothing.
            if character.is_ascii_alphanumeric() {
                from = next_sign(text.as_bytes(), from);
            }
            continue;
        }
        let Some((letter, rest)) = command(text, at) else {
            continue;
        };
        let after = text[at + 1 + rest.len()..].chars().next();
        let in_code = || {
            let before = code.partition_point(|block| block.start <= at);
            before > 0 && at < code[before - 1].end
        };
        let certain = match letter {
            'f' | 'b' | 'a' | 'v' => true,
            _ if field.role == redraft_gate::content::TextRole::Code || in_code() => continue,
            't' => mathematics.inside || after == Some('{') || NO_WORDS.contains(&rest),
            'r' => mathematics.inside,
            _ if !mathematics.inside => continue,
            _ if NO_VARIABLES.contains(&rest) => true,
            // A displayed formula is on lines of its own, and prose continues
            // after a stray dollar sign.
            _ if mathematics.displayed || goes_on_as_prose(text, at + 1 + rest.len()) => continue,
            _ => false,
        };
        if !certain && letter != 'n' {
            continue;
        }
        let edit = examination
            .document
            .edit(field, at..at + 1, &format!("\\{letter}"));
        let finding = sink.in_text(
            field,
            at..at + 1 + rest.len(),
            format!("`\\{letter}{rest}` lost its backslash to an escape sequence"),
        );
        if certain {
            finding.fix(Fix::safe(vec![edit]));
        } else {
            finding
                .severity(Severity::Warning)
                .fix(Fix::proposed(vec![edit]));
        }
    }
}

/// The offset of the next control character, dollar sign or backslash.
fn next_sign(bytes: &[u8], mut at: usize) -> usize {
    const STRIDE: usize = 32;
    let is_sign = |byte: &u8| matches!(byte, 0x07..=0x0d | b'$' | b'\\');
    // Without an early exit, so that the loop is vectorised.
    while let Some(many) = bytes.get(at..at + STRIDE)
        && !many.iter().fold(false, |found, byte| found | is_sign(byte))
    {
        at += STRIDE;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(is_sign).unwrap_or(rest.len())
}

/// Whether a space and a word follow, as they do not after a variable.
fn goes_on_as_prose(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let word = rest.strip_prefix(' ').unwrap_or_default();
    word.chars().take_while(|c| c.is_alphabetic()).count() > 1
}

/// Whether the text is inside `$…$` or `$$…$$`. Mathematics does not go beyond
/// its paragraph, so a stray dollar sign does no harm for long.
#[derive(Default)]
struct Mathematics {
    inside: bool,
    displayed: bool,
    escaped: bool,
    line_is_blank: bool,
    last_was_dollar: bool,
}

impl Mathematics {
    fn pass(&mut self, character: char) {
        match character {
            '$' if !self.escaped => {
                // The second of two belongs to the first.
                if self.last_was_dollar {
                    self.last_was_dollar = false;
                    self.displayed = self.inside;
                } else {
                    self.inside = !self.inside;
                    self.displayed = false;
                    self.last_was_dollar = true;
                }
            }
            '\n' => {
                if self.line_is_blank {
                    self.inside = false;
                }
                self.last_was_dollar = false;
            }
            _ => self.last_was_dollar = false,
        }
        self.escaped = character == '\\' && !self.escaped;
        self.line_is_blank = character == '\n' || (self.line_is_blank && character.is_whitespace());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathematics_ends_with_its_paragraph_and_knows_when_it_is_displayed() {
        for (text, inside, displayed) in [
            ("$a", true, false),
            ("$a$ b", false, false),
            ("$$a", true, true),
            ("$$a$$", false, false),
            ("\\$a", false, false),
            ("$5\n\nb", false, false),
        ] {
            let mut mathematics = Mathematics::default();
            text.chars().for_each(|c| mathematics.pass(c));
            assert_eq!(
                (
                    mathematics.inside,
                    mathematics.displayed && mathematics.inside
                ),
                (inside, displayed),
                "{text}"
            );
        }
    }

    #[test]
    fn a_variable_is_followed_by_no_word() {
        for (text, expected) in [
            (" = 3$", false),
            ("$", false),
            ("^x", false),
            (" think so", true),
            (" a$", false),
        ] {
            assert_eq!(goes_on_as_prose(text, 0), expected, "{text}");
        }
    }
}
