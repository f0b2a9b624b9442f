//! Banks as a whole: how the keys are spread, whether length gives them away,
//! which items say the same, and the sheet that sums a bank up.

pub mod chance;
pub mod sheet;
pub mod similar;
