//! A tree put together by hand, for formats that are not JSON but hold the same
//! things: objects, lists, and texts with their places in the file.

use std::ops::Range;

use super::recovery::Recovery;
use super::tree::{Arena, Json, JsonString, Kind, NONE, Node, NodeData, Number, Quotes};
use crate::text_map::TextMap;
use crate::writing::Writing;

/// Puts a tree together in the order of the file. Its members have names, but the
/// names stand nowhere in the file.
#[derive(Debug, Default)]
pub struct Builder {
    arena: Arena,
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    node: u32,
    last_child: u32,
}

/// A step of copying a tree.
enum Visit<'a> {
    Node(String, Node<'a>),
    Close(usize),
}

/// A text as it was read: what it says, where it stands and how it is written.
#[derive(Clone, Debug)]
pub struct ReadText {
    pub text: String,
    pub map: TextMap,
    pub writing: Writing,
}

impl Builder {
    /// Opens an object. A name is for values in an object; in a list it is ignored.
    pub fn object(&mut self, name: &str, start: usize) {
        self.container(Kind::Object, name, start);
    }

    pub fn list(&mut self, name: &str, start: usize) {
        self.container(Kind::Array, name, start);
    }

    /// Closes what was opened last.
    pub fn close(&mut self, end: usize) {
        if let Some(open) = self.open.pop()
            && let Some(node) = self.arena.node_mut(open.node)
        {
            node.end = end.max(node.start);
        }
    }

    pub fn text(&mut self, name: &str, read: ReadText) {
        let span = read.map.source_span();
        let string = self.arena.add_string(JsonString {
            span: span.clone(),
            inner: span.clone(),
            text: read.text,
            map: read.map,
            quotes: Quotes::Foreign(read.writing),
        });
        self.node(Kind::String, name, span, string);
    }

    /// A value of another tree, with everything in it, under a name of its own.
    pub fn copy(&mut self, name: &str, node: Node<'_>) {
        // A tree is as deep as its text may be, so the way is kept here and not in calls.
        let mut open = vec![Visit::Node(name.to_owned(), node)];
        while let Some(visit) = open.pop() {
            let (name, node) = match visit {
                Visit::Close(end) => {
                    self.close(end);
                    continue;
                }
                Visit::Node(name, node) => (name, node),
            };
            let span = node.span();
            match node.kind() {
                Kind::Object | Kind::Array => {
                    self.container(node.kind(), &name, span.start);
                    open.push(Visit::Close(span.end));
                    let entries = node.items().map(|child| (String::new(), child));
                    let members = node.members().map(|(key, child)| (key.text.clone(), child));
                    let children: Vec<_> = entries.chain(members).collect();
                    let visits = children.into_iter().rev();
                    open.extend(visits.map(|(name, child)| Visit::Node(name, child)));
                }
                Kind::String => {
                    if let Some(string) = node.string() {
                        let string = self.arena.add_string(string.clone());
                        self.node(Kind::String, &name, span, string);
                    }
                }
                Kind::Number => {
                    let number = self.arena.add_number(Number {
                        float: node.as_f64().unwrap_or(f64::NAN),
                        integer: node.as_i64(),
                    });
                    self.node(Kind::Number, &name, span, number);
                }
                Kind::Bool => {
                    let is_set = u32::from(node.as_bool() == Some(true));
                    self.node(Kind::Bool, &name, span, is_set);
                }
                kind @ (Kind::Null | Kind::Invalid) => {
                    self.node(kind, &name, span, 0);
                }
            }
        }
    }

    pub fn flag(&mut self, name: &str, span: Range<usize>, is_set: bool) {
        self.node(Kind::Bool, name, span, u32::from(is_set));
    }

    pub fn number(&mut self, name: &str, span: Range<usize>, number: u32) {
        let number = self.arena.add_number(Number {
            float: f64::from(number),
            integer: Some(i64::from(number)),
        });
        self.node(Kind::Number, name, span, number);
    }

    /// The tree, which ends at an offset of the file.
    #[must_use]
    pub fn finish(self, end: usize) -> Json {
        Json {
            arena: self.arena,
            cut_off: false,
            recoveries: Vec::<Recovery>::new(),
            recoveries_omitted: 0,
            end,
        }
    }

    fn container(&mut self, kind: Kind, name: &str, start: usize) {
        let node = self.node(kind, name, start..start, 0);
        self.open.push(Open {
            node,
            last_child: NONE,
        });
    }

    fn node(&mut self, kind: Kind, name: &str, span: Range<usize>, payload: u32) -> u32 {
        let parent = self.open.last().map_or(NONE, |open| open.node);
        let parent_kind = self.arena.nodes.get(parent as usize).map(|node| node.kind);
        let key = if parent_kind == Some(Kind::Object) {
            self.arena.add_string(JsonString {
                span: span.start..span.start,
                inner: span.start..span.start,
                text: name.to_owned(),
                map: TextMap::identity(span.start, 0),
                quotes: Quotes::Bare,
            })
        } else {
            NONE
        };
        let index = self
            .arena
            .nodes
            .get(parent as usize)
            .map_or(0, |node| node.payload);
        let id = self.arena.add_node(NodeData {
            start: span.start,
            end: span.end,
            parent,
            first_child: NONE,
            next_sibling: NONE,
            index,
            key,
            payload,
            kind,
        });
        self.link(id);
        id
    }

    /// Links a node to the container that is open.
    fn link(&mut self, id: u32) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let (container, before) = (open.node, open.last_child);
        open.last_child = id;
        if let Some(before) = self.arena.node_mut(before) {
            before.next_sibling = id;
        }
        if let Some(container) = self.arena.node_mut(container) {
            container.payload += 1;
            if container.first_child == NONE {
                container.first_child = id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_put_together_reads_like_one_that_was_scanned() {
        let mut builder = Builder::default();
        let read = |start: usize, text: &str| ReadText {
            text: text.to_owned(),
            map: TextMap::identity(start, text.len()),
            writing: Writing::Gift,
        };
        builder.object("", 0);
        builder.text("stem", read(0, "Why?"));
        builder.list("options", 5);
        for (start, text) in [(6, "a"), (8, "b")] {
            builder.object("", start);
            builder.text("text", read(start, text));
            builder.flag("correct", start..start, text == "b");
            builder.close(start + 1);
        }
        builder.close(10);
        builder.number("answerIndex", 8..9, 1);
        builder.close(11);
        let json = builder.finish(11);

        let root = json.root().unwrap();
        assert_eq!(
            (root.kind(), root.len(), root.span()),
            (Kind::Object, 3, 0..11)
        );
        assert_eq!(root.get("answerIndex").unwrap().as_i64(), Some(1));
        let options = root.get("options").unwrap();
        let last = options.items().last().unwrap();
        assert_eq!(last.get("text").unwrap().path(), "options[1].text");
        assert_eq!(last.get("correct").unwrap().as_bool(), Some(true));
        assert!(json.complete());
    }
}
