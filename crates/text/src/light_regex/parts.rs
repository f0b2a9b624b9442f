//! Named parts of patterns: `{name}` stands for any line of the part. What a part needs is
//! worked out once, not for each of the patterns that use it, and the text of a pattern
//! is put together when it is compiled.

use rustc_hash::FxHashMap;

use super::required::{Words, required, required_by_any};

/// The parts that patterns of one language use.
#[derive(Debug, Default)]
pub struct Parts {
    /// In the order in which they are defined; each may use those before it.
    parts: Vec<(&'static str, &'static [&'static str])>,
    required: FxHashMap<&'static str, Vec<Words>>,
}

/// Parts that every pattern may use: up to six words before a noun, and up to four of
/// which nothing is said.
const WORDS_BETWEEN: [(&str, &str); 2] = [
    ("{mid}", r"(?P<mid>(?:\S+ ){0,6}?)"),
    ("{mid2}", r"(?:\S+ ){0,4}?"),
];

impl Parts {
    /// Parts by name, each with its lines.
    pub fn new(parts: impl Iterator<Item = (&'static str, &'static [&'static str])>) -> Self {
        let mut all = Self::default();
        for (name, lines) in parts {
            let lists = match lines {
                [line] => required(line, &all),
                _ => required_by_any(lines, &all),
            };
            all.required.insert(name, lists);
            all.parts.push((name, lines));
        }
        all
    }

    pub(super) fn required(&self, name: &str) -> &[Words] {
        self.required.get(name).map_or(&[], Vec::as_slice)
    }

    /// The pattern with its parts in place of their names.
    #[must_use]
    pub fn fill(&self, pattern: &str) -> String {
        let mut filled = pattern.to_owned();
        for (name, words) in WORDS_BETWEEN {
            filled = filled.replace(name, words);
        }
        for (name, lines) in self.parts.iter().rev() {
            let name = format!("{{{name}}}");
            if filled.contains(&name) {
                filled = filled.replace(&name, &format!("(?:{})", lines.join("|")));
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_may_use_parts_before_it() {
        let lines: [(&str, &[&str]); 3] = [
            ("a", &["one", "two"]),
            ("b", &["{a} three"]),
            ("c", &["x.*", "{b}"]),
        ];
        let parts = Parts::new(lines.into_iter());
        assert_eq!(
            parts.fill("^{b}{mid2}$"),
            r"^(?:(?:one|two) three)(?:\S+ ){0,4}?$"
        );
        for pattern in ["{a}", "{b}", "{c} {b}", "{mid}{a}s{2}"] {
            let whole = required(&parts.fill(pattern), &Parts::default());
            assert_eq!(required(pattern, &parts), whole, "{pattern}");
        }
    }
}
