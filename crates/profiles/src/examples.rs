//! Companions of a check's documented examples: checks that compare a document with a
//! specification, a scheme of work or outcomes are shown with one. Each profile names
//! those of its own checks, `registry::beside_examples` looks them up, and here they are
//! read as the program would read the files.

use redraft_gate::companion::Companions;

use crate::companions::{self, Unreadable};

/// The files beside the examples of a check, each as JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    pub specification: Option<&'static str>,
    /// A scheme of work, or an entry of one.
    pub scheme_of_work: Option<&'static str>,
    pub outcomes: Option<&'static str>,
    pub sources: Option<&'static str>,
}

impl Beside {
    /// The files as a check gets them.
    ///
    /// # Errors
    /// When one of them is not valid.
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
            sources: self
                .sources
                .map(|json| companions::sources(bytes(json)))
                .transpose()?
                .unwrap_or_default(),
            ..Companions::default()
        })
    }
}
