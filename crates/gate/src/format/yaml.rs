//! YAML: a text that is nothing but keys and lists. Front matter before a lesson is not
//! meant, and neither is a glossary of "Term: explanation".

pub(super) fn of(text: &str) -> Option<&'static str> {
    let is_one = match text.strip_prefix("---") {
        Some(rest) if rest.starts_with(['\n', '\r']) => match after_front_matter(rest) {
            // Front matter and nothing else.
            Some("") => rest.lines().any(|line| key(line).is_some()),
            Some(body) => is_yaml(body),
            None => is_yaml(rest),
        },
        _ => is_yaml(text),
    };
    is_one.then_some("YAML")
}

/// What follows front matter; `None` if it has no end.
fn after_front_matter(rest: &str) -> Option<&str> {
    let mut offset = 0;
    for line in rest.split_inclusive('\n') {
        let is_end = offset > 0 && matches!(line.trim_end(), "---" | "...");
        offset += line.len();
        if is_end {
            return rest.get(offset..).map(str::trim_start);
        }
    }
    None
}

fn is_yaml(text: &str) -> bool {
    let mut top_keys = 0;
    let mut inner_keys = 0;
    let mut list_keys = 0;
    let mut nested = 0;
    let mut long_values = 0;
    let mut opens = false;
    for line in text.lines() {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') || content == "---" {
            continue;
        }
        let indent = line.len() - content.len();
        if indent > 0 {
            inner_keys += usize::from(key(content.trim_start_matches("- ")).is_some());
            nested += usize::from(opens);
            opens = false;
            continue;
        }
        if let Some(item) = content.strip_prefix("- ") {
            nested += usize::from(opens);
            opens = false;
            list_keys += usize::from(key(item).is_some());
            // A list of a Markdown text has entries of prose.
            if key(item).is_none() && top_keys == 0 {
                return false;
            }
            continue;
        }
        let Some(value) = key(content) else {
            return false;
        };
        top_keys += 1;
        // A glossary has explanations.
        long_values += usize::from(value.split_whitespace().count() > 2);
        opens = matches!(value.trim(), "" | "|" | ">" | "|-" | ">-");
    }
    let has_structure = nested > 0 && top_keys + inner_keys >= 2;
    let is_flat = top_keys >= 3 && long_values * 2 <= top_keys;
    has_structure || is_flat || (list_keys > 0 && top_keys == 0 && inner_keys >= 2)
}

/// What follows the key of a line. A key is a name as programs have them; a term of a
/// glossary begins with a capital letter or has several words.
fn key(line: &str) -> Option<&str> {
    let (name, value) = line.split_once(':')?;
    let bare = name.trim_matches(['"', '\'']);
    let is_name = bare.starts_with(|c: char| c.is_lowercase() || c == '_' || c == '$')
        && bare
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '/'));
    let is_quoted = bare.len() < name.len();
    let is_ended = value.is_empty() || value.starts_with([' ', '\t']);
    (is_ended && (is_name || is_quoted && !bare.is_empty())).then_some(value)
}
