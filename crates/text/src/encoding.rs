//! Turns the bytes of a file into text, and remembers how offsets of the text
//! lead back to the file. It knows bytes and characters only: neither JSON nor
//! Markdown, nor what becomes of a damaged character.

use std::ops::Range;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{DecoderResult, Encoding as Charset};

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

/// Bytes that are no character; the text has one U+FFFD in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBytes {
    /// Where the bytes are in the file.
    pub file_range: Range<usize>,
    /// Where the U+FFFD is in the text.
    pub text_range: Range<usize>,
}

/// Leads from offsets of a decoded text back to offsets of its file.
#[derive(Clone, Debug, Default)]
pub struct ByteMap {
    pieces: Vec<Piece>,
    text_len: usize,
    file_len: usize,
}

/// A run of units (a character, or bytes copied as they are) that all have the
/// same length in the text and the same length in the file.
#[derive(Clone, Copy, Debug)]
struct Piece {
    text: usize,
    file: usize,
    text_step: u8,
    file_step: u8,
    kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    /// The bytes of text and file are identical.
    Copied,
    Converted,
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
    for (index, piece) in map.pieces.iter().enumerate() {
        if piece.kind == PieceKind::Copied {
            continue;
        }
        let (text_end, file_end) = map.end_of(index);
        let replacement = decoded.text.get(piece.text..text_end).unwrap_or_default();
        match edits.last_mut() {
            Some((range, text)) if range.end == piece.file => {
                range.end = file_end;
                text.push_str(replacement);
            }
            _ => edits.push((piece.file..file_end, replacement.to_owned())),
        }
    }
    edits
}

impl ByteMap {
    /// The offset in the file of the character at `text_offset`. An offset
    /// inside a converted character gives that character's start, an offset
    /// past the end the end of the file.
    pub fn to_file(&self, text_offset: usize) -> usize {
        if text_offset >= self.text_len {
            return self.file_len;
        }
        let after = self
            .pieces
            .partition_point(|piece| piece.text <= text_offset);
        let Some(piece) = after
            .checked_sub(1)
            .and_then(|index| self.pieces.get(index))
        else {
            return text_offset;
        };
        let units = (text_offset - piece.text) / usize::from(piece.text_step.max(1));
        piece.file + units * usize::from(piece.file_step)
    }

    fn end_of(&self, index: usize) -> (usize, usize) {
        self.pieces
            .get(index + 1)
            .map_or((self.text_len, self.file_len), |next| {
                (next.text, next.file)
            })
    }

    fn push(&mut self, text_step: usize, file_step: usize, kind: PieceKind) {
        self.push_run(text_step, file_step, 1, kind);
    }

    fn push_run(&mut self, text_step: usize, file_step: usize, units: usize, kind: PieceKind) {
        if units == 0 {
            return;
        }
        // Steps are lengths of one character, so they always fit.
        let steps = (text_step as u8, file_step as u8);
        let continues = self
            .pieces
            .last()
            .is_some_and(|last| (last.text_step, last.file_step) == steps && last.kind == kind);
        if !continues {
            self.pieces.push(Piece {
                text: self.text_len,
                file: self.file_len,
                text_step: steps.0,
                file_step: steps.1,
                kind,
            });
        }
        self.text_len += text_step * units;
        self.file_len += file_step * units;
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
        self.map.push_run(1, 1, text.len(), PieceKind::Copied);
    }

    fn converted(&mut self, text: &str, file_len: usize) {
        self.text.push_str(text);
        self.map.push(text.len(), file_len, PieceKind::Converted);
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

/// 1 for a control character that no text editor writes.
#[inline]
fn is_control(byte: u8) -> u8 {
    let is_low = (byte < 32) & (byte.wrapping_sub(9) > 4) & (byte != 27);
    u8::from(is_low | (byte == 127))
}

/// Whether more than one byte in `one_in` is a control character that no text
/// editor writes. Fewer than eight never count: model output does hold the odd
/// NUL.
fn has_many_controls(bytes: &[u8], one_in: usize) -> bool {
    // In pieces whose count fits a byte, so that many are looked at at once.
    let controls: usize = bytes
        .chunks(255)
        .map(|piece| usize::from(piece.iter().map(|byte| is_control(*byte)).sum::<u8>()))
        .sum();
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
    // `FF FE 00 00` is the mark of UTF-32, which nobody sends; read as UTF-16
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RUSSIAN: &str = "Привет! Сегодня мы изучаем, как растения превращают свет в пищу. \
        Для этого им нужны вода, воздух и тепло.";
    const CHINESE: &str = "今天我们学习植物如何把阳光变成食物。为此它们需要水、空气和温度。";
    const JAPANESE: &str =
        "今日は植物がどのように光を食べ物に変えるかを学びます。水と空気が必要です。";
    const FRENCH: &str = "Aujourd'hui, nous étudions comment les plantes, été après été, créent \
        leur nourriture grâce à la lumière.";

    fn encoded(name: &str, text: &str) -> Vec<u8> {
        let charset = Charset::for_label(name.as_bytes()).expect("a known label");
        charset.encode(text).0.into_owned()
    }

    fn utf16(text: &str, order: ByteOrder) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| match order {
                ByteOrder::LittleEnd => unit.to_le_bytes(),
                ByteOrder::BigEnd => unit.to_be_bytes(),
            })
            .collect()
    }

    fn apply(bytes: &[u8], edits: &[(Range<usize>, String)]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = 0;
        for (range, text) in edits {
            assert!(range.start >= at, "edits are in order and apart");
            out.extend_from_slice(&bytes[at..range.start]);
            out.extend_from_slice(text.as_bytes());
            at = range.end;
        }
        out.extend_from_slice(&bytes[at..]);
        out
    }

    /// What must hold for every input.
    fn check(bytes: &[u8]) -> Decoded {
        let decoded = decode(bytes);
        let text = &decoded.text;
        if decoded.encoding == Encoding::Binary {
            assert!(text.is_empty() && reencode_edits(&decoded, bytes).is_empty());
            return decoded;
        }
        assert_eq!(
            apply(bytes, &reencode_edits(&decoded, bytes)),
            text.as_bytes()
        );
        match &decoded.map {
            None => assert_eq!(text.as_bytes(), bytes),
            Some(map) => {
                assert_eq!(map.to_file(0), 0);
                assert_eq!(map.to_file(text.len()), bytes.len());
                let mut last = None;
                for (offset, _) in text.char_indices() {
                    let file = map.to_file(offset);
                    assert!(last.is_none_or(|last| last < file) && file < bytes.len());
                    last = Some(file);
                }
            }
        }
        for bad in &decoded.bad {
            assert_eq!(&text[bad.text_range.clone()], "\u{FFFD}");
            let map = decoded.map.as_ref().expect("damage needs a map");
            assert_eq!(map.to_file(bad.text_range.start), bad.file_range.start);
            assert_eq!(map.to_file(bad.text_range.end), bad.file_range.end);
        }
        decoded
    }

    #[test]
    fn each_encoding_is_recognised_and_read() {
        use ByteOrder::{BigEnd, LittleEnd};
        use Encoding::{Legacy, Utf8, Utf8WithBom, Utf16Be, Utf16Le};
        let with_bom = |text: &str| format!("\u{FEFF}{text}");
        let cases: Vec<(Vec<u8>, Encoding, String)> = vec![
            (Vec::new(), Utf8, String::new()),
            (RUSSIAN.into(), Utf8, RUSSIAN.into()),
            (with_bom(FRENCH).into(), Utf8WithBom, with_bom(FRENCH)),
            (
                utf16(&with_bom(CHINESE), LittleEnd),
                Utf16Le,
                with_bom(CHINESE),
            ),
            (
                utf16(&with_bom(RUSSIAN), BigEnd),
                Utf16Be,
                with_bom(RUSSIAN),
            ),
            (utf16(&with_bom("😀"), BigEnd), Utf16Be, with_bom("😀")),
            (utf16("# Loops\n", LittleEnd), Utf16Le, "# Loops\n".into()),
            (utf16(FRENCH, BigEnd), Utf16Be, FRENCH.into()),
            (utf16(RUSSIAN, LittleEnd), Utf16Le, RUSSIAN.into()),
            (
                encoded("windows-1251", RUSSIAN),
                Legacy("windows-1251"),
                RUSSIAN.into(),
            ),
            (encoded("koi8-r", RUSSIAN), Legacy("KOI8-U"), RUSSIAN.into()),
            (
                encoded("windows-1252", FRENCH),
                Legacy("windows-1252"),
                FRENCH.into(),
            ),
            (encoded("gbk", CHINESE), Legacy("GBK"), CHINESE.into()),
            (
                encoded("big5", "今天我們學習植物如何把陽光變成食物。"),
                Legacy("Big5"),
                "今天我們學習植物如何把陽光變成食物。".into(),
            ),
            (
                encoded("shift_jis", JAPANESE),
                Legacy("Shift_JIS"),
                JAPANESE.into(),
            ),
            (
                encoded("euc-jp", JAPANESE),
                Legacy("EUC-JP"),
                JAPANESE.into(),
            ),
            (
                b"caf\xE9 au lait".into(),
                Legacy("windows-1252"),
                "café au lait".into(),
            ),
        ];
        for (bytes, encoding, text) in cases {
            let decoded = check(&bytes);
            assert_eq!((decoded.encoding, decoded.text), (encoding, text));
            assert_eq!(decoded.bad, []);
        }
    }

    #[test]
    fn a_few_damaged_sequences_do_not_change_the_encoding() {
        let mut cut = RUSSIAN.as_bytes().to_vec();
        cut.truncate(cut.len() - 2);
        let cases: [(&[u8], usize); 7] = [
            (&cut, 1),
            ("naïve caf\u{e9} déjà".as_bytes(), 0),
            (b"na\xC3\xAFve caf\xE9 d\xC3\xA9j\xC3\xA0", 1),
            (b"\xE2\x80\x9Cquoted\xE2\x80", 1),
            (b"plain letters, then a cut quote \xE2\x80", 1),
            (b"plain letters, then a cut accent \xC3", 1),
            (b"\xEF\xBB\xBFone \xC3\xA9 two \xFF three", 1),
        ];
        for (bytes, bad) in cases {
            let decoded = check(bytes);
            assert!(matches!(
                decoded.encoding,
                Encoding::Utf8 | Encoding::Utf8WithBom
            ));
            assert_eq!(decoded.bad.len(), bad, "{bytes:?}");
        }
    }

    #[test]
    fn a_damaged_sequence_is_where_it_was() {
        let decoded = check(b"\xC3\xA9\xC3\xA9 \xF0\x9F\x98 x");
        assert_eq!(decoded.text, "éé \u{FFFD} x");
        let expected = BadBytes {
            file_range: 5..8,
            text_range: 5..8,
        };
        assert_eq!(decoded.bad, [expected]);
        let decoded = check(b"\xC3\xA9 \xFF\xC3\xA9");
        let expected = BadBytes {
            file_range: 3..4,
            text_range: 3..6,
        };
        assert_eq!(decoded.bad, [expected]);
    }

    #[test]
    fn a_cut_legacy_character_is_marked_as_bad() {
        let mut bytes = encoded("gbk", CHINESE);
        bytes.pop();
        let decoded = check(&bytes);
        assert_eq!(
            (decoded.encoding, decoded.bad.len()),
            (Encoding::Legacy("GBK"), 1)
        );
    }

    #[test]
    fn halves_of_utf16_characters_are_marked_as_bad() {
        let decoded = check(b"\xFF\xFEa\0\x00\xD8b\0c");
        assert_eq!(decoded.text, "\u{FEFF}a\u{FFFD}b\u{FFFD}");
        assert_eq!(decoded.bad.len(), 2);
    }

    #[test]
    fn what_is_no_text_is_binary() {
        let noise: Vec<u8> = (0..4096u32).map(|n| (n * 167 / 13 + n * n) as u8).collect();
        let zeros = [0u8; 100];
        let cases: [&[u8]; 6] = [
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR",
            b"PK\x03\x04\x14\0\x08",
            b"%PDF-1.7\n%\xE2\xE3\xCF\xD3",
            b"\xFF\xFE\0\0a\0\0\0b\0\0\0c\0\0\0d\0\0\0",
            &noise,
            &zeros,
        ];
        for bytes in cases {
            assert_eq!(check(bytes).encoding, Encoding::Binary, "{bytes:?}");
        }
    }

    #[test]
    fn a_handful_of_nuls_stays_in_the_text() {
        let cases = [
            "{\"a\": \"b\0c\"}",
            "\0",
            "a\0b",
            "Loops repeat\0 things\0. Loops\0 repeat\0 them.",
        ];
        for text in cases {
            let decoded = check(text.as_bytes());
            assert_eq!(
                (decoded.encoding, decoded.text.as_str()),
                (Encoding::Utf8, text)
            );
        }
    }

    #[test]
    fn only_the_differing_ranges_of_a_legacy_file_are_edited() {
        let bytes = b"one \xE9t\xE9, two \xE0";
        let edits = reencode_edits(&decode(bytes), bytes);
        let expected = [
            (4..5, "é".to_owned()),
            (6..7, "é".to_owned()),
            (13..14, "à".to_owned()),
        ];
        assert_eq!(edits, expected);
    }

    #[test]
    fn large_hostile_files_are_read_promptly() {
        for unit in [
            &b"\xE9 "[..],
            b"\xFF",
            b"\xD0",
            b"a\0",
            b"\x81\x30",
            b"\xC3\xA9\xFF",
        ] {
            check(&unit.repeat(1 << 18));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            check(&bytes);
        }

        #[test]
        fn texts_with_damage_are_read(text in "\\PC{0,80}", at in 0usize..300, byte in any::<u8>()) {
            let mut bytes = text.into_bytes();
            let at = at.min(bytes.len());
            bytes.insert(at, byte);
            check(&bytes);
            bytes.truncate(at);
            check(&bytes);
        }

        #[test]
        fn bytes_without_controls_are_read(bytes in prop::collection::vec(32u8.., 0..300)) {
            check(&bytes);
        }

        #[test]
        fn every_text_survives_utf16_with_a_mark(text in "\\PC{0,80}") {
            let text = format!("\u{FEFF}{text}");
            prop_assert_eq!(&check(&utf16(&text, ByteOrder::LittleEnd)).text, &text);
            prop_assert_eq!(&check(&utf16(&text, ByteOrder::BigEnd)).text, &text);
        }
    }
}
