//! Questions about single letters that are asked of every letter of a text. The
//! standard library answers them from tables that hold all of Unicode; most
//! texts are in letters for which arithmetic will do.

/// As `char::is_alphabetic`.
#[must_use]
pub fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\x7f' => c.is_ascii_alphabetic(),
        '\u{C0}'..='\u{24F}' => !matches!(c, '×' | '÷'),
        '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}' => true,
        '\u{4E00}'..='\u{9FFF}' => true,
        _ => c.is_alphabetic(),
    }
}

/// As `char::is_alphanumeric`.
#[must_use]
pub fn is_letter_or_digit(c: char) -> bool {
    match c {
        '\0'..='\x7f' => c.is_ascii_alphanumeric(),
        _ => is_letter(c) || c.is_numeric(),
    }
}

/// The small letter. The few letters that have two (`İ`) give the first of them.
#[must_use]
pub fn lower(c: char) -> char {
    match c {
        '\0'..='\x7f' => c.to_ascii_lowercase(),
        'а'..='џ' => c,
        'А'..='Я' => char::from_u32(u32::from(c) + 32).unwrap_or(c),
        'Ѐ'..='Џ' => char::from_u32(u32::from(c) + 80).unwrap_or(c),
        '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{A63F}' => c,
        _ => c.to_lowercase().next().unwrap_or(c),
    }
}

/// Where a run of ASCII letters ends that may begin at `at`.
#[must_use]
#[inline]
pub fn end_of_plain(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let run = rest.iter().position(|byte| !byte.is_ascii_alphabetic());
    at + run.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_cuts_agree_with_the_tables() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_letter(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(is_letter_or_digit(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(Some(lower(c)), c.to_lowercase().next(), "{c:?}");
        }
    }

    #[test]
    fn a_run_of_plain_letters_ends_before_any_other_byte() {
        for row in 0..20 {
            for other in (0..=u8::MAX).filter(|byte| !byte.is_ascii_alphabetic()) {
                let mut bytes: Vec<u8> =
                    b"abcxyzABCXYZ".iter().copied().cycle().take(row).collect();
                assert_eq!(end_of_plain(&bytes, 0), row);
                bytes.push(other);
                bytes.extend(b"letters after");
                assert_eq!(end_of_plain(&bytes, 0), row, "{other:#x}");
                assert_eq!(end_of_plain(&bytes, row), row, "{other:#x}");
            }
        }
        assert_eq!(end_of_plain(b"abc", 3), 3);
        assert_eq!(end_of_plain(b"abc", 4), 4);
    }
}
