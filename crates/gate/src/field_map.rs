//! JSON of a user's own shape, read by a map from its fields to ours.
//!
//! | written | what it leads to |
//! |---|---|
//! | `data.questions[]` | members with a dot between them, `[]` for every entry of a list |
//! | `questions.*` | every member of an object |
//! | `1` | where there is a list, its second entry |
//! | `a, b, c` | one after the other |
//!
//! The tree is put together again under our names; its texts keep their
//! places, so that edits are made in the user's own file and shape.

mod guess;

use std::fmt;
use std::ops::Range;

use redraft_text::json::{Builder, Json, Node, ReadText};
use redraft_text::text_map::{Escape, TextMap};
use redraft_text::writing::Writing;

pub use guess::{Proposal, propose};

/// A way through a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    written: String,
    /// One or several ways, one after the other.
    ways: Vec<Vec<Step>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A member of an object, or an entry of a list by its number.
    Member(String),
    EachEntry,
    EachMember,
}

impl FieldPath {
    /// Reads a path; `None` if it is not one.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let ways: Option<Vec<Vec<Step>>> = written.split(',').map(Self::way).collect();
        ways.map(|ways| Self {
            written: written.to_owned(),
            ways,
        })
    }

    fn way(written: &str) -> Option<Vec<Step>> {
        let written = written.trim();
        let mut steps = Vec::new();
        for part in written.split('.').filter(|part| !part.is_empty()) {
            let name = part.trim_end_matches("[]");
            if name.contains(['[', ']']) {
                return None;
            }
            match name.trim() {
                "" => {}
                "*" => steps.push(Step::EachMember),
                name => steps.push(Step::Member(name.to_owned())),
            }
            let lists = (part.len() - name.len()) / 2;
            steps.extend(std::iter::repeat_n(Step::EachEntry, lists));
        }
        let has_gap = written.contains("..") || written.ends_with('.');
        (!steps.is_empty() && !has_gap).then_some(steps)
    }

    fn all<'a>(&self, from: Node<'a>) -> Vec<Node<'a>> {
        let mut all = Vec::new();
        for way in &self.ways {
            let mut found = vec![from];
            for step in way {
                found = match step {
                    Step::Member(name) => found
                        .iter()
                        .filter_map(|node| member(*node, name))
                        .collect(),
                    Step::EachEntry => found.iter().flat_map(|node| node.items()).collect(),
                    Step::EachMember => {
                        let members = |node: &Node<'a>| node.members().map(|(_, value)| value);
                        found.iter().flat_map(members).collect()
                    }
                };
            }
            all.extend(found);
        }
        all
    }

    /// Whether what it leads to has names: members of an object.
    fn leads_to_members(&self) -> bool {
        let last = self.ways.iter().map(|way| way.last());
        last.into_iter()
            .all(|step| !matches!(step, Some(Step::EachEntry) | None))
    }

    fn first<'a>(&self, from: Node<'a>) -> Option<Node<'a>> {
        self.all(from).into_iter().next()
    }
}

/// A member of an object, or an entry of a list by its number.
fn member<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    let entry = || node.items().nth(name.parse().ok()?);
    node.get(name).or_else(entry)
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
        let (list, labels) = options_of(item, options, &fields_of_key(fields));
        builder.object("", item.span().start);
        let mut fields = fields.clone();
        fields.push(("stem", stem.clone()));
        let place = match (list.first(), list.last()) {
            (Some(first), Some(last)) => first.span().start..last.span().end,
            _ => item.span().end..item.span().end,
        };
        let inner = |builder: &mut Builder| {
            builder.list("options", place.start);
            for (index, option) in list.iter().enumerate() {
                let label = labels.get(index);
                if option_fields.is_empty() && label.is_none() {
                    builder.copy("", *option);
                    continue;
                }
                builder.object("", option.span().start);
                if let Some(label) = label {
                    builder.text("label", without_place(label, option.span().start));
                }
                if option_fields.is_empty() {
                    builder.copy("text", *option);
                } else {
                    in_order(builder, *option, option_fields);
                }
                builder.close(option.span().end);
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

/// Where an item names its right answer.
fn fields_of_key(fields: &[(&'static str, FieldPath)]) -> Option<FieldPath> {
    let mut fields = fields.iter();
    let key = fields.find(|(name, _)| *name == "correct_answer");
    key.map(|(_, path)| path.clone())
}

/// The options of an item in the order of the file, and their labels where the place of an
/// option does not tell what a key means: names of members that the key uses, or letters where
/// the map has another order than the file.
fn options_of<'a>(
    item: Node<'a>,
    options: &FieldPath,
    key: &Option<FieldPath>,
) -> (Vec<Node<'a>>, Vec<String>) {
    let mapped = options.all(item);
    if !options.leads_to_members() {
        return (mapped, Vec::new());
    }
    let key = key.as_ref().and_then(|path| path.first(item));
    let key = key.and_then(Node::as_str).unwrap_or_default().trim();
    let name = |node: &Node<'_>| node.key().map_or(String::new(), |key| key.text.clone());
    let is_named = mapped.iter().any(|node| name(node) == key);
    let letter = |index: usize| match u8::try_from(index) {
        Ok(index) if index < 26 => char::from(b'A' + index).to_string(),
        _ => String::new(),
    };
    let numbered = mapped.iter().enumerate();
    let mut labelled: Vec<(Node<'a>, String)> = numbered
        .map(|(index, node)| match is_named {
            true => (*node, name(node)),
            false => (*node, letter(index)),
        })
        .collect();
    let is_in_order = mapped.is_sorted_by_key(|node| node.span().start);
    labelled.sort_by_key(|(node, _)| node.span().start);
    let (list, labels) = labelled.into_iter().unzip();
    match is_named || !is_in_order {
        true => (list, labels),
        false => (list, Vec::new()),
    }
}

/// A text that stands nowhere in the file.
fn without_place(text: &str, at: usize) -> ReadText {
    let whole = Escape {
        decoded: 0,
        decoded_len: u32::try_from(text.len()).unwrap_or(u32::MAX),
        source: at,
        source_len: 0,
    };
    ReadText {
        text: text.to_owned(),
        map: TextMap::with_escapes(at..at, vec![whole]),
        writing: Writing::Line,
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
    fn options_that_are_members_are_known_by_their_names() {
        let read = |text: &str, options: &str| -> Vec<(Option<String>, String)> {
            let mut map = items();
            let MappedContent::Items {
                items,
                options: own,
                ..
            } = &mut map.content
            else {
                unreachable!("the map is of items");
            };
            *items = None;
            *own = path(options);
            let mapped = map.apply(&json::scan(text, 0..text.len())).unwrap();
            let list = mapped.root().unwrap().get("options").unwrap();
            let text_of = |node: Node<'_>| node.as_str().unwrap().to_owned();
            list.items()
                .map(|option| match option.get("text") {
                    Some(text) => (option.get("label").map(text_of), text_of(text)),
                    None => (None, text_of(option)),
                })
                .collect()
        };
        let label = |name: &str, text: &str| (Some(name.to_owned()), text.to_owned());
        // In the order of the map letters say which is which, in the order of the file places.
        let fields = r#"{"q": "Why?", "c2": "two", "c1": "one", "ans": "A"}"#;
        let expected = [label("B", "two"), label("A", "one")];
        assert_eq!(read(fields, "c1, c2"), expected);
        let fields = r#"{"q": "Why?", "c1": "one", "c2": "two", "ans": "A"}"#;
        let expected = [(None, "one".to_owned()), (None, "two".to_owned())];
        assert_eq!(read(fields, "c1, c2"), expected);
        let named = r#"{"q": "Why?", "choices": {"x": "one", "y": "two"}, "ans": "y"}"#;
        assert_eq!(
            read(named, "choices.*"),
            [label("x", "one"), label("y", "two")]
        );
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
