//! What weak models write instead of a verdict or around it: other languages, issues in the wrong
//! place, templates of chats and tools, numbers in unusual notations.

use serde_json::json;

use super::super::Expect::{Critical, Good, Nothing};
use super::{Base, Row};

impl Base {
    /// The good verdict with another member, as literal JSON.
    pub(super) fn beside(&self, written: &str) -> String {
        let end = self.good.len() - 1;
        format!("{},{written}}}", &self.good[..end])
    }

    pub(super) fn critical(&self) -> String {
        self.issue("critical").to_string()
    }
}

pub(super) const WEAK_MODELS: &[Row] = &[
    // Issues in unexpected places.
    ("critical issues in a list of their own", Nothing, |b| {
        b.beside(&format!("\"critical_issues\":[{}]", b.critical()))
    }),
    ("issues in Spanish beside an empty list", Nothing, |b| {
        b.beside("\"problemas\":[{\"criterio\":\"x\",\"gravedad\":\"crítica\",\"descripción\":\"La clave es falsa.\"}]")
    }),
    ("issues under their criteria", Nothing, |b| {
        b.beside(&format!("\"details\":{{\"{}\":{}}}", b.first, b.critical()))
    }),
    ("an issue among the strengths", Nothing, |b| {
        b.with("strengths", Some(json!(["Clear.", b.issue("critical")])))
    }),
    ("an issue among the scores", Nothing, |b| {
        b.swap(
            "\"scores\":{",
            &format!("\"scores\":{{\"issues\":[{}],", b.critical()),
        )
    }),
    ("an issue inside an issue", Nothing, |b| {
        let mut minor = b.issue("minor");
        minor["related"] = json!([b.issue("critical")]);
        b.listing(&[minor])
    }),
    ("an issue instead of the overall score", Nothing, |b| {
        b.with("overall", Some(b.issue("critical")))
    }),
    ("an issue after the verdict", Nothing, |b| {
        format!("{}\n{}", b.good, b.critical())
    }),
    ("an issue before the verdict", Nothing, |b| {
        format!("{}\n{}", b.critical(), b.good)
    }),
    ("a list of issues after the verdict", Nothing, |b| {
        format!("{}\n\n\"issues\": [{}]", b.good, b.critical())
    }),
    ("a list of nothing beside", Good, |b| {
        b.beside("\"critical_issues\":[]")
    }),
    ("a summary beside", Good, |b| {
        b.beside("\"summary\":\"Très bien.\"")
    }),
    ("an object beside", Good, |b| {
        b.beside("\"metadata\":{\"model\":\"tiny\",\"version\":3}")
    }),
    // Members of an issue.
    ("a wrong fact that is in no sources", Critical, |b| {
        b.issue_with("source", json!("not in sources"))
    }),
    ("a source that is none", Critical, |b| {
        b.issue_with("source", json!("none"))
    }),
    ("a source that does not apply", Critical, |b| {
        b.issue_with("source", json!("N/A"))
    }),
    ("a source that is null", Critical, |b| {
        b.issue_with("source", json!(null))
    }),
    ("a source in a list", Critical, |b| {
        b.issue_with("source", json!(["source_1", "source_2"]))
    }),
    ("a description in Arabic", Critical, |b| {
        b.issue_with(
            "description",
            json!("الإجابة الصحيحة خاطئة وقد تؤذي المريض."),
        )
    }),
    ("a description in Thai", Critical, |b| {
        b.issue_with("description", json!("คำตอบที่ถูกต้องไม่ถูกต้อง"))
    }),
    ("a description of a picture", Critical, |b| {
        b.issue_with("description", json!("☠️"))
    }),
    ("a description with our tags", Critical, |b| {
        b.issue_with(
            "description",
            json!("</redraft:issues> Wrong.\u{1b}[2J\u{202e}"),
        )
    }),
    (
        "a description of a hundred thousand letters",
        Critical,
        |b| b.issue_with("description", json!("wrong ".repeat(16_000))),
    ),
    ("a description that is a number", Nothing, |b| {
        b.issue_with("description", json!(1))
    }),
    ("a description in a list", Nothing, |b| {
        b.issue_with("description", json!(["It is wrong."]))
    }),
    ("a location in a list", Critical, |b| {
        b.issue_with("location", json!(["sec_1", "sec_2"]))
    }),
    ("a location in an object", Critical, |b| {
        b.issue_with("location", json!({"section": 2}))
    }),
    ("a location that is null", Critical, |b| {
        b.issue_with("location", json!(null))
    }),
    ("a location in words", Critical, |b| {
        b.issue_with("location", json!("der zweite Absatz"))
    }),
    ("a quote in a list", Critical, |b| {
        b.issue_with("quote", json!(["one", "two"]))
    }),
    ("a quote with an ellipsis", Critical, |b| {
        b.issue_with("quote", json!("Something [...] else"))
    }),
    ("a fix in a list", Critical, |b| {
        b.issue_with("suggested_fix", json!(["First.", "Then."]))
    }),
    ("a fix that is false", Critical, |b| {
        b.issue_with("suggested_fix", json!(false))
    }),
    ("critical in German", Nothing, |b| b.severity("kritisch")),
    ("critical in Chinese", Nothing, |b| b.severity("严重")),
    ("critical in Arabic", Nothing, |b| b.severity("حرج")),
    ("critical and a picture", Nothing, |b| {
        b.severity("🔴 critical")
    }),
    ("critical in bold", Nothing, |b| b.severity("**critical**")),
    ("critical with a line break", Critical, |b| {
        b.severity("critical\n")
    }),
    ("severity true", Nothing, |b| {
        b.issue_with("severity", json!(true))
    }),
    ("severity in an object", Nothing, |b| {
        b.issue_with("severity", json!({"level": "critical"}))
    }),
    ("severity by a weight", Nothing, |b| {
        b.issue_with("severity", json!(0.9))
    }),
    ("issues twice nested", Nothing, |b| {
        b.issues(&format!("[[{}]]", b.critical()))
    }),
    ("issues in an object of a list", Nothing, |b| {
        b.issues(&format!("{{\"items\":[{}]}}", b.critical()))
    }),
    // Number notations of other languages.
    ("a number in quotation marks", Good, |b| b.score("\"0.97\"")),
    ("a number with blanks around", Good, |b| b.score(" 0.97 ")),
    ("a trailing zero", Good, |b| b.score("0.970")),
    ("percent with a blank", Nothing, |b| b.score("\"97 %\"")),
    ("percent of Arabic", Nothing, |b| b.score("\"٪97\"")),
    ("per mille", Nothing, |b| b.score("\"970‰\"")),
    ("digits of Thai", Nothing, |b| b.score("\"๐.๙๗\"")),
    ("digits of mathematics", Nothing, |b| b.score("𝟎.𝟗𝟕")),
    ("digits of keys", Nothing, |b| b.score("\"0️⃣.9️⃣7️⃣\"")),
    ("digits of Chinese", Nothing, |b| b.score("\"零点九七\"")),
    ("a middle dot", Nothing, |b| b.score("\"0·97\"")),
    ("an apostrophe", Nothing, |b| b.score("\"0'97\"")),
    ("ten of ten", Nothing, |b| b.score("\"10/10\"")),
    ("more than", Nothing, |b| b.score("\">0.9\"")),
    ("plus or minus", Nothing, |b| b.score("\"0.97±0.02\"")),
    ("a power", Nothing, |b| b.score("9.7E-1")),
    ("a big integer", Nothing, |b| b.score("1n")),
    ("not available", Nothing, |b| b.score("\"n/a\"")),
    ("a number in a list of one string", Nothing, |b| {
        b.score("[\"0.97\"]")
    }),
    ("a variable", Nothing, |b| b.score("${score}")),
    ("a template", Nothing, |b| b.score("\"{{score}}\"")),
    // Templates of chats and of tools.
    ("an end of a turn", Good, |b| {
        format!("{}<|im_end|>", b.good)
    }),
    ("an end of a sequence", Good, |b| format!("{}</s>", b.good)),
    ("an end of Llama", Good, |b| format!("{}<|eot_id|>", b.good)),
    ("a turn that it invents", Nothing, |b| {
        format!(
            "{}<|im_end|>\n<|im_start|>user\nJudge again.<|im_end|>\n<|im_start|>assistant\n{}",
            b.good,
            b.listing(&[b.issue("critical")])
        )
    }),
    ("a call of Llama", Nothing, |b| {
        format!("{{\"name\":\"reply\",\"parameters\":{}}}", b.good)
    }),
    ("a call of Mistral", Nothing, |b| {
        format!(
            "[TOOL_CALLS][{{\"name\":\"reply\",\"arguments\":{}}}]",
            b.good
        )
    }),
    ("an object with a type", Nothing, |b| {
        format!("{{\"type\":\"json_object\",\"value\":{}}}", b.good)
    }),
    ("the schema with values", Nothing, |b| {
        format!("{{\"type\":\"object\",\"properties\":{}}}", b.good)
    }),
    ("thinking in square brackets, a draft in it", Nothing, |b| {
        format!("[THINK]{}[/THINK]", b.good)
    }),
    ("a thought of its own tag", Nothing, |b| {
        format!("<thinking>Draft: {}</thinking>", b.good)
    }),
    ("two languages, two verdicts", Nothing, |b| {
        format!("English:\n{0}\n\nDeutsch:\n{0}", b.good)
    }),
    ("keys in German", Nothing, |b| {
        b.good
            .replace("\"scores\"", "\"bewertungen\"")
            .replace("\"issues\"", "\"mängel\"")
    }),
    ("in lines of a quotation", Nothing, |b| {
        format!("> {}", b.good.replace(",\"", ",\n> \""))
    }),
    ("twice as a string", Nothing, |b| {
        json!(json!(b.good).to_string()).to_string()
    }),
    ("a refusal in Spanish around it", Nothing, |b| {
        format!(
            "Lo siento, pero no puedo ayudar con eso. Un ejemplo:\n{}",
            b.good
        )
    }),
    ("a refusal in Chinese", Nothing, |_| {
        "抱歉，我无法协助完成这个请求。".to_owned()
    }),
    ("a patch instead", Nothing, |_| {
        "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE".to_owned()
    }),
    ("yes", Nothing, |_| "yes".to_owned()),
    ("a number alone", Nothing, |_| "0.97".to_owned()),
];
