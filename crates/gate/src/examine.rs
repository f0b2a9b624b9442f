//! Running the checks over a document: which ones, with which figures, and what
//! the user has chosen not to hear.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::check::{Check, Examination, Mends, Sink};
use crate::companion::Companions;
use crate::content::Document;
use crate::field_map::FieldMap;
use crate::finding::{Finding, Severity};
use crate::fingerprint::fingerprint;
use crate::policy::Parameters;
use crate::reading::Shapes;
use crate::silence::{self, IgnoreComments, Silences, Unheeded};

/// What the user has chosen for a document.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Codes of checks that are not to run.
    pub disabled: BTreeSet<String>,
    /// Severities by code.
    pub severities: BTreeMap<String, Severity>,
    /// The figures in force.
    pub parameters: Parameters,
    /// Choices for some components only.
    pub components: Vec<ComponentRule>,
    /// What component ids begin with in the file that the document is an item of:
    /// `item_3/`. Patterns may be written for either.
    pub component_prefix: String,
    /// Whether ignore comments in the text count.
    pub ignore_comments: IgnoreComments,
    /// Findings that a baseline lists.
    pub known: Arc<KnownFindings>,
    /// All checks that an ignore comment may name, also those of other profiles. Where
    /// the list is empty, names in ignore comments are not examined.
    pub known_checks: &'static [&'static Check],
    /// The shapes of JSON that are documents, also those of other profiles.
    pub shapes: Shapes,
    /// Where the file is JSON of the user's own shape.
    pub field_map: Option<Arc<FieldMap>>,
}

/// A choice for the components whose ids match a pattern.
#[derive(Clone, Debug)]
pub struct ComponentRule {
    /// An id, where `*` stands for anything.
    pub pattern: String,
    /// Codes not to be reported there.
    pub disabled: BTreeSet<String>,
    /// Severities there, by code.
    pub severities: BTreeMap<String, Severity>,
}

/// What an examination gave.
#[derive(Debug, Default)]
pub struct Examined {
    /// In the order of the file; at the same place by code.
    pub findings: Vec<Finding>,
    /// Findings that an ignore comment silenced, with its reason.
    pub silenced: Vec<(Finding, String)>,
    /// Findings that the baseline lists.
    pub known: Vec<Finding>,
    /// Ignore comments that do not count.
    pub unheeded: Vec<Unheeded>,
}

/// The findings of one file that a baseline lists: how often each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFindings(pub BTreeMap<String, usize>);

impl KnownFindings {
    /// What a baseline calls a finding: its check and the words it points at.
    #[must_use]
    pub fn key(document: &Document, finding: &Finding) -> String {
        format!("{} {}", finding.check.code, fingerprint(document, finding))
    }

    /// Removes the known findings and returns them.
    fn take(&self, document: &Document, findings: &mut Vec<Finding>) -> Vec<Finding> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut left = self.0.clone();
        findings
            .extract_if(.., |finding| {
                match left.get_mut(&Self::key(document, finding)) {
                    Some(count) if *count > 0 => {
                        *count -= 1;
                        true
                    }
                    _ => false,
                }
            })
            .collect()
    }
}

/// Runs the checks over a document.
#[must_use]
pub fn examine(
    checks: &[&'static Check],
    document: &Document,
    companions: &Companions,
    settings: &Settings,
) -> Examined {
    let mut findings = Vec::new();
    for check in checks
        .iter()
        .filter(|check| !settings.disabled.contains(check.code))
    {
        let examination = Examination::new(check, document, companions, &settings.parameters)
            .with_known_checks(settings.known_checks);
        (check.run)(&examination, &mut Sink::new(check, document, &mut findings));
    }
    for finding in &mut findings {
        if let Some(severity) = settings.severities.get(finding.check.code) {
            finding.severity = *severity;
        }
        let here = matching_rules(settings, finding)
            .filter_map(|rule| rule.severities.get(finding.check.code))
            .last();
        if let Some(severity) = here {
            finding.severity = *severity;
        }
    }
    findings.retain(|finding| {
        !matching_rules(settings, finding).any(|rule| rule.disabled.contains(finding.check.code))
    });
    if !document.source().takes_text() {
        withhold_text_fixes(&mut findings);
    }
    findings.sort_by(|a, b| {
        (a.span.start, a.span.end, a.check.code, &a.message).cmp(&(
            b.span.start,
            b.span.end,
            b.check.code,
            &b.message,
        ))
    });
    findings.dedup_by(|later, earlier| {
        later.span == earlier.span
            && later.check.code == earlier.check.code
            && later.message == earlier.message
    });
    let known = settings.known.take(document, &mut findings);
    let (silences, unheeded) = match settings.ignore_comments {
        IgnoreComments::Honoured => (silence::in_document(document), Vec::new()),
        IgnoreComments::NotHonoured => (Silences::default(), silence::unheeded(document)),
    };
    Examined {
        known,
        unheeded,
        ..partition(document, findings, &silences)
    }
}

fn matching_rules<'a>(
    settings: &'a Settings,
    finding: &'a Finding,
) -> impl Iterator<Item = &'a ComponentRule> {
    settings.components.iter().filter(|rule| {
        let id = &finding.component.0;
        matches(&rule.pattern, id)
            || !settings.component_prefix.is_empty()
                && matches(&rule.pattern, &format!("{}{id}", settings.component_prefix))
    })
}

/// An edit computed on the text of a file that is not UTF-8 would write the
/// wrong bytes. Such a file is first converted; everything else waits for the
/// next round.
fn withhold_text_fixes(findings: &mut [Finding]) {
    for finding in findings
        .iter_mut()
        .filter(|finding| finding.check.mends != Mends::ByConversion)
    {
        finding.fix = None;
    }
}

/// Takes out what comments silence. The others stay where they are: a large bank has
/// hundreds of thousands of them.
fn partition(document: &Document, mut findings: Vec<Finding>, silences: &Silences) -> Examined {
    let reason = |finding: &Finding| {
        let at = document.source().text_range(finding.span).start;
        silences.reason(finding.check, at).map(str::to_owned)
    };
    let silenced = findings.extract_if(.., |finding| reason(finding).is_some());
    let silenced = silenced.filter_map(|finding| reason(&finding).map(|reason| (finding, reason)));
    let silenced = silenced.collect();
    findings.shrink_to_fit();
    Examined {
        findings,
        silenced,
        ..Examined::default()
    }
}

/// Whether an id matches a pattern in which `*` stands for anything.
fn matches(pattern: &str, id: &str) -> bool {
    let Some((first, rest_of_pattern)) = pattern.split_once('*') else {
        return pattern == id;
    };
    let (middle, last) = rest_of_pattern
        .rsplit_once('*')
        .unwrap_or(("", rest_of_pattern));
    let Some(mut inner) = id
        .strip_prefix(first)
        .and_then(|rest| rest.strip_suffix(last))
    else {
        return false;
    };
    for part in middle.split('*') {
        match inner.find(part) {
            Some(at) => inner = &inner[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_in_a_component_pattern_stands_for_anything() {
        for (pattern, id, expected) in [
            ("sec_1", "sec_1", true),
            ("sec_1", "sec_10", false),
            ("exercise_*", "exercise_3", true),
            ("exercise_*", "example_3", false),
            ("*/stem", "item_4/stem", true),
            ("*/stem", "item_4/stems", false),
            ("*", "anything", true),
            ("item_*/*", "item_4/options", true),
            ("a*a", "a", false),
            ("a*b", "abb", true),
        ] {
            assert_eq!(matches(pattern, id), expected, "{pattern} {id}");
        }
    }
}
