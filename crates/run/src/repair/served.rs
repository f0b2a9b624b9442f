//! Decides which edits of a proposal are kept if only some of its issues are solved (ruling 55).
//! Knows nothing of judges; the caller names the issues that are not solved.
//!
//! | an edit | is kept if |
//! |---|---|
//! | names issues of the task | all of them are solved, and all issues of the edits that share one with it |
//! | names no issue, or one that is not of the task | every issue is solved: it belongs to all |
//! | is the whole component | every issue is solved: it is one edit |
//!
//! Edits that share an issue solve it together, so they are kept or rolled back together.

use std::collections::BTreeSet;

use super::{Block, Proposal};
use crate::outcome::{EditDone, OperationDone};

/// A proposal that is kept in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The edits that are kept.
    pub kept: Proposal,
    /// All edits, with the issues that they serve.
    pub edits: Vec<EditDone>,
    /// The issues that the kept edits serve.
    pub solved: BTreeSet<String>,
}

/// The edits of a proposal that is kept as a whole, with the issues that they serve.
#[must_use]
pub fn kept_edits(proposal: &Proposal, issues: &[&str]) -> Vec<EditDone> {
    let done = |issues, operation| EditDone {
        issues,
        kept: true,
        operation,
    };
    match proposal {
        Proposal::Blocks(blocks) => blocks
            .iter()
            .map(|block| {
                let served = served(block, issues).unwrap_or_else(|| issues.to_vec());
                done(owned(served), operation(block))
            })
            .collect(),
        Proposal::Whole(_) => vec![done(owned(issues.to_vec()), None)],
        Proposal::NoChange { .. } => Vec::new(),
    }
}

/// Splits a proposal if some of its issues are not solved. `None` if nothing of it can be kept.
#[must_use]
pub fn split(proposal: &Proposal, issues: &[&str], unsolved: &BTreeSet<&str>) -> Option<Split> {
    let Proposal::Blocks(blocks) = proposal else {
        return None;
    };
    let named: Vec<Option<Vec<&str>>> = blocks.iter().map(|block| served(block, issues)).collect();
    // An unsolved issue also fails all issues of the edits that serve it.
    let mut lost = unsolved.clone();
    loop {
        let spread: Vec<&str> = named
            .iter()
            .flatten()
            .filter(|served| served.iter().any(|issue| lost.contains(issue)))
            .flatten()
            .copied()
            .filter(|issue| !lost.contains(issue))
            .collect();
        if spread.is_empty() {
            break;
        }
        lost.extend(spread);
    }
    let stays = |served: &Option<Vec<&str>>| match served {
        Some(served) => !served.iter().any(|issue| lost.contains(issue)),
        None => lost.is_empty(),
    };
    let kept: Vec<Block> = blocks
        .iter()
        .zip(&named)
        .filter(|(_, served)| stays(served))
        .map(|(block, _)| block.clone())
        .collect();
    if kept.is_empty() {
        return None;
    }
    let solved = named.iter().filter(|served| stays(served)).flatten();
    Some(Split {
        kept: Proposal::Blocks(kept),
        solved: owned(solved.flatten().copied().collect())
            .into_iter()
            .collect(),
        edits: blocks
            .iter()
            .zip(&named)
            .map(|(block, served)| EditDone {
                issues: owned(served.clone().unwrap_or_else(|| issues.to_vec())),
                kept: stays(served),
                operation: operation(block),
            })
            .collect(),
    })
}

/// The issues of the task that a block names. `None` if it names none, or one that the task does
/// not have.
fn served<'i>(block: &Block, issues: &[&'i str]) -> Option<Vec<&'i str>> {
    let find = |name: &String| {
        let is_meant = |issue: &&&str| {
            issue.eq_ignore_ascii_case(name)
                // `issues: 1, 3` for issue_1 and issue_3.
                || issue.rsplit_once('_').is_some_and(|(_, number)| number == name)
        };
        issues.iter().find(is_meant).copied()
    };
    let found: Option<Vec<&str>> = block.issues.iter().map(find).collect();
    found.filter(|found| !found.is_empty())
}

fn operation(block: &Block) -> Option<OperationDone> {
    let operation = block.operation.as_ref()?;
    Some(OperationDone {
        kind: operation.kind,
        path: operation.path.clone(),
    })
}

fn owned(issues: Vec<&str>) -> Vec<String> {
    issues.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(named: &[&[&str]]) -> Proposal {
        let block = |(at, issues): (usize, &&[&str])| Block {
            issues: owned(issues.to_vec()),
            readings: vec![(at.to_string(), "new".to_owned())],
            ..Block::default()
        };
        Proposal::Blocks(named.iter().enumerate().map(block).collect())
    }

    #[test]
    fn edits_stay_whose_issues_are_all_solved() {
        const ISSUES: [&str; 3] = ["issue_1", "issue_2", "issue_3"];
        for (named, unsolved, expected) in [
            (
                &[&["issue_1"][..], &["issue_2"][..]][..],
                "issue_2",
                &[true, false][..],
            ),
            (&[&["issue_1"], &["issue_1"]], "issue_2", &[true, true]),
            (&[&["issue_1"], &["2"]], "issue_2", &[true, false]),
            // Together they solve `issue_1`.
            (
                &[&["issue_1"], &["issue_1", "issue_2"], &["issue_3"]],
                "issue_2",
                &[false, false, true],
            ),
            // It names no issue of the task, so it belongs to all.
            (&[&["issue_1"], &[]], "issue_2", &[true, false]),
            (&[&["issue_1"], &["issue_9"]], "issue_2", &[true, false]),
            (
                &[&["issue_1"], &["issue_1", "issue_9"]],
                "issue_2",
                &[true, false],
            ),
            (
                &[&["issue_1"], &["constraint_1"]],
                "issue_2",
                &[true, false],
            ),
            (&[&["issue_2"], &[]], "issue_2", &[]),
            (&[&[], &[]], "issue_2", &[]),
        ] {
            let split = split(&blocks(named), &ISSUES, &BTreeSet::from([unsolved]));
            let kept: Vec<bool> = split
                .iter()
                .flat_map(|split| &split.edits)
                .map(|edit| edit.kept)
                .collect();
            assert_eq!(kept, expected, "{named:?}");
            if let Some(Split {
                kept: Proposal::Blocks(blocks),
                solved,
                ..
            }) = split
            {
                assert_eq!(blocks.len(), expected.iter().filter(|kept| **kept).count());
                assert!(!solved.contains(unsolved), "{named:?}");
            }
        }
        let whole = Proposal::Whole("new".to_owned());
        assert_eq!(split(&whole, &ISSUES, &BTreeSet::from(["issue_2"])), None);
    }
}
