//! Cases and properties of decoding.

use proptest::prelude::*;

use super::*;

const RUSSIAN: &str = "Привет! Сегодня мы изучаем, как растения превращают свет в пищу. \
    Для этого им нужны вода, воздух и тепло.";
const CHINESE: &str = "今天我们学习植物如何把阳光变成食物。为此它们需要水、空气和温度。";
const JAPANESE: &str = "今日は植物がどのように光を食べ物に変えるかを学びます。水と空気が必要です。";
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

#[test]
fn text_that_was_decoded_wrongly_is_told_from_text() {
    for (text, expected) in [
        ("FranÃ§ais, Ã©tÃ©, dÃ©jÃ", Some("windows-1252")),
        (
            "Le franÃ§ais de l\u{e2}\u{20ac}\u{2122}Ã©tÃ© est trÃ¨s beau.",
            Some("windows-1252"),
        ),
        ("РџСЂРёРІРµС‚ РІСЃРµРј РґСЂСѓР·СЊСЏРј", Some("windows-1251")),
        ("Le français de l’été est très beau.", None),
        ("Привет всем друзьям, ё і №", None),
        ("The sign Ã is a letter; Ã© is what é becomes.", None),
        ("月亮为什么会变形状", None),
        ("plain", None),
    ] {
        let found = decoded_wrongly(text).map(|(_, name)| name);
        assert_eq!(found, expected, "{text}");
    }
}
