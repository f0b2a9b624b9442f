//! A frame around all of a lesson: every line is quoted or indented, the text stands in a
//! tag that shows it as it is, or it was escaped for another format. Nothing is deleted:
//! the sign of each line may be meant.

use std::ops::Range;

use redraft_gate::content::TextField;
use redraft_text::markdown::{Block, BlockKind};

/// Where the frame of a lesson begins, and what to do about it.
pub(super) fn frame(field: &TextField) -> Option<(Range<usize>, &'static str)> {
    around_lines(field)
        .or_else(|| tag(&field.text))
        .or_else(|| block_of_yaml(&field.text))
        .or_else(|| marked_section(&field.text))
        .or_else(|| broken_lines(&field.text))
        .or_else(|| string_of_a_program(&field.text))
        .or_else(|| escaped(field))
}

/// One quotation, or one block of code because every line is indented, with the title in
/// it and no heading outside it.
fn around_lines(field: &TextField) -> Option<(Range<usize>, &'static str)> {
    let blocks = &field.markdown().blocks;
    let top = || blocks.iter().filter(|block| block.parent.is_none());
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    if top().any(is_heading) {
        return None;
    }
    let only = top().max_by_key(|block| block.span.len())?;
    if only.span.len() * 2 < field.text.trim().len() {
        return None;
    }
    let end = field.text[only.span.clone()].find(['\n', '\r']);
    let line = only.span.start..end.map_or(only.span.end, |end| only.span.start + end);
    match only.kind {
        BlockKind::BlockQuote => blocks.iter().any(is_heading).then_some((
            line,
            "the whole lesson is a quotation; delete the `>` at the start of each line",
        )),
        BlockKind::CodeBlock { fence: None } => {
            let text = field.text.get(only.content.clone())?.trim_start();
            text.starts_with("# ").then_some((
                line,
                "the whole lesson is indented and shows as code; delete the spaces at the start of each line",
            ))
        }
        _ => None,
    }
}

/// A tag around everything that shows its text as it is, or hides it.
fn tag(text: &str) -> Option<(Range<usize>, &'static str)> {
    const NAMES: [&str; 6] = ["pre", "textarea", "xmp", "listing", "details", "code"];
    let start = text.len() - text.trim_start().len();
    let whole = text.trim();
    let name = NAMES.iter().find(|name| {
        whole
            .strip_prefix('<')
            .and_then(|rest| rest.strip_prefix(**name))
            .is_some_and(|rest| rest.starts_with(['>', ' ']))
    })?;
    let close = format!("</{name}>");
    let is_one = whole.matches(close.as_str()).count() == 1;
    let has_title = whole.lines().any(|line| line.trim_start().starts_with("# "));
    (is_one && whole.ends_with(&close) && has_title).then_some((
        start..start + name.len() + 1,
        "the whole lesson stands in a tag that does not show it as text; delete the tag",
    ))
}

/// `content: |` and nothing but indented lines after it.
fn block_of_yaml(text: &str) -> Option<(Range<usize>, &'static str)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next()?.trim_end();
    let (name, mark) = first.split_once(": ")?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_mark = matches!(mark.trim(), "|" | ">" | "|-" | ">-" | "|+" | ">+");
    let mut rest = lines.peekable();
    let is_block = rest.peek().is_some() && rest.all(|line| line.starts_with([' ', '\t']));
    let start = text.find(first)?;
    (is_name && is_mark && is_block).then_some((
        start..start + first.len(),
        "the lesson is a value of YAML; save the text alone, without the spaces before each line",
    ))
}

/// A section of XML that takes its text as it is, or a container of a chat page.
fn marked_section(text: &str) -> Option<(Range<usize>, &'static str)> {
    const CLASSES: [&str; 5] = ["answer", "response", "message", "assistant", "chat"];
    let start = text.len() - text.trim_start().len();
    let whole = text.trim();
    let line = whole.lines().next()?;
    let has_title = || {
        let is_title = |line: &str| line.trim_start().starts_with("# ");
        whole.lines().any(is_title) || line.contains("[# ")
    };
    let is_data = whole.starts_with("<![CDATA[") && whole.ends_with("]]>");
    let is_container = line.starts_with(":::")
        && whole.ends_with("\n:::")
        && whole.lines().filter(|line| line.starts_with(":::")).count() == 2;
    let is_page = line.starts_with("<div class=")
        && whole.ends_with("</div>")
        && CLASSES.iter().any(|class| line.contains(class));
    ((is_data || is_container || is_page) && has_title()).then_some((
        start..start + line.len(),
        "a mark around the whole lesson was left by the program that showed it; delete it",
    ))
}

/// A title after the sign that opens a string or a block of code, in the same line
/// (`print("# Water`, `1,"# Water`), or the first line of a string in a script.
fn string_of_a_program(text: &str) -> Option<(Range<usize>, &'static str)> {
    const LINES: usize = 2;
    const SHORTEST_END: usize = 12;
    const OPENERS: [&str; 12] = [
        "const ", "let ", "var ", "export ", "return ", "print(", "console.log(", "cat <", "cat >",
        "echo ", "`", "'''",
    ];
    let start = text.len() - text.trim_start().len();
    let whole = text.trim();
    let first = whole.lines().next()?;
    let opens = OPENERS.iter().any(|opener| first.starts_with(opener)) || first.ends_with("\"\"\"");
    let is_code = whole.lines().take(LINES).any(|line| {
        let Some(at) = line.find("# ").filter(|_| !line.starts_with('#')) else {
            return false;
        };
        let before = &line[..at];
        let is_string = before.ends_with(['"', '\'', '`']) && !line[at..].contains('`');
        // In a fence the title is where its language belongs.
        let is_fence = line.starts_with("```") || line.starts_with("~~~");
        is_string && (opens || before.ends_with(",\"")) || is_fence && before.ends_with(' ')
    });
    let last = whole.lines().next_back().unwrap_or_default();
    let is_script = opens
        && !first.starts_with('`')
        && first.contains(['"', '\'', '`', '('])
        && whole.lines().nth(1).is_some_and(|line| line.starts_with("# "))
        && last.len() <= SHORTEST_END
        && (last == "EOF" || last.contains(['"', '\'', '`', ')']));
    (is_code || is_script).then_some((
        start..start + first.len(),
        "the lesson is a string in a program; save the text alone",
    ))
}

/// A line break of HTML at the end of nearly every line, headings too.
fn broken_lines(text: &str) -> Option<(Range<usize>, &'static str)> {
    const FEWEST: usize = 8;
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let is_broken = |line: &&str| line.ends_with("<br>") || line.ends_with("<br/>");
    let broken = lines().filter(is_broken).count();
    let has_heading = lines().any(|line| line.starts_with('#') && is_broken(&line));
    let at = text.find("<br")?;
    (broken >= FEWEST && broken * 5 >= lines().count() * 4 && has_heading).then_some((
        at..at + "<br".len(),
        "every line ends with `<br>`, so that no heading is one; delete them",
    ))
}

/// Quotation marks as entities everywhere, also in code, where they are shown so.
fn escaped(field: &TextField) -> Option<(Range<usize>, &'static str)> {
    const FEWEST: usize = 3;
    let text = &*field.text;
    let mut marks = text.match_indices("&quot;").chain(text.match_indices("&#39;"));
    let first = marks.next()?.0;
    let is_many = marks.count() + 1 >= FEWEST;
    let is_in_code = text
        .match_indices("&quot;")
        .any(|(at, _)| field.markdown().is_code(at));
    (is_many && is_in_code && !text.contains(['"', '<'])).then_some((
        first..first + 6.min(text.len() - first),
        "the text was escaped for HTML, so that code shows `&quot;`; write the characters themselves",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_around_everything_is_a_frame() {
        for (text, is_frame) in [
            ("<pre>\n# Water\n\nIt boils.\n</pre>\n", true),
            ("<details><summary>x</summary>\n\n# Water\n\n</details>", true),
            ("<pre>a</pre>\n\n# Water\n\n<pre>b</pre>", false),
            ("<pre>a</pre>", false),
            ("# Water\n\n<pre>b</pre>", false),
        ] {
            assert_eq!(tag(text).is_some(), is_frame, "{text}");
        }
    }

    #[test]
    fn a_string_of_a_program_is_a_frame() {
        for (text, is_frame) in [
            ("const md = `# Water\n\nIt boils.\n`;", true),
            ("print(\"\"\"\n# Water\n\nIt boils.\n\"\"\")", true),
            ("cat > lesson.md << 'EOF'\n# Water\n\nIt boils.\nEOF\n", true),
            ("```markdown # Water\n\nIt boils.```", true),
            ("`# Water\n\nIt boils.`", true),
            ("id,output\n1,\"# Water\n\nIt boils.\"\n", true),
            ("# Water\n\nA comment begins with `# `.", false),
            ("`# ` begins a heading.\n\n## More\n", false),
            ("```python\n# Water\nx = 1\n```\n", false),
            ("let us begin.\n# Water\n\nIt boils.\n", false),
        ] {
            assert_eq!(string_of_a_program(text).is_some(), is_frame, "{text}");
        }
    }

    #[test]
    fn a_value_of_yaml_is_a_frame() {
        for (text, is_frame) in [
            ("content: |\n  # Water\n\n  It boils.\n", true),
            ("body: >-\n  # Water\n", true),
            ("Note: |\nx", false),
            ("# Water\n\ncontent: |\n  x\n", false),
        ] {
            assert_eq!(block_of_yaml(text).is_some(), is_frame, "{text}");
        }
    }
}
