//! Writing items as a bank of another format, and saying what that format cannot hold.

use redraft_text::writing::{Writing, has_xml_controls};

use crate::{BankFormat, aiken, table};

/// An item as far as the formats have it in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainItem {
    pub id: String,
    /// Whether several answers are marked as right where one is to be chosen.
    pub is_undecided: bool,
    /// Whether the bank gave it no id, so that it is only numbered.
    pub is_numbered: bool,
    pub vignette: String,
    pub stem: String,
    pub options: Vec<PlainOption>,
    pub explanation: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainOption {
    pub text: String,
    pub is_right: bool,
    pub feedback: String,
    /// What it gives, in hundred thousandths of a per cent, where the bank says more than
    /// right and wrong.
    pub weight: Option<i64>,
}

/// What a bank is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Bank(BankFormat),
    Json,
    JsonLines,
    /// A table with tabs between its cells.
    Tsv,
}

impl Target {
    /// The target that the ending of a file name tells.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "gift" => Self::Bank(BankFormat::Gift),
            "aiken" | "txt" => Self::Bank(BankFormat::Aiken),
            "xml" => Self::Bank(BankFormat::MoodleXml),
            "qti" => Self::Bank(BankFormat::Qti),
            "csv" => Self::Bank(BankFormat::Table),
            "tsv" | "tab" => Self::Tsv,
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::JsonLines,
            _ => return None,
        })
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "tsv" => Some(Self::Tsv),
            "json" => Some(Self::Json),
            "jsonl" => Some(Self::JsonLines),
            _ => BankFormat::named(name).map(Self::Bank),
        }
    }
}

/// What of an item a format cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// It has no place for an id or title.
    Id,
    /// It has no place for the feedback of options.
    Feedback,
    /// It has no place for an explanation.
    Explanation,
    /// It knows one right answer only; the item is left out.
    SeveralAnswers,
    /// It needs exactly one right answer, and the item has none; it is left out.
    NoAnswer,
    /// Lines of a text are joined.
    LineBreaks,
    /// It has no case of its own: the case is put before the question.
    Vignette,
    /// It names options by letter, and there are more than 26; the item is left out.
    TooManyOptions,
    /// It knows right and wrong only.
    Weights,
    /// A line would be read as something else, or not at all; the item is left out.
    Ambiguous,
    /// Nobody knows which answer is meant; the item is left out of every format.
    Undecided,
    /// It has no control characters.
    Controls,
}

/// A bank as it is written, and what was lost of which item.
#[derive(Debug, Default)]
pub struct Written {
    pub text: String,
    /// By item, in their order.
    pub losses: Vec<(String, Loss)>,
    /// How many items were written.
    pub items: usize,
}

/// Writes items as a bank.
#[must_use]
pub fn write(items: &[PlainItem], target: Target) -> Written {
    let mut written = Written::default();
    let kept: Vec<&PlainItem> = items
        .iter()
        .filter(|item| note_losses(item, target, &mut written.losses))
        .collect();
    written.items = kept.len();
    written.text = match target {
        Target::Bank(BankFormat::Gift) => each(&kept, gift),
        Target::Bank(BankFormat::Aiken) => each(&kept, aiken_question),
        Target::Bank(BankFormat::MoodleXml) => format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n{}</quiz>\n",
            each(&kept, moodle)
        ),
        Target::Bank(BankFormat::Qti) => format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<questestinterop>\n<assessment ident=\"bank\" title=\"bank\">\n<section ident=\"items\">\n{}</section>\n</assessment>\n</questestinterop>\n",
            each(&kept, qti)
        ),
        Target::Bank(BankFormat::Table) => rows(&kept, ','),
        Target::Tsv => rows(&kept, '\t'),
        Target::JsonLines => kept.iter().map(|item| json(item) + "\n").collect(),
        Target::Json => {
            let items: Vec<String> = kept
                .iter()
                .map(|item| format!("  {}", json(item)))
                .collect();
            format!("[\n{}\n]\n", items.join(",\n"))
        }
    };
    written
}

fn each(items: &[&PlainItem], write: fn(&PlainItem) -> String) -> String {
    items.iter().map(|item| write(item)).collect()
}

/// Notes what is lost of an item; returns whether it can be written at all.
fn note_losses(item: &PlainItem, target: Target, losses: &mut Vec<(String, Loss)>) -> bool {
    let right = item.options.iter().filter(|option| option.is_right).count();
    let is_json = matches!(target, Target::Json | Target::JsonLines);
    let is_aiken = target == Target::Bank(BankFormat::Aiken);
    let is_table = matches!(target, Target::Tsv | Target::Bank(BankFormat::Table));
    let keeps_weights = matches!(
        target,
        Target::Bank(BankFormat::Gift | BankFormat::MoodleXml)
    );
    let texts = [&item.vignette, &item.stem]
        .into_iter()
        .chain(item.options.iter().map(|option| &option.text));
    let is_xml = matches!(
        target,
        Target::Bank(BankFormat::MoodleXml | BankFormat::Qti)
    );
    let feedback = item.options.iter().map(|option| &option.feedback);
    let mut more = [&item.id, &item.explanation].into_iter().chain(feedback);
    let has_controls =
        texts.clone().any(|text| has_xml_controls(text)) || more.any(|text| has_xml_controls(text));
    let has_lines = texts.into_iter().any(|text| text.trim().contains('\n'));
    let found = [
        (
            is_aiken && !item.id.is_empty() && !item.is_numbered,
            Loss::Id,
        ),
        (is_aiken && has_feedback(item), Loss::Feedback),
        (is_aiken && !item.explanation.is_empty(), Loss::Explanation),
        (item.is_undecided, Loss::Undecided),
        (
            (is_aiken || is_table) && right > 1 && !item.is_undecided,
            Loss::SeveralAnswers,
        ),
        (is_aiken && right == 0, Loss::NoAnswer),
        (is_aiken && has_lines, Loss::LineBreaks),
        (
            !is_json && !is_table && !item.vignette.is_empty(),
            Loss::Vignette,
        ),
        (
            (is_aiken || is_table) && item.options.len() > 26,
            Loss::TooManyOptions,
        ),
        (!keeps_weights && has_weights(item), Loss::Weights),
        (is_ambiguous(item, target), Loss::Ambiguous),
        (is_xml && has_controls, Loss::Controls),
    ];
    let is_fatal = |loss: Loss| {
        matches!(
            loss,
            Loss::SeveralAnswers
                | Loss::NoAnswer
                | Loss::TooManyOptions
                | Loss::Ambiguous
                | Loss::Undecided
        )
    };
    let found = || found.iter().filter(|(is_lost, _)| *is_lost);
    let is_kept = !found().any(|(_, loss)| is_fatal(*loss));
    // Of an item that is left out, nothing else is lost.
    let named = found().filter(|(_, loss)| is_kept || is_fatal(*loss));
    losses.extend(named.map(|(_, loss)| (item.id.clone(), *loss)));
    is_kept
}

/// Whether Aiken would read the question as an option or an answer: it has no sign that says
/// otherwise. Nor has it or GIFT one for an option without a text.
fn is_ambiguous(item: &PlainItem, target: Target) -> bool {
    let mut options = item.options.iter();
    let has_empty = options.any(|option| option.text.trim().is_empty());
    let question = || Writing::Line.write(&question(item));
    match target {
        Target::Bank(BankFormat::Aiken) => has_empty || !aiken::is_text(&question()),
        Target::Bank(BankFormat::Gift) => has_empty,
        _ => false,
    }
}

/// The case and the question in one text.
fn question(item: &PlainItem) -> String {
    match item.vignette.trim() {
        "" => item.stem.trim().to_owned(),
        case => format!("{case}\n\n{}", item.stem.trim()),
    }
}

fn gift(item: &PlainItem) -> String {
    let write = |text: &str| Writing::Gift.write_first(text.trim());
    let title = match item.id.trim() {
        "" => String::new(),
        id => format!("::{}:: ", Writing::Gift.write(id)),
    };
    let right = item.options.iter().filter(|option| option.is_right).count();
    let mut lines = vec![format!("{title}{} {{", write(&question(item)))];
    for option in &item.options {
        let sign = match (option.is_right, right) {
            (true, 0 | 1) => "=".to_owned(),
            _ if option.weight == Some(0) => "~".to_owned(),
            _ if let Some(weight) = option.weight => format!("~%{}%", per_cent(weight)),
            (true, several) => format!("~%{}%", share(several)),
            (false, 0 | 1) => "~".to_owned(),
            (false, _) => "~%-100%".to_owned(),
        };
        let feedback = match option.feedback.trim() {
            "" => String::new(),
            feedback => format!(" #{}", write(feedback)),
        };
        lines.push(format!("{sign}{}{feedback}", write(&option.text)));
    }
    if !item.explanation.trim().is_empty() {
        lines.push(format!("####{}", write(&item.explanation)));
    }
    format!("{}\n}}\n\n", lines.join("\n"))
}

/// The share of each right answer, in per cent with the digits that platforms know.
fn share(of: usize) -> String {
    match of {
        0 | 1 => "100".to_owned(),
        3 => "33.33333".to_owned(),
        6 => "16.66667".to_owned(),
        7 => "14.28571".to_owned(),
        8 => "12.5".to_owned(),
        9 => "11.11111".to_owned(),
        of => (100 / of).to_string(),
    }
}

/// A weight in per cent.
#[expect(
    clippy::cast_precision_loss,
    reason = "weights have seven digits at most"
)]
fn per_cent(weight: i64) -> String {
    (weight as f64 / 100_000.0).to_string()
}

fn aiken_question(item: &PlainItem) -> String {
    let line = |text: &str| Writing::Line.write(text.trim());
    let letters = || ('A'..='Z').zip(&item.options);
    let options: String = letters()
        .map(|(letter, option)| format!("{letter}. {}\n", line(&option.text)))
        .collect();
    let key = letters()
        .find(|(_, option)| option.is_right)
        .map_or('A', |(letter, _)| letter);
    format!("{}\n{options}ANSWER: {key}\n\n", line(&question(item)))
}

fn moodle(item: &PlainItem) -> String {
    let html = |text: &str| format!("<text><![CDATA[{}]]></text>", paragraphs(text));
    let right = item.options.iter().filter(|option| option.is_right).count();
    let answers: String = item
        .options
        .iter()
        .map(|option| {
            let fraction = match (option.is_right, right) {
                _ if let Some(weight) = option.weight => per_cent(weight),
                (true, several) => share(several),
                (false, 0 | 1) => "0".to_owned(),
                (false, _) => "-100".to_owned(),
            };
            format!(
                "    <answer fraction=\"{fraction}\" format=\"html\">{}<feedback format=\"html\">{}</feedback></answer>\n",
                html(&option.text),
                html(&option.feedback)
            )
        })
        .collect();
    format!(
        "  <question type=\"multichoice\">\n    <name><text>{}</text></name>\n    <questiontext format=\"html\">{}</questiontext>\n    <generalfeedback format=\"html\">{}</generalfeedback>\n    <single>{}</single>\n    <shuffleanswers>true</shuffleanswers>\n    <answernumbering>ABCD</answernumbering>\n{answers}  </question>\n",
        Writing::Xml.write(item.id.trim()),
        html(&question(item)),
        html(&item.explanation),
        right <= 1
    )
}

/// A text as HTML, a paragraph for each of its own.
fn paragraphs(text: &str) -> String {
    let text = text.trim().replace("\r\n", "\n");
    if text.contains("\n\n") {
        text.split("\n\n")
            .map(|paragraph| format!("<p>{}</p>", Writing::CdataHtml.write(paragraph.trim())))
            .collect()
    } else {
        Writing::CdataHtml.write(&text)
    }
}

fn qti(item: &PlainItem) -> String {
    let material = |text: &str| {
        format!(
            "<material><mattext texttype=\"text/html\">{}</mattext></material>",
            Writing::Xml.write(&paragraphs(text))
        )
    };
    let right = item.options.iter().filter(|option| option.is_right).count();
    let labels: String = item
        .options
        .iter()
        .enumerate()
        .map(|(index, option)| {
            format!(
                "<response_label ident=\"o{index}\">{}</response_label>\n",
                material(&option.text)
            )
        })
        .collect();
    let wanted: String = item
        .options
        .iter()
        .enumerate()
        .filter(|(_, option)| option.is_right)
        .map(|(index, _)| format!("<varequal respident=\"response1\">o{index}</varequal>"))
        .collect();
    let wanted = if right > 1 {
        format!("<and>{wanted}</and>")
    } else {
        wanted
    };
    let (cardinality, kind) = if right > 1 {
        ("Multiple", "multiple_answers_question")
    } else {
        ("Single", "multiple_choice_question")
    };
    let said = || {
        let options = item.options.iter().enumerate();
        options.filter(|(_, option)| !option.feedback.trim().is_empty())
    };
    let shown: String = said()
        .map(|(index, _)| format!("<respcondition continue=\"Yes\"><conditionvar><varequal respident=\"response1\">o{index}</varequal></conditionvar><displayfeedback feedbacktype=\"Response\" linkrefid=\"o{index}_fb\"/></respcondition>"))
        .collect();
    let itemfeedback = |ident: &str, text: &str| {
        format!(
            "<itemfeedback ident=\"{ident}\"><flow_mat>{}</flow_mat></itemfeedback>\n",
            material(text)
        )
    };
    let general = Some(item.explanation.as_str()).filter(|text| !text.trim().is_empty());
    let general = general.map(|text| itemfeedback("general_fb", text));
    let feedback: String = general
        .into_iter()
        .chain(
            said().map(|(index, option)| itemfeedback(&format!("o{index}_fb"), &option.feedback)),
        )
        .collect();
    let id = Writing::Xml.write(item.id.trim()).replace('"', "&quot;");
    format!(
        "<item ident=\"{id}\" title=\"{id}\">\n<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{kind}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>\n<presentation>{}\n<response_lid ident=\"response1\" rcardinality=\"{cardinality}\"><render_choice>\n{labels}</render_choice></response_lid></presentation>\n<resprocessing><outcomes><decvar maxvalue=\"100\" minvalue=\"0\" varname=\"SCORE\" vartype=\"Decimal\"/></outcomes>{shown}<respcondition continue=\"No\"><conditionvar>{wanted}</conditionvar><setvar action=\"Set\" varname=\"SCORE\">100</setvar></respcondition></resprocessing>\n{feedback}</item>\n",
        material(&question(item))
    )
}

fn rows(items: &[&PlainItem], delimiter: char) -> String {
    let most = items.iter().map(|item| item.options.len()).max();
    let layout = TableLayout {
        letters: ('A'..='Z').take(most.unwrap_or(2).max(2)).collect(),
        has_case: items.iter().any(|item| !item.vignette.trim().is_empty()),
        has_feedback: items.iter().any(|item| has_feedback(item)),
    };
    let rows = items.iter().map(|item| layout.row(item));
    std::iter::once(layout.header())
        .chain(rows)
        .map(|row| {
            let cells: Vec<String> = row
                .iter()
                .map(|text| table::cell_text(text.trim(), delimiter))
                .collect();
            cells.join(&delimiter.to_string()) + "\n"
        })
        .collect()
}

/// Which columns a table has.
struct TableLayout {
    letters: Vec<char>,
    has_case: bool,
    has_feedback: bool,
}

impl TableLayout {
    fn header(&self) -> Vec<String> {
        let mut header = vec!["id".to_owned()];
        header.extend(self.has_case.then(|| "vignette".to_owned()));
        header.push("question".to_owned());
        for letter in &self.letters {
            header.push(format!("option {letter}"));
            header.extend(self.has_feedback.then(|| format!("feedback {letter}")));
        }
        header.extend(["correct answer".to_owned(), "explanation".to_owned()]);
        header
    }

    fn row(&self, item: &PlainItem) -> Vec<String> {
        let right = item.options.iter().position(|option| option.is_right);
        // Where an option begins or ends with a letter of its own, a letter may mean it; the
        // name of a column means one.
        let is_open = item.options.iter().any(|option| has_letter(&option.text));
        let key = right
            .and_then(|index| self.letters.get(index))
            .map(|letter| match is_open {
                true => format!("option {letter}"),
                false => letter.to_string(),
            });
        let mut row = vec![item.id.clone()];
        row.extend(self.has_case.then(|| item.vignette.clone()));
        row.push(item.stem.clone());
        for index in 0..self.letters.len() {
            let option = item.options.get(index).cloned().unwrap_or_default();
            row.push(option.text);
            row.extend(self.has_feedback.then_some(option.feedback));
        }
        row.extend([key.unwrap_or_default(), item.explanation.clone()]);
        row
    }
}

/// Whether a text begins or ends with a letter alone: `B`, `E. coli`, `Hepatitis B`.
fn has_letter(text: &str) -> bool {
    let is_letter = |word: &str| {
        let mut chars = word.chars().filter(|c| c.is_alphanumeric());
        chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
    };
    let mut words = text.split_whitespace();
    words.next().is_some_and(is_letter) || words.next_back().is_some_and(is_letter)
}

fn has_weights(item: &PlainItem) -> bool {
    item.options.iter().any(|option| option.weight.is_some())
}

fn has_feedback(item: &PlainItem) -> bool {
    item.options
        .iter()
        .any(|option| !option.feedback.trim().is_empty())
}

fn json(item: &PlainItem) -> String {
    let mut members = Vec::new();
    let mut member = |name: &str, text: &str| {
        if !text.trim().is_empty() {
            members.push(format!("\"{name}\": {}", string(text)));
        }
    };
    member("id", &item.id);
    member("vignette", &item.vignette);
    member("stem", &item.stem);
    let options: Vec<String> = item
        .options
        .iter()
        .map(|option| {
            let mut members = vec![format!("\"text\": {}", string(&option.text))];
            members.push(format!("\"is_correct\": {}", option.is_right));
            if !option.feedback.trim().is_empty() {
                members.push(format!("\"feedback\": {}", string(&option.feedback)));
            }
            format!("{{{}}}", members.join(", "))
        })
        .collect();
    members.push(format!("\"options\": [{}]", options.join(", ")));
    let right: Vec<usize> = (0..item.options.len())
        .filter(|index| {
            item.options
                .get(*index)
                .is_some_and(|option| option.is_right)
        })
        .collect();
    match right.as_slice() {
        [only] => members.push(format!("\"answer_index\": {only}")),
        [] => {}
        _ => members.push("\"multiple_answers\": true".to_owned()),
    }
    if !item.explanation.trim().is_empty() {
        members.push(format!("\"explanation\": {}", string(&item.explanation)));
    }
    format!("{{{}}}", members.join(", "))
}

fn string(text: &str) -> String {
    let style = redraft_text::json::EscapeStyle::default();
    format!("\"{}\"", style.escape(text.trim()))
}

#[cfg(test)]
mod tests;
