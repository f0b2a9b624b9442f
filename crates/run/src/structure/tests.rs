use super::json_path::{Step, find, parent, split_index, steps};

#[test]
fn paths_lead_to_their_values() {
    let text = r#"{"cards": [{"cfu": {"hints": ["a", "b"]}, "odd key": 1}]}"#;
    let json = redraft_text::json::scan(text, 0..text.len());
    let root = json.root().unwrap();
    for (path, expected) in [
        ("cards[0].cfu.hints[1]", Some("\"b\"")),
        ("cards[0][\"odd key\"]", Some("1")),
        ("cards[1]", None),
        ("cards[0].cfu.rubric", None),
    ] {
        let found = find(root, path).map(|node| &text[node.span()]);
        assert_eq!(found, expected, "{path}");
    }
    assert_eq!(steps("a..b"), None);
    assert_eq!(steps("a[x]"), None);
    assert_eq!(steps("a[2]").unwrap(), [Step::Key("a"), Step::Index(2)]);
    assert_eq!(
        parent("cards[0].cfu.hints"),
        Some(("cards[0].cfu", "hints"))
    );
    assert_eq!(parent("outcomeRefs"), Some(("", "outcomeRefs")));
    assert_eq!(parent("cards[0]"), None);
    assert_eq!(split_index("cfu.hints[2]"), ("cfu.hints", Some(2)));
    assert_eq!(split_index("cfu.hints"), ("cfu.hints", None));
}
