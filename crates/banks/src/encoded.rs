//! Texts in other encodings than UTF-8, as spreadsheets and old exports write them: read as
//! text, and written back in the encoding they came in. Only where that gives the same bytes
//! is a file read so.

use std::ops::Range;

use redraft_text::encoding::{self, Encoding};

/// The text of a file that can be written back exactly; `None` for any other.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.to_owned());
    }
    let (text, encoding) = read(bytes)?;
    let is_exact = encoding::encode(&text, encoding).is_some_and(|again| again == bytes);
    is_exact.then_some(text)
}

/// A text in the encoding of a file; `None` if that cannot write it.
#[must_use]
pub fn encode_like(file: &[u8], text: &str) -> Option<Vec<u8>> {
    if std::str::from_utf8(file).is_ok() {
        return Some(text.as_bytes().to_vec());
    }
    let (_, encoding) = read(file)?;
    encoding::encode(text, encoding)
}

/// XML that is not in the encoding it names, or in UTF-8 where it names none: no reader of
/// XML takes it, or it reads other characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The encoding that it should be in.
    pub named: String,
    /// The first byte that shows that it is not.
    pub at: usize,
}

/// Whether XML is not in the encoding that it names.
#[must_use]
pub fn contradiction(bytes: &[u8]) -> Option<Contradiction> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    // A byte order mark says what it is.
    if first != Some(&b'<') || bytes.get(1) == Some(&0) {
        return None;
    }
    let label = declared(bytes).and_then(|range| bytes.get(range));
    let named = label.map_or("UTF-8".into(), String::from_utf8_lossy);
    let name = named.to_ascii_lowercase();
    let first_other = || bytes.iter().position(|byte| !byte.is_ascii());
    let at = match (name.as_str(), std::str::from_utf8(bytes)) {
        ("utf-8" | "utf8", text) => text.err()?.valid_up_to(),
        (name, _) if name.starts_with("utf-16") || name.starts_with("ucs") => 0,
        ("us-ascii" | "ascii", _) | (_, Ok(_)) => first_other()?,
        _ => return None,
    };
    Some(Contradiction {
        named: named.into_owned(),
        at,
    })
}

fn read(bytes: &[u8]) -> Option<(String, Encoding)> {
    if let Some(label) = declared(bytes).and_then(|range| bytes.get(range))
        && let Some(decoded) = encoding::decode_as(bytes, label)
    {
        return Some(decoded);
    }
    let decoded = encoding::decode(bytes);
    let is_text = !matches!(decoded.encoding, Encoding::Binary) && decoded.bad.is_empty();
    is_text.then_some((decoded.text, decoded.encoding))
}

/// Where an XML declaration names the encoding.
fn declared(bytes: &[u8]) -> Option<Range<usize>> {
    const LONGEST: usize = 200;
    let head = bytes.get(..bytes.len().min(LONGEST))?;
    if !head.starts_with(b"<?xml") {
        return None;
    }
    let find = |from: usize, sign: &[u8]| {
        let rest = head.get(from..)?;
        let at = rest.windows(sign.len()).position(|part| part == sign)?;
        Some(from + at)
    };
    let end = find(0, b"?>")?;
    let name = find(0, b"encoding").filter(|at| *at < end)?;
    let quote = (name..end).find(|at| matches!(head.get(*at), Some(b'"' | b'\'')))?;
    let close = (quote + 1..end).find(|at| head.get(*at) == head.get(quote))?;
    Some(quote + 1..close).filter(|label| !label.is_empty())
}
