//! Verdicts that say one thing where it counts and another where it is not read: issues under other
//! names, in other languages, next to the verdict, in the wrong form; and valid verdicts in other
//! languages and wrappings.

use serde_json::json;

use super::super::Expect::{Critical, Good, Nothing};
use super::{Base, Row};

impl Base {
    /// A critical issue with keys in another language.
    fn foreign(&self) -> &'static str {
        "{\"criterio\":\"exactitud\",\"gravedad\":\"crítica\",\"descripción\":\"La clave es falsa.\"}"
    }

    /// An issue whose severity is this literal JSON.
    fn written_severity(&self, written: &str) -> String {
        self.severity("critical").replacen(
            "\"severity\":\"critical\"",
            &format!("\"severity\":{written}"),
            1,
        )
    }
}

pub(super) const SECOND_THOUGHTS: &[Row] = &[
    // Issues that would not be read.
    ("critical issues as a list of words", Nothing, |b| {
        b.beside("\"critical_issues\":[\"The key is wrong.\"]")
    }),
    ("weaknesses as a list of words", Nothing, |b| {
        b.beside("\"weaknesses\":[\"It teaches an error about doses.\"]")
    }),
    ("faults in German as a list of words", Nothing, |b| {
        b.beside("\"mängel\":[\"Die Lösung ist falsch.\"]")
    }),
    ("faults in Chinese as a list of words", Nothing, |b| {
        b.beside("\"严重问题\":[\"答案是错误的。\"]")
    }),
    ("issues two levels down", Nothing, |b| {
        b.beside(&format!("\"review\":{{\"problemas\":[{}]}}", b.foreign()))
    }),
    ("issues by their criteria, in Spanish", Nothing, |b| {
        b.beside(&format!("\"detalles\":{{\"uno\":{}}}", b.foreign()))
    }),
    ("an issue in Spanish after the verdict", Nothing, |b| {
        format!("{}\n{}", b.good, b.foreign())
    }),
    ("an issue in Spanish before the verdict", Nothing, |b| {
        format!("{}\n{}", b.foreign(), b.good)
    }),
    (
        "a list of issues in Spanish after the verdict",
        Nothing,
        |b| format!("{}\n\nproblemas: [{}]", b.good, b.foreign()),
    ),
    ("issues in a fence of their own", Nothing, |b| {
        format!("```json\n{}\n```\n```json\n[{}]\n```", b.good, b.critical())
    }),
    ("an issue as a string in the list", Nothing, |b| {
        b.issues(&json!([b.critical()]).to_string())
    }),
    ("an issue in the reasons", Nothing, |b| {
        b.with("reasons", Some(json!([b.issue("critical")])))
    }),
    ("an issue as the confidence", Nothing, |b| {
        b.with("confidence", Some(b.issue("critical")))
    }),
    ("an issue as the text id", Nothing, |b| {
        b.with("text_id", Some(b.issue("critical")))
    }),
    ("an issue that is empty", Nothing, |b| b.issues("[{}]")),
    (
        "an issue in lines of YAML after the verdict",
        Nothing,
        |b| {
            format!(
                "{}\nissues:\n  - severity: critical\n    \"severity\": \"critical\"",
                b.good
            )
        },
    ),
    ("issues cut off, then the verdict", Nothing, |b| {
        format!(
            "{{\"text_id\":\"{}\",\"issues\":[{}\n{}",
            b.text_id,
            b.critical(),
            b.good
        )
    }),
    // A severity in another notation.
    ("critical in escapes", Critical, |b| {
        b.written_severity("\"\\u0063ritical\"")
    }),
    ("critical in full-width letters", Nothing, |b| {
        b.severity("ｃｒｉｔｉｃａｌ")
    }),
    ("critical with an accent", Nothing, |b| {
        b.severity("crítical")
    }),
    ("critical in Greek letters", Nothing, |b| {
        b.severity("criτical")
    }),
    ("critical with a zero-width joiner", Nothing, |b| {
        b.severity("crit\u{200d}ical")
    }),
    ("critical with a turn of direction", Nothing, |b| {
        b.severity("\u{202e}critical")
    }),
    ("critical in Japanese", Nothing, |b| b.severity("重大")),
    ("critical in Hindi", Nothing, |b| b.severity("गंभीर")),
    ("critical in Polish", Nothing, |b| b.severity("krytyczny")),
    ("critical or major", Nothing, |b| {
        b.severity("critical|major")
    }),
    ("a placeholder for the severity", Nothing, |b| {
        b.severity("<severity>")
    }),
    ("fatal", Nothing, |b| b.severity("fatal")),
    ("high", Nothing, |b| b.severity("high")),
    ("no severity but a description of one", Nothing, |b| {
        b.severity("none")
    }),
    // Numbers.
    ("a score with an arrow of change", Nothing, |b| {
        b.score("\"0.97 → 0.60\"")
    }),
    ("a score and its reason", Nothing, |b| {
        b.score("\"0.97 (clear)\"")
    }),
    ("a score with a tilde", Nothing, |b| b.score("~0.97")),
    ("a score in Persian digits", Nothing, |b| {
        b.score("\"۰٫۹۷\"")
    }),
    ("a score in Bengali digits", Nothing, |b| {
        b.score("\"০.৯৭\"")
    }),
    ("a score in words of French", Nothing, |b| {
        b.score("\"zéro virgule quatre-vingt-dix-sept\"")
    }),
    ("a score with a thin space", Nothing, |b| {
        b.score("\"0.9\u{2009}7\"")
    }),
    ("a score of a database", Nothing, |b| {
        b.score("{\"$numberDecimal\":\"0.97\"}")
    }),
    ("a score below nothing, barely", Nothing, |b| {
        b.score("-0.0001")
    }),
    ("a score a hair above one", Nothing, |b| {
        b.score("1.00000000000000000001")
    }),
    ("a score of bytes", Nothing, |b| b.score("b'0.97'")),
    ("a score and a percentage", Nothing, |b| {
        b.score("\"0.97 (97%)\"")
    }),
    // Text id and confidence.
    ("a text id in a sentence", Nothing, |b| {
        b.with("text_id", Some(json!(format!("the text {}", b.text_id))))
    }),
    ("a text id with its label", Nothing, |b| {
        b.with("text_id", Some(json!(format!("text_id: {}", b.text_id))))
    }),
    ("a text id as a number", Nothing, |b| {
        b.with("text_id", Some(json!(7)))
    }),
    ("confidence in French", Nothing, |b| {
        b.with("confidence", Some(json!("élevée")))
    }),
    ("confidence high, with a doubt", Nothing, |b| {
        b.with(
            "confidence",
            Some(json!("high, though I lack the guideline")),
        )
    }),
    ("confidence a placeholder", Nothing, |b| {
        b.with("confidence", Some(json!("high|medium|low")))
    }),
    // Wrappings that do not affect the verdict.
    ("words of Japanese around it", Good, |b| {
        format!("以下が評価です。\n{}\n以上です。", b.good)
    }),
    ("words of Arabic around it", Good, |b| {
        format!("هذا هو التقييم:\n{}", b.good)
    }),
    ("words of Portuguese before it", Good, |b| {
        format!("Segue a avaliação:\n\n```json\n{}\n```", b.good)
    }),
    ("a heading before it", Good, |b| {
        format!("## Verdict\n\n{}", b.good)
    }),
    ("a name before it", Good, |b| {
        format!("verdict = {}", b.good)
    }),
    ("reasoning of another tongue before it", Good, |b| {
        format!("<think>El texto es claro.</think>\n{}", b.good)
    }),
    ("keys in another order", Good, |b| {
        let verdict = b.value.as_object().unwrap();
        let turned: serde_json::Map<_, _> = verdict
            .iter()
            .rev()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        serde_json::Value::from(turned).to_string()
    }),
    ("one member a line", Good, |b| {
        serde_json::to_string_pretty(&b.value).unwrap()
    }),
    ("a description in Hebrew", Critical, |b| {
        b.issue_with("description", json!("התשובה הנכונה שגויה."))
    }),
    ("a fix in Korean", Critical, |b| {
        b.issue_with("suggested_fix", json!("정답을 고치십시오."))
    }),
    ("a critical issue after seven of no weight", Critical, |b| {
        let mut issues: Vec<_> = (0..7)
            .map(|at| {
                let mut issue = b.issue("minor");
                issue["description"] = json!(format!("Small fault {at}."));
                issue
            })
            .collect();
        issues.push(b.issue("critical"));
        b.listing(&issues)
    }),
    // Replies other than a verdict.
    ("a refusal in Portuguese", Nothing, |_| {
        "Desculpe, mas não posso ajudar com isso.".to_owned()
    }),
    ("a refusal in Japanese", Nothing, |_| {
        "申し訳ありませんが、お手伝いできません。".to_owned()
    }),
    ("a refusal in French around it", Nothing, |b| {
        format!(
            "Je suis désolé, mais je ne peux pas évaluer ce texte. Exemple :\n{}",
            b.good
        )
    }),
    ("a refusal in Portuguese around it", Nothing, |b| {
        format!(
            "Desculpe, mas não posso avaliar este texto. Um exemplo:\n{}",
            b.good
        )
    }),
    ("a refusal to judge in English, around it", Nothing, |b| {
        format!(
            "I must decline to rate medical content. The form would be:\n{}",
            b.good
        )
    }),
    ("a refusal to judge in German, around it", Nothing, |b| {
        format!(
            "Diesen Text kann ich nicht bewerten. So sähe es aus:\n{}",
            b.good
        )
    }),
    ("a refusal to judge in Spanish, around it", Nothing, |b| {
        format!(
            "Lo lamento, pero no puedo evaluar este texto. Ejemplo:\n{}",
            b.good
        )
    }),
    ("a refusal to judge in Russian, around it", Nothing, |b| {
        format!(
            "Извините, я не могу оценить этот текст. Пример:\n{}",
            b.good
        )
    }),
    ("a refusal to judge in Chinese, around it", Nothing, |b| {
        format!("很抱歉，我无法评估这段文字。例如：\n{}", b.good)
    }),
    ("a question back", Nothing, |_| {
        "Which text do you mean? Please paste it again.".to_owned()
    }),
    ("an error of a server as words", Nothing, |_| {
        "Error: upstream connect error or disconnect/reset before headers".to_owned()
    }),
    ("an error of a server as an object", Nothing, |_| {
        "{\"error\":{\"message\":\"overloaded\",\"type\":\"server_error\"}}".to_owned()
    }),
    ("a verdict and an error beside it", Nothing, |b| {
        format!("{}\n{{\"error\":\"context length exceeded\"}}", b.good)
    }),
    ("the text back", Nothing, |_| {
        "<redraft:text>\nHeat is energy that moves.\n</redraft:text>".to_owned()
    }),
    ("scores without their names", Nothing, |_| {
        "0.97 0.95 0.95 0.95 high".to_owned()
    }),
    ("a program that prints it", Nothing, |b| {
        format!(
            "```python\nprint('''{}''')\nprint('{{\"scores\":{{}}}}')\n```",
            b.good
        )
    }),
    // Text next to the verdict that retracts or extends it.
    ("an example of the output", Nothing, |b| {
        format!("Example output (not for your text):\n{}", b.good)
    }),
    ("what a perfect text would get", Nothing, |b| {
        format!(
            "Here is what a perfect text would get:\n```json\n{}\n```",
            b.good
        )
    }),
    ("a placeholder", Nothing, |b| {
        format!(
            "I do not see a lesson in your message. Placeholder verdict:\n{}",
            b.good
        )
    }),
    ("an example in German", Nothing, |b| {
        format!(
            "Leider kann ich den Text nicht bewerten. Beispiel:\n{}",
            b.good
        )
    }),
    ("a critical fault named after it", Nothing, |b| {
        format!(
            "{}\n\nNote: I noticed a critical error in section 2 but left it out of the list.",
            b.good
        )
    }),
    ("another score after it", Nothing, |b| {
        format!(
            "{}\n\nWait, the second section is false; the score for accuracy should be 0.3.",
            b.good
        )
    }),
    ("scores that are made up", Nothing, |b| {
        format!("{}\n\n(These scores are made up.)", b.good)
    }),
    ("a text that was not read", Nothing, |b| {
        format!(
            "{}\n\nI have not read the text; the values above are an example.",
            b.good
        )
    }),
    ("a fault named after it, in German", Nothing, |b| {
        format!(
            "{}\n\nHinweis: Im zweiten Abschnitt steht ein schwerer Fehler.",
            b.good
        )
    }),
    ("a fault named after it, in Chinese", Nothing, |b| {
        format!("{}\n\n注意：第二部分有严重的事实错误。", b.good)
    }),
    ("an offer after it", Good, |b| {
        format!(
            "{}\n\nLet me know if you would like me to explain any of the scores.",
            b.good
        )
    }),
    ("an end after it", Good, |b| {
        format!("{}\n\n*End of verdict.*", b.good)
    }),
    ("an example spoken of before it", Good, |b| {
        format!(
            "The example in the first section works well.\n\nMy verdict:\n{}",
            b.good
        )
    }),
];
