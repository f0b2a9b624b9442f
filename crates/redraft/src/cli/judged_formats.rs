//! The results of `judge` and `refine` in the formats of other programs: SARIF, JUnit,
//! Markdown.

use std::path::Path;

use redraft_report::judge_report::{JudgeReport, Judged};
use redraft_report::judged_text::{JudgedRun, JudgedText, Standing};
use redraft_report::{judged_junit, judged_markdown, judged_sarif};

use super::exit::Exit;
use super::inputs::{Choice, Inputs};
use super::options::Format;
use super::run_options::RunOptions;
use crate::inspection::{file_of, path_text};

/// The report in one of these formats, with the exit of the command and that of each document.
pub(super) fn render(
    command: &str,
    report: &JudgeReport,
    options: &RunOptions,
    (exit, exit_of): (Exit, impl Fn(&Judged) -> Exit),
) -> anyhow::Result<String> {
    let inspector = Inputs::read(&options.common, Choice::default())?.inspector()?;
    let documents = report
        .documents
        .iter()
        .map(|judged| {
            let content = judged.outcome.final_content.as_ref();
            let bytes = content.unwrap_or(&judged.original).clone();
            let read = inspector.inspect(Path::new(&judged.path), bytes);
            JudgedText {
                judged,
                file: path_text(file_of(Path::new(&judged.path))),
                standing: standing(exit_of(judged)),
                inspected: read.ok().map(|read| read.inspected),
            }
        })
        .collect();
    let run = JudgedRun {
        documents,
        unfinished: &report.unfinished,
        skipped: &report.skipped,
        standing: standing(exit),
    };
    Ok(match options.common.format {
        Format::Junit => judged_junit::report(command, &run),
        Format::Markdown => judged_markdown::comment(&run),
        _ => serde_json::to_string_pretty(&judged_sarif::log(&run))? + "\n",
    })
}

fn standing(exit: Exit) -> Standing {
    match exit {
        Exit::Clean => Standing::Passed,
        _ => Standing::Failed,
    }
}
