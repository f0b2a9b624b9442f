//! The text around the object of a reply, outside its reasoning. Text before it may be thinking
//! aloud. Text after it may be an offer of help; anything more could retract what the object says,
//! or name an issue that it lacks.

use std::ops::Range;

use redraft_text::framing;
use redraft_text::json::{Json, Node};

pub(super) struct Beside {
    before: String,
    after: String,
}

impl Beside {
    /// Text between the objects counts as text before.
    pub(super) fn of(text: &str, objects: &[Json]) -> Self {
        let objects = objects.iter().filter_map(Json::root).map(Node::span);
        let objects: Vec<Range<usize>> = objects.collect();
        let last = objects.iter().map(|object| object.end).max().unwrap_or(0);
        let reasoning = framing::reasoning(text, &|_| false);
        let reasoning = reasoning
            .into_iter()
            .filter(|reasoning| reasoning.certain)
            .map(|reasoning| reasoning.range);
        let mut inside: Vec<Range<usize>> = objects.into_iter().chain(reasoning).collect();
        inside.sort_by_key(|range| range.start);
        let (mut before, mut after) = (String::new(), String::new());
        let mut at = 0;
        let end = text.len()..text.len();
        for range in inside.into_iter().chain(std::iter::once(end)) {
            let words = text.get(at..range.start).unwrap_or_default();
            match at < last || last == 0 {
                true => before.push_str(words),
                false => after.push_str(words),
            }
            at = at.max(range.end);
        }
        Self { before, after }
    }

    pub(super) fn all(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    pub(super) fn after(&self) -> &str {
        &self.after
    }

    /// Whether the line before the object announces it as an example.
    pub(super) fn announces_sample(&self) -> bool {
        let is_fence = |line: &&str| line.trim_start().starts_with("```");
        let mut lines = self.before.lines().rev().filter(|line| !is_fence(line));
        let lead_in = lines.find(|line| line.contains(char::is_alphanumeric));
        lead_in.is_some_and(framing::announces_sample)
    }

    /// Whether sentences come before the object that nobody here can read: in a language whose
    /// refusals are not listed. A lead-in of a few words is harmless.
    pub(super) fn has_unread_words_before(&self) -> bool {
        const LEAD_IN: usize = 30;
        const ENDS: [char; 10] = ['.', '!', '?', '。', '！', '？', '؟', '۔', '।', '։'];
        let words = without_wrapping(&self.before);
        let words = words.trim().trim_end_matches(|c: char| !c.is_alphabetic());
        let letters = words.chars().filter(|c| c.is_alphabetic()).count();
        let clauses: Vec<&str> = words.split(ENDS).collect();
        let mut ended = clauses.iter().take(clauses.len() - 1);
        let has_sentence = ended.any(|clause| clause.ends_with(char::is_alphabetic));
        let is_lead_in = letters <= LEAD_IN && !has_sentence;
        !is_lead_in && !framing::knows_language_of(words)
    }

    /// What the object is inside of, if that is not the answer: a comment, a turn of the user, or a
    /// tag such as `<draft>`.
    pub(super) fn enclosing(&self) -> Option<String> {
        if (self.before.rsplit_once("<!--")).is_some_and(|(_, after)| !after.contains("-->")) {
            return Some("a comment".to_owned());
        }
        let is_fence = |line: &&str| line.trim_start().starts_with("```");
        let mut lines = self.before.lines().rev().filter(|line| !is_fence(line));
        let last = lines.find(|line| !line.trim().is_empty())?.trim();
        let of_turn = last.rsplit_once("|>").filter(|(_, name)| !name.is_empty());
        let speaker = of_turn.map_or(last, |(_, name)| name);
        let speaker = speaker.trim_end_matches(':').to_lowercase();
        if ["user", "system", "human", "tool"].contains(&speaker.as_str()) {
            return Some(format!("a turn of “{speaker}”"));
        }
        let mut open: Vec<&str> = Vec::new();
        for piece in self.before.split('<').skip(1) {
            let Some((tag, _)) = piece.split_once('>') else {
                continue;
            };
            match tag.strip_prefix('/') {
                Some(name) => open.retain(|known| *known != name),
                None if tag.ends_with('/') => {}
                None => open.extend(tag.split_whitespace().next()),
            }
        }
        let is_closed = |name: &str| self.after.contains(&format!("</{name}>"));
        let ends_in = |name: &str| last.ends_with('>') && last.contains(&format!("<{name}"));
        let mut names = open.into_iter().filter(|name| {
            let is_name = name.starts_with(char::is_alphabetic);
            is_name && !is_answer(name) && (is_closed(name) || ends_in(name))
        });
        names.next().map(|name| format!("<{name}>"))
    }

    /// Whether the object is followed by more than wrapping, an end, thanks or an offer of help.
    pub(super) fn has_words_after(&self) -> bool {
        let words = without_wrapping(&self.after);
        let words = words.trim();
        words.contains(says_something) && !framing::only_ends(words) && !is_offer(words)
    }
}

/// Whether a character is more than punctuation: a letter, a digit, or a sign such as a cross, which
/// may take back what stands before it.
fn says_something(c: char) -> bool {
    const HARMLESS: &str = "✅✔✓👍🎉🙂😊";
    let is_mark = matches!(c, '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{fe00}'..='\u{fe0f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}');
    c.is_alphanumeric() || !(c <= '\u{bf}' || is_mark || c == '\u{feff}' || HARMLESS.contains(c))
}

/// Whether a tag of this name may be around an answer.
fn is_answer(name: &str) -> bool {
    const NAMES: [&str; 21] = [
        "answer",
        "assessment",
        "assistant",
        "body",
        "br",
        "code",
        "div",
        "evaluation",
        "final",
        "final_answer",
        "json",
        "judgement",
        "judgment",
        "message",
        "output",
        "p",
        "pre",
        "reply",
        "response",
        "result",
        "verdict",
    ];
    NAMES.contains(&name.to_lowercase().as_str())
}

/// Whether the words are nothing but an offer of further help.
fn is_offer(words: &str) -> bool {
    let offer = framing::any_closing(words).map(|offer| offer.range);
    let rest = offer.and_then(|offer| Some([words.get(..offer.start)?, words.get(offer.end..)?]));
    rest.is_some_and(|rest| {
        rest.iter()
            .all(|rest| !rest.contains(char::is_alphanumeric))
    })
}

/// Removes fences, closing tags and the tokens that end a turn in chat templates. Any other tag or
/// remark in brackets may take the object back.
fn without_wrapping(text: &str) -> String {
    const NAMES: [&str; 6] = ["end", "eo", "done", "stop", "im_end", "pad"];
    let is_tag = |word: &str| {
        let inside = |open, close| word.strip_prefix(open)?.strip_suffix(close);
        let name = inside('<', '>').or_else(|| inside('[', ']'));
        name.is_some_and(|name| {
            let is_token = name.starts_with(['/', '|', '｜']) && name.len() > 1;
            let name = name.to_lowercase();
            is_token || NAMES.iter().any(|end| name.starts_with(end))
        })
    };
    let words = |line: &str| {
        let words = line.split_whitespace().filter(|word| !is_tag(word));
        words.collect::<Vec<_>>().join(" ")
    };
    let lines = text.lines().filter(|line| !line.trim().starts_with("```"));
    lines.map(words).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use redraft_text::reply;

    use super::*;

    fn beside(reply: &str) -> Beside {
        Beside::of(reply, &reply::objects(reply))
    }

    #[test]
    fn only_wrapping_and_offers_of_help_may_follow_an_object() {
        for (after, expected) in [
            ("", false),
            ("\n```\n", false),
            ("</answer> <|im_end|>", false),
            ("\n\n*End of verdict.*", false),
            ("\n以上です。", false),
            ("\nI hope this helps!", false),
            ("\n```\n\nLet me know if you need any changes.", false),
            ("\nNote: the second section is false.", true),
            ("\nCorrection: accuracy 0.2.", true),
            ("\n(These scores are made up.)", true),
            ("\n[The key is wrong.]", true),
            ("\n[draft]", true),
            ("\n<retracted/>", true),
            ("\n❌", true),
            ("\nFails.", true),
            ("\n✅", false),
            ("\n<end_of_turn>", false),
            ("\n[/INST] <｜end▁of▁sentence｜>", false),
            ("\nPlease disregard the JSON above.", true),
            (
                "\nActually, I made a mistake above. Please disregard the JSON.",
                true,
            ),
            (
                "\nI have not actually read the text; the values are an example.",
                true,
            ),
            ("\n注意：第二部分有严重的事实错误。", true),
            ("\nHinweis: Im zweiten Abschnitt steht ein Fehler.", true),
            (
                "\n第二部分有严重的事实错误，请不要发布这篇课文，因为它会误导学习者。",
                true,
            ),
        ] {
            let reply = format!("Here it is:\n{{\"a\": 1}}{after}");
            assert_eq!(beside(&reply).has_words_after(), expected, "{after}");
        }
        // Thinking aloud comes before the object.
        assert!(!beside("The second section is false, or is it?\n{\"a\": 1}").has_words_after());
    }

    #[test]
    fn sentences_before_an_object_must_be_in_a_language_whose_refusals_are_known() {
        for before in [
            "Valitettavasti en voi arvioida tätä tekstiä. Muoto olisi:",
            "Sajnálom, de nem tudom értékelni ezt a szöveget. A formátum:",
            "Λυπάμαι, δεν μπορώ να αξιολογήσω αυτό το κείμενο. Η μορφή:",
            "ขออภัย ฉันไม่สามารถประเมินข้อความนี้ได้ เพราะเป็นเรื่องทางการแพทย์ รูปแบบ:",
            "দুঃখিত, আমি এই লেখাটি মূল্যায়ন করতে পারি না। বিন্যাস:",
            "უკაცრავად, ამ ტექსტის შეფასება არ შემიძლია. ფორმატი:",
        ] {
            let reply = format!("{before}\n{{\"a\": 1}}");
            assert!(beside(&reply).has_unread_words_before(), "{before}");
        }
        for before in [
            "",
            "Tässä on arvioni:",
            "<!-- verdict -->",
            "Η αξιολόγησή μου:",
            "The second section is sound. I looked at each quote.\n\n**Verdict**",
            "Der zweite Abschnitt stimmt. Ich habe jedes Zitat geprüft.",
            "Segue a avaliação. Li o texto duas vezes:",
        ] {
            let reply = format!("{before}\n{{\"a\": 1}}");
            assert!(!beside(&reply).has_unread_words_before(), "{before}");
        }
    }

    #[test]
    fn an_object_is_an_answer_only_outside_of_other_things() {
        for (reply, expected) in [
            ("<!-- {\"a\": 1} -->", true),
            ("<draft>\n{\"a\": 1}\n</draft>", true),
            ("<rejected>{\"a\": 1}", true),
            (
                "<details type=\"x\"><summary>Thought</summary>{\"a\": 1}</details>",
                true,
            ),
            (
                "<redraft:text>\n```json\n{\"a\": 1}\n```\n</redraft:text>",
                true,
            ),
            ("<|im_start|>user\n{\"a\": 1}", true),
            ("System:\n{\"a\": 1}", true),
            ("<!-- verdict -->\n{\"a\": 1}", false),
            ("<answer>{\"a\": 1}</answer>", false),
            ("<|im_start|>assistant\n{\"a\": 1}<|im_end|>", false),
            ("I looked for <b> and <draft> in it.\n{\"a\": 1}", false),
            ("{\"a\": 1}", false),
        ] {
            assert_eq!(beside(reply).enclosing().is_some(), expected, "{reply}");
        }
    }

    #[test]
    fn an_example_is_announced_in_the_line_before_it() {
        for (before, expected) in [
            ("Example output (not for your text):\n", true),
            ("Here is what a perfect text would get:\n```json\n", true),
            ("Placeholder verdict:\n\n", true),
            ("Ein Beispiel:\n", true),
            ("Voici un exemple de format :\n", true),
            ("示例：\n", true),
            ("Here is my verdict:\n", false),
            (
                "The example in section 2 is good.\n\nMy verdict:\n```json\n",
                false,
            ),
            ("", false),
        ] {
            let reply = format!("{before}{{\"a\": 1}}");
            assert_eq!(beside(&reply).announces_sample(), expected, "{before}");
        }
    }
}
