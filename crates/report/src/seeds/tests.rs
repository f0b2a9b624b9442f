//! What the shapes share. Whole results are looked at in `tests/cli/seeds.rs`.

use super::*;

#[test]
fn files_are_told_apart_by_their_stems_or_else_by_their_paths() {
    for (paths, expected) in [
        (&["a/cards.json"][..], &[None][..]),
        (
            &["cards.json", "b/lesson.md"],
            &[Some("cards"), Some("lesson")],
        ),
        (
            &["a/x.md", "b/x.md", "./x.json", "y.md"],
            &[Some("a-x.md"), Some("b-x.md"), Some("x.json"), Some("y")],
        ),
        (&[], &[]),
    ] {
        let given: Vec<&Path> = paths.iter().map(Path::new).collect();
        let found = prefixes(&given);
        let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
        assert_eq!(found, expected, "{paths:?}");
    }
}

#[test]
fn a_sentence_begins_with_a_capital_in_any_language() {
    for (given, expected) in [("card", "Card"), ("é", "É"), ("раздел", "Раздел"), ("", "")]
    {
        assert_eq!(capitalised(given), expected);
    }
}
