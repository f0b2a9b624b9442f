//! `wrapped-output`: a code fence or other text around the content.
//! `frames` finds a frame around every line, `residue` what programs print into a text.

mod frames;
mod residue;

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::{FormKind, Outside, OutsideKind, Trouble};
use redraft_text::wrappers;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT022",
    name: "wrapped-output",
    severity: Severity::Error,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "the content is wrapped in a code fence or other text",
    what: "Finds the document in an answer and reports what surrounds it: a code fence, control tokens such as `<|im_end|>`, tags such as `<answer>`, an earlier draft, any other text before or after a JSON value. A lesson that is one quotation or one indented block is reported, too. `--fix` deletes fences, tokens and tags. The deletion of drafts and other text is only proposed, because it may be intended. Lines that programs print into an answer are reported as well: labels of a chat page (“Copy code”), token or word counts, network errors, “Continuing from where I left off”, citation marks such as `【4†source】`. The same holds for text before the title of a lesson in Markdown, for a second copy of the lesson, and for JSON inside an API response (`choices`, `output`). A byte-order mark before JSON is a warning. Chat and reasoning around the content have their own checks. A lesson that shows Markdown or JSON in a code block is left alone; a multiple-choice item or a set of cards counts as the document, whatever surrounds it.",
    why: "A program that expects JSON stops at the first back-tick; a learner sees the whole lesson as one block of code.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: "```json\n{\"intro\": \"Water boils.\", \"sections\": []}\n```\n",
            passes: "{\"intro\": \"Water boils.\", \"sections\": []}\n",
            fixed: Some("{\"intro\": \"Water boils.\", \"sections\": []}\n"),
        },
        Example {
            form: ExampleForm::Json,
            fails: "{\"intro\": \"Water boils.\", \"sections\": []}\n<|im_end|>\n",
            passes: "{\"intro\": \"Water boils.\", \"sections\": []}\n",
            fixed: Some("{\"intro\": \"Water boils.\", \"sections\": []}\n"),
        },
        Example {
            form: ExampleForm::Markdown,
            fails: "```markdown\n# Water\n\nWater boils at 100 °C.\n```\n",
            passes: "# Water\n\nA fence inside a lesson is fine:\n\n```markdown\n# Title\n```\n",
            fixed: Some("# Water\n\nWater boils at 100 °C.\n"),
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    if document.form() == FormKind::Markdown {
        for (field, (range, message)) in document
            .texts()
            .iter()
            .filter(|field| field.is_body())
            .filter_map(|field| Some((field, frames::frame(field)?)))
        {
            sink.in_text(field, range, message);
        }
    }
    for field in document.texts() {
        if let Some(token) = token_inside(field) {
            let message = "a control token of the model stands in the text; look at what follows it, and delete it";
            sink.in_text(field, token, message);
        }
    }
    residue::report(examination, sink);
    for recovered in document.recovered() {
        if let Trouble::Enveloped(field) = &recovered.what {
            let message = format!(
                "the content is inside `{field}`, as in the answer of an API; save what is inside alone"
            );
            sink.in_source(recovered.range.clone(), message);
        }
    }
    for outside in document.outside() {
        let Some((message, severity)) = wording(outside, document.form()) else {
            continue;
        };
        let deletion = vec![document.edit_source(outside.removal.clone(), "")];
        sink.in_source(outside.range.clone(), message)
            .severity(severity)
            .fix(if outside.certain {
                Fix::safe(deletion)
            } else {
                Fix::proposed(deletion)
            });
    }
}

/// A token of a chat template among the words of a text. In code and in quotation marks it
/// is shown; between words it is named, but for those that a browser takes for a tag and hides.
fn token_inside(field: &TextField) -> Option<Range<usize>> {
    const TAGS: [&str; 8] = [
        "<unk>",
        "<pad>",
        "<eos>",
        "<bos>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<end_of_text>",
        "<0x0A>",
    ];
    let text = &field.text;
    let mut found = text.match_indices('<').filter_map(|(at, _)| {
        let rest = &text[at..];
        let tag = TAGS.iter().find(|tag| rest.starts_with(**tag));
        let length = match tag {
            Some(tag) => tag.len(),
            None if rest.starts_with("<|") || rest.starts_with("<｜") => {
                let end = rest.find('>')? + 1;
                (wrappers::leading_tokens(&rest[..end]) == end).then_some(end)?
            }
            None => return None,
        };
        let range = at..at + length;
        let before = text[..at].chars().next_back();
        let after = text[range.end..].chars().next();
        let is_named = tag.is_none() && (before == Some(' ') || after == Some(' '));
        let is_quoted = before.is_some_and(|c| "\"'“‘«„(`".contains(c));
        (!is_named && !is_quoted && !field.markdown().is_code(at)).then_some(range)
    });
    found.next()
}

/// Nothing of it belongs to the content: a learner sees a lesson in a fence as one block of
/// code, and JSON with other text around it is no JSON.
fn wording(outside: &Outside, form: FormKind) -> Option<(&'static str, Severity)> {
    let is_text = form == FormKind::Markdown;
    let message = match outside.kind {
        OutsideKind::Fence if outside.certain => {
            "the whole content is wrapped in a code fence; delete the fence"
        }
        OutsideKind::Fence => {
            "the lesson seems to be wrapped in a code fence with other text around it; delete both"
        }
        OutsideKind::Token if outside.certain => {
            "a control token of the model was left around the content; delete it"
        }
        OutsideKind::Token => {
            "a control token of the model seems to have been left in the text; delete it"
        }
        OutsideKind::Mark => {
            let message = "a byte-order mark before the JSON value; delete it";
            return Some((message, Severity::Warning));
        }
        OutsideKind::Invisible if is_text => {
            "invisible characters before the text; delete them"
        }
        OutsideKind::Invisible => {
            "invisible characters before or after the JSON value; delete them"
        }
        OutsideKind::Draft => {
            "the answer contains several documents; the last complete one was read, delete the others"
        }
        OutsideKind::Prose if is_text => "this text is outside the lesson; delete it",
        OutsideKind::Prose => "this text is outside the JSON value; delete it",
        OutsideKind::Chat | OutsideKind::Reasoning => return None,
    };
    Some((message, Severity::Error))
}
