//! A part of a text that many share. A bank has hundreds of thousands of texts, and
//! nearly all of them stand in the file as they are read; this lets them point into
//! it and own nothing.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A part of a text, or all of it.
#[derive(Clone)]
pub struct SharedText {
    whole: Arc<str>,
    start: u32,
    end: u32,
}

impl SharedText {
    /// The part of a text in a range that lies on character boundaries; empty for
    /// any other range.
    #[must_use]
    pub fn within(whole: &Arc<str>, range: Range<usize>) -> Self {
        let part = whole.get(range.clone()).unwrap_or_default();
        match (u32::try_from(range.start), u32::try_from(range.end)) {
            (Ok(start), Ok(end)) if part.len() == range.len() => Self {
                whole: Arc::clone(whole),
                start,
                end,
            },
            // Beyond four gigabytes a text is copied.
            _ => Self::whole(Arc::from(part)),
        }
    }

    fn whole(whole: Arc<str>) -> Self {
        Self {
            start: 0,
            // A longer text than this is cut where it is read: see `deref`.
            end: u32::try_from(whole.len()).unwrap_or(u32::MAX),
            whole,
        }
    }
}

impl From<Arc<str>> for SharedText {
    fn from(text: Arc<str>) -> Self {
        Self::whole(text)
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self::whole(Arc::from(text))
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        if self.start == 0 && self.end == u32::MAX {
            return &self.whole;
        }
        self.whole
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

impl AsRef<str> for SharedText {
    fn as_ref(&self) -> &str {
        self
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_reads_as_what_it_points_at() {
        let whole: Arc<str> = Arc::from("Wasser kocht bei 100 °C.");
        for (range, expected) in [
            (0..6, "Wasser"),
            (7..12, "kocht"),
            (21..23, "°"),
            (0..0, ""),
        ] {
            assert_eq!(&*SharedText::within(&whole, range), expected);
        }
        assert_eq!(
            &*SharedText::within(&whole, 22..23),
            "",
            "inside a character"
        );
        assert_eq!(&*SharedText::within(&whole, 5..500), "");
        assert_eq!(&*SharedText::from(Arc::clone(&whole)), &*whole);
    }
}
