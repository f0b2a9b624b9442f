//! What blind solving came to over a bank, once all its items are done: a solver that
//! differs from too many keys is reported itself, and what it disputes does not count.

use redraft_report::judge_report::Judged;
use redraft_report::solver_report::SolverReport;
use redraft_run::solve::SolverRecord;

use super::jobs::JobResult;

/// Whether a result waits for the rest of its bank: the solver that disputes its key may
/// turn out not to be believed.
pub(super) fn waits(result: &JobResult) -> bool {
    matches!(result, JobResult::Judged(one) if one.undisputed.is_some())
}

/// Settles whether the solver of a bank is believed; `None` where nothing was solved.
/// `is_its` tells by their index which results are the bank's.
pub(super) fn settle(
    bank: &str,
    all: &mut [(usize, JobResult)],
    is_its: impl Fn(usize) -> bool,
) -> Option<SolverReport> {
    let mut items: Vec<&mut Judged> = all
        .iter_mut()
        .filter(|(index, _)| is_its(*index))
        .filter_map(|(_, result)| match result {
            JobResult::Judged(one) => Some(one.as_mut()),
            _ => None,
        })
        .collect();
    let solvings = || items.iter().filter_map(|one| one.outcome.solving.as_ref());
    let record = SolverRecord::of(solvings());
    let model = solvings().next()?.model.clone();
    let policy = items.first()?.solver;
    let report = SolverReport::new(bank.to_owned(), model, record, policy);
    if !report.believed {
        for one in &mut items {
            one.disbelieve_solver();
        }
    }
    Some(report)
}
