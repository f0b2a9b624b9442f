//! A tolerant reader of HTML tags: where they are, their names and attributes, as a
//! browser would take them. Costs time linear in the text. It knows nothing of what
//! is dangerous.

use std::ops::Range;

/// An opening tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub range: Range<usize>,
    /// In small letters, without a namespace.
    pub name: String,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// In small letters.
    pub name: String,
    /// Entities resolved; `None` for an attribute without a value.
    pub value: Option<String>,
}

impl Tag {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name)
            .and_then(|attribute| attribute.value.as_deref())
    }
}

/// The opening tag at a `<`, if there is one.
pub fn tag_at(text: &str, start: usize) -> Option<Tag> {
    let bytes = text.as_bytes();
    let name_start = start + 1;
    if !bytes.get(name_start)?.is_ascii_alphabetic() {
        return None;
    }
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<');
    let name_end = bytes[name_start..]
        .iter()
        .position(ends_name)
        .map_or(bytes.len(), |at| name_start + at);
    let name = text.get(name_start..name_end)?.to_ascii_lowercase();
    let mut at = name_end;
    let mut attributes = Vec::new();
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'>' => {
                at += 1;
                break;
            }
            b'<' => break,
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => break,
            _ if byte.is_ascii_whitespace() || byte == b'/' => at += 1,
            _ => {
                let (attribute, end) = attribute_at(text, at);
                attributes.push(attribute);
                at = end.max(at + 1);
            }
        }
    }
    Some(Tag {
        range: start..at,
        name: name.rsplit(':').next().unwrap_or_default().to_owned(),
        attributes,
    })
}

fn attribute_at(text: &str, start: usize) -> (Attribute, usize) {
    let bytes = text.as_bytes();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'=' | b'<');
    // A sign of equality at the beginning belongs to the name.
    let from = start + usize::from(bytes.get(start) == Some(&b'='));
    let end = bytes[from..]
        .iter()
        .position(ends)
        .map_or(bytes.len(), |at| from + at);
    let name = text
        .get(start..end)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let blanks = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count()
    };
    let equals = blanks(end);
    if bytes.get(equals) != Some(&b'=') {
        return (Attribute { name, value: None }, end);
    }
    let (value, end) = value_at(text, blanks(equals + 1));
    let value = Some(entities_resolved(&text[value]));
    (Attribute { name, value }, end)
}

/// The extent of a value without its quotes, and where it ends with them.
fn value_at(text: &str, at: usize) -> (Range<usize>, usize) {
    let bytes = text.as_bytes();
    let quote = bytes
        .get(at)
        .copied()
        .filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    // JSON writes a quotation mark with a backslash.
    let escaped = bytes
        .get(at..at + 2)
        .filter(|two| matches!(two, [b'\\', b'"' | b'\'']));
    if let Some(quote) = quote.filter(|quote| *quote != b'`') {
        let inner = at + 1;
        if let Some(length) = memchr::memchr(quote, &bytes[inner..]) {
            return (inner..inner + length, inner + length + 1);
        }
    }
    if escaped.is_some() {
        let inner = at + 2;
        if let Some(length) = memchr::memmem::find(&bytes[inner..], &bytes[at..at + 2]) {
            return (inner..inner + length, inner + length + 2);
        }
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'<');
    let end = at + rest.iter().position(ends).unwrap_or(rest.len());
    (at..end, end)
}

/// A text with its entities resolved, also those without a semicolon.
pub fn entities_resolved(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        resolved.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = entity(rest).unwrap_or(('&', 1));
        resolved.push(c);
        rest = &rest[length..];
    }
    resolved.push_str(rest);
    resolved
}

fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: &[(&str, char)] = &[
        ("&colon;", ':'),
        ("&tab;", '\t'),
        ("&newline;", '\n'),
        ("&lpar;", '('),
        ("&rpar;", ')'),
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&apos;", '\''),
        ("&nbsp;", ' '),
        ("&sol;", '/'),
        ("&comma;", ','),
        ("&period;", '.'),
        ("&zerowidthspace;", '\u{200b}'),
    ];
    let named = NAMED.iter().find(|(name, _)| {
        text.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    });
    if let Some((name, c)) = named {
        return Some((*c, name.len()));
    }
    let digits = text.strip_prefix("&#")?;
    let (digits, radix, lead) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 3),
        None => (digits, 10, 2),
    };
    let length = digits
        .bytes()
        .take(9)
        .take_while(|byte| char::from(*byte).is_digit(radix))
        .count();
    let number = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
    Some((char::from_u32(number)?, lead + length + semicolon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_a_browser_does() {
        for (text, name, attributes) in [
            ("<b>", "b", vec![]),
            (
                "<IMG SRC=x onError='a b'>",
                "img",
                vec![("src", Some("x")), ("onerror", Some("a b"))],
            ),
            ("<a/href=\"j&#97;va\">", "a", vec![("href", Some("java"))]),
            ("<div hidden>", "div", vec![("hidden", None)]),
            ("<svg:script x = y>", "script", vec![("x", Some("y"))]),
            ("<a\nhref\n=\n'x'>", "a", vec![("href", Some("x"))]),
            (
                "<p x=\"never closed>",
                "p",
                vec![("x", Some("\"never")), ("closed", None)],
            ),
        ] {
            let tag = tag_at(text, 0).unwrap();
            assert_eq!(tag.name, name, "{text}");
            let found: Vec<(&str, Option<&str>)> = tag
                .attributes
                .iter()
                .map(|attribute| (attribute.name.as_str(), attribute.value.as_deref()))
                .collect();
            assert_eq!(found, attributes, "{text}");
        }
        for text in ["<", "< b", "</b>", "<1", "<!-- x -->"] {
            assert_eq!(tag_at(text, 0), None, "{text}");
        }
    }

    #[test]
    fn entities_are_resolved_with_and_without_their_end() {
        assert_eq!(
            entities_resolved("j&#97;v&#x61;s&colon;&Tab;&#106x & co"),
            "javas:\tjx & co"
        );
    }
}
