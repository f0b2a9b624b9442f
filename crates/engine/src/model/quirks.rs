//! Parameters that a model does not accept, learned from its error messages. A rejected request is
//! changed and sent again at once. The rejected one cost nothing, and the change is remembered for
//! this provider and model.
//!
//! | the message contains | then |
//! |---|---|
//! | `max_completion_tokens` | the limit is sent under that name (newer OpenAI models) |
//! | `temperature` | it is left out (reasoning models) |
//! | `stream_options` | it is left out, and tokens are estimated |
//! | `cache_control`, `prompt_cache_key` | nothing is marked for the cache |
//! | a bound of the schema (`maxItems` …) | the schema is sent without bounds |
//! | any other name of the schema | the schema goes into the prompt |
//!
//! Anything else is a failure.

use redraft_run::ask::{Ask, BOUNDS};

use super::connection::Api;

/// How requests to a model must be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Quirks {
    /// The limit is called `max_completion_tokens`.
    pub(super) completion_tokens: bool,
    pub(super) no_temperature: bool,
    pub(super) no_stream_options: bool,
    /// Nothing is marked for the provider's cache.
    pub(super) no_cache_marks: bool,
    /// The schema is sent without bounds of numbers and lists.
    pub(super) no_schema_bounds: bool,
    /// The schema goes into the prompt only.
    pub(super) schema_in_prompt: bool,
}

impl Quirks {
    /// Learns from an error message. `None` if it contains nothing new.
    pub(super) fn learn(self, api: Api, ask: &Ask, error: &str) -> Option<Self> {
        const SCHEMA: [&str; 8] = [
            "response_format",
            "json_schema",
            "schema",
            "response_mime_type",
            "responsemimetype",
            "tool_choice",
            "tools",
            "structured output",
        ];
        let error = error.to_lowercase();
        let names = |word: &str| error.contains(word);
        let mut learnt = self;
        if api == Api::OpenAi && !self.completion_tokens && names("max_completion_tokens") {
            learnt.completion_tokens = true;
        } else if !self.no_temperature && names("temperature") {
            learnt.no_temperature = true;
        } else if api == Api::OpenAi && !self.no_stream_options && names("stream_options") {
            learnt.no_stream_options = true;
        } else if !self.no_cache_marks && (names("cache_control") || names("prompt_cache_key")) {
            learnt.no_cache_marks = true;
        } else if ask.schema.is_some()
            && !self.no_schema_bounds
            && BOUNDS.iter().any(|bound| names_bound(&error, bound))
        {
            learnt.no_schema_bounds = true;
        } else if ask.schema.is_some()
            && !self.schema_in_prompt
            && SCHEMA.iter().any(|word| names(word))
        {
            learnt.schema_in_prompt = true;
        }
        (learnt != self).then_some(learnt)
    }
}

/// Whether a message names a bound of a schema. `maximum` is also part of other errors ("maximum
/// context length") and only counts in quotation marks.
fn names_bound(error: &str, bound: &str) -> bool {
    let bound = bound.to_lowercase();
    let is_a_word = matches!(bound.as_str(), "minimum" | "maximum");
    let quoted = ['\'', '"', '`']
        .iter()
        .any(|mark| error.contains(&format!("{mark}{bound}{mark}")));
    quoted || (!is_a_word && error.contains(&bound))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use redraft_run::ask::Schema;

    use super::*;
    use crate::model::fixtures;

    #[test]
    fn each_message_changes_one_thing_once() {
        let none = Quirks::default();
        let plain = fixtures::ask("", "");
        let with_schema = Ask {
            schema: Some(Arc::new(Schema::new(serde_json::json!({})))),
            ..plain.clone()
        };
        for (error, expected) in [
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Quirks {
                    completion_tokens: true,
                    ..none
                },
            ),
            (
                "Unsupported value: 'temperature' does not support 0.2 with this model.",
                Quirks {
                    no_temperature: true,
                    ..none
                },
            ),
            (
                "Unrecognized request argument: stream_options",
                Quirks {
                    no_stream_options: true,
                    ..none
                },
            ),
            (
                "Extra inputs are not permitted: body.prompt_cache_key",
                Quirks {
                    no_cache_marks: true,
                    ..none
                },
            ),
            (
                "system.0: unexpected field cache_control",
                Quirks {
                    no_cache_marks: true,
                    ..none
                },
            ),
            (
                "Invalid schema for response_format 'reply': In context=('properties', 'issues'), 'maxItems' is not permitted.",
                Quirks {
                    no_schema_bounds: true,
                    ..none
                },
            ),
            (
                "For 'number' type, property 'minimum' is not supported",
                Quirks {
                    no_schema_bounds: true,
                    ..none
                },
            ),
            (
                "Invalid schema for response_format 'reply'",
                Quirks {
                    schema_in_prompt: true,
                    ..none
                },
            ),
            (
                "`json_schema` is not supported by this model",
                Quirks {
                    schema_in_prompt: true,
                    ..none
                },
            ),
        ] {
            let learnt = none.learn(Api::OpenAi, &with_schema, error);
            assert_eq!(learnt, Some(expected), "{error}");
            // The bounds were already removed, so another error about them is about the schema
            // itself.
            let is_about_schema = expected.no_schema_bounds && error.contains("schema");
            let again = is_about_schema.then_some(Quirks {
                schema_in_prompt: true,
                ..expected
            });
            assert_eq!(
                expected.learn(Api::OpenAi, &with_schema, error),
                again,
                "{error}"
            );
        }
        for error in [
            "max_tokens is too large: 99999",
            "This model's maximum context length is 8192 tokens.",
            "no such thing",
            "",
        ] {
            assert_eq!(
                none.learn(Api::OpenAi, &with_schema, error),
                None,
                "{error}"
            );
        }
        assert_eq!(none.learn(Api::OpenAi, &plain, "bad schema"), None);
    }
}
