//! Valid diagrams of our own, damaged in known ways: a certain repair gives back
//! the nodes, links, labels and words of the undamaged diagram, and a diagram that
//! is cut off is never repaired into a valid one. The library is asked about both
//! directly, not through the code that repairs.

use std::collections::BTreeMap;

use merman_core::diagram::RenderSemanticModel;
use merman_core::{Engine, ParseOptions};
use redraft_mermaid::{Verdict, check, examine, repair};

const DIAGRAMS: &str = include_str!("own.txt");

fn valid() -> impl Iterator<Item = &'static str> {
    DIAGRAMS
        .split("==== ")
        .filter_map(|case| case.strip_prefix("valid\n"))
}

/// A way to damage a diagram; `None` where it does not apply.
type Damage = fn(&str) -> Option<String>;

const DAMAGES: &[(&str, Damage)] = &[
    ("short arrow", |text| changed(text, " --> ", " -> ")),
    ("arrow sign", |text| changed(text, " --> ", " → ")),
    ("long dash", |text| changed(text, " --> ", " —> ")),
    ("short dash", |text| changed(text, "-->>", "–>>")),
    ("entities", |text| changed(text, ">", "&gt;")),
    ("quotes", |text| {
        let is_plain = !text.contains("\\\"") && !text.contains("\"\"");
        changed(text, "\"]", "”]")
            .filter(|_| is_plain)
            .map(|text| text.replace("[\"", "[“"))
    }),
    ("space before a bracket", |text| once(text, "A[", "A [")),
    ("bracket left open", |text| once(text, "] -->", " -->")),
    ("bracket closed twice", |text| once(text, "] -->", "]] -->")),
    ("wrong bracket", |text| once(text, "] -->", ") -->")),
    ("full-width brackets", |text| {
        once(text, "A[", "A［").and_then(|text| once(&text, "]", "］"))
    }),
    ("full-width colon", |text| changed(text, ": ", "： ")),
    ("list markers", |text| mark(text, "- ")),
    ("one list marker", |text| once(text, "\n    A", "\n    - A")),
    ("semicolons", |text| changed(text, "\n    ", ";\n    ")),
    ("no arrow", |text| once(text, " --> ", " ")),
    ("no target", |text| once(text, " --> B", " -->")),
    ("no end", |text| once(text, "\n    end\n", "\n")),
    ("second end", |text| {
        once(text, "\n    end\n", "\n    end\n    end\n")
    }),
    ("keywords in capitals", |text| {
        changed(text, "subgraph ", "Subgraph ")
    }),
    ("prose after it", |text| {
        Some(format!(
            "{}\n\nThis shows how all parts work together.\n",
            text.trim_end()
        ))
    }),
    ("no colon", |text| once(text, ": ", " ")),
    ("two lines in one", |text| once(text, "\n    B", " B")),
    ("line broken", |text| once(text, " --> ", " -->\n")),
];

fn changed(text: &str, from: &str, to: &str) -> Option<String> {
    text.contains(from).then(|| text.replace(from, to))
}

fn once(text: &str, from: &str, to: &str) -> Option<String> {
    text.contains(from).then(|| text.replacen(from, to, 1))
}

fn mark(text: &str, marker: &str) -> Option<String> {
    let (header, body) = text.split_once('\n')?;
    let is_plain = !body.contains('{') && !body.contains("---");
    let marked = body.lines().map(|line| {
        let start = line.len() - line.trim_start().len();
        let marker = if line.trim().is_empty() { "" } else { marker };
        format!("\n{}{marker}{}", &line[..start], &line[start..])
    });
    is_plain.then(|| header.to_owned() + &marked.collect::<String>())
}

/// Nodes with their labels, and links with theirs.
type Graph = (BTreeMap<String, String>, Vec<(String, String, String)>);

fn graph(text: &str) -> Option<Graph> {
    let model = Engine::new()
        .parse_diagram_for_render_model_sync(text, ParseOptions::strict())
        .ok()??
        .into_parts()
        .1;
    let RenderSemanticModel::Flowchart(flowchart) = model else {
        return None;
    };
    let plain = |label: Option<String>| {
        let label = label.unwrap_or_default();
        label
            .replace("#quot;", "\"")
            .replace("&gt;", ">")
            .trim()
            .to_owned()
    };
    let nodes = flowchart.nodes.into_iter();
    let links = flowchart.edges.into_iter();
    Some((
        nodes.map(|node| (node.id, plain(node.label))).collect(),
        links
            .map(|link| (link.from, link.to, plain(link.label)))
            .collect(),
    ))
}

/// The words of a diagram, without codes.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    let text = text
        .replace("#quot;", " ")
        .replace("&gt;", " ")
        .replace("#59;", " ");
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() && word != "end" {
            *words.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    words
}

#[test]
fn a_certain_repair_gives_the_undamaged_diagram_back() {
    let (mut damaged, mut repaired) = (0, 0);
    let mut wrong = Vec::new();
    for diagram in valid() {
        for (name, damage) in DAMAGES {
            let Some(text) = damage(diagram).filter(|text| text != diagram) else {
                continue;
            };
            damaged += 1;
            let Some(mended) = repair(&text).map(|repair| repair.apply(&text)) else {
                continue;
            };
            repaired += 1;
            let is_same = graph(diagram) == graph(&mended) && words(diagram) == words(&mended);
            if !is_same {
                wrong.push(format!("{name}:\n{text}became:\n{mended}"));
            }
        }
    }
    assert!(
        damaged > 600 && repaired > 200,
        "{damaged} damaged, {repaired} repaired"
    );
    assert!(
        wrong.is_empty(),
        "{} of {repaired}: {}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_certain_repair_makes_no_node_of_a_text_and_no_name_of_two() {
    for (text, expected) in [
        (
            "flowchart TD\n    A{Is it?} ---- \"No\" --> E[End]\n    A --> B\n",
            None,
        ),
        (
            "xychart-beta\n    x-axis ［Q1， Q2］\n    bar [1, 2]\n",
            Some("xychart-beta\n    x-axis [Q1, Q2]\n    bar [1, 2]\n"),
        ),
        (
            "sequenceDiagram\n    participant a: Alice\n    a->>a: x\n",
            Some("sequenceDiagram\n    participant a as Alice\n    a->>a: x\n"),
        ),
        (
            "sequenceDiagram\n    participant a: as Alice\n    a->>a: x\n",
            None,
        ),
    ] {
        let mended = repair(text).map(|repair| repair.apply(text));
        assert_eq!(mended.as_deref(), expected, "{text}");
    }
}

#[test]
fn no_cut_diagram_comes_out_clean() {
    let mut cut = 0;
    for diagram in valid() {
        let ends = diagram.char_indices().map(|(at, _)| at);
        for end in ends.filter(|end| end % 5 == 0 || diagram[*end..].starts_with('\n')) {
            let text = &diagram[..end];
            if !matches!(check(text), Verdict::Invalid(_)) {
                continue;
            }
            cut += 1;
            assert_eq!(repair(text), None, "{text}");
            let says = examine(text).verdict;
            assert!(matches!(says, Verdict::Invalid(_)), "{text}");
        }
    }
    assert!(cut > 500, "{cut}");
}
