//! What a model does not take, learnt from its complaints. A request that is
//! refused over one of these is put otherwise and sent again at once: it cost
//! nothing, and what was learnt is remembered for this provider and model.
//!
//! | the complaint names | then |
//! |---|---|
//! | `max_completion_tokens` | the limit goes by that name (newer models of OpenAI) |
//! | `temperature` | it is left out (models that think) |
//! | `stream_options` | left out; usage is counted by us |
//! | the schema, in any of its names | it goes into the prompt |
//!
//! Anything else is a failure.

use super::connection::Api;

/// How requests to one model are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Quirks {
    /// The limit of the answer is called `max_completion_tokens`.
    pub(super) completion_tokens: bool,
    /// No temperature.
    pub(super) no_temperature: bool,
    /// No `stream_options`.
    pub(super) no_stream_options: bool,
    /// The schema goes into the prompt alone.
    pub(super) schema_in_prompt: bool,
}

impl Quirks {
    /// Learns from a complaint. `None` where it teaches nothing new.
    pub(super) fn learn(self, api: Api, has_schema: bool, complaint: &str) -> Option<Self> {
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
        let complaint = complaint.to_lowercase();
        let names = |word: &str| complaint.contains(word);
        let mut learnt = self;
        if api == Api::OpenAi && !self.completion_tokens && names("max_completion_tokens") {
            learnt.completion_tokens = true;
        } else if !self.no_temperature && names("temperature") {
            learnt.no_temperature = true;
        } else if api == Api::OpenAi && !self.no_stream_options && names("stream_options") {
            learnt.no_stream_options = true;
        } else if has_schema && !self.schema_in_prompt && SCHEMA.iter().any(|word| names(word)) {
            learnt.schema_in_prompt = true;
        }
        (learnt != self).then_some(learnt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_complaint_teaches_one_thing_once() {
        let none = Quirks::default();
        for (complaint, expected) in [
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
            let learnt = none.learn(Api::OpenAi, true, complaint);
            assert_eq!(learnt, Some(expected), "{complaint}");
            assert_eq!(
                expected.learn(Api::OpenAi, true, complaint),
                None,
                "{complaint}"
            );
        }
        for complaint in ["max_tokens is too large: 99999", "no such thing", ""] {
            assert_eq!(
                none.learn(Api::OpenAi, true, complaint),
                None,
                "{complaint}"
            );
        }
        assert_eq!(none.learn(Api::OpenAi, false, "bad schema"), None);
    }
}
