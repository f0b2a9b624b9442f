//! Plants damage into good lessons, always the same for the same seed. What the
//! checks make of it is not known here.

use std::ops::Range;

use redraft_text::markdown::{self, Block, BlockKind, Markdown};

use crate::phrases;

/// Kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    CutWord,
    CutSentence,
    CutItem,
    CutFence,
    CutHeading,
    CutSection,
    ChatInFront,
    ChatBehind,
    TaggedReasoning,
    UntaggedReasoning,
    Placeholder,
    ClosingBoldRemoved,
    OpeningBoldInserted,
}

impl Damage {
    pub(crate) const ALL: [Self; 13] = [
        Self::CutWord,
        Self::CutSentence,
        Self::CutItem,
        Self::CutFence,
        Self::CutHeading,
        Self::CutSection,
        Self::ChatInFront,
        Self::ChatBehind,
        Self::TaggedReasoning,
        Self::UntaggedReasoning,
        Self::Placeholder,
        Self::ClosingBoldRemoved,
        Self::OpeningBoldInserted,
    ];

    /// The check that has to find it.
    pub(crate) fn check(self) -> &'static str {
        match self {
            Self::CutWord
            | Self::CutSentence
            | Self::CutItem
            | Self::CutFence
            | Self::CutHeading
            | Self::CutSection => "truncated-content",
            Self::ChatInFront | Self::ChatBehind => "chatbot-framing",
            Self::TaggedReasoning | Self::UntaggedReasoning => "leaked-reasoning",
            Self::Placeholder => "placeholder-text",
            Self::ClosingBoldRemoved | Self::OpeningBoldInserted => "unclosed-emphasis",
        }
    }

    /// The least that must be found, in percent. An item needs no full stop, so
    /// that some four cuts of five can be seen without accusing good lists, and a
    /// section may end in a label or a signature.
    pub(crate) fn least_found(self) -> usize {
        match self {
            Self::CutItem => 75,
            Self::CutSection => 80,
            _ => 95,
        }
    }

    /// Whether only an error counts as found.
    pub(crate) fn needs_error(self) -> bool {
        self != Self::CutSection && !matches!(self.check(), "chatbot-framing" | "unclosed-emphasis")
    }

    /// Whether deleting it gives the lesson back.
    pub(crate) fn is_undone_by_removal(self) -> bool {
        matches!(self.check(), "chatbot-framing" | "leaked-reasoning")
    }
}

/// A small generator of numbers that look random and never are.
#[derive(Clone, Debug)]
pub(crate) struct Lcg(u64);

impl Lcg {
    pub(crate) fn new(seed: &str, salt: u64) -> Self {
        let hash = seed
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64 ^ salt, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        let mut this = Self(hash);
        this.below(2);
        this
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let index = self.below(from.len());
        from.get(index)
    }
}

/// A lesson with damage of one kind; `None` where it has no place for it.
pub(crate) fn plant(
    damage: Damage,
    text: &str,
    language: &str,
    random: &mut Lcg,
) -> Option<String> {
    let analysis = markdown::analyse(text);
    match damage {
        Damage::CutWord => cut(
            text,
            &inside_words(text, &analysis, PlantedAt::Paragraph),
            random,
        ),
        Damage::CutSentence => cut(
            text,
            &between_words(text, &analysis, PlantedAt::Paragraph),
            random,
        ),
        Damage::CutItem => cut(
            text,
            &between_words(text, &analysis, PlantedAt::Item),
            random,
        ),
        Damage::CutFence => cut(text, &inside_fences(text, &analysis), random),
        Damage::CutHeading => cut(text, &behind_headings(text, &analysis), random),
        Damage::CutSection => cut_section(text, &analysis, random),
        Damage::ChatInFront => {
            let phrase = random.pick(phrases::of(language).chat_in_front)?;
            // Without a blank line a first paragraph would go on.
            let gap = if text.starts_with('#') {
                random.pick(&["\n\n", "\n"])?
            } else {
                "\n\n"
            };
            Some(format!("{phrase}{gap}{text}"))
        }
        Damage::ChatBehind => {
            let phrase = random.pick(phrases::of(language).chat_behind)?;
            Some(format!("{text}\n\n{phrase}"))
        }
        Damage::TaggedReasoning => {
            let thought = random.pick(phrases::of(language).thoughts)?;
            let (open, close) = random.pick(&[
                ("<think>\n", "\n</think>\n\n"),
                ("<thinking>", "</thinking>\n\n"),
                ("<think>\n", "\n</think>\n"),
                ("<reasoning>\n", "\n</reasoning>\n\n"),
                ("", "\n</think>\n\n"),
            ])?;
            Some(format!("{open}{thought}{close}{text}"))
        }
        Damage::UntaggedReasoning => {
            // Where a lesson begins without a heading, nobody can tell the end.
            let thought = random.pick(phrases::of(language).thoughts)?;
            text.starts_with('#')
                .then(|| format!("{thought}\n\n{text}"))
        }
        Damage::Placeholder => {
            let at = *random.pick(&between_blocks(&analysis))?;
            let placeholder = random.pick(phrases::of(language).placeholders)?;
            Some(format!("{}\n\n{placeholder}\n{}", &text[..at], &text[at..]))
        }
        Damage::ClosingBoldRemoved => {
            let closing = random.pick(&bold(text, &analysis))?.end;
            Some(format!("{}{}", &text[..closing - 2], &text[closing..]))
        }
        Damage::OpeningBoldInserted => {
            let at = *random.pick(&word_starts(text, &analysis))?;
            Some(format!("{}**{}", &text[..at], &text[at..]))
        }
    }
}

fn cut(text: &str, places: &[usize], random: &mut Lcg) -> Option<String> {
    let at = *random.pick(places)?;
    let tail = random.pick(&["", "", "\n", " "])?;
    Some(format!("{}{tail}", &text[..at]))
}

/// A section whose last paragraph stops between two words; the next heading stays.
fn cut_section(text: &str, analysis: &Markdown, random: &mut Lcg) -> Option<String> {
    let mut places = Vec::new();
    let blocks: Vec<&Block> = analysis.top_level().map(|(_, block)| block).collect();
    let ends = between_words(text, analysis, PlantedAt::Paragraph);
    for pair in blocks.windows(2) {
        if matches!(pair[1].kind, BlockKind::Heading { .. }) {
            let inside = ends.iter().filter(|at| pair[0].content.contains(at));
            places.extend(inside.map(|at| (*at, pair[1].span.start)));
        }
    }
    let (at, heading) = *random.pick(&places)?;
    Some(format!("{}\n\n{}", &text[..at], &text[heading..]))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PlantedAt {
    Paragraph,
    Item,
}

/// Paragraphs at the top level, or in items, that are several sentences or one
/// long one.
fn prose<'a>(
    text: &'a str,
    analysis: &'a Markdown,
    place: PlantedAt,
) -> impl Iterator<Item = &'a Block> {
    const SHORTEST: usize = 8;
    analysis.blocks.iter().filter(move |block| {
        let stands = match block.parent.and_then(|parent| analysis.blocks.get(parent)) {
            None => place == PlantedAt::Paragraph,
            Some(parent) => {
                place == PlantedAt::Item && matches!(parent.kind, BlockKind::Item { .. })
            }
        };
        let content = &text[block.content.clone()];
        let ends = content
            .trim_end_matches(['*', '_', ')', '"', '”', '»'])
            .ends_with(['.', '!', '?', '。', '！', '？']);
        stands
            && ends
            && block.kind == BlockKind::Paragraph
            && redraft_text::words::count_words(content) >= SHORTEST
    })
}

/// Offsets of literal prose in a block, character by character: the offset, the
/// characters before and behind it.
fn offsets<'a>(
    text: &'a str,
    analysis: &'a Markdown,
    block: &'a Block,
) -> impl Iterator<Item = (usize, char, char)> + 'a {
    analysis
        .prose
        .iter()
        .filter(|range| range.start >= block.content.start && range.end <= block.content.end)
        .flat_map(move |range| {
            let prose = &text[range.clone()];
            prose.char_indices().skip(1).filter_map(move |(at, after)| {
                let before = prose[..at].chars().next_back()?;
                Some((range.start + at, before, after))
            })
        })
        .filter(|(at, _, _)| !analysis.links.iter().any(|link| link.span.contains(at)))
}

fn inside_words(text: &str, analysis: &Markdown, place: PlantedAt) -> Vec<usize> {
    prose(text, analysis, place)
        .flat_map(|block| offsets(text, analysis, block))
        .filter(|(at, before, after)| {
            let next = text[*at..].chars().nth(1);
            before.is_alphabetic() && after.is_alphabetic() && next.is_some_and(char::is_alphabetic)
        })
        .map(|(at, _, _)| at)
        .collect()
}

fn between_words(text: &str, analysis: &Markdown, place: PlantedAt) -> Vec<usize> {
    prose(text, analysis, place)
        .flat_map(|block| offsets(text, analysis, block))
        .filter(|(at, before, after)| {
            let wide = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
            let next = text[*at..].chars().nth(1);
            let gap = before.is_alphanumeric()
                && *after == ' '
                && next.is_some_and(char::is_alphanumeric);
            gap || (wide(*before) && wide(*after))
        })
        .map(|(at, _, _)| at)
        .collect()
}

fn inside_fences(text: &str, analysis: &Markdown) -> Vec<usize> {
    let mut places = Vec::new();
    for block in &analysis.blocks {
        if let BlockKind::CodeBlock { fence: Some(fence) } = &block.kind
            && fence.closing.is_some()
        {
            let body = &text[fence.body.clone()];
            places.extend(
                body.char_indices()
                    .skip(1)
                    .map(|(at, _)| fence.body.start + at),
            );
        }
    }
    places
}

fn behind_headings(text: &str, analysis: &Markdown) -> Vec<usize> {
    analysis
        .headings()
        .map(|(_, block)| block.span.end)
        .filter(|end| text[..*end].len() > 100)
        .collect()
}

/// Ends of blocks and items at which a lesson might as well have ended: whole
/// paragraphs, items, tables and code, but no heading and nothing that announces
/// more. Hardly any list has a single item.
pub(crate) fn possible_ends(text: &str) -> Vec<usize> {
    let analysis = markdown::analyse(text);
    analysis
        .blocks
        .iter()
        .enumerate()
        .filter(|(index, block)| {
            let parent = block.parent.and_then(|parent| analysis.blocks.get(parent));
            let items = |range: Range<usize>| {
                let mut blocks = analysis.blocks.get(range).unwrap_or_default().iter();
                blocks.any(|other| other.parent == block.parent)
            };
            let is_first_of_many = matches!(block.kind, BlockKind::Item { .. })
                && !items(0..*index)
                && items(*index + 1..analysis.blocks.len());
            let stands = match &block.kind {
                BlockKind::Paragraph | BlockKind::Table { .. } | BlockKind::CodeBlock { .. } => {
                    parent.is_none()
                }
                BlockKind::Item { .. } => parent.is_some_and(|list| list.parent.is_none()),
                _ => false,
            };
            let content = text[block.span.clone()].trim_end_matches(['*', '_', ' ', '\n', '\r']);
            stands
                && !is_first_of_many
                && !content.ends_with([':', '：', ',', '，', ';', '；', '-', '—', '–'])
        })
        .map(|(_, block)| block.span.end)
        .collect()
}

/// Ends of top-level blocks behind which a paragraph can stand.
fn between_blocks(analysis: &Markdown) -> Vec<usize> {
    analysis
        .top_level()
        .filter(|(_, block)| matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading { .. }))
        .map(|(_, block)| block.span.end)
        .collect()
}

/// Bold words in paragraphs and items, with their markers.
fn bold(text: &str, analysis: &Markdown) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in analysis
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Paragraph)
    {
        let content = &text[block.content.clone()];
        let marks: Vec<usize> = content
            .match_indices("**")
            .map(|(at, _)| block.content.start + at)
            .filter(|at| !analysis.is_verbatim(*at))
            .collect();
        if content.contains("***") || marks.len() % 2 == 1 {
            continue;
        }
        found.extend(marks.chunks_exact(2).map(|pair| pair[0]..pair[1] + 2));
    }
    found
}

/// Starts of words in prose of paragraphs without any emphasis.
fn word_starts(text: &str, analysis: &Markdown) -> Vec<usize> {
    analysis
        .blocks
        .iter()
        .filter(|block| {
            block.kind == BlockKind::Paragraph && !text[block.content.clone()].contains('*')
        })
        .flat_map(|block| offsets(text, analysis, block))
        .filter(|(_, before, after)| *before == ' ' && after.is_alphabetic())
        .map(|(at, _, _)| at)
        .collect()
}
