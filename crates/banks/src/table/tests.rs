//! Tables as quiz tools, teachers and programs of their own write them.

use redraft_text::json::{Json, Node};

use crate::{BankFormat, ColumnChoice, QuestionKind, columns, cut_with};

/// An item in one line: the question, its options with a star before those that are flagged
/// or apart as right, and the key.
fn shown(json: &Json) -> String {
    let root = json.root().unwrap();
    let of = |node: Option<Node<'_>>| node.and_then(Node::as_str).unwrap_or("-").to_owned();
    let mut parts = vec![of(root.get("stem"))];
    for option in root.get("options").into_iter().flat_map(Node::items) {
        let is_right = option.get("correct").and_then(Node::as_bool) == Some(true);
        let star = if is_right { "*" } else { "" };
        parts.push(format!("{star}{}", of(option.get("text"))));
    }
    for (name, node) in root.members() {
        if name.text.starts_with("incorrect_answer") {
            parts.push(format!("-{}", of(Some(node))));
        }
    }
    parts.push(format!("key {}", of(root.get("correct_answer"))));
    parts.join(" | ")
}

fn read(text: &str, choice: Option<&str>) -> Vec<String> {
    let choice = choice.map(|choice| ColumnChoice::parse(choice).unwrap());
    let bank = cut_with(text, BankFormat::Table, choice.as_ref()).unwrap();
    assert!(bank.troubles.is_empty(), "{:?} in {text}", bank.troubles);
    let questions = bank.questions.iter();
    questions
        .map(|question| match question.kind {
            QuestionKind::Choice => shown(&bank.read(text, &question.range)),
            QuestionKind::Other(kind) => format!("({kind})"),
        })
        .collect()
}

#[test]
fn templates_of_quiz_tools_are_read() {
    for (name, text, expected) in [
        (
            "Kahoot",
            ",Quiz template,,,,,,\n,\"Add questions, at least two answer alternatives, and so on\",,,,,,\n,,,,,,,\n,Question - max 120 characters,Answer 1 - max 75 characters,Answer 2 - max 75 characters,Answer 3 - max 75 characters,Answer 4 - max 75 characters,\"Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs\",Correct answer(s) - choose at least one\n1,Why?,a,b,c,d,20,2\n2,Which?,a,b,c,d,30,\"1,3\"\n3,,,,,,,\n4,,,,,,20,\n",
            vec![
                "Why? | a | b | c | d | key 2",
                "Which? | *a | b | *c | d | key -",
            ],
        ),
        (
            "Quizizz",
            "Question Text,Question Type,Option 1,Option 2,Option 3,Correct Answer,Time in seconds\n\"Text of the question\n\n(required)\",\"Question Type\n\n(default is Multiple Choice)\",Text for option 1,Text for option 2,Text for option 3,The correct option choice (between 1-5).,Time in seconds\nWhy?,Multiple Choice,a,b,c,2,20\nWhich?,Checkbox,a,b,c,\"1,2\",20\nTell?,Open-Ended,,,,,60\nFill ____.,Fill-in-the-Blank,a,b,,,20\nVote?,Poll,a,b,,,20\n",
            vec![
                "Why? | a | b | c | key 2",
                "Which? | *a | *b | c | key -",
                "(essay)",
                "(short answer)",
                "(poll)",
            ],
        ),
        (
            "Blooket",
            "\"Blooket\nImport Template\",,,,,,,\nQuestion #,Question Text,Answer 1,Answer 2,\"Answer 3\n(Optional)\",\"Answer 4\n(Optional)\",\"Time Limit (sec)\n(Max: 300 seconds)\",\"Correct Answer(s)\n(Only include Answer #)\"\n1,Why?,a,b,c,,20,3\n2,,,,,,,\n",
            vec!["Why? | a | b | c | key 3"],
        ),
        (
            "Gimkit",
            "Gimkit Spreadsheet Import Template,,,,\nQuestion,Correct Answer,Incorrect Answer 1,Incorrect Answer 2 (Optional),Incorrect Answer 3 (Optional)\nWhy?,a,b,c,d\nIs it?,yes,no,,\n",
            vec!["Why? | -b | -c | -d | key a", "Is it? | -no | key yes"],
        ),
        (
            "CSV of Moodle",
            "questionname,questiontext,A,B,C,D,Answer 1,Answer 2,answernumbering,correctfeedback,defaultmark\nQ1,Why?,a,b,c,d,B,,123,Yes.,1\nQ2,Which?,a,b,c,d,A,C,123,Yes.,1\n",
            vec![
                "Why? | a | b | c | d | key B",
                "Which? | *a | b | *c | d | key -",
            ],
        ),
        (
            "Google Forms",
            "Question Title,Question Type,Choice 1,Choice 2,Choice 3,Choice 4,Correct Answer,Points,Required\nPrimes?,CHECKBOX,2,4,5,6,\"2, 5\",1,TRUE\nMetals?,Checkboxes,Iron,Wood,Copper,,\"Iron, Copper\",1,TRUE\nWhy?,MULTIPLE_CHOICE,a,b,c,d,b,1,TRUE\nTell?,PARAGRAPH_TEXT,,,,,,,\n",
            vec![
                "Primes? | *2 | 4 | *5 | 6 | key -",
                "Metals? | *Iron | Wood | *Copper | key -",
                "Why? | a | b | c | d | key b",
                "(essay)",
            ],
        ),
        (
            "columns of one name",
            "Question,Answer,Answer,Answer,Correct\nWhy?,a,b,c,B\n",
            vec!["Why? | a | b | c | key B"],
        ),
        (
            "wrong answers of one name",
            "Question;Correct answer;Wrong answer;Wrong answer\nWhy?;a;b;c\n",
            vec!["Why? | -b | -c | key a"],
        ),
        (
            "German",
            "Frage;Richtige Antwort;Falsche Antwort 1;Falsche Antwort 2;Fragetyp\nWarum?;a;b;c;Einfachauswahl\nSag?;;;;Offene Frage\n",
            vec!["Warum? | -b | -c | key a", "(essay)"],
        ),
        (
            "Russian",
            "Вопрос;Неправильный ответ 1;Правильный ответ;Неправильный ответ 2\nПочему?;а;б;в\n",
            vec!["Почему? | -а | -в | key б"],
        ),
        (
            "Anki",
            "#separator:Semicolon\n#html:false\n#columns:Question;Option A;Option B;Answer;Tags\n#tags column:5\n\"Why; how?\";a;b;A;x\nWhich?;c;d;B;\n",
            vec!["Why; how? | a | b | key A", "Which? | c | d | key B"],
        ),
        (
            "endings in brackets",
            "N°;Énoncé;Réponse A;Réponse B;Bonne(s) réponse(s)\n1;Qui ?;a;b;B\n",
            vec!["Qui ? | a | b | key B"],
        ),
        (
            "endings in brackets and remarks",
            "Question - max 120 caractères;Réponse 1 - max 75;Réponse 2 - max 75;Bonne(s) réponse(s) - en choisir au moins une\nQui ?;a;b;2\n",
            vec!["Qui ? | a | b | key 2"],
        ),
        (
            "wide brackets",
            "序号,题目内容,选项A,选项B,参考答案（多选用逗号分隔）\n1,谁？,甲,乙,B\n",
            vec!["谁？ | 甲 | 乙 | key B"],
        ),
    ] {
        assert_eq!(read(text, None), expected, "{name}");
    }
}

#[test]
fn headers_and_keys_of_teachers_are_read() {
    for (name, text, expected) in [
        (
            "two names in one",
            "Nr;Frage/Aufgabe;a);b);Lösung: Buchstabe\n1;Wer?;x;y;b\n",
            vec!["Wer? | x | y | key b"],
        ),
        (
            "numbers with a word between them",
            "Frage;Antwort 1;Antwort 2;Antwort 3;Richtige Antwort(en)\nWer?;a;b;c;1 und 3\nWas?;a;b;c;2 & 3\nWo?;a;b;c;1 oder 2\n",
            vec![
                "Wer? | *a | b | *c | key -",
                "Was? | a | *b | *c | key -",
                "Wo? | a | b | c | key 1 oder 2",
            ],
        ),
        (
            "numbers before the word",
            "Frage;1. Antwort;2. Antwort;Lösung\nWer?;a;b;2\n",
            vec!["Wer? | a | b | key 2"],
        ),
        (
            "letters before the word",
            "试题内容,A选项,B选项,标准答案\n谁？,甲,乙,B\n",
            vec!["谁？ | 甲 | 乙 | key B"],
        ),
        (
            "numbers in Chinese",
            "题目描述,选项一,选项二,正确答案\n谁？,甲,乙,B\n",
            vec!["谁？ | 甲 | 乙 | key B"],
        ),
        (
            "a title of one cell",
            "Biology, unit 3\nquestion;A;B;answer\nWhy?;a;b;B\n",
            vec!["Why? | a | b | key B"],
        ),
        (
            "titles in quotes",
            "\"Quiz template\"\n\"Add questions, and answers\"\n\n,Question,Answer 1,Answer 2,Correct answer\n1,Why?,a,b,2\n",
            vec!["Why? | a | b | key 2"],
        ),
    ] {
        assert_eq!(read(text, None), expected, "{name}");
    }
}

#[test]
fn a_key_may_be_the_name_of_a_column() {
    for (key, expected) in [
        ("Opt2", "Why? | a | *b | B | key -"),
        (" OPT2 ", "Why? | a | *b | B | key -"),
        ("opt9", "Why? | a | b | B | key opt9"),
        ("b", "Why? | a | b | B | key b"),
        ("２", "Why? | a | b | B | key ２"),
    ] {
        let text = format!("question,Opt1,Opt2,Opt3,answer\nWhy?,a,b,B,{key}\n");
        assert_eq!(read(&text, None), [expected]);
    }
    // The text of an option counts more.
    let text = "question,Opt1,Opt2,answer\nWhy?,Opt2,Opt1,Opt2\n";
    assert_eq!(read(text, None), ["Why? | Opt2 | Opt1 | key Opt2"]);
}

#[test]
fn a_text_with_a_table_in_it_is_no_table() {
    for text in [
        "# Lesson\n\nquestion;A;B;answer\nWhy?;a;b;B\n",
        "A lesson\n\n| question | A | B | answer |\n|---|---|---|---|\n| Why? | a | b | B |\n",
        "```csv\nquestion,A,B,answer\nWhy?,a,b,B\n```\n",
    ] {
        assert!(cut_with(text, BankFormat::Table, None).is_none(), "{text}");
    }
}

#[test]
fn a_list_that_may_mean_two_things_names_nothing() {
    for (key, expected) in [
        ("2, 4", "Q? | 2 | 4 | 3 | 1 | key 2, 4"),
        ("1, 2, 3, 4", "Q? | *2 | *4 | *3 | *1 | key -"),
        ("2, 9", "Q? | 2 | 4 | 3 | 1 | key 2, 9"),
    ] {
        let text =
            format!("Question,Option 1,Option 2,Option 3,Option 4,Answer\nQ?,2,4,3,1,\"{key}\"\n");
        assert_eq!(read(&text, None), [expected]);
    }
}

#[test]
fn a_table_without_names_is_read_as_the_user_says() {
    let text = "Why?,a,b,c,B\nHow?,d,e,f,A\n";
    let expected = ["Why? | a | b | c | key B", "How? | d | e | f | key A"];
    for choice in [
        "header=none,stem=A,options=B..D,key=E",
        "stem=A,options=B..D,key=E",
        "key=E, header=none, options=B..D, stem=A",
    ] {
        assert_eq!(read(text, Some(choice)), expected, "{choice}");
    }
    // Where there is a header, a name counts more than a letter.
    let named = "Frage,A,B,C,Lsg\nWarum?,a,b,c,B\n";
    assert_eq!(
        read(named, Some("stem=Frage,options=A..C,key=Lsg")),
        ["Warum? | a | b | c | key B"]
    );
    let semicolons = "\u{feff}sep=;\r\n1;Why, now?;a;b;2\r\n2;How?;c;d;1\r\n";
    assert_eq!(
        read(
            semicolons,
            Some("header=none,id=A,stem=B,options=C..D,key=E")
        ),
        ["Why, now? | a | b | key 2", "How? | c | d | key 1"]
    );
    let apart = "Why?\ta\tb\tc\nHow?\td\te\tf\n";
    assert_eq!(
        read(apart, Some("header=none,stem=A,key=B,wrong=C..D")),
        ["Why? | -b | -c | key a", "How? | -e | -f | key d"]
    );
}

#[test]
fn what_to_write_is_worked_out_for_the_table() {
    for (text, expected) in [
        (
            "Why is it?,a,b,c,B\nHow is it?,d,e,f,A\n",
            "--columns \"header=none,stem=A,options=B..D,key=E\"",
        ),
        (
            "1;Why, now?;x;y;z;2\r\n2;How?;p;q;r;1\r\n3;Who?;p;q;r;3\r\n",
            "--columns \"header=none,stem=B,options=C..E,key=F\"",
        ),
        (
            "Name the capital of France\tRom\tParis\tBonn\tParis\nName the capital of Italy\tRom\tParis\tBonn\tRom\n",
            "--columns \"header=none,stem=A,options=B..D,key=E\"",
        ),
        (
            "B,Why is it?,a1,b1,c1\nA,How is it?,d1,e1,f1\n",
            "--columns \"header=none,stem=B,options=C..E,key=A\"",
        ),
        (
            "Why?,Paris,Rome,Oslo\nHow?,Bern,Wien,Rom\n",
            "--columns \"header=none,stem=A,options=B..D\"",
        ),
        (
            "#separator:tab\n#html:true\n#tags column:6\nWhy is it?\ta\tb\tB\tx\nHow is it?\td\te\tA\ty\n",
            "--columns \"header=none,stem=A,options=B..C,key=D\"",
        ),
        (
            "Titel;eins;zwei;drei;stimmt\nWarum ist das so?;x;y;z;B\nWas gilt hier?;x;y;z;A\n",
            "--columns \"stem=Titel,options=eins..drei,key=stimmt\"",
        ),
        (
            "Name,Points\nAnna,3\n",
            "--columns stem=NAME,options=FIRST..LAST,key=NAME",
        ),
        (
            "question,options,answer\nWhy is it so?,\"one; two\",two\nWhat is it?,\"a; b\",a\n",
            "--columns stem=NAME,options=FIRST..LAST,key=NAME",
        ),
        (
            "Timestamp,Score,Name,Why is it so?,What is it?\n2024/01/02,2 / 2,Ann,one,two\n",
            "--columns stem=NAME,options=FIRST..LAST,key=NAME",
        ),
    ] {
        let error = columns(text, None).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{text}");
        if let Some(choice) = expected.split('"').nth(1) {
            let rows = read(text, Some(choice));
            assert!(rows.len() > 1 && rows[0].contains(" | "), "{rows:?}");
        }
    }
}
