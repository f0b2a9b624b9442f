//! The components of a document as the router sees them: which contains which, which is
//! beside whom, and which of them can be repaired on their own. It knows nothing
//! of issues.

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::content::{Component, ComponentKind, Document};
use redraft_gate::span::ComponentId;

/// The components of a document, by their index among its components.
#[derive(Debug)]
pub(crate) struct ComponentTree<'a> {
    document: &'a Document,
    by_id: BTreeMap<&'a str, usize>,
    /// For every component the way to it from the whole: which child, which child
    /// of that one, …
    paths: Vec<Path>,
    /// For every component the one before and the one after it in its parent.
    beside: Vec<(Option<usize>, Option<usize>)>,
    has_children: Vec<bool>,
}

/// The way to a component from the whole.
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

    /// The components that a component lies in, the innermost first, the whole left out.
    pub(crate) fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.get(index).parent, |parent| self.get(*parent).parent)
            .filter(|ancestor| *ancestor != 0)
    }

    /// The component of the first level that a component lies in, or is.
    pub(crate) fn first_level(&self, index: usize) -> usize {
        self.ancestors(index).last().unwrap_or(index)
    }

    /// Whether a component is only a frame around components: the whole, an item with its
    /// stem and options.
    pub(crate) fn is_frame(&self, index: usize) -> bool {
        match self.get(index).kind {
            ComponentKind::Whole => true,
            ComponentKind::Item => self.has_children[index],
            _ => false,
        }
    }

    /// Whether a model may repair it. A key is never a model's to give
    /// (ruling 19).
    pub(crate) fn is_repairable(&self, index: usize) -> bool {
        !self.is_frame(index) && self.get(index).kind != ComponentKind::AnswerKey
    }

    /// The components in a frame that can be repaired: its body first, what opens and
    /// closes it after. Components inside those components are not among them.
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

    /// The body sections: components of the first level that neither open nor close.
    pub(crate) fn body(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.paths.len())
            .filter(|index| self.path(*index).len() == 1 && is_body(self.get(*index).kind))
    }

    /// Whether a component, or one that it lies in, is among these.
    pub(crate) fn is_within(&self, index: usize, ids: &BTreeSet<ComponentId>) -> bool {
        ids.contains(&self.get(index).id)
            || self
                .ancestors(index)
                .any(|ancestor| ids.contains(&self.get(ancestor).id))
    }

    /// The bytes of the file that make up a component.
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
