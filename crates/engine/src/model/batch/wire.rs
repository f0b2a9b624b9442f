//! Requests and responses of the batch interfaces. Does no waiting.
//!
//! | | OpenAI | Anthropic |
//! |---|---|---|
//! | submission | a file of requests, then `batches` with its id | `messages/batches` with the requests |
//! | polling | `batches/ID` until its status is final | `messages/batches/ID` until it has ended |
//! | answers | the files of results and of errors | `messages/batches/ID/results` |

use redraft_text::json;
use serde_json::{Value, json};

use super::super::connection::Api;
use super::super::failure::ProviderError;
use super::super::stream_state::is_given;

/// The maximum number of requests and of bytes in a batch; both interfaces allow more.
pub(super) const MOST_REQUESTS: usize = 10_000;
pub(super) const MOST_BYTES: usize = 90 << 20;

/// The status of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Working,
    /// The paths of its results, after the base URL.
    Ended(Vec<String>),
    Failed(String),
    /// Nothing of it was processed: too much waits already.
    Full(String),
}

/// A batch in a provider's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) file: Option<String>,
    pub(super) requests: usize,
    pub(super) has_ended: bool,
}

/// A page of the list, the latest batches first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) batches: Vec<Listed>,
    /// After which batch the next page begins.
    pub(super) next: Option<String>,
}

/// A request as part of a batch: the usual one without streaming.
pub(crate) fn params(body: &[u8]) -> serde_json::Result<Value> {
    let mut params: Value = serde_json::from_slice(body)?;
    if let Some(fields) = params.as_object_mut() {
        fields.shift_remove("stream");
        fields.shift_remove("stream_options");
    }
    Ok(params)
}

/// A line of OpenAI's file of requests.
pub(super) fn line(custom_id: &str, params: &Value) -> String {
    let line = json!({
        "custom_id": custom_id,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": params,
    });
    format!("{line}\n")
}

/// Anthropic's request for a batch.
pub(super) fn requests(entries: &[(String, Value)]) -> Value {
    let request = |(id, params): &(String, Value)| json!({"custom_id": id, "params": params});
    json!({ "requests": entries.iter().map(request).collect::<Vec<Value>>() })
}

/// OpenAI's request for a batch of a file.
pub(super) fn of_file(file: &str) -> Value {
    json!({
        "input_file_id": file,
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
    })
}

/// A multipart form with a file of requests, and its content type.
pub(super) fn form(lines: &str) -> (String, String) {
    // No line of JSON begins with this.
    const BOUNDARY: &str = "redraft-batch-boundary-7f3b";
    let body = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
         --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"redraft.jsonl\"\r\n\
         Content-Type: application/jsonl\r\n\r\n{lines}\r\n--{BOUNDARY}--\r\n"
    );
    (body, format!("multipart/form-data; boundary={BOUNDARY}"))
}

/// The id in a response, if it can safely be part of a path.
pub(super) fn id(answer: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let id = answer.get("id")?.as_str()?;
    is_id(id).then(|| id.to_owned())
}

pub(super) fn is_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    !id.is_empty() && id.len() <= 200 && id.bytes().all(is_plain)
}

/// The path of a batch, after the base URL.
pub(super) fn path(api: Api, id: &str) -> String {
    match api {
        Api::Anthropic => format!("messages/batches/{id}"),
        Api::OpenAi | Api::Gemini => format!("batches/{id}"),
    }
}

/// The path of Anthropic's results, after the base URL.
pub(super) fn results_path(id: &str) -> String {
    format!("{}/results", path(Api::Anthropic, id))
}

/// The path of a page of the list, after the base URL.
pub(super) fn list_path(api: Api, after: Option<&str>) -> String {
    let (list, name) = match api {
        Api::Anthropic => ("messages/batches", "after_id"),
        Api::OpenAi | Api::Gemini => ("batches", "after"),
    };
    let after = after.map_or_else(String::new, |id| format!("&{name}={id}"));
    format!("{list}?limit=100{after}")
}

/// A page of the list; `None` where it cannot be read.
pub(super) fn page(api: Api, answer: &[u8]) -> Option<Page> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let listed = |one: &Value| {
        let text = |name: &str| one.get(name).and_then(Value::as_str);
        let counts = one.get("request_counts").and_then(Value::as_object);
        let counts = counts.into_iter().flat_map(|counts| counts.values());
        let requests: u64 = counts.filter_map(Value::as_u64).sum();
        Some(Listed {
            id: text("id").filter(|id| is_id(id))?.to_owned(),
            file: text("input_file_id").map(str::to_owned),
            requests: usize::try_from(requests).ok()?,
            has_ended: api == Api::Anthropic && text("processing_status") == Some("ended"),
        })
    };
    let data = answer.get("data")?.as_array()?;
    let batches: Vec<Listed> = data.iter().filter_map(listed).collect();
    let has_more = answer.get("has_more").and_then(Value::as_bool) == Some(true);
    let next = batches.last().filter(|_| has_more);
    Some(Page {
        next: next.map(|last| last.id.clone()),
        batches,
    })
}

/// What a provider says about a batch; `None` where it cannot be read.
pub(super) fn status(api: Api, answer: &[u8]) -> Option<Status> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    if api == Api::Anthropic {
        let id = text("id").filter(|id| is_id(id))?;
        return Some(match text("processing_status")? {
            "ended" => Status::Ended(vec![results_path(id)]),
            _ => Status::Working,
        });
    }
    let files = ["output_file_id", "error_file_id"]
        .into_iter()
        .filter_map(text)
        .filter(|id| is_id(id))
        .map(|id| format!("files/{id}/content"));
    let files: Vec<String> = files.collect();
    Some(match text("status")? {
        // What was not processed has no result, and is submitted again.
        "expired" | "cancelled" => Status::Ended(files),
        "completed" if !files.is_empty() => Status::Ended(files),
        status @ ("failed" | "completed") => {
            let error = |name: &str| answer.pointer(&format!("/errors/data/0/{name}"))?.as_str();
            let why = error("message").unwrap_or(status).to_owned();
            match error("code") {
                Some("token_limit_exceeded") => Status::Full(why),
                _ => Status::Failed(why),
            }
        }
        _ => Status::Working,
    })
}

/// Parses a line of the results: its request, and the response or error. The response stays as it
/// was sent, because reserialising it would hide duplicate keys.
pub(super) fn result(api: Api, line: &str) -> Option<(String, Result<Vec<u8>, ProviderError>)> {
    let read: Value = serde_json::from_str(line).ok()?;
    let id = read.get("custom_id")?.as_str()?.to_owned();
    let whole = json::scan(line, 0..line.len());
    let part = |outer: &str, inner: &str| {
        let span = whole.root()?.get(outer)?.get(inner)?.span();
        line.get(span)
    };
    let rejected = |status: Option<u16>, words: &str| {
        let mut error = ProviderError::read(words);
        error.status = status;
        Err(error)
    };
    let result = match api {
        Api::Anthropic => match read.pointer("/result/type").and_then(Value::as_str) {
            Some("succeeded") => Ok(part("result", "message")?.as_bytes().to_vec()),
            Some("errored") => {
                let words = part("result", "error").unwrap_or_default();
                rejected(status_of(read.pointer("/result/error")), words)
            }
            // Cancelled and expired requests were not processed and cost nothing.
            other => rejected(Some(503), &format!("the request has {}", other?)),
        },
        Api::OpenAi | Api::Gemini => {
            let status = read
                .pointer("/response/status_code")
                .and_then(Value::as_u64);
            let error = read.get("error").filter(|error| is_given(error));
            match status {
                // The error wins, whatever else there is.
                Some(200) if error.is_some() => {
                    rejected(Some(503), &json!({ "error": error }).to_string())
                }
                Some(200) => Ok(part("response", "body")?.as_bytes().to_vec()),
                Some(status) => {
                    let words = part("response", "body").unwrap_or_default();
                    rejected(u16::try_from(status).ok(), words)
                }
                None => {
                    let why = read.pointer("/error/message").and_then(Value::as_str);
                    rejected(Some(503), why.unwrap_or("the request was not processed"))
                }
            }
        }
    };
    Some((id, result))
}

/// The HTTP status that matches an error of Anthropic.
fn status_of(error: Option<&Value>) -> Option<u16> {
    let kinds = ["/error/type", "/type"];
    let mut kinds = kinds.iter().filter_map(|at| error?.pointer(at)?.as_str());
    Some(match kinds.find(|kind| *kind != "error")? {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        _ => 503,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_a_batch_is_not_a_stream() {
        let body = br#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":9}"#;
        let params = params(body).unwrap();
        assert_eq!(params.to_string(), r#"{"model":"m","max_tokens":9}"#);
    }

    #[test]
    fn the_status_of_a_batch_row_by_row() {
        let files = |ids: &[&str]| {
            Status::Ended(ids.iter().map(|id| format!("files/{id}/content")).collect())
        };
        let results = "messages/batches/b1/results".to_owned();
        for (api, answer, expected) in [
            (
                Api::OpenAi,
                r#"{"status":"validating"}"#,
                Some(Status::Working),
            ),
            (
                Api::OpenAi,
                r#"{"status":"completed","output_file_id":"f1","error_file_id":null}"#,
                Some(files(&["f1"])),
            ),
            (
                Api::OpenAi,
                r#"{"status":"expired","output_file_id":"f1","error_file_id":"f2"}"#,
                Some(files(&["f1", "f2"])),
            ),
            (
                Api::OpenAi,
                r#"{"status":"expired","output_file_id":null,"error_file_id":null}"#,
                Some(Status::Ended(Vec::new())),
            ),
            (
                Api::OpenAi,
                r#"{"status":"cancelling","output_file_id":null}"#,
                Some(Status::Working),
            ),
            (
                Api::OpenAi,
                r#"{"status":"cancelled","output_file_id":null,"error_file_id":null}"#,
                Some(Status::Ended(Vec::new())),
            ),
            (
                Api::OpenAi,
                r#"{"status":"failed","errors":{"data":[{"message":"bad line"}]}}"#,
                Some(Status::Failed("bad line".to_owned())),
            ),
            // A file's id is part of a path.
            (
                Api::OpenAi,
                r#"{"status":"completed","output_file_id":"../../keys"}"#,
                Some(Status::Failed("completed".to_owned())),
            ),
            (
                Api::Anthropic,
                r#"{"id":"b1","processing_status":"in_progress"}"#,
                Some(Status::Working),
            ),
            (
                Api::Anthropic,
                r#"{"id":"b1","processing_status":"ended","results_url":"https://elsewhere.example"}"#,
                Some(Status::Ended(vec![results])),
            ),
            (Api::OpenAi, "<html>", None),
            (Api::Anthropic, r#"{"status":"completed"}"#, None),
        ] {
            assert_eq!(status(api, answer.as_bytes()), expected, "{answer}");
        }
    }

    #[test]
    fn a_result_is_a_response_or_an_error_with_its_status() {
        for (api, line, expected) in [
            (
                Api::OpenAi,
                r#"{"custom_id":"a","response":{"status_code":200,"body":{"x": 1, "x": 2}},"error":null}"#,
                Ok(r#"{"x": 1, "x": 2}"#),
            ),
            (
                Api::OpenAi,
                r#"{"custom_id":"a","response":{"status_code":200,"body":{"x": 1}},"error":{"message":"partial"}}"#,
                Err(Some(503)),
            ),
            (
                Api::OpenAi,
                r#"{"custom_id":"a","response":{"status_code":429,"body":{"error":{"message":"slow"}}}}"#,
                Err(Some(429)),
            ),
            (
                Api::OpenAi,
                r#"{"custom_id":"a","response":null,"error":{"code":"batch_expired","message":"late"}}"#,
                Err(Some(503)),
            ),
            (
                Api::Anthropic,
                r#"{"custom_id":"a","result":{"type":"succeeded","message":{"type":"message","id":1.0}}}"#,
                Ok(r#"{"type":"message","id":1.0}"#),
            ),
            (
                Api::Anthropic,
                r#"{"custom_id":"a","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"no"}}}}"#,
                Err(Some(400)),
            ),
            (
                Api::Anthropic,
                r#"{"custom_id":"a","result":{"type":"expired"}}"#,
                Err(Some(503)),
            ),
        ] {
            let (id, found) = result(api, line).unwrap();
            assert_eq!(id, "a");
            let found = found.map_err(|error| error.status);
            let found = found.map(|body| String::from_utf8(body).unwrap());
            assert_eq!(found, expected.map(str::to_owned), "{line}");
        }
        assert!(result(Api::OpenAi, "{").is_none());
    }
}
