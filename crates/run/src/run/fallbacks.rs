//! Which model of a role is asked next, how long to wait before a retry, and the reason that a
//! failure becomes if no fallback is left.

use crate::ask::{CallFailure, FailureKind, ModelSettings};
use crate::fit::TooLong;
use crate::repair;
use crate::setup::Seat;
use crate::verdict::{Reason, Unscored};

/// The models of a role in the order in which they are asked.
pub(super) struct Fallbacks {
    seat: Seat,
    at: usize,
}

impl Fallbacks {
    pub(super) fn new(seat: Seat) -> Self {
        Self { seat, at: 0 }
    }

    pub(super) fn seat(&self) -> &Seat {
        &self.seat
    }

    /// The model that is asked now; `None` if all have failed.
    pub(super) fn current(&self) -> Option<&ModelSettings> {
        self.seat.models.get(self.at)
    }

    /// The model that is asked if the current one fails.
    pub(super) fn following(&self) -> Option<&ModelSettings> {
        self.seat.models.get(self.at + 1)
    }

    /// The model that was asked last, even if all have failed.
    pub(super) fn last_asked(&self) -> Option<&ModelSettings> {
        let last = self.seat.models.len().saturating_sub(1);
        self.seat.models.get(self.at.min(last))
    }

    pub(super) fn name(&self) -> String {
        self.current().map(ModelSettings::name).unwrap_or_default()
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// Schedules a model once more, after all others.
    pub(super) fn ask_last(&mut self, model: ModelSettings) {
        self.seat.models.push(model);
    }

    pub(super) fn reorder(&mut self, models: Vec<ModelSettings>) {
        self.seat.models = models;
    }
}

/// The reason that a failure becomes if there is no fallback.
pub(super) fn unscored(failure: &CallFailure) -> Unscored {
    let reason = match failure.kind {
        FailureKind::TooLong => Reason::TooLong,
        FailureKind::OverBudget => Reason::OverBudget,
        FailureKind::Transient { .. } | FailureKind::Permanent => Reason::CallFailed,
    };
    Unscored::new(reason, failure.message.clone())
}

/// Why a model cannot be asked.
pub(super) fn does_not_fit(
    model: &ModelSettings,
    context: Option<u64>,
    too_long: TooLong,
) -> Unscored {
    let takes = context.map_or_else(String::new, |context| {
        format!(
            ", which takes {context} tokens in one call and keeps {} of them for its answer",
            model.max_tokens
        )
    });
    Unscored::new(
        Reason::TooLong,
        format!(
            "the question does not fit into {}{takes}: it needs {} tokens, and there is room for {}; name a model with a longer context",
            model.name(),
            too_long.needed,
            too_long.limit
        ),
    )
}

impl From<repair::FormError> for Unscored {
    fn from(error: repair::FormError) -> Self {
        let reason = match &error {
            repair::FormError::Empty => Reason::Empty,
            repair::FormError::Refused(_) => Reason::Refused,
            repair::FormError::Truncated => Reason::Truncated,
            repair::FormError::Missing(_) | repair::FormError::Malformed(_) => Reason::WrongShape,
        };
        Self::new(reason, error.to_string())
    }
}

/// The wait before the next try in milliseconds: exponential, plus a jitter of up to half as much,
/// so that calls that failed together are not retried together. The jitter is derived from the
/// ask's name and not random, so that a replay waits as long.
pub(super) fn patience(failed: u32, name: &str) -> u64 {
    let wait = 500u64 << failed.min(6);
    let mixed = name
        .bytes()
        .chain(failed.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    wait + (mixed >> 32) % (wait / 2)
}
