//! The formats of other people's tools: SARIF, JUnit XML, a comment in Markdown.
//! What a lesson says may break none of them.

use std::env;
use std::fs;
use std::ops::Range;

use serde_json::Value;

use crate::temp_folder::{CHATTY, CHATTY_FIXED, GOOD, HOLLOW, Run, TempFolder, repository};

/// A heading with everything that means something to a reader of reports, and
/// nothing under it.
const HOSTILE: &str = "# Water\n\nWater boils.\n\n## <b>@all</b> | `x` [a] (b) #1 $x$ ]]> &amp;\n\n## Steam\n\nSteam is water in the air.\n";

/// Documents with the paths and the texts that are easily got wrong.
fn documents() -> Vec<(&'static str, String)> {
    vec![
        ("good.md", GOOD.to_owned()),
        ("hollow.md", HOLLOW.to_owned()),
        ("chatty.md", CHATTY.to_owned()),
        ("empty.md", String::new()),
        ("hostile.md", HOSTILE.to_owned()),
        (
            "курс один/вода.md",
            "# Вода\n\nВода 😀 кипит, и **пар ** горяч.\n\n## Пар\n\n## Лёд\n\nЛёд твёрд.\n".to_owned(),
        ),
        (
            "第 1 课#50%.md",
            "# 水\n\n水在 100 °C 沸腾。\n\n## 蒸汽\n\n## 冰\n\n[在此插入图片]\n".to_owned(),
        ),
        ("crlf.md", HOLLOW.replace('\n', "\r\n")),
        ("crlf-chatty.md", CHATTY.replace('\n', "\r\n")),
        ("bom.md", format!("\u{FEFF}{CHATTY}")),
        ("bom-hollow.md", format!("\u{FEFF}{HOLLOW}")),
        (
            "cut.md",
            "# Water\n\nWater boils at 100 °C.\n\n## Heat\n\nWhen the water is hot enough, the".to_owned(),
        ),
        ("heading-last.md", "# Water\n\nWater boils.\n\n## Heat".to_owned()),
        ("control.md", "# Water\n\nWater\u{7} boils\u{7f} at 100 °C.\n".to_owned()),
        (
            "broken.json",
            "{\"intro\": \"Вода \\u0436 **кипит.\", \"sections\": [{\"title\": \"t\", \"content\": \"Heat, and the".to_owned(),
        ),
    ]
}

fn temp_folder(documents: &[(&str, String)]) -> TempFolder {
    let files: Vec<(&str, &str)> = documents
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    TempFolder::new(&files)
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap()
}

/// The SARIF of a run. Where the official schema is at hand, the log must follow
/// it; it is not ours to pass on, so that it is not part of this repository.
fn sarif(temp_folder: &TempFolder, arguments: &[&str]) -> Value {
    let arguments = [&["check", "--format", "sarif"], arguments].concat();
    let log = json(&temp_folder.run(&arguments));
    if let Some(path) = env::var_os("REDRAFT_SARIF_SCHEMA") {
        let mut schema: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        // The published pattern of a language has a bracket too many, which our
        // validator refuses; a log of ours names no language.
        for owner in ["run", "toolComponent"] {
            let property = format!("/definitions/{owner}/properties/language");
            if let Some(language) = schema.pointer_mut(&property) {
                *language = Value::Bool(true);
            }
        }
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| format!("{} {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    log
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn bytes(region: &Value) -> Range<usize> {
    let start = number(&region["byteOffset"]);
    start..start + number(&region["byteLength"])
}

/// The byte at a line and column, counted character by character.
fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let mut start = if text.starts_with('\u{FEFF}') { 3 } else { 0 };
    for _ in 1..line {
        start += text[start..].find('\n').unwrap() + 1;
    }
    let rest = &text[start..];
    start
        + rest
            .char_indices()
            .map(|(at, _)| at)
            .chain([rest.len()])
            .nth(column - 1)
            .unwrap()
}

#[test]
fn a_sarif_log_holds_what_the_json_holds_with_regions_that_agree() {
    let documents = documents();
    let temp_folder = temp_folder(&documents);
    let log = sarif(&temp_folder, &["."]);
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().unwrap().len(), 1);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let results = run["results"].as_array().unwrap();
    let report = json(&temp_folder.run(&["check", ".", "--format", "json"]));
    let mut number_of_results = 0;
    for document in report["documents"].as_array().unwrap() {
        let path = document["path"].as_str().unwrap();
        let text = &documents.iter().find(|(name, _)| *name == path).unwrap().1;
        let findings = document["findings"].as_array().unwrap();
        let mine: Vec<&Value> = results
            .iter()
            .filter(|result| decoded(&location(result)["artifactLocation"]) == path)
            .collect();
        assert_eq!(mine.len(), findings.len(), "{path}");
        for (result, finding) in mine.iter().zip(findings) {
            number_of_results += 1;
            let level = match finding["severity"].as_str().unwrap() {
                "info" => "note",
                other => other,
            };
            assert_eq!(result["ruleId"], finding["code"], "{path}");
            assert_eq!(result["level"], level, "{path}");
            assert_eq!(result["suppressions"], serde_json::json!([]), "{path}");
            let rule = &run["tool"]["driver"]["rules"][number(&result["ruleIndex"])];
            assert_eq!(rule["id"], finding["code"], "{path}");
            assert_eq!(rule["name"], finding["name"], "{path}");
            let region = &location(result)["region"];
            let span = number(&finding["start"])..number(&finding["end"]);
            assert_eq!(bytes(region), span, "{path}");
            assert_eq!(region["startLine"], finding["line"], "{path}");
            assert_eq!(region["startColumn"], finding["column"], "{path}");
            same_place(path, text, region);
            let component = &result["locations"][0]["logicalLocations"][0];
            assert_eq!(component["fullyQualifiedName"], finding["component"]);
            let fingerprint = result["partialFingerprints"]["redraft/v1"].as_str();
            assert_eq!(fingerprint.map(str::len), Some(16), "{path}");
            let edits = finding["fix"]["edits"].as_array();
            let change = &result["fixes"][0]["artifactChanges"][0];
            assert_eq!(edits.is_some(), change.is_object(), "{path}");
            let replacements = change["replacements"].as_array();
            for (edit, replacement) in edits
                .into_iter()
                .flatten()
                .zip(replacements.into_iter().flatten())
            {
                let region = &replacement["deletedRegion"];
                assert_eq!(bytes(region), number(&edit["start"])..number(&edit["end"]));
                assert_eq!(replacement["insertedContent"]["text"], edit["text"]);
                same_place(path, text, region);
            }
        }
    }
    assert_eq!(results.len(), number_of_results);
    assert!(results.len() > 12, "{}", results.len());
}

/// The lines and columns of a region mean the same as its bytes.
fn same_place(path: &str, text: &str, region: &Value) {
    let at =
        |line: &str, column: &str| byte_at(text, number(&region[line]), number(&region[column]));
    let range = bytes(region);
    // A byte order mark is no column, so that what starts before it starts, as
    // people count, after it.
    let after_mark = |offset: usize| match text.starts_with('\u{FEFF}') {
        true => offset.max(3),
        false => offset,
    };
    assert_eq!(
        at("startLine", "startColumn"),
        after_mark(range.start),
        "{path} {region}"
    );
    assert_eq!(
        at("endLine", "endColumn"),
        after_mark(range.end),
        "{path} {region}"
    );
}

fn location(result: &Value) -> &Value {
    &result["locations"][0]["physicalLocation"]
}

/// The path that a location's URI means.
fn decoded(location: &Value) -> String {
    assert_eq!(location["uriBaseId"], "%SRCROOT%");
    let uri = location["uri"].as_str().unwrap();
    assert!(uri.is_ascii() && !uri.contains([' ', '#', '?']), "{uri}");
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(&after[..2]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_fixes_of_a_sarif_log_make_what_fix_makes() {
    let bom = format!("\u{FEFF}{CHATTY}");
    let bom_fixed = format!("\u{FEFF}{CHATTY_FIXED}");
    for (text, expected) in [
        (CHATTY, CHATTY_FIXED),
        (bom.as_str(), bom_fixed.as_str()),
        (
            &CHATTY.replace('\n', "\r\n"),
            &CHATTY_FIXED.replace('\n', "\r\n"),
        ),
    ] {
        let temp_folder = TempFolder::new(&[("a.md", text)]);
        let log = sarif(&temp_folder, &["a.md"]);
        let mut replacements: Vec<(Range<usize>, &str)> = Vec::new();
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let fix = &result["fixes"][0];
            assert_eq!(fix["properties"]["applicability"], "safe");
            for replacement in fix["artifactChanges"][0]["replacements"]
                .as_array()
                .unwrap()
            {
                let inserted = replacement["insertedContent"]["text"].as_str().unwrap();
                replacements.push((bytes(&replacement["deletedRegion"]), inserted));
            }
        }
        replacements.sort_by_key(|(range, _)| range.start);
        let mut fixed = text.to_owned();
        for (range, inserted) in replacements.into_iter().rev() {
            fixed.replace_range(range, inserted);
        }
        let run = temp_folder.run(&["check", "--fix", "a.md"]);
        assert_eq!(run.code, 0);
        assert_eq!(fixed, temp_folder.read("a.md"));
        assert_eq!(fixed, expected);
    }
}

#[test]
fn silenced_and_known_findings_are_suppressed_results_with_their_reasons() {
    let silenced = format!(
        "{}\n<!-- redraft-ignore TXT003: it shows a gap -->\n\n[Insert diagram here]\n",
        GOOD.trim_end()
    );
    let thinking = format!("<think>The user wants a lesson.</think>\n\n{silenced}");
    let temp_folder = TempFolder::new(&[
        ("hollow.md", HOLLOW),
        ("silenced.md", &silenced),
        ("thinking.md", &thinking),
        ("redraft.toml", "ignore-comments = true\n"),
    ]);
    let written = temp_folder.run(&["check", "hollow.md", "--write-baseline", "known.json"]);
    assert_eq!(written.code, 0);
    let arguments = ["hollow.md", "silenced.md", "--baseline", "known.json"];
    let log = sarif(&temp_folder, &arguments);
    let suppressions: Vec<(&str, &str, &str)> = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            let suppression = &result["suppressions"][0];
            (
                result["ruleId"].as_str().unwrap(),
                suppression["kind"].as_str().unwrap(),
                suppression["justification"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        suppressions,
        [
            ("TXT002", "external", "listed in the baseline"),
            ("TXT003", "inSource", "it shows a gap"),
        ]
    );
    let run = temp_folder.run(&[&["check", "--format", "sarif"] as &[&str], &arguments].concat());
    assert_eq!(run.code, 0, "what is suppressed does not fail the gate");

    let log = sarif(&temp_folder, &["--fix", "thinking.md"]);
    let left = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(left.len(), 1, "{left:?}");
    let after = temp_folder.read("thinking.md");
    let region = &location(&left[0])["region"];
    assert_eq!(
        &after[bytes(region)],
        "[Insert diagram here]",
        "of the fixed file"
    );
}

#[test]
fn what_cannot_be_read_is_named_in_every_format() {
    let temp_folder =
        TempFolder::new(&[("good.md", GOOD), ("other.json", "{\"name\": \"package\"}")]);
    let expected = "unknown kind of JSON";
    let log = sarif(&temp_folder, &["good.md", "other.json"]);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert!(
        notification["message"]["text"]
            .as_str()
            .unwrap()
            .contains(expected)
    );
    for (format, expected) in [
        (
            "junit",
            "<error type=\"unreadable\" message=\"other.json: unknown kind of JSON",
        ),
        ("markdown", "## redraft: some files could not be read"),
        ("markdown", "- other.json&#58;&#8203; unknown kind of JSON"),
    ] {
        let run = temp_folder.run(&["check", "good.md", "other.json", "--format", format]);
        assert_eq!(run.code, 2);
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

#[test]
fn fix_reports_what_is_left_and_diff_goes_with_human_alone() {
    let both = format!("{CHATTY}\n## Heat\n\n## Ice\n\nIce is hard.\n");
    for format in ["json", "jsonl", "sarif", "junit", "markdown"] {
        let temp_folder = TempFolder::new(&[("a.md", &both)]);
        let diff = temp_folder.run(&["check", "a.md", "--diff", "--format", format]);
        assert_eq!((diff.code, diff.stdout.as_str()), (2, ""), "{format}");
        assert!(diff.stderr.contains("--diff"), "{format}: {}", diff.stderr);
        let fix = temp_folder.run(&["check", "a.md", "--fix", "--format", format]);
        assert_eq!(fix.code, 1, "{format}");
        if format != "sarif" {
            // The rules of a SARIF log name every check.
            assert!(!fix.stdout.contains("TXT004"), "{format}: {}", fix.stdout);
        }
        assert!(fix.stdout.contains("TXT002"), "{format}: {}", fix.stdout);
        assert!(temp_folder.read("a.md").starts_with("# Water"), "{format}");
        let clean = temp_folder.run(&["check", "a.md", "-o", "report", "--format", format]);
        assert_eq!((clean.code, clean.stdout.as_str()), (1, ""), "{format}");
        let printed = temp_folder.run(&["check", "a.md", "--format", format]);
        assert_eq!(temp_folder.read("report"), printed.stdout, "{format}");
    }
}

/// An element or a text of an XML document.
#[derive(Debug, PartialEq)]
enum XmlToken<'a> {
    Open(&'a str, Vec<(&'a str, String)>),
    Close,
    Text(String),
}

/// Reads XML of the plain kind that we write, and stops at everything that is
/// not well-formed.
fn read_xml(xml: &str) -> Vec<XmlToken<'_>> {
    let mut rest = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .unwrap();
    let mut open = Vec::new();
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("</") {
            let (name, after) = after.split_once('>').unwrap();
            assert_eq!(open.pop(), Some(name));
            pieces.push(XmlToken::Close);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('<') {
            let (tag, after) = after.split_once('>').unwrap();
            let (tag, closed) = tag
                .strip_suffix('/')
                .map_or((tag, false), |tag| (tag, true));
            let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            let mut read = Vec::new();
            while !attributes.is_empty() {
                let (key, value) = attributes.split_once("=\"").unwrap();
                let (value, more) = value.split_once('"').unwrap();
                assert!(!value.contains(['<', '\n', '\t']), "{value}");
                read.push((key, unescaped(value)));
                attributes = more.strip_prefix(' ').unwrap_or(more);
            }
            pieces.push(XmlToken::Open(name, read));
            if closed {
                pieces.push(XmlToken::Close);
            } else {
                open.push(name);
            }
            rest = after;
        } else {
            let (text, _) = rest.split_once('<').unwrap_or((rest, ""));
            assert!(!text.contains("]]>"), "{text}");
            rest = &rest[text.len()..];
            assert!(!open.is_empty() || text.trim().is_empty());
            if !text.trim().is_empty() {
                pieces.push(XmlToken::Text(unescaped(text)));
            }
        }
    }
    assert!(open.is_empty());
    pieces
}

fn unescaped(text: &str) -> String {
    for c in text.chars() {
        let allowed = matches!(c, '\t' | '\n' | ' '..='\u{FFFD}' | '\u{10000}'..);
        assert!(allowed, "{c:?} is no character of XML");
    }
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap().to_owned();
    let references = [
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("#9", '\t'),
        ("#10", '\n'),
        ("#13", '\r'),
    ];
    for part in parts {
        let (name, after) = part.split_once(';').unwrap();
        let known = references.iter().find(|(known, _)| *known == name);
        out.push(known.unwrap().1);
        out.push_str(after);
    }
    out
}

#[test]
fn in_junit_a_document_is_a_test_and_an_error_fails_it() {
    let documents = documents();
    let temp_folder = temp_folder(&documents);
    let run = temp_folder.run(&["check", ".", "--format", "junit"]);
    assert_eq!(run.code, 1);
    let pieces = read_xml(&run.stdout);
    let report = json(&temp_folder.run(&["check", ".", "--format", "json"]));
    let mut cases = Vec::new();
    let mut failures: Vec<Vec<(String, String)>> = Vec::new();
    let mut said = Vec::new();
    for piece in &pieces {
        match piece {
            XmlToken::Open("testcase", attributes) => {
                cases.push(attributes[1].1.clone());
                failures.push(Vec::new());
            }
            XmlToken::Open("failure", attributes) => failures
                .last_mut()
                .unwrap()
                .push((attributes[0].1.clone(), attributes[1].1.clone())),
            XmlToken::Text(text) => said.push(text.as_str()),
            _ => {}
        }
    }
    for ((document, case), failures) in report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&cases)
        .zip(&failures)
    {
        assert_eq!(document["path"], **case);
        let errors: Vec<(String, String)> = document["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|finding| finding["severity"] == "error")
            .map(|finding| {
                let text = |key: &str| finding[key].as_str().unwrap().to_owned();
                (text("code"), text("message"))
            })
            .collect();
        assert_eq!(*failures, errors, "{case}");
    }
    assert_eq!(cases.len(), documents.len());
    let failed = failures
        .iter()
        .filter(|failures| !failures.is_empty())
        .count();
    let XmlToken::Open("testsuites", attributes) = &pieces[0] else {
        panic!("{:?}", pieces[0]);
    };
    let counts: Vec<&str> = attributes.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(
        counts,
        [
            "redraft",
            &cases.len().to_string(),
            &failed.to_string(),
            "0"
        ]
    );
    let has = |needle: &str| said.iter().any(|text| text.contains(needle));
    assert!(
        has("hollow.md:5:1: error TXT002 empty-section in sec_"),
        "{said:?}"
    );
    assert!(
        has("chatty.md:1:1: warning TXT004 chatbot-framing in"),
        "{said:?}"
    );
}

#[test]
fn a_comment_shows_the_verdict_the_tables_and_what_fix_would_fix() {
    let temp_folder = TempFolder::new(&[
        ("good.md", GOOD),
        ("a b/hollow.md", HOLLOW),
        ("chatty.md", CHATTY),
    ]);
    let run = temp_folder.run(&["check", ".", "--format", "markdown"]);
    assert_eq!(run.code, 1);
    let expected = "## redraft: gate failed\n\n\
        3 documents checked, 1 error, 2 warnings, no remarks; 2 fixable with --fix\n\n\
        `redraft check --fix` would fix: 1 × TXT004 chatbot-framing, 1 × TXT009 malformed-list.\n\n\
        ### a b/hollow.md\n\n\
        | severity | line | check | message | fix |\n\
        |---|---:|---|---|---|\n\
        | **error** | 5 | TXT002 empty-section | nothing under the heading “Heat” |  |\n\n\
        ### chatty.md\n\n";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    assert!(
        run.stdout
            .contains("| warning | 1 | TXT004 chatbot-framing |")
    );
    assert!(!run.stdout.contains("good.md"));
    let clean = temp_folder.run(&["check", "good.md", "--format", "markdown"]);
    assert_eq!(
        clean.stdout,
        "## redraft: gate passed\n\n1 document checked, no errors, no warnings, no remarks\n\n"
    );
    let fixed = temp_folder.run(&["check", "chatty.md", "--fix", "--format", "markdown"]);
    assert!(
        fixed.stdout.contains("`--fix` fixed 2 findings"),
        "{}",
        fixed.stdout
    );
}

#[test]
fn no_word_of_a_lesson_becomes_markup_in_a_comment() {
    let temp_folder = temp_folder(&documents());
    let run = temp_folder.run(&["check", ".", "--format", "markdown"]);
    let mut ours = run.stdout;
    for markup in [
        "`redraft check --fix`",
        "`--fix`",
        "**error**",
        "<span>$</span>",
    ] {
        ours = ours.replace(markup, "");
    }
    assert!(
        !ours.contains(['<', '>', '`', '*', '[', ']', '@', '$', '\u{7}']),
        "{ours}"
    );
    for row in ours.lines().filter(|line| line.starts_with("| ")) {
        assert_eq!(row.matches('|').count(), 6, "{row}");
    }
    assert!(ours.contains("&#64;&#8203;all"), "{ours}");
    assert!(ours.contains("### 第 1 课&#35;&#8203;50%.md"), "{ours}");
}

#[test]
fn the_action_and_the_hooks_use_options_that_exist() {
    let help = TempFolder::new(&[]).run(&["check", "--help"]).stdout;
    for file in ["action.yml", ".pre-commit-hooks.yaml", "docs/ci.md"] {
        let text = fs::read_to_string(repository(file)).unwrap();
        let checks = text
            .lines()
            .filter(|line| line.contains("redraft check") || line.contains("options+=("));
        for word in checks.flat_map(|line| line.split([' ', '(', '`', '"', '|', '='])) {
            assert!(
                !word.starts_with("--") || help.contains(word),
                "{file}: {word}"
            );
        }
    }
}
