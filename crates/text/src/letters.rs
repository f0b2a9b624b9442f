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

/// Where a row of ASCII letters ends that may begin at `at`. Eight bytes are
/// looked at together: adding sets the top bit of those from `a` on, and of those
/// behind `z`.
#[must_use]
#[inline]
pub fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOP: u64 = 0x80 * EACH;
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let eight = u64::from_le_bytes(*eight);
        let small = (eight | (0x20 * EACH)) & !TOP;
        let from_a = small + (0x80 - 0x61) * EACH;
        let behind_z = small + (0x80 - 0x7b) * EACH;
        let others = !(from_a & !behind_z & !eight) & TOP;
        at += others.trailing_zeros() as usize / 8;
        if others != 0 {
            return at;
        }
    }
    while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
        at += 1;
    }
    at
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
