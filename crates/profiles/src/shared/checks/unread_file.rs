//! `unread-file`: a file of a folder that may hold teaching material and was not read.
//!
//! It is about files, not about the text of a document, so the program raises it for what
//! it skips. It is declared here so that configuration, pages and reports know it. What an
//! archive holds beside its questions is named in the text that the archive is read as, and
//! found here.

use redraft_banks::TroubleKind;
use redraft_gate::check::{Check, Concern, Examination, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT018",
    name: "unread-file",
    severity: Severity::Warning,
    phase: Phase::Integrity,
    concern: Concern::Truncation,
    summary: "a file in a folder may hold teaching material, but was not read",
    what: "Reports files of a folder that were not read: other formats (HTML, YAML, Word, PDF …), tables and XML that are not question banks, plain text, JSON that is not a lesson, cards or items, hidden files, files above the size limit, and symbolic links that lead out of the folder or nowhere. Files that `.gitignore` or `[files]` exclude, and folders such as `node_modules`, are left alone. With `--skip-unknown` it also reports files that were named. In a package of questions it names other archives, banks of other formats and documents, in a workbook the sheets without columns for a question and two options.",
    why: "A gate that passes what it did not read is worse than none. Convert the file, exclude it in `redraft.toml`, or set `unread-file = \"error\"` under `[severity]` so that a build fails.",
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for recovered in document.recovered() {
        if recovered.what != Trouble::Bank(TroubleKind::Unread) {
            continue;
        }
        let mark = document.source().text().get(recovered.range.clone());
        let name = redraft_banks::unread_name(mark.unwrap_or_default());
        let message = match name.strip_prefix("sheet ") {
            Some(sheet) => format!(
                "the sheet `{sheet}` is not read: no row in it names a question and two options"
            ),
            None => format!("not read in the archive: {name}; unpack it and name it"),
        };
        sink.in_source(recovered.range.clone(), message);
    }
}
