//! The plain form in which phrases are compared: small letters without accents,
//! single blanks, no markup. Every byte of it knows where it came from. Nothing here
//! knows a phrase.

use std::ops::Range;

use redraft_text::letters;

/// A text in its plain form.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) text: String,
    /// For each byte of the text which bytes it came from.
    origins: Vec<(usize, usize)>,
}

/// Stands where a line begins a new statement: a list item, a heading, a table cell.
pub(super) const BREAK: char = '\n';

impl Folded {
    pub(super) fn new(original: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(original.len()),
            origins: Vec::with_capacity(original.len()),
        };
        folded.fold_lines(original);
        folded
    }

    fn fold_lines(&mut self, original: &str) {
        let mut at = 0;
        while at < original.len() {
            let rest = &original[at..];
            let plain = rest.bytes().take_while(u8::is_ascii_lowercase).count();
            if plain > 0 {
                self.text.push_str(&rest[..plain]);
                self.origins.extend((at..at + plain).map(|at| (at, at + 1)));
                at += plain;
                continue;
            }
            let Some(c) = rest.chars().next() else { return };
            let after = &rest[c.len_utf8()..];
            if c == '\n' {
                let line = after.trim_start_matches([' ', '\t', '>', '/']);
                let mark = match line.chars().next() {
                    _ if begins_statement(line) => BREAK,
                    // A line that begins with a capital begins a clause, at least.
                    Some(first) if first.is_uppercase() => ';',
                    _ => ' ',
                };
                self.push(mark, (at, 1));
                at = original.len() - line.len();
                continue;
            }
            if c == '<'
                && let Some(tag) = short_tag(after)
            {
                at += 1 + tag;
                continue;
            }
            self.fold_char(c, at, after);
            at += c.len_utf8();
        }
    }

    fn fold_char(&mut self, c: char, at: usize, after: &str) {
        let at = (at, c.len_utf8());
        match c {
            '*' | '`' | '~' => {}
            '"' | '“' | '”' | '„' | '«' | '»' | '‘' | '「' | '」' | '『' | '』' => {
                if after.starts_with(char::is_alphabetic) {
                    self.push('"', at);
                }
            }
            '_' | '-' | '‐' | '‑' | '\'' | '’' | '\u{a0}' => self.push(' ', at),
            _ if c.is_whitespace() || c.is_control() => self.push(' ', at),
            _ if is_mark(c) => {}
            _ => {
                let plain = plain(letters::lower(c));
                self.push(plain, at);
            }
        }
    }

    fn push(&mut self, c: char, (at, length): (usize, usize)) {
        if c == ' ' && self.text.ends_with([' ', BREAK]) {
            return;
        }
        self.text.push(c);
        self.origins.resize(self.text.len(), (at, at + length));
    }

    /// The range of the original text.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.origins.get(range.start).or(self.origins.last());
        let start = start.map_or(0, |origin| origin.0);
        let last = self.origins.get(range.end.saturating_sub(1));
        start
            ..last
                .or(self.origins.last())
                .map_or(start, |origin| origin.1.max(start))
    }
}

/// The plain form of a phrase.
pub(super) fn phrase(phrase: &str) -> String {
    // Most phrases are in their plain form already.
    let is_plain = |c: char| {
        c == ' ' || c.is_alphanumeric() && !is_mark(c) && plain(letters::lower(c)) == c
    };
    if phrase.chars().all(is_plain) && !phrase.contains("  ") {
        return phrase.trim().to_owned();
    }
    Folded::new(phrase).text.trim().to_owned()
}

fn begins_statement(line: &str) -> bool {
    let mut chars = line.chars();
    match chars.next() {
        None | Some('\n' | '\r' | '#' | '|' | '•') => true,
        Some('-' | '*' | '+') => chars.next() == Some(' '),
        Some(digit) if digit.is_ascii_digit() => {
            let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
            after.starts_with(". ") || after.starts_with(") ")
        }
        Some(_) => false,
    }
}

/// The length of a tag such as `b>` or `/strong>` after its bracket.
fn short_tag(after: &str) -> Option<usize> {
    const MOST: usize = 20;
    let bytes = after.as_bytes();
    let bytes = &bytes[..bytes.len().min(MOST)];
    let end = memchr::memchr(b'>', bytes)?;
    let name = &bytes[..end];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'/' || *byte == b' ';
    (!name.is_empty() && name.iter().all(is_name) && name[0] != b' ').then_some(end + 1)
}

/// Accents, vowel points and other marks that stand on a letter.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}' | '\u{640}' | '\u{93c}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}'
    )
}

/// A small letter without its accent.
fn plain(c: char) -> char {
    match c {
        '\0'..='\x7f' => c,
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ğ' => 'g',
        'ł' => 'l',
        'ś' | 'ş' | 'š' | 'ß' => 's',
        'ź' | 'ż' | 'ž' => 'z',
        'ř' => 'r',
        'ё' => 'е',
        'أ' | 'إ' | 'آ' => 'ا',
        'ى' => 'ي',
        '：' => ':',
        '，' => ',',
        '！' => '!',
        '？' => '?',
        '／' => '/',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_case_and_accents_go_and_every_range_finds_its_origin() {
        for (text, expected) in [
            (
                "Ignore **all**  previous\n> instructions",
                "ignore all previous instructions",
            ),
            ("Note: <b>IGNORE</b> it", "note: ignore it"),
            ("Évaluateur, l’élève", "evaluateur, l eleve"),
            ("a\n- b\n# c", "a\nb\n# c"),
            ("score_of “1.0”", "score of 1.0"),
            ("x < y > z", "x < y > z"),
            ("say\nIgnore it", "say;ignore it"),
        ] {
            let folded = Folded::new(text);
            assert_eq!(folded.text, expected, "{text}");
        }
        let text = "é **all** x";
        let folded = Folded::new(text);
        let at = folded.text.find("all").unwrap();
        assert_eq!(&text[folded.original(&(at..at + 3))], "all");
    }
}
