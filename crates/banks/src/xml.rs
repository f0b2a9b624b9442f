//! XML as a row of pieces with their places, for files that are edited and never written
//! out again. No entity is expanded beyond the five of XML and the numbered ones, no
//! declaration is obeyed, nothing is fetched; so a hostile file costs no more than its size.

use std::collections::HashMap;
use std::ops::Range;

use redraft_text::json::{Builder, ReadText};
use redraft_text::writing::Writing;

use crate::html;
use crate::marks::MEMBER_MARK;
use crate::units::{self, Unit};
use crate::{Trouble, TroubleKind};

/// A piece of an XML text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Open {
        name: Range<usize>,
        /// Between the name and the closing sign.
        attributes: Range<usize>,
        whole: Range<usize>,
        is_empty: bool,
    },
    Close {
        name: Range<usize>,
        whole: Range<usize>,
    },
    Text(Range<usize>),
    /// What stands inside a CDATA section.
    Cdata(Range<usize>),
    /// A document type, which may declare entities.
    Declaration(Range<usize>),
    /// Something that is never closed.
    Unclosed(Range<usize>, &'static str),
}

/// The pieces of a range, without comments and processing instructions.
pub(crate) struct Pieces<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Pieces<'a> {
    pub(crate) fn of(text: &'a str, range: &Range<usize>) -> Self {
        Self {
            text,
            at: range.start,
            end: range.end.min(text.len()),
        }
    }

    fn place_of(&self, from: usize, sign: &str) -> Option<usize> {
        let part = self.text.get(from..self.end)?;
        part.find(sign).map(|at| from + at)
    }

    /// What begins with `opening` and ends with `closing`: its inside.
    fn section(&mut self, opening: usize, closing: &'static str) -> Result<Range<usize>, Piece> {
        let start = self.at;
        match self.place_of(start + opening, closing) {
            Some(end) => {
                self.at = end + closing.len();
                Ok(start + opening..end)
            }
            None => {
                self.at = self.end;
                Err(Piece::Unclosed(
                    start..(start + opening).min(self.end),
                    closing,
                ))
            }
        }
    }

    fn markup(&mut self) -> Option<Piece> {
        let rest = self.text.get(self.at..self.end)?;
        if rest.starts_with("<!--") {
            return self.section(4, "-->").err();
        }
        if rest.starts_with("<![CDATA[") {
            return Some(match self.section(9, "]]>") {
                Ok(inner) => Piece::Cdata(inner),
                Err(unclosed) => unclosed,
            });
        }
        if rest.starts_with("<?") {
            return self.section(2, "?>").err();
        }
        if rest.starts_with("<!") {
            return Some(self.declaration());
        }
        Some(self.tag())
    }

    /// A document type with all that it declares between its brackets.
    fn declaration(&mut self) -> Piece {
        let start = self.at;
        let (mut quote, mut depth) = (None, 0_usize);
        let bytes = self.text.as_bytes().iter().take(self.end);
        for (at, byte) in bytes.enumerate().skip(start) {
            match (quote, byte) {
                (Some(open), byte) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'[') => depth += 1,
                (None, b']') => depth = depth.saturating_sub(1),
                (None, b'>') if depth == 0 => {
                    self.at = at + 1;
                    return Piece::Declaration(start..self.at);
                }
                _ => {}
            }
        }
        self.at = self.end;
        Piece::Unclosed(start..(start + 2).min(self.end), ">")
    }

    fn tag(&mut self) -> Piece {
        let start = self.at;
        let is_close = self
            .text
            .get(start + 1..)
            .is_some_and(|rest| rest.starts_with('/'));
        let name_start = start + 1 + usize::from(is_close);
        let Some(end) = self.tag_end(name_start) else {
            self.at = self.end;
            return Piece::Unclosed(start..(start + 1).min(self.end), ">");
        };
        self.at = end + 1;
        let inner = self.text.get(name_start..end).unwrap_or_default();
        let is_empty = inner.ends_with('/');
        let inner = inner.trim_end_matches('/');
        let length = inner
            .find(|c: char| c.is_whitespace())
            .unwrap_or(inner.len());
        let name = name_start..name_start + length;
        let whole = start..end + 1;
        if is_close {
            return Piece::Close { name, whole };
        }
        Piece::Open {
            attributes: name.end..name_start + inner.len(),
            name,
            whole,
            is_empty,
        }
    }

    /// The `>` that ends a tag, which may also stand in a quoted value.
    fn tag_end(&self, from: usize) -> Option<usize> {
        let mut quote = None;
        for (at, c) in self.text.get(from..self.end)?.char_indices() {
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => {}
                None if c == '>' => return Some(from + at),
                None if c == '"' || c == '\'' => quote = Some(c),
                None => {}
            }
        }
        None
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        while self.at < self.end {
            if self.text.as_bytes().get(self.at) == Some(&b'<') {
                if let Some(piece) = self.markup() {
                    return Some(piece);
                }
                continue;
            }
            let start = self.at;
            self.at = self.place_of(start, "<").unwrap_or(self.end);
            return Some(Piece::Text(start..self.at));
        }
        None
    }
}

/// The name of the outermost element.
pub(crate) fn root(text: &str) -> Option<String> {
    Pieces::of(text, &(0..text.len())).find_map(|piece| match piece {
        Piece::Open { name, .. } => Some(local(text, &name)),
        _ => None,
    })
}

/// A name without its prefix.
pub(crate) fn local(text: &str, name: &Range<usize>) -> String {
    let name = text.get(name.clone()).unwrap_or_default();
    let local = name.rsplit(':').next().unwrap_or(name);
    local.to_ascii_lowercase()
}

/// The place of an attribute's value.
pub(crate) fn attribute(
    text: &str,
    attributes: &Range<usize>,
    wanted: &str,
) -> Option<Range<usize>> {
    attribute_where(text, attributes, |name| name.eq_ignore_ascii_case(wanted))
}

/// The place of the value of the first attribute whose name ends so, whatever its prefix.
pub(crate) fn attribute_by_ending(
    text: &str,
    attributes: &Range<usize>,
    ending: &str,
) -> Option<Range<usize>> {
    attribute_where(text, attributes, |name| name.ends_with(ending))
}

fn attribute_where(
    text: &str,
    attributes: &Range<usize>,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let mut at = attributes.start;
    loop {
        let (name, value) = next_attribute(text, at..attributes.end)?;
        if is_wanted(text.get(name)?) {
            return Some(value);
        }
        at = value.end + 1;
    }
}

/// The name and the value of the first attribute of a range.
fn next_attribute(text: &str, range: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let rest = text.get(range.clone())?;
    let start = range.start + (rest.len() - rest.trim_start().len());
    let equals = start + text.get(start..range.end)?.find('=')?;
    let name = start..start + text.get(start..equals)?.trim_end().len();
    let after = text.get(equals + 1..range.end)?;
    let quote_at = equals + 1 + (after.len() - after.trim_start().len());
    let quote = text.get(quote_at..range.end)?.chars().next()?;
    if quote != '"' && quote != '\'' {
        return None;
    }
    let value = quote_at + 1;
    let end = value + text.get(value..range.end)?.find(quote)?;
    Some((name, value..end))
}

/// What is open at a place of an element.
#[derive(Default)]
pub(crate) struct Inside {
    /// The names of the open elements, the outermost first.
    pub(crate) path: Vec<String>,
    /// What stands between the last two tags.
    pub(crate) pieces: Vec<Piece>,
}

impl Inside {
    pub(crate) fn is_in(&self, name: &str) -> bool {
        self.path.iter().any(|open| open == name)
    }
}

/// Takes the tags of an element in the order of the file.
pub(crate) trait TakesTags {
    /// An element opens; it is not yet part of the path.
    fn open(
        &mut self,
        name: &str,
        attributes: &Range<usize>,
        whole: &Range<usize>,
        inside: &Inside,
    );

    /// An element closes; it is still part of the path.
    fn close(&mut self, name: &str, whole: &Range<usize>, inside: &Inside);
}

/// Elements deeper than this are not part of a path: no question has so many around it, and
/// every tag looks through its path.
const DEEPEST: usize = 100;

/// Goes through an element. One without content opens and closes, too.
pub(crate) fn walk(text: &str, range: &Range<usize>, taker: &mut impl TakesTags) {
    let mut inside = Inside::default();
    let mut deeper = 0_usize;
    for piece in Pieces::of(text, range) {
        match piece {
            Piece::Open {
                name,
                attributes,
                whole,
                is_empty,
            } => {
                let name = local(text, &name);
                if inside.path.len() >= DEEPEST {
                    deeper += usize::from(!is_empty);
                    inside.pieces.clear();
                    continue;
                }
                taker.open(&name, &attributes, &whole, &inside);
                inside.pieces.clear();
                inside.path.push(name);
                if is_empty && let Some(name) = inside.path.last().cloned() {
                    taker.close(&name, &whole, &inside);
                    inside.path.pop();
                }
            }
            Piece::Close { .. } if deeper > 0 => {
                deeper -= 1;
                inside.pieces.clear();
            }
            Piece::Close { name, whole } => {
                let name = local(text, &name);
                taker.close(&name, &whole, &inside);
                if inside.path.last() == Some(&name) {
                    inside.path.pop();
                }
                inside.pieces.clear();
            }
            piece => inside.pieces.push(piece),
        }
    }
}

/// Whether what a text says is HTML.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Plain,
    Html,
}

/// The text of the pieces between two tags.
pub(crate) fn text_of(text: &str, pieces: &[Piece], at: usize, content: Content) -> ReadText {
    let (units, writing) = units_of(text, pieces, content);
    units::read(&units, at, writing)
}

/// The characters of the pieces between two tags, and how they are written.
pub(crate) fn units_of(text: &str, pieces: &[Piece], content: Content) -> (Vec<Unit>, Writing) {
    let is_blank = |piece: &Piece| match piece {
        Piece::Text(range) => text
            .get(range.clone())
            .unwrap_or_default()
            .trim()
            .is_empty(),
        _ => false,
    };
    let first = pieces.iter().position(|piece| !is_blank(piece));
    let last = pieces.iter().rposition(|piece| !is_blank(piece));
    let meaningful = match (first, last) {
        (Some(first), Some(last)) => pieces.get(first..=last).unwrap_or_default(),
        _ => &[],
    };
    let is_cdata = |piece: &Piece| matches!(piece, Piece::Cdata(_));
    let writing = match meaningful {
        [] => Writing::Xml,
        pieces if pieces.iter().all(is_cdata) => Writing::Cdata,
        pieces if pieces.iter().any(is_cdata) => Writing::XmlMixed,
        _ => Writing::Xml,
    };
    let characters = mixed(text, meaningful);
    match (content, writing) {
        (Content::Plain, writing) => (characters, writing),
        (Content::Html, Writing::Cdata) => (html::visible(&characters), Writing::CdataHtml),
        (Content::Html, Writing::XmlMixed) => (html::visible(&characters), Writing::XmlHtmlMixed),
        (Content::Html, _) => (html::visible(&characters), Writing::XmlHtml),
    }
}

fn mixed(text: &str, pieces: &[Piece]) -> Vec<Unit> {
    let mut all = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(range) => all.extend(html::entities(
                &units::plain(text, range.clone()),
                html::xml_entity,
            )),
            Piece::Cdata(inner) => all.extend(units::plain(text, inner.clone())),
            _ => {}
        }
    }
    all
}

/// A field of several texts: one is the field, more of them are its members.
pub(crate) fn texts(builder: &mut Builder, name: &str, texts: Vec<ReadText>, at: usize) {
    let end = texts.last().map_or(at, |read| read.map.source_span().end);
    let start = texts
        .first()
        .map_or(at, |read| read.map.source_span().start);
    match <[ReadText; 1]>::try_from(texts) {
        Ok([only]) => builder.text(name, only),
        Err(texts) if texts.is_empty() => {}
        Err(texts) => {
            builder.object(name, start);
            for (index, read) in texts.into_iter().enumerate() {
                builder.text(&format!("text_{}", index + 1), read);
            }
            builder.close(end);
        }
    }
}

/// Elements of these names that stand outside each other, and what is wrong around them.
pub(crate) struct Elements {
    /// The whole elements, with where their opening tags stand.
    pub(crate) found: Vec<(Range<usize>, Range<usize>)>,
    pub(crate) troubles: Vec<Trouble>,
    /// The name of the outermost element.
    pub(crate) root: Option<String>,
}

/// Finds the elements of some names, and tags that do not fit each other.
pub(crate) fn elements(text: &str, wanted: &[&str]) -> Elements {
    let is_wanted = |name: &str| wanted.contains(&name);
    let mut elements = Elements {
        found: Vec::new(),
        troubles: Vec::new(),
        root: None,
    };
    let mut open: Option<(usize, Range<usize>)> = None;
    let mut depth = 0_usize;
    let mut tags = Tags::new(text);
    for piece in Pieces::of(text, &(0..text.len())) {
        match piece {
            Piece::Open {
                name,
                whole,
                is_empty,
                attributes,
            } => {
                tags.outermost(&whole);
                tags.attributes(&attributes, &whole);
                if !is_empty {
                    tags.open(&name, &whole);
                }
                let name = local(text, &name);
                elements.root.get_or_insert_with(|| name.clone());
                if is_wanted(&name) && !is_empty {
                    if depth == 0 {
                        open = Some((whole.start, attributes));
                    }
                    depth += 1;
                }
            }
            Piece::Close { name, whole } => {
                tags.close(&name, &whole);
                if !is_wanted(&local(text, &name)) {
                    continue;
                }
                depth = depth.saturating_sub(1);
                if let Some((start, attributes)) = open.take_if(|_| depth == 0) {
                    elements.found.push((start..whole.end, attributes));
                }
            }
            Piece::Declaration(range) => elements.troubles.push(Trouble {
                range,
                what: TroubleKind::Declaration,
            }),
            Piece::Unclosed(range, what) => {
                if what == ">" {
                    let name = name_of_tag(text, range.start);
                    elements.root.get_or_insert_with(|| local(text, &name));
                }
                elements.troubles.push(Trouble {
                    range,
                    what: TroubleKind::Unclosed(what),
                });
            }
            Piece::Text(range) => tags.text(range),
            Piece::Cdata(_) => {}
        }
    }
    elements.troubles.extend(tags.finish(is_wanted));
    elements
}

/// The name in a tag that is never closed.
fn name_of_tag(text: &str, tag: usize) -> Range<usize> {
    let start = (tag + 1).min(text.len());
    let rest = text.get(start..).unwrap_or_default();
    let is_end = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '/');
    start..start + rest.find(is_end).unwrap_or(rest.len())
}

/// The most tags that are named as wrong: a file with more is not XML.
const MOST_WRONG: usize = 100;

/// The open tags at a place, and those that fit no other.
struct Tags<'a> {
    text: &'a str,
    /// The names of the open elements with their tags, the outermost first.
    open: Vec<(&'a str, Range<usize>)>,
    /// How often each name is open, so that what closes nothing is known at once.
    count: HashMap<&'a str, usize>,
    /// Where the last outermost element began.
    root: Option<usize>,
    wrong: Vec<Trouble>,
}

impl<'a> Tags<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            open: Vec::new(),
            count: HashMap::new(),
            root: None,
            wrong: Vec::new(),
        }
    }

    /// A tag opens. Each file has one outermost element; a package has several files.
    fn outermost(&mut self, tag: &Range<usize>) {
        if !self.open.is_empty() {
            return;
        }
        let since = self.root.replace(tag.start);
        let between = since.and_then(|since| self.text.get(since..tag.start));
        if between.is_some_and(|between| !between.contains(MEMBER_MARK)) {
            self.note(tag.clone(), TroubleKind::BesideRoot);
        }
    }

    /// What no reader of XML takes: a value without quotes, a name given twice, a strange `&`.
    fn attributes(&mut self, attributes: &Range<usize>, tag: &Range<usize>) {
        let mut names: Vec<&str> = Vec::new();
        let mut at = attributes.start;
        loop {
            let rest = self.text.get(at..attributes.end).unwrap_or_default();
            if rest.trim().is_empty() {
                return;
            }
            let Some((name, value)) = next_attribute(self.text, at..attributes.end) else {
                self.note(tag.clone(), TroubleKind::Attribute);
                return;
            };
            let name = self.text.get(name).unwrap_or_default();
            // No element has so many that this costs anything.
            if names.len() < MOST_WRONG && names.contains(&name) {
                self.note(tag.clone(), TroubleKind::Attribute);
            }
            names.push(name);
            at = value.end + 1;
            self.entities(value);
        }
    }

    fn text(&mut self, range: Range<usize>) {
        if self.open.is_empty() {
            let text = self.text.get(range.clone()).unwrap_or_default();
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() {
                self.note(units::trimmed(self.text, range), TroubleKind::BesideRoot);
            }
            return;
        }
        self.entities(range);
    }

    /// Names each `&` that begins nothing that XML knows without a document type.
    fn entities(&mut self, range: Range<usize>) {
        const LONGEST: usize = 12;
        let text = self.text.get(range.clone()).unwrap_or_default();
        for (at, _) in text.match_indices('&') {
            let rest = text.get(at + 1..).unwrap_or_default();
            let end = rest.bytes().take(LONGEST).position(|byte| byte == b';');
            let name = end.and_then(|end| rest.get(..end));
            if name.and_then(html::xml_entity).is_none() {
                let start = range.start + at;
                self.note(start..start + 1, TroubleKind::Entity);
            }
        }
    }

    fn open(&mut self, name: &Range<usize>, whole: &Range<usize>) {
        let name = self.text.get(name.clone()).unwrap_or_default();
        *self.count.entry(name).or_default() += 1;
        self.open.push((name, whole.clone()));
    }

    /// An element closes. Those in it that are still open are never closed; the outermost
    /// of them is named.
    fn close(&mut self, name: &Range<usize>, whole: &Range<usize>) {
        let name = self.text.get(name.clone()).unwrap_or_default();
        if self.count.get(name).is_none_or(|open| *open == 0) {
            self.note(whole.clone(), TroubleKind::Unopened("tag"));
            return;
        }
        let mut unclosed = None;
        while let Some((top, tag)) = self.open.pop() {
            if let Some(count) = self.count.get_mut(top) {
                *count -= 1;
            }
            if top == name {
                break;
            }
            unclosed = Some(tag);
        }
        if let Some(tag) = unclosed {
            self.note(tag, TroubleKind::Unclosed("tag"));
        }
    }

    /// What is wrong. Of the elements that are open at the end, the innermost of a wanted
    /// name tells best where the file is cut.
    fn finish(mut self, is_wanted: impl Fn(&str) -> bool) -> Vec<Trouble> {
        let wanted = |(name, _): &&(&str, Range<usize>)| {
            let local = name.rsplit(':').next().unwrap_or(name);
            is_wanted(&local.to_ascii_lowercase())
        };
        let last = self.open.iter().rfind(wanted).or(self.open.last());
        if let Some(tag) = last.map(|(_, tag)| tag.clone()) {
            self.note(tag, TroubleKind::Unclosed("tag"));
        }
        self.wrong
    }

    fn note(&mut self, range: Range<usize>, what: TroubleKind) {
        if self.wrong.len() < MOST_WRONG {
            self.wrong.push(Trouble { range, what });
        }
    }
}
