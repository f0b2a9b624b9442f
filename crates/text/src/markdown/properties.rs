//! What holds of the analysis of any text whatever.

use super::{analyse, outline, preamble};
use proptest::prelude::*;
use std::ops::Range;

const VOCABULARY: &[&str] = &[
    "# A",
    "## B ##",
    " ### C",
    "#tag",
    "A",
    "===",
    "---",
    "***",
    "+++",
    "a: b",
    "```",
    "```rust",
    "````",
    "~~~",
    "> ",
    ">",
    "> # Q",
    "> ```",
    ">\t- x",
    "- ",
    "- a",
    "  - b",
    "\t- c",
    "-",
    "1. x",
    "   2) y",
    "- [ ] t",
    "    code",
    "<!--",
    "-->",
    "<!-- c -->",
    "<div>",
    "</div>",
    "a <b>c</b>",
    "|a|b|",
    "|-|-|",
    "|c|",
    "[^1]: n",
    "    m",
    "[a]: /u",
    "[a]: /v \"t\"",
    "see [a] and [^1]",
    "[x](y) ![z](w)",
    "<https://a.b>",
    "http://a.b/c).",
    "a **b** *c",
    "`x` ``y",
    "$x$ $$y",
    "$$",
    "$5-$6",
    "&amp; \\* \\",
    "标题",
    "# 标题",
    "- 项目 `代码`",
    "é",
    "\u{feff}",
    "\u{feff}# B",
    "",
    "  ",
    "\t",
    "\0",
    "> [!NOTE]",
    "a  ",
    "b\\",
];
const ENDS: &[&str] = &["\n", "\n", "\n", "\n\n", "\r\n", "\r", " "];

fn markdownish() -> impl Strategy<Value = String> {
    let line = (prop::sample::select(VOCABULARY), prop::sample::select(ENDS));
    (any::<bool>(), prop::collection::vec(line, 0..24)).prop_map(|(mark, lines)| {
        let mark = if mark { "\u{feff}" } else { "" };
        lines
            .into_iter()
            .fold(mark.to_owned(), |text, (line, end)| text + line + end)
    })
}

fn assert_valid(text: &str, range: &Range<usize>, what: &str) {
    assert!(
        text.get(range.clone()).is_some(),
        "{what} {range:?} of {text:?}"
    );
}

fn assert_disjoint(ranges: &[Range<usize>], what: &str, text: &str) {
    assert!(
        ranges.iter().all(|range| !range.is_empty()),
        "{what} of {text:?}"
    );
    let ordered = ranges.windows(2).all(|pair| pair[0].end <= pair[1].start);
    assert!(ordered, "{what} {ranges:?} of {text:?}");
}

fn holds_of(text: &str) {
    let md = analyse(text);
    let mut ends: Vec<usize> = vec![0; md.blocks.len() + 1];
    for (index, block) in md.blocks.iter().enumerate() {
        assert_valid(text, &block.span, "block");
        assert_valid(text, &block.content, "content");
        let span = &block.span;
        assert!(span.start <= block.content.start && block.content.end <= span.end);
        assert!(!span.is_empty(), "{block:?} of {text:?}");
        let siblings = block.parent.map_or(0, |parent| parent + 1);
        if let Some(parent) = block.parent {
            let around = &md.blocks[parent];
            assert!(parent < index && around.kind.is_container());
            assert_eq!(around.depth + 1, block.depth);
            assert!(
                around.span.start <= span.start && span.end <= around.span.end,
                "{block:?} in {around:?} of {text:?}"
            );
        }
        assert!(
            ends[siblings] <= span.start,
            "{block:?} overlaps in {text:?}"
        );
        ends[siblings] = span.end;
        if let super::BlockKind::CodeBlock { fence: Some(fence) } = &block.kind {
            for part in [&fence.opening, &fence.body] {
                assert_valid(text, part, "fence");
                assert!(span.start <= part.start && part.end <= span.end);
            }
            if let Some(closing) = &fence.closing {
                let run = &text[closing.clone()];
                assert!(
                    run.len() >= fence.length && run.chars().all(|c| c == fence.marker),
                    "{run:?} of {text:?}"
                );
                assert!(fence.body.end <= closing.start && closing.end == span.end);
            }
        }
    }
    for link in &md.links {
        assert_valid(text, &link.span, "link");
        assert_valid(text, &link.text, "link text");
        assert!(link.span.start <= link.text.start && link.text.end <= link.span.end);
    }
    for (ranges, what) in [
        (&md.prose, "prose"),
        (&md.verbatim, "verbatim"),
        (&md.comments, "comments"),
    ] {
        ranges
            .iter()
            .for_each(|range| assert_valid(text, range, what));
        assert_disjoint(ranges, what, text);
    }
    for range in &md.prose {
        assert!(
            !md.is_verbatim(range.start) && !md.is_verbatim(range.end - 1),
            "{text:?}"
        );
        assert!(
            !text[range.clone()].contains(['\n', '\r']),
            "{range:?} of {text:?}"
        );
    }
    for pair in md.fragments.windows(2) {
        assert!(
            pair[0].span.end <= pair[1].span.start,
            "{pair:?} of {text:?}"
        );
    }
    md.plain_text(text, 0..text.len());
    divides(text, &md);
}

fn divides(text: &str, md: &super::Markdown) {
    let entries = outline(md, text);
    let preamble = preamble(md, text);
    let mut parts = text[preamble.clone()].to_owned();
    let mut siblings = parts.clone();
    let mut reached = preamble.end;
    for entry in &entries {
        assert_eq!(
            (entry.heading.start, entry.heading.end),
            (entry.extent.start, entry.body.start)
        );
        parts += &text[entry.heading.clone()];
        parts += &text[entry.body.clone()];
        if entry.extent.start == reached {
            siblings += &text[entry.extent.clone()];
            reached = entry.extent.end;
        }
    }
    assert_eq!(parts, text);
    assert_eq!(siblings, text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_nest_and_sections_divide_markdown(text in markdownish()) {
        holds_of(&text);
    }

    #[test]
    fn spans_nest_and_sections_divide_any_text(text in any::<String>()) {
        holds_of(&text);
    }

    #[test]
    fn spans_nest_and_sections_divide_dense_markup(text in "[-#>*_`~$|\\[\\]()<!:^1 a\t\n\ré\\\\&;]{0,60}") {
        holds_of(&text);
    }
}
