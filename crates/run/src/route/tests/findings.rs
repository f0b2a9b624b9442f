//! Findings of the checks, in addition to judges' issues: which join a task and which create one.

use super::super::*;
use super::cases::*;
use redraft_gate::check::{Check, Concern, Mends, Phase};
use redraft_gate::edit::Edit;
use redraft_gate::finding::Fix;

static HYGIENE: Check = check(Phase::Hygiene);
static SEMANTICS: Check = check(Phase::Semantics);
static CUE: Check = Check {
    mends: Mends::ByTask,
    ..check(Phase::Semantics)
};

const fn check(phase: Phase) -> Check {
    Check {
        code: "TST001",
        name: "test-fault",
        severity: Severity::Error,
        critical: false,
        mends: Mends::Never,
        phase,
        concern: Concern::Hygiene,
        summary: "",
        what: "",
        why: "",
        examples: &[],
        parameters: &[],
        caps: &[],
        run: |_, _| {},
    }
}

#[test]
fn open_findings_go_along_and_errors_make_tasks() {
    let document = seven();
    let finding = |check: &'static Check, severity, part: &str, fix: Option<Fix>| Finding {
        check,
        severity,
        critical: false,
        component: ComponentId::from(part),
        span: document.span(0..1),
        message: format!("a fault in {part}"),
        fix,
        caps: Vec::new(),
        remedy: None,
    };
    let safe = || {
        Some(Fix::safe(vec![Edit {
            span: document.span(0..1),
            text: String::new(),
        }]))
    };
    let alone = &["sec_2 edit: issue_1"][..];
    let rewritten = &["sec_2 rewrite: issue_1"][..];
    let beside = &["sec_2 edit: issue_1", "sec_4 edit: "][..];
    let rewritten_beside = &["sec_2 edit: issue_1", "sec_4 rewrite: "][..];
    for (check, severity, part, fix, expected) in [
        (&SEMANTICS, Severity::Warning, "sec_2", None, alone),
        (&SEMANTICS, Severity::Error, "sec_2", None, alone),
        (&HYGIENE, Severity::Error, "sec_2", None, rewritten),
        (&CUE, Severity::Warning, "sec_4", None, beside),
        (&CUE, Severity::Info, "sec_4", None, alone),
        (&SEMANTICS, Severity::Error, "sec_4", None, beside),
        (&HYGIENE, Severity::Error, "sec_4", None, rewritten_beside),
        // No task: a warning alone, information, a safe fix, the whole document, a locked
        // component.
        (&SEMANTICS, Severity::Warning, "sec_4", None, alone),
        (&SEMANTICS, Severity::Info, "sec_2", None, alone),
        (&HYGIENE, Severity::Error, "sec_4", safe(), alone),
        (&HYGIENE, Severity::Error, "sec_global", None, alone),
        (&HYGIENE, Severity::Error, "sec_7", None, alone),
    ] {
        let goes_along = severity != Severity::Info
            && fix.is_none()
            && !["sec_global", "sec_7"].contains(&part)
            && !(severity == Severity::Warning && part == "sec_4" && check.mends == Mends::Never);
        let case = Case {
            findings: vec![finding(check, severity, part, fix)],
            locked: &["sec_7"],
            ..Case::of(&document, vec![issue(1, "sec_2", Minor, Edited)])
        };
        let plan = case.plan();
        assert_eq!(shown(&plan), expected, "{severity:?} {part}");
        assert_eq!(
            plan.served_findings.len(),
            usize::from(goes_along),
            "{severity:?} {part}"
        );
        let is_told = plan
            .tasks
            .iter()
            .any(|task| task.synthesized_instructions.contains("a fault in"));
        assert_eq!(is_told, goes_along, "{severity:?} {part}");
    }
}
