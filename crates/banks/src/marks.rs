//! Marks in the text that an archive is read as: processing instructions, which readers of
//! XML skip.

/// What stands before each file of a package in its text.
pub const MEMBER_MARK: &str = "<?redraft-member ";

/// What names something that was not read.
pub(crate) const UNREAD_MARK: &str = "<?redraft-unread ";
