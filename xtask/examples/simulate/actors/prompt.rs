//! What an actor reads out of its prompt: the text in question, its parts, its
//! passages and sentences. Only the form of prompts is known here.

/// A passage of the part that is repaired.
pub(super) struct Passage<'t> {
    pub(super) name: &'t str,
    pub(super) text: &'t str,
    /// The whole part.
    pub(super) beside: &'t str,
}

/// What stands between a tag and its end, without the tags; of several the first.
pub(super) fn block<'t>(prompt: &'t str, tag: &str) -> &'t str {
    blocks(prompt, tag).into_iter().next().unwrap_or_default()
}

pub(super) fn blocks<'t>(prompt: &'t str, tag: &str) -> Vec<&'t str> {
    let (open, close) = (format!("<redraft:{tag}>\n"), format!("</redraft:{tag}>"));
    prompt
        .split(open.as_str())
        .skip(1)
        .filter_map(|rest| rest.split(close.as_str()).next())
        .collect()
}

/// The id of the part that a place belongs to.
pub(super) fn part_at(text: &str, at: usize) -> String {
    const TAG: &str = "<redraft:part id=\"";
    let before = text.get(..at).unwrap_or_default();
    before
        .rfind(TAG)
        .and_then(|start| before.get(start + TAG.len()..))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_default()
        .to_owned()
}

/// The part in the name of an ask: `i1/patch/sec_2/try1`; ids may have strokes of
/// their own.
pub(super) fn part_of(id: &str) -> &str {
    let from_part = id.splitn(3, '/').nth(2).unwrap_or_default();
    let part = from_part
        .rsplit_once('/')
        .map_or(from_part, |(part, _)| part);
    // The same asked for once more has a number behind the part.
    match part.rsplit_once('/') {
        Some((part, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => part,
        _ => part,
    }
}

/// The passages of a part, by their names; the only one of a part is called like
/// the part.
pub(super) fn passages<'t>(text: &'t str, own: &'t str) -> Vec<Passage<'t>> {
    const LINE: &str = "field: ";
    if !text.starts_with(LINE) {
        return vec![Passage {
            name: own,
            text,
            beside: text,
        }];
    }
    let mut starts: Vec<usize> = vec![0];
    starts.extend(text.match_indices("\nfield: ").map(|(at, _)| at + 1));
    starts.push(text.len());
    starts
        .windows(2)
        .filter_map(|pair| text.get(pair[0]..pair[1]))
        .filter_map(|piece| piece.strip_prefix(LINE)?.split_once('\n'))
        .map(|(name, words)| Passage {
            name,
            text: words.trim_end_matches('\n'),
            beside: text,
        })
        .collect()
}

/// The sentences of a text that stand on one line, with their places.
pub(super) fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c == '\n' || c == '"' {
            start = end;
        } else if c == '\\' {
            // An escape of JSON: the sign behind it is no letter.
            start = end + 1;
        } else if c == '.'
            && !text
                .get(end..)
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_alphanumeric()))
        {
            let piece = text.get(start..end).unwrap_or_default();
            let lead = piece.len() - piece.trim_start().len();
            let sentence = piece.trim();
            let is_prose = !sentence.starts_with(['#', '<', '-', '[']) && sentence.len() > 12;
            if is_prose {
                found.push((start + lead, sentence));
            }
            start = end;
        }
    }
    found
}

/// How many words are wanted, in the middle of what is allowed; 0 where nothing is
/// said.
pub(super) fn words_wanted(prompt: &str) -> usize {
    let line = prompt
        .lines()
        .find_map(|line| line.strip_prefix("Length: "));
    let numbers: Vec<usize> = line
        .unwrap_or_default()
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers.iter().sum::<usize>() / numbers.len().max(1)
}
