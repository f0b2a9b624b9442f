//! What of a text is looked at to tell its language.

/// Texts longer than this are judged by three samples of a third of it each.
pub(super) const LONGEST: usize = 1152;

/// Beginning, middle and end of the text, cut between words, without the
/// tokens that are no prose (addresses, code, markup).
pub(super) fn sample(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST) + 8);
    let mut add = |piece: &str| {
        for token in piece.split_ascii_whitespace() {
            if is_prose(token) {
                out.push_str(token);
                out.push(' ');
            }
        }
    };
    if text.len() <= LONGEST {
        add(text);
        return out;
    }
    let third = LONGEST / 3;
    for start in [0, text.len() / 2 - third / 2, text.len() - third] {
        let mut from = text.floor_char_boundary(start);
        let mut to = text.floor_char_boundary(start + third);
        let piece = text.get(from..to).unwrap_or_default();
        // Half a word at either edge would count as a word. Text without
        // spaces is cut anywhere.
        if from > 0
            && let Some(space) = piece.find(char::is_whitespace)
        {
            from += space;
        }
        if to < text.len()
            && let Some(space) = piece.rfind(char::is_whitespace)
        {
            to = to - piece.len() + space;
        }
        add(text.get(from..to).unwrap_or_default());
    }
    out
}

/// Whether a token is a word, and not an address, code or markup.
fn is_prose(token: &str) -> bool {
    let mut has_colon = false;
    for byte in token.bytes() {
        if matches!(byte, b'`' | b'_' | b'\\' | b'=' | b'<' | b'{' | b'@') {
            return false;
        }
        has_colon |= byte == b':';
    }
    !(has_colon && token.contains("://"))
}
