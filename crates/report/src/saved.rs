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

/// The running command for the run in a journal, with these options more.
pub type Resumed<'a> = &'a dyn Fn(&str, &[&str]) -> String;

/// Where the texts were saved, and how to save the others. `output` is where `-o` points.
#[must_use]
pub fn summary(saved: &[Saved], output: Option<&str>, resumed: Resumed<'_>) -> String {
    if let [one] = saved {
        return sentence(one, resumed);
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
            "not saved: {} not accepted; use --accept-best to replace them anyway",
            counted(rejected, "file")
        );
    }
    if open > 0 {
        let _ = writeln!(out, "not saved; use -o or --write");
    }
    if out.is_empty() && !saved.is_empty() {
        out.push_str("nothing changed, nothing saved\n");
    }
    out
}

fn sentence(saved: &Saved, resumed: Resumed<'_>) -> String {
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
        Saved::NotAsked { journal: None, .. } => "not saved; use -o or --write\n".to_owned(),
        Saved::NotAsked {
            journal: Some(journal),
            ..
        } => format!(
            "not saved; use -o or --write, without asking a model again:\n  {}\n",
            resumed(journal, &["--write"])
        ),
    }
}
