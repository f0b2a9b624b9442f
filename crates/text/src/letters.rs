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

/// How many of the bytes are meant. They are summed up in bytes, which a processor
/// does for many at once.
#[must_use]
#[inline]
pub fn count_bytes(bytes: &[u8], is_meant: impl Fn(&u8) -> bool) -> usize {
    const MOST: usize = u8::MAX as usize;
    bytes
        .chunks(MOST)
        .map(|some| usize::from(some.iter().map(|byte| u8::from(is_meant(byte))).sum::<u8>()))
        .sum()
}

/// The end of the run of ASCII letters that may begin at `at`.
#[must_use]
#[inline]
pub fn end_of_plain(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_cuts_agree_with_the_tables() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_letter(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(Some(lower(c)), c.to_lowercase().next(), "{c:?}");
        }
    }

    #[test]
    fn bytes_are_counted_however_many_there_are() {
        for length in [0, 1, 31, 254, 255, 256, 1_000] {
            let bytes: Vec<u8> = b"a-b".iter().copied().cycle().take(length).collect();
            let letters = bytes
                .iter()
                .filter(|byte| byte.is_ascii_alphabetic())
                .count();
            assert_eq!(count_bytes(&bytes, u8::is_ascii_alphabetic), letters);
            assert_eq!(count_bytes(&bytes, u8::is_ascii), length);
        }
    }

    #[test]
    fn a_row_of_plain_letters_ends_before_any_other_byte() {
        for row in 0..20 {
            for other in (0..=u8::MAX).filter(|byte| !byte.is_ascii_alphabetic()) {
                let mut bytes: Vec<u8> =
                    b"abcxyzABCXYZ".iter().copied().cycle().take(row).collect();
                assert_eq!(end_of_plain(&bytes, 0), row);
                bytes.push(other);
                bytes.extend(b"letters behind");
                assert_eq!(end_of_plain(&bytes, 0), row, "{other:#x}");
                assert_eq!(end_of_plain(&bytes, row), row, "{other:#x}");
            }
        }
        assert_eq!(end_of_plain(b"abc", 3), 3);
        assert_eq!(end_of_plain(b"abc", 4), 4);
    }
}
