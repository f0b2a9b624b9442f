//! Amounts of money in a text: foreign ones, and pounds with the sign on the
//! wrong side. A currency sign only counts next to an amount. The caller masks
//! mathematics and code (`redraft_text::mathematics`). Knows nothing of cards.

use std::ops::Range;

/// An amount in a foreign currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    /// The sign and the amount.
    pub(crate) range: Range<usize>,
    /// The amount alone.
    pub(crate) amount: Range<usize>,
    pub(crate) written_as: WrittenAs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenAs {
    /// `$5`, `5 €`, `US$5`, `EUR 5`.
    Sign,
    /// `5 dollars`.
    Word,
}

/// The foreign amounts outside the masked ranges of a text, in order.
pub(crate) fn foreign(text: &str, masked: &[Range<usize>]) -> Vec<Foreign> {
    let mut found: Vec<Foreign> = Vec::new();
    for amount in amounts(text, masked) {
        let before = text.get(..amount.start).unwrap_or_default();
        let after = text.get(amount.end..).unwrap_or_default();
        let taken = found.last().map_or(0, |last| last.range.end);
        let hit = if let Some(len) = sign_before(before).filter(|_| !continues(after)) {
            Some((amount.start - len..amount.end, WrittenAs::Sign))
        } else if let Some((len, written_as)) = sign_after(after) {
            Some((amount.start..amount.end + len, written_as))
        } else {
            None
        };
        if let Some((range, written_as)) = hit
            && range.start >= taken
            && !overlaps(masked, &range)
        {
            found.push(Foreign {
                range,
                amount,
                written_as,
            });
        }
    }
    found
}

/// Pound signs after their amounts (`20£`), each with its amount.
pub(crate) fn sign_after_amount(
    text: &str,
    masked: &[Range<usize>],
) -> Vec<(Range<usize>, Range<usize>)> {
    amounts(text, masked)
        .into_iter()
        .filter_map(|amount| {
            let before = text.get(..amount.start)?.trim_end_matches(' ');
            let after = text.get(amount.end..)?;
            let space = usize::from(after.starts_with(' '));
            let rest = after.get(space..)?.strip_prefix('£')?;
            // The sign belongs to what follows: `3 £5 notes`.
            let is_next = rest
                .trim_start_matches(' ')
                .starts_with(|c: char| c.is_ascii_digit());
            let is_free = !before.ends_with(['£', '$', '€']) && !is_next;
            is_free.then(|| (amount.start..amount.end + space + '£'.len_utf8(), amount))
        })
        .collect()
}

/// Amounts in pounds, each with its value in pence.
pub(crate) fn pounds(text: &str, masked: &[Range<usize>]) -> Vec<(Range<usize>, u64)> {
    amounts(text, masked)
        .into_iter()
        .filter_map(|amount| {
            let before = text.get(..amount.start)?;
            let start = before.strip_suffix('£').map(str::len)?;
            let written = text.get(amount.clone())?.replace(',', "");
            let (whole, decimals) = written.split_once('.').unwrap_or((&written, ""));
            let pence = match decimals.len() {
                0 => 0,
                1 => decimals.parse::<u64>().ok()? * 10,
                _ => decimals.get(..2)?.parse().ok()?,
            };
            let value = whole
                .parse::<u64>()
                .ok()?
                .checked_mul(100)?
                .checked_add(pence)?;
            Some((start..amount.end, value))
        })
        .collect()
}

/// Numbers as amounts are written: `5`, `3.50`, `1,200`, `.50`.
fn amounts(text: &str, masked: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut masked = masked.iter().peekable();
    let mut at = 0;
    while at < bytes.len() {
        while masked.next_if(|range| range.end <= at).is_some() {}
        if let Some(range) = masked.peek().filter(|range| range.start <= at) {
            at = range.end.max(at + 1);
            continue;
        }
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let starts = is_digit(at) || (bytes.get(at) == Some(&b'.') && is_digit(at + 1));
        if !starts {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while is_digit(at) || (matches!(bytes.get(at), Some(b'.' | b',')) && is_digit(at + 1)) {
            at += 1;
        }
        let glued = text
            .get(..start)
            .and_then(|before| before.chars().next_back())
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        if !glued {
            found.push(start..at);
        }
    }
    found
}

/// The length of a currency sign or code before an amount.
fn sign_before(before: &str) -> Option<usize> {
    let trimmed = before.strip_suffix(' ').unwrap_or(before);
    let space = before.len() - trimmed.len();
    if let Some(rest) = trimmed.strip_suffix('$') {
        // `US$`, `A$`, `NZ$`: letters before the sign that are a word of their own.
        let letters = rest
            .bytes()
            .rev()
            .take(4)
            .take_while(u8::is_ascii_uppercase)
            .count();
        let head = rest.get(..rest.len() - letters)?;
        let prefix = if letters <= 3 && !head.ends_with(char::is_alphanumeric) {
            letters
        } else {
            0
        };
        // The sign in `5 $ 3` belongs to no amount.
        return (space == 0 || !head.ends_with(char::is_alphanumeric))
            .then_some(prefix + 1 + space);
    }
    if let Some(sign) = trimmed.chars().next_back().filter(|c| is_foreign_sign(*c)) {
        return Some(sign.len_utf8() + space);
    }
    CODES.iter().find_map(|code| {
        let head = trimmed.strip_suffix(code)?;
        (!head.ends_with(|c: char| c.is_alphanumeric())).then_some(code.len() + space)
    })
}

/// The length of a currency after an amount, and how it is written.
fn sign_after(after: &str) -> Option<(usize, WrittenAs)> {
    let space = usize::from(after.starts_with(' '));
    let rest = after.get(space..)?;
    let first = rest.chars().next()?;
    if first == '$' || is_foreign_sign(first) {
        let next = rest.get(first.len_utf8()..)?.chars().next();
        let is_next = next
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '\\' | '(' | '{' | '.'))
            && !matches!(next, Some('.'));
        return (!is_next).then_some((space + first.len_utf8(), WrittenAs::Sign));
    }
    let len = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = rest.get(..len)?;
    if CODES.contains(&word) {
        return Some((space + len, WrittenAs::Sign));
    }
    let is_word = space == 1
        && [
            "dollar", "dollars", "euro", "euros", "cents", "yen", "rupees",
        ]
        .contains(&word.to_ascii_lowercase().as_str());
    is_word.then_some((space + len, WrittenAs::Word))
}

const CODES: &[&str] = &["USD", "EUR", "AUD", "CAD", "NZD", "JPY", "INR", "CHF"];

fn is_foreign_sign(c: char) -> bool {
    matches!(c, '€' | '¥' | '₹' | '₽' | '¢' | '₩' | '₺')
}

/// Whether a number continues like a formula: `$3x`, `$2^{3}`.
fn continues(after: &str) -> bool {
    let rest = after.trim_start_matches(' ');
    let is_tight = !after.starts_with(' ');
    match rest.chars().next() {
        // A line break that was escaped twice is not a command.
        Some('\\') => {
            !rest.starts_with("\\n") || rest.starts_with("\\neq") || rest.starts_with("\\nu")
        }
        Some('^' | '_' | '{') => is_tight,
        Some(c) if c.is_alphabetic() && is_tight => {
            let word: String = after
                .chars()
                .take_while(|c| c.is_alphabetic())
                .take(12)
                .collect();
            ![
                "k", "m", "bn", "K", "M", "million", "billion", "each", "USD", "US",
            ]
            .contains(&word.as_str())
        }
        _ => false,
    }
}

fn overlaps(masked: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = masked.partition_point(|mask| mask.end <= range.start);
    masked.get(next).is_some_and(|mask| mask.start < range.end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use redraft_text::mathematics::mathematics;

    fn found(text: &str) -> Vec<&str> {
        foreign(text, &mathematics(text, &[]))
            .into_iter()
            .map(|foreign| &text[foreign.range])
            .collect()
    }

    #[test]
    fn foreign_amounts_are_found_alone_and_next_to_mathematics() {
        for (text, expected) in [
            ("It costs $3.50.", &["$3.50"][..]),
            ("It costs 20€.", &["20€"]),
            ("It costs 20 €.", &["20 €"]),
            ("It costs €5", &["€5"]),
            ("It costs € 5", &["€ 5"]),
            ("It costs US$12.", &["US$12"]),
            ("It costs A$12 or NZ$3", &["A$12", "NZ$3"]),
            ("12 USD or EUR 5", &["12 USD", "EUR 5"]),
            ("It costs 5 dollars.", &["5 dollars"]),
            ("50¢", &["50¢"]),
            ("20$", &["20$"]),
            ("$1,200.50 in all", &["$1,200.50"]),
            ("($5)", &["$5"]),
            ("**$5**", &["$5"]),
            ("$5k and $3 million", &["$5k".trim_end_matches('k'), "$3"]),
            ("Solve $x + 2 = 5$, then pay $3.50.", &["$3.50"]),
            ("Pay $3.50 when $x = 2$.", &["$3.50"]),
            ("$20 ÷ 4 = $5", &["$20", "$5"]),
            ("from $3-$5", &["$3", "$5"]),
            ("$5 or 10$", &["$5", "10$"]),
            ("$20/$x$", &["$20"]),
            ("$5, $6 and $7", &["$5", "$6", "$7"]),
            ("costs $5\\nThen", &["$5"]),
            ("£5 is $6.50 or €5.80", &["$6.50", "€5.80"]),
            ("a $5 note and $y$", &["$5"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn mathematics_and_pounds_are_not_foreign_amounts() {
        for text in [
            "$x = 3$",
            "$20$",
            "$3x + 2 = 11$",
            "$$20 \\div 4 = 5$$",
            r"$\frac{1}{4}$ of £20 is $5$",
            r"$\frac{3}{4} \times 8 = 6$",
            r"Work out $3.5 \times 2$ and $4 + 5$.",
            "$5$ apples and $6$ pears",
            "$2^3 = 8$",
            "the $2$nd term",
            r"\(5\) and \[6\]",
            r"\$5",
            "£20 and 75p",
            "Solve $3x + 2 = 11",
            "a $ sign and a € sign",
            "Use the £ symbol, not $ or €.",
            "5 $x$ plus",
            "$3 < x < 5$",
            "$3, 4, 5$",
            "$12 \\text{ cm}$",
            "$5\\%$",
            "$90^\\circ$",
        ] {
            assert_eq!(found(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn a_pound_sign_after_its_amount_is_found() {
        let found = |text: &'static str| -> Vec<&str> {
            sign_after_amount(text, &mathematics(text, &[]))
                .into_iter()
                .map(|(range, _)| &text[range])
                .collect()
        };
        for (text, expected) in [
            ("It costs 20£.", &["20£"][..]),
            ("It costs 3.50 £ today", &["3.50 £"]),
            ("1,200£", &["1,200£"]),
            ("£20", &[]),
            ("3 £5 notes", &[]),
            ("£20£", &[]),
            ("2£5", &[]),
            ("the pound sign £", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn pounds_are_read_in_pence() {
        let read = |text| {
            pounds(text, &[])
                .into_iter()
                .map(|(_, pence)| pence)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            read("£3, £3.5, £3.50, £1,200.99 and 4"),
            [300, 350, 350, 120_099]
        );
        assert!(read("£99999999999999999999999").is_empty());
    }

    proptest! {
        #[test]
        fn money_is_found_and_mathematics_is_not_however_they_are_mixed(
            samples in proptest::collection::vec((0..14_usize, 1..500_u32), 1..8)
        ) {
            let mut text = String::new();
            let mut money = Vec::new();
            for (kind, n) in samples {
                let sample = match kind {
                    0 => format!("$x + {n} = y$"),
                    1 => format!("$\\frac{{{n}}}{{4}}$"),
                    2 => format!("${n}$"),
                    3 => format!("$$ {n} \\times 2 $$"),
                    4 => format!("£{n}"),
                    5 => format!("\\({n} + 1\\)"),
                    6 => "then we add".to_owned(),
                    7 => format!("${n} + 3 = k$"),
                    kind => {
                        let amount = match kind {
                            8 => format!("${n}.50"),
                            9 => format!("{n}€"),
                            10 => format!("€{n}"),
                            11 => format!("US${n}"),
                            12 => format!("${n}"),
                            _ => format!("{n} EUR"),
                        };
                        money.push(amount.clone());
                        amount
                    }
                };
                text.push_str(&sample);
                text.push_str(if n % 3 == 0 { ", " } else if n % 3 == 1 { " and " } else { ". " });
            }
            let found = found(&text);
            prop_assert_eq!(&found, &money.iter().map(String::as_str).collect::<Vec<_>>(), "{}", text);
        }

        #[test]
        fn no_text_panics(text in "[$€£0-9a-z\\\\(){}., \\n%=+-]{0,60}") {
            let masked = mathematics(&text, &[]);
            for hit in foreign(&text, &masked) {
                prop_assert!(text.get(hit.range).is_some());
            }
            let _ = (sign_after_amount(&text, &masked), pounds(&text, &masked));
        }
    }
}
