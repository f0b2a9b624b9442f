//! HTTP by hand: one request a connection. Every answer is one that the OpenAPI document has.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::LazyLock;

use serde_json::Value;

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) text: String,
    pub(super) bytes: Vec<u8>,
}

impl Answer {
    /// A header; its name in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(super) fn json(&self) -> Value {
        let json = serde_json::from_str(&self.text);
        assert!(json.is_ok(), "{} {}", self.status, self.text);
        json.unwrap()
    }

    /// The numbers and the data of the events in a stream.
    pub(super) fn events(&self) -> Vec<(i64, Value)> {
        let blocks = self
            .text
            .split("\n\n")
            .filter(|block| block.starts_with("id: "));
        blocks
            .map(|block| {
                let (id, data) = block.split_once('\n').unwrap();
                let id = id.strip_prefix("id: ").unwrap().parse().unwrap();
                let data = data.strip_prefix("data: ").unwrap();
                (id, serde_json::from_str(data).unwrap())
            })
            .collect()
    }
}

/// Sends a request with a body of JSON, if there is one.
pub(super) fn call(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&Value>,
) -> Answer {
    let body = body.map(Value::to_string);
    let kind = body.as_ref().map(|_| ("content-type", "application/json"));
    let headers: Vec<_> = headers.iter().copied().chain(kind).collect();
    send(
        address,
        method,
        path,
        &headers,
        body.as_deref().unwrap_or_default(),
    )
}

/// Sends a request.
pub(super) fn send(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    let host = if headers.iter().any(|(name, _)| *name == "host") {
        String::new()
    } else {
        format!("host: {address}\r\n")
    };
    let headers: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    // A server that rejects a large body may close before it has read all of it.
    let _ = stream.write_all(request.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let (head, body) = bytes.split_at(end.unwrap_or(bytes.len()));
    let head = String::from_utf8_lossy(head);
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status = status.unwrap_or(0);
    let head = head.to_lowercase();
    let body = body.get(4..).unwrap_or_default();
    let bytes = if head.contains("transfer-encoding: chunked") {
        joined(body)
    } else {
        body.to_vec()
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(
        status == 0 || is_documented(method, path, status),
        "{method} {path} answers {status}, which the OpenAPI document does not have: {text}"
    );
    Answer {
        status,
        head,
        text,
        bytes,
    }
}

/// The chunks of a body together.
fn joined(mut body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(end) = body.windows(2).position(|window| window == b"\r\n") {
        let length = std::str::from_utf8(&body[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            break;
        }
        let start = end + 2;
        bytes.extend(&body[start..start + length]);
        body = &body[start + length + 2..];
    }
    bytes
}

/// Whether the OpenAPI document has an answer; what it has no operation for may say so.
fn is_documented(method: &str, path: &str, status: u16) -> bool {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(redraft_service::http::openapi);
    let path = path.split('?').next().unwrap();
    let fits = |template: &str| {
        let (parts, wanted) = (path.split('/'), template.split('/'));
        parts.clone().count() == wanted.clone().count()
            && parts
                .zip(wanted)
                .all(|(part, wanted)| wanted.starts_with('{') || wanted == part)
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    // `/v1/runs/batch` goes over `/v1/runs/{run}`.
    let operations = paths.get(path).or_else(|| {
        let mut fitting = paths.iter().filter(|(template, _)| fits(template));
        fitting.next().map(|(_, operations)| operations)
    });
    let operation = operations.and_then(|all| all.get(method.to_lowercase()));
    operation.is_none_or(|operation| operation["responses"].get(status.to_string()).is_some())
}
