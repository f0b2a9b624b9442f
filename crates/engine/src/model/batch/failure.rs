//! Why an ask of a batch has no response, and whether trying again can help.

use std::io;
use std::path::Path;

use crate::model::failure::ProviderError;

/// Why an ask has no response.
#[derive(Clone, Debug)]
pub(in crate::model) enum BatchFailure {
    /// Nothing was sent.
    Unreachable(String),
    /// It was sent, and what became of it is not known.
    Unanswered(String),
    Rejected(ProviderError),
    /// No ask of its batch has a response, so the batch may be at fault.
    RejectedWithAll(ProviderError),
}

pub(super) fn rejected(status: u16, message: String) -> BatchFailure {
    BatchFailure::Rejected(ProviderError {
        message,
        status: Some(status),
        ..ProviderError::default()
    })
}

impl BatchFailure {
    /// The failure of an ask whose whole batch has failed.
    pub(super) fn with_all(self) -> Self {
        match self {
            Self::Rejected(error) => Self::RejectedWithAll(error),
            other => other,
        }
    }
}

pub(super) fn unwritten(folder: &Path, error: &io::Error) -> BatchFailure {
    let message = format!("cannot record the batch in {}: {error}", folder.display());
    BatchFailure::Unreachable(message)
}

/// Whether what was sent may have been accepted.
pub(super) fn has_perhaps_arrived(failure: &BatchFailure) -> bool {
    match failure {
        BatchFailure::Unreachable(_) => false,
        BatchFailure::Unanswered(_) => true,
        BatchFailure::Rejected(error) | BatchFailure::RejectedWithAll(error) => {
            error.status.is_none_or(|status| status >= 500)
        }
    }
}

/// Whether sending again may bring something else.
pub(super) fn passes(failure: &BatchFailure) -> bool {
    match failure {
        BatchFailure::Unreachable(_) => false,
        BatchFailure::Unanswered(_) => true,
        BatchFailure::Rejected(error) | BatchFailure::RejectedWithAll(error) => {
            let is_busy = |status| matches!(status, 408 | 409 | 425 | 429 | 500..);
            error.status.is_some_and(is_busy) && !error.lacks_credit()
        }
    }
}

/// Whether the provider does not have it any more.
pub(super) fn is_gone(failure: &BatchFailure) -> bool {
    matches!(failure, BatchFailure::Rejected(error) if matches!(error.status, Some(404 | 410)))
}

/// Whether polling again would give the same result.
pub(super) fn is_final(failure: &BatchFailure) -> bool {
    let BatchFailure::Rejected(error) = failure else {
        return false;
    };
    matches!(error.status, Some(400..=407 | 410 | 422))
}

pub(super) fn unreadable(answer: &[u8]) -> BatchFailure {
    let beginning: String = String::from_utf8_lossy(answer).chars().take(200).collect();
    BatchFailure::Rejected(ProviderError {
        message: format!("the answer has no id of a batch: {beginning}"),
        ..ProviderError::default()
    })
}
