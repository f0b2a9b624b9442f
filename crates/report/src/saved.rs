//! Where the texts of `refine` went, in the last lines of its report.

use std::fmt::Write as _;

use super::count::counted;
use super::plain;

/// What became of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// Written to this path; `-` for standard output.
    To(String),
    /// The file had it.
    Already(String),
    /// Nothing was changed, so that there was nothing to save.
    Unchanged,
    /// It was not accepted, and `--accept-best` is not given.
    NotAccepted { path: String, journal: String },
    /// There was no `-o` and no `--write`.
    NotAsked {
        path: String,
        /// None for a bank, whose items have one each.
        journal: Option<String>,
        /// A name for a text that came from standard input.
        name: &'static str,
    },
}

/// The commands that save what was not saved, without asking a model again.
#[derive(Clone, Copy)]
pub struct Hints<'a> {
    /// The running command for the run in a journal, with these options more.
    pub resumed: &'a dyn Fn(&str, &[&str]) -> String,
    /// The running command for all its texts, with these options more.
    pub continued: &'a dyn Fn(&[&str]) -> String,
}

/// Where the texts were saved, and how to save the others. `output` is where `-o` points.
#[must_use]
pub fn summary(saved: &[Saved], output: Option<&str>, hints: Hints<'_>) -> String {
    if let [one] = saved {
        return sentence(one, hints);
    }
    let count = |is_it: fn(&Saved) -> bool| saved.iter().filter(|one| is_it(one)).count();
    let written = count(|one| matches!(one, Saved::To(_)));
    let already = count(|one| matches!(one, Saved::Already(_)));
    let open = count(|one| matches!(one, Saved::NotAsked { .. }));
    let rejected = count(|one| matches!(one, Saved::NotAccepted { .. }));
    let mut out = String::new();
    if written > 0 {
        let place = match output {
            Some(output) => format!("to {}", plain::path(output)),
            None => "in place".to_owned(),
        };
        let _ = writeln!(out, "saved: {} {place}", counted(written, "file"));
    }
    if already > 0 {
        let _ = writeln!(out, "already done: {}", counted(already, "file"));
    }
    if rejected > 0 {
        let _ = writeln!(
            out,
            "not saved: {} not accepted; to replace them anyway, without asking a model again, run\n  {}",
            counted(rejected, "file"),
            (hints.continued)(&["--accept-best"])
        );
    }
    if open > 0 {
        out.push_str(&not_saved(hints));
    }
    if out.is_empty() && !saved.is_empty() {
        out.push_str("nothing changed, nothing saved\n");
    }
    out
}

fn not_saved(hints: Hints<'_>) -> String {
    format!(
        "not saved; use -o or --write, without asking a model again:\n  {}\n",
        (hints.continued)(&["--write"])
    )
}

fn sentence(saved: &Saved, hints: Hints<'_>) -> String {
    let resumed = hints.resumed;
    match saved {
        Saved::To(path) if path == "-" => "saved to standard output\n".to_owned(),
        Saved::To(path) => format!("saved to {}\n", plain::path(path)),
        Saved::Already(path) => format!(
            "already done: {} has the text of this run\n",
            plain::path(path)
        ),
        Saved::Unchanged => "nothing changed, nothing saved\n".to_owned(),
        Saved::NotAccepted { path, journal } => format!(
            "not saved: {} was not accepted; to replace it anyway, without asking a model again, run\n  {}\n",
            plain::path(path),
            resumed(journal, &["--accept-best"])
        ),
        Saved::NotAsked {
            path,
            journal: Some(journal),
            name,
        } if path == "-" => format!(
            "not saved; use -o, without asking a model again:\n  {}\n",
            resumed(journal, &["--output", name])
        ),
        Saved::NotAsked {
            path,
            journal: None,
            ..
        } if path == "-" => "not saved; use -o\n".to_owned(),
        Saved::NotAsked { journal: None, .. } => not_saved(hints),
        Saved::NotAsked {
            journal: Some(journal),
            ..
        } => format!(
            "not saved; use -o or --write, without asking a model again:\n  {}\n",
            resumed(journal, &["--write"])
        ),
    }
}
