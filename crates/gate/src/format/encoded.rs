//! Text that is not there to be read: encoded as a whole (base64, hexadecimal digits,
//! percent signs, rot13), or with a mark at the start of each line (a diff, line numbers).

use redraft_text::letters::is_letter;

/// Looks at a whole text; a lesson that shows such a thing has other words, too.
pub(super) fn of(text: &str) -> Option<&'static str> {
    data_url(text)
        .or_else(|| in_base64(text))
        .or_else(|| with_percent_signs(text))
        .or_else(|| rotated(text))
        .or_else(|| diff(text))
        .or_else(|| numbered(text))
}

fn data_url(text: &str) -> Option<&'static str> {
    let head = text.get(..text.floor_char_boundary(100.min(text.len())))?;
    let (kind, rest) = head.strip_prefix("data:")?.split_once(',')?;
    let is_url = kind.contains('/') && !kind.contains(char::is_whitespace) && !rest.is_empty();
    is_url.then_some("a data URL")
}

/// Long runs of the letters of base64, without a space, are most of the text.
fn in_base64(text: &str) -> Option<&'static str> {
    const RUN: usize = 40;
    const SHORTEST: usize = 80;
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_".contains(&byte);
    let runs = text
        .split_whitespace()
        .filter(|run| run.len() >= RUN && run.bytes().all(is_sign))
        // A rule of a table or a heading, a path or a name in Markdown.
        .filter(|run| run.bytes().filter(|byte| b"-_=/".contains(byte)).count() * 8 < run.len());
    let encoded: usize = runs.map(str::len).sum();
    (encoded >= SHORTEST && encoded * 2 > text.len())
        .then_some("text encoded in base64 or as hexadecimal digits")
}

fn with_percent_signs(text: &str) -> Option<&'static str> {
    const ENOUGH: usize = 20;
    let bytes = text.as_bytes();
    let escapes = bytes
        .windows(3)
        .filter(|window| window[0] == b'%' && window[1..].iter().all(u8::is_ascii_hexdigit))
        .count();
    (escapes >= ENOUGH && escapes * 12 > bytes.len())
        .then_some("text encoded for a web address (`%20`)")
}

/// The commonest words of a language appear when each letter is moved by thirteen.
fn rotated(text: &str) -> Option<&'static str> {
    // English, German, Spanish, French, Portuguese.
    const WORDS: &str = "the and of to is in that for der die und ist das ein el la los que \
        una le les des est une dans os uma para com";
    const LONGEST: usize = 4;
    let number = |word: &str, letter: fn(u8) -> u8| {
        let letters = word.bytes().map(|byte| letter(byte.to_ascii_lowercase()));
        letters.fold(0, |number: u32, letter| (number << 8) | u32::from(letter))
    };
    let known = |letter: fn(u8) -> u8| -> Vec<u32> {
        let words = WORDS.split_whitespace();
        words.map(|word| number(word, letter)).collect()
    };
    let plain_words = known(|letter| letter);
    let moved_words = known(|letter| (letter - b'a' + 13) % 26 + b'a');
    let (mut words, mut rotated, mut plain) = (0_usize, 0_usize, 0_usize);
    for word in text
        .split(|c: char| !is_letter(c))
        .filter(|word| !word.is_empty())
    {
        words += 1;
        // None of them is longer, or has other letters.
        if word.len() <= LONGEST && word.is_ascii() {
            let word = number(word, |letter| letter);
            rotated += usize::from(moved_words.contains(&word));
            plain += usize::from(plain_words.contains(&word));
        }
    }
    (words >= 20 && rotated * 12 > words && plain * 4 < rotated)
        .then_some("text encoded with rot13")
}

fn diff(text: &str) -> Option<&'static str> {
    const HEAD: usize = 12;
    let mut head = text.lines().take(HEAD);
    let has_header =
        head.any(|line| line.starts_with("+++ ")) && head.any(|line| line.starts_with("@@ "));
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let count = lines.clone().count();
    let is_added = count >= 3 && lines.clone().all(|line| line.starts_with('+'));
    let is_marked = lines.all(|line| {
        line.starts_with(['+', '-', ' ', '@', '\\'])
            || line.starts_with("diff ")
            || line.starts_with("index ")
    });
    ((has_header && is_marked) || is_added).then_some("a diff; save the new text itself")
}

/// Every line begins with its number.
fn numbered(text: &str) -> Option<&'static str> {
    const ENOUGH: usize = 4;
    let mut next: Option<u64> = None;
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let line = line.trim_start();
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: u64 = line[..digits].parse().ok()?;
        // "1. First" is a list.
        if !matches!(
            line[digits..].chars().next(),
            None | Some(':' | '\t' | '|' | ' ' | '→')
        ) {
            return None;
        }
        if next.is_some_and(|next| next != number) {
            return None;
        }
        next = Some(number + 1);
        lines += 1;
    }
    (lines >= ENOUGH).then_some("text with a number before each line; save the text without them")
}
