//! Turns the bytes of a file into text, and remembers how offsets of the text
//! lead back to the file. It knows bytes and characters only: neither JSON nor
//! Markdown, nor what becomes of a damaged character.

mod byte_map;
/// Where a text was decoded with the wrong encoding before it was saved as UTF-8 (`Ã©` for
/// `é`, `РџСЂ` for `Пр`), and the name of that encoding. Nearly all that is not ASCII must
/// be whole characters when it is decoded again.
#[must_use]
pub fn decoded_wrongly(text: &str) -> Option<(Range<usize>, &'static str)> {
    const FEWEST: usize = 3;
    const TIMES: usize = 4;
    if text.is_ascii() {
        return None;
    }
    // What could not be decoded tells nothing.
    let runs = || {
        let is_known = |run: &&str| !run.contains(char::REPLACEMENT_CHARACTER);
        runs_beyond_ascii(text).filter(move |run| is_known(&&text[run.clone()]))
    };
    [WINDOWS_1252, WINDOWS_1251]
        .into_iter()
        .find_map(|letters| {
            let mut whole = runs().filter(|run| letters.are_whole_characters(&text[run.clone()]));
            let first = whole.next()?;
            let whole = 1 + whole.count();
            let others = runs().count() - whole;
            let is_wrong = whole >= FEWEST && whole >= TIMES * others;
            is_wrong.then(|| (first, letters.charset.name()))
        })
}

/// An encoding of single bytes, with the characters of those bytes by which a character
/// of several bytes begins in UTF-8, and of those by which none goes on.
#[derive(Clone, Copy)]
struct SingleBytes {
    charset: &'static Charset,
    begin: (char, char),
    never_go_on: (char, char),
}

const WINDOWS_1252: SingleBytes = SingleBytes {
    charset: encoding_rs::WINDOWS_1252,
    begin: ('Â', 'ô'),
    never_go_on: ('À', 'ÿ'),
};

const WINDOWS_1251: SingleBytes = SingleBytes {
    charset: encoding_rs::WINDOWS_1251,
    begin: ('В', 'ф'),
    never_go_on: ('А', 'я'),
};

impl SingleBytes {
    /// Whether a run of characters beyond ASCII is whole characters of UTF-8 if it is decoded
    /// again. Hardly a word begins as if it were.
    fn are_whole_characters(self, run: &str) -> bool {
        let within = |c: char, (first, last): (char, char)| (first..=last).contains(&c);
        let mut chars = run.chars();
        let may_be = chars.next().is_some_and(|c| within(c, self.begin))
            && chars.next().is_some_and(|c| !within(c, self.never_go_on));
        if !may_be {
            return false;
        }
        let (bytes, _, is_lossy) = self.charset.encode(run);
        !is_lossy && std::str::from_utf8(&bytes).is_ok_and(|read| !read.contains(char::is_control))
    }
}

/// The runs of characters that are not ASCII.
fn runs_beyond_ascii(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.as_bytes().get(at..)?;
        let start = at + rest.iter().position(|byte| !byte.is_ascii())?;
        let length = text.as_bytes()[start..].iter().position(u8::is_ascii);
        at = length.map_or(text.len(), |length| start + length);
        Some(start..at)
    })
}

#[cfg(test)]
mod tests;

use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding as Charset};

pub use byte_map::ByteMap;
use byte_map::RunKind;

/// What the bytes of a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, possibly with a few damaged sequences.
    Utf8,
    /// UTF-8 with a byte order mark, which stays in the text as U+FEFF.
    Utf8WithBom,
    /// UTF-16, little end first, with or without a byte order mark.
    Utf16Le,
    /// UTF-16, big end first, with or without a byte order mark.
    Utf16Be,
    /// An older encoding, by its WHATWG name (`windows-1251`, `GBK`, …).
    Legacy(&'static str),
    /// Not text. The decoded text is empty.
    Binary,
}

/// The text of a file, and how it was obtained.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The text; empty for [`Encoding::Binary`].
    pub text: String,
    /// What the bytes were.
    pub encoding: Encoding,
    /// From text offsets to file offsets. `None`: they are the same.
    pub map: Option<ByteMap>,
    /// Sequences that are no character in this encoding, in order.
    pub bad: Vec<BadBytes>,
}

/// Bytes that are not a character; the text has one U+FFFD instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBytes {
    /// Where the bytes are in the file.
    pub file_range: Range<usize>,
    /// Where the U+FFFD is in the text.
    pub text_range: Range<usize>,
}

/// Reads `bytes` as text. Never fails: what is no text is [`Encoding::Binary`].
pub fn decode(bytes: &[u8]) -> Decoded {
    if has_binary_magic(bytes) {
        return binary();
    }
    if let Some(order) = utf16_order(bytes) {
        return decode_utf16(bytes, order);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !has_many_controls(bytes, 10) => Decoded {
            text: text.to_owned(),
            encoding: utf8_kind(bytes),
            map: None,
            bad: Vec::new(),
        },
        Ok(_) => binary(),
        // Legacy text holds no control characters at all, so the limit is
        // tighter than for what is already known to be UTF-8.
        Err(_) if has_many_controls(bytes, 20) => binary(),
        Err(error) => decode_damaged(bytes, error.valid_up_to()),
    }
}

/// The edits, on byte ranges of the file, that turn it into the UTF-8 `text`
/// of `decoded`: nothing for clean UTF-8, the differing ranges for a legacy
/// encoding or damaged UTF-8, the whole file for UTF-16. Binary files get no
/// edit, because their text is not what they hold.
pub fn reencode_edits(decoded: &Decoded, bytes: &[u8]) -> Vec<(Range<usize>, String)> {
    let Some(map) = &decoded.map else {
        return Vec::new();
    };
    if matches!(decoded.encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
        return vec![(0..bytes.len(), decoded.text.clone())];
    }
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (index, run) in map.runs.iter().enumerate() {
        if run.kind == RunKind::Copied {
            continue;
        }
        let (text_end, file_end) = map.end_of(index);
        let replacement = decoded.text.get(run.text..text_end).unwrap_or_default();
        match edits.last_mut() {
            Some((range, text)) if range.end == run.file => {
                range.end = file_end;
                text.push_str(replacement);
            }
            _ => edits.push((run.file..file_end, replacement.to_owned())),
        }
    }
    edits
}

/// The text of a file in an encoding that is named, such as `ISO-8859-1`; `None` if no
/// encoding has that name, or the bytes are not text in it.
#[must_use]
pub fn decode_as(bytes: &[u8], label: &[u8]) -> Option<(String, Encoding)> {
    let charset = Charset::for_label_no_replacement(label)?;
    // Its name in a text of bytes is a mistake; the bytes tell better.
    if charset == encoding_rs::UTF_8 || charset.output_encoding() != charset {
        return None;
    }
    let text = charset.decode_without_bom_handling_and_without_replacement(bytes)?;
    Some((text.into_owned(), Encoding::Legacy(charset.name())))
}

/// A text as bytes of an encoding; `None` if it has characters that are not in it.
#[must_use]
pub fn encode(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    match encoding {
        Encoding::Utf8 | Encoding::Utf8WithBom => Some(text.as_bytes().to_vec()),
        Encoding::Utf16Le => Some(units(u16::to_le_bytes)),
        Encoding::Utf16Be => Some(units(u16::to_be_bytes)),
        Encoding::Legacy(name) => {
            let charset = Charset::for_label_no_replacement(name.as_bytes())?;
            let (bytes, _, has_unmappable) = charset.encode(text);
            (!has_unmappable).then(|| bytes.into_owned())
        }
        Encoding::Binary => None,
    }
}

/// Collects text, map and damage in one pass over the file.
#[derive(Default)]
struct Builder {
    text: String,
    map: ByteMap,
    bad: Vec<BadBytes>,
}

impl Builder {
    fn copied(&mut self, text: &str) {
        self.text.push_str(text);
        self.map.push_run(1, 1, text.len(), RunKind::Copied);
    }

    fn converted(&mut self, text: &str, file_len: usize) {
        self.text.push_str(text);
        self.map.push(text.len(), file_len, RunKind::Converted);
    }

    fn bad(&mut self, file_len: usize) {
        let (text, file) = (self.map.text_len, self.map.file_len);
        self.converted("\u{FFFD}", file_len);
        self.bad.push(BadBytes {
            file_range: file..file + file_len,
            text_range: text..self.map.text_len,
        });
    }

    fn finish(self, encoding: Encoding) -> Decoded {
        Decoded {
            text: self.text,
            encoding,
            map: Some(self.map),
            bad: self.bad,
        }
    }
}

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

fn utf8_kind(bytes: &[u8]) -> Encoding {
    if bytes.starts_with(UTF8_BOM) {
        Encoding::Utf8WithBom
    } else {
        Encoding::Utf8
    }
}

fn binary() -> Decoded {
    Decoded {
        text: String::new(),
        encoding: Encoding::Binary,
        map: None,
        bad: Vec::new(),
    }
}

/// File types whose first bytes settle the matter, even where the rest would
/// pass for some legacy encoding. Magic numbers that are plain letters (GIF,
/// RIFF) are left to the count of control characters: a lesson may begin so.
fn has_binary_magic(bytes: &[u8]) -> bool {
    const MAGIC: [&[u8]; 10] = [
        b"\x89PNG\r\n\x1A\n",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"%PDF-1.",
        b"%PDF-2.",
        b"\xFF\xD8\xFF",
        b"\x1F\x8B\x08",
        b"\x7FELF",
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        b"7z\xBC\xAF\x27\x1C",
    ];
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
}

/// Whether a byte is a control character that no text editor writes.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t'..=b'\r' | 0x1B)
}

/// Whether more than one byte in `one_in` is a control character that no text
/// editor writes. Fewer than eight never count: model output does hold the odd
/// NUL.
fn has_many_controls(bytes: &[u8], one_in: usize) -> bool {
    let controls = bytes.iter().filter(|&&byte| is_control(byte)).count();
    controls >= 8 && controls.saturating_mul(one_in) > bytes.len()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOrder {
    LittleEnd,
    BigEnd,
}

/// The byte order, if this is UTF-16: by its mark, or without one where the
/// high bytes are unmistakable.
fn utf16_order(bytes: &[u8]) -> Option<ByteOrder> {
    // `FF FE 00 00` is the mark of UTF-32, which is not in use; read as UTF-16
    // it is half NULs, and the count below will not take it for text.
    if bytes.starts_with(b"\xFF\xFE") && !bytes.starts_with(b"\xFF\xFE\0\0") {
        return Some(ByteOrder::LittleEnd);
    }
    if bytes.starts_with(b"\xFE\xFF") {
        return Some(ByteOrder::BigEnd);
    }
    let sample = bytes.get(..bytes.len().min(SAMPLE)).unwrap_or(bytes);
    memchr::memchr(0, sample)?;
    if high_bytes_are_those_of_one_script(sample, 1) {
        Some(ByteOrder::LittleEnd)
    } else if high_bytes_are_those_of_one_script(sample, 0) {
        Some(ByteOrder::BigEnd)
    } else {
        None
    }
}

const SAMPLE: usize = 64 * 1024;

/// In UTF-16 text of an alphabet, nearly every high byte is either 0 (spaces,
/// digits, ASCII) or that of the script (04 for Cyrillic), and low bytes are
/// practically never 0. Text in UTF-8 with stray NULs has letters, which vary,
/// at both places. Chinese UTF-16 without a mark is not recognised.
fn high_bytes_are_those_of_one_script(sample: &[u8], high_at: usize) -> bool {
    let mut counts = [0usize; 256];
    let mut low_zeros = 0;
    let mut units = 0;
    for pair in sample.chunks_exact(2) {
        let (Some(&high), Some(&low)) = (pair.get(high_at), pair.get(1 - high_at)) else {
            continue;
        };
        counts[usize::from(high)] += 1;
        low_zeros += usize::from(low == 0);
        units += 1;
    }
    let zeros = counts[0];
    let script = counts.iter().skip(1).max().copied().unwrap_or(0);
    zeros >= 4
        && zeros * 20 >= units
        && (zeros + script) * 10 >= units * 9
        && low_zeros * 100 <= units
}

fn decode_utf16(bytes: &[u8], order: ByteOrder) -> Decoded {
    let mut out = Builder::default();
    let mut buffer = [0; 4];
    let pairs = bytes.chunks_exact(2);
    let odd = pairs.remainder().len();
    let units = pairs.map(|pair| {
        let pair = [pair[0], pair[1]];
        match order {
            ByteOrder::LittleEnd => u16::from_le_bytes(pair),
            ByteOrder::BigEnd => u16::from_be_bytes(pair),
        }
    });
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(c) => out.converted(c.encode_utf8(&mut buffer), c.len_utf16() * 2),
            Err(_) => out.bad(2),
        }
    }
    if odd > 0 {
        out.bad(odd);
    }
    out.finish(match order {
        ByteOrder::LittleEnd => Encoding::Utf16Le,
        ByteOrder::BigEnd => Encoding::Utf16Be,
    })
}

/// Bytes that are not valid UTF-8: damaged UTF-8, or a legacy encoding.
///
/// Legacy text hits upon valid UTF-8 sequences only by chance (in GBK about one
/// character in seven), so UTF-8 it is where at least half of the sequences are
/// good. Without a single good one, only a character cut off at the very end
/// speaks for UTF-8.
fn decode_damaged(bytes: &[u8], first_bad: usize) -> Decoded {
    let (mut good, mut wrong, mut cut_at_end) = (0usize, 0usize, false);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        if !chunk.invalid().is_empty() {
            wrong += 1;
        }
        cut_at_end = chunk.invalid().len() > 1;
    }
    // A file of ASCII that ends in one of these was cut inside an accented
    // letter, a dash or quote, or an emoji; as a last letter they are rare.
    cut_at_end |= matches!(bytes.last(), Some(0xC2 | 0xC3 | 0xE2 | 0xF0));
    let only_cut = wrong == 1 && cut_at_end;
    if (good > 0 && good >= wrong) || only_cut {
        return decode_damaged_utf8(bytes);
    }
    decode_legacy(bytes, first_bad).unwrap_or_else(|| decode_damaged_utf8(bytes))
}

fn decode_damaged_utf8(bytes: &[u8]) -> Decoded {
    let mut out = Builder::default();
    for chunk in bytes.utf8_chunks() {
        out.copied(chunk.valid());
        if !chunk.invalid().is_empty() {
            out.bad(chunk.invalid().len());
        }
    }
    out.finish(utf8_kind(bytes))
}

/// As much of a file as the detector is shown; its verdict does not change
/// after some kilobytes, and it is the slowest step.
const DETECTOR_SAMPLE: usize = 256 * 1024;

/// Reads the bytes in the legacy encoding they most resemble; `None` where too
/// many of them are no character in it either.
fn decode_legacy(bytes: &[u8], first_bad: usize) -> Option<Decoded> {
    let start = first_bad.saturating_sub(1024);
    let end = bytes.len().min(start + DETECTOR_SAMPLE);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    // Never marked as the last piece: a character cut off at the end of the
    // file must not rule out the encoding.
    detector.feed(bytes.get(start..end)?, false);
    let charset = detector.guess(None, Utf8Detection::Deny);

    let mut out = Builder::default();
    let mut rest = bytes;
    let mut characters = 0usize;
    while !rest.is_empty() {
        let ascii = rest.iter().take_while(|byte| byte.is_ascii()).count();
        let (plain, other) = rest.split_at(ascii);
        out.copied(std::str::from_utf8(plain).unwrap_or_default());
        rest = other;
        if rest.is_empty() {
            break;
        }
        let mut buffer = [0; 16];
        characters += 1;
        let used = match first_character(charset, rest, &mut buffer) {
            Some((used, text)) => {
                out.converted(text, used);
                used
            }
            None => {
                out.bad(1);
                1
            }
        };
        rest = rest.get(used..).unwrap_or_default();
    }
    let consistent = out.bad.len() * 20 <= characters || out.bad.len() == 1;
    consistent.then(|| out.finish(Encoding::Legacy(charset.name())))
}

/// The character that `bytes` begin with, and how many bytes it takes. All
/// legacy encodings are prefix codes of at most four bytes, so the shortest
/// prefix that decodes is the character.
fn first_character<'b>(
    charset: &'static Charset,
    bytes: &[u8],
    buffer: &'b mut [u8; 16],
) -> Option<(usize, &'b str)> {
    let mut found = None;
    for len in 1..=bytes.len().min(4) {
        let mut decoder = charset.new_decoder_without_bom_handling();
        let prefix = bytes.get(..len)?;
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(prefix, buffer, true);
        if result == DecoderResult::InputEmpty && read == len && written > 0 {
            found = Some((len, written));
            break;
        }
    }
    let (len, written) = found?;
    let text = std::str::from_utf8(buffer.get(..written)?).ok()?;
    Some((len, text))
}
