//! How much of a long list is shown.

/// How many findings to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// The first few of each kind in a file.
    Few,
    /// All.
    All,
}
