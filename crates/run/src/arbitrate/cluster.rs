//! Merges near-duplicates: issues of one component and criterion that `similar` considers the same.
//! Judges are counted, never weighed.

use std::collections::{BTreeMap, BTreeSet};

use super::is_found;
use super::similar::{Likeness, says_the_same};
use crate::verdict::{Anchored, Issue, IssueSeverity, Occurrence};
use redraft_gate::span::ComponentId;

/// An issue as one judge raised it.
#[derive(Clone, Debug)]
pub(super) struct Raised {
    pub(super) judge: usize,
    /// The component in which it is repaired.
    pub(super) target: ComponentId,
    /// Where its quote was found.
    pub(super) occurrence: Option<Occurrence>,
    pub(super) issue: Issue,
}

/// One problem, as described by all judges who raised it, the most severe first.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) target: ComponentId,
    pub(super) criterion: String,
    pub(super) members: Vec<Raised>,
}

impl Cluster {
    pub(super) fn severity(&self) -> IssueSeverity {
        let severities = self.members.iter().map(|raised| raised.issue.severity);
        severities.max().unwrap_or(IssueSeverity::Minor)
    }

    pub(super) fn judges(&self) -> usize {
        let judges: BTreeSet<usize> = self.members.iter().map(|raised| raised.judge).collect();
        judges.len()
    }

    /// Where the first quote that is in the text was found.
    pub(super) fn occurrence(&self) -> Option<&Occurrence> {
        self.members
            .iter()
            .find_map(|raised| raised.occurrence.as_ref())
    }

    /// The most severe member. If its quote is not in the text, it gets the quote of a member whose
    /// quote is.
    pub(super) fn issue(&self) -> Issue {
        let mut members = self.members.iter().map(|raised| &raised.issue);
        let Some(first) = members.next() else {
            // Unreachable: a cluster has at least one member.
            return Issue {
                criterion: self.criterion.clone(),
                severity: IssueSeverity::Minor,
                location: self.target.clone(),
                quote: None,
                anchor: Anchored::NotQuoted,
                description: String::new(),
                suggested_fix: String::new(),
                source: None,
            };
        };
        let mut issue = first.clone();
        if !is_found(&issue)
            && let Some(quoting) = members.find(|other| is_found(other))
        {
            issue.quote.clone_from(&quoting.quote);
            issue.anchor = quoting.anchor;
            issue.location.clone_from(&quoting.location);
        }
        issue
    }

    /// The first member's fix, then all fixes that say something different.
    pub(super) fn instructions(&self) -> String {
        let mut said: Vec<&str> = Vec::new();
        for raised in &self.members {
            let issue = &raised.issue;
            let fix = match issue.suggested_fix.trim() {
                "" => issue.description.trim(),
                fix => fix,
            };
            let is_new = !said.iter().any(|known| says_the_same(known, fix));
            if is_new && !fix.is_empty() && said.len() < MOST_FIXES {
                said.push(fix);
            }
        }
        said.join("\n")
    }
}

/// With more advice than this about one problem, a patcher does worse.
const MOST_FIXES: usize = 3;

/// Bounds the pairwise comparison; no realistic component has more issues of one kind.
const MOST_COMPARED: usize = 100;

/// Groups near-duplicates. The result does not depend on the order of the issues or on the
/// numbering of the judges.
pub(super) fn clusters(mut raised: Vec<Raised>) -> Vec<Cluster> {
    raised.sort_by(|one, other| weight(one).cmp(&weight(other)));
    let mut groups: BTreeMap<(ComponentId, String), Vec<Raised>> = BTreeMap::new();
    for raised in raised {
        let key = (raised.target.clone(), raised.issue.criterion.clone());
        groups.entry(key).or_default().push(raised);
    }
    groups
        .into_iter()
        .flat_map(|((target, criterion), members)| {
            let target = &target;
            let criterion = &criterion;
            merged(members)
                .into_iter()
                .map(|members| Cluster {
                    target: target.clone(),
                    criterion: criterion.clone(),
                    members,
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Sort key; the smallest leads its cluster. Severe comes before mild, found before not found, then
/// the wording decides, so that it does not matter who raised it.
fn weight(raised: &Raised) -> impl Ord + '_ {
    let issue = &raised.issue;
    let anchor = match issue.anchor {
        Anchored::Exact => 0,
        Anchored::Normalised => 1,
        Anchored::NotQuoted => 2,
        Anchored::Unanchored => 3,
    };
    (
        std::cmp::Reverse(issue.severity),
        anchor,
        raised.occurrence.as_ref().map(|occurrence| {
            (
                occurrence.text,
                occurrence.range.start,
                occurrence.range.end,
            )
        }),
        issue.description.as_str(),
        issue.suggested_fix.as_str(),
        (
            issue.quote.as_deref(),
            issue.source.as_deref(),
            &issue.location,
        ),
    )
}

/// Groups similar issues of one component and criterion.
fn merged(members: Vec<Raised>) -> Vec<Vec<Raised>> {
    let likenesses: Vec<Likeness> = members
        .iter()
        .map(|raised| Likeness::of(&raised.issue, raised.occurrence.as_ref()))
        .collect();
    // An issue joins a cluster only if it resembles the leader. Otherwise a chain of small
    // similarities could connect issues that have nothing in common.
    let mut leaders: Vec<usize> = Vec::new();
    let mut first: Vec<usize> = Vec::with_capacity(members.len());
    for (index, likeness) in likenesses.iter().enumerate() {
        let same = leaders.iter().take(MOST_COMPARED).find(|leader| {
            likenesses
                .get(**leader)
                .is_some_and(|other| likeness.is_same(other))
        });
        let leader = same.copied().unwrap_or(index);
        if leader == index {
            leaders.push(index);
        }
        first.push(leader);
    }
    let mut clusters: BTreeMap<usize, Vec<Raised>> = BTreeMap::new();
    for (raised, leader) in members.into_iter().zip(first) {
        clusters.entry(leader).or_default().push(raised);
    }
    clusters.into_values().collect()
}
