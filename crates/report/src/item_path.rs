//! The names of items of a bank: `bank.jsonl#item_3`. The one place that takes them apart; an
//! id may contain `#` itself, and a bank may be called `Quiz.GIFT`.

use std::path::Path;

use redraft_gate::format;

/// The file of a document and, if it is an item of a bank, its id.
#[must_use]
pub fn split(path: &str) -> (&str, Option<&str>) {
    if let Some(item) = path.strip_prefix("-#") {
        return ("-", Some(item));
    }
    let is_bank = |file: &str| {
        let extension = Path::new(file).extension();
        extension
            .and_then(|extension| extension.to_str())
            .is_some_and(format::may_be_bank)
    };
    let mut marks = path.match_indices('#');
    marks
        .find_map(|(at, _)| {
            let (file, item) = (path.get(..at)?, path.get(at + 1..)?);
            is_bank(file).then_some((file, Some(item)))
        })
        .unwrap_or((path, None))
}

/// The file that a document is in: the bank of an item.
#[must_use]
pub fn file(path: &str) -> &str {
    split(path).0
}

/// The id of an item of a bank.
#[must_use]
pub fn item(path: &str) -> Option<&str> {
    split(path).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_belongs_to_its_file_whatever_both_are_called() {
        for (path, expected) in [
            ("bank.jsonl#item_3", ("bank.jsonl", Some("item_3"))),
            ("Q.JSONL#item_3", ("Q.JSONL", Some("item_3"))),
            ("a/Quiz.GIFT#1", ("a/Quiz.GIFT", Some("1"))),
            ("bank.json#a#b", ("bank.json", Some("a#b"))),
            ("bank.json#a.json#b", ("bank.json", Some("a.json#b"))),
            ("c#.json#q1", ("c#.json", Some("q1"))),
            ("-#item_1", ("-", Some("item_1"))),
            ("lesson #2.md", ("lesson #2.md", None)),
            ("notes.md#x", ("notes.md#x", None)),
            ("a.json", ("a.json", None)),
            ("ä.TXT#ö#", ("ä.TXT", Some("ö#"))),
        ] {
            assert_eq!(split(path), expected, "{path}");
        }
    }
}
