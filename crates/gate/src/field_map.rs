//! JSON of a user's own shape, read by a map from its fields to ours.
//!
//! A path names members with a dot between them, and `[]` stands for every entry of a list:
//! `data.questions[]`. The tree is put together again under our names; its texts keep their
//! places, so that edits are made in the user's own file and shape.

mod guess;

use std::fmt;
use std::ops::Range;

use redraft_text::json::{Builder, Json, Node};

pub use guess::{Proposal, propose};

/// A way through a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    written: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Member(String),
    EachEntry,
}

impl FieldPath {
    /// Reads a path; `None` if it is not one.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let mut steps = Vec::new();
        for part in written.split('.').filter(|part| !part.is_empty()) {
            let name = part.trim_end_matches("[]");
            if name.contains(['[', ']']) {
                return None;
            }
            if !name.is_empty() {
                steps.push(Step::Member(name.trim().to_owned()));
            }
            let lists = (part.len() - name.len()) / 2;
            steps.extend(std::iter::repeat_n(Step::EachEntry, lists));
        }
        let has_gap = written.contains("..") || written.ends_with('.');
        (!steps.is_empty() && !has_gap).then(|| Self {
            written: written.to_owned(),
            steps,
        })
    }

    fn all<'a>(&self, from: Node<'a>) -> Vec<Node<'a>> {
        let mut found = vec![from];
        for step in &self.steps {
            found = match step {
                Step::Member(name) => found.iter().filter_map(|node| node.get(name)).collect(),
                Step::EachEntry => found.iter().flat_map(|node| node.items()).collect(),
            };
        }
        found
    }

    fn first<'a>(&self, from: Node<'a>) -> Option<Node<'a>> {
        self.all(from).into_iter().next()
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// A map from the fields of a shape to ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMap {
    /// Its name in the configuration.
    pub name: String,
    pub content: MappedContent,
    /// Whether it is applied to one item instead of the whole file.
    pub is_item: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappedContent {
    Items {
        /// Where the items are; `None` where each value of the file is one.
        items: Option<FieldPath>,
        stem: FieldPath,
        options: FieldPath,
        /// Further fields of an item under our names.
        fields: Vec<(&'static str, FieldPath)>,
        /// Fields of an option under our names, where options are objects.
        option_fields: Vec<(&'static str, FieldPath)>,
    },
    Lesson {
        sections: FieldPath,
        /// Fields of a section under our names.
        section_fields: Vec<(&'static str, FieldPath)>,
        /// Fields of the lesson under our names.
        fields: Vec<(&'static str, FieldPath)>,
    },
}

/// Why a map does not fit: nothing is where this path leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    pub path: String,
}

impl FieldMap {
    /// The same map for one item of a bank.
    #[must_use]
    pub fn for_item(&self) -> Self {
        Self {
            is_item: true,
            ..self.clone()
        }
    }

    /// The value under our names.
    ///
    /// # Errors
    /// If nothing is where the map says that the content is.
    pub fn apply(&self, json: &Json) -> Result<Json, Unfit> {
        let root = json.root().ok_or_else(|| Unfit {
            path: "the value".to_owned(),
        })?;
        let mut builder = Builder::default();
        match &self.content {
            MappedContent::Items { items, .. } => {
                let list = match items {
                    Some(path) if !self.is_item => path.all(root),
                    _ => vec![root],
                };
                let fits = |item: &Node<'_>| self.content.is_item(*item);
                if !list.iter().any(fits) {
                    return Err(self.unfit(&list));
                }
                if items.is_some() && !self.is_item {
                    builder.list("", root.span().start);
                    list.iter().for_each(|item| self.item(&mut builder, *item));
                    builder.close(root.span().end);
                } else {
                    list.iter().for_each(|item| self.item(&mut builder, *item));
                }
            }
            MappedContent::Lesson {
                sections,
                section_fields,
                fields,
            } => {
                let list = sections.all(root);
                let (Some(first), Some(last)) = (list.first(), list.last()) else {
                    return Err(Unfit {
                        path: sections.to_string(),
                    });
                };
                builder.object("", root.span().start);
                let place = first.span().start..last.span().end;
                let inner = |builder: &mut Builder| {
                    builder.list("sections", place.start);
                    for section in &list {
                        builder.object("", section.span().start);
                        in_order(builder, *section, section_fields);
                        builder.close(section.span().end);
                    }
                    builder.close(place.end);
                };
                around(&mut builder, root, fields, &place, inner);
                builder.close(root.span().end);
            }
        }
        Ok(builder.finish(json.end))
    }

    fn item(&self, builder: &mut Builder, item: Node<'_>) {
        let MappedContent::Items {
            stem,
            options,
            fields,
            option_fields,
            ..
        } = &self.content
        else {
            return;
        };
        let list = options.all(item);
        builder.object("", item.span().start);
        let mut fields = fields.clone();
        fields.push(("stem", stem.clone()));
        let place = match (list.first(), list.last()) {
            (Some(first), Some(last)) => first.span().start..last.span().end,
            _ => item.span().end..item.span().end,
        };
        let inner = |builder: &mut Builder| {
            builder.list("options", place.start);
            for option in &list {
                if option_fields.is_empty() {
                    builder.copy("", *option);
                } else {
                    builder.object("", option.span().start);
                    in_order(builder, *option, option_fields);
                    builder.close(option.span().end);
                }
            }
            builder.close(place.end);
        };
        around(builder, item, &fields, &place, inner);
        builder.close(item.span().end);
    }

    fn unfit(&self, list: &[Node<'_>]) -> Unfit {
        let path = match &self.content {
            MappedContent::Items {
                items: Some(items), ..
            } if list.is_empty() => items.to_string(),
            MappedContent::Items { stem, options, .. } => {
                let has_stem = list.iter().any(|item| stem.first(*item).is_some());
                if has_stem { options } else { stem }.to_string()
            }
            MappedContent::Lesson { sections, .. } => sections.to_string(),
        };
        Unfit { path }
    }
}

impl MappedContent {
    fn is_item(&self, node: Node<'_>) -> bool {
        match self {
            Self::Items { stem, options, .. } => {
                stem.first(node).is_some() && options.first(node).is_some()
            }
            Self::Lesson { .. } => false,
        }
    }
}

/// Fields in the order of the file, so that texts keep it.
fn found<'a>(
    from: Node<'a>,
    fields: &[(&'static str, FieldPath)],
) -> Vec<(&'static str, Node<'a>)> {
    let mut found: Vec<(&'static str, Node<'a>)> = fields
        .iter()
        .filter_map(|(name, path)| path.first(from).map(|node| (*name, node)))
        .collect();
    found.sort_by_key(|(_, node)| node.span().start);
    found
}

fn in_order(builder: &mut Builder, from: Node<'_>, fields: &[(&'static str, FieldPath)]) {
    for (name, node) in found(from, fields) {
        builder.copy(name, node);
    }
}

/// Fields before and after a list that stands among them.
fn around(
    builder: &mut Builder,
    from: Node<'_>,
    fields: &[(&'static str, FieldPath)],
    list: &Range<usize>,
    write_list: impl FnOnce(&mut Builder),
) {
    let found = found(from, fields);
    let before = found.partition_point(|(_, node)| node.span().start < list.start);
    let (before, after) = found.split_at(before);
    for (name, node) in before {
        builder.copy(name, *node);
    }
    write_list(builder);
    for (name, node) in after {
        builder.copy(name, *node);
    }
}

#[cfg(test)]
mod tests {
    use redraft_text::json;

    use super::*;

    fn path(written: &str) -> FieldPath {
        FieldPath::parse(written).unwrap()
    }

    fn items() -> FieldMap {
        FieldMap {
            name: "ours".to_owned(),
            content: MappedContent::Items {
                items: Some(path("data.questions[]")),
                stem: path("q"),
                options: path("choices[]"),
                fields: vec![
                    ("correct_answer", path("ans")),
                    ("explanation", path("why")),
                ],
                option_fields: Vec::new(),
            },
            is_item: false,
        }
    }

    #[test]
    fn items_are_read_under_our_names_where_they_stand() {
        let text = r#"{"data": {"questions": [{"why": "So.", "q": "Wh\u0079?", "choices": ["a", "b"], "ans": 1}]}}"#;
        let scanned = json::scan(text, 0..text.len());
        let mapped = items().apply(&scanned).unwrap();
        let item = mapped.root().unwrap().items().next().unwrap();
        let stem = item.get("stem").unwrap().string().unwrap();
        assert_eq!(stem.text, "Why?");
        assert_eq!(&text[stem.map.source_span()], r"Wh\u0079?");
        assert_eq!(item.get("options").unwrap().len(), 2);
        assert_eq!(item.get("correct_answer").unwrap().as_i64(), Some(1));
        let alone = r#"{"q": "Why?", "choices": ["a", "b"]}"#;
        let scanned = json::scan(alone, 0..alone.len());
        assert!(items().apply(&scanned).is_err());
        let mapped = items().for_item().apply(&scanned).unwrap();
        assert!(mapped.root().unwrap().get("stem").is_some());
    }

    #[test]
    fn a_lesson_is_read_under_our_names() {
        let text = r#"{"content": [{"heading": "One", "body": "Text."}], "name": "L"}"#;
        let map = FieldMap {
            name: "ours".to_owned(),
            content: MappedContent::Lesson {
                sections: path("content[]"),
                section_fields: vec![("title", path("heading")), ("content", path("body"))],
                fields: vec![("title", path("name"))],
            },
            is_item: false,
        };
        let mapped = map.apply(&json::scan(text, 0..text.len())).unwrap();
        let root = mapped.root().unwrap();
        assert_eq!(root.get("title").unwrap().as_str(), Some("L"));
        let section = root.get("sections").unwrap().items().next().unwrap();
        assert_eq!(section.get("content").unwrap().as_str(), Some("Text."));
    }

    #[test]
    fn what_does_not_fit_names_the_path() {
        for (text, expected) in [
            (r#"{"data": []}"#, "data.questions[]"),
            (r#"{"data": {"questions": [{"x": 1}]}}"#, "q"),
            (r#"{"data": {"questions": [{"q": "Why?"}]}}"#, "choices[]"),
        ] {
            let unfit = items().apply(&json::scan(text, 0..text.len())).unwrap_err();
            assert_eq!(unfit.path, expected);
        }
        for wrong in ["", "a..b", "a[0]", "a.", "[x]"] {
            assert_eq!(FieldPath::parse(wrong), None, "{wrong}");
        }
    }
}
