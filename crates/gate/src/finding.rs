//! What a check says: where, how bad, in which words, and how it can be mended.

use schemars::JsonSchema;
use serde::Serialize;

use crate::check::Check;
use crate::edit::Edit;
use crate::score::Cap;
use crate::span::{ComponentId, Span};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing needs to be done.
    Info,
    /// Somebody should look at it.
    Warning,
    /// This must not be published; the program is certain.
    Error,
}

impl Severity {
    /// The word used in output and configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Info, Self::Warning, Self::Error]
            .into_iter()
            .find(|severity| severity.name() == name)
    }
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Certain: it removes or restores only what is noise.
    Safe,
    /// Likely, but a person should look at it.
    Unsafe,
}

/// Edits that mend a finding, all together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Whether it may be applied without asking.
    pub applicability: Applicability,
    /// The edits, on the version in which the finding was made.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A fix that may be applied without asking.
    #[must_use]
    pub fn safe(edits: Vec<Edit>) -> Self {
        Self {
            applicability: Applicability::Safe,
            edits,
        }
    }

    /// A fix to be proposed to a person.
    #[must_use]
    pub fn proposed(edits: Vec<Edit>) -> Self {
        Self {
            applicability: Applicability::Unsafe,
            edits,
        }
    }
}

/// One fault, at one place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check that made it: its code, name and explanation.
    pub check: &'static Check,
    /// How bad it is here; a check may be milder than its default, and the
    /// configuration may override it.
    pub severity: Severity,
    /// Whether it alone forbids a pass in profiles that know critical faults.
    pub critical: bool,
    /// The part of the document it stands in.
    pub component: ComponentId,
    /// Where it stands in the file.
    pub span: Span,
    /// What is wrong, in words that name the thing.
    pub message: String,
    /// How to mend it, where that is known.
    pub fix: Option<Fix>,
    /// The most that criteria can score while it is open.
    pub caps: Vec<Cap>,
    /// What it asks for beyond the words of its component.
    pub remedy: Option<Remedy>,
}

/// What fixes a finding that no edit of its component can fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Components are merged or dropped: these, where they are known.
    Merge(Vec<ComponentId>),
    /// A component is added.
    Add,
    /// Components change places.
    Move,
    /// The whole text becomes so many hundredths as long, at the least change.
    Resize { hundredths: u32 },
}

impl Finding {
    /// Sets the severity of this one finding.
    pub fn severity(&mut self, severity: Severity) -> &mut Self {
        self.severity = severity;
        self
    }

    /// Attaches a fix.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fix = Some(fix);
        self
    }

    /// Says what it asks for beyond the words of its component.
    pub fn remedy(&mut self, remedy: Remedy) -> &mut Self {
        self.remedy = Some(remedy);
        self
    }

    /// Attaches the caps that this finding sets.
    pub fn caps(&mut self, caps: &[Cap]) -> &mut Self {
        self.caps.extend_from_slice(caps);
        self
    }

    /// Whether it has a fix that may be applied without asking.
    #[must_use]
    pub fn safe_fix(&self) -> Option<&Fix> {
        self.fix
            .as_ref()
            .filter(|fix| fix.applicability == Applicability::Safe)
    }
}
