//! Where the library and mermaid are known to differ, found by comparing both on
//! diagrams of every kind: what mermaid refuses though the library accepts it
//! (`refused`), what it accepts though the library refuses (`accepted`), and
//! where the library's refusal is no more than a hint (`doubtful`). Nothing here
//! repairs.

mod accepted;
mod doubtful;
mod refused;

pub(super) use accepted::accepted;
pub(super) use doubtful::is_doubtful;
pub(super) use refused::{
    colon_too_many, early_annotation, empty_label, gap_after_header, refused, spaces_in_chain,
    state_before_composite,
};
