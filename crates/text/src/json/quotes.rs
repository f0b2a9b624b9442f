//! Where a string ends. In valid JSON that is the next unescaped quote; models
//! forget to escape quotes inside, and sometimes to close. This file decides,
//! by looking at what follows a quote; it neither decodes nor records anything.
//!
//! A quote closes the string when what follows it (space skipped) is
//!
//! | following | and |
//! |---|---|
//! | the end of the text | |
//! | `:` | the string is a key; or, in a value, no inner quote is open and a value follows |
//! | `,` | a key (in objects) or a value (in arrays) seems to start after it, or nothing more comes |
//! | `}` `]` | the brackets are followed by what may follow brackets |
//! | a comment, `...`, a fence | |
//! | a key or value without a comma | a line ends in between, or no inner quote is open |
//!
//! Every other quote is an inner one. Inner quotes come in pairs, so while one
//! is open (their number is odd) a doubtful quote is taken as its partner: what
//! follows must then look like a whole key with its colon, or a whole value.
//! An inner quote after a comma or line break that starts a whole member shows
//! that the string was never closed: it ends before that comma.
//!
//! Valid JSON is always read as it is: each row holds for a real closing
//! quote. All looks ahead cross at most two quotes or a fixed window, so that
//! every byte is looked at a bounded number of times.

use memchr::{memchr, memchr2, memchr3};

use super::tree::Quotes;
use super::trivia::Text;
use super::words;

/// What a string is in its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Root,
    Key,
    /// The value of a member.
    Member,
    /// An element of an array.
    Item,
}

/// What surrounds a string, as far as it affects where the string ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) role: Role,
    /// How many arrays and objects are open around it.
    pub(super) depth: usize,
    /// Whether the object around it is itself an element of an array.
    pub(super) object_in_array: bool,
    /// Take the next quote, whatever follows. See [`Ending::Fallback`].
    pub(super) trust_quotes: bool,
}

/// How a string ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// With a quote of this many bytes.
    Quote(usize),
    /// No quote closed it, so that it ran to the end of the text; it was ended
    /// at the first quote that might have, of this many bytes. From here on
    /// quotes are better taken at their word: one doubtful string must not
    /// swallow the rest of the document twice.
    Fallback(usize),
    /// Without a quote, because the next member begins.
    Missing,
    /// With the text.
    Cut,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StringEnd {
    /// The end of what is between the quotes.
    pub(super) at: usize,
    pub(super) ending: Ending,
    /// Whether its inner quotes, if any, come in pairs and none was doubtful.
    pub(super) clear: bool,
}

/// The quotes that open a string at `at`, and their length.
pub(super) fn opening_quote(text: Text<'_>, at: usize) -> Option<(Quotes, usize)> {
    let quotes = match text.byte(at)? {
        b'"' => return Some((Quotes::Double, 1)),
        b'\'' => return Some((Quotes::Single, 1)),
        // Three of them are a fence, not a string.
        b'`' if text.starts_with(at, "```") => return None,
        b'`' => return Some((Quotes::Backtick, 1)),
        0xe2 => match text.char(at)? {
            '\u{201c}'..='\u{201f}' => Quotes::TypographicDouble,
            '\u{2018}'..='\u{201b}' => Quotes::TypographicSingle,
            _ => return None,
        },
        _ => return None,
    };
    Some((quotes, 3))
}

/// The length of the quote at `at` that can close a string opened by `quotes`.
fn closing_quote(text: Text<'_>, at: usize, quotes: Quotes) -> Option<usize> {
    let closes = |c: char| match quotes {
        Quotes::Double => c == '"',
        Quotes::Single => c == '\'',
        Quotes::Backtick => matches!(c, '`' | '´'),
        Quotes::TypographicDouble => matches!(c, '"' | '\u{201c}'..='\u{201f}'),
        Quotes::TypographicSingle => matches!(c, '\'' | '\u{2018}'..='\u{201b}'),
        Quotes::Bare | Quotes::Foreign(_) => false,
    };
    text.char(at).filter(|&c| closes(c)).map(char::len_utf8)
}

/// Finds the end of the string whose inside starts at `inner`.
pub(super) fn find_end(
    text: Text<'_>,
    inner: usize,
    quotes: Quotes,
    context: Context,
) -> StringEnd {
    let mut at = inner;
    let mut inner_quotes = 0_usize;
    let mut clear = true;
    let mut first_doubtful = None;
    while let Some((quote, len)) = next_quote(text, at, quotes, text.len()) {
        let after = quote + len;
        let balance = if inner_quotes.is_multiple_of(2) {
            Balance::Even
        } else {
            Balance::Odd
        };
        let verdict = Look {
            text,
            context,
            balance,
        }
        .at_quote(after);
        if verdict == Verdict::Closes || context.trust_quotes {
            let clear = clear && balance == Balance::Even;
            return StringEnd {
                at: quote,
                ending: Ending::Quote(len),
                clear,
            };
        }
        if let Some(end) = unclosed_before(text, inner, quote, context.role) {
            return StringEnd {
                at: end,
                ending: Ending::Missing,
                clear: false,
            };
        }
        if verdict == Verdict::Doubtful {
            clear = false;
            first_doubtful.get_or_insert((quote, len));
        }
        inner_quotes += 1;
        at = after;
    }
    match first_doubtful {
        Some((at, len)) => StringEnd {
            at,
            ending: Ending::Fallback(len),
            clear: false,
        },
        None => StringEnd {
            at: text.len(),
            ending: Ending::Cut,
            clear: false,
        },
    }
}

/// The next unescaped quote before `limit` that may close a string.
fn next_quote(text: Text<'_>, from: usize, quotes: Quotes, limit: usize) -> Option<(usize, usize)> {
    let (ascii, lead) = match quotes {
        Quotes::Double => (b'"', b'"'),
        Quotes::Single => (b'\'', b'\''),
        // An acute accent, the usual partner of a backtick, starts with 0xc2.
        Quotes::Backtick => (b'`', 0xc2),
        Quotes::TypographicDouble => (b'"', 0xe2),
        Quotes::TypographicSingle => (b'\'', 0xe2),
        Quotes::Bare | Quotes::Foreign(_) => return None,
    };
    let mut at = from;
    loop {
        let rest = text.bytes().get(at..limit)?;
        let found = at + memchr3(ascii, lead, b'\\', rest)?;
        if text.byte(found) == Some(b'\\') {
            at = found + 2;
        } else if let Some(len) = closing_quote(text, found, quotes) {
            return Some((found, len));
        } else {
            at = found + 1;
        }
    }
}

/// If the inner quote at `quote` really begins the next member or element, the
/// end of the string before it.
fn unclosed_before(text: Text<'_>, inner: usize, quote: usize, role: Role) -> Option<usize> {
    let before = text.slice(inner..quote);
    let kept = before.trim_end_matches([' ', '\t', '\r', '\n']);
    let newline = before.get(kept.len()..)?.contains('\n');
    let without_comma = kept.strip_suffix(',');
    let begins = match role {
        Role::Member => {
            (newline || without_comma.is_some())
                && string_then(text, quote, Role::Member) == Some(true)
        }
        Role::Item => {
            newline && without_comma.is_some() && string_then(text, quote, Role::Item) == Some(true)
        }
        Role::Root | Role::Key => false,
    };
    let end = inner + without_comma.unwrap_or(kept).len();
    // `"a": ","b"` is an inner quote after a comma, not an empty string.
    (begins && end > inner).then_some(end)
}

/// How far ahead a string in odd quotes is looked through: its opening and
/// closing marks differ, so that many openings could share one far closing.
const ODD_QUOTES_WINDOW: usize = 256;

/// Whether the string that opens at `at` is followed by what follows a key
/// (`Role::Member`: the next member's) or an element (`Role::Item`). Nothing if
/// it does not end on its line or within the window.
fn string_then(text: Text<'_>, at: usize, role: Role) -> Option<bool> {
    let (quotes, len) = opening_quote(text, at)?;
    let from = at + len;
    let limit = match quotes {
        Quotes::Double => text.len(),
        _ => text.len().min(from + ODD_QUOTES_WINDOW),
    };
    let Some((end, len)) = next_quote(text, from, quotes, limit) else {
        return (limit == text.len()).then_some(true);
    };
    if text
        .bytes()
        .get(from..end)
        .is_some_and(|key| memchr(b'\n', key).is_some())
    {
        return None;
    }
    let next = text.skip_space(end + len);
    Some(match (text.byte(next.at), role) {
        (None, _) => true,
        (Some(b':'), Role::Member) => words::value_at(text, next.at + 1),
        (Some(b',' | b']' | b'}'), Role::Item) => true,
        (Some(_), Role::Item) => next.newline || text.comment_at(next.at),
        _ => false,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Closes,
    /// An inner quote, although a closing one could be here.
    Doubtful,
    Inner,
}

impl Verdict {
    const fn closes_if(closes: bool) -> Self {
        if closes { Self::Closes } else { Self::Doubtful }
    }
}

/// Whether an inner quote is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Balance {
    Even,
    Odd,
}

/// A look at what follows a quote.
struct Look<'s> {
    text: Text<'s>,
    context: Context,
    balance: Balance,
}

impl Look<'_> {
    fn even(&self) -> bool {
        self.balance == Balance::Even
    }

    fn at_quote(&self, after: usize) -> Verdict {
        let gap = self.text.skip_space(after);
        let Some(byte) = self.text.byte(gap.at) else {
            return Verdict::Closes;
        };
        match self.context.role {
            Role::Root => self.root(after),
            Role::Key => self.key(byte, gap.at),
            Role::Member | Role::Item => self.value(byte, gap.at, gap.newline),
        }
    }

    /// A string that is the whole document: what follows may be anything, so
    /// only a further quote speaks against the end.
    fn root(&self, after: usize) -> Verdict {
        let gap = self.text.skip_space(after);
        let ends = gap.newline
            || matches!(
                self.text.byte(gap.at),
                Some(b',' | b';' | b')' | b'}' | b']')
            )
            || !more_quotes(self.text, gap.at);
        if ends {
            Verdict::Closes
        } else {
            Verdict::Inner
        }
    }

    fn key(&self, byte: u8, at: usize) -> Verdict {
        match byte {
            b':' | b',' | b'}' | b']' | b'=' => Verdict::Closes,
            _ if self.text.comment_at(at) => Verdict::Closes,
            _ if self.even() && words::value_at(self.text, at) => Verdict::Closes,
            _ => Verdict::Inner,
        }
    }

    fn value(&self, byte: u8, at: usize, newline: bool) -> Verdict {
        let text = self.text;
        let role = self.context.role;
        match byte {
            b',' => Verdict::closes_if(self.comma(at + 1)),
            b'}' | b']' => Verdict::closes_if(self.closer(at)),
            b':' => {
                if self.even() && words::value_at(text, at + 1) {
                    Verdict::Closes
                } else {
                    Verdict::Inner
                }
            }
            _ if text.comment_at(at) => Verdict::closes_if(self.even() || newline),
            b'`' if text.starts_with(at, "```") => Verdict::Closes,
            _ if text.ellipsis_at(at).is_some() => Verdict::closes_if(self.even() || newline),
            _ => {
                let apart = newline || self.even();
                let starts = match role {
                    _ if opening_quote(text, at).is_some() => {
                        string_then(text, at, role) == Some(true)
                    }
                    _ if matches!(byte, b'{' | b'[') => {
                        (role == Role::Item || self.context.object_in_array)
                            && opens_container(text, at)
                    }
                    Role::Item => words::plain_value_at(text, at),
                    _ => newline && words::bare_member_at(text, at),
                };
                match (apart && starts, newline) {
                    (true, _) => Verdict::Closes,
                    (false, true) => Verdict::Doubtful,
                    (false, false) => Verdict::Inner,
                }
            }
        }
    }

    /// Whether the text after a comma lets the string end before it.
    fn comma(&self, from: usize) -> bool {
        let text = self.text;
        let at = text.skip_space(from).at;
        let Some(byte) = text.byte(at) else {
            return true;
        };
        match byte {
            b'}' | b']' => self.even() || self.closer(at),
            b',' => self.even(),
            b'"' if self.even() => true,
            _ if text.comment_at(at) || text.ellipsis_at(at).is_some() => self.even(),
            _ if opening_quote(text, at).is_some() => {
                string_then(text, at, self.context.role) == Some(true)
            }
            b'{' | b'[' => match self.context.role {
                Role::Item => self.even() || opens_container(text, at),
                _ => self.context.object_in_array && opens_container(text, at),
            },
            _ if self.context.role == Role::Item => words::plain_value_at(text, at),
            _ => words::bare_member_at(text, at),
        }
    }

    /// Whether closing brackets at `at` are real ones: after them comes a
    /// comma, a line break, the end. The bracket that closes the root may be
    /// followed by anything.
    fn closer(&self, at: usize) -> bool {
        let text = self.text;
        let mut next = text.skip_space(at + 1);
        let mut closed = 1;
        while closed < CLOSERS_WINDOW
            && closed < self.context.depth
            && matches!(text.byte(next.at), Some(b'}' | b']'))
        {
            closed += 1;
            next = text.skip_space(next.at + 1);
        }
        if self.even() && closed >= self.context.depth {
            return true;
        }
        match text.byte(next.at) {
            None | Some(b'}' | b']') => true,
            Some(b',') if self.even() => true,
            Some(b',') => {
                let after = text.skip_space(next.at + 1).at;
                matches!(text.byte(after), None | Some(b'{' | b'[' | b'}' | b']'))
                    || string_then(text, after, Role::Member) == Some(true)
                    || string_then(text, after, Role::Item) == Some(true)
            }
            Some(b'`') => text.starts_with(next.at, "```"),
            Some(b'{' | b'[') => self.even(),
            Some(_) => next.newline || text.comment_at(next.at),
        }
    }
}

/// How many closing brackets in a row are looked at.
const CLOSERS_WINDOW: usize = 32;

/// Whether a bracket at `at` opens an array or object, not a remark in prose.
fn opens_container(text: Text<'_>, at: usize) -> bool {
    let next = text.skip_space(at + 1).at;
    match text.byte(next) {
        None | Some(b'{' | b'[' | b'}' | b']') => true,
        Some(_) => opening_quote(text, next).is_some() || words::plain_value_at(text, next),
    }
}

/// Whether a double quote comes on the rest of the line.
fn more_quotes(text: Text<'_>, from: usize) -> bool {
    let rest = text.bytes().get(from..).unwrap_or_default();
    memchr2(b'"', b'\n', rest).is_some_and(|found| rest.get(found) == Some(&b'"'))
}

/// Whether a key with its colon is at `at`.
pub(super) fn key_at(text: Text<'_>, at: usize) -> bool {
    string_then(text, at, Role::Member) == Some(true) || words::bare_member_at(text, at)
}
