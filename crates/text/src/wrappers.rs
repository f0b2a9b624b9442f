//! What models and the programs that serve them leave around an answer besides
//! words: control tokens, code fences, tags such as `<answer>`. The gate reads
//! documents with it, a run reads replies. It does not know what the answer is,
//! and it chooses nothing: callers say where they look.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// The tokens are those of published chat templates: ChatML, Llama 2 and 3, Gemma,
/// Mistral, DeepSeek, Cohere, GLM, EXAONE, Phi, harmony. Names between bars are
/// taken as they come, because every family has its own.
#[expect(
    clippy::expect_used,
    reason = "a constant pattern, compiled in every test run"
)]
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x) \A (?:
        <\|[A-Za-z0-9_./-]{1,40}\|?>
        | <[A-Za-z0-9_./-]{1,40}\|>
        | <｜[^｜<>\r\n]{1,40}｜>
        | \[\|/?[A-Za-z_]{1,20}\|\]
        | </?s>
        | <(?:bos|eos|pad|unk|sop|eop|start_of_turn|end_of_turn)>
        | \[/?INST\]
        | <</?SYS>>
        | \[(?:EOS|BOS|PAD|gMASK|DONE|END|end\ of\ text)\]
        | <(?:extra_id_\d+|0x[0-9A-Fa-f]{2}|turn\||/?assistant|start_of_image|end_of_text|END)>
        )",
    )
    .expect("the pattern is valid")
});

/// Tokens after which a template names who speaks, or in which channel.
const BEFORE_A_NAME: [&str; 6] = [
    "<|im_start|>",
    "<|start|>",
    "<|start_header_id|>",
    "<|channel|>",
    "<|constrain|>",
    "<start_of_turn>",
];

const NAMES: [&str; 7] = [
    "assistant",
    "model",
    "system",
    "user",
    "tool",
    "final",
    "json",
];

/// No token with its name is longer, in bytes.
const LONGEST_TOKEN: usize = 160;

/// No passage that is struck out is longer, in bytes.
const STRUCK_OUT: usize = 400;

/// How far the control tokens at the very start of a text reach; 0 without any.
/// White space before and between them belongs to them.
#[must_use]
pub fn leading_tokens(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let blank = rest.len() - rest.trim_start().len();
        match token_at(&rest[blank..]) {
            Some(length) => end += blank + length,
            None => return end,
        }
    }
}

/// The control tokens at the very end of a text, without the white space before
/// them; empty without any.
#[must_use]
pub fn trailing_tokens(text: &str) -> Range<usize> {
    let end = text.trim_end().len();
    let mut start = end;
    while let Some(at) = token_before(text[..start].trim_end()) {
        start = at;
    }
    start..end
}

/// The length of the token at the start of a text, with the name after it.
fn token_at(rest: &str) -> Option<usize> {
    if !rest.starts_with(['<', '[']) {
        return None;
    }
    let token = TOKEN.find(rest)?.as_str();
    if token == "<s>" && is_struck_out(rest) {
        return None;
    }
    let after = &rest[token.len()..];
    let blank = after.len() - after.trim_start_matches(' ').len();
    let word_end = after[blank..]
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(after.len() - blank);
    let word = after[blank..blank + word_end].to_ascii_lowercase();
    if !BEFORE_A_NAME.contains(&token) {
        return Some(token.len());
    }
    // A channel in which the model thinks is no mere token.
    if token == "<|channel|>" && matches!(word.as_str(), "analysis" | "commentary") {
        return None;
    }
    if NAMES.contains(&word.as_str()) {
        return Some(token.len() + blank + word_end);
    }
    Some(token.len())
}

/// Where the token that ends a text begins.
fn token_before(text: &str) -> Option<usize> {
    let window = text.ceil_char_boundary(text.len().saturating_sub(LONGEST_TOKEN));
    // The last bracket may stand inside of the token, as in `<<SYS>>`.
    let start = text[window..]
        .rmatch_indices(['<', '['])
        .take(2)
        .map(|(offset, _)| window + offset)
        .find(|start| token_at(&text[*start..]) == Some(text.len() - start))?;
    let is_mark_up = &text[start..] == "</s>" && {
        let before = &text[text.ceil_char_boundary(start.saturating_sub(STRUCK_OUT))..start];
        let paragraph = before.rfind("\n\n").map_or(before, |at| &before[at..]);
        paragraph.contains("<s>") && !text.trim_start().starts_with("<s>")
    };
    (!is_mark_up).then_some(start)
}

/// Whether `<s>` opens a passage of HTML that is struck out: it is closed in its
/// own paragraph, before the end of the text.
fn is_struck_out(rest: &str) -> bool {
    let near = &rest[..rest.floor_char_boundary(STRUCK_OUT)];
    let paragraph = near.find("\n\n").map_or(near, |end| &near[..end]);
    paragraph
        .find("</s>")
        .is_some_and(|at| !rest[at + "</s>".len()..].trim().is_empty())
}

/// A line that opens or closes a code block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenceLine<'a> {
    /// `` ` `` or `~`.
    pub sign: char,
    /// How many of them.
    pub length: usize,
    /// What follows them, without white space.
    pub info: &'a str,
}

/// Reads a line as a fence; `line` may end in a line break.
#[must_use]
pub fn fence_line(line: &str) -> Option<FenceLine<'_>> {
    let line = line.trim();
    let sign = line
        .chars()
        .next()
        .filter(|sign| matches!(sign, '`' | '~'))?;
    let info = line.trim_start_matches(sign);
    let length = line.len() - info.len();
    (length >= 3).then_some(FenceLine {
        sign,
        length,
        info: info.trim(),
    })
}

impl FenceLine<'_> {
    /// The language of the block in lower case: `json` of `json title="x"` and of
    /// `{.json}`. Empty without one.
    #[must_use]
    pub fn language(&self) -> String {
        self.info
            .trim_start_matches(['{', '.', ' '])
            .split(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ',' | ':' | '='))
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    }

    /// Whether a block of this language may be a document in JSON.
    #[must_use]
    pub fn may_hold_json(&self) -> bool {
        matches!(
            self.language().as_str(),
            "" | "json" | "json5" | "jsonc" | "jsonl" | "javascript" | "js" | "txt" | "text"
        )
    }

    /// Whether a block of this language is a text in Markdown.
    #[must_use]
    pub fn holds_markdown(&self) -> bool {
        matches!(self.language().as_str(), "markdown" | "md" | "mdx")
    }

    fn closes(&self, opening: &FenceLine<'_>) -> bool {
        self.info.is_empty() && self.sign == opening.sign && self.length >= opening.length
    }
}

/// A code block of a text: its fences as whole lines without their line breaks, and
/// what is between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fenced {
    pub opening: Range<usize>,
    pub body: Range<usize>,
    pub closing: Range<usize>,
}

/// The blocks of a text that hold Markdown, in order, each with the blocks inside
/// it: models rarely lengthen the outer fence. A block that is not closed is left
/// out.
#[must_use]
pub fn markdown_blocks(text: &str) -> Vec<Fenced> {
    let lines = fence_lines(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((range, line)) = lines.get(at) {
        if !line.holds_markdown() {
            // Another block; its closing line is passed over with it.
            let close = lines[at + 1..]
                .iter()
                .position(|(_, next)| next.closes(line));
            at = close.map_or(lines.len(), |offset| at + offset + 2);
            continue;
        }
        let Some(close) = closing(&lines, at) else {
            break;
        };
        let (closing, _) = &lines[close];
        found.push(fenced(text, range, closing));
        at = close + 1;
    }
    found
}

/// The block that is all of a text but white space, of whatever language.
#[must_use]
pub fn whole_block(text: &str) -> Option<(Fenced, FenceLine<'_>)> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with("```") && !text[start..].starts_with("~~~") {
        return None;
    }
    let lines = fence_lines(text);
    let (first, last) = (lines.first()?, lines.last()?);
    let inner = lines.len().checked_sub(2)?;
    let is_even = if first.1.holds_markdown() {
        inner % 2 == 0
    } else {
        are_blocks(&lines[1..=inner])
    };
    let is_whole = text[..first.0.start].trim().is_empty() && text[last.0.end..].trim().is_empty();
    (is_whole && last.1.closes(&first.1) && is_even)
        .then(|| (fenced(text, &first.0, &last.0), first.1))
}

/// Whether fences open blocks with a language and close them again.
fn are_blocks(lines: &[(Range<usize>, FenceLine<'_>)]) -> bool {
    lines.len().is_multiple_of(2)
        && lines.iter().enumerate().all(|(index, (_, line))| {
            let opens = index % 2 == 0;
            opens != line.info.is_empty()
        })
}

fn fenced(text: &str, opening: &Range<usize>, closing: &Range<usize>) -> Fenced {
    let start = line_break_after(text, opening.end);
    let inner = &text[start..closing.start.max(start)];
    Fenced {
        opening: opening.clone(),
        body: start..start + inner.trim_end_matches(['\n', '\r']).len(),
        closing: closing.clone(),
    }
}

fn line_break_after(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
    end + line
}

/// The lines of a text that are fences.
fn fence_lines(text: &str) -> Vec<(Range<usize>, FenceLine<'_>)> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = line.trim_start();
        if (begin.starts_with("```") || begin.starts_with("~~~"))
            && let Some(fence) = fence_line(line)
        {
            let start = at + (line.len() - begin.len());
            found.push((start..at + line.trim_end().len(), fence));
        }
        at += line.len();
    }
    found
}

/// The line that closes the block that opens on line `at`. A fence with a language
/// opens a block inside; one without closes the innermost. Where that leaves the
/// outer block open, the last line that can close it does.
fn closing(lines: &[(Range<usize>, FenceLine<'_>)], at: usize) -> Option<usize> {
    let opening = &lines[at].1;
    let mut depth = 0_usize;
    let mut last = None;
    for (index, (_, line)) in lines.iter().enumerate().skip(at + 1) {
        if opening.length > 3 || opening.sign == '~' {
            if line.closes(opening) {
                return Some(index);
            }
        } else if !line.info.is_empty() {
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
            last = Some(index);
        } else if follows_a_block(lines, index) && line.closes(opening) {
            return Some(index);
        }
    }
    last.filter(|index| lines[*index].1.closes(opening))
}

/// Whether a bare fence closes the outer block: an odd number of bare fences follows
/// before the next block of Markdown only if they open and close blocks themselves.
fn follows_a_block(lines: &[(Range<usize>, FenceLine<'_>)], index: usize) -> bool {
    let mut depth = 0_usize;
    for (_, line) in &lines[index + 1..] {
        if line.holds_markdown() && depth == 0 {
            break;
        }
        if !line.info.is_empty() {
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
        } else {
            // Another bare fence: this one opened a block without a language.
            return false;
        }
    }
    true
}

/// The name of a tag around an answer at the start of a text, and its length:
/// `<answer>`, `</output>`.
#[must_use]
pub fn answer_tag(text: &str) -> Option<(usize, &str)> {
    const TAGS: [&str; 13] = [
        "answer",
        "final_answer",
        "final",
        "response",
        "output",
        "result",
        "json",
        "markdown",
        "document",
        "completion",
        "tool_call",
        "tool_use",
        "function_call",
    ];
    let rest = text.strip_prefix('<')?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let end = rest.bytes().take(20).position(|byte| byte == b'>')?;
    let name = &rest[..end];
    TAGS.iter()
        .any(|tag| name.eq_ignore_ascii_case(tag))
        .then_some((text.len() - rest.len() + end + 1, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_tokens_are_found_at_both_ends() {
        for (text, inner) in [
            ("<|im_start|>assistant\n# T\n<|im_end|>\n", "# T"),
            ("<s>[INST] # T [/INST]</s>", "# T"),
            ("<s># T</s>", "# T"),
            ("# T<|eot_id|><|endoftext|>", "# T"),
            ("<｜begin▁of▁sentence｜># T<｜end▁of▁sentence｜>", "# T"),
            ("<start_of_turn>model\n# T<end_of_turn>", "# T"),
            (
                "<|start|>assistant<|channel|>final <|constrain|>json<|message|># T<|return|>",
                "# T",
            ),
            ("[gMASK]<sop># T<|user|>", "# T"),
            ("# T\n<extra_id_0>", "# T"),
            ("# T\n\n[DONE]", "# T"),
            ("# T [end of text]", "# T"),
            ("# T\n<|im_end|>\n<|im_start|>user", "# T"),
            ("<s>old</s> price", "<s>old</s> price"),
            ("the price is <s>old</s>", "the price is <s>old</s>"),
            (
                "<|channel|>analysis<|message|>Hm",
                "<|channel|>analysis<|message|>Hm",
            ),
            ("a < b and [c]", "a < b and [c]"),
            ("", ""),
        ] {
            let start = leading_tokens(text);
            let end = trailing_tokens(text);
            let left = if start < end.start {
                &text[start..end.start]
            } else {
                ""
            };
            assert_eq!(left.trim(), inner, "{text}");
        }
    }

    #[test]
    fn runs_of_tokens_take_linear_time() {
        for token in ["</s>", "<|im_end|>", "<s>", "<|im_start|>", "<", "[", "<|"] {
            let text = token.repeat(50_000);
            let _ = (leading_tokens(&text), trailing_tokens(&text));
        }
    }

    #[test]
    fn a_fence_has_a_sign_a_length_and_a_language() {
        for (line, expected) in [
            ("```json title=\"x\"\n", Some(("json", 3))),
            ("~~~~ {.json}", Some(("json", 4))),
            ("  ````", Some(("", 4))),
            ("``", None),
            ("text ```", None),
        ] {
            let fence = fence_line(line);
            let found = fence.map(|fence| (fence.language(), fence.length));
            let found = found
                .as_ref()
                .map(|(name, length)| (name.as_str(), *length));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn markdown_is_found_in_its_block_with_the_blocks_inside() {
        for (text, bodies) in [
            ("Hi\n```markdown\n# T\n```\nBye", vec!["# T"]),
            (
                "```md\n# T\n\n```python\nx\n```\n\nEnd.\n```\n",
                vec!["# T\n\n```python\nx\n```\n\nEnd."],
            ),
            (
                "```markdown\n# T\n\n```\nx\n```\n\nEnd.\n```\nBye",
                vec!["# T\n\n```\nx\n```\n\nEnd."],
            ),
            (
                "````markdown\n# T\n```\nx\n```\n````",
                vec!["# T\n```\nx\n```"],
            ),
            (
                "~~~markdown\n# T\n```\nx\n```\n~~~",
                vec!["# T\n```\nx\n```"],
            ),
            (
                "Draft:\n```markdown\n# A\n```\nFinal:\n```markdown\n# B\n```\n",
                vec!["# A", "# B"],
            ),
            ("```markdown\n# T\n\nopen", vec![]),
            ("```python\nx\n```\n", vec![]),
        ] {
            let found: Vec<&str> = markdown_blocks(text)
                .into_iter()
                .map(|block| &text[block.body])
                .collect();
            assert_eq!(found, bodies, "{text}");
        }
    }
}
