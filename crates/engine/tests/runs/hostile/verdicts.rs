//! Replies of judges that are almost verdicts. Each is sent in all three protocols, each time about
//! a different kind of content.

mod not_its_own;
mod second_thoughts;
mod taken_back;
mod weak_models;

use redraft_run::setup::Setup;
use serde_json::{Value, json};

use super::Expect::{self, Critical, Doubted, Good, Nothing};
use super::server::{Form, reply};
use super::{CONTENTS, Trial, Wrong, first_criterion, good, judged};
use crate::http::APIS;
use not_its_own::NOT_ITS_OWN;
use second_thoughts::SECOND_THOUGHTS;
use taken_back::TAKEN_BACK;
use weak_models::WEAK_MODELS;

/// The material of a reply.
struct Base {
    /// The good verdict, as JSON.
    good: String,
    value: Value,
    text_id: String,
    /// The criterion with the score `0.97`.
    first: String,
}

impl Base {
    fn of(setup: &Setup, text_id: &str) -> Self {
        let value = good(setup, text_id);
        Self {
            good: value.to_string(),
            value,
            text_id: text_id.to_owned(),
            first: first_criterion(setup),
        }
    }

    /// The good verdict with another literal for the first score.
    fn score(&self, written: &str) -> String {
        self.swap("0.97", written)
    }

    fn swap(&self, old: &str, new: &str) -> String {
        assert!(self.good.contains(old), "{old} is not in {}", self.good);
        self.good.replacen(old, new, 1)
    }

    /// With other issues, as literal JSON.
    fn issues(&self, written: &str) -> String {
        self.swap("\"issues\":[]", &format!("\"issues\":{written}"))
    }

    /// With one member changed; `None` removes it.
    fn with(&self, name: &str, value: Option<Value>) -> String {
        let mut verdict = self.value.clone();
        match value {
            Some(value) => verdict[name] = value,
            None => {
                verdict.as_object_mut().unwrap().remove(name);
            }
        }
        verdict.to_string()
    }

    fn issue(&self, severity: &str) -> Value {
        json!({
            "criterion": self.first, "severity": severity, "location": "sec_global", "quote": "",
            "source": "", "description": "It is dangerous to follow.", "suggested_fix": "Remove it.",
        })
    }

    /// An issue, with the first score lowered accordingly.
    fn severity(&self, severity: &str) -> String {
        self.listing(&[self.issue(severity)])
    }

    fn listing(&self, issues: &[Value]) -> String {
        let mut verdict = self.value.clone();
        verdict["issues"] = issues.into();
        verdict["scores"][&self.first] = json!(0.91);
        verdict.to_string()
    }

    /// An issue with one member changed.
    fn issue_with(&self, name: &str, value: Value) -> String {
        let mut issue = self.issue("critical");
        issue[name] = value;
        self.listing(&[issue])
    }

    fn issue_without(&self, name: &str) -> String {
        let mut issue = self.issue("critical");
        issue.as_object_mut().unwrap().remove(name);
        self.listing(&[issue])
    }
}

type Row = (&'static str, Expect, fn(&Base) -> String);

/// Notations of scores.
const SCORES: &[Row] = &[
    ("decimal comma", Nothing, |b| b.score("0,97")),
    ("decimal comma in a string", Nothing, |b| {
        b.score("\"0,97\"")
    }),
    ("out of one", Nothing, |b| b.score("\"0.97/1\"")),
    ("a fraction", Nothing, |b| b.score("97/100")),
    ("percent", Nothing, |b| b.score("\"97%\"")),
    ("percent without quotes", Nothing, |b| b.score("97%")),
    ("a hundred", Nothing, |b| b.score("97")),
    ("not a number", Nothing, |b| b.score("NaN")),
    ("not a number in a string", Nothing, |b| b.score("\"NaN\"")),
    ("infinity", Nothing, |b| b.score("Infinity")),
    ("minus infinity", Nothing, |b| b.score("-Infinity")),
    ("1e400", Nothing, |b| b.score("1e400")),
    ("1e-400", Nothing, |b| b.score("1e-400")),
    ("97e-2", Nothing, |b| b.score("97e-2")),
    ("negative", Nothing, |b| b.score("-0.97")),
    ("minus zero", Nothing, |b| b.score("-0")),
    ("above one", Nothing, |b| b.score("1.0001")),
    ("two", Nothing, |b| b.score("2")),
    ("plus sign", Nothing, |b| b.score("+0.97")),
    ("no leading zero", Nothing, |b| b.score(".97")),
    ("nothing after the point", Nothing, |b| b.score("1.")),
    ("two leading zeros", Nothing, |b| b.score("00.97")),
    ("two points", Nothing, |b| b.score("0.9.7")),
    ("underscore", Nothing, |b| b.score("0.9_7")),
    ("hexadecimal", Nothing, |b| b.score("0x1")),
    ("full-width digits", Nothing, |b| b.score("０.９７")),
    ("full-width digits in a string", Nothing, |b| {
        b.score("\"０.９７\"")
    }),
    ("Arabic digits", Nothing, |b| b.score("\"٠٫٩٧\"")),
    ("in words", Nothing, |b| b.score("\"good\"")),
    ("a letter grade", Nothing, |b| b.score("\"A+\"")),
    ("empty string", Nothing, |b| b.score("\"\"")),
    ("null", Nothing, |b| b.score("null")),
    ("true", Nothing, |b| b.score("true")),
    ("a list", Nothing, |b| b.score("[0.97]")),
    ("an object", Nothing, |b| b.score("{\"score\":0.97}")),
    ("a range", Nothing, |b| b.score("\"0.9-1.0\"")),
    ("about", Nothing, |b| b.score("\"~0.97\"")),
    ("right-to-left mark", Nothing, |b| {
        b.score("\"\u{200f}0.97\"")
    }),
    ("zero-width space", Nothing, |b| b.score("\"0.\u{200b}97\"")),
    ("no value", Nothing, |b| b.score("")),
    ("very many digits", Good, |b| {
        b.score(&format!("0.97{}", "0".repeat(400)))
    }),
];

/// Sets of scores.
const CRITERIA: &[Row] = &[
    ("a criterion missing", Nothing, |b| {
        b.swap(&format!("\"{}\":0.97,", b.first), "")
    }),
    ("a criterion renamed", Nothing, |b| {
        b.swap(&format!("\"{}\":", b.first), "\"first_criterion\":")
    }),
    ("a criterion in capitals", Nothing, |b| {
        b.swap(&b.first, &b.first.to_uppercase())
    }),
    ("an invented criterion as well", Good, |b| {
        b.swap("\"scores\":{", "\"scores\":{\"humour\":0.10,")
    }),
    ("a criterion twice", Nothing, |b| {
        b.swap(
            "\"scores\":{",
            &format!("\"scores\":{{\"{}\":0.20,", b.first),
        )
    }),
    ("a criterion twice, once escaped", Nothing, |b| {
        let escaped = format!("\\u{:04x}{}", b.first.as_bytes()[0], &b.first[1..]);
        b.swap("\"scores\":{", &format!("\"scores\":{{\"{escaped}\":0.20,"))
    }),
    ("scores twice", Nothing, |b| {
        b.swap("\"overall\"", "\"scores\":{},\"overall\"")
    }),
    ("scores twice, once escaped", Nothing, |b| {
        b.swap("\"overall\"", "\"\\u0073cores\":{},\"overall\"")
    }),
    ("scores only escaped", Good, |b| {
        b.swap("\"scores\"", "\"\\u0073cores\"")
    }),
    ("scores as a list", Nothing, |b| {
        b.with("scores", Some(json!([0.97, 0.95])))
    }),
    ("scores as a string", Nothing, |b| {
        b.with("scores", Some(json!(b.value["scores"].to_string())))
    }),
    ("one score for all", Nothing, |b| {
        b.with("scores", Some(json!(0.97)))
    }),
    ("scores null", Nothing, |b| {
        b.with("scores", Some(Value::Null))
    }),
    ("no scores", Nothing, |b| b.with("scores", None)),
    ("scores empty", Nothing, |b| {
        b.with("scores", Some(json!({})))
    }),
    ("scores called score", Nothing, |b| {
        b.swap("\"scores\"", "\"score\"")
    }),
    ("scores with objects of score and reason", Nothing, |b| {
        let scores = b.value["scores"].as_object().unwrap();
        let nested: serde_json::Map<String, Value> = scores
            .iter()
            .map(|(name, score)| (name.clone(), json!({"score": score, "reason": "Good."})))
            .collect();
        b.with("scores", Some(nested.into()))
    }),
];

/// The issues.
const ISSUES: &[Row] = &[
    ("no issues", Nothing, |b| b.with("issues", None)),
    ("issues null", Nothing, |b| b.issues("null")),
    ("issues an object", Nothing, |b| b.issues("{}")),
    ("issues an object of one issue", Nothing, |b| {
        b.issues(&b.issue("critical").to_string())
    }),
    ("issues a string", Nothing, |b| b.issues("\"none\"")),
    ("issues a number", Nothing, |b| b.issues("0")),
    ("issues a list of strings", Nothing, |b| {
        b.issues("[\"The dose kills.\"]")
    }),
    ("issues a list of lists", Nothing, |b| b.issues("[[]]")),
    ("issues a list of null", Nothing, |b| b.issues("[null]")),
    ("issues a list of nothing", Nothing, |b| b.issues("[{}]")),
    ("issues twice", Nothing, |b| {
        let critical = b.issue("critical");
        b.swap(
            "\"issues\":[]",
            &format!("\"issues\":[{critical}],\"issues\":[]"),
        )
    }),
    ("issues twice, once escaped", Nothing, |b| {
        let critical = b.issue("critical");
        b.swap(
            "\"issues\":[]",
            &format!("\"\\u0069ssues\":[{critical}],\"issues\":[]"),
        )
    }),
    ("issues in capitals", Nothing, |b| {
        b.swap("\"issues\"", "\"Issues\"")
    }),
    ("a critical issue", Critical, |b| b.severity("critical")),
    ("critical in capitals", Nothing, |b| b.severity("CRITICAL")),
    ("critical in French", Nothing, |b| b.severity("critique")),
    ("critical in Russian", Nothing, |b| {
        b.severity("критический")
    }),
    ("critical with a full stop", Nothing, |b| {
        b.severity("critical.")
    }),
    ("critical with a space", Critical, |b| {
        b.severity(" critical ")
    }),
    ("critical with a Cyrillic letter", Nothing, |b| {
        b.severity("сritical")
    }),
    ("blocker", Nothing, |b| b.severity("blocker")),
    ("severity 5", Nothing, |b| {
        b.issue_with("severity", json!(5))
    }),
    ("severity a list", Nothing, |b| {
        b.issue_with("severity", json!(["critical", "minor"]))
    }),
    ("severity null", Nothing, |b| {
        b.issue_with("severity", Value::Null)
    }),
    ("severity missing", Nothing, |b| b.issue_without("severity")),
    ("severity twice", Nothing, |b| {
        let twice = b.severity("critical");
        twice.replacen(
            "\"severity\":\"critical\"",
            "\"severity\":\"critical\",\"severity\":\"minor\"",
            1,
        )
    }),
    ("criterion missing", Nothing, |b| {
        b.issue_without("criterion")
    }),
    ("criterion unknown", Nothing, |b| {
        b.issue_with("criterion", json!("style"))
    }),
    ("criterion a list", Nothing, |b| {
        b.issue_with("criterion", json!([b.first]))
    }),
    ("description missing", Nothing, |b| {
        b.issue_without("description")
    }),
    ("description of spaces", Nothing, |b| {
        b.issue_with("description", json!(" \u{a0}"))
    }),
    ("description an object", Nothing, |b| {
        b.issue_with("description", json!({"en": "Bad."}))
    }),
    ("location missing", Critical, |b| {
        b.issue_without("location")
    }),
    ("location of another text", Critical, |b| {
        b.issue_with("location", json!("sec_99"))
    }),
    ("location a number", Critical, |b| {
        b.issue_with("location", json!(3))
    }),
    ("location a path", Critical, |b| {
        b.issue_with("location", json!("../../etc/passwd"))
    }),
    ("a quote that is not there", Critical, |b| {
        b.issue_with("quote", json!("Ice cream floats."))
    }),
    ("a quote that is null", Critical, |b| {
        b.issue_with("quote", Value::Null)
    }),
    ("no suggested fix", Critical, |b| {
        b.issue_without("suggested_fix")
    }),
    ("an unknown member", Critical, |b| {
        b.issue_with("probability", json!(0.01))
    }),
    ("a hundred minor issues and a critical one", Critical, |b| {
        let mut issues: Vec<Value> = (0..100)
            .map(|at| {
                let mut issue = b.issue("minor");
                issue["description"] = json!(format!("Issue {at}."));
                issue
            })
            .collect();
        issues.push(b.issue("critical"));
        b.listing(&issues)
    }),
    ("a ninth issue, critical", Critical, |b| {
        let mut issues: Vec<Value> = (0..8)
            .map(|at| {
                let mut issue = b.issue("major");
                issue["description"] = json!(format!("Issue {at}."));
                issue
            })
            .collect();
        issues.push(b.issue("critical"));
        b.listing(&issues)
    }),
    ("twelve critical issues", Critical, |b| {
        let issues: Vec<Value> = (0..12)
            .map(|at| {
                let mut issue = b.issue("critical");
                issue["description"] = json!(format!("Issue {at}."));
                issue
            })
            .collect();
        b.listing(&issues)
    }),
    ("the same issue, minor and critical", Critical, |b| {
        b.listing(&[b.issue("minor"), b.issue("critical")])
    }),
    ("a trailing comma after an issue", Nothing, |b| {
        b.severity("critical").replacen("}],", "},],", 1)
    }),
    ("a comment that hides an issue", Nothing, |b| {
        b.severity("critical")
            .replacen("[{", "[/*{", 1)
            .replacen("}]", "}*/]", 1)
    }),
    ("a line comment in the issues", Nothing, |b| {
        b.issues("[ // none\n]")
    }),
];

/// Confidence, the id of the text, and other members.
const MEMBERS: &[Row] = &[
    ("no confidence", Nothing, |b| b.with("confidence", None)),
    ("confidence a number", Nothing, |b| {
        b.with("confidence", Some(json!(0.9)))
    }),
    ("confidence in capitals", Nothing, |b| {
        b.swap("\"high\"", "\"HIGH\"")
    }),
    ("confidence very high", Nothing, |b| {
        b.swap("\"high\"", "\"very high\"")
    }),
    ("confidence in German", Nothing, |b| {
        b.swap("\"high\"", "\"hoch\"")
    }),
    ("confidence null", Nothing, |b| {
        b.with("confidence", Some(Value::Null))
    }),
    ("confidence twice", Nothing, |b| {
        b.swap(
            "\"confidence\":\"high\"",
            "\"confidence\":\"low\",\"confidence\":\"high\"",
        )
    }),
    ("confidence without quotes", Nothing, |b| {
        b.swap("\"high\"", "high")
    }),
    ("confidence low", Doubted, |b| b.swap("\"high\"", "\"low\"")),
    ("no text id", Nothing, |b| b.with("text_id", None)),
    ("text id of another text", Nothing, |b| {
        b.with("text_id", Some(json!("0".repeat(b.text_id.len()))))
    }),
    ("text id cut short", Nothing, |b| {
        b.with("text_id", Some(json!(b.text_id[..b.text_id.len() - 1])))
    }),
    ("text id in capitals", Nothing, |b| {
        b.with(
            "text_id",
            Some(json!(format!("{}X", b.text_id.to_uppercase()))),
        )
    }),
    ("text id in a list", Nothing, |b| {
        b.with("text_id", Some(json!([b.text_id])))
    }),
    ("text id null", Nothing, |b| {
        b.with("text_id", Some(Value::Null))
    }),
    ("text id twice", Nothing, |b| {
        b.swap("\"issues\"", "\"text_id\":\"0\",\"issues\"")
    }),
    ("overall missing", Good, |b| b.with("overall", None)),
    ("overall 97", Good, |b| b.with("overall", Some(json!(97)))),
    ("overall in words", Good, |b| {
        b.with("overall", Some(json!("excellent")))
    }),
    ("strengths missing", Good, |b| b.with("strengths", None)),
    ("strengths a string", Good, |b| {
        b.with("strengths", Some(json!("Clear.")))
    }),
    ("flat scores", Doubted, |b| {
        let scores = b.value["scores"].as_object().unwrap();
        let flat = scores.keys().map(|name| (name.clone(), json!(0.75)));
        b.with(
            "scores",
            Some(flat.collect::<serde_json::Map<_, _>>().into()),
        )
    }),
];

/// Text around the verdict, and notations of its JSON.
const AROUND: &[Row] = &[
    ("a fence", Good, |b| format!("```json\n{}\n```", b.good)),
    ("a fence that never closes", Good, |b| {
        format!("```json\n{}", b.good)
    }),
    ("words around it", Good, |b| {
        format!("Here is my verdict:\n{}\nI hope this helps!", b.good)
    }),
    ("a byte order mark", Good, |b| format!("\u{feff}{}", b.good)),
    ("right-to-left marks", Good, |b| {
        format!("\u{200f}{}\u{200f}", b.good)
    }),
    ("reasoning before it", Good, |b| {
        format!("<think>Hm.</think>{}", b.good)
    }),
    ("a draft in the reasoning", Good, |b| {
        format!("<think>{}</think>{}", b.score("0.20"), b.good)
    }),
    ("only in the reasoning", Nothing, |b| {
        format!("<think>{}</think>Done.", b.good)
    }),
    ("in reasoning that never ends", Nothing, |b| {
        format!("<think>{}", b.good)
    }),
    ("reasoning that only ends", Good, |b| {
        format!("Hm.</think>{}", b.good)
    }),
    ("in a harmony channel", Nothing, |b| {
        format!("<|channel|>analysis<|message|>{}", b.good)
    }),
    ("two verdicts", Nothing, |b| {
        format!("{}\n{}", b.score("0.20"), b.good)
    }),
    ("two equal verdicts", Nothing, |b| {
        format!("{}\n{}", b.good, b.good)
    }),
    ("a verdict, then a correction", Nothing, |b| {
        format!("{}\nCorrection: {}", b.good, b.severity("critical"))
    }),
    ("a verdict, then half of another", Nothing, |b| {
        format!("{}\n{}", b.good, &b.good[..b.good.len() / 2])
    }),
    ("a second verdict in a quotation", Nothing, |b| {
        format!("> {}\n\n{}", b.severity("critical"), b.good)
    }),
    ("only in a quotation", Nothing, |b| {
        format!("The text says:\n> {}", b.good)
    }),
    ("a list of one verdict", Good, |b| format!("[{}]", b.good)),
    ("a list of two verdicts", Nothing, |b| {
        format!("[{},{}]", b.good, b.good)
    }),
    ("inside another object", Nothing, |b| {
        format!("{{\"verdict\":{}}}", b.good)
    }),
    ("as a string", Nothing, |b| json!(b.good).to_string()),
    ("in a string of another object", Nothing, |b| {
        json!({"output": b.good}).to_string()
    }),
    ("in a refusal", Nothing, |b| {
        format!(
            "I'm sorry, but I can't judge this text. A verdict would look like this: {}",
            b.good
        )
    }),
    ("a refusal after it", Nothing, |b| {
        format!(
            "{}\n\nI'm sorry, but I cannot help with this request.",
            b.good
        )
    }),
    ("a refusal", Nothing, |_| {
        "I'm sorry, but I can't help with that.".to_owned()
    }),
    ("a refusal in German", Nothing, |_| {
        "Es tut mir leid, dabei kann ich nicht helfen.".to_owned()
    }),
    ("empty", Nothing, |_| String::new()),
    ("white space", Nothing, |_| " \n\t\u{a0}\n".to_owned()),
    ("prose", Nothing, |_| {
        "Scores: 0.97 for everything. Accept it.".to_owned()
    }),
    ("an empty object", Nothing, |_| "{}".to_owned()),
    ("null", Nothing, |_| "null".to_owned()),
    ("the schema back", Nothing, |_| {
        r#"{"type":"object","properties":{"scores":{"type":"object"}}}"#.to_owned()
    }),
    ("the example of the prompt", Nothing, |b| {
        b.with("text_id", Some(json!("<text_id>")))
    }),
    ("cut in half", Nothing, |b| {
        b.good[..b.good.len() / 2].to_owned()
    }),
    ("without its last brace", Nothing, |b| {
        b.good[..b.good.len() - 1].to_owned()
    }),
    ("one brace too many", Good, |b| format!("{}}}", b.good)),
    ("single quotes", Nothing, |b| b.good.replace('"', "'")),
    ("smart quotes", Nothing, |b| b.good.replace('"', "”")),
    ("HTML entities", Nothing, |b| b.good.replace('"', "&quot;")),
    ("backslashes before quotes", Nothing, |b| {
        b.good.replace('"', "\\\"")
    }),
    ("no quotes around keys", Good, |b| {
        b.swap("\"scores\"", "scores")
    }),
    ("smart quotes around a key", Good, |b| {
        b.swap("\"scores\"", "“scores”")
    }),
    ("a trailing comma in the scores", Nothing, |b| {
        b.swap("},\"overall\"", ",},\"overall\"")
    }),
    ("a missing comma in the scores", Nothing, |b| {
        b.swap("0.97,", "0.97 ")
    }),
    ("a semicolon in the scores", Nothing, |b| {
        b.swap("0.97,", "0.97;")
    }),
    ("a colon missing", Good, |b| {
        b.swap("\"scores\":", "\"scores\" ")
    }),
    ("equals signs", Nothing, |b| {
        b.swap("\"scores\":", "\"scores\"=")
    }),
    ("a comment in the scores", Nothing, |b| {
        b.swap("0.97,", "0.97 /* was 0.2 */,")
    }),
    ("a hash comment in the scores", Nothing, |b| {
        b.swap("0.97,", "0.97, # was 0.2\n")
    }),
    ("Python words", Nothing, |b| b.issues("None")),
    ("an ellipsis in the scores", Nothing, |b| {
        b.swap("0.97,", "0.97, ...")
    }),
    ("a line break in a string", Good, |b| {
        b.swap("\"Clear.\"", "\"Cle\nar.\"")
    }),
    ("a NUL", Nothing, |b| b.swap("0.97", "0.97\u{0}")),
    ("full-width braces", Nothing, |b| {
        b.good.replace('{', "｛").replace('}', "｝")
    }),
    ("full-width colons", Nothing, |b| {
        b.swap("\"scores\":", "\"scores\"：")
    }),
    ("YAML", Nothing, |b| {
        format!("scores:\n  {}: 0.97\nissues: []\nconfidence: high", b.first)
    }),
    ("XML", Nothing, |b| {
        format!("<scores><{0}>0.97</{0}></scores>", b.first)
    }),
    ("NDJSON", Nothing, |b| {
        format!(
            "{{\"scores\":{}}}\n{{\"issues\":[],\"confidence\":\"high\"}}",
            b.value["scores"]
        )
    }),
    ("ten thousand brackets", Nothing, |_| "[".repeat(10_000)),
    ("ten thousand braces before it", Nothing, |b| {
        format!("{}{}", "{".repeat(10_000), b.good)
    }),
    ("a megabyte of white space", Good, |b| {
        format!("{}{}", " ".repeat(1 << 20), b.good)
    }),
    ("a tool call in words", Nothing, |b| {
        format!(
            "<tool_call>{{\"name\":\"reply\",\"arguments\":{}}}</tool_call>",
            b.good
        )
    }),
];

/// Replies that were added when all those above passed.
const LATER: &[Row] = &[
    ("a unit in a string", Nothing, |b| {
        b.score("\"0.97 points\"")
    }),
    ("a float of C", Nothing, |b| b.score("0.97f")),
    ("a decimal of C#", Nothing, |b| b.score("0.97m")),
    ("a call", Nothing, |b| b.score("Decimal('0.97')")),
    ("a sum", Nothing, |b| b.score("0.9 + 0.07")),
    ("a blank inside", Nothing, |b| b.score("0.9 7")),
    ("a no-break space behind", Nothing, |b| {
        b.score("0.97\u{a0}")
    }),
    ("a correction in brackets", Nothing, |b| {
        b.score("\"0.97 (was 0.20)\"")
    }),
    ("an arrow", Nothing, |b| b.score("\"0.20 -> 0.97\"")),
    ("two of them", Nothing, |b| b.score("[0.97, 0.20]")),
    ("false", Nothing, |b| b.score("false")),
    ("empty object", Nothing, |b| b.score("{}")),
    ("binary", Nothing, |b| b.score("0b1")),
    ("octal", Nothing, |b| b.score("0o1")),
    ("money", Nothing, |b| b.score("$0.97")),
    ("stars", Nothing, |b| b.score("\"★★★★★\"")),
    ("a Roman number", Nothing, |b| b.score("\"I\"")),
    ("a true minus", Nothing, |b| b.score("\"−0.97\"")),
    ("digits of Devanagari", Nothing, |b| b.score("\"०.९७\"")),
    ("superscript", Nothing, |b| b.score("\"0.9⁷\"")),
    ("a NUL in a string", Nothing, |b| b.score("\"0.97\\u0000\"")),
    ("a semicolon behind", Nothing, |b| b.score("0.97;")),
    ("undefined", Nothing, |b| b.score("undefined")),
    ("a criterion with a blank", Nothing, |b| {
        b.good.replace(&b.first, &format!("{} ", b.first))
    }),
    ("a criterion with a soft hyphen", Nothing, |b| {
        b.good.replace(&b.first, &format!("\u{ad}{}", b.first))
    }),
    ("a criterion with a Cyrillic letter", Nothing, |b| {
        b.good.replace(
            &b.first,
            &b.first.replacen('a', "а", 1).replacen('e', "е", 1),
        )
    }),
    ("a criterion with hyphens", Nothing, |b| {
        b.good
            .replace(&b.first, &format!("{}-", b.first.replace('_', "-")))
    }),
    ("scores in groups", Nothing, |b| {
        b.with(
            "scores",
            Some(json!({ "content": b.value["scores"], "form": b.value["scores"] })),
        )
    }),
    ("scores by number", Nothing, |b| {
        b.with(
            "scores",
            Some(json!({"1": 0.97, "2": 0.96, "3": 0.95, "4": 0.97, "5": 0.96, "6": 0.95})),
        )
    }),
    ("issues by number", Nothing, |b| b.issues("{\"0\": {}}")),
    ("issues in a string", Nothing, |b| b.issues("\"[]\"")),
    ("not critical", Nothing, |b| b.severity("not critical")),
    ("two severities", Nothing, |b| b.severity("minor, critical")),
    ("critical with a soft hyphen", Nothing, |b| {
        b.severity("cri\u{ad}tical")
    }),
    ("severity under another name", Nothing, |b| {
        b.issue_without("severity").replacen(
            "\"description\"",
            "\"Severity\":\"critical\",\"description\"",
            1,
        )
    }),
    ("confidence in a list", Nothing, |b| {
        b.with("confidence", Some(json!(["high"])))
    }),
    ("confidence in an object", Nothing, |b| {
        b.with("confidence", Some(json!({"level": "high"})))
    }),
    ("confidence with a Cyrillic letter", Nothing, |b| {
        b.with("confidence", Some(json!("hіgh")))
    }),
    ("confidence both", Nothing, |b| {
        b.with("confidence", Some(json!("high/low")))
    }),
    ("confidence true", Nothing, |b| {
        b.with("confidence", Some(json!(true)))
    }),
    ("text id with more letters", Nothing, |b| {
        b.with("text_id", Some(json!(format!("{}0", b.text_id))))
    }),
    ("text id in an object", Nothing, |b| {
        b.with("text_id", Some(json!({"id": b.text_id})))
    }),
    ("two fences", Nothing, |b| {
        format!(
            "```json\n{0}\n```\nand\n```json\n{0}\n```",
            b.good.replace("0.97", "0.20").replacen("0.20", "0.97", 1)
        )
    }),
    ("written backwards", Nothing, |b| {
        b.good.chars().rev().collect()
    }),
    ("escaped for an address", Nothing, |b| {
        b.good
            .replace('"', "%22")
            .replace('{', "%7B")
            .replace('}', "%7D")
    }),
    ("a table", Nothing, |b| {
        format!(
            "| criterion | score |\n|---|---|\n| {} | 0.97 |\n\nConfidence: high",
            b.first
        )
    }),
    ("TOML", Nothing, |b| {
        format!(
            "confidence = \"high\"\nissues = []\n[scores]\n{} = 0.97",
            b.first
        )
    }),
    ("a byte order mark in a name", Nothing, |b| {
        b.swap("\"scores\"", "\"\u{feff}scores\"")
    }),
];

/// Sends every row of a table in all three protocols, each time about a different kind of content
/// and in a different form.
fn all(table: &[Row]) {
    let mut wrong = Wrong::default();
    for (at, (name, expect, make)) in table.iter().enumerate() {
        for (protocol, api) in APIS.into_iter().enumerate() {
            let place = Trial {
                api,
                form: [Form::Stream, Form::Whole][(at + protocol) % 2],
                content: CONTENTS[(at + protocol) % 3],
            };
            wrong.look(|| {
                judged(name, place, *expect, |setup, text_id| {
                    reply(api, place.form, &make(&Base::of(setup, text_id)))
                });
            });
        }
    }
    wrong.assert_none();
}

#[test]
fn scores_are_taken_as_written_or_not_at_all() {
    all(SCORES);
}

#[test]
fn a_verdict_scores_every_criterion_once() {
    all(CRITERIA);
}

#[test]
fn no_issue_is_lost_and_none_is_guessed() {
    all(ISSUES);
}

#[test]
fn a_verdict_says_which_text_it_is_about_and_how_sure_it_is() {
    all(MEMBERS);
}

#[test]
fn a_verdict_is_found_in_its_wrapping_and_nowhere_else() {
    all(AROUND);
}

#[test]
fn what_was_thought_of_later_gives_no_score() {
    all(LATER);
}

#[test]
fn what_weak_models_write_is_taken_as_said_or_asked_for_again() {
    all(WEAK_MODELS);
}

#[test]
fn what_a_verdict_says_elsewhere_is_not_lost() {
    all(SECOND_THOUGHTS);
}

#[test]
fn what_takes_a_verdict_back_is_heard() {
    all(TAKEN_BACK);
}

#[test]
fn a_verdict_that_is_somebody_else_s_is_none() {
    all(NOT_ITS_OWN);
}

/// The number of different replies.
pub(super) fn count() -> usize {
    [
        SCORES,
        CRITERIA,
        ISSUES,
        MEMBERS,
        AROUND,
        LATER,
        WEAK_MODELS,
        SECOND_THOUGHTS,
        TAKEN_BACK,
        NOT_ITS_OWN,
    ]
    .iter()
    .map(|table| table.len())
    .sum()
}
