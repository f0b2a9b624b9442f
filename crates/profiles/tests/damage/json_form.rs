//! Writes a Markdown lesson as the JSON that generators emit: an introduction
//! and sections, all of them strings.

use redraft_text::markdown;

/// How strings are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escaping {
    /// Only what must be.
    Least,
    /// Everything beyond ASCII, as Python does by default.
    Ascii,
}

/// A lesson in parts.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) title: String,
    pub(crate) intro: String,
    /// Title and content.
    pub(crate) sections: Vec<(String, String)>,
}

/// Cuts a lesson at its headings of the second level.
pub(crate) fn parts(text: &str) -> Parts {
    let analysis = markdown::analyse(text);
    let outline = markdown::outline(&analysis, text);
    let first = outline.iter().find(|entry| entry.level == 1);
    let body = first.map_or(0, |entry| entry.body.start);
    let intro_end = outline
        .iter()
        .find(|entry| entry.level == 2)
        .map_or(text.len(), |entry| entry.extent.start);
    Parts {
        title: first.map(|entry| entry.title.clone()).unwrap_or_default(),
        intro: text[body.min(intro_end)..intro_end].trim().to_owned(),
        sections: outline
            .iter()
            .filter(|entry| entry.level == 2)
            .map(|entry| {
                (
                    entry.title.clone(),
                    text[entry.heading.end..entry.extent.end].trim().to_owned(),
                )
            })
            .collect(),
    }
}

impl Parts {
    /// The file.
    pub(crate) fn write(&self, escaping: Escaping) -> String {
        let string = |text: &str| escape(text, escaping);
        let sections: Vec<String> = self
            .sections
            .iter()
            .map(|(title, content)| {
                format!(
                    "    {{\"title\": {}, \"content\": {}}}",
                    string(title),
                    string(content)
                )
            })
            .collect();
        format!(
            "{{\n  \"title\": {},\n  \"intro\": {},\n  \"sections\": [\n{}\n  ]\n}}\n",
            string(&self.title),
            string(&self.intro),
            sections.join(",\n")
        )
    }
}

fn escape(text: &str, escaping: Escaping) -> String {
    let least = serde_json::to_string(text).expect("a string is JSON");
    if escaping == Escaping::Least {
        return least;
    }
    let mut ascii = String::new();
    for c in least.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                ascii.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    ascii
}
