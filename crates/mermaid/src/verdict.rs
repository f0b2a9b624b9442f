//! The verdict on a diagram, and its repair.

use std::ops::Range;

use super::draft::{self, Edit};
use super::parser::{LONGEST, Parser, Reading, Rejection};
use super::repair::Certainty;
use super::{cut, differences, kind, repair as steps, wording};

/// What mermaid would make of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It would draw it.
    Valid,
    /// It would show an error instead.
    Invalid(Diagnosis),
    /// It may well show an error; the grammar used here is not exact enough for
    /// this kind of diagram to be certain.
    Doubtful(Diagnosis),
    /// Too large or too deep to be judged.
    Unknown,
}

/// An error in a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The line of the diagram, counted from 1.
    pub line: usize,
    /// In bytes of the diagram.
    pub range: Range<usize>,
    /// Lower case, without a full stop.
    pub message: String,
}

/// Edits that make an invalid diagram parse. Everything else stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// In the order of the text, apart from each other.
    pub edits: Vec<Edit>,
    /// One per repaired error.
    pub errors: Vec<Diagnosis>,
    /// Whether it says what the author meant.
    pub certainty: Certainty,
}

impl Repair {
    /// The diagram with the edits applied.
    #[must_use]
    pub fn apply(&self, source: &str) -> String {
        draft::apply(source, &self.edits).unwrap_or_else(|| source.to_owned())
    }
}

/// A diagram's verdict and, where it is invalid and that can be repaired, its
/// repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// What mermaid would make of it.
    pub verdict: Verdict,
    /// What would make it parse. Only ever for [`Verdict::Invalid`].
    pub repair: Option<Repair>,
}

#[must_use]
pub fn check(source: &str) -> Verdict {
    examine(source).verdict
}

/// The repair of an invalid diagram; `None` for a valid or doubtful one, and for
/// one whose repair is not certain.
#[must_use]
pub fn repair(source: &str) -> Option<Repair> {
    examine(source)
        .repair
        .filter(|repair| repair.certainty == Certainty::Certain)
}

/// Judges a diagram and repairs it if it is invalid.
#[must_use]
pub fn examine(source: &str) -> Examined {
    let alone = |verdict| Examined {
        verdict,
        repair: None,
    };
    if source.len() > LONGEST {
        return alone(Verdict::Unknown);
    }
    if source.trim().is_empty() {
        return alone(Verdict::Invalid(diagnosis(
            source,
            0..0,
            "the diagram is empty".to_owned(),
        )));
    }
    let parser = Parser::new();
    let ground = match judge(source, &parser) {
        Judgement::Accepts if cut::is_only_header(source) => {
            let line = kind::header(source).map_or(0..0, |header| header.line);
            let diagnosis = diagnosis(source, line, cut::only_header());
            return alone(if cut::needs_statements(source) {
                Verdict::Invalid(diagnosis)
            } else {
                Verdict::Doubtful(diagnosis)
            });
        }
        Judgement::Accepts => return alone(Verdict::Valid),
        Judgement::Knows(Ground::Doubtful(rejection)) if !cut::is_open_node(source) => {
            let (range, message) = wording::explain(source, &rejection, &parser);
            return alone(Verdict::Doubtful(diagnosis(source, range, message)));
        }
        Judgement::Unknown => return alone(Verdict::Unknown),
        Judgement::Knows(ground) => ground,
    };
    if let Some((range, message)) = cut::find(source) {
        return alone(Verdict::Invalid(diagnosis(source, range, message)));
    }
    let parses =
        |text: &str| has_statements(text) && matches!(judge(text, &parser), Judgement::Accepts);
    let repair = steps::repair(source, &parses).map(|repaired| Repair {
        errors: repaired
            .errors
            .iter()
            .map(|(at, says)| diagnosis(source, line_at(source, *at), (*says).to_owned()))
            .collect(),
        edits: repaired.edits,
        certainty: repaired.certainty,
    });
    let first = repair
        .as_ref()
        .and_then(|repair| repair.errors.first().cloned());
    let diagnosis = first.unwrap_or_else(|| {
        let (range, message) = match &ground {
            Ground::Violation(range, says) => (range.clone(), (*says).to_owned()),
            Ground::Certain(rejection) | Ground::Doubtful(rejection) => {
                wording::explain(source, rejection, &parser)
            }
        };
        diagnosis(source, range, message)
    });
    Examined {
        verdict: Verdict::Invalid(diagnosis),
        repair,
    }
}

enum Judgement {
    Accepts,
    Knows(Ground),
    Unknown,
}

enum Ground {
    Certain(Rejection),
    Doubtful(Rejection),
    Violation(Range<usize>, &'static str),
}

fn judge(text: &str, parser: &Parser) -> Judgement {
    match parser.read(text) {
        Reading::Unknown => Judgement::Unknown,
        Reading::Accepted => match differences::rejected(text) {
            Some((range, says)) => Judgement::Knows(Ground::Violation(range, says)),
            None => Judgement::Accepts,
        },
        Reading::Rejected(rejection) => {
            if differences::accepted(text, &rejection, parser) {
                Judgement::Accepts
            } else if let Some((range, says)) = differences::unfinished(text) {
                Judgement::Knows(Ground::Violation(range, says))
            } else if differences::is_doubtful(text, &rejection) {
                Judgement::Knows(Ground::Doubtful(rejection))
            } else {
                Judgement::Knows(Ground::Certain(rejection))
            }
        }
    }
}

/// A repair that leaves nothing but a header has repaired nothing.
fn has_statements(text: &str) -> bool {
    kind::header(text).is_some_and(|header| {
        !text[header.line.end..]
            .trim_matches([' ', '\t', '\r', '\n', ';'])
            .is_empty()
    })
}

fn line_at(source: &str, at: usize) -> Range<usize> {
    let line = kind::lines(source)
        .find(|line| at <= line.end && !source[line.clone()].trim().is_empty())
        .unwrap_or(0..0);
    let content = source.get(line.clone()).unwrap_or_default();
    let start = line.start + (content.len() - content.trim_start().len());
    start..start + content.trim().len()
}

fn diagnosis(source: &str, range: Range<usize>, message: String) -> Diagnosis {
    let line = source
        .get(..range.start)
        .map_or(1, |before| before.matches('\n').count() + 1);
    Diagnosis {
        line,
        range,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_flowcharts_are_repaired_by_the_smallest_edits() {
        are_repaired(&[
            ("graph TD\nA[f(x)] --> B", "graph TD\nA[\"f(x)\"] --> B"),
            (
                "graph TD\nA[\\\"Text\\\"] --> B",
                "graph TD\nA[\"Text\"] --> B",
            ),
            (
                "graph TD\nA[say \"hi\" now] --> B",
                "graph TD\nA[\"say #quot;hi#quot; now\"] --> B",
            ),
            ("graph TD\nA -> B", "graph TD\nA --> B"),
            ("graph TD\nA → B", "graph TD\nA --> B"),
            ("graph TD\nA [x] --> B", "graph TD\nA[x] --> B"),
            ("graph TD\nA -->|x|  B", "graph TD\nA -->|x| B"),
            (
                "graph TD\nsubgraph A – B\n  C\nend",
                "graph TD\nsubgraph \"A – B\"\n  C\nend",
            ),
            (
                "graph TD\n  subgraph A\n    B\n  C --> D\n",
                "graph TD\n  subgraph A\n    B\n  end\n  C --> D\n",
            ),
            ("graph TD\nend --> B", "graph TD\nEnd --> B"),
            (
                "graph TD\n- A --> B\n- B --> G",
                "graph TD\nA --> B\nB --> G",
            ),
            (
                "graph TD\nA（开始） --> B［结束］",
                "graph TD\nA(开始) --> B[结束]",
            ),
            (
                "graph TD\nA[Start --> B[Stop]",
                "graph TD\nA[Start] --> B[Stop]",
            ),
            (
                "graph TD\nA[ന്\u{200d} (ക്\u{200d}ഷ)] --> B",
                "graph TD\nA[\"ന്\u{200d} (ക്\u{200d}ഷ)\"] --> B",
            ),
            (
                "graph TD\nSubgraph S\n  A\nEnd\nA -> B",
                "graph TD\nsubgraph S\n  A\nend\nA --> B",
            ),
            (
                "graph TD\nUser input --> B",
                "graph TD\nUser_input[\"User input\"] --> B",
            ),
            ("graph Vertical\nA --> B", "graph TD\nA --> B"),
            ("Here it is:\n\ngraph TD\nA --> B", "graph TD\nA --> B"),
            ("graph TD\nA --> B // why", "graph TD\nA --> B\n%% why"),
            (
                "graph TD\nA --> B\n\nThis diagram shows the way.\n",
                "graph TD\nA --> B\n",
            ),
            ("flow chart\nA --> B", "flowchart TD\nA --> B"),
            (
                "graph TD\nA@{ shape: Lean_Right }\nA --> B",
                "graph TD\nA@{ shape: lean-right }\nA --> B",
            ),
        ]);
    }

    #[test]
    fn faults_of_other_kinds_are_repaired_by_the_smallest_edits() {
        are_repaired(&[
            // Sequence diagrams.
            ("sequenceDiagram\nA→B: x", "sequenceDiagram\nA->>B: x"),
            (
                "sequenceDiagram\nA->>B: w\nA->>B x",
                "sequenceDiagram\nA->>B: w\nA->>B: x",
            ),
            (
                "sequenceDiagram\n  alt x\n    A->>B: y\n  A->>B: z\n",
                "sequenceDiagram\n  alt x\n    A->>B: y\n  end\n  A->>B: z\n",
            ),
            ("sequenceDiagram\nA–>>B: y", "sequenceDiagram\nA-->>B: y"),
            (
                "sequenceDiagram\nA->>B: y\nB->>A： z",
                "sequenceDiagram\nA->>B: y\nB->>A: z",
            ),
            (
                "sequenceDiagram\nA->>-B: y\n",
                "sequenceDiagram\nA->>B: y\n",
            ),
            (
                "sequenceDiagram\nautonumber on\nA->>B: y\n",
                "sequenceDiagram\nautonumber\nA->>B: y\n",
            ),
            // Class diagrams.
            (
                "classDiagram\nclass A<T> {\n+b() int\n}",
                "classDiagram\nclass A~T~ {\n+b() int\n}",
            ),
            // State diagrams.
            ("stateDiagram-v2\n[*] -> A", "stateDiagram-v2\n[*] --> A"),
            // Others.
            ("mindmap\n\n  root\n    A", "mindmap\n  root\n    A"),
            ("mindmap \n  root\n    A", "mindmap\n  root\n    A"),
            (
                "gitGraph\n  commit id: x\n",
                "gitGraph\n  commit id: \"x\"\n",
            ),
            (
                "pie\n\"A\" : 50%\n\"B\" : 50%",
                "pie\n\"A\" : 50\n\"B\" : 50",
            ),
            ("pie\n“A” : 50", "pie\n\"A\" : 50"),
        ]);
    }

    fn are_repaired(cases: &[(&str, &str)]) {
        for (source, expected) in cases {
            let repair = repair(source).unwrap_or_else(|| panic!("not repaired: {source:?}"));
            assert_eq!(repair.apply(source), *expected, "{source:?}");
            assert!(!repair.errors.is_empty());
        }
    }

    #[test]
    fn what_the_author_meant_is_only_guessed() {
        let cases = [
            (
                "graph TD\nA --> B\nlinkStyle 7 stroke:red",
                "graph TD\nA --> B",
            ),
            ("graph XY\nA --> B", "graph TD\nA --> B"),
            ("graph left\nA --> B", "graph TD\nA --> B"),
            ("graph TD\nA <-- B", "graph TD\nB --> A"),
            ("graph TD\nA[] --> B", "graph TD\nA[\" \"] --> B"),
            (
                "graph TD\nA --> B\nA B --> C",
                "graph TD\nA --> B\nA_B[\"A B\"] --> C",
            ),
            (
                "graph TD\nA[x --> y (z)] --> B",
                "graph TD\nA[\"x --> y (z)\"] --> B",
            ),
            ("graph TD\nA[Start\nA --> B", "graph TD\nA[Start]\nA --> B"),
            (
                "classDiagram\nclass A {\n+b() { return 1; }\n}",
                "classDiagram\nclass A {\n+b()\n}",
            ),
            (
                "stateDiagram-v2\nA --> B :\nB --> C",
                "stateDiagram-v2\nA --> B\nB --> C",
            ),
            (
                "sequenceDiagram\nA-->>B: x\nB→A: y",
                "sequenceDiagram\nA-->>B: x\nB->>A: y",
            ),
            ("A[x] --> B", "flowchart TD\nA[x] --> B"),
            (
                "graph TD\nA@{ shape: cloudy }\nA --> B",
                "graph TD\nA@{ shape: rect }\nA --> B",
            ),
            (
                "sequenceDiagram\nautonumber 10.001\nA->>B: y\n",
                "sequenceDiagram\nautonumber 10\nA->>B: y\n",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(repair(source), None, "{source:?}");
            let guess = examine(source).repair.expect("a guess");
            assert_eq!(guess.certainty, Certainty::Guess, "{source:?}");
            assert_eq!(guess.apply(source), expected, "{source:?}");
        }
        assert_eq!(repair("pie\n\"A\" : 1,000"), None);
    }

    #[test]
    fn valid_diagrams_are_left_alone() {
        let cases = [
            "---\ntitle: x\n---\ngraph TD\nA --> B",
            "%%{init: {'theme': 'dark'}}%%\ngraph TD\nA[“quoted”] --> B{ok?}\n",
            "classDiagram\nclass `A`~T~\nA -- B",
            "graph TD\nA/b --> C",
            "sequenceDiagram\nA/B->>C: x",
            "mindmap\n  root((A))\n    B\n",
        ];
        for source in cases {
            let expected = Examined {
                verdict: Verdict::Valid,
                repair: None,
            };
            assert_eq!(examine(source), expected, "{source:?}");
        }
    }

    #[test]
    fn what_cannot_be_repaired_is_named_at_its_line_in_plain_words() {
        let cases = [
            ("mindmap\n  a\n  b\n", 3, "a mind map has exactly one root"),
            (
                "gitGraph\n  commit\n  checkout x\n",
                3,
                "this branch does not exist yet",
            ),
            (
                "graph TD\nA --> B\nC   D[x] E\n",
                3,
                "this line is not valid in a flowchart: `C   D[x] E`",
            ),
            ("nothing at all", 1, "unknown diagram type"),
            ("sankey-beta\nWärme,B,1\n", 2, "plain Latin letters"),
            ("  \n", 1, "the diagram is empty"),
        ];
        for (source, line, words) in cases {
            let Examined {
                verdict: Verdict::Invalid(diagnosis),
                repair: None,
            } = examine(source)
            else {
                panic!("{source:?}: {:?}", examine(source));
            };
            assert_eq!(diagnosis.line, line, "{source:?}: {}", diagnosis.message);
            assert!(
                diagnosis.message.contains(words),
                "{source:?}: {}",
                diagnosis.message
            );
        }
    }

    #[test]
    fn where_the_grammar_is_weak_the_verdict_is_doubtful_and_nothing_is_changed() {
        for source in [
            "gantt\n T1 :a, Week 1, 1w",
            "block-beta\n columns three\n a",
            "mindmap\n  root((A)\n    B",
        ] {
            let examined = examine(source);
            assert!(
                matches!(examined.verdict, Verdict::Doubtful(_)),
                "{source:?}: {examined:?}"
            );
            assert_eq!(examined.repair, None);
        }
    }
}
