//! Answers that were carried by other programs, and frames with unknown words around them:
//! a compact form of a matrix of raw answers in seven languages. After inspecting and fixing,
//! either an error is left or what is written is what was meant (rulings 45 and 46).

use std::fmt::Write as _;

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use serde_json::json;

use crate::fixtures::fix;

/// Title, introduction, two sections of a paragraph and more, a summary.
const LESSONS: [[&str; 6]; 4] = [
    [
        "How tides work",
        "The sea rises and falls twice a day. This lesson explains which forces move it and how you can predict them.",
        "The Moon attracts the water on the near side of the Earth more strongly than the ground below it.\n\nA bulge forms, and the turning Earth carries us through it.",
        "A tide table lists times and heights for a harbour.\n\n- Find the date.\n- Read the height of high water.",
        "Summary",
        "The Moon and the Sun raise bulges of water. Tables tell you when they reach your harbour.",
    ],
    [
        "Wie Gezeiten entstehen",
        "Das Meer steigt und fällt zweimal am Tag. In dieser Lektion lernst du, welche Kräfte es bewegen.",
        "Der Mond zieht das Wasser auf der zugewandten Seite der Erde stärker an als den Boden darunter.\n\nSo entsteht ein Flutberg, durch den uns die Erde bei ihrer Drehung trägt.",
        "Ein Tidenkalender nennt Zeiten und Höhen für einen Hafen.\n\n- Suche das Datum.\n- Lies die Höhe des Hochwassers ab.",
        "Zusammenfassung",
        "Mond und Sonne heben Flutberge. Der Kalender sagt dir, wann sie deinen Hafen erreichen.",
    ],
    [
        "Как возникают приливы",
        "Море поднимается и опускается дважды в день. В этом уроке мы узнаем, какие силы его двигают.",
        "Луна притягивает воду на ближней стороне Земли сильнее, чем дно под ней.\n\nТак возникает водяной горб, через который нас проносит вращение Земли.",
        "Таблица приливов указывает время и высоту воды для порта.\n\n- Найдите дату.\n- Прочитайте высоту полной воды.",
        "Итоги",
        "Луна и Солнце поднимают водяные горбы. Таблица подскажет, когда они дойдут до вашего порта.",
    ],
    [
        "潮汐是怎样形成的",
        "海水每天涨落两次。这节课说明是哪些力量在推动海水，以及怎样预测潮汐。",
        "月球对地球近侧海水的吸引力大于对海底的吸引力。\n\n于是海水隆起，地球自转把我们带过这个隆起。",
        "潮汐表列出一个港口的时间和高度。\n\n- 找到日期。\n- 读出高潮的高度。",
        "总结",
        "月球和太阳使海水隆起。潮汐表告诉你它们何时到达你的港口。",
    ],
];

fn markdown([title, intro, first, second, last, summary]: [&str; 6]) -> String {
    format!(
        "# {title}\n\n{intro}\n\n## 1. {title}\n\n{first}\n\n## 2. {title}\n\n{second}\n\n## {last}\n\n{summary}"
    )
}

fn as_json([title, intro, first, second, _, summary]: [&str; 6]) -> String {
    let sections = json!([{"title": "1", "content": first}, {"title": "2", "content": second}]);
    json!({"title": title, "intro": intro, "sections": sections, "summary": summary}).to_string()
}

/// Whether an error is left, or what is written is what was meant.
fn is_right(answer: &str, meant: Option<&str>, hint: Hint) -> bool {
    let fixed = fix(answer.as_bytes(), hint);
    let has_error = fixed
        .inspected
        .findings
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    let written = fixed
        .inspected
        .document
        .source()
        .text()
        .replace("\r\n", "\n");
    has_error || meant.is_some_and(|meant| written.trim_start_matches('\u{feff}').trim() == meant)
}

#[test]
fn the_lessons_themselves_are_good() {
    for lesson in LESSONS {
        for (text, hint) in [
            (markdown(lesson), Hint::Markdown),
            (as_json(lesson), Hint::Json),
        ] {
            let fixed = fix(text.as_bytes(), hint);
            let errors: Vec<_> = fixed
                .inspected
                .findings
                .iter()
                .filter(|finding| finding.severity == Severity::Error)
                .collect();
            assert!(errors.is_empty(), "{errors:?}");
            assert_eq!(fixed.inspected.document.source().text(), text);
        }
    }
}

#[test]
fn frames_with_unknown_words_around_them_are_not_taken_for_the_lesson() {
    const FRAMES: [(&str, &str); 10] = [
        ("```\n", "\n```"),
        ("```markdown\n", "\n```"),
        ("````\n```markdown\n", "\n```\n````"),
        ("~~~markdown\n", "\n~~~"),
        ("\"\"\"\n", "\n\"\"\""),
        ("'''", "'''"),
        ("<response>\n", "\n</response>"),
        ("<final_answer>", "</final_answer>"),
        ("<artifact type=\"text\">\n", "\n</artifact>"),
        ("“", "”"),
    ];
    const BEFORE: [&str; 8] = [
        "",
        "Output:\n",
        "JSON:\n",
        "json\n",
        "### Response:\n",
        "Aqui está a aula:\n\n",
        "\u{feff}",
        "<|im_start|>assistant\n",
    ];
    const AFTER: [&str; 6] = [
        "",
        "<|im_end|>",
        "</s>",
        "\n\nDone.",
        "\n\n### Notes\n\nAll checks are satisfied.",
        "\n\n**Explanation:** I kept the sentences short.",
    ];
    let mut wrong = Vec::new();
    for lesson in LESSONS {
        let text = markdown(lesson);
        let half = text.floor_char_boundary(text.find("## 2").unwrap_or(0) - 12);
        for (open, close) in FRAMES {
            for before in BEFORE {
                for after in AFTER {
                    let whole = format!("{before}{open}{text}{close}{after}");
                    let cut = format!("{before}{open}{}{close}{after}", text[..half].trim_end());
                    for (answer, meant) in [(whole, Some(text.as_str())), (cut, None)] {
                        if !is_right(&answer, meant, Hint::None) {
                            wrong.push(answer);
                        }
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong: {:?}",
        wrong.len(),
        wrong.first()
    );
}

#[test]
fn what_programs_do_to_every_line_is_an_error() {
    let quoted = |text: &str| {
        text.chars().fold(String::new(), |mut all, c| {
            if c.is_ascii() && c != '=' {
                all.push(c);
            } else {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(all, "={byte:02X}");
                }
            }
            all
        })
    };
    for lesson in LESSONS {
        let text = markdown(lesson);
        let each = |mark: &str| format!("{mark}{}", text.replace('\n', &format!("\n{mark}")));
        let mut answers = vec![
            each("[worker-1] "),
            each("// "),
            format!("- {}", text.replace('\n', "\n  ")),
            format!("1. {}", text.replace('\n', "\n   ")),
            format!(
                "| # | Answer |\n|---|---|\n| 1 | {} |",
                text.replace('\n', "<br>")
            ),
            format!("\u{1b}[32m{text}\u{1b}[0m"),
            text.replacen("\n\n## 2", " x\u{8}\u{8}\n\n## 2", 1),
            format!(
                "{}\n\n(Reached maximum length)",
                &text[..text.find("\n\n## 2").unwrap_or(0)]
            ),
        ];
        if text.is_ascii() {
            // Mail breaks its lines after 76 characters.
            let lines = text.lines().map(|line| {
                let parts: Vec<&str> = (0..line.len())
                    .step_by(75)
                    .map(|at| &line[at..line.len().min(at + 75)])
                    .collect();
                parts.join("=\n")
            });
            answers.push(lines.collect::<Vec<_>>().join("\n"));
        } else {
            answers.push(quoted(&text));
        }
        if !lesson[0].starts_with('潮') {
            answers.push(
                text.replace(' ', "")
                    .replace("##", "## ")
                    .replace("\n-", "\n- "),
            );
            answers.push(text.replace(' ', "\u{200b}").replace("#\u{200b}", "# "));
        }
        for answer in answers {
            assert!(is_right(&answer, None, Hint::Markdown), "{answer}");
        }
    }
}

#[test]
fn a_passage_that_comes_twice_at_a_seam_is_an_error() {
    for lesson in LESSONS {
        let text = markdown(lesson);
        let [_, _, first, ..] = lesson;
        let (one, two) = first.split_once("\n\n").unwrap_or_default();
        let at = text.find(two).unwrap_or(0)
            + text[text.find(two).unwrap_or(0)..].ceil_char_boundary(two.len() / 3);
        let back = text.find(one).unwrap_or(0) + one.ceil_char_boundary(one.len() / 3);
        let twice = format!("{}{}", &text[..at], &text[back..]);
        assert!(is_right(&twice, None, Hint::Markdown), "{twice}");
    }
}

#[test]
fn members_that_stand_for_others_and_answers_of_programs_are_errors() {
    for lesson in LESSONS {
        let text = as_json(lesson);
        for answer in [
            text.replacen("{\"", "{\"...\": \"...\", \"", 1),
            format!("{{\"status\": \"success\", \"data\": {text}}}"),
            format!("{{\"result\": {text}}}"),
            json!({"choices": [{"message": {"role": "assistant", "content": text.as_str()}}]})
                .to_string(),
        ] {
            assert!(is_right(&answer, None, Hint::Json), "{answer}");
        }
    }
}
