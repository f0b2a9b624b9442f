//! A question bank in another format than JSON.

use redraft_banks::{self as banks, BankFormat, ColumnChoice, QuestionKind};

use super::values::Values;
use super::{Form, FormKind, Raw, Recovered, Trouble};
use crate::source::Source;

/// Reads the questions of a bank; one of another kind than a choice is named, not read.
pub(super) fn read(source: Source, format: BankFormat, columns: Option<&ColumnChoice>) -> Raw {
    let text = source.shared_text();
    let Some(bank) = banks::cut_with(&text, format, columns) else {
        return super::no_json(source, Trouble::NoBank(format));
    };
    let mut recovered: Vec<Recovered> = bank
        .troubles
        .iter()
        .map(|trouble| noted(Trouble::Bank(trouble.what), trouble.range.clone()))
        .collect();
    let mut ranges = Vec::new();
    for question in &bank.questions {
        match question.kind {
            QuestionKind::Choice => ranges.push(question.range.clone()),
            QuestionKind::Other(kind) => {
                let start = question.range.start;
                let line = text.get(question.range.clone()).unwrap_or_default();
                let length = line.find(['\n', '\r']).unwrap_or(line.len());
                recovered.push(noted(Trouble::OtherQuestion(kind), start..start + length));
            }
        }
    }
    recovered.sort_by_key(|recovered| recovered.range.start);
    Raw {
        form: Form::JsonLines(Values::questions(&text, ranges, bank)),
        outside: Vec::new(),
        recovered,
        kind: FormKind::Bank(format),
        source,
    }
}

/// Reads the first question with a choice as a document of its own.
pub(super) fn read_one(source: Source, format: BankFormat, columns: Option<&ColumnChoice>) -> Raw {
    let raw = read(source, format, columns);
    let Form::JsonLines(values) = &raw.form else {
        return raw;
    };
    let Some(first) = values.first() else {
        return raw;
    };
    Raw {
        form: Form::Json(first),
        kind: FormKind::Question(format),
        ..raw
    }
}

fn noted(what: Trouble, range: std::ops::Range<usize>) -> Recovered {
    Recovered {
        what,
        range,
        edits: Vec::new(),
        certain: false,
    }
}
