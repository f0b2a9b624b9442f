//! A version of the text within a run, with the edits that lead from the original to it and the
//! task of each.

use std::sync::Arc;

use redraft_gate::content::Document;
use redraft_gate::edit::{self, Edit};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::inspect::Inspect;
use redraft_gate::receipt::{ServedEdit, Step};
use redraft_gate::span::{ComponentId, Version};

#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) inspected: Arc<Inspected>,
    /// The steps from the original to this version, in order.
    pub(super) made: Vec<Step>,
}

impl Text {
    pub(super) fn original(inspected: Arc<Inspected>) -> Self {
        Self {
            inspected,
            made: Vec::new(),
        }
    }

    pub(super) fn document(&self) -> &Document {
        &self.inspected.document
    }

    pub(super) fn findings(&self) -> &[Finding] {
        &self.inspected.findings
    }

    pub(super) fn version(&self) -> Version {
        self.document().source().version()
    }

    pub(super) fn open_errors(&self) -> usize {
        self.findings()
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .count()
    }

    /// The single edit that turns the text into `after`. The common beginning and end stay
    /// untouched.
    pub(super) fn difference(&self, after: &[u8]) -> Vec<Edit> {
        let source = self.document().source();
        edit::difference(source.bytes(), source.version(), after)
    }

    /// The edits of safe fixes that lie within one component and do not overlap.
    pub(super) fn safe_edits_within(&self, component: &ComponentId) -> Vec<Edit> {
        let Some(part) = self
            .document()
            .components()
            .iter()
            .find(|part| part.id == *component)
        else {
            return Vec::new();
        };
        let within = self.document().span(part.range.clone());
        let mut edits: Vec<Edit> = Vec::new();
        for fix in self.findings().iter().filter_map(Finding::safe_fix) {
            let fits = fix.edits.iter().all(|edit| {
                within.start <= edit.span.start
                    && edit.span.end <= within.end
                    && !edits.iter().any(|taken| taken.span.touches(edit.span))
            });
            if fits {
                edits.extend(fix.edits.iter().cloned());
            }
        }
        edits
    }

    /// The text after these edits. `None` if they do not fit.
    pub(super) fn edited(
        &self,
        inspector: &dyn Inspect,
        edits: Vec<Edit>,
        task: &str,
        component: Option<&ComponentId>,
    ) -> Option<Self> {
        let source = self.document().source();
        let of = |edit: &Edit| {
            component.cloned().unwrap_or_else(|| {
                let at = source.text_range(edit.span).start;
                self.document().component_at(at).id.clone()
            })
        };
        let served = edits.into_iter().map(|edit| ServedEdit {
            component: of(&edit),
            edit,
            task: task.to_owned(),
        });
        self.after(inspector, served.collect())
    }

    /// Like [`Self::edited`] for edits of one component, each labelled with its task.
    pub(super) fn edited_for(
        &self,
        inspector: &dyn Inspect,
        edits: Vec<(Edit, String)>,
        component: &ComponentId,
    ) -> Option<Self> {
        let served = edits.into_iter().map(|(edit, task)| ServedEdit {
            component: component.clone(),
            edit,
            task,
        });
        self.after(inspector, served.collect())
    }

    fn after(&self, inspector: &dyn Inspect, served: Vec<ServedEdit>) -> Option<Self> {
        let source = self.document().source();
        let edits: Vec<Edit> = served.iter().map(|one| one.edit.clone()).collect();
        let bytes = edit::apply(source.bytes(), source.version(), &edits).ok()?;
        let mut made = self.made.clone();
        made.push(Step { edits: served });
        Some(Self {
            inspected: Arc::new(inspector.inspect(bytes)),
            made,
        })
    }
}
