//! An Excel workbook as the text of a table: the sheets whose header names a question and
//! options, one below the other, hidden ones too. Formulas are not computed: a cell has the
//! value that was saved with it, and one without a value in a column that is read, or with an
//! error as its value, is refused. Merged cells have their value in the first.

use std::ops::Range;

use crate::html;
use crate::table::{self, Column, Columns};
use crate::units::{self, Unit};
use crate::xml::{self, Piece, Pieces};

use super::numbers::{Formats, NumberFormat};
use super::zip::Archive;
use super::{ArchiveError, unread};

const WORKBOOK: &str = "xl/workbook.xml";

/// Columns after these are not read: no bank has so many.
const MOST_COLUMNS: usize = 256;
/// A title may stand above the header.
const MOST_TITLE_ROWS: usize = 10;
/// Cells without a value that are remembered.
const MOST_UNKNOWN: usize = 10_000;
/// A larger gap between two rows is not kept.
const LARGEST_GAP: usize = 100;

pub(super) fn is_workbook(archive: &Archive<'_>) -> bool {
    archive.find(WORKBOOK).is_some()
}

/// The table of a workbook.
pub(super) fn text(archive: &Archive<'_>, most: u64) -> Result<String, ArchiveError> {
    let mut reading = Reading {
        archive,
        most,
        room: most,
    };
    let strings = reading.strings()?;
    let workbook = reading.text_of(WORKBOOK)?.unwrap_or_default();
    let styles = reading.text_of("xl/styles.xml")?.unwrap_or_default();
    let formats = Formats::of(&styles, &workbook);
    let mut tables: Vec<Table> = Vec::new();
    let mut other: Option<Table> = None;
    // The sheets that are not read, though something stands in them.
    let mut unread: Vec<String> = Vec::new();
    for (title, name) in reading.sheets(&workbook)? {
        let sheet = reading.text_of(&name)?;
        let sheet = sheet.ok_or_else(|| ArchiveError::DamagedMember(name.clone()))?;
        let broken = xml::elements(&sheet, &[]).troubles;
        if !broken.is_empty() {
            return Err(ArchiveError::DamagedMember(name));
        }
        let mut unknown = Vec::new();
        let rows = reading.rows(&sheet, &strings, &formats, &mut unknown)?;
        match Table::of(rows) {
            Ok((table, header)) => {
                table.must_know(&unknown, header)?;
                tables.push(table);
            }
            Err(rows) if rows.iter().flatten().all(|cell| cell.trim().is_empty()) => {}
            Err(rows) => {
                unread.push(title);
                other.get_or_insert(Table {
                    columns: Vec::new(),
                    rows,
                });
            }
        }
    }
    if tables.is_empty()
        && let Some(other) = other
    {
        // Its columns may still be named by the user.
        tables.push(other);
        unread.remove(0);
    }
    let mut written = written(&tables);
    for title in unread {
        let mark = unread::mark(&format!("sheet {title}"));
        written.push_str(&table::cell_text(mark.trim_end(), ','));
        written.push('\n');
    }
    match written.len() as u64 > most {
        true => Err(ArchiveError::TooLarge(most)),
        false => Ok(written),
    }
}

/// A sheet with questions: what its columns are, and its rows from the header on.
struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The table in the rows of a sheet, or the rows.
    fn of(mut rows: Vec<Vec<String>>) -> Result<(Self, usize), Vec<Vec<String>>> {
        let header = rows.iter().take(MOST_TITLE_ROWS).position(|row| {
            let names = row.clone();
            Columns::of(names, ',').is_some()
        });
        let Some(header) = header else {
            return Err(rows);
        };
        rows.drain(..header);
        let names = rows.first().cloned().unwrap_or_default();
        let columns = Columns::of(names, ',').map(|columns| columns.columns);
        let table = Self {
            columns: columns.unwrap_or_default(),
            rows,
        };
        Ok((table, header))
    }

    /// Refuses cells without a value that would be read, below the header.
    fn must_know(&self, unknown: &[Unknown], header: usize) -> Result<(), ArchiveError> {
        let is_read = |cell: &&Unknown| {
            let column = self.columns.get(cell.column);
            cell.row > header && column.is_some_and(|column| *column != Column::Other)
        };
        match unknown.iter().find(is_read) {
            Some(cell) => Err(ArchiveError::NoValue(cell.place.clone())),
            None => Ok(()),
        }
    }
}

/// A cell whose value nobody knows: a formula that was never computed, or an error.
struct Unknown {
    row: usize,
    column: usize,
    /// Such as `B2`.
    place: String,
}

/// Tables one below the other, under the header of the first and what others have more.
fn written(tables: &[Table]) -> String {
    let Some(first) = tables.first() else {
        return String::new();
    };
    let mut header = first.rows.first().cloned().unwrap_or_default();
    let mut columns = first.columns.clone();
    let mut rows: Vec<Vec<String>> = first.rows.iter().skip(1).cloned().collect();
    for table in tables.get(1..).unwrap_or_default() {
        let names = table.rows.first().cloned().unwrap_or_default();
        let mut place = Vec::new();
        for (index, column) in table.columns.iter().enumerate() {
            let known = columns
                .iter()
                .position(|known| *column != Column::Other && known == column);
            place.push(match known {
                Some(known) => Some(known),
                None if *column == Column::Other => None,
                None => {
                    columns.push(*column);
                    header.push(names.get(index).cloned().unwrap_or_default());
                    Some(columns.len() - 1)
                }
            });
        }
        for row in table.rows.iter().skip(1) {
            let mut moved = vec![String::new(); columns.len()];
            for (cell, place) in row.iter().zip(&place) {
                if let Some(to) = place.and_then(|place| moved.get_mut(place)) {
                    to.clone_from(cell);
                }
            }
            rows.push(moved);
        }
    }
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().map(|text| table::cell_text(text, ',')).collect();
        cells.join(",") + "\n"
    };
    std::iter::once(&header).chain(&rows).map(line).collect()
}

/// Reads the parts of a workbook, all within a limit.
struct Reading<'a> {
    archive: &'a Archive<'a>,
    most: u64,
    room: u64,
}

impl Reading<'_> {
    /// The text of a part; `None` if there is none of this name.
    fn text_of(&mut self, name: &str) -> Result<Option<String>, ArchiveError> {
        let Some(member) = self.archive.find(name) else {
            return Ok(None);
        };
        let bytes = match self.archive.unpack(member, self.room) {
            Err(ArchiveError::TooLarge(_)) => return Err(ArchiveError::TooLarge(self.most)),
            bytes => bytes?,
        };
        self.room = self.room.saturating_sub(bytes.len() as u64);
        let text = crate::encoded::decode(&bytes);
        text.map(Some)
            .ok_or_else(|| ArchiveError::Encoding(name.to_owned()))
    }

    /// The sheets in the order of the workbook: their names, and the files that hold them.
    fn sheets(&mut self, workbook: &str) -> Result<Vec<(String, String)>, ArchiveError> {
        let links = self
            .text_of("xl/_rels/workbook.xml.rels")?
            .unwrap_or_default();
        let targets: Vec<(String, String)> = tags(&links, "relationship")
            .map(|attributes| {
                let value = |name| value(&links, &attributes, name);
                (value("Id"), value("Target"))
            })
            .collect();
        let file_of = |attributes: &Range<usize>| {
            let id = xml::attribute_by_ending(workbook, attributes, ":id");
            let id = id.and_then(|range| workbook.get(range))?;
            let (_, target) = targets.iter().find(|(of, _)| of == id)?;
            Some(match target.strip_prefix('/') {
                Some(absolute) => absolute.to_owned(),
                None => format!("xl/{target}"),
            })
        };
        tags(workbook, "sheet")
            .map(|attributes| {
                let title = value(workbook, &attributes, "name");
                let damaged = || ArchiveError::DamagedMember(WORKBOOK.to_owned());
                Ok((title, file_of(&attributes).ok_or_else(damaged)?))
            })
            .collect()
    }

    /// The texts that cells refer to by number.
    fn strings(&mut self) -> Result<Vec<String>, ArchiveError> {
        let Some(text) = self.text_of("xl/sharedStrings.xml")? else {
            return Ok(Vec::new());
        };
        let mut strings = Vec::new();
        let mut current = String::new();
        let mut inside = Inside::default();
        for piece in Pieces::of(&text, &(0..text.len())) {
            match piece {
                Piece::Open { name, is_empty, .. } => {
                    let name = xml::local(&text, &name);
                    if name == "si" {
                        current.clear();
                        if is_empty {
                            strings.push(String::new());
                        }
                    }
                    inside.set(&name, !is_empty);
                }
                Piece::Close { name, .. } => {
                    let name = xml::local(&text, &name);
                    inside.set(&name, false);
                    if name == "si" {
                        strings.push(std::mem::take(&mut current));
                    }
                }
                piece if inside.text && !inside.phonetic => {
                    current.push_str(&words(&text, &piece));
                }
                _ => {}
            }
        }
        Ok(strings)
    }

    /// The cells of a sheet by row.
    fn rows(
        &self,
        sheet: &str,
        strings: &[String],
        formats: &Formats,
        unknown: &mut Vec<Unknown>,
    ) -> Result<Vec<Vec<String>>, ArchiveError> {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut size = 0_u64;
        let mut cell: Option<Cell> = None;
        let mut inside = Inside::default();
        for piece in Pieces::of(sheet, &(0..sheet.len())) {
            match piece {
                Piece::Open {
                    name,
                    attributes,
                    is_empty,
                    ..
                } => {
                    let name = xml::local(sheet, &name);
                    match name.as_str() {
                        "row" => start_row(&mut rows, &value(sheet, &attributes, "r")),
                        "c" if !is_empty => {
                            cell = Some(Cell {
                                place: value(sheet, &attributes, "r"),
                                kind: value(sheet, &attributes, "t"),
                                format: formats.of_style(&value(sheet, &attributes, "s")),
                                days: formats.days,
                                ..Cell::default()
                            });
                        }
                        _ => {}
                    }
                    inside.set(&name, !is_empty);
                }
                Piece::Close { name, .. } => {
                    let name = xml::local(sheet, &name);
                    inside.set(&name, false);
                    let here = rows.len().saturating_sub(1);
                    if name == "c"
                        && let (Some(cell), Some(row)) = (cell.take(), rows.last_mut())
                    {
                        if !cell.has_value() && unknown.len() < MOST_UNKNOWN {
                            unknown.push(Unknown {
                                row: here,
                                column: column_index(&cell.place).unwrap_or(row.len()),
                                place: cell.place.clone(),
                            });
                        }
                        size += cell.add_to(row, strings)? as u64;
                        if size > self.most {
                            return Err(ArchiveError::TooLarge(self.most));
                        }
                    }
                }
                piece => {
                    if let Some(cell) = &mut cell
                        && !inside.phonetic
                    {
                        cell.take(&inside, &words(sheet, &piece));
                    }
                }
            }
        }
        Ok(rows)
    }
}

/// Begins a row, with empty ones for those that the sheet leaves out.
fn start_row(rows: &mut Vec<Vec<String>>, number: &str) {
    let number = number.parse().unwrap_or(rows.len() + 1);
    let missing = number.saturating_sub(rows.len() + 1);
    if missing <= LARGEST_GAP {
        rows.extend(std::iter::repeat_n(Vec::new(), missing));
    }
    rows.push(Vec::new());
}

/// Which elements are open, of those that hold texts.
#[derive(Default)]
struct Inside {
    text: bool,
    value: bool,
    formula: bool,
    /// How a text is pronounced is not part of it.
    phonetic: bool,
}

impl Inside {
    fn set(&mut self, name: &str, is_open: bool) {
        match name {
            "t" => self.text = is_open,
            "v" => self.value = is_open,
            "f" => self.formula = is_open,
            "rph" => self.phonetic = is_open,
            _ => {}
        }
    }
}

#[derive(Default)]
struct Cell {
    /// Such as `B2`.
    place: String,
    kind: String,
    format: NumberFormat,
    /// What is added to a date.
    days: f64,
    value: String,
    formula: String,
}

impl Cell {
    fn take(&mut self, inside: &Inside, words: &str) {
        if inside.formula {
            self.formula.push_str(words);
        } else if inside.value || inside.text {
            self.value.push_str(words);
        }
    }

    fn has_value(&self) -> bool {
        self.kind != "e" && (!self.value.is_empty() || self.formula.is_empty())
    }

    /// Puts the cell into its row; returns its size.
    fn add_to(self, row: &mut Vec<String>, strings: &[String]) -> Result<usize, ArchiveError> {
        let index = column_index(&self.place).unwrap_or(row.len());
        if index >= MOST_COLUMNS {
            return Ok(0);
        }
        let text = match self.kind.as_str() {
            "s" => {
                let number: Option<usize> = self.value.trim().parse().ok();
                let shared = number.and_then(|number| strings.get(number));
                let missing = || ArchiveError::DamagedMember("xl/sharedStrings.xml".to_owned());
                shared.cloned().ok_or_else(missing)?
            }
            "b" if self.value.trim() == "1" => "TRUE".to_owned(),
            "b" => "FALSE".to_owned(),
            "" | "n" => self.format.shown(&self.value, self.days),
            _ => self.value,
        };
        if row.len() <= index {
            row.resize(index + 1, String::new());
        }
        let size = text.len() + 1;
        if let Some(cell) = row.get_mut(index) {
            *cell = text;
        }
        Ok(size)
    }
}

/// The position of the column of a place such as `AB12`.
fn column_index(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters.take(4).fold(0_usize, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}

/// The attributes of all elements of a name.
pub(super) fn tags<'a>(text: &'a str, wanted: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    Pieces::of(text, &(0..text.len())).filter_map(move |piece| match piece {
        Piece::Open {
            name, attributes, ..
        } if xml::local(text, &name) == wanted => Some(attributes),
        _ => None,
    })
}

/// The value of an attribute; empty if there is none.
pub(super) fn value(text: &str, attributes: &Range<usize>, name: &str) -> String {
    xml::attribute(text, attributes, name)
        .map(|range| {
            plain(&html::entities(
                &units::plain(text, range),
                html::xml_entity,
            ))
        })
        .unwrap_or_default()
}

fn words(text: &str, piece: &Piece) -> String {
    match piece {
        Piece::Text(range) => {
            let characters = units::plain(text, range.clone());
            plain(&html::entities(&characters, html::xml_entity))
        }
        Piece::Cdata(range) => text.get(range.clone()).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

fn plain(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.c).collect()
}
