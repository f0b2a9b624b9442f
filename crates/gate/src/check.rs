//! A check: its declaration, which is also its page, and its function.
//!
//! Adding one touches one file in a profile's `checks/` folder and one line of
//! its registry. The documented examples are executed as tests, and the same
//! words serve `redraft explain`, the reference pages and, later, the prompts.

use std::ops::Range;

use crate::companion::Companions;
use crate::content::{Document, TextField};
use crate::finding::{Finding, Severity};
use crate::policy::Parameters;
use crate::score::Cap;

/// A rule that a program can apply to a document.
#[derive(Debug)]
pub struct Check {
    /// Permanent, never used again for another rule: `TXT001`.
    pub code: &'static str,
    /// The fault, not the demand: `empty-section`.
    pub name: &'static str,
    /// How bad a finding is unless the check or the configuration says otherwise.
    pub severity: Severity,
    /// Whether a finding alone forbids a pass in profiles that know critical
    /// faults.
    pub critical: bool,
    /// Whether it can mend what it finds.
    pub mends: Mends,
    /// The phase of the self-review that it belongs to.
    pub phase: Phase,
    /// What the self-review calls the fault.
    pub concern: Concern,
    /// One line: what it finds.
    pub summary: &'static str,
    /// What exactly it looks at, what it leaves alone.
    pub what: &'static str,
    /// Why a learner or an author should care.
    pub why: &'static str,
    /// A text that fails and one that passes; executed as tests.
    pub examples: &'static [Example],
    /// The figures that a policy may change.
    pub parameters: &'static [Parameter],
    /// What its findings may do to a judge's score.
    pub caps: &'static [Cap],
    /// The rule itself.
    pub run: fn(&Examination<'_>, &mut Sink<'_>),
}

impl Check {
    /// Whether this is its code, in any case, or its name.
    #[must_use]
    pub fn is_called(&self, code_or_name: &str) -> bool {
        self.code.eq_ignore_ascii_case(code_or_name) || self.name == code_or_name
    }
}

/// Whether a check can mend what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mends {
    /// It only points.
    Never,
    /// It only points, but where a text is repaired, a warning makes a task of its own.
    ByTask,
    /// It proposes; a person decides.
    Proposes,
    /// Where the repair is certain, `--fix` applies it.
    WhereCertain,
    /// It converts the whole file; every other repair waits for it.
    ByConversion,
}

/// The four phases of the self-review (seed 001), in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Is the content whole and in the right language?
    Integrity,
    /// Is there noise to be scrubbed?
    Hygiene,
    /// Does it say what it should say?
    Semantics,
    /// Remarks that change nothing.
    Acceptance,
}

/// The types of issue that the self-review reports (seed 001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// Something is missing because the text was cut or never written.
    Truncation,
    /// Wrong language or script.
    Language,
    /// Not what was specified.
    Alignment,
    /// Claims without ground.
    Hallucination,
    /// Noise in the text.
    Hygiene,
}

impl Concern {
    /// The name in seed 001's output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Truncation => "TRUNCATION",
            Self::Language => "LANGUAGE",
            Self::Alignment => "ALIGNMENT",
            Self::Hallucination => "HALLUCINATION",
            Self::Hygiene => "HYGIENE",
        }
    }
}

/// How an example is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExampleForm {
    /// A Markdown lesson.
    Markdown,
    /// JSON, or something that should have been JSON.
    Json,
    /// A Markdown lesson of which the failing text is encoded as windows-1251.
    Windows1251,
    /// A question bank in GIFT.
    Gift,
}

/// A text that fails, one that passes, and what `--fix` makes of the first.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// How both are to be read.
    pub form: ExampleForm,
    /// The check finds something here.
    pub fails: &'static str,
    /// The check is silent here.
    pub passes: &'static str,
    /// What the safe fixes make of `fails`; `None` where nothing is certain.
    pub fixed: Option<&'static str>,
}

/// A figure or list that a policy sets for a check.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in the policy file and the configuration: `min-words`.
    pub name: &'static str,
    /// What it means.
    pub what: &'static str,
}

/// What a check may look at.
#[derive(Clone, Copy, Debug)]
pub struct Examination<'a> {
    pub document: &'a Document,
    pub companions: &'a Companions,
    pub parameters: &'a Parameters,
    check: &'static Check,
    known_checks: &'static [&'static Check],
}

impl<'a> Examination<'a> {
    #[must_use]
    pub fn new(
        check: &'static Check,
        document: &'a Document,
        companions: &'a Companions,
        parameters: &'a Parameters,
    ) -> Self {
        Self {
            document,
            companions,
            parameters,
            check,
            known_checks: &[],
        }
    }

    /// Tells the check which checks there are, for checks about ignore comments.
    #[must_use]
    pub fn with_known_checks(self, known_checks: &'static [&'static Check]) -> Self {
        Self {
            known_checks,
            ..self
        }
    }

    /// Whether a check with this code (in any case) or name exists. Without a list of
    /// all checks, every name counts as known.
    #[must_use]
    pub fn is_known_check(&self, code_or_name: &str) -> bool {
        self.known_checks.is_empty()
            || self
                .known_checks
                .iter()
                .any(|check| check.is_called(code_or_name))
    }

    /// A figure of this check.
    #[must_use]
    pub fn number(&self, parameter: &str) -> f64 {
        self.parameters.number(self.check.name, parameter)
    }

    /// A figure of this check that counts something.
    #[must_use]
    pub fn count(&self, parameter: &str) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "counts in a policy are small and the cast saturates"
        )]
        let count = self.number(parameter) as usize;
        count
    }

    /// A list of this check.
    #[must_use]
    pub fn texts(&self, parameter: &str) -> &'a [String] {
        self.parameters.texts(self.check.name, parameter)
    }
}

/// Takes the findings of one check.
#[derive(Debug)]
pub struct Sink<'a> {
    check: &'static Check,
    document: &'a Document,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Sink<'a> {
    /// A sink that appends to `findings`.
    #[must_use]
    pub fn new(
        check: &'static Check,
        document: &'a Document,
        findings: &'a mut Vec<Finding>,
    ) -> Self {
        Self {
            check,
            document,
            findings,
        }
    }

    /// Reports a fault in a range of one of the document's texts.
    pub fn in_text(
        &mut self,
        field: &TextField,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> &mut Finding {
        let component = self.document.component_in(field, range.clone()).id.clone();
        let span = self.document.span_in(field, range);
        self.push(component, span, message.into())
    }

    /// Reports a fault in a range of the source itself.
    pub fn in_source(&mut self, range: Range<usize>, message: impl Into<String>) -> &mut Finding {
        let component = self.document.component_at(range.start).id.clone();
        // A check may point at the first byte of a value, which can be the first
        // of a letter's several.
        let text = self.document.source().text();
        let range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
        let span = self.document.span(range);
        self.push(component, span, message.into())
    }

    /// Reports a fault at bytes of the file that are no text.
    pub fn in_file(&mut self, range: Range<usize>, message: impl Into<String>) -> &mut Finding {
        let span = self.document.source().file_span(range);
        let at = self.document.source().text_range(span).start;
        let component = self.document.component_at(at).id.clone();
        self.push(component, span, message.into())
    }

    fn push(
        &mut self,
        component: crate::span::ComponentId,
        span: crate::span::Span,
        message: String,
    ) -> &mut Finding {
        let index = self.findings.len();
        self.findings.push(Finding {
            check: self.check,
            severity: self.check.severity,
            critical: self.check.critical,
            component,
            span,
            message,
            fix: None,
            caps: Vec::new(),
            remedy: None,
        });
        &mut self.findings[index]
    }
}
