//! Short teaching texts of our own in more than twenty languages, four topics each
//! (`corpus.txt`), and lessons composed of them.

use std::fmt::Write as _;

/// One topic in one language.
pub(crate) struct Topic {
    pub title: &'static str,
    pub paragraph: &'static str,
    pub items: Vec<&'static str>,
}

pub(crate) struct Base {
    pub language: &'static str,
    pub topics: Vec<Topic>,
}

pub(crate) fn bases() -> Vec<Base> {
    let mut bases: Vec<Base> = Vec::new();
    let mut title = "";
    let mut paragraph = "";
    for line in include_str!("corpus.txt").lines() {
        if let Some(language) = line.strip_prefix('@') {
            let topics = Vec::new();
            bases.push(Base { language, topics });
        } else if let Some(heading) = line.strip_prefix("# ") {
            title = heading;
        } else if let Some(items) = line.strip_prefix("- ") {
            let items = items.split([';', '；', '؛']).map(str::trim).collect();
            bases.last_mut().unwrap().topics.push(Topic {
                title,
                paragraph,
                items,
            });
        } else {
            paragraph = line;
        }
    }
    bases
}

impl Base {
    /// A lesson of several sections of plain prose.
    pub(crate) fn lesson(&self) -> String {
        let mut text = format!("# {}\n", self.topics[0].title);
        for topic in &self.topics {
            let _ = write!(text, "\n## {}\n\n{}\n", topic.title, topic.paragraph);
            text.push('\n');
            for item in &topic.items {
                let _ = writeln!(text, "- {item}");
            }
        }
        text
    }
}

/// The kinds of markup that a lesson may be put into.
pub(crate) const STYLES: usize = 10;

impl Base {
    /// A good lesson with markup of one kind: lists, prices, mathematics, code …
    pub(crate) fn styled(&self, style: usize) -> String {
        let topic = |index: usize| &self.topics[(style + index) % self.topics.len()];
        let (a, b) = (topic(0), topic(1));
        let (ai, bi) = (&a.items, &b.items);
        let body = match style {
            0 => format!(
                "**{}**: *{}*, `{}`.\n\n1. {}\n2. {}\n",
                ai[0], ai[1], ai[2], bi[0], bi[1]
            ),
            1 => format!(
                "- {}: **$100** → **$80**\n- {}: 5 € / 7 £\n- {}: $5 – $7\n",
                ai[0], ai[1], ai[2]
            ),
            2 => format!(
                "$E = mc^2$ ({}), $x_1 < x_2$.\n\n$$\n\\frac{{a}}{{b}} = 2\n$$\n\n- {}\n- {}\n",
                ai[0], bi[0], bi[1]
            ),
            3 => format!("> {}\n\n{} 🌵 👩‍🔬 👍🏽 {} ❤️\n", b.paragraph, ai[0], ai[1]),
            4 => format!(
                "```python\nprint(\"{}\")  # {}\n```\n\n- `{}`\n- {}\n",
                ai[0], ai[1], ai[2], bi[0]
            ),
            5 => format!(
                "| {} | {} |\n|---|---|\n| **{}** | {} |\n| {} | 12 % |\n",
                ai[0], ai[1], ai[2], bi[0], bi[1]
            ),
            6 => format!(
                "[{}](https://example.org/{}) · ![{}](a.png)\n\n- [ ] {}\n- [x] {}\n",
                ai[0], style, ai[1], bi[0], bi[1]
            ),
            7 => format!(
                "{}[^1]\n\n[^1]: {}\n\n* * *\n\n***{}*** ~~{}~~\n",
                b.paragraph, ai[0], ai[1], ai[2]
            ),
            8 => format!(
                "“{}”, «{}», 「{}」, (α, β, Δx, 5 kΩ, 20 °C, ½)\n",
                ai[0], ai[1], ai[2]
            ),
            _ => format!(
                "### {}\n\n{}\n\n- {}\n  - {}\n    - {}\n",
                b.title, b.paragraph, ai[0], ai[1], bi[0]
            ),
        };
        format!(
            "# {}\n\n{}\n\n## {}\n\n{body}\n## {}\n\n{}\n",
            a.title, a.paragraph, ai[0], b.title, b.paragraph
        )
    }
}
