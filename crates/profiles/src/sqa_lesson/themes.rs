//! The themes that engagement tags name, and the words by which a lesson shows
//! that it takes one up. A tag of which nothing is known is looked for by its own
//! words. Which tags are asked for is a check's business.

use std::collections::BTreeSet;

use super::wording::stems;

/// The words of a lesson, to look themes up in.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    stems: BTreeSet<String>,
    has_money: bool,
}

impl Contexts {
    /// Adds a text of the lesson.
    pub(crate) fn add(&mut self, text: &str) {
        self.has_money |= text.contains('£');
        self.stems.extend(stems(text));
    }

    /// Whether the lesson takes a tag up; `None` for tags that name no theme but a
    /// way of working (`quiz`) or anything at all (`daily_life`).
    pub(crate) fn take_up(&self, tag: &str) -> Option<Taken> {
        let words: Vec<String> = stems(&tag.replace(['_', '-'], " "))
            .into_iter()
            .filter(|stem| !is_listed(WEAK, stem))
            .collect();
        if words.is_empty() || words.iter().all(|stem| is_listed(NO_THEMES, stem)) {
            return None;
        }
        let has = |stem: &String| self.stems.contains(stem);
        let themes: Vec<_> = THEMES
            .iter()
            .filter(|(names, _)| words.iter().any(|stem| is_listed(names, stem)))
            .collect();
        let is_related = themes
            .iter()
            .flat_map(|(_, related)| related.split(' '))
            .any(|word| {
                if word == "£" {
                    self.has_money
                } else {
                    stems(word).iter().all(has)
                }
            });
        Some(if is_related || words.iter().any(has) {
            Taken::Up
        } else if themes.is_empty() {
            Taken::NotByItsWords
        } else {
            Taken::Not
        })
    }
}

/// What a lesson makes of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It takes the theme up.
    Up,
    /// It does not: neither the tag's words occur nor any that go with its theme.
    Not,
    /// The tag's words do not occur, and nothing else is known of its theme.
    NotByItsWords,
}

fn is_listed(words: &str, stem: &str) -> bool {
    words
        .split(' ')
        .any(|word| stems(word).first().is_some_and(|other| other == stem))
}

/// Words of a tag that say nothing of its theme.
const WEAK: &str = "scottish scotland with and the of a an in at on for to from by out using calculating \
     finding working understanding planning simple best real local context contexts \
     skills based sqa";

/// Ways of working, and what fits any lesson.
const NO_THEMES: &str = "quiz quizzes worksheet practice revision game games consolidation foundations \
     notation units problem solving assessment test exam mock investigation group pair \
     work discussion project collaboration daily life everyday world general other review \
     challenge numeracy maths mathematics fluency recall reasoning feedback reflection \
     scaffolding visual aids learning prior knowledge required interactive collaborative \
     modelling support engagement inquiry peer hands";

/// What tags are called, and the words that go with them.
const THEMES: &[(&str, &str)] = &[
    (
        "finance financial money currency budgeting budget wages wage bills savings banking \
         bank interest",
        "£ pound pence price cost pay wage salary bill budget save bank interest loan tax",
    ),
    (
        "shopping shop supermarket supermarkets discounts deals prices retail receipt",
        "shop store supermarket price buy sale discount receipt tesco aldi lidl asda \
         morrisons customer basket offer",
    ),
    (
        "food recipes recipe cooking baking catering",
        "recipe flour sugar bread milk cake pizza meal lunch cook bake ingredient shortbread \
         apple potato eat soup restaurant cafe",
    ),
    (
        "transport travel trains train buses bus scotrail journeys timetables ferries",
        "train bus ticket journey ferry timetable scotrail mile drive car flight airport fare \
         cycle station speed",
    ),
    (
        "holiday holidays tourism",
        "hotel flight trip travel euro passport beach visit booking tourist",
    ),
    (
        "health healthcare nhs medicine prescriptions fitness",
        "nhs hospital doctor nurse patient pharmacy medicine dose heart clinic \
         prescription heal wound blood disease vaccine diet",
    ),
    (
        "sport sports football rugby athletics",
        "football rugby team race player swim league stadium pitch athlete shinty golf",
    ),
    (
        "home diy house decorating gardening garden construction improvement",
        "wall paint carpet room floor fence garden tile wood kitchen builder ladder lawn roof",
    ),
    (
        "environment nature weather climate energy sustainability",
        "rain temperature wind energy carbon recycle forest loch river electricity solar \
         wildlife",
    ),
    (
        "measurement measurements measuring metric measure",
        "metre kg kilogram litre ml cm gram length weight volume measure mm km",
    ),
    (
        "data surveys survey statistics polls",
        "survey table chart graph average mean vote poll percentage",
    ),
    (
        "technology phones phone mobile internet media gaming",
        "phone app computer internet tablet contract download video online laptop",
    ),
    (
        "events festival hogmanay concerts culture",
        "festival concert hogmanay ticket fringe parade band ceilidh museum",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_taken_up_by_its_words_or_those_of_its_theme() {
        let mut lesson = Contexts::default();
        lesson.add("A bag of flour at Tesco costs £1.45. Weigh 200 g. Match item and unit.");
        for (tag, expected) in [
            ("finance", Some(Taken::Up)),
            ("shopping", Some(Taken::Up)),
            ("food", Some(Taken::Up)),
            ("scottish_currency", Some(Taken::Up)),
            ("transport", Some(Taken::Not)),
            ("highland_dancing", Some(Taken::NotByItsWords)),
            ("weighing-flour", Some(Taken::Up)),
            ("planning_a_trip_on_calmac_ferries", Some(Taken::Not)),
            // A word of the classroom is none of the stadium.
            ("rugby", Some(Taken::Not)),
            ("quiz", None),
            ("daily_life", None),
            ("problem_solving", None),
            ("visual-learning", None),
            ("", None),
        ] {
            assert_eq!(lesson.take_up(tag), expected, "{tag}");
        }
    }
}
