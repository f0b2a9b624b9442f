//! How a paragraph ends: its last sentence, and the evidence that it was cut. It
//! knows nothing of documents; the caller knows the habits of the whole text.
//!
//! A paragraph that ends in a letter or a digit is unpunctuated. That alone
//! proves nothing; what it takes:
//!
//! | the last sentence | evidence |
//! |---|---|
//! | stops at a comma, a dash, an open bracket, or a word that needs another | enough |
//! | follows a whole sentence of the same paragraph | enough, where paragraphs are punctuated; a name or a farewell does not count |
//! | is long, no title, no verse and no address | enough, where paragraphs are punctuated |
//! | is short, but begins like a sentence, or ends in a part of a word that the text has whole | enough, where paragraphs are punctuated |
//! | is short, but no title, label or name: its last word is an ordinary one | enough, where paragraphs are punctuated without exception |

use redraft_text::words::{count_words, words as words_of};

use super::words::{self, Telling};

/// The end of a paragraph without punctuation.
#[derive(Debug)]
pub(super) struct Ending<'a> {
    /// The last sentence, without closing quotation marks and brackets.
    pub(super) sentence: &'a str,
    /// Words of the whole sentences before it in the paragraph.
    pub(super) words_before: usize,
    /// Words of the last sentence.
    pub(super) words: usize,
    /// The text before it in the paragraph.
    before: &'a str,
    /// The last sentence with what was taken off its end.
    whole: &'a str,
    telling: Option<&'static Telling>,
}

/// What makes a sentence unfinished.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unfinished {
    /// It stops at a mark that promises more.
    Mark(char),
    /// It stops at a word that needs another.
    Word(String),
    /// A bracket or a quotation is open.
    Open(char),
}

impl<'a> Ending<'a> {
    /// The end of a paragraph's plain text; `None` if it is punctuated or ends
    /// in a symbol.
    pub(super) fn of(plain: &'a str, language: Option<&str>) -> Option<Self> {
        let tail = without_closing(plain);
        let last = tail.chars().next_back()?;
        if is_answer_key(tail) || is_end_word(tail) {
            return None;
        }
        if !last.is_alphanumeric() && !promises_more(last) && !is_half_a_word(tail) {
            return None;
        }
        // Thai and Lao have no full stops.
        if matches!(last, '\u{e00}'..='\u{eff}') {
            return None;
        }
        let start = last_sentence(tail);
        let (before, sentence) = tail.split_at(start);
        Some(Self {
            sentence: sentence.trim_start_matches(|c: char| c.is_whitespace() || is_closing(c)),
            words_before: count_words(before),
            before,
            words: count_words(sentence),
            whole: plain.get(start..).unwrap_or_default(),
            telling: language.and_then(words::of),
        })
    }

    /// Whether the sentence itself shows that something is missing.
    pub(super) fn unfinished(&self) -> Option<Unfinished> {
        let last = self.sentence.chars().next_back()?;
        if promises_more(last) || last == '-' {
            return Some(Unfinished::Mark(last));
        }
        if let Some(open) = open_bracket(self.whole) {
            return Some(Unfinished::Open(open));
        }
        let word = self.last_word();
        self.is_among(word, |telling| &telling.unfinished)
            .then(|| Unfinished::Word(word.to_owned()))
    }

    /// Whether a bracket that stays open is among the last words.
    pub(super) fn opens_near_its_end(&self) -> bool {
        const NEAR: usize = 8;
        let opening = self.whole.rfind(['(', '[', '（', '【', '「', '《', '«', '“']);
        opening.is_some_and(|at| count_words(&self.whole[at..]) <= NEAR)
    }

    /// Whether it stops where sentences seldom do. Where nothing needs a full
    /// stop, this proves nothing.
    pub(super) fn hangs(&self) -> Option<Unfinished> {
        self.unfinished().or_else(|| {
            let word = self.last_word();
            self.is_among(word, |telling| &telling.hanging)
                .then(|| Unfinished::Word(word.to_owned()))
        })
    }

    fn last_word(&self) -> &'a str {
        if self.sentence.chars().next_back().is_some_and(is_wide) {
            return words_of(self.sentence).last().map_or("", |(_, word)| word);
        }
        let from = self
            .sentence
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '\'' | '’'))
            .last()
            .map_or(self.sentence.len(), |(at, _)| at);
        self.sentence.get(from..).unwrap_or_default()
    }

    fn is_among(&self, word: &str, list: fn(&Telling) -> &[&'static str]) -> bool {
        let Some(telling) = self.telling else {
            return false;
        };
        // A capital letter is a name or a grade ("vitamin A", "option E"), but
        // for the word that begins the sentence.
        let is_first = word.len() == self.sentence.len();
        if !is_first && word.chars().any(char::is_uppercase) {
            return false;
        }
        // In Chinese the sum of two numbers is their `和`, too.
        if word == "和" && self.sentence.ends_with("的和") {
            return false;
        }
        let word = word.replace('’', "'").to_lowercase();
        list(telling).contains(&word.as_str())
    }

    /// Whether it begins as only sentences do. So do some titles, but they have
    /// their capital letters, except in German, where every noun has one.
    pub(super) fn begins_a_sentence(&self) -> bool {
        let Some(telling) = self.telling else {
            return false;
        };
        if self.words > 1 && self.is_title() && !telling.capitalises_nouns() {
            return false;
        }
        let elided = self
            .sentence
            .trim_start_matches(|c: char| !c.is_alphanumeric())
            .split_once(['\'', '’'])
            .map_or(String::new(), |(article, _)| article.to_lowercase());
        begins_with(self.sentence, &telling.starters) || words::is_elided(&elided)
    }

    /// Whether it begins with a question word.
    pub(super) fn asks(&self) -> bool {
        self.telling
            .is_some_and(|telling| begins_with(self.sentence, &telling.questions))
    }

    /// Whether a comma is followed by ordinary words, as in no name, date or
    /// place.
    pub(super) fn goes_on_after_a_comma(&self) -> bool {
        self.sentence
            .split_once([',', '，'])
            .is_some_and(|(_, rest)| {
                rest.trim_start()
                    .chars()
                    .next()
                    .is_some_and(|c| c.is_lowercase() || is_wide(c))
            })
    }

    /// Whether the last word is the beginning of a longer word of `text` and
    /// is nowhere in it on its own. The longer word must have some letters
    /// more, so that it is no mere inflection.
    pub(super) fn ends_in_part_of_a_word_of(&self, text: &str) -> bool {
        const FEWEST: usize = 3;
        let more = if self.words > 1 { 3 } else { 2 };
        // "MIT" is whole, whatever begins with "mit".
        let is_capital = |word: &str| word.chars().count() > 1 && !word.contains(char::is_lowercase);
        if is_capital(self.last_word()) {
            return false;
        }
        if self.words > 1 && self.is_title() {
            return self.ends_in_part_of_a_name_of(text);
        }
        let word = self.last_word().to_lowercase();
        if word.chars().count() < FEWEST || word.chars().any(|c| is_wide(c) || c.is_ascii_digit()) {
            return false;
        }
        let mut is_part = false;
        let mut whole = 0;
        for other in text.split(|c: char| !c.is_alphanumeric()) {
            // Only words that begin alike are worth a closer look.
            if other.len() < word.len() || !begins_alike(other, &word) {
                continue;
            }
            let other = other.to_lowercase();
            if other == word {
                whole += 1;
            } else if let Some(rest) = other.strip_prefix(&word) {
                is_part |= rest.chars().count() >= more;
            }
        }
        // It occurs once itself.
        is_part && whole <= 1
    }

    /// The same of a line that may be a name: the other word has to begin with a
    /// capital letter, too, and most of it has to be there.
    fn ends_in_part_of_a_name_of(&self, text: &str) -> bool {
        const FEWEST: usize = 4;
        let word = self.last_word();
        if word.chars().count() < FEWEST || word.chars().any(|c| is_wide(c) || c.is_ascii_digit()) {
            return false;
        }
        let (mut alone, mut longer) = (0, 0);
        for other in text.split(|c: char| !c.is_alphanumeric()) {
            match other.strip_prefix(word) {
                Some("") => alone += 1,
                Some(_) => longer += 1,
                None => {}
            }
        }
        alone == 1 && longer > 1
    }

    /// A name or a title: every word of some length begins with a capital
    /// letter, or there are only numbers besides.
    pub(super) fn is_title(&self) -> bool {
        is_title(self.sentence)
    }

    /// Whether it ends in a number or a single capital letter, as the answer to
    /// a question does. A letter that is nowhere else in `text`, where words
    /// begin with it, is the beginning of such a word.
    pub(super) fn is_answer(&self, text: &str) -> bool {
        let word = self.last_word();
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_uppercase() => {
                let words = text.split(|c: char| !c.is_alphanumeric());
                let (mut alone, mut begins) = (0, false);
                for other in words.filter(|other| other.starts_with(letter)) {
                    if other.len() == word.len() {
                        alone += 1;
                    } else {
                        begins = true;
                    }
                }
                // It occurs once itself.
                alone > 1 || !begins
            }
            _ => word.chars().all(|c| c.is_ascii_digit()),
        }
    }

    /// Whether it is made of ordinary words: no name or number comes last, no
    /// label before. German nouns have a capital letter as names do; a name has
    /// another name or its `von` before it.
    pub(super) fn is_of_ordinary_words(&self) -> bool {
        const FEWEST: usize = 3;
        const FEWEST_WIDE: usize = 6;
        const FEWEST_WIDE_AFTER_OTHERS: usize = 2;
        // What is quoted or in brackets is whole.
        let is_closed = self.whole.trim_end().ends_with(is_closing);
        if is_closed || self.is_title() || self.sentence.contains([':', '：', '|', '=']) {
            return false;
        }
        let last = self.sentence.chars().next_back();
        if last.is_some_and(is_wide) {
            let fewest = match self.words_before > 0 {
                true => FEWEST_WIDE_AFTER_OTHERS,
                false => FEWEST_WIDE,
            };
            return self.sentence.chars().filter(|c| is_wide(*c)).count() >= fewest;
        }
        let mut from_end = self
            .sentence
            .rsplit(char::is_whitespace)
            .filter(|word| !word.is_empty());
        // Where a script has no capital letters, no word shows that it is a name.
        let is_small = |word: &str| {
            word.chars()
                .next()
                .is_some_and(|c| c.is_lowercase() || is_without_case(c))
        };
        let is_plain = |word: &str| {
            word.chars()
                .all(|c| c.is_alphabetic() || is_sign_of_a_vowel(c) || matches!(c, '-' | '\'' | '’'))
        };
        let (Some(last), Some(before)) = (from_end.next(), from_end.next()) else {
            return false;
        };
        let is_german = self.telling.is_some_and(Telling::capitalises_nouns);
        let is_noun = is_german && is_small(before) && !matches!(before, "von" | "by" | "mit");
        self.words >= FEWEST && is_plain(last) && (is_small(last) || is_noun)
    }

    /// `Source: The National Archives`, `Author: …`: no sentence.
    pub(super) fn is_label(&self) -> bool {
        const LONGEST: usize = 4;
        self.sentence
            .split_once([':', '：'])
            .is_some_and(|(label, rest)| count_words(label) <= LONGEST && is_title(rest))
    }

    /// Whether a farewell comes before it, so that a name may follow.
    pub(super) fn follows_a_farewell(&self) -> bool {
        self.before
            .split(['.', '!', '?', ',', '。', '！', '，'])
            .any(words::is_farewell)
    }

    /// Words of leave-taking, or a mark of authorship.
    pub(super) fn is_farewell(&self) -> bool {
        const LONGEST: usize = 8;
        (self.words <= LONGEST && words::is_farewell(self.sentence))
            || self.sentence.contains(['©', '™'])
            || self.sentence.starts_with(['—', '–', '#', '@'])
    }
}

/// Whether a text begins with a question word of its language.
pub(super) fn asks(text: &str, language: Option<&str>) -> bool {
    language
        .and_then(words::of)
        .is_some_and(|telling| begins_with(text, &telling.questions))
}

/// Whether the first word is one of a list.
fn begins_with(text: &str, list: &[&str]) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if text.chars().next().is_some_and(is_wide) {
        return list.iter().any(|start| text.starts_with(start));
    }
    let first = text
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .next()
        .unwrap_or_default()
        .replace('’', "'")
        .to_lowercase();
    list.contains(&first.as_str())
}

fn is_title(text: &str) -> bool {
    const MINOR: usize = 3;
    let mut words = 0;
    let mut minor = 0;
    for word in text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')) {
        let Some(first) = word.chars().next() else {
            continue;
        };
        if is_wide(first) || is_without_case(first) {
            return false;
        }
        if first.is_lowercase() {
            minor += 1;
            if word.chars().count() > MINOR {
                return false;
            }
        } else {
            words += 1;
        }
    }
    words > minor
}

/// Verse or an address: several lines, all of them short. A line that ends in a
/// colon is a label of the next, and where the second of two goes on in small
/// letters, a line was wrapped.
pub(super) fn is_in_short_lines(source: &str) -> bool {
    const SHORT: usize = 48;
    let lines: Vec<&str> = source
        .trim_end()
        .lines()
        .map(|line| line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '\\')))
        .skip_while(|line| line.ends_with([':', '：']))
        .collect();
    let is_wrapped = matches!(lines.as_slice(), [_, second] if second.starts_with(char::is_lowercase));
    let is_short = |line: &&str| {
        line.chars()
            .map(|c| if is_wide(c) { 2 } else { 1 })
            .sum::<usize>()
            < SHORT
    };
    lines.len() > 1 && !is_wrapped && lines.iter().all(is_short)
}

/// A letter of a script without capital letters, written with spaces between words.
fn is_without_case(c: char) -> bool {
    c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase() && !is_wide(c)
}

/// The signs of Indic and Semitic scripts that stand at letters and are none themselves.
fn is_sign_of_a_vowel(c: char) -> bool {
    matches!(c, '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{65f}' | '\u{900}'..='\u{dff}')
        && !matches!(c, '।' | '॥')
}

fn begins_alike(word: &str, lower: &str) -> bool {
    match (word.chars().next(), lower.chars().next()) {
        (Some(a), Some(b)) => a == b || a.to_lowercase().eq(b.to_lowercase()),
        _ => false,
    }
}

/// The start of the last sentence: after the last full stop that ends a
/// sentence of at least three words.
fn last_sentence(text: &str) -> usize {
    const SHORTEST: usize = 3;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if !is_full_stop(c) {
            continue;
        }
        let end = at + c.len_utf8();
        let rest = text.get(end..).unwrap_or_default();
        let ends = match c {
            '。' | '！' | '？' => true,
            _ => {
                let next = rest.chars().next();
                let begins = rest.trim_start_matches(|c: char| {
                    c.is_whitespace() || is_closing(c) || is_opening(c) || matches!(c, '*' | '_')
                });
                let begins_anew = begins.chars().next().is_some_and(|c| !c.is_lowercase());
                next.is_some_and(|next| next.is_whitespace() || is_closing(next))
                    && begins_anew
                    && (c != '.' || !is_abbreviation(text.get(..at).unwrap_or_default()))
            }
        };
        let sentence = text.get(start..at).unwrap_or_default();
        if ends
            && !rest
                .trim_matches(|c: char| c.is_whitespace() || is_closing(c))
                .is_empty()
            && count_words(sentence) >= SHORTEST
        {
            start = end;
        }
    }
    start
}

/// Whether the word before a full stop is a number, an initial or a common
/// abbreviation.
fn is_abbreviation(before: &str) -> bool {
    let word = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let letters = word.chars().count();
    letters == 0 && !before.ends_with(is_closing)
        || letters == 1
        || word.chars().all(|c| c.is_ascii_digit()) && letters <= 2
        || words::is_abbreviation(&word.to_lowercase())
}

/// A text without the quotation marks and brackets that close it. `»…«` is closed by the
/// mark that opens elsewhere.
fn without_closing(text: &str) -> &str {
    let mut tail = text;
    loop {
        tail = tail.trim_end_matches(|c: char| c.is_whitespace() || is_closing(c));
        match tail.strip_suffix(['«', '‹']) {
            Some(rest) if is_opened_inwards(rest) => tail = rest,
            _ => return tail,
        }
    }
}

/// Whether a text has opened a quotation with `»` or `›` and not closed it.
fn is_opened_inwards(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '»' | '›' if opens_inwards(before, chars.peek()) => depth += 1,
            '«' | '‹' if depth > 0 => depth -= 1,
            _ => {}
        }
        before = c;
    }
    depth > 0
}

/// Whether a quotation may be opened between these: before a word and not behind one, while
/// the mark that closes `« … »` has a space before it and none behind it.
fn opens_inwards(before: char, after: Option<&char>) -> bool {
    let is_after_space =
        before.is_whitespace() || is_opening(before) || matches!(before, '–' | '—' | '-' | '»' | '›');
    is_after_space && after.is_some_and(|c| c.is_alphanumeric() || is_opening(*c))
}

/// “1 b, 2 a, 3 c”, “a) true b) false”: an answer to each number or letter in a row. It takes
/// no full stop.
fn is_answer_key(text: &str) -> bool {
    const FEWEST: usize = 2;
    let line = text.rsplit('\n').next().unwrap_or_default();
    let line = line.rsplit_once([':', '：']).map_or(line, |(_, keys)| keys);
    let words: Vec<&str> = words_of(line).map(|(_, word)| word).collect();
    let (pairs, rest) = words.as_chunks::<2>();
    if pairs.len() < FEWEST || !rest.is_empty() {
        return false;
    }
    let label = |word: &str| -> Option<u32> {
        let mut chars = word.chars();
        match (word.parse(), chars.next(), chars.next()) {
            (Ok(number), ..) => Some(number),
            (_, Some(letter), None) => Some(u32::from(letter)),
            _ => None,
        }
    };
    let labels: Option<Vec<u32>> = pairs.iter().map(|[first, _]| label(first)).collect();
    let follow = |labels: Vec<u32>| labels.windows(2).all(|two| two[0] + 1 == two[1]);
    labels.is_some_and(follow)
}

/// The word that closes a text.
fn is_end_word(text: &str) -> bool {
    const END: &str = "끝 完 终 終 おわり 終わり 了 Վերջ Վերջը დასასრული Конец Кінець Канец Край Крај Соңы \
        Τέλος Ende Fin Fine Fim Slut Loppu Koniec Konec Kraj Vége Sfârșit Son Hết Tamat Tapos Mwisho Lõpp Beigas \
        Pabaiga Amaia Diwedd Deireadh Endir النهاية انتها پایان ختم סוף समाप्त সমাপ্ত முற்றும் సమాప్తం จบ ពេញលេញ ပြီး";
    let line = text.rsplit('\n').next().unwrap_or_default().trim();
    END.split_whitespace().any(|end| end == line)
}

/// A bracket that is opened in a sentence and not closed, and has words in it.
fn open_bracket(sentence: &str) -> Option<char> {
    let mut open: Vec<(char, char)> = Vec::new();
    let mut before = ' ';
    // A nested list of brackets is not a sentence; there is no need to go on.
    const DEEPEST: usize = 16;
    let mut chars = sentence.chars().peekable();
    while let Some(c) = chars.next() {
        if open.len() > DEEPEST {
            break;
        }
        match c {
            // A smiley opens nothing.
            '(' | '[' if matches!(before, ':' | ';' | '-' | '=') => {}
            '(' => open.push(('(', ')')),
            '[' => open.push(('[', ']')),
            '（' => open.push(('（', '）')),
            '【' => open.push(('【', '】')),
            '「' => open.push(('「', '」')),
            '《' => open.push(('《', '》')),
            '«' if open.last() == Some(&('»', '«')) => {
                open.pop();
            }
            '«' => open.push(('«', '»')),
            '»' if opens_inwards(before, chars.peek()) => open.push(('»', '«')),
            // Swedish and Finnish close with the mark that they open with.
            '»' if open.last() == Some(&('»', '«')) => {
                open.pop();
            }
            '¿' => open.push(('¿', '?')),
            '¡' => open.push(('¡', '!')),
            // In German this closes what „ has opened.
            '“' if before.is_whitespace() => open.push(('“', '”')),
            _ => {
                if open.last().is_some_and(|(_, close)| *close == c) {
                    open.pop();
                }
            }
        }
        before = c;
    }
    open.first().map(|(c, _)| *c)
}

pub(super) fn is_wide(c: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{20000}'..='\u{3ffff}').contains(&c)
}

/// The marks that end a sentence in any script.
pub(super) fn is_full_stop(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, '.' | '!' | '?');
    }
    matches!(
        c,
        '…' | '‽' | '‼' | '⁇'..='⁉'
            | '。' | '！' | '？' | '．' | '｡' | '︒' | '﹒' | '﹖' | '﹗'
            // Devanagari and its neighbours.
            | '।' | '॥'
            // Arabic and Urdu, Syriac.
            | '؟' | '۔' | '؞' | '܀'..='܂'
            // Armenian: full stop, exclamation, question.
            | '։' | '՜' | '՞'
            // Ethiopic, Khmer, Burmese, Mongolian, Tibetan.
            | '።' | '፧' | '፨' | '។' | '៕' | '៖' | '၊' | '။' | '᠃' | '᠉' | '།' | '༎'
            // Ol Chiki, Lisu, Vai, Bamum, Javanese, Cham, Meitei.
            | '᱾' | '᱿' | '꓿' | '꘎' | '꘏' | '꛳' | '꛷' | '꧈' | '꧉' | '꩝'..='꩟' | '꫰' | '꫱' | '꯫'
    )
}

/// Quotation marks and brackets that may follow a full stop.
pub(super) fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '›' | '」' | '』' | '》' | '）' | '】' | '“'
    )
}

/// Whether a text ends in a word that a hyphen cuts in two. `B-`, `un-` and `hin- und`
/// are short or have company.
fn is_half_a_word(text: &str) -> bool {
    const SHORTEST: usize = 3;
    let Some(rest) = text.strip_suffix('-') else {
        return false;
    };
    let word = rest.rsplit(char::is_whitespace).next().unwrap_or_default();
    let before = &rest[..rest.len() - word.len()];
    word.chars().count() >= SHORTEST
        && word.chars().all(char::is_lowercase)
        && !before.contains("- ")
        && !before.contains("-,")
        && before.trim_end().ends_with(char::is_alphanumeric)
}

fn is_opening(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '('
            | '['
            | '“'
            | '‘'
            | '«'
            | '‹'
            | '「'
            | '『'
            | '《'
            | '（'
            | '【'
            | '„'
            | '¿'
            | '¡'
    )
}

/// Characters that promise more.
fn promises_more(c: char) -> bool {
    matches!(
        c,
        ',' | '，' | '、' | '(' | '（' | '[' | '„' | '«' | '–' | '—'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_may_point_inwards() {
        for text in [
            "3. »Midva greva v kino.«",
            "en seddel: »Kom selv og find mig!«",
            "Anna fragte leise: »Kommst du mit?« (Kapitel 2).",
            "„Apám ezt mondta: »Ne félj!«”",
            "›Ja‹, sagte er: »Es ist Zeit.«",
            "Hon sade: »Kom hit!»",
            "Une phrase. Et la fin de la citation. »",
        ] {
            assert!(Ending::of(text, None).is_none(), "{text}");
        }
        for text in ["Hon sade »kom hit» och gick", "Première phrase. Deuxième phrase »"] {
            let ending = Ending::of(text, None).unwrap();
            assert_eq!(ending.unfinished(), None, "{text}");
        }
        for (text, open) in [
            ("Er sagte: »Es ist Zeit", '»'),
            ("Il dit « attends", '«'),
            ("Sie rief: »Komm« und er: »Ich", '»'),
        ] {
            let ending = Ending::of(text, None).unwrap();
            assert_eq!(ending.unfinished(), Some(Unfinished::Open(open)), "{text}");
        }
        assert!(Ending::of("Er sagte «", None).is_some());
    }

    #[test]
    fn answer_keys_and_the_end_take_no_full_stop() {
        for text in [
            "1 b, 2 a, 3 c",
            "1 – b, 2 – a, 3 – c",
            "a) richtig  b) falsch  c) richtig",
            "1. true 2. false 3. true",
            "Ответы: 1 б, 2 а, 3 в",
            "Solutions :\n1 vrai, 2 faux",
            "끝",
            "Վերջ",
        ] {
            assert!(Ending::of(text, None).is_none(), "{text}");
        }
        for text in ["1 b, 2 a, 3", "1 b, 3 a", "In 2 we saw 3 things and 4"] {
            assert!(Ending::of(text, None).is_some(), "{text}");
        }
    }

    #[test]
    fn the_phrase_files_are_sound() {
        let list = &words::LIST;
        assert_eq!(list.faults(), [""; 0]);
        let is_unfinished = |language: &str, text: &str| {
            Ending::of(text, Some(language)).is_some_and(|ending| ending.unfinished().is_some())
        };
        let unfinished =
            list.wrong_examples("unfinished", |file, text| is_unfinished(file.language, text));
        assert_eq!(unfinished, [""; 0]);
        let farewells = list.wrong_examples("farewells", |_, text| words::is_farewell(text));
        assert_eq!(farewells, [""; 0]);
    }
}
