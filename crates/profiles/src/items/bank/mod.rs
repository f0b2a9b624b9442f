//! Whole banks: how the keys are spread, whether length gives them away, which
//! items are the same, and a summary sheet.

pub(crate) mod leaks;
pub mod reworded;
pub mod sheet;
pub mod similar;
pub mod statistics;
