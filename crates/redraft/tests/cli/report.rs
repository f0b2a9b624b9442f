//! `redraft report`: what the page shows, where it takes it from, and that nothing hostile
//! becomes markup.

use std::fs;

use base64::Engine as _;
use serde_json::Value;

use crate::temp_folder::{CHATTY, GOOD, Run, TempFolder, example};

/// Elements that the page is made of.
const ELEMENTS: &str = "a article body br button circle code dd del details div dl dt em fieldset \
     figcaption figure footer h1 h2 h3 h4 head header hr html input ins label legend li line main \
     mark math meta mfrac mi mn mo mover mpadded mroot mrow mspace msqrt msub msubsup msup mtable \
     mtd mtext mtr munder nav ol p polyline pre rect s script section span strong style summary sub \
     sup svg table tbody td text tfoot th thead title tr ul blockquote";

/// The tags of a page with their attributes. Everything foreign is escaped, so that `<` begins
/// a tag and `>` ends it, outside of our style and script.
fn tags(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').unwrap();
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') || tag.starts_with('/') {
            continue;
        }
        let name: String = tag
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let mut attributes = Vec::new();
        let mut inner = tag[name.len()..].trim().trim_end_matches('/');
        while !inner.trim().is_empty() {
            inner = inner.trim_start();
            let length = inner.find(['=', ' ']).unwrap_or(inner.len());
            let attribute = inner[..length].to_owned();
            inner = &inner[length..];
            let mut value = String::new();
            if let Some(quoted) = inner.strip_prefix("=\"") {
                let end = quoted.find('"').unwrap();
                quoted[..end].clone_into(&mut value);
                inner = &quoted[end + 1..];
            }
            attributes.push((attribute, value));
        }
        for raw in ["style", "script"] {
            if name == raw {
                rest = &rest[rest.find(&format!("</{raw}>")).unwrap()..];
            }
        }
        tags.push((name, attributes));
    }
    tags
}

/// What must hold of every page, whatever is in it.
fn assert_harmless(page: &str) {
    let known: Vec<&str> = ELEMENTS.split_whitespace().collect();
    let tags = tags(page);
    for (name, attributes) in &tags {
        assert!(known.contains(&name.as_str()), "<{name}>");
        for (attribute, value) in attributes {
            assert!(!attribute.starts_with("on"), "<{name} {attribute}>");
            assert_ne!(attribute, "style", "<{name}>");
            assert_ne!(attribute, "src", "<{name}>");
            let leads = ["#", "https:", "http:", "mailto:"];
            assert!(
                attribute != "href" || leads.iter().any(|start| value.starts_with(start)),
                "{value}"
            );
        }
    }
    let count = |wanted: &str| tags.iter().filter(|(name, _)| name == wanted).count();
    assert_eq!((count("script"), count("style")), (1, 1));
    let policy = tags
        .iter()
        .find(|(_, attributes)| {
            attributes
                .iter()
                .any(|(_, value)| value.contains("Security"))
        })
        .map(|(_, attributes)| attributes[1].1.replace("&#39;", "'"))
        .unwrap();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let from = page.find(open).unwrap() + open.len();
        let to = from + page[from..].find(close).unwrap();
        let hash = source_hash(&page[from..to]);
        assert!(policy.contains(&hash), "{open}: {hash} is not in {policy}");
    }
    assert!(!page.contains(['\u{202e}', '\u{0}', '\u{1b}', '\u{9b}']));
}

fn source_hash(text: &str) -> String {
    use sha2::Digest as _;
    let digest = sha2::Sha256::digest(text);
    let base64 = base64::engine::general_purpose::STANDARD.encode(digest);
    format!("'sha256-{base64}'")
}

fn kettle() -> TempFolder {
    TempFolder::new(&[
        ("lesson.md", &example("refine-kettle/lesson.md")),
        ("replies.toml", &example("refine-kettle/replies.toml")),
    ])
}

fn refine(folder: &TempFolder, format: &str) -> Run {
    folder.run(&[
        "refine",
        "lesson.md",
        "--script",
        "replies.toml",
        "--runs",
        "runs",
        "--quiet",
        "--format",
        format,
    ])
}

fn page(folder: &TempFolder, input: &str) -> String {
    let run = folder.run(&["report", input, "-o", "report.html"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.starts_with("saved to report.html: "),
        "{}",
        run.stdout
    );
    let page = folder.read("report.html");
    assert_harmless(&page);
    page
}

#[test]
fn a_page_shows_the_text_the_changes_the_judges_and_the_receipts() {
    let folder = kettle();
    refine(&folder, "human");
    let page = page(&folder, "runs");
    for words in [
        "How a kettle boils water",
        "accepted with warnings",
        "0.796 →",
        "<strong>0.839</strong>",
        "accepted from",
        "<mark class=\"info\">so that it rises while colder water sinks and takes its place</mark><sup",
        "One sentence of 46 words carries four steps",
        "<del>90</del>",
        "<ins>100</ins>",
        "4 of 6 sections unchanged",
        "<span class=\"status good\">verified</span>",
        "Factual accuracy",
        "scripted/judge_primary",
        "section expander",
        "round 1: repairing",
        "Opening, and the document as a whole",
    ] {
        assert!(page.contains(words), "{words}\n{page}");
    }
    let again = folder.run(&["report", "runs", "-o", "-"]);
    assert_eq!(again.stdout, page, "the same input gives the same page");
}

#[test]
fn a_result_is_shown_with_and_without_its_journal() {
    let folder = kettle();
    fs::write(folder.path("result.json"), refine(&folder, "json").stdout).unwrap();
    let whole = page(&folder, "result.json");
    assert!(whole.contains("Events") && !whole.contains("was not found"));
    fs::remove_dir_all(folder.path("runs")).unwrap();
    let page = page(&folder, "result.json");
    for words in [
        "The journal of this run (runs/",
        "accepted with warnings",
        "<ins>100</ins>",
        "4 of 6 sections unchanged",
        "Factual accuracy",
    ] {
        assert!(page.contains(words), "{words}\n{page}");
    }
}

#[test]
fn findings_of_check_are_at_their_place_unless_the_file_changed() {
    let folder = TempFolder::new(&[("a.md", CHATTY), ("b.md", GOOD)]);
    let checked = folder.run(&["check", "a.md", "b.md", "--format", "json"]);
    fs::write(folder.path("result.json"), &checked.stdout).unwrap();
    let whole = page(&folder, "result.json");
    let first: Value = serde_json::from_str(&checked.stdout).unwrap();
    let finding = &first["documents"][0]["findings"][0];
    let (start, end) = (&finding["start"], &finding["end"]);
    let words = &CHATTY[start.as_u64().unwrap() as usize..end.as_u64().unwrap() as usize];
    let marked = format!(
        "<mark class=\"{}\">{}",
        finding["severity"].as_str().unwrap(),
        words.lines().next().unwrap()
    );
    assert!(whole.contains(&marked), "{marked}\n{whole}");
    assert!(whole.contains("passed the checks"));
    fs::write(folder.path("a.md"), format!("New. {CHATTY}")).unwrap();
    let page = page(&folder, "result.json");
    assert!(
        page.contains("a.md is missing or has changed since"),
        "{page}"
    );
    assert!(!page.contains(&marked));
}

#[test]
fn a_bank_has_its_overview() {
    let item = |number: usize| {
        format!(
            r#"{{"stem": "What is the answer to question {number}?", "options": ["one {number}", "two {number}", "six {number}", "eleven {number}"], "answer": "B"}}"#
        )
    };
    let bank: Vec<String> = (0..40).map(item).collect();
    let folder = TempFolder::new(&[("bank.jsonl", &bank.join("\n"))]);
    let checked = folder.run(&["check", "bank.jsonl", "--format", "json"]);
    fs::write(folder.path("result.json"), checked.stdout).unwrap();
    let page = page(&folder, "result.json");
    for words in [
        "Bank bank.jsonl",
        "40 items",
        "Positions of the keys",
        "the keys favour some positions more than chance explains",
        "Items with findings, by check",
        "B <span class=\"status good\">key</span>",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn hostile_content_stays_text() {
    const HOSTILE: &str = "# </title><script>alert(1)</script>\n\n\
        <script>document.title = 'gone'</script>\n\n\
        Text <img src=x onerror=alert(1)> and [a](javascript:alert(1)) and ![i](https://example.org/p.png).\n\n\
        </style></textarea>]]> {{ 7 * 7 }} {% include 'x' %} {# c #}\n\n\
        <svg onload=alert(1)><a xlink:href=javascript:alert(1)>x</a></svg>\n\n\
        | a\" onmouseover=\"alert(1) | b |\n|---|---|\n| `\"><b>` | $\\text{<img src=x>}$ |\n\n\
        Turned \u{202e}around\u{202c} and \u{1b}[31m red \u{9b}2J.\n\n\
        ```mermaid\ngraph TD; A[\"<img src=x onerror=alert(1)>\"] --> B\n```\n\n\
        ## Section \"><svg onload=alert(1)>\n\nWords [b](data:text/html,x) <https://example.org/?a=\"b>.\n";
    let name = "a \"><img src=x onerror=alert(1)>.md";
    let long = format!("# Long\n\n{}\n", "word<b> ".repeat(40_000));
    let folder = TempFolder::new(&[(name, HOSTILE), ("long.md", &long)]);
    let checked = folder.run(&["check", ".", "--format", "json"]);
    fs::write(folder.path("result.json"), checked.stdout).unwrap();
    let page = page(&folder, "result.json");
    assert!(page.contains("{{ 7 * 7 }}") && page.contains("⟦U+202E⟧"));
    let titled = folder.run(&[
        "report",
        "result.json",
        "-o",
        "t.html",
        "--title",
        "<script>alert(1)</script>",
    ]);
    assert_eq!(titled.code, 0);
    assert_harmless(&folder.read("t.html"));
}

#[test]
fn what_cannot_be_shown_is_named() {
    let folder = TempFolder::new(&[
        ("a.md", GOOD),
        ("x.json", "{\"a\": 1}"),
        ("lines.jsonl", "{\"skipped\": \"a\"}\n\n\nnot JSON\n"),
        ("empty/x.txt", ""),
    ]);
    for (input, words) in [
        (
            "no-such-run",
            "run no-such-run not found; journals are kept in",
        ),
        ("x.json", "x.json is neither a run nor a result of redraft"),
        ("a.md", "a.md is neither JSON nor JSON lines: line 1"),
        (
            "lines.jsonl",
            "lines.jsonl is neither JSON nor JSON lines: line 4",
        ),
        ("empty", "no runs in empty; name a run"),
    ] {
        let run = folder.run(&["report", input, "-o", "r.html"]);
        assert_eq!(run.code, 2, "{input}: {}", run.stdout);
        assert!(run.stderr.contains(words), "{input}: {}", run.stderr);
        assert!(!folder.path("r.html").exists());
    }
}

#[test]
fn of_several_runs_of_a_document_the_latest_is_shown() {
    let folder = kettle();
    refine(&folder, "human");
    refine(&folder, "human");
    let run = folder.run(&["report", "runs", "-o", "r.html"]);
    assert!(run.stdout.contains("1 document"), "{}", run.stdout);
    assert!(run.stderr.contains("1 earlier run"), "{}", run.stderr);
}
