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
}
