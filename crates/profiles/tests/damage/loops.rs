//! Loops that models get stuck in, planted in lessons of several languages, and good
//! texts that repeat themselves for a reason.
//!
//! Even seeds were looked at while the rules were made, odd ones were not; both must
//! be found.

use super::fixtures::{Form, describe, found_by, inspect};
use super::plant::Lcg;

const SENTENCES: &[&[&str]] = &[
    &[
        "Water is important for all living things.",
        "Plants use sunlight to make their own food.",
        "Always check your answer before you move on.",
        "A variable stores a value that can change.",
        "The Roman army built roads across Europe.",
    ],
    &[
        "Вода важна для всех живых существ.",
        "Растения используют солнечный свет для питания.",
        "Проверьте ответ перед тем, как идти дальше.",
    ],
    &[
        "Wasser ist wichtig für alle Lebewesen.",
        "Pflanzen nutzen das Licht der Sonne für ihre Nahrung.",
        "Prüfe deine Antwort, bevor du weitermachst.",
    ],
    &[
        "El agua es importante para todos los seres vivos.",
        "Las plantas usan la luz del sol para producir su alimento.",
        "Revisa tu respuesta antes de continuar con el ejercicio.",
    ],
    &[
        "水对所有生物都很重要。",
        "植物利用阳光制造自己的食物。",
        "回答问题之前请先检查一遍。",
    ],
    &[
        "पानी सभी जीवों के लिए महत्वपूर्ण है।",
        "पौधे सूर्य के प्रकाश से अपना भोजन बनाते हैं।",
        "उत्तर देने से पहले प्रश्न दो बार पढ़ें।",
    ],
];

const KINDS: [&str; 11] = [
    "bullets",
    "loose",
    "numbered",
    "sentences",
    "paragraphs",
    "rows",
    "counted",
    "phrase",
    "period",
    "headings",
    "nested",
];

fn looped(kind: &str, sentences: &[&str], random: &mut Lcg) -> String {
    let sentence = *random.pick(sentences).expect("a sentence");
    let body = sentence.trim_end_matches(['.', '。', '।']);
    let rounds = *random.pick(&[5, 6, 8, 15, 30]).expect("a number");
    let lines = |line: &dyn Fn(usize) -> String, gap: &str| -> String {
        (1..=rounds).map(line).collect::<Vec<_>>().join(gap)
    };
    match kind {
        "bullets" => lines(&|_| format!("- {sentence}"), "\n"),
        "loose" => lines(&|_| format!("* {sentence}"), "\n\n"),
        "numbered" => lines(&|number| format!("{number}. {sentence}"), "\n"),
        "sentences" => lines(&|_| sentence.to_owned(), " "),
        "paragraphs" => lines(&|_| sentence.to_owned(), "\n\n"),
        "rows" => {
            let rows = lines(&|_| format!("| {body} | {} |", sentences[0]), "\n");
            format!("| A | B |\n|---|---|\n{rows}")
        }
        "counted" => lines(&|number| format!("- {number}: {sentence}"), "\n"),
        "phrase" => {
            let head = body.char_indices().nth(9).map_or(body.len(), |(at, _)| at);
            let end = body[head..].find(' ').map_or(head, |at| head + at);
            format!(
                "{body} {}",
                format!("{} ", &body[..end]).repeat(rounds.max(8))
            )
        }
        "period" => {
            let period = format!("{}\n\n{}\n\n{}", sentences[0], sentences[1], sentences[2]);
            lines(&|_| period.clone(), "\n\n")
        }
        "headings" => lines(&|_| format!("### {body}\n\n{sentence}"), "\n\n"),
        _ => lines(&|_| format!("- {}\n  - {sentence}", sentences[0]), "\n"),
    }
}

fn share_found(seeds: impl Iterator<Item = u64>) -> (usize, usize, Vec<String>) {
    let (mut planted, mut found, mut missed) = (0, 0, Vec::new());
    for seed in seeds {
        for sentences in SENTENCES {
            for kind in KINDS {
                let mut random = Lcg::new(kind, seed);
                let text = looped(kind, sentences, &mut random);
                let markdown = format!("# {}\n\n{}\n\n{text}\n", sentences[0], sentences[1]);
                planted += 1;
                if found_by("repeated-text", &markdown).is_empty() {
                    missed.push(format!("{kind} {markdown:?}"));
                } else {
                    found += 1;
                }
            }
        }
    }
    (planted, found, missed)
}

#[test]
fn loops_are_found() {
    for (half, seeds) in [("tuned", 0..4), ("held out", 100..104)] {
        let (planted, found, missed) = share_found(seeds);
        println!("loops, {half}: {found} of {planted}");
        assert!(
            found * 100 >= planted * 95,
            "{half}: {found} of {planted} {missed:#?}"
        );
    }
}

#[test]
fn loops_are_found_in_json() {
    for sentences in SENTENCES {
        let sentence = sentences[0];
        let list = serde_json::json!({
            "title": "T", "intro": sentences[1], "summary": vec![sentence; 9],
            "sections": [{"title": "A", "content": sentences[2]}],
        });
        let sections: Vec<_> = (0..9)
            .map(|number| serde_json::json!({"title": number.to_string(), "content": sentence}))
            .collect();
        let sections =
            serde_json::json!({"title": "T", "intro": sentences[1], "sections": sections});
        for value in [list, sections] {
            let findings = inspect(Form::Json, value.to_string().into_bytes()).findings;
            let is_found = findings
                .iter()
                .any(|finding| finding.check.name == "repeated-text");
            assert!(is_found, "{value}");
        }
    }
}

/// Texts that repeat themselves for a reason.
fn innocent() -> Vec<String> {
    let lines = |line: &dyn Fn(usize) -> String, number: usize| -> String {
        (1..=number).map(line).collect::<Vec<_>>().join("\n")
    };
    let list = |words: &[&str], line: &dyn Fn(&str) -> String| -> String {
        words
            .iter()
            .map(|word| line(word))
            .collect::<Vec<_>>()
            .join("\n")
    };
    vec![
        lines(&|n| format!("7 × {n} = {}", 7 * n), 12),
        lines(&|n| format!("- 7 times {n} is {}.", 7 * n), 12),
        lines(&|n| format!("{n}. Round {} to the nearest ten.", n * 37 % 100), 9),
        lines(&|n| format!("{n}. Find the area of a square with sides of {} cm.", n * n + 3), 8),
        lines(&|n| format!("| {n} | {} |", n * n), 20).replacen('|', "| n | n² |\n|---|---|\n|", 1),
        list(&["Monday", "Tuesday", "Thursday", "Friday"], &|day| format!("- {day}: 9 am to 5 pm")),
        list(&["I", "You", "He", "She", "We", "They"], &|who| format!("- {who} would have gone to the market.")),
        list(&["tea", "milk", "water", "juice", "soup", "cocoa"], &|what| format!("- I would like a cup of {what} please.")),
        list(&["den Mann", "die Frau", "das Kind", "den Hund", "die Katze"], &|was| format!("- Ich habe {was} gesehen.")),
        list(&["+", "-", "×", "÷", "="], &|sign| format!("- Work out what 8 {sign} 4 stands for here.")),
        lines(&|_| "- Name: ____________ Date: ____________ Class: ________".to_owned(), 10),
        lines(&|n| format!("- [Lesson {n}: read the text and answer](lesson{n}.md)"), 4),
        lines(&|n| format!("- [ ] Task {n}"), 12),
        "Row, row, row your boat,\nGently down the stream.\nMerrily, merrily, merrily, merrily,\nLife is but a dream.\n\nRow, row, row your boat,\nGently down the stream.\nMerrily, merrily, merrily, merrily,\nLife is but a dream.".to_owned(),
        "Happy birthday to you,\nHappy birthday to you,\nHappy birthday dear Anna,\nHappy birthday to you!".to_owned(),
        format!("```\n{}\n```", lines(&|_| "INFO heartbeat of the server is fine".to_owned(), 30)),
        "1. Stand up.\n2. Sit down.\n3. Stand up.\n4. Sit down.\n5. Stand up.\n6. Sit down.\n7. Stand up.\n8. Sit down.".to_owned(),
        "| Step | Action |\n|---|---|\n| 1 | Breathe in |\n| 2 | Breathe out |\n| 3 | Breathe in |\n| 4 | Breathe out |".to_owned(),
        "| Week | Topic |\n|---|---|\n| 1 | Revision |\n| 2 | Revision |\n| 3 | Revision |\n| 4 | Revision |\n| 5 | Test |".to_owned(),
        "Very, very good. No, no, no! Ha ha ha ha ha. 哈哈哈哈哈！".to_owned(),
        list(&["法国", "西班牙", "意大利", "日本", "秘鲁", "埃及"], &|land| format!("- {land}的首都很大。")),
    ]
}

#[test]
fn texts_that_repeat_themselves_for_a_reason_are_left_alone() {
    let mut alarms = Vec::new();
    for passage in innocent() {
        let text = format!(
            "# Practice\n\nWork through this page slowly.\n\n{passage}\n\nCompare your answers with a friend.\n"
        );
        let found = found_by("repeated-text", &text);
        alarms.extend(
            found
                .iter()
                .map(|finding| format!("{passage:?}: {}", describe(finding))),
        );
    }
    assert!(alarms.is_empty(), "{alarms:#?}");
}
