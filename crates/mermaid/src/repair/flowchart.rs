//! Repairs of flowcharts: links, titles of subgraphs, `end`, styles and names.
//! Labels are in `labels.rs`.

use std::ops::Range;

use super::super::differences::{empty_label, spaces_in_chain};
use super::super::draft::{Change, Edit};
use super::super::flow_scan::{Form, Token, scan};
use super::super::kept::Keeps;
use super::Repair::Proposals;
use super::Step;
use super::labels::{self, Need};
use super::text::{Block, Pattern, Rule, balance, body, by_rules, whole_line};

pub(super) static STEPS: &[Step] = &[
    Step::everywhere(
        "invalid arrow in a flowchart; use `-->`",
        Proposals(fix_links),
    ),
    Step::everywhere("a space is not allowed here", Proposals(close_gaps)),
    Step::everywhere(
        "a label with brackets or quotes must be in double quotes",
        Proposals(labels::quote_labels),
    ),
    Step::where_needed(
        "the title of a subgraph must be in double quotes",
        Proposals(quote_titles),
    )
    .keeping(Keeps::Repeats),
    Step::everywhere(
        "`subgraph` and `end` do not match",
        Proposals(balance_subgraphs),
    ),
    Step::everywhere(
        "`end` is a reserved word and cannot be the name of a node",
        Proposals(rename_end),
    ),
    Step::where_needed("invalid style", Proposals(fix_styles)).keeping(Keeps::Drawing),
    Step::everywhere("the name of a node must be one word", Proposals(join_names))
        .keeping(Keeps::Repeats),
    Step::where_needed("misspelt shape name", Proposals(spell_shapes)).keeping(Keeps::Drawing),
];

/// If guesses are allowed.
pub(super) static GUESSES: &[Step] = &[
    Step::everywhere(
        "an arrow points left; Mermaid allows only arrows to the right",
        Proposals(turn_links),
    ),
    // Its text may be lost.
    Step::everywhere("a label is empty", Proposals(fill_labels)),
    Step::where_needed("unknown shape", Proposals(fix_shapes)),
    // Such a line colours nothing, but it may be the link that is missing.
    Step::where_needed(
        "`linkStyle` refers to a link that does not exist",
        Proposals(drop_link_styles),
    ),
];

fn fix_links(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for (_, tokens) in chains(text) {
        let mut first_half = "";
        for token in tokens {
            match token {
                Token::Link(range) => {
                    let link = &text[range.clone()];
                    // The second half of `-- text -->` goes with the first.
                    let repaired = match (first_half, fixed_link(link)) {
                        ("--", Some(_)) => Some("-->".to_owned()),
                        ("==", Some(_)) => Some("==>".to_owned()),
                        ("-.", Some(_)) => Some(".->".to_owned()),
                        (_, repaired) => repaired,
                    };
                    first_half = "";
                    if matches!(link, "--" | "==" | "-.") {
                        first_half = link;
                    }
                    if let Some(link) = repaired {
                        changes.push(Change::replace(range, link));
                    }
                }
                Token::Between(_) => {}
                Token::Node(_) | Token::Label(_) | Token::Bars(_) => first_half = "",
            }
        }
    }
    changes
}

/// `A <-- B` becomes `B --> A`, where the line is nothing else.
fn turn_links(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for (range, tokens) in chains(text) {
        let mut links = tokens.iter().filter_map(|token| match token {
            Token::Link(link) => Some(link.clone()),
            _ => None,
        });
        let (Some(link), None) = (links.next(), links.next()) else {
            continue;
        };
        let is_simple = tokens
            .iter()
            .all(|token| !matches!(token, Token::Bars(_) | Token::Between(_)));
        let (left, right) = (
            text[range.start..link.start].trim(),
            text[link.end..range.end].trim_end_matches(';').trim(),
        );
        if is_simple
            && matches!(&text[link], "<-" | "<--" | "<---")
            && !left.is_empty()
            && !right.is_empty()
        {
            changes.push(Change::replace(
                range.clone(),
                format!("{right} --> {left}"),
            ));
        }
    }
    changes
}

/// The valid form of an invalid link.
fn fixed_link(link: &str) -> Option<String> {
    let right = match link {
        "->" | "→" | "⟶" | "➔" | "->>" | "-->>" | "-- >" | "--&gt;" | "-&gt;" | "-&gt;&gt;"
        | "--&gt;&gt;" => "-->",
        "=>" | "⇒" | "=>>" | "==>>" | "=&gt;" | "==&gt;" => "==>",
        "<->" => "<-->",
        "-.>" | "..>" | ".->" | "-.->>" => "-.->",
        _ if link.ends_with('>') && link.starts_with(['—', '–']) => "-->",
        _ if link.ends_with(">>") => return Some(link[..link.len() - 1].to_owned()),
        _ => return None,
    };
    Some(right.to_owned())
}

/// Spaces before a bracket, a second space after the label of a link, and
/// extra spaces in `class` and similar statements.
fn close_gaps(text: &str) -> Vec<Change> {
    let mut changes = by_rules(text, &GAPS);
    for (_, tokens) in chains(text) {
        for pair in tokens.windows(2) {
            if let Some(gap) = spaces_in_chain(text, pair) {
                let space = if matches!(pair[0], Token::Bars(_)) {
                    " "
                } else {
                    ""
                };
                changes.push(Change::replace(gap, space));
            }
        }
    }
    changes
}

static GAPS: [Rule; 5] = [
    Rule::new(
        r"^[ \t]*(?:style|classDef|class|linkStyle)([ \t]{2,})\S",
        &[(1, " ")],
    ),
    Rule::new(r"^[ \t]*class[ \t]+\S.*[^\s;]([ \t]+;?)$", &[(1, "")]),
    Rule::new(r"^[ \t]*class[ \t]+[^,\s]+,([ \t]+)\S", &[(1, "")]),
    Rule::new(r"^[ \t]*linkStyle[ \t].*#\w+([ \t]*;)[ \t]*$", &[(1, "")]),
    Rule::new(r"\S([ \t]+):::([ \t]*)\w", &[(1, ""), (2, "")]),
];

/// An empty label is a space to Mermaid.
fn fill_labels(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for (_, tokens) in chains(text) {
        changes.extend(empty_label(text, &tokens).map(|range| Change::replace(range, "\" \"")));
    }
    changes
}

fn quote_titles(text: &str) -> Vec<Change> {
    let lines = scan(text);
    let mut changes = Vec::new();
    for line in &lines {
        let Form::Subgraph(title) = &line.form else {
            continue;
        };
        let raw = &text[title.clone()];
        let mut edits = Vec::new();
        if let (Some(open), Some(close)) = (raw.find('['), raw.rfind(']'))
            && open < close
            && close + 1 == raw.len()
        {
            // `subgraph id [title]`
            labels::quote(
                text,
                title.start + open + 1..title.start + close,
                Need::IfStructural,
                &mut edits,
            );
        } else {
            let first = raw.split_whitespace().next().unwrap_or_default();
            let is_name = !first.is_empty()
                && first.len() < raw.len()
                && first.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_name && is_linked(text, &lines, first) {
                // The name is used elsewhere and must stay.
                let safe = raw.replace('"', "#quot;");
                let text = format!("[\"{safe}\"]");
                edits.push(Edit {
                    range: title.start + first.len()..title.end,
                    text,
                });
            } else {
                labels::quote(text, title.clone(), Need::Always, &mut edits);
            }
        }
        if !edits.is_empty() {
            changes.push(Change { edits });
        }
    }
    changes
}

fn is_linked(text: &str, lines: &[super::super::flow_scan::Line], name: &str) -> bool {
    lines.iter().any(|line| match &line.form {
        Form::Chain(tokens) => tokens
            .iter()
            .any(|token| matches!(token, Token::Node(range) if &text[range.clone()] == name)),
        _ => false,
    })
}

pub(super) fn balance_subgraphs(text: &str) -> Vec<Change> {
    balance(text, "end", |line| {
        if line.starts_with("subgraph") && !line[8..].starts_with(|c: char| c.is_alphanumeric()) {
            Block::Opens
        } else if line.trim_end_matches(';').trim_end() == "end" {
            Block::Closes
        } else {
            Block::Nothing
        }
    })
}

static ENDS: [Rule; 1] = [Rule::new(
    r"^[ \t]*(?:style|click|class)[ \t]+(end)(?:[ \t,]|$)",
    &[(1, "End")],
)];

fn rename_end(text: &str) -> Vec<Change> {
    let mut changes = by_rules(text, &ENDS);
    for (_, tokens) in chains(text) {
        for token in tokens {
            if let Token::Node(range) = token
                && &text[range.clone()] == "end"
            {
                changes.push(Change::replace(range, "End"));
            }
        }
    }
    changes
}

/// `rgb(255, 0, 0)` in a style is `#ff0000`.
fn colours(text: &str) -> Vec<Change> {
    let Some(regex) = RGB.get() else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    for line in body(text) {
        let content = &text[line.clone()];
        let word = content.trim_start().split(' ').next().unwrap_or_default();
        if !matches!(word, "style" | "classDef" | "linkStyle") {
            continue;
        }
        for found in regex.captures_iter(content) {
            let channel = |group: usize| found.get(group)?.as_str().parse::<u8>().ok();
            if let (Some(whole), Some(red), Some(green), Some(blue)) =
                (found.get(0), channel(1), channel(2), channel(3))
            {
                let opacity = found
                    .get(4)
                    .and_then(|alpha| alpha.as_str().parse::<f64>().ok());
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the value lies between 0 and 255"
                )]
                let opacity = opacity.map_or(String::new(), |alpha| {
                    format!("{:02x}", (alpha.clamp(0.0, 1.0) * 255.0).round() as u8)
                });
                let colour = format!("#{red:02x}{green:02x}{blue:02x}{opacity}");
                let range = line.start + whole.start()..line.start + whole.end();
                changes.push(Change::replace(range, colour));
            }
        }
    }
    changes
}

static RGB: Pattern = Pattern::new(
    r"rgba?\([ \t]*(\d+)[ \t]*,[ \t]*(\d+)[ \t]*,[ \t]*(\d+)[ \t]*(?:,[ \t]*(\d*\.?\d+)[ \t]*)?\)",
);

static STYLES: [Rule; 7] = [
    Rule::new(
        r"^[ \t]*(?:style|classDef|linkStyle)[ \t]+\S+[ \t].*?\b[a-z-]+[ \t]*(=)[ \t]*\S",
        &[(1, ":")],
    ),
    Rule::new(
        r"^[ \t]*(?:style|classDef|linkStyle)[ \t]+\S+[ \t].*?(;)[ \t]*[a-z-]+[ \t]*:",
        &[(1, ",")],
    ),
    Rule::new(
        r"#[0-9a-fA-F]{3,8}(;)[ \t]*(?:style|classDef|class|linkStyle|click)\b",
        &[(1, "\n")],
    ),
    Rule::new(
        r"^[ \t]*(?:style|classDef)[ \t]+\S+[ \t]*(\{)(.*)(\})[ \t]*;?$",
        &[(1, " "), (3, "")],
    ),
    Rule::new(
        r"^[ \t]*(?:style|classDef|linkStyle)[ \t].*[^,\s]([ \t]*,[ \t]*;?[ \t]*)$",
        &[(1, "")],
    ),
    Rule::new(
        r"^[ \t]*(?:style|classDef|linkStyle)[ \t].*#\w+([ \t]*;[ \t]*)$",
        &[(1, "")],
    ),
    Rule::new(
        r#"^[ \t]*(?:style|classDef)[ \t].*font-family[ \t]*:[ \t]*(")[\w -]+(")"#,
        &[(1, ""), (2, "")],
    ),
];

fn fix_styles(text: &str) -> Vec<Change> {
    let mut changes = by_rules(text, &STYLES);
    changes.extend(colours(text));
    // The header's own line may hold statements too.
    if let Some(header) = super::super::kind::header(text) {
        let start = header.line.start;
        let line = text[start..].lines().next().unwrap_or_default();
        if let Some(regex) = STYLES[2].pattern.get() {
            changes.extend(regex.captures_iter(line).filter_map(|found| {
                let at = found.get(1)?;
                Some(Change::replace(start + at.start()..start + at.end(), "\n"))
            }));
        }
    }
    changes
}

/// `User input --> Check it`: names of several words become one, and the words
/// become the label.
fn join_names(text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    for (_, tokens) in chains(text) {
        if !tokens.iter().any(|token| matches!(token, Token::Link(_))) {
            continue;
        }
        let mut index = 0;
        while index < tokens.len() {
            let Token::Node(first) = &tokens[index] else {
                index += 1;
                continue;
            };
            let mut run = first.clone();
            index += 1;
            while let Some(Token::Node(next)) = tokens.get(index)
                && text[run.end..next.start]
                    .chars()
                    .all(|c| matches!(c, ' ' | '\t'))
            {
                run.end = next.end;
                index += 1;
            }
            if is_text_of_a_link(text, &tokens, &run, index) {
                continue;
            }
            let labelled = matches!(tokens.get(index), Some(Token::Label(label)) if label.open.start == run.end);
            changes.extend(joined(text, run, labelled));
        }
    }
    changes
}

/// `A ---- "No" --> B`: words in quotes between a line without a head and an arrow are the
/// text of the link rather than a node.
fn is_text_of_a_link(text: &str, tokens: &[Token], run: &Range<usize>, after: usize) -> bool {
    let arrow_follows = matches!(tokens.get(after), Some(Token::Link(_)));
    let line_precedes = tokens.iter().any(|token| match token {
        Token::Link(link) => {
            link.end <= run.start
                && text[link.end..run.start].trim().is_empty()
                && text[link.clone()]
                    .chars()
                    .all(|c| matches!(c, '-' | '=' | '.'))
        }
        _ => false,
    });
    text[run.clone()].starts_with(['"', '“']) && line_precedes && arrow_follows
}

fn joined(text: &str, run: Range<usize>, labelled: bool) -> Option<Change> {
    let words = &text[run.clone()];
    let plain = words.trim_matches(['"', '\'', '“', '”']);
    if (words == plain && !words.contains([' ', '\t'])) || plain.is_empty() {
        return None;
    }
    let name: String = plain
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let text = if labelled {
        name
    } else {
        format!("{name}[\"{}\"]", plain.replace('"', "#quot;"))
    };
    Some(Change::replace(run, text))
}

static SHAPES: [Rule; 1] = [Rule::new(
    r#"@\{[^}\n]*\bshape[ \t]*:[ \t]*"?([\w-]+)"#,
    &[(1, "rect")],
)];

/// An unknown shape becomes a box.
fn fix_shapes(text: &str) -> Vec<Change> {
    by_rules(text, &SHAPES)
}

/// Shapes in capitals, with other signs between their words, or by the names
/// that Mermaid has for them inside.
fn spell_shapes(text: &str) -> Vec<Change> {
    let Some(regex) = SHAPES[0].pattern.get() else {
        return Vec::new();
    };
    let squash = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let mut changes = Vec::new();
    for line in body(text) {
        for found in regex.captures_iter(&text[line.clone()]) {
            let Some(name) = found.get(1) else {
                continue;
            };
            let squashed = squash(name.as_str());
            let inside = INSIDE.iter().find(|(inside, _)| *inside == squashed);
            let right = inside.map(|(_, right)| *right).or_else(|| {
                let mut known = KNOWN_SHAPES.split(' ');
                known.find(|known| squash(known) == squashed)
            });
            if let Some(right) = right.filter(|right| *right != name.as_str()) {
                let range = line.start + name.start()..line.start + name.end();
                changes.push(Change::replace(range, right));
            }
        }
    }
    changes
}

/// Mermaid's own names for shapes, which no author may use.
const INSIDE: [(&str, &str); 6] = [
    ("squarerect", "rect"),
    ("roundedrect", "rounded"),
    ("statestart", "start"),
    ("stateend", "stop"),
    ("forkjoin", "fork"),
    ("rectleftinvarrow", "odd"),
];

/// The shapes of mermaid 11.
const KNOWN_SHAPES: &str = "rect proc process rectangle rounded event stadium terminal pill fr-rect subprocess subproc \
    framed-rectangle subroutine cyl db database cylinder datastore data-store folder directory bucket console browser \
    person circle circ bang cloud diam decision diamond question hex hexagon prepare lean-r lean-right in-out lean-l \
    lean-left out-in trap-b priority trapezoid-bottom trapezoid trap-t manual trapezoid-top inv-trapezoid dbl-circ \
    double-circle text notch-rect card notched-rectangle lin-rect lined-rectangle lined-process lin-proc \
    shaded-process sm-circ start small-circle fr-circ stop framed-circle fork join hourglass collate brace comment \
    brace-l brace-r braces bolt com-link lightning-bolt doc document delay half-rounded-rectangle h-cyl das \
    horizontal-cylinder lin-cyl disk lined-cylinder curv-trap curved-trapezoid display div-rect div-proc \
    divided-rectangle divided-process tri extract triangle win-pane internal-storage window-pane f-circ junction \
    filled-circle notch-pent loop-limit notched-pentagon flip-tri manual-file flipped-triangle sl-rect manual-input \
    sloped-rectangle docs documents st-doc stacked-document st-rect procs processes stacked-rectangle bow-rect \
    stored-data bow-tie-rectangle cross-circ summary crossed-circle tag-doc tagged-document tag-rect \
    tagged-rectangle tag-proc tagged-process flag paper-tape odd lin-doc lined-document";

fn drop_link_styles(text: &str) -> Vec<Change> {
    body(text)
        .filter(|line| text[line.clone()].trim_start().starts_with("linkStyle"))
        .map(|line| Change::delete(whole_line(text, &line)))
        .collect()
}

fn chains(text: &str) -> impl Iterator<Item = (Range<usize>, Vec<Token>)> {
    scan(text).into_iter().filter_map(|line| match line.form {
        Form::Chain(tokens) => Some((line.range, tokens)),
        _ => None,
    })
}
