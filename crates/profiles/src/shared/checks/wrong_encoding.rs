//! `wrong-encoding`: the file is not UTF-8.

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{Document, TextField};
use redraft_gate::edit::Edit;
use redraft_gate::finding::{Applicability, Fix, Severity};
use redraft_text::encoding::{self, Encoding};

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT020",
    name: "wrong-encoding",
    severity: Severity::Error,
    mends: Mends::ByConversion,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "the file is not UTF-8",
    what: "Reports a file in UTF-16 or in an older encoding such as windows-1251, and single bytes that are not valid UTF-8. The text is decoded as well as possible, so that the other checks still run. `--fix` converts UTF-16, because the conversion is certain if every character is whole. The conversion of an older encoding is only proposed. A stray byte cannot be repaired. A text that was decoded wrongly before it was saved (`Ã©` for `é`), or whose letters became question marks or the sign U+FFFD, or were thrown away (French without an accent), is reported and left as it is, and so is one with “▁” or `&nbsp;` for spaces, `\\u00e9` for letters, or nothing but letters of Latin-1 beyond ASCII. Until the file is UTF-8, no other fix is offered.",
    why: "Web pages, JSON and databases expect UTF-8. Any other encoding is shown to learners as question marks and boxes.",
    examples: &[Example {
        form: ExampleForm::Windows1251,
        fails: "# Вода\n\nВода кипит при ста градусах, если давление обычное.\n",
        passes: "# Вода\n\nВода кипит при ста градусах, если давление обычное.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let source = examination.document.source();
    let conversion = |applicability| {
        let edits = encoding::reencode_edits(&encoding::decode(source.bytes()), source.bytes())
            .into_iter()
            .map(|(range, text)| Edit {
                span: source.file_span(range),
                text,
            })
            .collect();
        Fix {
            applicability,
            edits,
        }
    };
    let first_line = source.text().find('\n').unwrap_or(source.text().len());
    match source.encoding() {
        Encoding::Utf8 | Encoding::Utf8WithBom | Encoding::Binary => {}
        Encoding::Utf16Le | Encoding::Utf16Be => {
            // Half a character would be lost for good.
            let applicability = if source.bad_bytes().is_empty() {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            };
            sink.in_source(0..first_line, "the file is UTF-16; convert it to UTF-8")
                .severity(Severity::Warning)
                .fix(conversion(applicability));
        }
        Encoding::Legacy(name) => {
            sink.in_source(
                0..first_line,
                format!("the file is not UTF-8 but probably {name}; convert it to UTF-8"),
            )
            .fix(conversion(Applicability::Unsafe));
        }
    }
    if let Some((range, name)) = encoding::decoded_wrongly(source.text()) {
        sink.in_source(
            range,
            format!("the text was UTF-8 and was read as {name} before it was saved; save it again from where it came from"),
        );
    }
    if let Some(range) = lost_letters(source.text()) {
        sink.in_source(
            range,
            "letters were replaced by question marks when the text was saved; save it again from where it came from",
        );
    }
    let is_decoded = source.bad_bytes().is_empty();
    let document = examination.document;
    if let Some((field, range)) = is_decoded.then(|| replaced_letter(document)).flatten() {
        sink.in_text(
            field,
            range,
            "a letter was lost and replaced by U+FFFD when the text was saved; save it again from where it came from",
        );
    }
    if let Some((range, sign)) = written_spaces(source.text()) {
        sink.in_source(range, format!("the spaces are written as “{sign}”; save the answer again from where it came from"));
    }
    if let Some((field, range)) = written_letters(document) {
        sink.in_text(field, range, "letters are written as `\\u` and a number, as in a string of a program; decode the answer again");
    }
    if is_all_latin_1(source.text()) {
        sink.in_source(0..first_line, "bytes of another encoding were taken for letters of Latin-1 before the text was saved; save it again from where it came from");
    }
    if let Some((field, range)) = no_accents(document) {
        sink.in_text(
            field,
            range,
            "no letter of this text has an accent, as where all beyond ASCII was thrown away; save it again from where it came from",
        )
        .severity(Severity::Warning);
    }
    for bad in source.bad_bytes() {
        let bytes = &source.bytes()[bad.file_range.clone()];
        let shown: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let what = if bad.file_range.end == source.bytes().len() {
            "the file ends in the middle of a character"
        } else {
            "these bytes are not valid UTF-8"
        };
        sink.in_file(
            bad.file_range.clone(),
            format!("{what} ({})", shown.join(" ")),
        );
    }
}

/// Where letters were first replaced by question marks: inside many words (`d?gust`), or whole
/// words of them. In an address a question mark is at home, and in code it may be a sign.
fn lost_letters(text: &str) -> Option<Range<usize>> {
    const FEWEST: usize = 12;
    const OF: usize = 25;
    // Every lost letter leaves one, and most texts ask less.
    if memchr::memchr_iter(b'?', text.as_bytes()).take(FEWEST).count() < FEWEST {
        return None;
    }
    let (mut first, mut lost, mut all) = (None, 0_usize, 0_usize);
    let mut at = 0;
    for word in text.split(|c: char| c.is_whitespace()) {
        let start = at;
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        // Most words have none, and need not be read to their end.
        if !word.as_bytes().contains(&b'?') {
            all += usize::from(word.contains(char::is_alphanumeric));
            continue;
        }
        let core = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '?');
        if core.is_empty() {
            continue;
        }
        all += 1;
        let is_word = core.chars().all(|c| c.is_alphabetic() || matches!(c, '?' | '\'' | '-'));
        let inner = core.trim_end_matches('?');
        let is_lost = is_word && inner.contains('?') || core.len() > 2 && inner.is_empty();
        if is_lost {
            lost += 1;
            first.get_or_insert(start..start + word.len());
        }
    }
    first.filter(|_| lost >= FEWEST && lost * OF > all)
}

/// Where a letter was first replaced by U+FFFD: it touches another letter, outside code. A
/// lesson that shows the sign sets it apart.
fn replaced_letter(document: &Document) -> Option<(&TextField, Range<usize>)> {
    const SIGN: char = char::REPLACEMENT_CHARACTER;
    document.texts().iter().find_map(|field| {
        let text = &*field.text;
        let mut signs = text.match_indices(SIGN);
        let (at, sign) = signs.find(|(at, sign)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + sign.len()..].chars().find(|c| *c != SIGN);
            let touches = |c: Option<char>| c.is_some_and(char::is_alphabetic);
            let is_code = field.is_body() && field.markdown().is_code(*at);
            (touches(before) || touches(after)) && !is_code
        })?;
        Some((field, at..at + sign.len()))
    })
}

/// Where a sign first stands for a space between words, if most spaces are written so.
fn written_spaces(text: &str) -> Option<(Range<usize>, &'static str)> {
    ["▁", "&nbsp;"].into_iter().find_map(|sign| {
        const FEWEST: usize = 8;
        let is_word = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && c != '▁');
        let between = |at: &usize| {
            is_word(text[..*at].chars().next_back()) && is_word(text[at + sign.len()..].chars().next())
        };
        let mut found = text.match_indices(sign).map(|(at, _)| at).filter(between);
        let first = found.next()?;
        let is_usual = found.count() + 1 >= FEWEST && text.matches(sign).count() * 2 > text.matches(' ').count();
        is_usual.then(|| (first..first + sign.len(), sign))
    })
}

/// The first letter that is written as `\\u00e9`, if several are, outside code.
fn written_letters(document: &Document) -> Option<(&TextField, Range<usize>)> {
    const FEWEST: usize = 4;
    const LENGTH: usize = 6;
    document.texts().iter().filter(|field| field.is_body()).find_map(|field| {
        let is_letter = |at: &usize| {
            let digits = field.text.get(at + 2..at + LENGTH);
            digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
                && !field.markdown().is_verbatim(*at)
                && !field.text[..*at].ends_with(['\\', '"', '\'', '`', '(', ' ', '“'])
        };
        let mut found = field.text.match_indices("\\u").map(|(at, _)| at).filter(is_letter);
        let first = found.next()?;
        (found.count() + 1 >= FEWEST).then(|| (field, first..first + LENGTH))
    })
}

/// Whether nearly all letters are those of Latin-1 beyond ASCII, as where bytes of another
/// encoding were taken for letters.
fn is_all_latin_1(text: &str) -> bool {
    const FEWEST: usize = 60;
    let (mut high, mut other) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        match c {
            '\u{80}'..='\u{ff}' => high += 1,
            _ => other += 1,
        }
    }
    let plain = text.bytes().filter(u8::is_ascii_alphabetic).count();
    high >= FEWEST && high > 2 * (other + plain)
}

/// The first words of a long text that has no letter with an accent, in a language in which
/// hardly a sentence goes without.
fn no_accents(document: &Document) -> Option<(&TextField, Range<usize>)> {
    const LANGUAGES: [&str; 13] = [
        "fr", "es", "pt", "pl", "cs", "sk", "tr", "hu", "ro", "vi", "sv", "lv", "lt",
    ];
    const WORDS: usize = 110;
    const SHOWN: usize = 40;
    let language = document.language()?;
    if !LANGUAGES.contains(&language.as_str()) {
        return None;
    }
    let texts = || document.texts().iter().filter(|field| field.is_body());
    let has_accent = |field: &&TextField| {
        let beyond = |c: char| c.is_alphabetic() && !c.is_ascii();
        field.text.contains(beyond) || field.text.contains('&')
    };
    if texts().any(|field| has_accent(&field)) {
        return None;
    }
    let words: usize = texts().map(TextField::word_count).sum();
    let first = texts().find(|field| !field.text.trim().is_empty())?;
    let end = first.text.ceil_char_boundary(SHOWN.min(first.text.len()));
    (words >= WORDS).then_some((first, 0..end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_marks_inside_many_words_are_lost_letters() {
        let lost = "Le th?? re?oit l'?t? ".repeat(8);
        assert_eq!(lost_letters(&lost), Some(8..14));
        assert!(lost_letters(&"?????? ???? ?? ??????? ".repeat(8)).is_some());
        assert_eq!(lost_letters(&"Why? And how? What now? ".repeat(20)), None);
        assert_eq!(lost_letters(&"a.php?id=1 colou?r ".repeat(2)), None);
    }

    #[test]
    fn spaces_of_a_tokeniser_are_found() {
        assert_eq!(written_spaces(&"The▁water▁boils. ".repeat(5)), Some((3..6, "▁")));
        assert_eq!(written_spaces(&"The&nbsp;water&nbsp;boils. ".repeat(5)), Some((3..9, "&nbsp;")));
        assert_eq!(written_spaces("Bars: ▁▂▃▄▅ and a▁b are signs."), None);
        assert!(is_all_latin_1(&"ÎªÊ²Ã´»áÓÐËÄ¼¾ ".repeat(8)));
        assert!(!is_all_latin_1(&"Où est l’été déjà passé ? ".repeat(20)));
    }
}
