//! A map proposed for JSON of an unknown shape: where its items or sections seem to be, by
//! what stands in the fields and what they are called.
//!
//! | field | recognised by |
//! |---|---|
//! | items | the list, or the object, with the most objects that have a question and options |
//! | options | a list of two or more texts, of objects with a text or of lists with one; an object of texts; fields that are numbered or lettered (`opt1`, `opt2`) |
//! | question | a text that asks, or that is named so |
//! | right answer | a letter, a number or a text that names one of the options, in a field that is named so or the only one with such texts |
//! | sections | a list of objects with a short and a long text |
//!
//! It is a proposal: nothing is read by it before the user has it in the configuration.

use redraft_text::json::{Json, Kind, Node};

/// How many entries of a list are looked at.
const SAMPLE: usize = 50;
/// How deep items may lie.
const DEEPEST: usize = 12;
/// The least length of a body of text, in characters.
const LONG: usize = 60;

/// Words in the names of fields, in several languages; with `=` the name itself.
const STEM: &str = "stem question frage pregunta pergunta questao enunciado enonce énoncé вопрос 题 问 \
    prompt =q =text";
const WHY: &str = "expl rational why reason begr erkl erläut justif feedback comment поясн объясн \
    коммент обосн 解 说明 warum";
const CASE: &str = "vignette =case =fall caso =cas scenario случай 病例 案例";
const ID: &str = "=id uuid =nr =no =num number nummer номер 编号 =code ident";
const OPTIONS: &str = "option choice answer antwort wahl opcion choix alternativ вариант ответ 选项 \
    distractor respuesta réponse reponse resposta";
const KEY: &str = "key correct =right =gold answer ans solution lösung loesung richtig antwort respuesta clave \
    réponse reponse gabarito resposta ответ ключ 答案";
const OPTION_TEXT: &str = "text label option answer antwort value content";
const TITLE: &str =
    "title head name titel titul título titre überschrift ueberschrift kapitel заголов назван 标题";
const LESSON_TITLE: &str =
    "=title =name =kurs =course =curso =cours titel titul =título titre назван 标题 =topic";
const INTRODUCTION: &str = "intro einleit введен 简介";
const CONCLUSION: &str = "conclu summary fazit zusammenf заключ итог resum 总结";

/// A proposed map: the keys of `[shapes.NAME]` with their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    pub paths: Vec<(&'static str, String)>,
    /// How many objects the list has.
    pub entries: usize,
}

/// Proposes a map for one value, or for the values of a file of many.
#[must_use]
pub fn propose(values: &[Json]) -> Option<Proposal> {
    let roots: Vec<Node<'_>> = values.iter().filter_map(Json::root).collect();
    if let [root] = roots.as_slice() {
        return of_value(*root);
    }
    let objects = roots.into_iter().filter(is_object).collect::<Vec<_>>();
    let paths = item_paths(&objects)?;
    Some(Proposal {
        paths,
        entries: objects.len(),
    })
}

fn of_value(root: Node<'_>) -> Option<Proposal> {
    let lists = lists(root);
    let mut best: Option<Proposal> = None;
    for (path, entries) in &lists {
        let Some(mut paths) = item_paths(entries) else {
            continue;
        };
        paths.insert(0, ("items", path.clone()));
        if best
            .as_ref()
            .is_none_or(|best| best.entries < entries.len())
        {
            best = Some(Proposal {
                paths,
                entries: entries.len(),
            });
        }
    }
    let alone = || {
        let paths = item_paths(&[root])?;
        Some(Proposal { paths, entries: 1 })
    };
    best.or_else(|| is_object(&root).then(alone).flatten())
        .or_else(|| lesson(root, &lists))
}

fn is_object(node: &Node<'_>) -> bool {
    node.kind() == Kind::Object
}

/// All lists of objects in a value, with the paths of their entries.
fn lists<'a>(root: Node<'a>) -> Vec<(String, Vec<Node<'a>>)> {
    let mut found: Vec<(String, Vec<Node<'a>>)> = Vec::new();
    let mut open = vec![(String::new(), vec![root], 0)];
    while let Some((path, nodes, depth)) = open.pop() {
        if depth > DEEPEST {
            continue;
        }
        let entries: Vec<Node<'a>> = nodes
            .iter()
            .filter(|node| node.kind() == Kind::Array)
            .flat_map(|node| node.items())
            .collect();
        if !entries.is_empty() {
            let objects: Vec<Node<'a>> = entries.iter().copied().filter(is_object).collect();
            let path = format!("{path}[]");
            if !objects.is_empty() {
                found.push((path.clone(), objects));
            }
            open.push((path, entries, depth + 1));
            continue;
        }
        // An object whose members are objects may be a list with names.
        let members: Vec<Node<'a>> = nodes
            .iter()
            .flat_map(|node| node.members().map(|(_, value)| value))
            .collect();
        if members.len() >= 2 && are_alike(&members) {
            let path = joined(&path, "*");
            found.push((path.clone(), members.clone()));
            open.push((path, members, depth + 1));
        }
        for name in names(&nodes) {
            let inner: Vec<Node<'a>> = nodes.iter().filter_map(|node| node.get(&name)).collect();
            let is_container = |node: &Node<'_>| matches!(node.kind(), Kind::Array | Kind::Object);
            if inner.iter().any(is_container) {
                open.push((joined(&path, &name), inner, depth + 1));
            }
        }
    }
    found
}

/// Whether all values are objects that have some fields in common, as items have.
fn are_alike(values: &[Node<'_>]) -> bool {
    let is_in_all = |name: &&String| {
        let mut sample = values.iter().take(SAMPLE);
        sample.all(|value| value.get(name).is_some())
    };
    let names = values.first().map(|first| names(&[*first]));
    values.iter().all(is_object)
        && names.is_some_and(|names| names.iter().filter(is_in_all).count() >= 2)
}

fn joined(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// The names of the members of some objects that a path can name, in their order.
fn names(nodes: &[Node<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for node in nodes.iter().take(SAMPLE) {
        for (key, _) in node.members() {
            let is_plain = !key.text.is_empty() && !key.text.contains(['.', '[', ']', ',', '*']);
            if is_plain && !names.contains(&key.text) {
                names.push(key.text.clone());
            }
        }
    }
    names
}

/// A field of the entries of a list: its path and its values.
struct Field<'a> {
    path: String,
    values: Vec<Node<'a>>,
}

impl<'a> Field<'a> {
    fn texts(&self) -> Vec<&'a str> {
        self.values
            .iter()
            .filter_map(|node| node.as_str())
            .collect()
    }

    fn is_named(&self, hints: &str) -> bool {
        let name = self.path.rsplit('.').next().unwrap_or(&self.path);
        let name: String = name
            .chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect();
        hints
            .split_whitespace()
            .any(|hint| match hint.strip_prefix('=') {
                Some(whole) => name == whole,
                None => name.contains(hint),
            })
    }

    /// The length of its texts on average, in characters; 0 where not all values are texts.
    fn mean_length(&self) -> usize {
        let texts = self.texts();
        if texts.len() < self.values.len() || texts.is_empty() {
            return 0;
        }
        texts.iter().map(|text| text.chars().count()).sum::<usize>() / texts.len()
    }
}

/// The fields of some objects, those of objects in them included.
fn fields<'a>(objects: &[Node<'a>]) -> Vec<Field<'a>> {
    let objects: Vec<Node<'a>> = objects.iter().copied().take(SAMPLE).collect();
    let mut found = Vec::new();
    for name in names(&objects) {
        let values: Vec<Node<'a>> = objects.iter().filter_map(|node| node.get(&name)).collect();
        for inner in names(&values) {
            found.push(Field {
                path: joined(&name, &inner),
                values: values.iter().filter_map(|node| node.get(&inner)).collect(),
            });
        }
        found.push(Field { path: name, values });
    }
    found
}

/// The options of items: where they are, and what their own fields are.
struct Options<'a> {
    path: String,
    of_item: Vec<Vec<Node<'a>>>,
    paths: Vec<(&'static str, String)>,
}

fn item_paths(objects: &[Node<'_>]) -> Option<Vec<(&'static str, String)>> {
    let fields = fields(objects);
    let options = options(&fields).or_else(|| options_as_fields(objects, &fields))?;
    let free = |field: &&Field<'_>| {
        let mut ways = options.path.split(',').map(str::trim);
        !ways.any(|way| {
            way == field.path
                || way.starts_with(&format!("{}[]", field.path))
                || way.starts_with(&format!("{}.*", field.path))
                || way
                    .strip_suffix('*')
                    .is_some_and(|of| field.path.starts_with(of))
        })
    };
    let asks = |text: &str| text.trim_end().ends_with(['?', '？', ':', '…', '؟']);
    let stem = fields
        .iter()
        .filter(free)
        .filter(|field| field.mean_length() > 4)
        .max_by_key(|field| {
            let texts = field.texts();
            let asking = texts.iter().filter(|text| asks(text)).count() * 100 / texts.len().max(1);
            let named = if field.is_named(STEM) { 60 } else { 0 };
            let about = if field.is_named(WHY) || field.is_named(CASE) {
                0
            } else {
                20
            };
            (asking + named + about, field.mean_length())
        })?;
    let asking = stem.texts().iter().filter(|text| asks(text)).count() * 2;
    let has_flag = options
        .paths
        .iter()
        .any(|(name, _)| *name == "option-correct");
    let mut paths = vec![
        ("stem", stem.path.clone()),
        ("options", options.path.clone()),
    ];
    let others: Vec<&Field<'_>> = fields
        .iter()
        .filter(free)
        .filter(|field| field.path != stem.path)
        .collect();
    let key = key(&others, objects, &options);
    // A text above a list of texts is a lesson rather than a question.
    if key.is_none() && !has_flag && asking < stem.values.len() {
        return None;
    }
    paths.extend(key.map(|key| ("key", key)));
    let taken: Vec<String> = paths.iter().map(|(_, path)| path.clone()).collect();
    for (name, hints) in [("explanation", WHY), ("vignette", CASE), ("id", ID)] {
        let field = others.iter().find(|field| {
            let is_scalar = field
                .values
                .iter()
                .all(|node| matches!(node.kind(), Kind::String | Kind::Number));
            is_scalar && !taken.contains(&field.path) && field.is_named(hints)
        });
        paths.extend(field.map(|field| (name, field.path.clone())));
    }
    paths.extend(options.paths);
    Some(paths)
}

/// The field that holds the options: lists of texts, or of objects with a text.
fn options<'a>(fields: &[Field<'a>]) -> Option<Options<'a>> {
    let mut found: Vec<(bool, Options<'a>)> = Vec::new();
    for field in fields {
        let is_map = !field.values.is_empty() && field.values.iter().all(is_object);
        let of_item: Vec<Vec<Node<'a>>> = field
            .values
            .iter()
            .filter(|node| is_map || node.kind() == Kind::Array)
            .map(|node| match is_map {
                true => node.members().map(|(_, value)| value).collect(),
                false => node.items().collect::<Vec<_>>(),
            })
            .collect();
        let several = of_item.iter().filter(|list| list.len() >= 2).count();
        if several == 0 || several * 2 < field.values.len() {
            continue;
        }
        let all: Vec<Node<'a>> = of_item.iter().flatten().copied().collect();
        let is_value = |node: &Node<'_>| matches!(node.kind(), Kind::String | Kind::Number);
        let paths = if all.iter().all(is_value) {
            Vec::new()
        } else if all.iter().all(is_object) {
            match option_paths(&all) {
                Some(paths) => paths,
                None => continue,
            }
        } else if all.iter().all(|node| node.kind() == Kind::Array) {
            match entry_paths(&all) {
                Some(paths) => paths,
                None => continue,
            }
        } else {
            continue;
        };
        // An object of anything is none of options, unless it is called so.
        if is_map && !field.is_named(OPTIONS) && !are_labels(field) {
            continue;
        }
        let options = Options {
            path: match is_map {
                true => joined(&field.path, "*"),
                false => format!("{}[]", field.path),
            },
            of_item,
            paths,
        };
        found.push((field.is_named(OPTIONS), options));
    }
    found.sort_by_key(|(is_named, _)| !*is_named);
    found.into_iter().next().map(|(_, options)| options)
}

/// Whether the members of objects are called by letters or numbers.
fn are_labels(field: &Field<'_>) -> bool {
    let names = names(&field.values);
    let position = |name: &String| labelled(name).filter(|(words, _)| words.is_empty());
    names.len() >= 2 && names.iter().all(|name| position(name).is_some())
}

/// Options that are lists: the entry with the longest text is the text, one with a letter or
/// a number the label.
fn entry_paths(options: &[Node<'_>]) -> Option<Vec<(&'static str, String)>> {
    let size = options.iter().map(|node| node.len()).min()?;
    let entries: Vec<Field<'_>> = (0..size)
        .map(|index| Field {
            path: index.to_string(),
            values: options
                .iter()
                .filter_map(|node| node.items().nth(index))
                .collect(),
        })
        .collect();
    let text = entries.iter().max_by_key(|entry| entry.mean_length())?;
    if text.mean_length() < 2 {
        return None;
    }
    let mut paths = vec![("option-text", text.path.clone())];
    let is_flag = |entry: &&Field<'_>| entry.values.iter().all(|node| node.kind() == Kind::Bool);
    let flag = entries.iter().find(is_flag);
    paths.extend(flag.map(|entry| ("option-correct", entry.path.clone())));
    let is_label = |entry: &&Field<'_>| entry.mean_length() == 1 && entry.path != text.path;
    let label = entries.iter().find(is_label);
    paths.extend(label.map(|entry| ("option-label", entry.path.clone())));
    Some(paths)
}

/// The words of a name, and the position that the letter or number at its end tells.
fn labelled(name: &str) -> Option<(String, usize)> {
    let name = name.to_lowercase();
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (words, position) = if digits > 0 {
        let (words, number) = name.split_at_checked(name.len() - digits)?;
        (words, number.parse().ok().filter(|number| *number <= 12)?)
    } else {
        let (at, last) = name.char_indices().next_back()?;
        let position = usize::try_from(u32::from(last).checked_sub(u32::from('a'))?).ok()?;
        (name.get(..at)?, position + 1)
    };
    let words = words.trim_end_matches(['_', '-', ' ']).to_owned();
    (position <= 12).then_some((words, position))
}

/// Options that are fields of the item: texts whose names differ in a letter or number.
fn options_as_fields<'a>(objects: &[Node<'a>], fields: &[Field<'a>]) -> Option<Options<'a>> {
    let mut groups: Vec<(String, Vec<(usize, &Field<'a>)>)> = Vec::new();
    for field in fields {
        let is_value = |node: &Node<'_>| matches!(node.kind(), Kind::String | Kind::Number);
        if field.values.is_empty() || !field.values.iter().all(is_value) {
            continue;
        }
        let Some((words, position)) = labelled(&field.path) else {
            continue;
        };
        match groups.iter_mut().find(|(of, _)| *of == words) {
            Some((_, group)) => group.push((position, field)),
            None => groups.push((words, vec![(position, field)])),
        }
    }
    // Without a gap: `option_a`, `option_b`, `option_c`.
    let is_row = |group: &[(usize, &Field<'a>)]| {
        let first = group.first().map_or(0, |(position, _)| *position);
        let mut numbered = group.iter().enumerate();
        first <= 1 && numbered.all(|(index, (position, _))| *position == first + index)
    };
    for (_, group) in &mut groups {
        group.sort_by_key(|(position, _)| *position);
    }
    groups.retain(|(_, group)| group.len() >= 2 && is_row(group));
    let is_named =
        |group: &[(usize, &Field<'a>)]| group.iter().all(|(_, field)| field.is_named(OPTIONS));
    let best = groups
        .into_iter()
        .max_by_key(|(words, group)| (is_named(group) || words.is_empty(), group.len()))?;
    let paths: Vec<String> = best.1.iter().map(|(_, field)| field.path.clone()).collect();
    let of_item = objects.iter().take(SAMPLE).map(|object| {
        let steps = |path: &String| path.split('.').try_fold(*object, Node::get);
        paths.iter().filter_map(steps).collect()
    });
    Some(Options {
        of_item: of_item.collect(),
        path: paths.join(", "),
        paths: Vec::new(),
    })
}

fn option_paths(options: &[Node<'_>]) -> Option<Vec<(&'static str, String)>> {
    let fields = fields(options);
    let text = fields
        .iter()
        .filter(|field| field.mean_length() > 0)
        .max_by_key(|field| {
            let is_named = field.is_named(OPTION_TEXT);
            let is_why = field.is_named(WHY);
            (is_named && !is_why, !is_why, field.mean_length())
        })?;
    let mut paths = vec![("option-text", text.path.clone())];
    let flag = fields.iter().find(|field| {
        let is_flag = |node: &Node<'_>| {
            node.kind() == Kind::Bool || field.is_named(KEY) && says_yes_or_no(*node)
        };
        !field.values.is_empty() && field.values.iter().all(is_flag)
    });
    paths.extend(flag.map(|field| ("option-correct", field.path.clone())));
    let feedback = fields
        .iter()
        .find(|field| field.path != text.path && field.mean_length() > 0 && field.is_named(WHY));
    paths.extend(feedback.map(|field| ("option-feedback", field.path.clone())));
    Some(paths)
}

/// The field whose values name one of the options.
fn key(others: &[&Field<'_>], objects: &[Node<'_>], options: &Options<'_>) -> Option<String> {
    let sample = objects.len().min(SAMPLE);
    let candidates = others.iter().filter(|field| {
        field.values.len() == sample
            && field.values.len() == options.of_item.len()
            && field
                .values
                .iter()
                .zip(&options.of_item)
                .all(|(value, options)| names_option(*value, options))
    });
    let candidates: Vec<&&Field<'_>> = candidates.collect();
    // By whatever name, if its texts name options and no other field does: numbers may count
    // anything.
    let mut texts = candidates
        .iter()
        .filter(|field| sample > 1 && field.texts().len() == sample);
    let only = texts.next().filter(|_| texts.next().is_none());
    let mut named = candidates.iter().filter(|field| field.is_named(KEY));
    named.next().or(only).map(|field| field.path.clone())
}

fn says_yes_or_no(value: Node<'_>) -> bool {
    const WORDS: &str = "yes no true false 1 0 ja nein oui non sí si não sim да нет 是 否";
    let word = value.as_str().map(|word| word.trim().to_lowercase());
    let says = word.is_some_and(|word| WORDS.split(' ').any(|known| known == word));
    says || matches!(value.as_i64(), Some(0 | 1))
}

fn names_option(value: Node<'_>, options: &[Node<'_>]) -> bool {
    let count = options.len();
    if let Some(number) = value.as_i64() {
        return usize::try_from(number).is_ok_and(|number| number <= count);
    }
    let Some(text) = value.as_str().map(str::trim) else {
        return false;
    };
    let is_name = |option: &Node<'_>| option.key().is_some_and(|key| key.text == text);
    if options.iter().any(is_name) {
        return true;
    }
    let mut chars = text.chars();
    if let (Some(letter), None) = (chars.next(), chars.next())
        && letter.is_ascii_alphabetic()
    {
        return usize::from(letter.to_ascii_uppercase() as u8 - b'A') < count;
    }
    if let Ok(number) = text.parse::<usize>() {
        return number <= count;
    }
    options
        .iter()
        .any(|option| option.as_str().map(str::trim) == Some(text))
}

/// The sections of a lesson: a list of objects with a short and a long text.
fn lesson(root: Node<'_>, lists: &[(String, Vec<Node<'_>>)]) -> Option<Proposal> {
    let mut best: Option<(usize, Proposal)> = None;
    for (path, entries) in lists {
        let fields = fields(entries);
        let body = fields.iter().max_by_key(|field| field.mean_length())?;
        let length = body.mean_length();
        let title = fields.iter().find(|field| {
            field.path != body.path
                && (1..LONG).contains(&field.mean_length())
                && field.is_named(TITLE)
        });
        let length_of_all = length * entries.len();
        if length < LONG
            || best
                .as_ref()
                .is_some_and(|(longest, _)| *longest >= length_of_all)
        {
            continue;
        }
        let mut paths = vec![("sections", path.clone())];
        paths.extend(title.map(|field| ("title", field.path.clone())));
        paths.push(("body", body.path.clone()));
        let proposal = Proposal {
            paths,
            entries: entries.len(),
        };
        best = Some((length_of_all, proposal));
    }
    let (_, mut proposal) = best?;
    let around = fields(&[root]);
    for (name, hints) in [
        ("lesson-title", LESSON_TITLE),
        ("introduction", INTRODUCTION),
        ("conclusion", CONCLUSION),
    ] {
        let field = around
            .iter()
            .find(|field| field.mean_length() > 0 && field.is_named(hints));
        proposal
            .paths
            .extend(field.map(|field| (name, field.path.clone())));
    }
    Some(proposal)
}

#[cfg(test)]
mod tests {
    use redraft_text::json;

    use super::*;

    fn proposed(text: &str) -> Option<String> {
        let values: Vec<Json> = text
            .lines()
            .map(|line| json::scan(line, 0..line.len()))
            .collect();
        let proposal = propose(&values)?;
        let paths: Vec<String> = proposal
            .paths
            .iter()
            .map(|(name, path)| format!("{name}={path}"))
            .collect();
        Some(format!("{} {}", proposal.entries, paths.join(" ")))
    }

    #[test]
    fn items_and_lessons_of_an_unknown_shape_are_found() {
        let body =
            "A long text about plants and light, which goes on for a while, so that it is a body.";
        for (text, expected) in [
            (
                r#"{"data": {"questions": [{"nr": 1, "q": "Why is the sky blue?", "wahl": ["a", "b", "c"], "ans": "B", "why": "So."}, {"nr": 2, "q": "Name one:", "wahl": ["d", "e"], "ans": "A", "why": "So."}]}}"#.to_owned(),
                Some("2 items=data.questions[] stem=q options=wahl[] key=ans explanation=why id=nr"),
            ),
            (
                r#"[{"meta": {"id": "x"}, "inhalt": {"frage": "Was ist das?", "auswahl": [{"t": "eins", "ok": true, "feedback": "ja"}, {"t": "zwei", "ok": false, "feedback": "nein"}]}}]"#.to_owned(),
                Some("1 items=[] stem=inhalt.frage options=inhalt.auswahl[] id=meta.id option-text=t option-correct=ok option-feedback=feedback"),
            ),
            (
                "{\"вопрос\": \"Что это такое?\", \"ответы\": [\"раз\", \"два\"], \"ключ\": 1}\n{\"вопрос\": \"Где это?\", \"ответы\": [\"тут\", \"там\"], \"ключ\": 0}".to_owned(),
                Some("2 stem=вопрос options=ответы[] key=ключ"),
            ),
            (
                format!(r#"{{"name": "Plants", "content": [{{"heading": "One", "body": "{body}"}}, {{"heading": "Two", "body": "{body}"}}], "fazit": "Plants need light."}}"#),
                Some("2 sections=content[] title=heading body=body lesson-title=name conclusion=fazit"),
            ),
            // Options as fields of the item, in any case and language, with letters or numbers.
            (
                r#"[{"qq": "Why is the sky blue?", "opt1": "light", "opt2": "water", "opt3": "air", "ans": 1}, {"qq": "Where is it?", "opt1": "here", "opt2": "there", "opt3": "away", "ans": 3}]"#.to_owned(),
                Some("2 items=[] stem=qq options=opt1, opt2, opt3 key=ans"),
            ),
            (
                r#"{"fragen": [{"frage": "Was ist das?", "antwort_a": "eins", "antwort_b": "zwei", "lösung": "antwort_b"}]}"#.to_owned(),
                Some("1 items=fragen[] stem=frage options=antwort_a, antwort_b key=lösung"),
            ),
            // Lists inside lists.
            (
                r#"{"units": [{"parts": [{"q": "Which gas is it?", "choices": [["A", "oxygen"], ["B", "helium"]], "ans": "B"}]}, {"parts": [{"q": "Which one is it?", "choices": [["A", "iron"], ["B", "wood"]], "ans": "A"}]}]}"#.to_owned(),
                Some("2 items=units[].parts[] stem=q options=choices[] key=ans option-text=1 option-label=0"),
            ),
            // Maps of items, and options that are one.
            (
                r#"{"bank": {"q1": {"q": "Which gas is it?", "wahl": {"a": "oxygen", "b": "helium"}, "key": "b"}, "q2": {"q": "Which one is it?", "wahl": {"a": "iron", "b": "wood"}, "key": "a"}}}"#.to_owned(),
                Some("2 items=bank.* stem=q options=wahl.* key=key"),
            ),
            // A key by whatever name, if it names options; flags in words, far inside.
            (
                r#"[{"pytanie": "Który gaz to jest?", "odp": {"a": "Tlen", "b": "Hel"}, "poprawna": "b", "poziom": 1}, {"pytanie": "Które morze jest?", "odp": {"a": "Czarne", "b": "Martwe"}, "poprawna": "a", "poziom": 2}]"#.to_owned(),
                Some("2 items=[] stem=pytanie options=odp.* key=poprawna"),
            ),
            (
                r#"{"course": {"modules": [{"lessons": [{"quiz": {"items": [{"prompt_text": "Which gas is it?", "responses": [{"content": "Oxygen", "correct": "no"}, {"content": "Helium", "correct": "yes"}]}]}}]}]}}"#.to_owned(),
                Some("1 items=course.modules[].lessons[].quiz.items[] stem=prompt_text options=responses[] option-text=content option-correct=correct"),
            ),
            (r#"{"a": [1, 2], "b": {"c": "text"}}"#.to_owned(), None),
            ("[]".to_owned(), None),
            ("".to_owned(), None),
        ] {
            assert_eq!(proposed(&text).as_deref(), expected, "{text}");
        }
    }
}
