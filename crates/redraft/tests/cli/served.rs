//! What the reports tell of models behind an address: what they cost, who took over
//! for whom, and what to change where a reply breaks off. The models are a server of
//! ours; the first part of a path says what it answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

use crate::folder::LESSON;
use crate::seeds::LESSONS;
use crate::temp_folder::{Run, TempFolder};

/// Answers until the test is over, and says where.
pub(crate) fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream));
        }
    });
    format!("http://{address}")
}

/// The first line and the body of the next request; nothing at the end of the stream.
pub(crate) fn request(
    reader: &mut BufReader<TcpStream>,
) -> std::io::Result<Option<(String, String)>> {
    let (mut first, mut length) = (String::new(), 0);
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some((first, String::from_utf8_lossy(&body).into_owned())))
}

fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let Some((first, body)) = request(&mut reader)? else {
        return Ok(());
    };
    let (status, body) = reply(&first, &body);
    write!(
        reader.get_mut(),
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn reply(path: &str, question: &str) -> (u16, String) {
    let complaint = |message: &str| json!({"error": {"message": message}}).to_string();
    if path.contains("/denied/") {
        return (401, complaint("no"));
    }
    if path.contains("/long/") {
        return (400, complaint("the input exceeds the context window"));
    }
    let id: String = question
        .split_once("text_id is ")
        .map(|(_, rest)| rest.chars().take_while(char::is_ascii_hexdigit).collect())
        .unwrap();
    let score = if path.contains("/unsure/") {
        0.86
    } else {
        0.96
    };
    let scores: serde_json::Map<String, Value> = LESSONS
        .iter()
        .map(|name| ((*name).to_owned(), score.into()))
        .collect();
    let mut said = json!({
        "text_id": id, "issues": [], "strengths": [], "scores": scores, "confidence": "high"
    })
    .to_string();
    let is_dear = path.contains("/dear/");
    let is_cut = is_dear || path.contains("/cut/");
    if is_cut {
        said.truncate(said.len() / 2);
    }
    let finish = if is_cut { "length" } else { "stop" };
    let mut whole = json!({
        "choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": finish}]
    });
    if !path.contains("/uncounted/") {
        whole["usage"] = json!({
            "prompt_tokens": if is_dear { 7000 } else { 1000 },
            "completion_tokens": 300
        });
    }
    if path.contains("/cached/") {
        whole["usage"] = json!({
            "prompt_tokens": 2000,
            "completion_tokens": 300,
            "prompt_tokens_details": {"cached_tokens": 1408}
        });
    }
    (200, whole.to_string())
}

/// A temp_folder whose providers are named after what they answer.
fn temp_folder(roles: &str) -> TempFolder {
    let address = serve();
    let mut file = roles.to_owned();
    for name in [
        "good",
        "unsure",
        "uncounted",
        "denied",
        "long",
        "cut",
        "cached",
        "dear",
    ] {
        file += &format!(
            "\n[providers.{name}]\nbase-url = \"{address}/{name}/v1\"\nkey-env = \"HOUSE_KEY\"\n"
        );
    }
    TempFolder::new(&[
        ("redraft.toml", &file),
        ("all/a.md", LESSON),
        ("all/b.md", &LESSON.replace("kettle", "pan")),
    ])
}

fn run(roles: &str, arguments: &[&str]) -> Run {
    temp_folder(roles).run_among(&[("HOUSE_KEY", "sk-canary")], arguments)
}

const PRICED: &str =
    "[roles.judge_secondary]\nprovider = \"good\"\nmodel = \"m1\"\nprice-in = 10\nprice-out = 20\n";
const UNPRICED: &str = "[roles.judge_secondary]\nprovider = \"good\"\nmodel = \"m1\"\n";
const PANEL: &str = "[roles.judge_secondary]\nprovider = \"unsure\"\nmodel = \"m1\"\nprice-in = 10\nprice-out = 20\n\n[roles.judge_primary]\nprovider = \"uncounted\"\nmodel = \"m2\"\n";

#[test]
fn what_it_cost_is_told_for_a_document_and_for_all() {
    for (roles, path, expected) in [
        (
            PRICED,
            "all/a.md",
            vec!["  1 call, 1000 tokens in, 300 out, $0.0160; journal "],
        ),
        (
            UNPRICED,
            "all/a.md",
            vec!["  1 call, 1000 tokens in, 300 out; journal "],
        ),
        (
            PRICED,
            "all",
            vec![
                "accepted       0.960   $0.0160  all/a.md\naccepted       0.960   $0.0160  all/b.md\n",
                "2 documents: 2 accepted, $0.0320\n",
                "Cost, 2 documents\n  role             calls  tokens in  tokens out        cost\n  judge_secondary      2       2000         600     $0.0320\n",
            ],
        ),
        (
            PANEL,
            "all/a.md",
            vec![
                "\n  Cost\n  role             calls  tokens in  tokens out        cost\n  judge_primary ",
                "           – (estimated)\n  judge_secondary      1       1000         300     $0.0160\n  total ",
                "     $0.0160 (estimated)\n  journal ",
            ],
        ),
    ] {
        let run = run(roles, &["judge", path]);
        // A flat verdict of the second judge is not credible, so that nothing is accepted.
        let code = i32::from(roles == PANEL);
        assert_eq!(run.code, code, "{}\n{}", run.stdout, run.stderr);
        for part in expected {
            assert!(run.stdout.contains(part), "{part:?}\n{}", run.stdout);
        }
        assert_eq!(
            run.stdout.matches("Cost").count(),
            usize::from(path == "all" || roles == PANEL)
        );
    }
}

#[test]
fn what_came_from_a_cache_is_told_and_priced() {
    let with = |prices: &str| {
        format!("[roles.judge_secondary]\nprovider = \"cached\"\nmodel = \"gpt-4.1\"\n{prices}")
    };
    let listed = "price-in = 2.0\nprice-out = 8.0\n";
    for (prices, expected) in [
        // A quarter of `price-in`, as OpenAI has it for this model.
        (listed.to_owned(), 592 * 2 + 1_408 / 2 + 300 * 8),
        (
            format!("{listed}price-cached-in = 1.0\n"),
            592 * 2 + 1_408 + 300 * 8,
        ),
        (
            format!("{listed}price-cached-in = 0.0\nprice-cache-write = 9.0\n"),
            592 * 2 + 300 * 8,
        ),
    ] {
        let told = run(&with(&prices), &["judge", "all/a.md"]);
        let line =
            format!("  1 call, 2000 tokens in (1408 cached), 300 out, $0.00{expected}; journal ");
        assert!(told.stdout.contains(&line), "{line}\n{}", told.stdout);
        let json = run(&with(&prices), &["judge", "all/a.md", "--format", "json"]);
        let report: Value = serde_json::from_str(&json.stdout).unwrap();
        let spent = &report["documents"][0]["spent"]["judge_secondary"];
        assert_eq!(spent["cached_input"], 1408, "{spent}");
        assert_eq!(spent["cost_micros"], expected, "{spent}");
    }
    // Nothing is known about the cache of this one: the full price.
    let unknown = with(listed).replace("gpt-4.1", "m1");
    let told = run(&unknown, &["judge", "all"]);
    let row = "  role             calls  tokens in     cached  tokens out        cost\n  judge_secondary      2       4000       2816         600     $0.0128\n";
    assert!(told.stdout.contains(row), "{}", told.stdout);
}

#[test]
fn a_limit_counts_with_the_price_of_writing_to_the_cache() {
    // The call may take 2,000 tokens of output at nothing, and its prompt at $1.
    let roles = |write: &str| {
        format!(
            "[roles.judge_secondary]\nprovider = \"cached\"\nmodel = \"m1\"\nprice-in = 1.0\nprice-out = 0.0\n{write}\n[limits]\ncost-per-run = 0.01\n"
        )
    };
    let asked = run(&roles(""), &["judge", "all/a.md"]);
    assert_eq!(asked.code, 0, "{}\n{}", asked.stdout, asked.stderr);
    let starved = run(&roles("price-cache-write = 100.0"), &["judge", "all/a.md"]);
    assert_eq!(starved.code, 4, "{}\n{}", starved.stdout, starved.stderr);
}

#[test]
fn a_fallback_is_reported_with_both_models_and_the_reason() {
    let roles = "[roles.judge_secondary]\nprovider = \"denied\"\nmodel = \"m1\"\nfall-backs = [\"good/m2\"]\n";
    let line = "  judge_secondary: fallback: good/m2 was asked instead of denied/m1: ";
    let first = run(roles, &["judge", "all/a.md"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let told: Vec<&str> = first
        .stdout
        .lines()
        .filter(|told| told.starts_with(line))
        .collect();
    assert_eq!(told.len(), 1, "{}", first.stdout);
    for part in ["HOUSE_KEY", "(401)"] {
        assert!(told[0].contains(part), "{}", told[0]);
    }
    let second = run(roles, &["judge", "all/a.md", "--format", "json"]);
    let report: Value = serde_json::from_str(&second.stdout).unwrap();
    let told = &report["documents"][0]["fallbacks"][0];
    assert_eq!(told["from"], "denied/m1");
    assert_eq!(told["to"], "good/m2");
    assert_eq!(told["role"], "judge_secondary");
}

#[test]
fn a_seat_that_stayed_empty_is_told_beside_the_one_that_judged() {
    let roles = "[roles.judge_secondary]\nprovider = \"denied\"\nmodel = \"m1\"\n\n[roles.judge_tiebreaker]\nprovider = \"good\"\nmodel = \"m2\"\n";
    let run = run(roles, &["judge", "all/a.md"]);
    assert!(run.stdout.contains("judged by good/m2"), "{}", run.stdout);
    let told = "  judge_secondary gave no verdict: denied/m1: ";
    assert_eq!(run.stdout.matches(told).count(), 1, "{}", run.stdout);
}

#[test]
fn a_reason_that_the_configuration_can_mend_comes_with_what_to_write() {
    for (provider, expected) in [
        ("cut", Some("max-tokens = ")),
        ("long", Some("context = N ")),
        ("denied", None),
    ] {
        let roles = UNPRICED.replace("good", provider);
        let run = run(&roles, &["judge", "all/a.md"]);
        assert_eq!(run.code, 5, "{}\n{}", run.stdout, run.stderr);
        let hints: Vec<&str> = run
            .stdout
            .lines()
            .filter(|line| line.contains("→"))
            .collect();
        assert_eq!(
            hints.len(),
            usize::from(expected.is_some()),
            "{}",
            run.stdout
        );
        if let Some(part) = expected {
            assert!(hints[0].contains(part), "{}", run.stdout);
            assert!(
                hints[0].contains("[roles.judge_secondary] in redraft.toml"),
                "{}",
                run.stdout
            );
        }
    }
}

#[test]
fn a_budget_that_failures_have_eaten_up_is_told_with_the_failures() {
    let roles = UNPRICED.replace("good", "dear");
    let place = temp_folder(&roles);
    std::fs::write(place.path("poor.toml"), "[decide]\njudging-tokens = 8000\n").unwrap();
    let run = place.run_among(
        &[("HOUSE_KEY", "sk-canary")],
        &["judge", "all/a.md", "--policy", "poor.toml"],
    );
    assert!(
        run.stdout.contains("are left of the budget"),
        "{}",
        run.stdout
    );
    let told = "  judge_secondary: an earlier attempt failed: the reply breaks off";
    assert!(run.stdout.contains(told), "{}", run.stdout);
}
