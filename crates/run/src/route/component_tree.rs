//! The components of a document as the router sees them: which contains which, which are
//! neighbours, and which can be repaired on their own. Knows nothing of issues.

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::content::{Component, ComponentKind, Document};
use redraft_gate::span::ComponentId;

/// The components of a document, addressed by index.
#[derive(Debug)]
pub(crate) struct ComponentTree<'a> {
    document: &'a Document,
    by_id: BTreeMap<&'a str, usize>,
    /// Each component's path from the root: the index of the child at every level.
    paths: Vec<Path>,
    /// Each component's previous and next sibling.
    beside: Vec<(Option<usize>, Option<usize>)>,
    has_children: Vec<bool>,
}

/// A component's path from the root.
pub(crate) type Path = Vec<u32>;

impl<'a> ComponentTree<'a> {
    pub(crate) fn of(document: &'a Document) -> Self {
        let components = document.components();
        let mut tree = Self {
            document,
            by_id: BTreeMap::new(),
            paths: Vec::with_capacity(components.len()),
            beside: vec![(None, None); components.len()],
            has_children: vec![false; components.len()],
        };
        let mut last_child: Vec<Option<(usize, u32)>> = vec![None; components.len()];
        for (index, component) in components.iter().enumerate() {
            tree.by_id.insert(&component.id.0, index);
            // Parents come before their children.
            let parent = component.parent.filter(|parent| *parent < index);
            let mut path = parent.map_or_else(Vec::new, |parent| tree.paths[parent].clone());
            if let Some(parent) = parent {
                let number = match last_child[parent] {
                    Some((before, number)) => {
                        tree.beside[index].0 = Some(before);
                        tree.beside[before].1 = Some(index);
                        number.saturating_add(1)
                    }
                    None => 0,
                };
                last_child[parent] = Some((index, number));
                tree.has_children[parent] = true;
                path.push(number);
            }
            tree.paths.push(path);
        }
        tree
    }

    pub(crate) fn document(&self) -> &'a Document {
        self.document
    }

    pub(crate) fn find(&self, id: &ComponentId) -> Option<usize> {
        self.by_id.get(id.0.as_str()).copied()
    }

    pub(crate) fn get(&self, index: usize) -> &'a Component {
        &self.document.components()[index]
    }

    pub(crate) fn path(&self, index: usize) -> &Path {
        &self.paths[index]
    }

    pub(crate) fn before(&self, index: usize) -> Option<usize> {
        self.beside[index].0
    }

    pub(crate) fn after(&self, index: usize) -> Option<usize> {
        self.beside[index].1
    }

    /// The components that contain this one, innermost first, without the root.
    pub(crate) fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.get(index).parent, |parent| self.get(*parent).parent)
            .filter(|ancestor| *ancestor != 0)
    }

    /// The first-level component that contains this one, or the component itself.
    pub(crate) fn first_level(&self, index: usize) -> usize {
        self.ancestors(index).last().unwrap_or(index)
    }

    /// Whether a component only groups others: the whole document, or an item with its stem and
    /// options.
    pub(crate) fn is_frame(&self, index: usize) -> bool {
        match self.get(index).kind {
            ComponentKind::Whole => true,
            ComponentKind::Item => self.has_children[index],
            _ => false,
        }
    }

    /// Whether a model may repair it. A model never sets a key (ruling 19).
    pub(crate) fn is_repairable(&self, index: usize) -> bool {
        !self.is_frame(index) && self.get(index).kind != ComponentKind::AnswerKey
    }

    /// The repairable components directly inside a frame: the body first, then those that open and
    /// close it. Components nested in these are not included.
    pub(crate) fn in_frame(&self, frame: usize) -> Vec<usize> {
        let path = self.path(frame);
        let inside = |index: &usize| {
            self.path(*index).starts_with(path)
                && *index != frame
                && self.is_repairable(*index)
                && self
                    .ancestors(*index)
                    .all(|ancestor| self.is_frame(ancestor))
        };
        let mut found: Vec<usize> = (0..self.paths.len()).filter(inside).collect();
        found.sort_by_key(|index| !is_body(self.get(*index).kind));
        found
    }

    /// The body sections: first-level components that neither open nor close the document.
    pub(crate) fn body(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.paths.len())
            .filter(|index| self.path(*index).len() == 1 && is_body(self.get(*index).kind))
    }

    /// Whether a component, or one that contains it, is among `ids`.
    pub(crate) fn is_within(&self, index: usize, ids: &BTreeSet<ComponentId>) -> bool {
        ids.contains(&self.get(index).id)
            || self
                .ancestors(index)
                .any(|ancestor| ids.contains(&self.get(ancestor).id))
    }

    /// The source text of a component.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        let text = self.document.source().text();
        text.get(self.get(index).range.clone()).unwrap_or_default()
    }
}

fn is_body(kind: ComponentKind) -> bool {
    !matches!(
        kind,
        ComponentKind::Whole
            | ComponentKind::Introduction
            | ComponentKind::Conclusion
            | ComponentKind::Meta
            | ComponentKind::AnswerKey
    )
}
