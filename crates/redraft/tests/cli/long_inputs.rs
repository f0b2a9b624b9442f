//! Lessons that are longer than what fits into a model, as a user meets them: what
//! the report and the journal say, and that no gate turns green.

use std::fs;

use crate::folder::Folder;

/// A lesson of fifty sections, each about something else.
fn long() -> String {
    let mut text =
        "# Fifty rooms\n\nThis lesson leads through a house of fifty rooms.\n\n".to_owned();
    for room in 1..=50 {
        text.push_str(&format!(
            "## Room {room}\n\nIn room {room} stands a table with {} chairs. ",
            room + 2
        ));
        for shelf in 1..=9 {
            text.push_str(&format!(
                "Shelf {shelf} holds {} books, and lamp {} lights it in the evening. ",
                room * shelf + 1,
                room + shelf * 50
            ));
        }
        text.push_str("\n\n");
    }
    text
}

fn script(context: Option<u64>) -> String {
    let context = context.map_or_else(String::new, |context| format!("context = {context}\n"));
    format!(
        "{context}[[reply]]\nconfidence = \"high\"\n[reply.scores]\n\
         learning_objective_alignment = 0.95\npedagogical_structure = 0.95\n\
         factual_accuracy = 0.95\nclarity_readability = 0.95\n\
         engagement_examples = 0.95\ncompleteness = 0.95\n"
    )
}

#[test]
fn a_lesson_that_was_read_in_part_is_told_of_and_never_accepted() {
    let folder = Folder::new("{}");
    folder.write("long.md", &long());
    folder.write("small.toml", &script(Some(9_000)));
    folder.write("large.toml", &script(None));
    folder.judged(&["judge", "long.md", "--script", "large.toml"], 0);
    for (mode, code, status) in [
        ("full-auto", 1, "best_effort"),
        ("semi-auto", 3, "escalated"),
    ] {
        let arguments = ["judge", "long.md", "--script", "small.toml", "--mode", mode];
        let document = folder.judged(&arguments, code);
        assert_eq!(document["status"], status);
        assert_eq!(document["quality_status"], "below_standard");
        assert_eq!(document["passed"], false);
        assert_eq!(document["recommendation"], "ESCALATE_TO_HUMAN");
        let unread = &document["score"]["unread"];
        assert_eq!(unread["of"], "document", "{document}");
        assert_eq!(&document["verdicts"][0]["unread"], unread);
        let (all, left) = (&unread["all"], unread["parts"].as_array().unwrap().len());
        let shown = all.as_u64().unwrap() - left as u64;

        let output = folder.run(&arguments);
        let report = String::from_utf8(output.stdout).unwrap();
        let line = format!("scripted/judge_secondary read only {shown} of {all} parts; parts ");
        assert!(report.contains(&line), "{report}");
        assert!(
            report.contains("use a model with a longer context window"),
            "{report}"
        );
    }
    // One question a run, and each time it is told what was left out.
    let told: usize = folder
        .journals()
        .iter()
        .map(|journal| fs::read_to_string(journal).unwrap())
        .map(|journal| journal.matches("\"input_cut\"").count())
        .sum();
    assert_eq!(told, 4);
}
