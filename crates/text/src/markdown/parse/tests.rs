//! Cases for the analysis, as data.

use super::super::{BlockKind, DegradedWhy, LinkKind, Markdown, analyse};
use std::ops::Range;

/// A block list in one line: indentation as dots, then kind and source.
fn sketch(text: &str) -> Vec<String> {
    let md = analyse(text);
    md.blocks
        .iter()
        .map(|block| {
            let name = match &block.kind {
                BlockKind::FrontMatter => "front".to_owned(),
                BlockKind::Heading {
                    level,
                    setext,
                    text,
                } => format!("h{level}{} {text:?}", if *setext { "_" } else { "" }),
                BlockKind::Paragraph => "p".to_owned(),
                BlockKind::CodeBlock { fence: None } => "indented".to_owned(),
                BlockKind::CodeBlock { fence: Some(fence) } => match fence.closing {
                    Some(_) => "code".to_owned(),
                    None => "unclosed".to_owned(),
                },
                BlockKind::List {
                    ordered,
                    start,
                    tight,
                } => format!(
                    "{}{}",
                    if *ordered {
                        format!("ol{start}")
                    } else {
                        "ul".to_owned()
                    },
                    if *tight { "" } else { " loose" }
                ),
                BlockKind::Item { task: None } => "li".to_owned(),
                BlockKind::Item { task: Some(done) } => format!("task {done}"),
                BlockKind::BlockQuote => "quote".to_owned(),
                BlockKind::Table { columns } => format!("table{columns}"),
                BlockKind::Html => "html".to_owned(),
                BlockKind::ThematicBreak => "hr".to_owned(),
                BlockKind::FootnoteDefinition { label } => format!("note {label}"),
                BlockKind::Math => "math".to_owned(),
                BlockKind::LinkDefinition { label, destination } => {
                    format!("def {label}={destination}")
                }
            };
            let dots = ".".repeat(block.depth as usize);
            format!("{dots}{name} <{}>", &text[block.span.clone()])
        })
        .collect()
}

fn slices<'a>(text: &'a str, ranges: &[Range<usize>]) -> Vec<&'a str> {
    ranges.iter().map(|range| &text[range.clone()]).collect()
}

const BLOCKS: &[(&str, &[&str])] = &[
    ("", &[]),
    (" \n\t\n", &[]),
    (
        "# A *b* `c`\n\ntext\n",
        &["h1 \"A b c\" <# A *b* `c`>", "p <text>"],
    ),
    ("  ## A ##\n", &["h2 \"A\" <## A ##>"]),
    ("#hashtag\n", &["p <#hashtag>"]),
    ("####### x", &["p <####### x>"]),
    ("#\n", &["h1 \"\" <#>"]),
    ("A\nb\n===\n", &["h1_ \"A b\" <A\nb\n===>"]),
    ("#tag\n---\n", &["h2_ \"#tag\" <#tag\n--->"]),
    ("\u{feff}# A\n", &["h1 \"A\" <# A>"]),
    (
        "\u{feff}---\na: b\n---\n# A\n",
        &["front <---\na: b\n--->", "h1 \"A\" <# A>"],
    ),
    (
        "---\na: b\n---\ntext\n\n---\n\nc: d\n\n---\n",
        &[
            "front <---\na: b\n--->",
            "p <text>",
            "hr <--->",
            "p <c: d>",
            "hr <--->",
        ],
    ),
    (
        "text\n\n---\nc: d\n---\n",
        &["p <text>", "hr <--->", "h2_ \"c: d\" <c: d\n--->"],
    ),
    (
        "# 标题：一\r\n\r\n正文。\r\n",
        &["h1 \"标题：一\" <# 标题：一>", "p <正文。>"],
    ),
    (
        "# A\r\rb\r```\r# c\r```\r",
        &["h1 \"A\" <# A>", "p <b>", "code <```\r# c\r```>"],
    ),
    ("```\n# a\n```\n", &["code <```\n# a\n```>"]),
    ("> # a\n", &["quote <> # a>", ".h1 \"a\" <# a>"]),
    (
        "- # a\n",
        &["ul <- # a>", ".li <- # a>", "..h1 \"a\" <# a>"],
    ),
    (
        "<!--\n# a\n-->\n# b",
        &["html <<!--\n# a\n-->>", "h1 \"b\" <# b>"],
    ),
    (
        "- a\n- b\n",
        &[
            "ul <- a\n- b>",
            ".li <- a>",
            "..p <a>",
            ".li <- b>",
            "..p <b>",
        ],
    ),
    (
        "3. a\n\n4. b\n",
        &[
            "ol3 loose <3. a\n\n4. b>",
            ".li <3. a>",
            "..p <a>",
            ".li <4. b>",
            "..p <b>",
        ],
    ),
    (
        "- a\n  - b\n\nc",
        &[
            "ul <- a\n  - b>",
            ".li <- a\n  - b>",
            "..p <a>",
            "..ul <- b>",
            "...li <- b>",
            "....p <b>",
            "p <c>",
        ],
    ),
    // The parser's own span of the inner list starts in the line before.
    (
        "- é\n\t- b\n",
        &[
            "ul <- é\n\t- b>",
            ".li <- é\n\t- b>",
            "..p <é>",
            "..ul <- b>",
            "...li <- b>",
            "....p <b>",
        ],
    ),
    (
        ">\t- b\n",
        &["quote <>\t- b>", ".ul <- b>", "..li <- b>", "...p <b>"],
    ),
    (
        "- [x] a\n- [ ] b",
        &[
            "ul <- [x] a\n- [ ] b>",
            ".task true <- [x] a>",
            "..p <a>",
            ".task false <- [ ] b>",
            "..p <b>",
        ],
    ),
    ("-\n", &["ul <->", ".li <->"]),
    ("    x\n\n    y\n", &["indented <x\n\n    y>"]),
    ("|a|b|\n|-|-|\n|c|d|\n", &["table2 <|a|b|\n|-|-|\n|c|d|>"]),
    ("$$\nx\n$$\n\n$$y$$ z", &["math <$$\nx\n$$>", "p <$$y$$ z>"]),
    (
        "a[^1]\n\n[^1]: b\n",
        &["p <a[^1]>", "note 1 <[^1]: b>", ".p <b>"],
    ),
    (
        "[a]\n\n[a]: /u 'T'\n\nb",
        &["p <[a]>", "def a=/u <[a]: /u 'T'>", "p <b>"],
    ),
    (
        "> [a]: /u\n> b\n",
        &["quote <> [a]: /u\n> b>", ".def a=/u <[a]: /u>", ".p <b>"],
    ),
    (
        "- [a]: /u\n\nc",
        &[
            "ul <- [a]: /u>",
            ".li <- [a]: /u>",
            "..def a=/u <[a]: /u>",
            "p <c>",
        ],
    ),
    ("> [!NOTE]\n> b\n", &["quote <> [!NOTE]\n> b>", ".p <b>"]),
];

#[test]
fn blocks_are_found_with_exact_spans() {
    for (text, expected) in BLOCKS {
        assert_eq!(sketch(text), *expected, "{text:?}");
    }
}

#[test]
fn a_fence_tells_whether_it_is_closed_and_what_is_in_it() {
    // (text, closing, body, indent, info)
    let rows: &[(&str, Option<&str>, &str, usize, &str)] = &[
        ("```rust\na\n```\n", Some("```"), "a\n", 0, "rust"),
        ("```\na\n", None, "a", 0, ""),
        ("```\na\n\n\n", None, "a", 0, ""),
        ("```", None, "", 0, ""),
        ("```\n", None, "", 0, ""),
        ("```\n```", Some("```"), "", 0, ""),
        ("````\n```\n````  \n", Some("````"), "```\n", 0, ""),
        ("```\n~~~\n", None, "~~~", 0, ""),
        ("```\na\n`````", Some("`````"), "a\n", 0, ""),
        ("```\na\n``` x\n", None, "a\n``` x", 0, ""),
        ("```\na\n    ```", None, "a\n    ```", 0, ""),
        ("```\na\n   ```", Some("```"), "a\n", 0, ""),
        ("```\n> ```", None, "> ```", 0, ""),
        (
            "  ~~~ a `b`  \n  x\n ~~~\n",
            Some("~~~"),
            "  x\n",
            2,
            "a `b`",
        ),
        ("> ```\n> a\n> ```\n> b", Some("```"), "> a\n", 1, ""),
        ("> ```\n> a\n\n```\nb\n```", None, "> a", 1, ""),
        ("- ```\n  a\n  ```\n", Some("```"), "  a\n", 1, ""),
        ("- a\n\n  ```\n  a\n  ```", Some("```"), "  a\n", 2, ""),
        ("- ```\n  a\n\nb", None, "  a", 1, ""),
        ("```\r\na\r\n```\r\n", Some("```"), "a\r\n", 0, ""),
        ("```\ra\r```\r", Some("```"), "a\r", 0, ""),
        ("\u{feff}```中\n文\n```", Some("```"), "文\n", 0, "中"),
    ];
    for (text, closing, body, indent, info) in rows {
        let md = analyse(text);
        let fence = md
            .blocks
            .iter()
            .find_map(|block| match &block.kind {
                BlockKind::CodeBlock { fence } => fence.clone(),
                _ => None,
            })
            .unwrap_or_else(|| panic!("no fence in {text:?}"));
        assert_eq!(
            fence.closing.map(|range| &text[range]),
            *closing,
            "{text:?}"
        );
        assert_eq!(&text[fence.body], *body, "{text:?}");
        assert_eq!((fence.indent, &*fence.info), (*indent, *info), "{text:?}");
        let opening = &text[fence.opening];
        assert!(opening.starts_with(&fence.marker.to_string().repeat(fence.length)));
    }
}

#[test]
fn prose_and_verbatim_divide_the_inline_text() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("a **b** c", &["a ", "b", " c"], &[]),
        ("a * b ** c_d [e] f", &["a * b ** c_d [e] f"], &[]),
        ("a &amp; b &lt;", &["a &amp; b &lt;"], &[]),
        ("a\\*b", &["a", "*b"], &[]),
        ("a\nb", &["a", "b"], &[]),
        ("a `b` c", &["a ", " c"], &["`b`"]),
        ("a $b$ c $$d$$", &["a ", " c "], &["$b$", "$$d$$"]),
        ("costs $5 or $6", &["costs $5 or $6"], &[]),
        ("from $20-$30, x", &["from $20-$30, x"], &[]),
        ("**$9** to **$8**", &["$9", " to ", "$8"], &[]),
        ("**$9** to **8$**", &["$9", " to ", "8$"], &[]),
        ("`$a`, **$x$** for $5", &[", ", " for $5"], &["`$a`", "$x$"]),
        ("a <b>c</b>", &["a ", "c"], &["<b>", "</b>"]),
        ("a <!-- x --> b", &["a ", " b"], &["<!-- x -->"]),
        ("[a](/b \"c\") d", &["a", " d"], &["](/b \"c\")"]),
        ("![a](/b)", &["a"], &["](/b)"]),
        ("<https://a.b> c", &[" c"], &["<https://a.b>"]),
        (
            "a https://b.c/d_e_f. g",
            &["a ", ". g"],
            &["https://b.c/d_e_f"],
        ),
        (
            "[https://b.c](https://b.c)",
            &[],
            &["https://b.c](https://b.c)"],
        ),
        ("    a\n", &[], &["a"]),
        (
            "|a|`b`|\n|-|-|\n|c \\| d||\n",
            &["a", "c ", "| d"],
            &["`b`"],
        ),
        ("---\na: b\n---\nc", &["c"], &["---\na: b\n---"]),
        ("- a\n- b", &["a", "b"], &[]),
        ("~~a~~ b", &["a", " b"], &[]),
        ("你好，**世界**！", &["你好，", "世界", "！"], &[]),
    ];
    for (text, prose, verbatim) in rows {
        let md = analyse(text);
        assert_eq!(slices(text, &md.prose), *prose, "{text:?}");
        assert_eq!(slices(text, &md.verbatim), *verbatim, "{text:?}");
        for at in 0..text.len() {
            let inside = md.verbatim.iter().any(|range| range.contains(&at));
            assert_eq!(md.is_verbatim(at), inside, "{text:?} at {at}");
        }
    }
}

#[test]
fn links_are_found_with_text_and_destination() {
    use LinkKind::{Autolink, Bare, Email, Inline, Reference};
    type Found<'a> = (LinkKind, bool, &'a str, &'a str);
    let rows: &[(&str, &[Found<'_>])] = &[
        ("[a](/b)", &[(Inline, false, "a", "/b")]),
        ("[*a* b](</c d> 'e')", &[(Inline, false, "*a* b", "/c d")]),
        ("[](/b)", &[(Inline, false, "", "/b")]),
        ("![a](b.png)", &[(Inline, true, "a", "b.png")]),
        (
            "[![a](b)](c)",
            &[(Inline, false, "![a](b)", "c"), (Inline, true, "a", "b")],
        ),
        (
            "[a][b] [b][] [B]\n\n[b]: /c",
            &[
                (Reference, false, "a", "/c"),
                (Reference, false, "b", "/c"),
                (Reference, false, "B", "/c"),
            ],
        ),
        ("[a][nowhere]", &[]),
        (
            "<https://a.b> <c@d.e>",
            &[
                (Autolink, false, "https://a.b", "https://a.b"),
                (Email, false, "c@d.e", "c@d.e"),
            ],
        ),
        (
            "x http://a.b [c](d)",
            &[
                (Bare, false, "http://a.b", "http://a.b"),
                (Inline, false, "c", "d"),
            ],
        ),
        ("`[a](b)` `http://a.b`", &[]),
        ("\u{feff}[é](ü)", &[(Inline, false, "é", "ü")]),
    ];
    for (text, expected) in rows {
        let md = analyse(text);
        let found: Vec<_> = md
            .links
            .iter()
            .map(|l| (l.kind, l.image, &text[l.text.clone()], &*l.destination))
            .collect();
        assert_eq!(found, *expected, "{text:?}");
    }
}

#[test]
fn comments_are_found_outside_code_only() {
    for (text, expected) in [
        ("a <!-- b --> c", &["<!-- b -->"] as &[&str]),
        (
            "<!-- a\n\nb --> c <!-- d -->\n",
            &["<!-- a\n\nb -->", "<!-- d -->"],
        ),
        (
            "`<!-- a -->`\n\n    <!-- b -->\n\n```\n<!-- c -->\n```\n",
            &[],
        ),
        ("<div><!-- a --></div>\n", &["<!-- a -->"]),
        ("<!-- a\n\nb", &["<!-- a\n\nb"]),
        ("<!-->\nb", &["<!-->"]),
    ] {
        assert_eq!(slices(text, &analyse(text).comments), expected, "{text:?}");
    }
}

#[test]
fn plain_text_reads_as_a_reader_reads() {
    for (text, expected) in [
        ("# A *b*\n\nc\nd  \ne", "A b\nc d e"),
        ("a &amp; b \\* `c` $d$", "a & b * c d"),
        ("- a\n- b\n\n> c", "a\nb\nc"),
        ("|a|b|\n|-|-|\n|c|d|\n", "a\tb\nc\td"),
        ("[a](/b) ![c](d) e<br>f", "a c e f"),
        ("a\n\n```\ncode\n```\n\n<div>x</div>\n\nb", "a\nb"),
        ("`` ` ``", "`"),
    ] {
        let md = analyse(text);
        assert_eq!(md.plain_text(text, 0..text.len()), expected, "{text:?}");
    }
    let text = "one **two** three\n\nfour";
    let md = analyse(text);
    assert_eq!(md.plain_text(text, 6..14), "two th");
    assert_eq!(md.plain_text(text, 9..9), "");
}

#[test]
fn the_last_content_block_is_the_last_thing_shown() {
    for (text, expected) in [
        ("", None),
        ("---\na: b\n---\n", None),
        ("<!-- a -->\n", None),
        ("a\n\n<!-- b -->\n\n[c]: /d\n", Some("a")),
        ("a[^1]\n\n[^1]: b\n", Some("a[^1]")),
        ("a\n\n- b\n- c\n", Some("c")),
        ("a\n\n- b\n- \n", Some("-")),
        ("a\n\n> <!-- b -->\n", Some("a")),
        ("a\n\n<!-- b --> c\n", Some("<!-- b --> c")),
        ("a\n\n## b\n", Some("## b")),
    ] {
        let md = analyse(text);
        let last = md
            .last_content_block()
            .map(|(_, block)| &text[block.span.clone()]);
        assert_eq!(last, expected, "{text:?}");
    }
}

#[test]
fn footnote_references_are_listed() {
    let md = analyse("a[^x] b[^y]\n\n[^x]: c\n");
    let labels: Vec<_> = md.footnotes.iter().map(|f| &*f.label).collect();
    assert_eq!(labels, ["x"]);
}

fn depth(md: &Markdown) -> u32 {
    md.blocks.iter().map(|block| block.depth).max().unwrap_or(0)
}

#[test]
fn nesting_is_bounded_and_the_rest_is_told() {
    for text in [
        ">".repeat(200_000),
        ">".repeat(50_000) + "a\n" + &"a\n".repeat(50_000),
        "- ".repeat(50_000) + "a\n" + &"a\n".repeat(50_000),
        "1.\t".repeat(50_000) + "a\n" + &"\n".repeat(50_000),
        "> [^a]: ".repeat(20_000) + "a\n" + &"a\n".repeat(50_000),
        (0..1_000)
            .map(|i| "  ".repeat(i) + "- a\n")
            .collect::<String>()
            + &"a\n".repeat(50_000),
    ] {
        let md = analyse(&text);
        let opening = &text[..20];
        assert!(depth(&md) <= 220, "{opening:?}: {}", depth(&md));
        assert!(!md.degraded.is_empty(), "{opening:?}");
        assert!(md.degraded.iter().all(|d| d.why == DegradedWhy::Nesting));
    }
}

#[test]
fn tables_with_missing_cells_are_bounded() {
    let table = "|a".repeat(500) + "|\n" + &"|-".repeat(500) + "|\n" + &"b\n".repeat(500) + "\n";
    let text = "# t\n\n".to_owned() + &table.repeat(40);
    let md = analyse(&text);
    let tables = |md: &Markdown| {
        let is_table = |kind: &BlockKind| matches!(kind, BlockKind::Table { .. });
        md.blocks.iter().filter(|b| is_table(&b.kind)).count()
    };
    assert!(tables(&md) <= 1, "{}", tables(&md));
    assert!(md.degraded.len() >= 39);
    assert!(text[md.degraded[1].span.clone()].starts_with("|-|-"));
    let even = "|a|b|\n|-|-|\n".to_owned() + &"|c|d|\n".repeat(20_000);
    assert_eq!(analyse(&even).degraded, []);
}

#[test]
fn deep_text_inside_a_fence_is_not_degraded() {
    let text = format!("```\n{}- a\n```\n", " ".repeat(300));
    assert_eq!(analyse(&text).degraded, []);
}

#[test]
fn ordinary_text_is_not_degraded() {
    let text = "> - 1. > - a\n>   b\n\n| a | b |\n|---|---|\n| c |\n";
    assert_eq!(analyse(text).degraded, []);
}

#[test]
fn many_amounts_in_one_long_line_are_read_in_one_go() {
    // Each was once looked for to the end of its line.
    let text = "$a$1".repeat(100_000);
    let md = analyse(&text);
    assert_eq!(slices(&text, &md.prose), [&*text]);
}

#[test]
fn links_and_bold_beside_prices_are_kept() {
    let text = "From [$5](a?b=$c) to **$6** (50%), see [x](y$z).";
    let md = analyse(text);
    let destinations: Vec<&str> = md.links.iter().map(|link| &*link.destination).collect();
    assert_eq!(destinations, ["a?b=$c", "y$z"]);
    assert_eq!(
        md.plain_text(text, 0..text.len()),
        "From $5 to $6 (50%), see x."
    );
}

#[test]
fn a_fence_with_backticks_after_it_is_one_where_it_is_closed() {
    let text = "````warn header=\"`x`\"\na\n````\n\n# T\n";
    assert_eq!(sketch(text).len(), 2, "{:?}", sketch(text));
    let open = "````warn header=\"`x`\"\na\n\n# T\n";
    assert!(sketch(open).iter().any(|block| block.starts_with("h1")));
}

#[test]
fn conflict_markers_make_no_headings_and_no_quotations() {
    let text = "<<<<<<< HEAD\nWater boils.\n=======\nWater cooks.\n>>>>>>> feature\n";
    let md = analyse(text);
    assert!(
        md.blocks
            .iter()
            .all(|block| block.kind == BlockKind::Paragraph)
    );
}

#[test]
fn crowds_of_markers_are_read_as_text() {
    let text = "**a _b ".repeat(60_000);
    let md = analyse(&text);
    assert!(md.degraded.iter().all(|d| d.why == DegradedWhy::Markers));
    assert_eq!(md.degraded.len(), 1);
    assert_eq!(
        md.plain_text(&text, 0..text.len()).len(),
        text.trim_end().len()
    );
    let fence = format!("```\n{text}\n```\n\n# T\n");
    assert_eq!(sketch(&fence).len(), 2);
}
