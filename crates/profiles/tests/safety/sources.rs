//! `citation-not-found` and `copied-from-source`, which compare with the sources.

use redraft_gate::companion::{Companions, SourcePassage};
use redraft_gate::examine::Settings;
use redraft_gate::reading::Hint;

use crate::{findings_beside, findings_of};

const LEVERS: &str = "A lever is a rigid bar that turns about a fixed point, and with it a small force that acts far from that point can lift a heavy load that rests close to it, as the Greeks knew well.";

fn passage(document: Option<&str>, place: Option<&str>, content: &str) -> SourcePassage {
    SourcePassage {
        document: document.map(str::to_owned),
        place: place.map(str::to_owned),
        content: content.to_owned(),
    }
}

fn beside(passages: Vec<SourcePassage>) -> Companions {
    Companions {
        sources: passages,
        ..Companions::default()
    }
}

fn count(companions: &Companions, check: &str, text: &str) -> usize {
    let hint = if text.starts_with('{') {
        Hint::Json
    } else {
        Hint::Markdown
    };
    findings_beside(companions, &Settings::default(), check, (text, hint)).len()
}

fn library() -> Companions {
    beside(vec![
        passage(Some("Physics, volume 1"), Some("12"), LEVERS),
        passage(
            Some("Physics, volume 1"),
            Some("14-16"),
            "Pulleys change the direction of a force.",
        ),
        passage(
            Some("A history of machines.pdf"),
            Some("Archimedes"),
            "Archimedes moved a ship alone.",
        ),
    ])
}

#[test]
fn citations_that_the_sources_do_not_have_are_found() {
    let library = library();
    for (text, expected) in [
        ("# A\n\nText [Source: Physics, volume 1, p. 12].\n", 0),
        ("# A\n\nText [Source: Physics, volume 1, p. 99].\n", 1),
        ("# A\n\nText [Source: Physics, volume 1, pp. 15–17].\n", 0),
        ("# A\n\nText (Source: Chemistry for all, p. 3).\n", 1),
        ("# A\n\nText (Quelle: Physics, volume 1, S. 13).\n", 1),
        (
            "# A\n\nText [Source: Physics, volume 1, p. 12; Chemistry for all, p. 1].\n",
            1,
        ),
        (
            "# A\n\nText (Physics, volume 1, p. 12) more (Physics, volume 1, p. 13).\n",
            1,
        ),
        ("# A\n\nText (A history of rockets, p. 3).\n", 1),
        (
            "# A\n\nText (see Figure 3, p. 3), (Miller, 2019, p. 4), (Miller, p. 5).\n",
            0,
        ),
        ("# A\n\nText[^1].\n\n[^1]: Physics, volume 1, page 4\n", 1),
        ("# A\n\nText[^1].\n\n[^1]: Physics, volume 1, page 12\n", 0),
        ("# A\n\n`[Source: Chemistry for all, p. 3]`\n", 0),
        (
            r#"{"intro": "Text.", "sections": [{"title": "B", "content": "Text.", "citations": [{"document": "Physics, volume 1", "page_or_section": 12}]}]}"#,
            0,
        ),
        (
            r#"{"intro": "Text.", "sections": [{"title": "B", "content": "Text.", "citations": [{"document": "Physics, volume 1", "page_or_section": 99}]}]}"#,
            1,
        ),
        (
            r#"{"intro": "Text.", "sections": [{"title": "B", "content": "Text.", "citations": [{"document": "Alchemy"}, "Physics, volume 1, p. 12"]}]}"#,
            1,
        ),
        (
            r#"{"intro": "Text.", "sections": [{"title": "B", "content": "Text.", "citations": [{"document": "A history of machines", "page_or_section": "Archimedes"}]}]}"#,
            0,
        ),
    ] {
        assert_eq!(
            count(&library, "citation-not-found", text),
            expected,
            "{text}"
        );
    }
}

#[test]
fn nothing_is_said_where_the_sources_do_not_tell() {
    let cited = "# A\n\nText [Source: Chemistry for all, p. 99].\n";
    assert!(findings_of("citation-not-found", cited, Hint::Markdown).is_empty());
    let unnamed = beside(vec![passage(None, None, LEVERS)]);
    assert_eq!(count(&unnamed, "citation-not-found", cited), 0);
    let without_pages = beside(vec![passage(Some("Chemistry for all"), None, LEVERS)]);
    assert_eq!(count(&without_pages, "citation-not-found", cited), 0);
}

#[test]
fn long_passages_without_quotation_are_found() {
    let library = library();
    let check = "copied-from-source";
    let altered = LEVERS.to_uppercase().replace(',', " –");
    for (text, expected) in [
        (format!("# A\n\nLook here. {LEVERS} And so on.\n"), 1),
        (format!("# A\n\n{altered}\n"), 1),
        (format!("# A\n\n- {LEVERS}\n"), 1),
        (format!("# A\n\n> {LEVERS}\n"), 0),
        (format!("# A\n\nThe book says: “{LEVERS}”\n"), 0),
        (format!("# A\n\nThe book says: \"{LEVERS}\"\n"), 0),
        (format!("# A\n\n{LEVERS} [Source: Physics, volume 1, p. 12]\n"), 0),
        (format!("# A\n\n```text\n{LEVERS}\n```\n"), 0),
        (format!("# {LEVERS}\n\nText.\n"), 0),
        ("# A\n\nA lever is a rigid bar that turns about a fixed point, and so we can lift things.\n".to_owned(), 0),
        (format!(r#"{{"intro": "{LEVERS}", "sections": [{{"title": "B", "content": "Text."}}]}}"#), 1),
        (format!(r#"{{"intro": "Text.", "sections": [{{"title": "B", "content": "{LEVERS}", "citations": [{{"document": "Physics, volume 1"}}]}}]}}"#), 0),
    ] {
        assert_eq!(count(&library, check, &text), expected, "{text}");
    }
    assert!(findings_of(check, &format!("# A\n\n{LEVERS}\n"), Hint::Markdown).is_empty());
}

#[test]
fn passages_in_chinese_are_measured_in_characters() {
    let passage_text = "杠杆是一根可以绕固定点转动的硬棒，利用它，在离支点较远的地方施加较小的力，就能举起离支点较近的重物，古希腊人早已知道这个道理，并且用它来移动巨大的石块和沉重的船只。";
    let library = beside(vec![passage(Some("物理"), Some("1"), passage_text)]);
    assert_eq!(
        count(
            &library,
            "copied-from-source",
            &format!("# 杠杆\n\n{passage_text}\n")
        ),
        1
    );
    assert_eq!(
        count(
            &library,
            "copied-from-source",
            "# 杠杆\n\n杠杆是一根可以绕固定点转动的硬棒，我们每天都在使用它。\n"
        ),
        0
    );
}

#[test]
fn a_large_hostile_text_is_compared_promptly() {
    let words = "a b ".repeat(20_000);
    let library = beside(vec![passage(Some("X"), Some("1"), &words)]);
    let _ = count(&library, "copied-from-source", &words);
    let brackets = "(a, p. ".repeat(10_000);
    let _ = count(&library, "citation-not-found", &brackets);
}
