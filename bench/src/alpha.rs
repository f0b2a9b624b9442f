//! What Krippendorff's alpha costs, by size and metric.

use std::hint::black_box;

use redraft_run::agreement::{self, Metric};

use crate::clock::cpu_seconds;

/// Scores of judges (rows) in thousandths, one in twenty missing, from a fixed
/// sequence of numbers.
fn table(judges: usize, things: usize) -> Vec<Vec<Option<f64>>> {
    let mut state = 1u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 33).unwrap_or(0)
    };
    (0..judges)
        .map(|_| {
            (0..things)
                .map(|_| (next() % 20 > 0).then(|| f64::from(next() % 1001) / 1000.0))
                .collect()
        })
        .collect()
}

pub(crate) fn measure() {
    for (judges, things, times) in [(3, 6, 10_000), (3, 1_000, 100), (10, 100_000, 1)] {
        let tables = vec![table(judges, things); 1];
        for metric in [
            Metric::Nominal,
            Metric::Ordinal,
            Metric::Interval,
            Metric::Ratio,
        ] {
            let seconds = cpu_seconds(&tables, |table| {
                for _ in 0..times {
                    black_box(agreement::alpha(table, metric).ok());
                }
            });
            println!(
                "{judges:>2} judges, {things:>6} things, {:<8} {:>12.2} µs",
                format!("{metric:?}").to_lowercase(),
                seconds / f64::from(times) * 1e6
            );
        }
    }
}
