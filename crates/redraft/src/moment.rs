//! Moments in words a person can read. It reads no clock: the times come from
//! journals.

use redraft_core::ask::Time;

/// A moment, by the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    year: u64,
    month: u64,
    day: u64,
    /// Seconds since midnight.
    rest: u64,
    milliseconds: u64,
}

impl From<Time> for Moment {
    fn from(time: Time) -> Self {
        let seconds = time.0 / 1_000;
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        // Civil from days (H. Hinnant), for days since 1970.
        let shifted = days + 719_468;
        let era = shifted / 146_097;
        let day_of_era = shifted % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_index = (5 * day_of_year + 2) / 153;
        let month = if month_index < 10 {
            month_index + 3
        } else {
            month_index - 9
        };
        Self {
            year: year_of_era + era * 400 + u64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_index + 2) / 5 + 1,
            rest,
            milliseconds: time.0 % 1_000,
        }
    }
}

impl Moment {
    /// `20261115-143000`, for the names of files.
    #[must_use]
    pub fn stamp(self) -> String {
        let Self {
            year, month, day, ..
        } = self;
        let (hours, minutes, seconds) = self.clock();
        format!("{year:04}{month:02}{day:02}-{hours:02}{minutes:02}{seconds:02}")
    }

    /// `2026-11-15T14:30:00.000Z`, as ISO 8601 has it.
    #[must_use]
    pub fn iso(self) -> String {
        let Self {
            year,
            month,
            day,
            milliseconds,
            ..
        } = self;
        let (hours, minutes, seconds) = self.clock();
        format!(
            "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z"
        )
    }

    fn clock(self) -> (u64, u64, u64) {
        (self.rest / 3_600, self.rest / 60 % 60, self.rest % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_readable_names() {
        for (milliseconds, stamp, iso) in [
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
            (
                4_102_444_799_999,
                "20991231-235959",
                "2099-12-31T23:59:59.999Z",
            ),
        ] {
            let moment = Moment::from(Time(milliseconds));
            assert_eq!(moment.stamp(), stamp);
            assert_eq!(moment.iso(), iso);
        }
    }
}
