//! The analysis of a text, without its cost where there is nothing to say. A bank has
//! hundreds of thousands of short texts, and nearly all of them are one line without
//! markup: the analysis of such a text depends on its length alone, so that texts of one
//! length share it.

use std::iter;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, OnceLock};

use super::parse::analyse;
use super::view::Markdown;

/// Longer texts own their analysis.
const LONGEST: usize = 1024;

/// The analysis of a text: one pointer, whether it is shared or not.
#[derive(Debug)]
pub struct Analysis(Arc<Markdown>);

impl Analysis {
    /// Analyses a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::new(text.len(), analyse(text))
    }

    /// Keeps the analysis of a text of this length.
    #[must_use]
    pub fn new(length: usize, markdown: Markdown) -> Self {
        Self(match plain(length) {
            Some(plain) if **plain == markdown => Arc::clone(plain),
            _ => Arc::new(markdown),
        })
    }
}

impl Deref for Analysis {
    type Target = Markdown;

    fn deref(&self) -> &Markdown {
        &self.0
    }
}

/// The analysis of a line of letters.
fn plain(length: usize) -> Option<&'static Arc<Markdown>> {
    static PLAIN: LazyLock<Vec<OnceLock<Arc<Markdown>>>> =
        LazyLock::new(|| iter::repeat_with(OnceLock::new).take(LONGEST).collect());
    let kept = PLAIN.get(length)?;
    Some(kept.get_or_init(|| Arc::new(analyse(&"a".repeat(length)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_markup_share_their_analysis() {
        let is_shared = |text: &str| {
            let analysis = Analysis::of(text);
            assert_eq!(*analysis, analyse(text), "{text}");
            plain(text.len()).is_some_and(|plain| Arc::ptr_eq(plain, &analysis.0))
        };
        for text in [
            "",
            "Oxygen",
            "Why is it 5 mg, not 10?",
            "Жёлтый и синий",
            "水的沸点",
            "a - b",
        ] {
            assert!(is_shared(text), "{text}");
        }
        for text in [
            "*Oxygen*",
            "a\nb",
            "- one",
            "1. one",
            " a",
            "`x`",
            "a &amp; b",
            "$x$",
            "see https://example.org",
        ] {
            assert!(!is_shared(text), "{text}");
        }
        assert!(!is_shared(&"a".repeat(LONGEST)));
    }
}
