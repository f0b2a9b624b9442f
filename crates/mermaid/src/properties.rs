//! What holds of any text whatever: nothing panics, spans exist, a valid diagram
//! is left alone and a repaired one parses.

use proptest::prelude::*;

use super::{Examined, Verdict, examine};

const HEADERS: &[&str] = &[
    "graph TD",
    "flowchart LR",
    "sequenceDiagram",
    "classDiagram",
    "stateDiagram-v2",
    "erDiagram",
    "gantt",
    "mindmap",
    "pie",
    "block-beta",
    "gitGraph",
    "quadrantChart",
    "C4Context",
    "kanban",
    "sankey-beta",
    "timeline",
    "journey",
    "graph;",
    "---",
    "%%{init: {}}%%",
    "",
];

const VOCABULARY: &[&str] = &[
    "A",
    "B",
    "end",
    "-->",
    "->",
    "→",
    "->>",
    "-->>",
    "--",
    "==>",
    "|",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "((",
    "))",
    "\"",
    "\\\"",
    "“",
    "”",
    "#quot;",
    ";",
    ":",
    ":::",
    "@{",
    "%%",
    "//",
    "\n",
    "\n    ",
    " ",
    "  ",
    "subgraph",
    "alt",
    "loop",
    "else",
    "class",
    "style",
    "linkStyle",
    "fill:#fff",
    "note",
    "right of",
    "participant",
    "as",
    "<<",
    ">>",
    "~",
    "<T>",
    "[*]",
    "state",
    "```",
    "&gt;",
    "Слово",
    "步骤",
    "😀",
    "\u{a0}",
    "\r\n",
    "title",
    "1..*",
    "<|--",
    "||--o{",
    "section",
    "2024-01-01",
];

fn diagrams() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(VOCABULARY), 0..40);
    (prop::sample::select(HEADERS), words)
        .prop_map(|(header, words)| format!("{header}\n{}", words.join("")))
}

fn holds(source: &str) {
    let Examined { verdict, repair } = examine(source);
    match &verdict {
        Verdict::Invalid(diagnosis) | Verdict::Doubtful(diagnosis) => {
            assert!(source.get(diagnosis.range.clone()).is_some(), "{source:?}");
            assert!(diagnosis.line >= 1 && diagnosis.line <= source.matches('\n').count() + 1);
        }
        Verdict::Valid | Verdict::Unknown => {}
    }
    let Some(repair) = repair else {
        return;
    };
    assert!(matches!(verdict, Verdict::Invalid(_)), "{source:?}");
    let mut at = 0;
    for edit in &repair.edits {
        assert!(
            edit.range.start >= at && source.get(edit.range.clone()).is_some(),
            "{source:?}"
        );
        at = edit.range.end;
    }
    assert_eq!(
        examine(&repair.apply(source)).verdict,
        Verdict::Valid,
        "{source:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_diagram_is_judged_and_a_repaired_one_parses(source in diagrams()) {
        holds(&source);
    }

    #[test]
    fn any_text_is_judged(source in "\\PC{0,60}") {
        holds(&source);
    }
}

#[test]
fn a_link_after_a_label_of_two_lines_is_read_to_its_end() {
    for source in ["graph TD;\n[\n]-->|", "graph TD\nA[x\ny] <-- B\n"] {
        holds(source);
    }
}

#[test]
fn hostile_diagrams_are_judged_promptly() {
    let deep = |open: &str, close: &str| {
        format!(
            "graph TD\nA{}x{}",
            open.repeat(20_000),
            close.repeat(20_000)
        )
    };
    let cases = [
        deep("(", ")"),
        deep("[", "]"),
        deep("{", "}"),
        format!("graph TD\n{}", "subgraph a\n".repeat(1_900)),
        format!("sequenceDiagram\n{}", "alt x\n".repeat(1_900)),
        format!("stateDiagram-v2\n{}", "state a {\n".repeat(1_900)),
        format!("graph TD\n{}", "A[\"".repeat(6_000)),
        format!("graph TD\n{}", "A-->".repeat(4_500)),
        format!("graph TD\n{}", "A[x (y)] -> ".repeat(1_500)),
        format!(
            "mindmap\n{}",
            (0..300).map(|n| " ".repeat(n) + "a\n").collect::<String>()
        ),
        format!("classDiagram\n{}", "class A {\n".repeat(1_900)),
        "graph TD\n".to_owned() + &"A-->B\n".repeat(200_000),
        "graph TD\n".to_owned() + &"x".repeat(1_000_000),
        format!(
            "graph TD\n{} --> {}",
            vec!["A"; 3_000].join(" & "),
            vec!["B"; 3_000].join(" & ")
        ),
        "\n".repeat(49_000),
        "%%{".repeat(15_000),
        "---\n".repeat(10_000),
    ];
    for source in cases {
        let _ = examine(&source);
    }
}

#[test]
fn what_is_too_large_to_be_judged_raises_no_alarm() {
    let large = "graph TD\n".to_owned() + &"A->B\n".repeat(20_000);
    assert_eq!(
        examine(&large),
        Examined {
            verdict: Verdict::Unknown,
            repair: None
        }
    );
}

#[test]
fn spaces_beyond_ascii_are_judged() {
    for source in [
        "graph TD\u{a0}\nA-->B",
        "erDiagram\n\u{a0}A\u{3000}{\n}",
        "erDiagram\nA ||--o{\u{a0}B : x",
    ] {
        holds(source);
    }
}
