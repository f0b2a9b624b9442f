//! The page of a check: what `redraft explain` prints, the reference pages show and
//! SARIF carries as help.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_gate::check::{Check, ExampleForm, Mends, Parameter};
use redraft_gate::policy::Value;
use redraft_gate::score::Score;
use redraft_gate::silence;
use redraft_profiles::registry;

use super::plain;
use super::style::{BLUE, BOLD};

#[must_use]
pub fn check_page(check: &Check) -> String {
    let mut page = format!("# {} ({})\n\n", check.name, check.code);
    let mends = match check.mends {
        Mends::Never | Mends::ByTask => "no fix",
        Mends::Proposes => "suggests a fix",
        Mends::WhereCertain | Mends::ByConversion => "fixable where certain",
    };
    let critical = if check.critical { ", critical" } else { "" };
    let _ = writeln!(
        page,
        "**{}**{critical} · {mends} · {}\n",
        check.severity.name(),
        check.summary
    );
    let _ = writeln!(page, "## What it does\n\n{}\n", check.what);
    let _ = writeln!(page, "## Why it matters\n\n{}\n", check.why);
    let beside = registry::beside_examples(check);
    for (heading, json) in [
        ("Specification", beside.specification),
        ("Scheme of work", beside.scheme_of_work),
        ("Course outcomes", beside.outcomes),
        ("Sources", beside.sources),
    ] {
        let Some(json) = json else { continue };
        let _ = writeln!(
            page,
            "## {heading}\n\nThe example uses this one:\n\n{}",
            fenced("json", json)
        );
    }
    for (index, example) in check.examples.iter().enumerate() {
        let number = if check.examples.len() > 1 {
            format!(" {}", index + 1)
        } else {
            String::new()
        };
        let language = match example.form {
            ExampleForm::Markdown | ExampleForm::Windows1251 => "markdown",
            ExampleForm::Json => "json",
            ExampleForm::Gift => "text",
        };
        let how = match example.form {
            ExampleForm::Windows1251 => " (when the file is windows-1251)",
            ExampleForm::Markdown | ExampleForm::Json | ExampleForm::Gift => "",
        };
        let fails = fenced(language, example.fails);
        let _ = writeln!(page, "## Example{number}\n\nFails{how}:\n\n{fails}");
        if let Some(fixed) = example.fixed {
            let _ = writeln!(page, "After `--fix`:\n\n{}", fenced(language, fixed));
        }
        if example.fixed != Some(example.passes) {
            let _ = writeln!(page, "Passes:\n\n{}", fenced(language, example.passes));
        }
    }
    if !check.parameters.is_empty() {
        let _ = writeln!(
            page,
            "## Parameters\n\nIn `redraft.toml` under `[checks.{}]`:\n",
            check.name
        );
        for parameter in check.parameters {
            let default = default(check, parameter);
            let _ = writeln!(
                page,
                "- `{}` (default {default}): {}",
                parameter.name, parameter.what
            );
        }
        page.push('\n');
    }
    page.push_str(&caps(check));
    let _ = write!(
        page,
        "## How to silence it\n\n`ignore = [\"{}\"]` in `redraft.toml`",
        check.code
    );
    if check.examples.is_empty() {
        // It is about files, which cannot contain a comment.
        page.push_str(", also for some paths with `[[override]]`.\n");
    } else if silence::may_silence(check) {
        let _ = writeln!(
            page,
            ". Where that sets `ignore-comments = true`, also `<!-- redraft-ignore {}: the reason -->` in the text.",
            check.code
        );
    } else {
        page.push_str(". A comment in the text cannot silence it.\n");
    }
    page
}

/// A page of ours for the terminal: headings and emphasis as weight, code in colour, examples
/// indented, without the marks of Markdown.
#[must_use]
pub fn for_terminal(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => {
                let _ = writeln!(out, "    {}", plain::words(line));
            }
            None if ticks >= 3 => fence = line.get(..ticks),
            None => out.push_str(&prose(line)),
        }
    }
    out
}

fn prose(line: &str) -> String {
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() && heading.starts_with(' ') {
        return format!("{BOLD}{}{BOLD:#}\n", heading.trim());
    }
    let line = match line.strip_prefix("- ") {
        Some(entry) => format!("• {entry}"),
        None => line.to_owned(),
    };
    let mut out = String::new();
    for (index, part) in line.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(out, "{BLUE}{part}{BLUE:#}");
            continue;
        }
        for (index, words) in part.split("**").enumerate() {
            if index % 2 == 1 {
                let _ = write!(out, "{BOLD}{words}{BOLD:#}");
            } else {
                out.push_str(words);
            }
        }
    }
    out.push('\n');
    out
}

/// How its findings cap scores; with the cap of a mild finding, if that is higher.
fn caps(check: &Check) -> String {
    let mut lowest: BTreeMap<&str, Vec<Score>> = BTreeMap::new();
    for cap in check.caps {
        lowest.entry(cap.criterion).or_default().push(cap.at);
    }
    let mut text = String::new();
    for (criterion, mut scores) in lowest {
        scores.sort_unstable();
        let mild = scores.get(1).map_or_else(String::new, |score| {
            format!(" ({score} if it is only a remark)")
        });
        if let Some(score) = scores.first() {
            let _ = writeln!(
                text,
                "While a finding is open, `{criterion}` scores at most {score}{mild}.\n"
            );
        }
    }
    text
}

/// The default of a parameter, as it would be written in TOML.
#[must_use]
pub fn default(check: &Check, parameter: &Parameter) -> String {
    let value = registry::PROFILES
        .iter()
        .find_map(|profile| profile.parameters().get(check.name, parameter.name));
    match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Texts(texts)) => format!("{texts:?}"),
        None => "none".to_owned(),
    }
}

/// A code block whose fence is longer than any inside, with control characters
/// made visible.
fn fenced(language: &str, text: &str) -> String {
    let longest = text
        .lines()
        .map(|line| {
            line.trim_start()
                .bytes()
                .take_while(|byte| *byte == b'`')
                .count()
        })
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let shown: String = text
        .chars()
        .map(|c| match c {
            '\n' => "\n".to_owned(),
            c if c.is_control() => format!("␛U+{:04X}␛", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    let newline = if shown.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{shown}{newline}{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_for_the_terminal_has_no_marks_of_markdown() {
        let page = "# name (TXT001)\n\n**error** · `--fix` mends it\n\n- one\n\n```markdown\n# Kept **as** it is\n```\n";
        let shown = for_terminal(page);
        let plain = anstream::adapter::strip_str(&shown).to_string();
        assert_eq!(
            plain,
            "name (TXT001)\n\nerror · --fix mends it\n\n• one\n\n    # Kept **as** it is\n"
        );
        assert!(shown.contains(&format!("{BLUE}--fix{BLUE:#}")));
    }

    #[test]
    fn every_check_has_a_page_for_the_terminal() {
        for check in registry::all_checks() {
            let shown = for_terminal(&check_page(check));
            let plain = anstream::adapter::strip_str(&shown).to_string();
            assert!(plain.contains("What it does\n"), "{}", check.code);
            let has_fence = plain.lines().any(|line| line.starts_with("```"));
            assert!(!has_fence, "{}", check.code);
        }
    }
}
