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
        .or_else(|| mark_of_each_line(&field.text))
        .or_else(|| rows_of_signs(&field.text))
        .or_else(|| container(&field.text))
        .or_else(|| escaped_marks(&field.text))
        .or_else(|| stray_end(field))
        .or_else(|| reopened_fence(field))
}

/// The sign of a comment or a box at the start of every line, before the title too.
fn mark_of_each_line(text: &str) -> Option<(Range<usize>, &'static str)> {
    const MARKS: [&str; 5] = ["//", "│", "┃", ";;", "--"];
    const FEWEST: usize = 4;
    let lines = || text.lines().map(str::trim_start).filter(|line| !line.is_empty());
    let first = lines().next()?;
    let mark = MARKS.iter().find(|mark| first.starts_with(**mark))?;
    let has_title = first[mark.len()..].trim_start().starts_with("# ");
    let start = text.len() - text.trim_start().len();
    (has_title && lines().count() >= FEWEST && lines().all(|line| line.starts_with(mark))).then_some((
        start..start + mark.len(),
        "every line begins with the sign of a comment or a box; delete these signs",
    ))
}

/// A row of signs before and after everything, as programs print around an answer.
fn rows_of_signs(text: &str) -> Option<(Range<usize>, &'static str)> {
    const SHORTEST: usize = 10;
    const LABEL: usize = 40;
    let row = |line: &str| {
        let sign = line.chars().next().filter(|c| "=-*#~_".contains(*c))?;
        (line.len() >= SHORTEST && line.chars().all(|c| c == sign)).then_some(sign)
    };
    let whole = text.trim();
    let start = text.len() - text.trim_start().len();
    let mut lines = whole.lines().map(str::trim_end);
    let first = lines.next()?;
    let second = lines.next()?;
    let opening = row(first).or_else(|| row(second).filter(|_| first.len() <= LABEL && !first.starts_with('#')))?;
    let last = whole.lines().next_back()?;
    let is_front_matter = row(first) == Some('-');
    (row(last) == Some(opening) && !is_front_matter).then_some((
        start..start + first.len(),
        "rows of signs around the whole lesson were printed by a program; delete them",
    ))
}

/// `:::name` right before the title: a container of the page that showed the answer.
fn container(text: &str) -> Option<(Range<usize>, &'static str)> {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let name = line.trim_end().strip_prefix(":::");
        let is_named = name.is_some_and(|name| name.trim_start().starts_with(char::is_alphabetic));
        let opens = is_named && lines.peek().is_some_and(|next| next.starts_with("# "));
        if opens {
            let end = at + line.trim_end().len();
            return Some((
                at..end,
                "a mark around the lesson was left by the program that showed it; delete it and its end",
            ));
        }
        at += line.len();
    }
    None
}

/// Every heading has a backslash before its sign, so that readers see the sign.
fn escaped_marks(text: &str) -> Option<(Range<usize>, &'static str)> {
    const FEWEST: usize = 2;
    let is_escaped = |line: &&str| {
        let rest = line.trim_start_matches(['\\', '#']);
        line.starts_with("\\#") && rest.starts_with(' ')
    };
    let found = text.lines().filter(is_escaped).count();
    let has_heading = text.lines().any(|line| line.starts_with("# ") || line.starts_with("## "));
    let at = text.find("\\#")?;
    (found >= FEWEST && !has_heading).then_some((
        at..at + 2,
        "backslashes stand before the signs of Markdown, so that no heading is one; delete them",
    ))
}

/// A bracket, a closing tag, quotation mark or an empty block of code at the very end, which
/// nothing before it opens.
fn stray_end(field: &TextField) -> Option<(Range<usize>, &'static str)> {
    const MESSAGE: &str = "the lesson ends in a sign that closes what nothing opened; delete it";
    let text = field.text.trim_end();
    let (before, line) = text.rsplit_once('\n')?;
    let range = text.len() - line.len()..text.len();
    let is_code = field.markdown().is_code(range.start);
    let last = field.markdown().blocks.iter().rfind(|block| block.parent.is_none())?;
    if matches!(last.kind, BlockKind::CodeBlock { .. }) {
        let body = field.text.get(last.content.clone()).unwrap_or_default();
        let is_bare = line.trim() == "```" && before.ends_with("\n```");
        return (is_bare && body.trim().is_empty()).then_some((
            last.span.clone(),
            "the lesson ends in an empty block of code; delete it",
        ));
    }
    let line = line.trim();
    let is_brackets = !line.is_empty() && line.chars().all(|c| "}])\",;".contains(c)) && line.contains(['}', ']']);
    let count = |c: char| before.matches(c).count();
    let is_stray = is_brackets && !is_code && count('{') <= count('}') && count('[') <= count(']');
    if is_stray {
        return Some((range, MESSAGE));
    }
    let name = line.strip_prefix("</").and_then(|rest| rest.strip_suffix('>'));
    let is_tag = name.is_some_and(|name| {
        name.chars().all(char::is_alphanumeric) && !before.contains(&format!("<{name}"))
    });
    let is_quote = [".\"", "!\"", "?\""].iter().any(|end| text.ends_with(end))
        && last.kind == BlockKind::Paragraph
        && quotes(field, last) == 1
        && field.markdown().blocks.iter().all(|block| {
            block.kind != BlockKind::Paragraph
                || block.span == last.span
                || quotes(field, block).is_multiple_of(2)
        });
    (!is_code && (is_tag || is_quote)).then_some((range, MESSAGE))
}

/// Straight quotation marks of a block.
fn quotes(field: &TextField, block: &Block) -> usize {
    let text = field.text.get(block.content.clone()).unwrap_or_default();
    text.matches('"').count()
}

/// An empty block of code, or one without a language, in which a block of Markdown opens: a
/// model closed the fence around its answer and opened it again.
fn reopened_fence(field: &TextField) -> Option<(Range<usize>, &'static str)> {
    field.markdown().blocks.iter().find_map(|block| {
        let BlockKind::CodeBlock { fence: Some(fence) } = &block.kind else {
            return None;
        };
        let opening = field.text.get(fence.opening.clone())?.trim();
        let body = field.text.get(block.content.clone())?.trim_start();
        let reopens = ["```markdown", "```md"].iter().any(|opener| {
            body.strip_prefix(opener)
                .is_some_and(|rest| rest.starts_with(['\n', '\r', ' ']))
        });
        (opening == "```" && reopens).then_some((
            fence.opening.clone(),
            "a fence was closed and opened again in the middle of the lesson; delete both lines",
        ))
    })
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

/// Quotation marks as entities everywhere, also in code, where they are shown so; or most of
/// the text written in numbers of characters.
fn escaped(field: &TextField) -> Option<(Range<usize>, &'static str)> {
    const FEWEST: usize = 3;
    const NUMBERS: usize = 40;
    let text = &*field.text;
    let numbers = text.matches("&#").count();
    if numbers >= NUMBERS && numbers * 12 > text.len() {
        let at = text.find("&#")?;
        return Some((
            at..at + 2,
            "the text is written in numbers of characters (`&#233;`); write the characters themselves",
        ));
    }
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
