//! The results of `judge` and `refine` in the formats of other programs: SARIF, JUnit,
//! Markdown.

use std::path::Path;

use redraft_report::judge_report::{JudgeReport, Judged};
use redraft_report::judged_text::{JudgedText, Standing};
use redraft_report::{judged_junit, judged_markdown, judged_sarif};

use super::exit::Exit;
use super::inputs::{Choice, Inputs};
use super::options::Format;
use super::run_options::RunOptions;
use crate::inspection::{file_of, path_text};

/// The report in one of these formats.
pub(super) fn render(
    command: &str,
    report: &JudgeReport,
    options: &RunOptions,
    exit_of: impl Fn(&Judged) -> Exit,
) -> anyhow::Result<String> {
    let inspector = Inputs::read(&options.common, Choice::default())?.inspector()?;
    let texts: Vec<JudgedText<'_>> = report
        .documents
        .iter()
        .map(|judged| {
            let content = judged.outcome.final_content.as_ref();
            let bytes = content.unwrap_or(&judged.original).clone();
            let read = inspector.inspect(Path::new(&judged.path), bytes);
            JudgedText {
                judged,
                file: path_text(file_of(Path::new(&judged.path))),
                standing: match exit_of(judged) {
                    Exit::Clean => Standing::Passed,
                    _ => Standing::Failed,
                },
                inspected: read.ok().map(|read| read.inspected),
            }
        })
        .collect();
    let skipped = &report.skipped;
    Ok(match options.common.format {
        Format::Junit => judged_junit::report(command, &texts, skipped),
        Format::Markdown => judged_markdown::comment(&texts, skipped),
        _ => serde_json::to_string_pretty(&judged_sarif::log(&texts, skipped))? + "\n",
    })
}
