//! What has been received of a response so far. The protocols fill it; it knows none of them.

use redraft_run::ask::{Finish, Tokens, Usage};
use redraft_run::token_estimate::usual_tokens;
use serde_json::Value;

use super::failure::ProviderError;
use super::warm_up::FirstCall;

#[derive(Debug, Default)]
pub(super) struct StreamState {
    /// Whether the provider has begun to respond.
    pub(super) began: bool,
    /// Holds back asks with the same prefix until the first bytes of the response arrive.
    pub(super) first_call: Option<FirstCall>,
    pub(super) text: String,
    /// The model's refusal, instead of a reply.
    pub(super) refusal: String,
    /// Why the reply ended; `None` while it continues.
    pub(super) finish: Option<Finish>,
    /// Input tokens as counted by the provider.
    pub(super) input: Option<u64>,
    /// Output tokens as counted by the provider.
    pub(super) output: Option<u64>,
    /// Input tokens that were read from the provider's cache.
    pub(super) cached_input: Option<u64>,
    /// Input tokens that were written to the provider's cache.
    pub(super) cache_write: Option<u64>,
    /// An error in the middle of the response.
    pub(super) error: Option<ProviderError>,
    /// Whether the provider marked the end of the stream.
    pub(super) ended: bool,
    /// Whether the protocol requires that mark; then a finish reason alone is not enough.
    pub(super) marks_end: bool,
    /// Whether there is something besides the reply, so that it is unclear which is meant: a second
    /// answer, or a call of an unknown tool.
    pub(super) is_ambiguous: bool,
    /// The block of the reply that is being sent, if the protocol has blocks.
    pub(super) block: Block,
    /// How many times the reply calls our own tool.
    pub(super) tools: usize,
    /// The beginning of the first unreadable event.
    pub(super) unreadable: Option<String>,
}

/// A block of a reply that is sent incrementally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Its number, if the provider gives one.
    pub(super) index: Option<i64>,
    /// Whether it is not part of the answer, such as thinking or a server tool.
    pub(super) is_aside: bool,
}

impl StreamState {
    pub(super) fn is_whole(&self) -> bool {
        self.ended || self.finish.is_some() && !self.marks_end
    }

    /// Why the reply ended, if that is certain. An end without a reason may be a cut (ruling 49).
    pub(super) fn end(&self) -> Finish {
        match self.finish {
            Some(Finish::Stop) if self.is_ambiguous => Finish::Unknown,
            known => known.unwrap_or(Finish::Unknown),
        }
    }

    /// Records why the reply ended. After a cut or a refusal, a later event that claims a normal
    /// end is ignored.
    pub(super) fn finish_as(&mut self, finish: Finish) {
        if self.finish.is_none_or(|known| known == Finish::Stop) {
            self.finish = Some(finish);
        }
    }

    /// The state after these events.
    #[cfg(test)]
    pub(super) fn of(events: &[&str], read_event: fn(&mut Self, &[u8])) -> Self {
        let mut state = Self::default();
        for event in events {
            read_event(&mut state, event.as_bytes());
        }
        state
    }

    /// Stores the error of an event, and returns whether there is one.
    pub(super) fn take_error(&mut self, error: Option<&Value>, data: &[u8]) -> bool {
        let has_error = error.is_some_and(is_given);
        if has_error {
            self.error = Some(ProviderError::read(&String::from_utf8_lossy(data)));
        }
        has_error
    }

    /// Records an event that does not follow the protocol.
    pub(super) fn reject_event(&mut self, data: &[u8]) {
        self.unreadable
            .get_or_insert_with(|| String::from_utf8_lossy(data).chars().take(2_000).collect());
    }

    /// Sets the input tokens to the sum of these fields of the provider's `usage`.
    pub(super) fn count_input(&mut self, usage: &Value, fields: &[&str]) {
        update(&mut self.input, usage, fields);
    }

    /// As [`Self::count_input`], for output tokens.
    pub(super) fn count_output(&mut self, usage: &Value, fields: &[&str]) {
        update(&mut self.output, usage, fields);
    }

    /// As [`Self::count_input`], for input tokens that were read from the provider's cache.
    pub(super) fn count_cached(&mut self, usage: &Value, fields: &[&str]) {
        update(&mut self.cached_input, usage, fields);
    }

    /// As [`Self::count_cached`], for those that were written to it.
    pub(super) fn count_cache_write(&mut self, usage: &Value, fields: &[&str]) {
        update(&mut self.cache_write, usage, fields);
    }

    /// The usage of the call, estimated if the provider gives no count or an impossible one. `sent`
    /// is the prompt, `longest` the limit of the reply in tokens.
    pub(super) fn usage(&self, sent: &[&str], longest: u32) -> Usage {
        // Some providers send 0 instead of a count.
        let bytes = sent.iter().map(|part| part.len()).sum();
        let input = self
            .input
            .filter(|tokens| *tokens > 0 && is_possible(*tokens, bytes, 0));
        let output = self.output.filter(|tokens| {
            (*tokens > 0 || self.text.is_empty()) && is_possible(*tokens, self.text.len(), longest)
        });
        // Without a count of input tokens, all cost the full price. So they do where more of them
        // are said to come from the cache than were sent: that is no count. What makes a call
        // dearer is believed as far as it can be.
        let counted = input.unwrap_or_default();
        let cached_input = self
            .cached_input
            .filter(|cached| *cached <= counted)
            .unwrap_or_default();
        let cache_write = self.cache_write.unwrap_or_default();
        Usage {
            estimated: input.is_none() || output.is_none(),
            tokens: Tokens {
                input: input.unwrap_or_else(|| sent.iter().map(|part| usual_tokens(part)).sum()),
                output: output
                    .unwrap_or_else(|| usual_tokens(&self.text) + usual_tokens(&self.refusal)),
                cached_input,
                cache_write: cache_write.min(counted - cached_input),
            },
        }
    }
}

/// Whether a field has a value. Servers that write every field send `null`, `false` or an empty
/// value instead of leaving it out.
pub(super) fn is_given(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(words) => !words.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    }
}

/// Whether this many tokens are possible for this many bytes. A token has at least one byte;
/// schemas, tools and hidden reasoning are added.
fn is_possible(tokens: u64, bytes: usize, limit: u32) -> bool {
    const ON_TOP: u64 = 65_536;
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let most = bytes.max(u64::from(limit));
    tokens <= most.saturating_mul(2).saturating_add(ON_TOP)
}

/// Updates a count. A field that is not an integer makes the count unknown, so that it will be
/// estimated; the reply was paid for and is kept. Absent fields change nothing.
fn update(count: &mut Option<u64>, usage: &Value, fields: &[&str]) {
    let given = || {
        fields
            .iter()
            .filter_map(|field| usage.get(field))
            .filter(|number| !number.is_null())
    };
    if given().next().is_some() {
        *count = given().try_fold(0u64, |sum, number| {
            Some(sum.saturating_add(number.as_u64()?))
        });
    }
}
