//! Judges what a fix did, from the two texts alone. It uses nothing of redraft: the
//! fixes are what it judges (ruling 46).

use std::collections::BTreeSet;
use std::fmt;

/// A text with damage that we put in ourselves.
#[derive(Default)]
pub(crate) struct Damaged {
    pub text: String,
    units: Vec<Unit>,
}

/// A character, and what a fix may make of it.
#[derive(Clone, Copy, Debug)]
struct Unit {
    character: char,
    fate: Fate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It must stay.
    Keep,
    /// It may go.
    Noise,
    /// It may become this.
    Twin(char),
}

impl Damaged {
    pub(crate) fn keep(&mut self, text: &str) -> &mut Self {
        self.add(text, |_| Fate::Keep)
    }

    pub(crate) fn noise(&mut self, text: &str) -> &mut Self {
        self.add(text, |_| Fate::Noise)
    }

    pub(crate) fn twin(&mut self, now: char, meant: char) -> &mut Self {
        self.add(now.encode_utf8(&mut [0; 4]), |_| Fate::Twin(meant))
    }

    fn add(&mut self, text: &str, fate: impl Fn(char) -> Fate) -> &mut Self {
        self.text.push_str(text);
        self.units.extend(text.chars().map(|character| Unit {
            character,
            fate: fate(character),
        }));
        self
    }

    /// What the fixed text lost, if it lost anything.
    pub(crate) fn loss(&self, fixed: &str, signs: Signs) -> Option<Loss> {
        let counts = |c: char| signs.count(c);
        let units: Vec<Unit> = self
            .units
            .iter()
            .copied()
            .filter(|unit| counts(unit.character))
            .collect();
        // All the ways in which the text so far can have come about.
        let mut ways = BTreeSet::from([0]);
        skip_noise(&units, &mut ways);
        let mut read = String::new();
        for c in fixed.chars().filter(|c| counts(*c)) {
            let next: BTreeSet<usize> = ways
                .iter()
                .filter(|at| units.get(**at).is_some_and(|unit| unit.allows(c)))
                .map(|at| at + 1)
                .collect();
            if next.is_empty() {
                let wanted = ways.first().and_then(|at| units.get(*at));
                return Some(Loss {
                    after: tail(&read),
                    wanted: wanted.map(|unit| unit.character),
                    found: Some(c),
                });
            }
            ways = next;
            skip_noise(&units, &mut ways);
            read.push(c);
        }
        if ways.contains(&units.len()) {
            return None;
        }
        let wanted = ways.last().and_then(|at| units.get(*at));
        Some(Loss {
            after: tail(&read),
            wanted: wanted.map(|unit| unit.character),
            found: None,
        })
    }
}

impl Unit {
    fn allows(self, c: char) -> bool {
        self.character == c || self.fate == Fate::Twin(c)
    }
}

fn skip_noise(units: &[Unit], ways: &mut BTreeSet<usize>) {
    let mut open: Vec<usize> = ways.iter().copied().collect();
    while let Some(at) = open.pop() {
        let is_noise = units.get(at).is_some_and(|unit| unit.fate == Fate::Noise);
        if is_noise && ways.insert(at + 1) {
            open.push(at + 1);
        }
    }
}

/// Whether signs of ASCII count, which are markup, beside letters and everything
/// else that a reader sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signs {
    Count,
    MayChange,
}

impl Signs {
    fn count(self, c: char) -> bool {
        !c.is_whitespace()
            && !c.is_control()
            && c != '\u{FEFF}'
            && (self == Self::Count || !c.is_ascii_punctuation())
    }
}

/// Something that is gone.
pub(crate) struct Loss {
    after: String,
    wanted: Option<char>,
    found: Option<char>,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "after {:?} stands {:?} instead of {:?}",
            self.after, self.found, self.wanted
        )
    }
}

fn tail(text: &str) -> String {
    let mut last: Vec<char> = text.chars().rev().take(40).collect();
    last.reverse();
    last.into_iter().collect()
}

/// Every change of letters between two texts that ruling 46 does not allow, where
/// nothing is known of the damage.
pub(crate) fn unlawful_changes(before: &str, after: &str) -> Vec<String> {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count()
        .min(rest);
    let (old, new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    // Framing is whole lines at the beginning or at the end.
    if new.is_empty() && (head == 0 || tail == 0) {
        return Vec::new();
    }
    compare(&old.join("\n"), &new.join("\n"))
}

fn compare(old: &str, new: &str) -> Vec<String> {
    let old: Vec<char> = old.chars().collect();
    let new: Vec<char> = new.chars().collect();
    let mut wrong = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => {
                i += 1;
                j += 1;
            }
            (Some(a), Some(b)) if are_twins(*a, *b) => {
                i += 1;
                j += 1;
            }
            // A code without a letter may become the sign that it stood for.
            (Some('\u{80}'..='\u{9f}'), Some(b)) if !b.is_ascii() => {
                i += 1;
                j += 1;
            }
            // Mermaid writes a quotation mark inside a label as an entity.
            (Some('"'), Some('#')) if new[j..].starts_with(&['#', 'q', 'u', 'o', 't', ';']) => {
                i += 1;
                j += 6;
            }
            (Some(a), _)
                if !a.is_alphanumeric()
                    && (a.is_control() || a.is_whitespace() || a.is_ascii_punctuation()) =>
            {
                i += 1;
            }
            (_, Some(b)) if b.is_whitespace() || b.is_ascii_punctuation() => j += 1,
            (Some(_), _) => {
                let run = isolated(&old, i);
                if run == 0 {
                    let around: String = old[i.saturating_sub(20)..(i + 20).min(old.len())]
                        .iter()
                        .collect();
                    wrong.push(format!("{:?} is changed in {around:?}", old[i]));
                    return wrong;
                }
                i += run;
            }
            (None, Some(b)) => {
                wrong.push(format!("{b:?} is added"));
                return wrong;
            }
            (None, None) => break,
        }
    }
    wrong
}

/// The length of a run of one to three characters between white space.
fn isolated(text: &[char], at: usize) -> usize {
    let starts = at == 0 || text[at - 1].is_whitespace();
    let length = text[at..].iter().take_while(|c| !c.is_whitespace()).count();
    if starts && length <= 3 { length } else { 0 }
}

/// Letters that Unicode's list of confusables calls the same.
fn are_twins(a: char, b: char) -> bool {
    const TWINS: &str = "aа cс eе oоο pр xх yу iі sѕ jј hһ dԁ qԛ wԝ ëё ïї AАΑ BВΒ CС EЕΕ HНΗ KКΚ MМΜ OОΟ PРΡ TТΤ XХΧ YУΥ IІΙ SЅ JЈ ËЁ ÏЇ NΝ ZΖ";
    TWINS
        .split(' ')
        .any(|alike| alike.contains(a) && alike.contains(b))
}

#[test]
fn the_judge_sees_a_lost_letter_and_allows_what_is_noise() {
    let mut damaged = Damaged::default();
    damaged
        .noise("Sure! ")
        .keep("Water b")
        .twin('о', 'o')
        .keep("ils ")
        .noise("的 ")
        .keep("at **100** degrees");
    for (fixed, is_lost) in [
        ("Water boils at **100** degrees", false),
        ("Sure! Water bоils 的 at **100** degrees", false),
        ("Sure! Water boils at **100** degrees", false),
        ("Water bils at **100** degrees", true),
        ("Water boils at 100 degrees", true),
        ("Water boils at **100** degree", true),
        ("Water boils at **100** degrees now", true),
    ] {
        assert_eq!(
            damaged.loss(fixed, Signs::Count).is_some(),
            is_lost,
            "{fixed}"
        );
    }
    assert!(
        damaged
            .loss("Water boils at 100 degrees", Signs::MayChange)
            .is_none()
    );
}

#[test]
fn the_judge_knows_which_changes_are_lawful() {
    for (before, after, lawful) in [
        ("a\nb\n", "a\nb\n", true),
        ("Sure!\na\n", "a\n", true),
        ("hot 的 water", "hot water", true),
        ("h的ot water", "hot water", false),
        ("мoре", "море", true),
        ("**a b", "**a b**", true),
        ("water boils", "water boil", false),
        ("water", "waters", false),
    ] {
        assert_eq!(
            unlawful_changes(before, after).is_empty(),
            lawful,
            "{before} → {after}"
        );
    }
}
