//! Times of a run in the form people and file names use. It reads no clock: the
//! times come from journals.

use jiff::Timestamp;
use redraft_run::ask::Time;

/// `2026-11-15T14:30:00.000Z` (ISO 8601).
#[must_use]
pub fn iso(time: Time) -> String {
    timestamp(time)
        .strftime("%Y-%m-%dT%H:%M:%S.%3fZ")
        .to_string()
}

/// `20261115-143000`, for names of files.
#[must_use]
pub fn stamp(time: Time) -> String {
    timestamp(time).strftime("%Y%m%d-%H%M%S").to_string()
}

fn timestamp(time: Time) -> Timestamp {
    i64::try_from(time.0)
        .ok()
        .and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok())
        .unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_readable_names() {
        for (milliseconds, name, written) in [
            (0, "19700101-000000", "1970-01-01T00:00:00.000Z"),
            (
                951_782_400_000,
                "20000229-000000",
                "2000-02-29T00:00:00.000Z",
            ),
            (
                1_794_753_045_007,
                "20261115-143045",
                "2026-11-15T14:30:45.007Z",
            ),
        ] {
            assert_eq!(stamp(Time(milliseconds)), name);
            assert_eq!(iso(Time(milliseconds)), written);
        }
        assert!(iso(Time(u64::MAX)).starts_with("9999"));
    }
}
