//! Where the library and mermaid are known to differ, found by comparing both on
//! diagrams of every kind: what mermaid rejects though the library accepts it
//! (`rejected`), what it accepts though the library rejects (`accepted`), and
//! where the library's rejection is no more than a hint (`doubtful`). Nothing here
//! repairs.

mod accepted;
mod doubtful;
mod rejected;

pub(super) use accepted::accepted;
pub(super) use doubtful::is_doubtful;
pub(super) use rejected::{
    colon_too_many, early_annotation, empty_label, gap_after_header, half_range, rejected,
    spaces_in_chain, state_before_composite, unfinished,
};
