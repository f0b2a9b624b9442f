//! Events with the field names of seed 003 §12 and §18: `type` instead of `event`,
//! `sectionId`, `batchIndex`, `taskType`, and camelCase for all others. Times, values and
//! the order of events stay.

use serde_json::{Map, Value};

/// An event as the seed's clients read it.
#[must_use]
pub fn event(event: &Value) -> Value {
    let Value::Object(fields) = event else {
        return event.clone();
    };
    let shaped = fields.iter().map(|(name, value)| {
        let shaped = match (name.as_str(), value) {
            ("event", _) => "type".to_owned(),
            ("section", _) => "sectionId".to_owned(),
            // The seed counts batches from 0.
            ("batch", Value::Number(number)) => {
                let index = number.as_u64().unwrap_or(1).saturating_sub(1);
                return ("batchIndex".to_owned(), Value::from(index));
            }
            ("task", Value::String(_)) => "taskType".to_owned(),
            _ => camel(name),
        };
        (shaped, value.clone())
    });
    Value::Object(shaped.collect::<Map<_, _>>())
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut all, word| {
        let mut chars = word.chars();
        all.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        all.push_str(chars.as_str());
        all
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn events_have_the_names_of_the_seed() {
        let cases = [
            (
                json!({"seq": 4, "event": "refinement_start", "target_sections": ["sec_1"], "mode": "semi-auto"}),
                json!({"seq": 4, "type": "refinement_start", "targetSections": ["sec_1"], "mode": "semi-auto"}),
            ),
            (
                json!({"event": "task_started", "section": "sec_1", "task": "SURGICAL_EDIT", "batch": 1}),
                json!({"type": "task_started", "sectionId": "sec_1", "taskType": "SURGICAL_EDIT", "batchIndex": 0}),
            ),
            (
                json!({"event": "patch_applied", "section": "sec_1", "content": "Water", "diff_summary": "+1"}),
                json!({"type": "patch_applied", "sectionId": "sec_1", "content": "Water", "diffSummary": "+1"}),
            ),
            (
                json!({"event": "iteration_complete", "iteration": 1, "score": 0.9, "score_delta": 40}),
                json!({"type": "iteration_complete", "iteration": 1, "score": 0.9, "scoreDelta": 40}),
            ),
            (
                json!({"event": "rolled_back", "task": {"section": "sec_2"}}),
                json!({"type": "rolled_back", "task": {"section": "sec_2"}}),
            ),
            (json!(null), json!(null)),
        ];
        for (ours, expected) in cases {
            assert_eq!(event(&ours), expected);
        }
    }
}
