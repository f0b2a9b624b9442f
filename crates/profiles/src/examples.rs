//! What the documented examples of a check come with: checks that compare a
//! document with a specification, a scheme of work or outcomes are shown with
//! one. Each profile names those of its own checks; here they are looked up and
//! read as the program would read the files.

use redraft_gate::check::Check;
use redraft_gate::companion::Companions;

use crate::companions::{self, Unreadable};
use crate::{lesson, sqa_lesson};

/// The files beside the examples of a check, each as JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// What the lesson was to be.
    pub specification: Option<&'static str>,
    /// The scheme of work, or an entry of one.
    pub scheme_of_work: Option<&'static str>,
    /// The outcomes of the course.
    pub outcomes: Option<&'static str>,
}

impl Beside {
    /// What the examples of this check come with; nothing for most.
    #[must_use]
    pub fn of(check: &Check) -> Self {
        lesson::checks::beside_examples(check)
            .or_else(|| sqa_lesson::checks::beside_examples(check))
            .unwrap_or_default()
    }

    /// The files as a check gets them.
    ///
    /// # Errors
    /// When one of them is not what it should be.
    pub fn companions(&self) -> Result<Companions, Unreadable> {
        let bytes = |json: &str| json.as_bytes().to_vec();
        Ok(Companions {
            specification: self
                .specification
                .map(|json| companions::specification(bytes(json)))
                .transpose()?,
            scheme_of_work: self
                .scheme_of_work
                .map(|json| companions::scheme_of_work(bytes(json)))
                .transpose()?
                .unwrap_or_default(),
            outcomes: self
                .outcomes
                .map(|json| companions::outcomes(bytes(json)))
                .transpose()?
                .unwrap_or_default(),
            ..Companions::default()
        })
    }
}
