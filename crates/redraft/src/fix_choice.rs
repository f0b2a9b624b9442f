//! Which fixes are applied: the safe ones or also those that are only proposed, of all
//! checks or of some, everywhere or on one line.

use std::cell::OnceCell;

use anyhow::bail;
use redraft_gate::finding::{Applicability, Finding};
use redraft_gate::fix::Inspected;
use redraft_profiles::registry;
use redraft_text::lines::LineIndex;

use crate::config::nearest;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixChoice {
    most: Applicability,
    /// Empty for all.
    only: Vec<Wanted>,
}

/// The fixes of a check, everywhere or on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    code: &'static str,
    line: Option<usize>,
}

/// The safe fixes of all checks.
impl Default for FixChoice {
    fn default() -> Self {
        Self {
            most: Applicability::Safe,
            only: Vec::new(),
        }
    }
}

impl FixChoice {
    /// The choice that a user writes: `TXT003`, `placeholder-text`, `TXT003:12`.
    ///
    /// # Errors
    /// When no check has that name, or a line is not a number.
    pub fn parse(most: Applicability, only: &[String]) -> anyhow::Result<Self> {
        let wanted = only.iter().map(|word| wanted(word));
        Ok(Self {
            most,
            only: wanted.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Tells of each finding in a document whether it is one that is fixed.
    pub fn of<'a>(&'a self, inspected: &'a Inspected) -> impl Fn(&Finding) -> bool + 'a {
        let source = inspected.document.source();
        // Made for the first finding that needs it, and for all.
        let lines = OnceCell::new();
        let line = move |finding: &Finding| {
            let lines = lines.get_or_init(|| LineIndex::new(source.text()));
            lines.line_column(source.text_range(finding.span).start).0
        };
        move |finding| {
            let is_applied = finding
                .fix
                .as_ref()
                .is_some_and(|fix| fix.applicability <= self.most);
            let is_wanted = |wanted: &Wanted| {
                wanted.code == finding.check.code
                    && wanted.line.is_none_or(|at| at == line(finding))
            };
            is_applied && (self.only.is_empty() || self.only.iter().any(is_wanted))
        }
    }

    /// The same findings with the chosen fixes as those to be applied, and no others.
    pub(crate) fn first(&self, mut inspected: Inspected) -> Inspected {
        let is_taken = self.of(&inspected);
        let taken: Vec<bool> = inspected.findings.iter().map(&is_taken).collect();
        drop(is_taken);
        for (finding, is_taken) in inspected.findings.iter_mut().zip(taken) {
            match &mut finding.fix {
                Some(fix) if is_taken => fix.applicability = Applicability::Safe,
                fix => *fix = None,
            }
        }
        inspected
    }

    /// The same for a later round. Lines have moved by then, so what was chosen by its line
    /// is done.
    pub(crate) fn later(&self, mut inspected: Inspected) -> Inspected {
        if self.only.is_empty() {
            return self.first(inspected);
        }
        let everywhere = |finding: &Finding| {
            let of_check =
                |wanted: &Wanted| wanted.line.is_none() && wanted.code == finding.check.code;
            self.only.iter().any(of_check)
        };
        for finding in &mut inspected.findings {
            if !everywhere(finding) {
                finding.fix = None;
            }
        }
        self.first(inspected)
    }
}

fn wanted(word: &str) -> anyhow::Result<Wanted> {
    let (name, line) = match word.split_once(':') {
        Some((name, line)) => match line.parse::<usize>() {
            Ok(line) => (name, Some(line)),
            Err(_) => bail!("`{line}` in --fix-only {word} is not a line; write CODE:LINE"),
        },
        None => (word, None),
    };
    let Some(check) = registry::find_check(name) else {
        let checks = registry::all_checks();
        let known = checks.iter().flat_map(|check| [check.code, check.name]);
        match nearest(name, known) {
            Some(near) => bail!("unknown check `{name}`; did you mean `{near}`?"),
            None => bail!("unknown check `{name}`; run `redraft explain` for a list"),
        }
    };
    Ok(Wanted {
        code: check.code,
        line,
    })
}
