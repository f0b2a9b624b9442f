//! A provider of chat completions for the benchmark, in a process of its own, so
//! that its work is not counted. It replies to every request with the same verdict
//! about the text that the request names, as a stream if the request asks for one.

use std::fmt::Write as _;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Serves until the process that started it closes our standard input. The first
/// line that it prints is its address.
pub(crate) async fn serve(scores: String) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    // A blocking thread of its own: the process ends with its parent.
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    loop {
        let (stream, _) = listener.accept().await?;
        let scores = scores.clone();
        tokio::spawn(async move { converse(stream, &scores).await });
    }
}

async fn converse(mut stream: TcpStream, scores: &str) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut bytes = Vec::with_capacity(32 << 10);
    loop {
        bytes.clear();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        };
        let head = String::from_utf8_lossy(bytes.get(..end)?).to_lowercase();
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())?;
        while bytes.len() < end + length {
            if stream.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        }
        let body = bytes.get(end..)?;
        let verdict = format!(
            "{{\"text_id\": \"{}\", \"issues\": [], \"strengths\": [\"The order of the sections is clear.\"], \"scores\": {{{scores}}}, \"overall\": 0.95, \"confidence\": \"low\"}}",
            text_id(body)
        );
        let wants_stream = body.windows(13).any(|some| some == b"\"stream\":true");
        let answer = if wants_stream {
            streamed(&verdict)
        } else {
            whole(&verdict)
        };
        stream.write_all(answer.as_bytes()).await.ok()?;
    }
}

/// The id that a prompt gives its text, last: a lesson may quote one. Other parts of a
/// request have hexadecimal digits as well.
fn text_id(body: &[u8]) -> String {
    const BEFORE: &[u8] = b"text_id is ";
    const LENGTH: usize = 16;
    let found = body.windows(BEFORE.len()).rposition(|some| some == BEFORE);
    let digits = found.and_then(|at| body.get(at + BEFORE.len()..)?.get(..LENGTH));
    String::from_utf8_lossy(digits.unwrap_or_default()).into_owned()
}

fn whole(verdict: &str) -> String {
    let body = serde_json::json!({
        "choices": [{"index": 0, "message": {"role": "assistant", "content": verdict}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3_000, "completion_tokens": 120},
    })
    .to_string();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Eight characters an event, like a real model.
fn streamed(verdict: &str) -> String {
    let mut body = String::new();
    let letters: Vec<char> = verdict.chars().collect();
    for part in letters.chunks(8) {
        let part: String = part.iter().collect();
        let event = serde_json::json!({
            "id": "x", "object": "chat.completion.chunk", "model": "judge",
            "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": null}],
        });
        let _ = write!(body, "data: {event}\n\n");
    }
    body.push_str(
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    );
    body.push_str("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3000,\"completion_tokens\":120}}\n\ndata: [DONE]\n\n");
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
