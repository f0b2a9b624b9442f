//! Numbers of a workbook as its sheet shows them: a date is a number with a format, and so is
//! a share in per cent.

use super::workbook::{tags, value};

/// How a number is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NumberFormat {
    #[default]
    Plain,
    Percent,
    Date,
    Time,
    DateTime,
}

/// The days between the two beginnings that workbooks count from: 1900, and 1904 where one
/// says so.
const FOUR_YEARS: f64 = 1462.0;

/// The formats of a workbook, by style.
#[derive(Debug, Default)]
pub(super) struct Formats {
    of_styles: Vec<NumberFormat>,
    /// What is added to a date to count from 1900.
    pub(super) days: f64,
}

impl Formats {
    /// Reads `xl/styles.xml` and `xl/workbook.xml`.
    pub(super) fn of(styles: &str, workbook: &str) -> Self {
        let own: Vec<(String, NumberFormat)> = tags(styles, "numfmt")
            .map(|attributes| {
                let code = value(styles, &attributes, "formatCode");
                (value(styles, &attributes, "numFmtId"), of_code(&code))
            })
            .collect();
        // Those of cells follow those of named styles.
        let at = styles.find("<cellXfs").unwrap_or(styles.len());
        let cells = styles.get(at..).unwrap_or_default();
        let end = cells.find("</cellXfs>").unwrap_or(cells.len());
        let cells = cells.get(..end).unwrap_or_default();
        let formats = tags(cells, "xf").map(|attributes| {
            let id = value(cells, &attributes, "numFmtId");
            let named = own.iter().find(|(own, _)| *own == id);
            named.map_or_else(|| of_id(&id), |(_, format)| *format)
        });
        let mut properties = tags(workbook, "workbookpr");
        let is_later = properties.any(|attributes| {
            let says = value(workbook, &attributes, "date1904");
            matches!(says.as_str(), "1" | "true")
        });
        Self {
            of_styles: formats.collect(),
            days: if is_later { FOUR_YEARS } else { 0.0 },
        }
    }

    pub(super) fn of_style(&self, style: &str) -> NumberFormat {
        let index: Option<usize> = style.parse().ok();
        let format = index.and_then(|index| self.of_styles.get(index));
        format.copied().unwrap_or_default()
    }
}

/// The formats that every workbook has.
fn of_id(id: &str) -> NumberFormat {
    match id.parse::<u32>() {
        Ok(9 | 10) => NumberFormat::Percent,
        Ok(14..=17 | 27..=31 | 36 | 50..=54 | 57..=58) => NumberFormat::Date,
        Ok(18..=21 | 32..=35 | 45..=47 | 55..=56) => NumberFormat::Time,
        Ok(22) => NumberFormat::DateTime,
        _ => NumberFormat::Plain,
    }
}

/// What a format of the workbook's own shows.
fn of_code(code: &str) -> NumberFormat {
    let first = code.split(';').next().unwrap_or_default().to_lowercase();
    let (mut quoted, mut bracketed, mut escaped) = (false, false, false);
    let signs: String = first
        .chars()
        .filter(|c| {
            let is_text = quoted || bracketed || escaped;
            escaped = !is_text && matches!(c, '\\' | '_' | '*');
            match c {
                '"' if !bracketed => quoted = !quoted,
                '[' if !quoted => bracketed = true,
                ']' if !quoted => bracketed = false,
                _ => {}
            }
            !is_text && !matches!(c, '"' | '[' | ']' | '\\')
        })
        .collect();
    let has = |wanted: &[char]| signs.contains(wanted);
    // An `m` alone is a month, beside hours or seconds a minute.
    match (has(&['y', 'd']), has(&['h', 's'])) {
        (true, true) => NumberFormat::DateTime,
        (true, false) => NumberFormat::Date,
        (false, true) if !signs.contains("general") => NumberFormat::Time,
        _ if has(&['%']) => NumberFormat::Percent,
        _ => NumberFormat::Plain,
    }
}

impl NumberFormat {
    /// A number as a reader sees it; dates as ISO 8601 writes them, so many days later.
    pub(super) fn shown(self, written: &str, days: f64) -> String {
        let Ok(number) = written.trim().parse::<f64>() else {
            return written.to_owned();
        };
        match self {
            Self::Plain => plain(number).unwrap_or_else(|| written.to_owned()),
            Self::Percent => {
                plain(number * 100.0).map_or_else(|| written.to_owned(), |text| text + "%")
            }
            Self::Date => date(number + days).unwrap_or_else(|| written.to_owned()),
            Self::Time => time(number).unwrap_or_else(|| written.to_owned()),
            Self::DateTime => match (date(number + days), time(number)) {
                (Some(date), Some(time)) => format!("{date} {time}"),
                _ => written.to_owned(),
            },
        }
    }
}

/// A number with the fifteen digits that spreadsheets show: 0.1 + 0.2 is 0.3.
fn plain(number: f64) -> Option<String> {
    let rounded: f64 = format!("{number:.14e}").parse().ok()?;
    let size = rounded.abs();
    (size == 0.0 || (1e-9..1e15).contains(&size)).then(|| rounded.to_string())
}

/// The day of a number of days since the end of 1899.
fn date(number: f64) -> Option<String> {
    // Later than the year 9999 no spreadsheet counts.
    if !(1.0..2_958_466.0).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "between 1 and 3 million")]
    let mut days = number.floor() as i64;
    // They take 1900 for a leap year.
    days -= i64::from(days > 60);
    // Days since 1970, then the civil calendar (Howard Hinnant's algorithm).
    let since = days - 25_568 + 719_468;
    let era = since.div_euclid(146_097);
    let day_of_era = since.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// The time of day of a number of days.
fn time(number: f64) -> Option<String> {
    if !(0.0..2_958_466.0).contains(&number) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "less than a day has seconds"
    )]
    let seconds = (number.fract() * 86_400.0).round() as i64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(match rest {
        0 => format!("{hours:02}:{minutes:02}"),
        _ => format!("{hours:02}:{minutes:02}:{rest:02}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_sheets_show_them() {
        for (format, written, shown) in [
            (NumberFormat::Plain, "0.30000000000000004", "0.3"),
            (NumberFormat::Plain, "-12", "-12"),
            (NumberFormat::Plain, "6.02214076E+23", "6.02214076E+23"),
            (NumberFormat::Plain, "A", "A"),
            (NumberFormat::Percent, "0.5", "50%"),
            (NumberFormat::Percent, "0.07", "7%"),
            (NumberFormat::Date, "1", "1900-01-01"),
            (NumberFormat::Date, "59", "1900-02-28"),
            (NumberFormat::Date, "61", "1900-03-01"),
            (NumberFormat::Date, "45352", "2024-03-01"),
            (NumberFormat::Date, "36526", "2000-01-01"),
            (NumberFormat::Date, "-1", "-1"),
            (NumberFormat::Time, "0.5", "12:00"),
            (NumberFormat::Time, "0.50001", "12:00:01"),
            (NumberFormat::DateTime, "45352.25", "2024-03-01 06:00"),
        ] {
            assert_eq!(format.shown(written, 0.0), shown, "{format:?} {written}");
        }
    }

    #[test]
    fn formats_are_known_by_their_number_or_their_signs() {
        for (code, format) in [
            ("General", NumberFormat::Plain),
            ("0.00", NumberFormat::Plain),
            ("0.0%", NumberFormat::Percent),
            ("dd\\.mm\\.yyyy", NumberFormat::Date),
            ("[$-407]d. mmmm yyyy;@", NumberFormat::Date),
            ("hh:mm:ss", NumberFormat::Time),
            ("yyyy-mm-dd hh:mm", NumberFormat::DateTime),
            ("0 \"days\"", NumberFormat::Plain),
            ("#,##0.00 [$€-407]", NumberFormat::Plain),
            ("\"yes\"", NumberFormat::Plain),
        ] {
            assert_eq!(of_code(code), format, "{code}");
        }
        let styles = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\"/></numFmts><cellStyleXfs><xf numFmtId=\"9\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>";
        let formats = Formats::of(styles, "");
        assert_eq!(formats.of_style("0"), NumberFormat::Plain);
        assert_eq!(formats.of_style("1"), NumberFormat::Date);
        assert_eq!(formats.of_style("2"), NumberFormat::Date);
        assert_eq!(formats.of_style(""), NumberFormat::Plain);
        let later = "<workbook><workbookPr date1904=\"1\"/></workbook>";
        let days = Formats::of(styles, later).days;
        assert_eq!(NumberFormat::Date.shown("0", days), "1904-01-01");
        assert_eq!(NumberFormat::Date.shown("43890", days), "2024-03-01");
    }
}
