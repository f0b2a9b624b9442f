//! Reads structured operations in a patcher's reply (ruling 59). `repair` describes the form;
//! `structure` decides what an operation may do.

use super::reply::{Block, FormError, head_before, issue_names};
use crate::outcome::OperationKind;
use crate::structure::Operation;

/// Fewer signs are an arrow, not a marker.
const LEAST_SIGNS: usize = 5;

/// The operations of a reply, and the remaining lines.
pub(super) fn read<'t>(lines: &[&'t str]) -> Result<(Vec<Block>, Vec<&'t str>), FormError> {
    let mut found = Vec::new();
    let mut rest = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let Some((kind, path)) = opening(line) else {
            rest.push(*line);
            at += 1;
            continue;
        };
        let inside = lines.get(at + 1..).unwrap_or_default();
        let end = inside.iter().position(|line| closes(line));
        let opens = inside
            .iter()
            .position(|line| line.trim().starts_with("<<<<<"));
        let Some(end) = end.filter(|end| opens.is_none_or(|opens| *end < opens)) else {
            return Err(FormError::Malformed(format!(
                "the operation that opens on line {} is not closed; end it with `>>>>>>> END`",
                at + 1
            )));
        };
        let issues = head_before(&rest, rest.len())
            .iter()
            .find_map(|line| issue_names(line))
            .unwrap_or_default();
        found.push(Block {
            issues,
            operation: Some(Operation {
                kind,
                path,
                body: inside.get(..end).unwrap_or_default().join("\n"),
            }),
            ..Block::default()
        });
        at += end + 2;
    }
    Ok((found, rest))
}

/// Parses a line such as `<<<<<<< ADD cfu.hints`.
fn opening(line: &str) -> Option<(OperationKind, String)> {
    let line = line.trim();
    let words = line.trim_start_matches('<');
    if line.len() - words.len() < LEAST_SIGNS {
        return None;
    }
    let (verb, path) = words.trim().split_once(char::is_whitespace)?;
    let path = path.trim().trim_matches(['`', '"', ':']);
    let kind = match verb.to_ascii_uppercase().as_str() {
        "ADD" => OperationKind::Add,
        "REPLACE" | "SET" => OperationKind::Replace,
        "REMOVE" | "DELETE" => OperationKind::Remove,
        _ => return None,
    };
    (!path.is_empty()).then(|| (kind, path.to_owned()))
}

/// Whether a line is `>>>>>>> END`, or repeats the name of the operation.
fn closes(line: &str) -> bool {
    let line = line.trim();
    let word = line.trim_start_matches('>');
    line.len() - word.len() >= LEAST_SIGNS
        && ["END", "ADD", "REPLACE", "SET", "REMOVE", "DELETE"]
            .iter()
            .any(|known| word.trim().eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_taken_out_of_a_reply() {
        let text = "issues: issue_2\n<<<<<<< ADD cfu.hints\nDivide first.\n\nThen check.\n>>>>>>> END\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< REMOVE `rubric.criteria[1]`\n>>>>>>> END";
        let lines: Vec<&str> = text.split('\n').collect();
        let (found, rest) = read(&lines).unwrap();
        let operations: Vec<(OperationKind, &str, &str)> = found
            .iter()
            .filter_map(|block| block.operation.as_ref())
            .map(|one| (one.kind, one.path.as_str(), one.body.as_str()))
            .collect();
        assert_eq!(
            operations,
            [
                (
                    OperationKind::Add,
                    "cfu.hints",
                    "Divide first.\n\nThen check."
                ),
                (OperationKind::Remove, "rubric.criteria[1]", ""),
            ]
        );
        assert_eq!(found[0].issues, ["issue_2"]);
        assert_eq!(rest.len(), 6, "{rest:?}");
        for broken in [
            "<<<<<<< ADD cfu.hints\nDivide first.",
            "<<<<<<< ADD a\nx\n<<<<<<< ADD b\ny\n>>>>>>> END",
        ] {
            let lines: Vec<&str> = broken.split('\n').collect();
            assert!(
                matches!(read(&lines), Err(FormError::Malformed(_))),
                "{broken}"
            );
        }
        // A merge marker with a branch name, as in a lesson about git.
        let git = ["<<<<<<< HEAD", "x", "=======", "y", ">>>>>>> main"];
        assert_eq!(read(&git).unwrap().1.len(), 5);
    }
}
