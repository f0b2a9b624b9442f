//! HTML as a reader sees it: tags fall away, blocks begin on a new line, entities are
//! what they stand for. A tag that does something (a script, a frame, a handler, a link
//! to code) stays as it is written, so that the checks see it.

use crate::units::Unit;

/// Tags that begin a line of their own.
const BLOCKS: &[&str] = &[
    "p",
    "br",
    "div",
    "li",
    "ul",
    "ol",
    "tr",
    "table",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "blockquote",
    "hr",
];

/// Tags that are never taken for decoration.
const ACTIVE: &[&str] = &[
    "script", "iframe", "object", "embed", "form", "input", "button", "style", "link", "meta",
    "base", "svg", "frame", "frameset", "applet",
];

const ENTITIES: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("deg", '°'),
    ("micro", 'µ'),
    ("plusmn", '±'),
    ("times", '×'),
    ("divide", '÷'),
    ("minus", '−'),
    ("le", '≤'),
    ("ge", '≥'),
    ("ne", '≠'),
    ("asymp", '≈'),
    ("rarr", '→'),
    ("larr", '←'),
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("mu", 'μ'),
    ("pi", 'π'),
    ("omega", 'ω'),
    ("euro", '€'),
    ("pound", '£'),
    ("copy", '©'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("frac12", '½'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("aacute", 'á'),
    ("eacute", 'é'),
    ("iacute", 'í'),
    ("oacute", 'ó'),
    ("uacute", 'ú'),
    ("agrave", 'à'),
    ("egrave", 'è'),
    ("ecirc", 'ê'),
    ("acirc", 'â'),
    ("ocirc", 'ô'),
    ("icirc", 'î'),
    ("ccedil", 'ç'),
    ("ntilde", 'ñ'),
    ("atilde", 'ã'),
    ("otilde", 'õ'),
    ("iquest", '¿'),
    ("iexcl", '¡'),
    ("oslash", 'ø'),
    ("aring", 'å'),
    ("aelig", 'æ'),
];

/// The predefined entities of XML and the numbered ones.
pub(crate) fn xml_entity(name: &str) -> Option<char> {
    match name {
        "amp" | "lt" | "gt" | "quot" | "apos" => named(name),
        _ => numbered(name),
    }
}

fn named(name: &str) -> Option<char> {
    ENTITIES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, c)| *c)
}

fn numbered(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(code).filter(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'))
}

/// Replaces entities by what they stand for.
pub(crate) fn entities(units: &[Unit], of: fn(&str) -> Option<char>) -> Vec<Unit> {
    const LONGEST: usize = 10;
    let mut decoded = Vec::with_capacity(units.len());
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        if unit.c == '&' {
            let rest = units.get(at + 1..).unwrap_or_default();
            let name: String = rest
                .iter()
                .take(LONGEST)
                .map(|unit| unit.c)
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '#')
                .collect();
            let end = rest.get(name.len()).filter(|unit| unit.c == ';');
            if let Some(end) = end
                && let Some(c) = of(&name)
            {
                decoded.push(Unit {
                    c,
                    start: unit.start,
                    end: end.end,
                });
                at += name.len() + 2;
                continue;
            }
        }
        decoded.push(*unit);
        at += 1;
    }
    decoded
}

/// HTML as it is read.
pub(crate) fn visible(units: &[Unit]) -> Vec<Unit> {
    let mut seen = Vec::with_capacity(units.len());
    let mut at = 0;
    // The text between two tags.
    let mut text_from = 0;
    // Once a comment is not closed, none after it is; each would be sought to the end.
    let mut comments = Comments::MayClose;
    while let Some(unit) = units.get(at) {
        let tag = (unit.c == '<').then(|| Tag::at(units, at, &mut comments));
        let Some(tag) = tag.flatten() else {
            at += 1;
            continue;
        };
        add_text(&mut seen, units, text_from..at);
        if tag.is_active {
            seen.extend(units.get(at..tag.end).unwrap_or_default());
        } else if tag.is_block {
            let end = units.get(tag.end - 1).map_or(unit.end, |unit| unit.end);
            seen.push(Unit {
                c: '\n',
                start: unit.start,
                end,
            });
        }
        at = tag.end;
        text_from = at;
    }
    add_text(&mut seen, units, text_from..units.len());
    without_language_tags(seen)
}

/// Text without `{mlang de}` and `{mlang}`, between which Moodle shows the words of one
/// language. The words of each language are on a line of their own.
pub(crate) fn without_language_tags(units: Vec<Unit>) -> Vec<Unit> {
    let tag = |at: usize| -> Option<usize> {
        const LONGEST: usize = 60;
        let rest = units.get(at..)?;
        let begins = "{mlang"
            .chars()
            .zip(rest)
            .all(|(c, unit)| unit.c.eq_ignore_ascii_case(&c));
        let inner = rest.iter().take(LONGEST).skip("{mlang".len());
        let end = inner
            .clone()
            .position(|unit| unit.c == '}')
            .filter(|_| begins)?;
        let is_code = |unit: &Unit| unit.c.is_ascii_alphanumeric() || " ,-_".contains(unit.c);
        let is_apart = end == 0 || inner.clone().next().is_some_and(|unit| unit.c == ' ');
        let is_named = is_apart && inner.take(end).all(is_code);
        is_named.then_some(at + "{mlang".len() + end + 1)
    };
    if !units.iter().any(|unit| unit.c == '{') {
        return units;
    }
    let mut seen: Vec<Unit> = Vec::with_capacity(units.len());
    let mut at = 0;
    while let Some(unit) = units.get(at) {
        let Some(end) = (unit.c == '{').then(|| tag(at)).flatten() else {
            seen.push(*unit);
            at += 1;
            continue;
        };
        if let Some(last) = seen.last().filter(|last| !last.c.is_whitespace()) {
            let line_break = Unit {
                c: '\n',
                start: last.end,
                end: last.end,
            };
            seen.push(line_break);
        }
        at = end;
    }
    seen
}

fn add_text(seen: &mut Vec<Unit>, units: &[Unit], range: std::ops::Range<usize>) {
    let text = units.get(range).unwrap_or_default();
    seen.extend(entities(text, |name| {
        named(name).or_else(|| numbered(name))
    }));
}

/// Whether comments from here on can be closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    MayClose,
    NeverClose,
}

struct Tag {
    /// The index after it.
    end: usize,
    is_block: bool,
    is_active: bool,
}

impl Tag {
    /// The tag or comment that begins at an index; `None` for a bare `<`.
    fn at(units: &[Unit], at: usize, comments: &mut Comments) -> Option<Self> {
        let c = |index: usize| units.get(index).map(|unit| unit.c);
        if c(at + 1) == Some('!') {
            return Self::comment(units, at, comments);
        }
        let name_at = at + 1 + usize::from(c(at + 1) == Some('/'));
        let name: String = units
            .get(name_at..)?
            .iter()
            .take(12)
            .map(|unit| unit.c.to_ascii_lowercase())
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let mut quote = None;
        let mut attributes = String::new();
        let mut end = name_at + name.len();
        loop {
            let c = c(end)?;
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => {}
                None if c == '>' => break,
                // Another tag begins: this was none.
                None if c == '<' => return None,
                None if c == '"' || c == '\'' => quote = Some(c),
                None => {}
            }
            attributes.push(c.to_ascii_lowercase());
            end += 1;
        }
        Some(Self {
            end: end + 1,
            is_block: BLOCKS.contains(&name.as_str()),
            is_active: ACTIVE.contains(&name.as_str()) || does_something(&attributes),
        })
    }

    fn comment(units: &[Unit], at: usize, comments: &mut Comments) -> Option<Self> {
        let is = |from: usize, signs: &str| {
            signs
                .chars()
                .enumerate()
                .all(|(index, sign)| units.get(from + index).map(|unit| unit.c) == Some(sign))
        };
        if *comments == Comments::NeverClose || !is(at, "<!--") {
            return None;
        }
        let Some(end) = (at + 4..units.len()).find(|index| is(*index, "-->")) else {
            *comments = Comments::NeverClose;
            return None;
        };
        Some(Self {
            end: end + 3,
            is_block: false,
            is_active: false,
        })
    }
}

/// Whether attributes hold a handler, code or a way to hide.
fn does_something(attributes: &str) -> bool {
    let packed: String = attributes.chars().filter(|c| !c.is_whitespace()).collect();
    let has_handler = attributes
        .split(|c: char| c.is_whitespace() || c == '/' || c == '"' || c == '\'')
        .any(|word| word.starts_with("on") && word.len() > 4 && word.contains('='));
    has_handler
        || packed.contains("javascript:")
        || packed.contains("vbscript:")
        || packed.contains("data:text")
        || packed.contains("srcdoc=")
        || packed.contains("display:none")
        || packed.contains("visibility:hidden")
}
