//! Measures the Markdown analysis on hostile input: nanoseconds per byte at one,
//! two, four and eight times the size. The cost is linear where a row stays
//! level; up to some megabytes it rises with the cost of fresh memory. Run it in
//! a release build:
//!
//! `cargo run --release -p redraft-text --example hostile_markdown [-- FILTER [BYTES]]`

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "a measurement needs a clock, arguments and a terminal; the crate itself has none"
)]

use redraft_text::markdown::analyse;
use std::fmt::Write as _;
use std::time::Instant;

/// The size of a case at one time, in bytes, unless another is given.
const BASE: usize = 250_000;

type Case = (&'static str, fn(usize) -> String);

fn main() {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let base = std::env::args().nth(2).and_then(|size| size.parse().ok());
    let base = base.unwrap_or(BASE);
    println!(
        "{:32} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "ns/byte", "1x", "2x", "4x", "8x", "degraded"
    );
    for (name, make) in CASES {
        if !name.contains(&filter) {
            continue;
        }
        let mut row = format!("{name:32}");
        let mut degraded = 0;
        for times in [1, 2, 4, 8] {
            let text = make(base * times);
            let (cost, count) = measure(&text);
            let _ = write!(row, " {cost:>8.1}");
            degraded = count;
        }
        println!("{row} {degraded:>9}");
    }
}

/// The better of two runs, in nanoseconds per byte, and the number of stretches
/// that were not analysed.
fn measure(text: &str) -> (f64, usize) {
    let mut best = f64::INFINITY;
    let mut degraded = 0;
    for _ in 0..2 {
        let start = Instant::now();
        let md = analyse(text);
        let cost = start.elapsed().as_secs_f64() * 1e9 / text.len() as f64;
        best = best.min(cost);
        degraded = md.degraded.len();
    }
    (best, degraded)
}

fn fill(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

fn growing(size: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut index = 0;
    while text.len() < size {
        text += &piece(index);
        index += 1;
    }
    text
}

const CASES: &[Case] = &[
    ("quotes on one line", |n| fill(">", n)),
    ("quotes, then lazy lines", |n| {
        fill(">", n / 2) + "a\n" + &fill("a\n", n / 2)
    }),
    ("200 quotes, then lazy lines", |n| {
        ">".repeat(200) + "a\n" + &fill("a\n", n)
    }),
    ("quotes, deeper each line", |n| {
        growing(n, |i| ">".repeat(i) + "a\n")
    }),
    ("items on one line", |n| fill("- ", n)),
    ("items, then lazy lines", |n| {
        fill("- ", n / 2) + "a\n" + &fill("a\n", n / 2)
    }),
    ("items, then blank lines", |n| {
        fill("- ", n / 2) + "a\n" + &fill("\n", n / 2)
    }),
    ("items, then definitions", |n| {
        fill("- ", n / 2) + "a\n" + &fill("[a]: b\n", n / 2)
    }),
    ("items, deeper each line", |n| {
        growing(n, |i| "  ".repeat(i) + "- a\n")
    }),
    ("deeper items, then lazy lines", |n| {
        growing(n / 2, |i| "  ".repeat(i) + "- a\n") + &fill("a\n", n / 2)
    }),
    ("deeper items, then blank lines", |n| {
        growing(n / 2, |i| "  ".repeat(i) + "- a\n") + &fill("\n", n / 2)
    }),
    ("numbers on one line", |n| fill("1. ", n)),
    ("items with tabs", |n| {
        fill("-\t", n / 2) + "a\n" + &fill("a\n", n / 2)
    }),
    ("empty items", |n| fill("-\n\n", n)),
    ("empty items, indented", |n| fill("-\n\n -\n\n  -\n\n", n)),
    ("quotes and notes, then lazy", |n| {
        fill("> [^a]: ", n / 2) + "a\n" + &fill("a\n", n / 2)
    }),
    ("quotes and lists in turn", |n| fill("> a\n- b\n", n)),
    ("[", |n| fill("[", n)),
    ("[a", |n| fill("[a", n)),
    ("[ then ]", |n| fill("[", n / 2) + &fill("]", n / 2)),
    ("[a](", |n| fill("[a](", n)),
    ("[a](<b", |n| fill("[a](<b", n)),
    ("[a](b \"", |n| fill("[a](b \"", n)),
    ("[a][", |n| fill("[a][", n)),
    ("[a]((((", |n| fill("[a]((((((((((", n)),
    ("[^a]", |n| fill("[^a]", n)),
    ("![", |n| fill("![", n)),
    ("![[]()", |n| fill("![[]()", n)),
    ("nested links", |n| {
        "[".repeat(n / 5) + &"](a)".repeat(n / 5)
    }),
    ("nested images", |n| {
        "![".repeat(n / 6) + &"](a)".repeat(n / 6)
    }),
    ("links", |n| fill("[a](b) ", n)),
    ("*a ", |n| fill("*a ", n)),
    ("a*", |n| fill("a*", n)),
    ("*a_ ", |n| fill("*a_ ", n)),
    ("a**b, then c*", |n| {
        fill("a**b", n / 2) + &fill("c* ", n / 2)
    }),
    ("***bold", |n| fill("***bold", n)),
    ("***bold nested", |n| {
        fill("***bold ", n / 2) + &fill(" x***", n / 2)
    }),
    ("*a _b ~~c", |n| fill("*a _b ~~c __d **e ", n)),
    ("backticks, longer each time", |n| {
        growing(n, |i| "`".repeat(i + 1) + "a")
    }),
    ("backticks, longer each line", |n| {
        growing(n, |i| "a".to_owned() + &"`".repeat(i + 1) + "\n")
    }),
    ("`a``", |n| fill("`a``", n)),
    ("<!--", |n| fill("<!--", n)),
    ("a<!--", |n| fill("a<!--", n)),
    ("<!-- --> in a block", |n| {
        "<div>".to_owned() + &fill("<!---->", n)
    }),
    ("<!-- lines", |n| fill("<!--\n-->\n", n)),
    ("a<?", |n| fill("a<?", n)),
    ("a<![CDATA[", |n| fill("a<![CDATA[", n)),
    ("<a ", |n| fill("<a ", n)),
    ("x <a b=\"", |n| fill("x <a b=\"", n)),
    ("<a b=' lines", |n| fill("<a b='\n", n)),
    ("<", |n| fill("<", n)),
    ("wide table", |n| {
        fill("|a", n / 3) + "|\n" + &fill("|-", n / 3) + "|\n" + &fill("|b", n / 3) + "|\n"
    }),
    ("long table", |n| {
        "|a|b|\n|-|-|\n".to_owned() + &fill("|c|d|\n", n)
    }),
    ("wide table, narrow rows", |n| {
        fill("|a", n / 3) + "|\n" + &fill("|-", n / 3) + "|\n" + &fill("|b|\n", n / 3)
    }),
    ("many tables, narrow rows", |n| {
        let table =
            "|a".repeat(512) + "|\n" + &"|-".repeat(512) + "|\n" + &"b\n".repeat(512) + "\n";
        fill(&table, n)
    }),
    ("delimiter rows", |n| fill("|-|-|\n", n)),
    ("one long line", |n| fill("a ", n)),
    ("headings", |n| fill("# x\n", n)),
    ("underlined headings", |n| fill("a\n=\n", n)),
    ("definitions and uses", |n| {
        growing(n / 2, |i| format!("[a{i}]: /u\n")) + "\n" + &growing(n / 2, |i| format!("[a{i}] "))
    }),
    ("one definition, many uses", |n| {
        fill("[a]: /u\n", n / 2) + "\n" + &fill("[a] ", n / 2)
    }),
    ("long definition, many uses", |n| {
        format!("[a]: /&amp;{}\n\n", fill("u", n / 2)) + &fill("[a] ", n / 2)
    }),
    ("[a]: b (", |n| fill("[a]: b (\n", n)),
    ("notes", |n| growing(n, |i| format!("[^a{i}]: x\n"))),
    ("$", |n| fill("$", n)),
    ("$a ", |n| fill("$a ", n)),
    ("$a$1", |n| fill("$a$1", n)),
    ("$$a", |n| fill("$$a", n)),
    ("${a", |n| fill("${a", n)),
    ("\\", |n| fill("\\", n)),
    ("\\*", |n| fill("\\*", n)),
    ("&", |n| fill("&", n)),
    ("&amp;", |n| fill("&amp;", n)),
    ("fences", |n| fill("~~~\n", n)),
    ("blank lines", |n| fill("\n", n)),
    ("spaces", |n| fill(" ", n)),
    ("carriage returns", |n| fill("a\r", n)),
    ("NUL", |n| fill("\0", n)),
    ("urls", |n| fill("http://a.b ", n)),
    ("url, long tail", |n| {
        fill("http://a", n / 2) + &fill(")", n / 2)
    }),
    ("open front matter", |n| {
        "---\na: b\n".to_owned() + &fill("c\n", n)
    }),
];
