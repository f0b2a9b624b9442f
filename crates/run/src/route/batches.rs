//! Groups tasks that may run in parallel into batches (ruling 30).
//!
//! | tasks | batch |
//! |---|---|
//! | edits | first fit, the most severe first, then in text order |
//! | rewritten components | one batch each, after all edits |
//!
//! In a batch, no component is adjacent to another, contains another, or is contained in a
//! neighbour of another: each task gets the current text on both sides as context, and that text
//! must not change meanwhile. Sections 1, 3, 4, 7 give [1, 3, 7] and [4].

use std::collections::BTreeSet;
use std::ops::Bound;

use super::component_tree::Path;
use crate::rubric::FixAction;

/// The properties of a task that matter for batching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Index in the plan.
    pub(super) task: usize,
    /// Path to its component.
    pub(super) path: Path,
    pub(super) action: FixAction,
}

/// Groups tasks into batches. The entries must be in order of priority.
pub(super) fn batches(entries: &[Entry]) -> Vec<Vec<usize>> {
    let mut fitted: Vec<(BTreeSet<&Path>, Vec<usize>)> = Vec::new();
    let edits = entries
        .iter()
        .filter(|entry| entry.action == FixAction::SurgicalEdit);
    for entry in edits {
        let free = fitted
            .iter()
            .position(|(taken, _)| !is_too_close(&entry.path, taken));
        match free.and_then(|at| fitted.get_mut(at)) {
            Some((taken, tasks)) => {
                taken.insert(&entry.path);
                tasks.push(entry.task);
            }
            None => fitted.push((BTreeSet::from([&entry.path]), vec![entry.task])),
        }
    }
    let rewritten = entries
        .iter()
        .filter(|entry| entry.action == FixAction::RegenerateSection)
        .map(|entry| vec![entry.task]);
    fitted
        .into_iter()
        .map(|(_, tasks)| tasks)
        .chain(rewritten)
        .collect()
}

/// Whether a component may not share a batch with those in `taken`.
fn is_too_close(path: &Path, taken: &BTreeSet<&Path>) -> bool {
    let lies_in_one = (0..path.len()).any(|depth| taken.contains(&path[..depth].to_vec()));
    let beside = (0..path.len()).any(|depth| {
        let number = path[depth];
        let neighbours = [number.checked_sub(1), number.checked_add(1)];
        neighbours.into_iter().flatten().any(|neighbour| {
            let mut other = path[..depth].to_vec();
            other.push(neighbour);
            is_taken_within(taken, &other)
        })
    });
    lies_in_one || beside || is_taken_within(taken, path)
}

/// Whether the component at this path, or one inside it, is taken.
fn is_taken_within(taken: &BTreeSet<&Path>, path: &Path) -> bool {
    taken
        .range::<Path, _>((Bound::Included(path), Bound::Unbounded))
        .next()
        .is_some_and(|other| other.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edits(paths: &[&[u32]]) -> Vec<Vec<Vec<u32>>> {
        let entries: Vec<Entry> = paths
            .iter()
            .enumerate()
            .map(|(task, path)| Entry {
                task,
                path: path.to_vec(),
                action: FixAction::SurgicalEdit,
            })
            .collect();
        batches(&entries)
            .into_iter()
            .map(|batch| batch.into_iter().map(|task| paths[task].to_vec()).collect())
            .collect()
    }

    #[test]
    fn edits_go_into_the_first_batch_that_has_room() {
        for (paths, expected) in [
            // Seed 003 §6.1.
            (
                &[&[1_u32][..], &[3], &[4], &[7]][..],
                "[[[1], [3], [7]], [[4]]]",
            ),
            (&[&[1][..], &[2], &[3]], "[[[1], [3]], [[2]]]"),
            // The most severe first, wherever it is in the text.
            (&[&[4][..], &[1], &[3], &[7]], "[[[4], [1], [7]], [[3]]]"),
            // An example and its own section.
            (&[&[2][..], &[2, 0]], "[[[2]], [[2, 0]]]"),
            (&[&[2, 0][..], &[2]], "[[[2, 0]], [[2]]]"),
            // An example and the section after its own.
            (&[&[2, 0][..], &[3]], "[[[2, 0]], [[3]]]"),
            (&[&[2, 0][..], &[4]], "[[[2, 0], [4]]]"),
            (&[&[2, 0][..], &[2, 2]], "[[[2, 0], [2, 2]]]"),
            (&[], "[]"),
        ] {
            assert_eq!(format!("{:?}", edits(paths)), expected, "{paths:?}");
        }
    }

    #[test]
    fn parts_that_are_written_again_run_alone_and_last() {
        let entry = |task, number, action| Entry {
            task,
            path: vec![number],
            action,
        };
        let (edit, rewrite) = (FixAction::SurgicalEdit, FixAction::RegenerateSection);
        let entries = [
            entry(0, 1, rewrite),
            entry(1, 5, edit),
            entry(2, 9, rewrite),
            entry(3, 7, edit),
        ];
        assert_eq!(batches(&entries), [vec![1, 3], vec![0], vec![2]]);
    }

    /// The rule for two components, written out naively.
    fn are_close(a: &[u32], b: &[u32]) -> bool {
        let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        match (a.get(shared), b.get(shared)) {
            (Some(a), Some(b)) => a.abs_diff(*b) == 1,
            _ => true,
        }
    }

    proptest! {
        #[test]
        fn every_task_is_in_one_batch_and_no_two_of_a_batch_are_close(
            paths in prop::collection::btree_set(prop::collection::vec(0_u32..6, 1..4), 0..20),
            rewritten in prop::collection::vec(any::<bool>(), 20),
        ) {
            let entries: Vec<Entry> = paths.iter().zip(&rewritten).enumerate().map(|(task, (path, rewritten))| Entry {
                task,
                path: path.clone(),
                action: if *rewritten { FixAction::RegenerateSection } else { FixAction::SurgicalEdit },
            }).collect();
            let found = batches(&entries);
            let mut seen: Vec<usize> = found.concat();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..entries.len()).collect::<Vec<_>>());
            for batch in &found {
                for (at, one) in batch.iter().enumerate() {
                    for other in &batch[..at] {
                        prop_assert!(!are_close(&entries[*one].path, &entries[*other].path));
                    }
                }
            }
        }
    }
}
