//! What had to be forgiven to read a JSON text, and the edits that would turn
//! the source towards strict JSON. Data and wording only: how a fault is found
//! is the scanner's business, how serious it is the caller's.

use std::ops::Range;

/// One thing that strict JSON would not have allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// What was found.
    pub kind: RecoveryKind,
    /// Where: absolute offsets. Empty where something is missing. Faults that
    /// come in crowds inside one string (raw newlines, unescaped quotes, invalid
    /// escapes) are one recovery per string, whose span is the first of them.
    pub span: Range<usize>,
    /// Replacements (absolute range, new text) that mend it. The edits of all
    /// recoveries of one scan never overlap; insertions at the same offset keep
    /// the order of the list. None where mending would hide or invent content.
    pub edits: Vec<(Range<usize>, String)>,
    /// Whether the intended reading is not in doubt. What touches a doubtful
    /// edit is doubtful itself: applied alone it would leave a gap beside it.
    pub certain: bool,
}

/// The kinds of fault the scanner reads through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecoveryKind {
    /// A `//`, `/* */` or `#` comment.
    Comment,
    /// A comma before a closing bracket.
    TrailingComma,
    /// No comma between two values or members.
    MissingComma,
    /// A comma with nothing before it.
    DoubledComma,
    /// No colon (or `=`, `=>`) between key and value.
    MissingColon,
    /// A value in an object without a key.
    MissingKey,
    /// A key without a value.
    MissingValue,
    /// A string in single, backtick or typographic quotes.
    OddQuotes,
    /// A string without its closing (or opening) quote.
    MissingQuote,
    /// A key without quotes.
    BareKey,
    /// A string value without quotes.
    BareWord,
    /// `True`, `False` or `None`.
    PythonLiteral,
    /// `NaN` or `Infinity`.
    NotFinite,
    Undefined,
    /// A raw control character, such as a newline, inside a string.
    RawControl,
    /// A NUL byte or another control character outside strings.
    StrayControl,
    /// White space that JSON does not know, such as a no-break space.
    OddSpace,
    /// A quote inside a string that is not escaped.
    UnescapedQuote,
    /// A backslash before something that JSON does not escape.
    InvalidEscape,
    /// Half of a surrogate pair; it is not a character.
    LoneSurrogate,
    /// A number written as JSON does not write it: `+1`, `.5`, `1.`, `007`.
    OddNumber,
    /// A key that the same object already has; the later one counts.
    DuplicateKey,
    /// `]` where `}` closes, or the other way round.
    WrongBracket,
    /// An array or object that ends without its bracket, in mid-file.
    MissingBracket,
    /// A character that does not belong here.
    Unexpected,
    /// `...` instead of further values.
    Ellipsis,
    /// Nesting beyond the supported depth; what is inside was not read.
    TooDeep,
    /// The text ends before the value does.
    CutOff {
        /// What was still open, outermost first.
        open: Vec<Opening>,
    },
}

/// Something that was begun and, when a text is cut off, not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    Array,
    Object,
    /// A key, or a key whose value did not come.
    Key,
    /// A string value.
    Text,
}

impl RecoveryKind {
    /// The fault in plain words, for a message: lower case, no full stop.
    #[must_use]
    pub fn describe(&self) -> String {
        let words = match self {
            Self::Comment => "a comment, which JSON does not allow",
            Self::TrailingComma => "a comma after the last element",
            Self::MissingComma => "a missing comma",
            Self::DoubledComma => "a comma with nothing before it",
            Self::MissingColon => "a missing colon after a key",
            Self::MissingKey => "a value without a key",
            Self::MissingValue => "a key without a value",
            Self::OddQuotes => "a string that is not in straight double quotes",
            Self::MissingQuote => "a string without one of its quotes",
            Self::BareKey => "a key without quotes",
            Self::BareWord => "a text without quotes",
            Self::PythonLiteral => "a Python literal instead of true, false or null",
            Self::NotFinite => "NaN or Infinity, which JSON cannot express",
            Self::Undefined => "undefined instead of null",
            Self::RawControl => "a raw line break or control character inside a string",
            Self::StrayControl => "a control character between the values",
            Self::OddSpace => "white space that JSON does not allow",
            Self::UnescapedQuote => "an unescaped quote inside a string",
            Self::InvalidEscape => "a backslash that escapes nothing",
            Self::LoneSurrogate => "half of a surrogate pair, which is not a character",
            Self::OddNumber => "a number in a form JSON does not allow",
            Self::DuplicateKey => "a key that occurs twice in the same object",
            Self::WrongBracket => "a closing bracket of the wrong kind",
            Self::MissingBracket => "a missing closing bracket",
            Self::Unexpected => "a character that does not belong here",
            Self::Ellipsis => "an ellipsis instead of values",
            Self::TooDeep => "nesting too deep to be read",
            Self::CutOff { open } => return describe_cut(open),
        };
        words.to_owned()
    }
}

fn describe_cut(open: &[Opening]) -> String {
    let count = |kind| open.iter().filter(|&&o| o == kind).count();
    let inside = match open.last() {
        Some(Opening::Text) => "inside a string",
        Some(Opening::Key) => "before the value of a key",
        Some(Opening::Object) => "inside an object",
        Some(Opening::Array) => "inside an array",
        None => "before the value",
    };
    let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let (objects, arrays) = (count(Opening::Object), count(Opening::Array));
    let unclosed: Vec<String> = [(objects, "object"), (arrays, "array")]
        .into_iter()
        .filter(|&(n, _)| n > 0)
        .map(|(n, one)| plural(n, one))
        .collect();
    if unclosed.is_empty() {
        format!("the text breaks off {inside}")
    } else {
        format!(
            "the text breaks off {inside}, with {} unclosed",
            unclosed.join(" and ")
        )
    }
}

/// How many recoveries are kept one by one; the rest are only counted. A file
/// with more faults than this is not read by a person line by line.
const KEPT: usize = 1000;

/// Collects recoveries up to the cap.
#[derive(Debug, Default)]
pub(super) struct Recoveries {
    pub(super) kept: Vec<Recovery>,
    pub(super) omitted: usize,
}

/// Whether the intended reading is in doubt.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Certain,
    Doubtful,
}

impl Reading {
    pub(super) const fn certain_if(certain: bool) -> Self {
        if certain {
            Self::Certain
        } else {
            Self::Doubtful
        }
    }
}

impl Recoveries {
    /// Records a fault mended by one replacement.
    pub(super) fn replace(
        &mut self,
        kind: RecoveryKind,
        span: Range<usize>,
        with: &str,
        reading: Reading,
    ) {
        let edits = vec![(span.clone(), with.to_owned())];
        self.push(kind, span, edits, reading);
    }

    /// Records something missing at `at`, mended by inserting `text`.
    pub(super) fn insert(&mut self, kind: RecoveryKind, at: usize, text: &str, reading: Reading) {
        self.replace(kind, at..at, text, reading);
    }

    pub(super) fn push(
        &mut self,
        kind: RecoveryKind,
        span: Range<usize>,
        edits: Vec<(Range<usize>, String)>,
        reading: Reading,
    ) {
        // A cut or a skipped depth is too important to fall under the cap.
        let vital = matches!(kind, RecoveryKind::CutOff { .. } | RecoveryKind::TooDeep);
        if self.kept.len() >= KEPT && !vital {
            self.omitted += 1;
            return;
        }
        let certain = reading == Reading::Certain;
        self.kept.push(Recovery {
            kind,
            span,
            edits,
            certain,
        });
    }

    /// In the order of the source; insertions at one offset keep their order.
    pub(super) fn finish(mut self) -> (Vec<Recovery>, usize) {
        self.kept.sort_by_key(|recovery| recovery.span.start);
        spread_doubt(&mut self.kept);
        (self.kept, self.omitted)
    }
}

/// Passes doubt on along edits that touch. In `[{{` the comma between the two
/// objects is certain only once the first is closed, which is guessed: inserted
/// alone it is a comma with nothing before it, and the next scan asks for
/// another one.
fn spread_doubt(kept: &mut [Recovery]) {
    if kept.iter().all(|recovery| recovery.certain) {
        return;
    }
    let mut edits: Vec<(usize, usize, usize)> = kept
        .iter()
        .enumerate()
        .flat_map(|(index, recovery)| {
            let ranges = recovery.edits.iter().map(|(range, _)| range);
            ranges.map(move |range| (range.start, range.end, index))
        })
        .collect();
    edits.sort_unstable();
    let mut touching: Vec<Vec<usize>> = vec![Vec::new(); kept.len()];
    for (&(_, end, one), &(start, _, other)) in edits.iter().zip(edits.iter().skip(1)) {
        if end >= start && one != other {
            touching[one].push(other);
            touching[other].push(one);
        }
    }
    let mut doubtful: Vec<usize> = (0..kept.len())
        .filter(|&index| !kept[index].certain)
        .collect();
    while let Some(index) = doubtful.pop() {
        for &neighbour in &touching[index] {
            if std::mem::replace(&mut kept[neighbour].certain, false) {
                doubtful.push(neighbour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_says_what_was_open() {
        let cases: [(&[Opening], &str); 4] = [
            (&[], "the text breaks off before the value"),
            (&[Opening::Text], "the text breaks off inside a string"),
            (
                &[
                    Opening::Object,
                    Opening::Array,
                    Opening::Object,
                    Opening::Text,
                ],
                "the text breaks off inside a string, with 2 objects and 1 array unclosed",
            ),
            (
                &[Opening::Array],
                "the text breaks off inside an array, with 1 array unclosed",
            ),
        ];
        for (open, expected) in cases {
            let kind = RecoveryKind::CutOff {
                open: open.to_vec(),
            };
            assert_eq!(kind.describe(), expected);
        }
    }

    #[test]
    fn what_touches_a_doubtful_edit_is_doubtful() {
        let cases = [
            // Between the objects a bracket is guessed, and the comma waits for it.
            ("[{{\"a\": 1}]", vec![(2, false), (2, false)]),
            // Nothing doubtful is near.
            ("{\"a\": 1 \"b\": 2}", vec![(7, true)]),
        ];
        for (source, expected) in cases {
            let got: Vec<(usize, bool)> = crate::json::scan(source, 0..source.len())
                .recoveries
                .iter()
                .map(|recovery| (recovery.span.start, recovery.certain))
                .collect();
            assert_eq!(got, expected, "{source}");
        }
    }
}
