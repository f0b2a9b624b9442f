//! GIFT and Aiken, in which quizzes are written as plain text.

use super::Lines;

pub(super) fn of(lines: &Lines<'_>) -> Option<&'static str> {
    let (mut gift, mut aiken, mut other) = (0, 0, 0);
    for paragraph in lines.paragraphs() {
        let first = paragraph.first().map_or("", |line| line.trim());
        if first.starts_with("//") || first.starts_with("$CATEGORY:") {
            if paragraph.len() == 1 {
                continue;
            }
            if is_gift(&paragraph[1..]) {
                gift += 1;
                continue;
            }
        }
        if is_gift(paragraph) {
            gift += 1;
        } else if is_aiken(paragraph) {
            aiken += 1;
        } else {
            other += 1;
        }
    }
    if gift > 0 && gift >= other {
        Some("GIFT")
    } else if aiken > 0 && aiken >= other {
        Some("Aiken")
    } else {
        None
    }
}

/// A question with its answers in braces: `Two and two? {=four ~five}`.
fn is_gift(paragraph: &[&str]) -> bool {
    let text = paragraph.join("\n");
    let has_title = text.trim_start().starts_with("::");
    let Some(open) = opening_brace(&text) else {
        return false;
    };
    let Some(close) = text[open..].find('}') else {
        return false;
    };
    let inner = text[open + 1..open + close].trim();
    let is_judged = matches!(inner, "T" | "F" | "TRUE" | "FALSE");
    let is_numeric = inner.strip_prefix('#').is_some_and(|rest| {
        rest.trim_start()
            .starts_with(|c: char| c.is_ascii_digit() || c == '=' || c == '-')
    });
    let is_choice = inner.starts_with(['=', '~']) && inner.len() > 1;
    // Pandoc's raw attributes are written `{=html}`.
    let is_attribute = inner.starts_with('=') && text[..open].ends_with('`');
    (is_choice && !is_attribute) || is_judged || is_numeric || (has_title && inner.is_empty())
}

/// The first brace that opens answers: not escaped, and not one of a formula.
fn opening_brace(text: &str) -> Option<usize> {
    let mut in_formula = false;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '$' if before != '\\' => in_formula = !in_formula,
            '{' if !in_formula && is_before_answers(before) => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}

fn is_before_answers(c: char) -> bool {
    c.is_whitespace() || matches!(c, '?' | '.' | ':' | ']')
}

/// A question, options by letter and `ANSWER: B`.
fn is_aiken(paragraph: &[&str]) -> bool {
    let mut lines = paragraph.iter();
    // What follows it may be the next question, or another answer.
    let answer = lines.position(|line| line.trim().starts_with("ANSWER:"));
    let before = answer.and_then(|at| paragraph.get(..at));
    let options = before.map_or(0, |before| {
        before.iter().filter(|line| is_option(line)).count()
    });
    options >= 2
}

fn is_option(line: &str) -> bool {
    let mut chars = line.trim().chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && chars.next().is_some_and(|c| matches!(c, '.' | ')'))
        && chars.next() == Some(' ')
}
