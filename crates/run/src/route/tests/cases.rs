//! Fixtures of the router's tests: small lessons, a rubric, scores from a judge's reply, issues,
//! and plans shown as one line per task.

use std::fmt::Write as _;

use super::super::*;
use crate::arbitrate::ContextWindow;
use crate::ask::{ModelSettings, Reply, Role};
use crate::assess::Vote;
use crate::rubric::{Anchor, Criterion, Repair};
use crate::verdict::{self, Issue, Judge, Question};
use redraft_gate::content::{Component, ComponentKind, DocumentBuilder, NewText, TextRole};
use redraft_gate::score::Precision;
use redraft_gate::source::Source;
use redraft_text::language::Language;
use redraft_text::text_map::TextMap;

pub(super) use FixAction::{RegenerateSection as Rewrite, SurgicalEdit as Edited};
pub(super) use IssueSeverity::{Critical, Major, Minor};

/// A Markdown lesson with sections `## …` that contain examples `### …`. Text before them is the
/// introduction.
pub(super) fn lesson(text: &str) -> Document {
    let source = Source::new(text.as_bytes().to_vec());
    let mut builder = DocumentBuilder::new(source, "markdown");
    let heads: Vec<(usize, &str)> = text
        .match_indices("## ")
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with(['\n', '#']))
        .map(|(at, _)| {
            let start = if text[..at].ends_with('#') {
                at - 1
            } else {
                at
            };
            (start, text[start..].lines().next().unwrap())
        })
        .collect();
    let end_of = |at: usize, level: usize| {
        let later = heads.iter().filter(|(start, _)| *start > at);
        later
            .filter(|(_, line)| line.chars().take_while(|c| *c == '#').count() <= level)
            .map(|(start, _)| *start)
            .next()
            .unwrap_or(text.len())
    };
    let mut add = |id: String, kind, title: Option<String>, range, parent| {
        builder.component(Component {
            id: ComponentId(id),
            kind,
            title,
            range,
            parent: Some(parent),
        })
    };
    let first = heads.first().map_or(text.len(), |(start, _)| *start);
    if first > 0 {
        add(
            "sec_introduction".to_owned(),
            ComponentKind::Introduction,
            None,
            0..first,
            0,
        );
    }
    let (mut sections, mut examples, mut parent) = (0, 0, 0);
    for (start, line) in &heads {
        let title = Some(line.trim_start_matches('#').trim().to_owned());
        if line.starts_with("###") {
            examples += 1;
            let id = format!("example_{examples}");
            add(
                id,
                ComponentKind::Example,
                title,
                *start..end_of(*start, 3),
                parent,
            );
        } else {
            sections += 1;
            let id = format!("sec_{sections}");
            let range = *start..end_of(*start, 2);
            parent = add(id, ComponentKind::Section, title, range, 0);
        }
    }
    builder.text(NewText {
        component: 0,
        path: "".into(),
        role: TextRole::Body,
        map: TextMap::identity(0, text.len()),
        text: builder.source_text().into(),
        markdown: None,
    });
    builder.finish(Some(Language::EN))
}

pub(super) fn seven() -> Document {
    let text = (1..=7).fold(String::new(), |mut text, number| {
        let _ = write!(
            text,
            "## Part {number} of it\n\nFact {number} is told. It is long. More of {number}. Last of {number}.\n\n"
        );
        text
    });
    lesson(&text)
}

pub(super) fn score(thousandths: u16) -> Score {
    Score::from_thousandths(thousandths).unwrap()
}

pub(super) const CRITERIA: [(&str, u32, Option<&str>); 4] = [
    ("accuracy", 30, Some("sec_2")),
    ("structure", 20, None),
    ("clarity", 20, None),
    ("completeness", 10, Some("sec_4")),
];

pub(super) fn rubric(with_targets: bool) -> Rubric {
    let criteria = CRITERIA.iter().map(|(name, weight, target)| Criterion {
        name: (*name).to_owned(),
        weight: *weight,
        threshold: Some(score(880)),
        description: format!("what {name} is about"),
        not_about: String::new(),
        anchors: vec![Anchor {
            at: Score::ONE,
            means: String::new(),
        }],
        evidence: String::new(),
        repair: Repair {
            critical: FixAction::RegenerateSection,
            major: FixAction::RegenerateSection,
            minor: FixAction::SurgicalEdit,
            major_addition: None,
            quoted: None,
            target: target.filter(|_| with_targets).map(str::to_owned),
        },
        factual: false,
    });
    Rubric {
        name: "test".to_owned(),
        criteria: criteria.collect(),
        hierarchy: CRITERIA
            .iter()
            .map(|(name, ..)| (*name).to_owned())
            .collect(),
        precision: Precision::Thousandths,
        reasons: false,
        terse: false,
    }
}

/// Scores can only come from a judge's reply.
pub(super) fn assessment(document: &Document, rubric: &Rubric, scores: [&str; 4]) -> Assessment {
    let model = ModelSettings::scripted("m", 100);
    let judge = Judge::new(Role::JudgeSecondary, &model);
    let question = Question {
        document,
        rubric,
        judge: &judge,
        has_sources: true,
    };
    let given: Vec<String> = CRITERIA
        .iter()
        .zip(scores)
        .map(|((name, ..), score)| format!("\"{name}\": {score}"))
        .collect();
    let reply = format!(
        "{{\"text_id\": \"{}\", \"issues\": [], \"strengths\": [], \"scores\": {{{}}}, \"overall\": 0.5, \"confidence\": \"high\"}}",
        document.source().version(),
        given.join(", ")
    );
    let reply = Reply::of(reply);
    let verdict = verdict::read(&question, &reply).unwrap();
    let vote = Vote {
        verdict: &verdict,
        weight: 1,
    };
    Assessment::of(&[vote], rubric, &[]).unwrap()
}

pub(super) fn issue(
    id: usize,
    target: &str,
    severity: IssueSeverity,
    action: FixAction,
) -> TargetedIssue {
    TargetedIssue {
        id: format!("issue_{id}"),
        issue: Issue {
            criterion: "clarity".to_owned(),
            severity,
            location: ComponentId::from(target),
            quote: None,
            anchor: Anchored::NotQuoted,
            description: format!("fault {id}"),
            suggested_fix: String::new(),
            source: None,
        },
        target_section_id: ComponentId::from(target),
        fix_action: action,
        context_window: ContextWindow::default(),
        fix_instructions: format!("Mend fault {id}."),
        raised_by: 1,
    }
}

pub(super) fn ruled(issues: Vec<TargetedIssue>) -> Arbitration {
    Arbitration::of_nobody(issues)
}

/// A plan with some settings; everything else is default.
pub(super) struct Case<'a> {
    pub(super) document: &'a Document,
    pub(super) arbitration: Arbitration,
    pub(super) rubric: Rubric,
    pub(super) scores: Option<[&'a str; 4]>,
    pub(super) findings: Vec<Finding>,
    pub(super) figures: RouteFigures,
    pub(super) locked: &'a [&'a str],
}

impl<'a> Case<'a> {
    pub(super) fn of(document: &'a Document, issues: Vec<TargetedIssue>) -> Self {
        Self {
            document,
            arbitration: ruled(issues),
            rubric: rubric(false),
            scores: None,
            findings: Vec::new(),
            figures: RouteFigures::by_component(Targets::All),
            locked: &[],
        }
    }

    pub(super) fn plan(&self) -> RefinementPlan {
        let assessment = self
            .scores
            .map(|scores| assessment(self.document, &self.rubric, scores));
        route(&Routing {
            document: self.document,
            companions: &Companions::default(),
            rubric: &self.rubric,
            arbitration: &self.arbitration,
            assessment: assessment.as_ref(),
            findings: &self.findings,
            figures: &self.figures,
            locked: &self
                .locked
                .iter()
                .map(|id| ComponentId::from(*id))
                .collect(),
        })
    }
}

/// One line per task: `sec_1 edit: issue_1 issue_2`.
pub(super) fn shown(plan: &RefinementPlan) -> Vec<String> {
    plan.tasks
        .iter()
        .map(|task| {
            let action = match task.action_type {
                Edited => "edit",
                Rewrite => "rewrite",
            };
            let issues: Vec<&str> = task
                .source_issues
                .iter()
                .map(|issue| issue.id.as_str())
                .collect();
            format!("{} {action}: {}", task.section_id, issues.join(" "))
        })
        .collect()
}

pub(super) fn batches_of(plan: &RefinementPlan) -> Vec<Vec<&str>> {
    plan.execution_batches
        .iter()
        .map(|batch| batch.iter().map(|id| id.0.as_str()).collect())
        .collect()
}

pub(super) fn whole_figures() -> RouteFigures {
    RouteFigures::seed("structure")
}
