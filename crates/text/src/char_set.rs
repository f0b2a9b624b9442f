//! Looking for any of a few characters. `str::find` and `str::contains` decode every
//! character of a text and compare it with each of the wanted ones; here only the bytes
//! with which a wanted one begins are decoded, which are rare.

/// A few characters to look for.
#[derive(Debug)]
pub struct CharSet<const N: usize> {
    chars: [char; N],
    /// Whether one of them begins with a byte.
    begins: [bool; 256],
}

impl<const N: usize> CharSet<N> {
    #[must_use]
    pub const fn new(chars: [char; N]) -> Self {
        let mut begins = [false; 256];
        let mut at = 0;
        while at < N {
            let mut bytes = [0; 4];
            chars[at].encode_utf8(&mut bytes);
            begins[bytes[0] as usize] = true;
            at += 1;
        }
        Self { chars, begins }
    }

    /// The first of them in a text, with its offset.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<(usize, char)> {
        let mut at = 0;
        loop {
            let rest = text.as_bytes().get(at..)?;
            at += rest
                .iter()
                .position(|&byte| self.begins[usize::from(byte)])?;
            let found = text.get(at..)?.chars().next()?;
            if self.chars.contains(&found) {
                return Some((at, found));
            }
            at += found.len_utf8();
        }
    }

    /// Whether any of them is in a text.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// What stands before and after the first of them.
    #[must_use]
    pub fn split_once<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (at, found) = self.find(text)?;
        Some((text.get(..at)?, text.get(at + found.len_utf8()..)?))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_is_found_as_the_standard_library_finds_it(text in "[ab:\"“”‘«é：水\n]{0,12}") {
            const WANTED: [char; 4] = [':', '“', '«', '：'];
            const SET: CharSet<4> = CharSet::new(WANTED);
            let expected = text.find(WANTED);
            prop_assert_eq!(SET.find(&text).map(|(at, _)| at), expected);
            prop_assert_eq!(SET.is_in(&text), text.contains(WANTED));
            prop_assert_eq!(SET.split_once(&text), text.split_once(WANTED));
        }
    }
}
