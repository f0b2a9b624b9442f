//! Files: finding those that the user named, reading them within limits, and writing
//! them so that nothing is lost.

mod gather;
mod names;
mod packing;
mod read;
mod write;

pub(crate) use names::{cannot_read, similar};

pub use gather::{ContentFile, Gathered, Unread, gather};
pub use packing::{content, for_output, packed, table_of_workbook, unpacked};
pub use read::{Limits, ReadError, read, read_text};
pub use write::{HardLinks, WriteTo, clean_up, put, put_with, replace};
