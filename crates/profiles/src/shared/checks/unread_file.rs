//! `unread-file`: a file of a folder that may hold teaching material and was not read.
//!
//! It is about files, not about the text of a document, so the program raises it for what
//! it skips. It is declared here so that configuration, pages and reports know it.

use redraft_gate::check::{Check, Concern, Phase};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT018",
    name: "unread-file",
    severity: Severity::Warning,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "a file in a folder may hold teaching material, but was not read",
    what: "Reports files of a folder that were not read: other formats (HTML, YAML, Word, PDF …), tables and XML that are not question banks, plain text, JSON that is not a lesson, cards or items, hidden files, files above the size limit, and symbolic links that lead out of the folder or nowhere. Files that `.gitignore` or `[files]` exclude, and folders such as `node_modules`, are left alone. With `--skip-unknown` it also reports files that were named.",
    why: "A gate that passes what it did not read is worse than none. Convert the file, exclude it in `redraft.toml`, or set `unread-file = \"error\"` under `[severity]` so that a build fails.",
    ..DEFAULTS
};
