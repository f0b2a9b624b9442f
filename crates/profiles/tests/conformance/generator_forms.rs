//! Items in forms that text generators write, as data for `generator_items`.

/// More forms, each with the option that its key names.
pub(crate) const MORE: &[(&str, &str)] = &[
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correctAnswer": "rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correctAnswer": "ROME"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "Rome."}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris.", "Rome.", "Madrid.", "Berlin."], "answer": "Rome"}"#,
        "Rome.",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": ["B"]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": ["Rome"]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "Option B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "option b"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "(B)"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "(b) Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B: Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B - Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "Answer: B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "**B**"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct_index": 2, "correct_answer": "Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answerIndex": 1, "answer": "Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"1": "Paris", "2": "Rome", "3": "Madrid", "4": "Berlin"}, "answer": "2"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"1": "Paris", "2": "Rome", "3": "Madrid", "4": "Berlin"}, "answer": 2}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"0": "Paris", "1": "Rome", "2": "Madrid", "3": "Berlin"}, "answer": 1}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"C": "Madrid", "A": "Paris", "D": "Berlin", "B": "Rome"}, "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [["A", "Paris"], ["B", "Rome"], ["C", "Madrid"], ["D", "Berlin"]], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"A": "Paris"}, {"B": "Rome"}, {"C": "Madrid"}, {"D": "Berlin"}], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "correct": "false"}, {"text": "Rome", "correct": "true"}, {"text": "Madrid", "correct": "false"}, {"text": "Berlin", "correct": "false"}]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "is_correct": 0}, {"text": "Rome", "is_correct": 1}, {"text": "Madrid", "is_correct": 0}, {"text": "Berlin", "is_correct": 0}]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "correct": "no"}, {"text": "Rome", "correct": "yes"}, {"text": "Madrid", "correct": "no"}, {"text": "Berlin", "correct": "no"}]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "answers": [{"text": "Paris", "fraction": 0}, {"text": "Rome", "fraction": 100}, {"text": "Madrid", "fraction": 0}, {"text": "Berlin", "fraction": 0}]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct": [false, true, false, false]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct": [0, 1, 0, 0]}"#,
        "Rome",
    ),
    (
        r#"{"mcq": {"question": {"text": "What is the capital of Italy?"}, "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"letter": "B", "text": "Rome"}}}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"value": "Rome", "explanation": "Since 1871."}}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct": {"option": "B", "explanation": "Since 1871."}}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": "opt_1", "text": "Paris"}, {"id": "opt_2", "text": "Rome"}, {"id": "opt_3", "text": "Madrid"}, {"id": "opt_4", "text": "Berlin"}], "correctOptionId": "opt_2"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": "9f", "content": "Paris"}, {"id": "3a", "content": "Rome"}, {"id": "77", "content": "Madrid"}, {"id": "c1", "content": "Berlin"}], "correct_option_id": "3a"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": 1, "text": "Paris"}, {"id": 2, "text": "Rome"}, {"id": 3, "text": "Madrid"}, {"id": 4, "text": "Berlin"}], "correctOptionId": 2}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": 0, "text": "Paris"}, {"id": 1, "text": "Rome"}, {"id": 2, "text": "Madrid"}, {"id": 3, "text": "Berlin"}], "correctAnswer": 1}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": 3, "text": "Paris"}, {"id": 1, "text": "Rome"}, {"id": 4, "text": "Madrid"}, {"id": 2, "text": "Berlin"}], "correct": 1}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"key": "C", "text": "Paris"}, {"key": "A", "text": "Rome"}, {"key": "D", "text": "Madrid"}, {"key": "B", "text": "Berlin"}], "correct": "A"}"#,
        "Rome",
    ),
    (
        r#"{"вопрос": "Столица Италии?", "варианты": ["А) Париж", "Б) Рим", "В) Мадрид", "Г) Берлин"], "ответ": "Б"}"#,
        "Рим",
    ),
    (
        r#"{"вопрос": "Столица Испании?", "варианты": ["А) Париж", "Б) Рим", "В) Мадрид", "Г) Берлин"], "ответ": "В"}"#,
        "Мадрид",
    ),
    (
        r#"{"السؤال": "ما عاصمة إيطاليا؟", "الخيارات": ["باريس", "روما", "مدريد", "برلين"], "الإجابة_الصحيحة": "روما"}"#,
        "روما",
    ),
    (
        r#"{"السؤال": "ما عاصمة إيطاليا؟", "الخيارات": {"أ": "باريس", "ب": "روما", "ج": "مدريد", "د": "برلين"}, "الإجابة": "ب"}"#,
        "روما",
    ),
    (
        r#"{"問題": "イタリアの首都は？", "選択肢": ["パリ", "ローマ", "マドリード", "ベルリン"], "正解": "ローマ"}"#,
        "ローマ",
    ),
    (
        r#"{"問題": "イタリアの首都は？", "選択肢": ["①パリ", "②ローマ", "③マドリード", "④ベルリン"], "正解": "②"}"#,
        "ローマ",
    ),
    (
        r#"{"题目": "首都?", "选项": ["A. 巴黎", "B. 罗马", "C. 马德里", "D. 柏林"], "正确答案": "B"}"#,
        "罗马",
    ),
    (
        r#"{"题目": "首都?", "选项": ["A．巴黎", "B．罗马", "C．马德里", "D．柏林"], "正确答案": "Ｂ"}"#,
        "罗马",
    ),
    (
        r#"{"문제": "이탈리아의 수도는?", "보기": ["파리", "로마", "마드리드", "베를린"], "정답": "로마"}"#,
        "로마",
    ),
    (
        r#"{"प्रश्न": "इटली की राजधानी?", "विकल्प": ["पेरिस", "रोम", "मैड्रिड", "बर्लिन"], "सही_उत्तर": "रोम"}"#,
        "रोम",
    ),
    (
        r#"{"pergunta": "Capital?", "alternativas": ["Paris", "Roma", "Madri", "Berlim"], "resposta_correta": "b"}"#,
        "Roma",
    ),
    (
        r#"{"domanda": "Capitale?", "opzioni": ["Parigi", "Roma", "Madrid", "Berlino"], "risposta_corretta": "Roma"}"#,
        "Roma",
    ),
    (
        r#"{"soru": "Başkent?", "seçenekler": ["Paris", "Roma", "Madrid", "Berlin"], "doğru_cevap": "B"}"#,
        "Roma",
    ),
    (
        r#"{"pytanie": "Stolica?", "odpowiedzi": ["Paryż", "Rzym", "Madryt", "Berlin"], "poprawna_odpowiedź": "B"}"#,
        "Rzym",
    ),
    (
        r#"{"vraag": "Hoofdstad?", "antwoorden": ["Parijs", "Rome", "Madrid", "Berlijn"], "juiste_antwoord": "B"}"#,
        "Rome",
    ),
    (
        r#"{"Question": "What is the capital of Italy?", "Options": ["Paris", "Rome", "Madrid", "Berlin"], "Correct Answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"Question Text": "What is the capital of Italy?", "Option A": "Paris", "Option B": "Rome", "Option C": "Madrid", "Option D": "Berlin", "Correct Option": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question_text": "What is the capital of Italy?", "answer_options": ["Paris", "Rome", "Madrid", "Berlin"], "correct_answer_letter": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "choiceA": "Paris", "choiceB": "Rome", "choiceC": "Madrid", "choiceD": "Berlin", "correctChoice": "B"}"#,
        "Rome",
    ),
    (
        r#"{"type": "multiple", "difficulty": "easy", "category": "Geo", "question": "What is the capital of Italy?", "correct_answer": "Rome", "incorrect_answers": ["Paris", "Madrid", "Berlin"]}"#,
        "Rome",
    ),
    (
        r#"{"category": "geo", "id": "622", "correctAnswer": "Rome", "incorrectAnswers": ["Paris", "Madrid", "Berlin"], "question": {"text": "What is the capital of Italy?"}, "tags": [], "type": "text_choice"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["A)Paris", "B)Rome", "C)Madrid", "D)Berlin"], "rationale": "x", "correct": "B"}"#,
        "Rome",
    ),
    (
        r#"{"QUESTION": "What is the capital of Italy?", "OPTIONS": {"A": "Paris", "B": "Rome", "C": "Madrid", "D": "Berlin"}, "ANSWER": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "time": 20, "choices": [{"answer": "Paris", "correct": false}, {"answer": "Rome", "correct": true}, {"answer": "Madrid", "correct": false}, {"answer": "Berlin", "correct": false}]}"#,
        "Rome",
    ),
    (
        r#"{"type": "radiogroup", "name": "q1", "title": "What is the capital of Italy?", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "correctAnswer": "Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "How many sides has a square?", "options": ["2", "3", "4", "5"], "answer": "4"}"#,
        "4",
    ),
    (
        r#"{"question": "How many?", "options": ["10", "20", "30", "40"], "answer": "30"}"#,
        "30",
    ),
    (
        r#"{"question": "How many?", "options": [10, 20, 30, 40], "answer": 30}"#,
        "30",
    ),
    (
        r#"{"question": "Universal donor?", "options": ["A", "B", "AB", "O"], "answer": "B"}"#,
        "B",
    ),
    (
        r#"{"question": "Universal donor?", "options": {"A": "AB", "B": "A", "C": "O", "D": "B"}, "answer": "B"}"#,
        "A",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["True", "False"], "answer": true}"#,
        "True",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["True", "False"], "answer": "false"}"#,
        "False",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B. Rome, because it has been the capital since 1871."}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"option": "C", "text": "Madrid"}, {"option": "A", "text": "Paris"}, {"option": "B", "text": "Rome"}, {"option": "D", "text": "Berlin"}], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"choice": "C", "text": "Madrid"}, {"choice": "A", "text": "Paris"}, {"choice": "B", "text": "Rome"}, {"choice": "D", "text": "Berlin"}], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"identifier": "C", "text": "Madrid"}, {"identifier": "A", "text": "Paris"}, {"identifier": "B", "text": "Rome"}, {"identifier": "D", "text": "Berlin"}], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"value": "C", "text": "Madrid"}, {"value": "A", "text": "Paris"}, {"value": "B", "text": "Rome"}, {"value": "D", "text": "Berlin"}], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"ref": "C", "text": "Madrid"}, {"ref": "A", "text": "Paris"}, {"ref": "B", "text": "Rome"}, {"ref": "D", "text": "Berlin"}], "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"opt_b": "Rome", "opt_a": "Paris", "opt_c": "Madrid"}, "answer": "b"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"option_2": "Rome", "option_1": "Paris", "option_3": "Madrid"}, "answer": "option_2"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": {"answer_b": "Rome", "answer_a": "Paris", "answer_c": "Madrid"}, "correct_answer": "answer_b"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": "choice_c", "text": "Madrid"}, {"id": "choice_a", "text": "Paris"}, {"id": "choice_b", "text": "Rome"}], "answer": "choice_b"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": "q1_c", "text": "Madrid"}, {"id": "q1_a", "text": "Paris"}, {"id": "q1_b", "text": "Rome"}], "answer": "b"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "correct": "0"}, {"text": "Rome", "correct": "1"}, {"text": "Madrid", "correct": "0"}, {"text": "Berlin", "correct": "0"}]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B. Rome (since 1871)"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"index": 1, "text": "Rome"}}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"A": false, "B": true, "C": false, "D": false}}"#,
        "Rome",
    ),
    (
        r#"{"question": "Which germ?", "options": ["S. aureus", "E. coli", "K. pneumoniae", "P. mirabilis", "B. fragilis"], "answer": "E.coli"}"#,
        "E. coli",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "option_b": "Rome", "option_a": "Paris", "option_c": "Madrid", "answer": "B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "The correct answer is B"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "The correct answer is B) Rome."}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "score": 0}, {"text": "Rome", "score": 1}, {"text": "Madrid", "score": 0}, {"text": "Berlin", "score": 0}]}"#,
        "Rome",
    ),
    (
        r#"{"type": "radiogroup", "name": "q1", "title": "What is the capital of Italy?", "choices": [{"value": "item1", "text": "Paris"}, {"value": "item2", "text": "Rome"}, {"value": "item3", "text": "Madrid"}, {"value": "item4", "text": "Berlin"}], "correctAnswer": "item2"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "The correct answer is: Rome"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "Correct Answer: (B) Rome"}"#,
        "Rome",
    ),
    (
        r#"{"pregunta": "¿Cuál es la capital de Italia?", "opciones": ["Paris", "Rome", "Madrid", "Berlin"], "respuesta_correcta": "La respuesta correcta es la B"}"#,
        "Rome",
    ),
    (
        r#"{"题目": "意大利的首都是哪里？", "选项": ["Paris", "Rome", "Madrid", "Berlin"], "答案": "正确答案：B"}"#,
        "Rome",
    ),
    (
        r#"{"q": "What is the capital of Italy?", "opts": ["Paris", "Rome", "Madrid", "Berlin"], "ans": "B"}"#,
        "Rome",
    ),
    (
        r#"{"input": "What is the capital of Italy?", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "target": "B"}"#,
        "Rome",
    ),
    (
        r#"{"input": "What is the capital of Italy?", "A": "Paris", "B": "Rome", "C": "Madrid", "D": "Berlin", "target": "B"}"#,
        "Rome",
    ),
    (
        r#"{"stem": "What is the capital of Italy?", "key": "Rome", "distractors": ["Paris", "Madrid", "Berlin"]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "correct": "Rome", "incorrect": ["Paris", "Madrid", "Berlin"]}"#,
        "Rome",
    ),
    (
        r#"{"question_text": "What is the capital of Italy?", "answers": [{"text": "Paris", "weight": 0}, {"text": "Rome", "weight": 100}, {"text": "Madrid", "weight": 0}, {"text": "Berlin", "weight": 0}]}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "answers": {"answer_a": "Paris", "answer_b": "Rome", "answer_c": "Madrid", "answer_d": null}, "correct_answers": {"answer_a_correct": "false", "answer_b_correct": "true", "answer_c_correct": "false", "answer_d_correct": "false"}}"#,
        "Rome",
    ),
    (
        r#"{"問題": "首都は？", "選択肢": {"ア": "パリ", "イ": "ローマ", "ウ": "マドリード"}, "答え": "イ"}"#,
        "ローマ",
    ),
    (
        r#"{"题干": "意大利的首都？", "选项A": "巴黎", "选项B": "罗马", "选项C": "马德里", "正确选项": "B"}"#,
        "罗马",
    ),
    (
        r#"{"вопрос": "Столица?", "ответы": ["Париж", "Рим", "Мадрид"], "правильный": "Рим"}"#,
        "Рим",
    ),
    (
        r#"{"سوال": "پایتخت ایتالیا؟", "گزینه‌ها": ["پاریس", "رم", "مادرید"], "پاسخ": "رم"}"#,
        "رم",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "option_0": "Paris", "option_1": "Rome", "option_2": "Madrid", "correct_option": "option_1"}"#,
        "Rome",
    ),
    (
        r#"{"question": "What is the capital of Italy?", "options": [{"id": "a1", "text": "Paris"}, {"id": "b2", "text": "Rome"}], "correct_ids": ["b2"]}"#,
        "Rome",
    ),
    (
        r#"{"easy": [{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B"}], "hard": []}"#,
        "Rome",
    ),
    (
        r#"{"type": "tool_use", "name": "make_quiz", "input": {"questions": [{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct_index": 1, "answer": "Rome"}]}}"#,
        "Rome",
    ),
    (
        r#"{"status": "ok", "data": {"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B"}}"#,
        "Rome",
    ),
    (
        r#"{"questions": [{"library": "H5P.MultiChoice 1.14", "params": {"question": "What is the capital of Italy?", "answers": [{"text": "Paris", "correct": false}, {"text": "Rome", "correct": true}]}}]}"#,
        "Rome",
    ),
];

/// Items whose key names no option for certain, or whose options cannot be read.
pub(crate) const UNCERTAIN: &[&str] = &[
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "<b>B</b>"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "C. Rome"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B", "correct_answer": "Madrid"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "1"}"#,
    r#"{"question": "What is the capital of Italy?", "options": {"C": "Madrid", "A": "Paris", "D": "Berlin", "B": "Rome"}, "answer_index": 1}"#,
    r#"{"question": "What is the capital of Italy?", "options": {"Paris": false, "Rome": true, "Madrid": false, "Berlin": false}}"#,
    r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "isCorrect": false}, {"text": "Rome", "isCorrect": false}, {"text": "Madrid", "isCorrect": true}, {"text": "Berlin", "isCorrect": false}], "answer": "B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "isCorrect": false}, {"text": "Rome", "isCorrect": true}, {"text": "Madrid", "isCorrect": true}, {"text": "Berlin", "isCorrect": false}]}"#,
    r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "isCorrect": false}, {"text": "Rome", "isCorrect": false}, {"text": "Madrid", "isCorrect": false}, {"text": "Berlin", "isCorrect": false}]}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"index": 1}}"#,
    r#"{"вопрос": "Столица?", "варианты": ["А) Париж", "Б) Рим", "В) Мадрид", "Г) Берлин"], "ответ": "B"}"#,
    r#"{"question": "What is the capital of Italy?", "subject": "geo", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "answer": 1}"#,
    r#"{"question": "What is the capital of Italy?", "options": "A) Paris\nB) Rome\nC) Madrid\nD) Berlin", "answer": "B"}"#,
    r#"{"Problem": "What is the capital of Italy?", "options": "a ) Paris , b ) Rome , c ) Madrid , d ) Berlin", "correct": "b"}"#,
    r#"{"question": "How many sides has a square?", "options": [2, 3, 4, 5], "answer": 4}"#,
    r#"{"question": "Which letter follows B?", "options": ["D", "C", "B", "A"], "answer": "C"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "E"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "Rom"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": null}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": ""}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B or C"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B/C"}"#,
    r#"{"question": "Is Rome in Italy?", "options": ["True", "False"], "answer": 0}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "Not B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": 1.0}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": -1}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Rome", "Paris", "Rome", "Berlin"], "answer": "Rome"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Rome, Italy", "Rome, Georgia", "Paris", "Berlin"], "answer": "Rome"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["The city of Paris", "The city of Rome", "The city of Madrid", "The city of Berlin"], "answer": "City of Rome"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct_answer_number": 2}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct_position": 2}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["C. Madrid", "A. Paris", "B. Rome", "D. Berlin"], "answer": "B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["B) Paris", "C) Rome", "D) Madrid", "E) Berlin"], "answer": "C"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["2) Rome", "1) Paris", "3) Madrid"], "answer": 2}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["S. aureus", "E. coli", "K. pneumoniae", "P. mirabilis", "B. fragilis"], "answer": "E. coli infection"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "A: Paris is wrong, B is right"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B) Rome, C) Madrid"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B) Rome or C) Madrid"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "A. Because the government sits in Rome"}"#,
    r#"{"question": "What is the capital of Italy?", "options": [{"order": 3, "text": "Madrid"}, {"order": 1, "text": "Paris"}, {"order": 2, "text": "Rome"}], "answer": 2}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"letter": "B", "text": "Paris"}}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {"id": "B", "correct": false}}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct_answer": "B", "correct_answer_text": "Paris"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["В) Мадрид", "А) Париж", "Б) Рим"], "answer": "Б"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["[C] Madrid", "[A] Paris", "[B] Rome"], "answer": "B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["C Madrid", "A Paris", "B Rome"], "answer": "B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Option C: Madrid", "Option A: Paris", "Option B: Rome"], "answer": "Option B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": [{"id": 2, "text": "Rome"}, {"id": 1, "text": "Paris"}, {"id": 3, "text": "Madrid"}], "answer": "B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid"], "answer": "A to C"}"#,
    r#"{"question": "What is the capital of Italy?", "options": [{"text": "Paris", "points": 1}, {"text": "Rome", "points": 2}, {"text": "Madrid", "points": 0}]}"#,
    r#"{"question": "What is the capital of Italy?", "distractors": ["Paris", "Madrid", "Berlin"], "key": "geo-017"}"#,
    r#"{"question": "What is the capital of Italy?", "distractors": ["Paris", "Madrid", "Berlin"], "label": "easy"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "The correct answer is not B"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "The correct answer is B or C"}"#,
    r#"{"question": "What is the capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "C Rome"}"#,
    r#"{"question": "What is the capital of Italy?", "answers": {"answer_a": "Paris", "answer_b": "Rome"}, "correct_answers": {"answer_a_correct": "false", "answer_c_correct": "true"}}"#,
];

/// Banks whose keys must be read together, or not at all: each with the texts of the right
/// options, in the order of the items.
pub(crate) const BANKS: &[(&str, &[Option<&str>])] = &[
    // Options that have lost the first of their fields.
    (
        r#"[{"question": "Which city?", "options": ["Rome", "Oslo"], "answer": "A"}, {"question": "Which city?", "B": "Rome", "C": "Oslo", "D": "Bern", "answer": "C"}]"#,
        &[Some("Rome")],
    ),
    // A letter that is a part of other options.
    (
        r#"{"question": "Which virus?", "options": ["Hepatitis C", "Hepatitis A", "Hepatitis B", "Hepatitis E"], "answer": "B"}"#,
        &[None],
    ),
    (
        r#"{"question": "Which virus?", "options": ["Hepatitis A", "Hepatitis B", "Hepatitis C"], "answer": "B"}"#,
        &[Some("Hepatitis B")],
    ),
    // A number that is a part of other options.
    (
        r#"{"question": "Which stage?", "options": ["Stage 4", "Stage 3", "Stage 2", "Stage 1"], "answer": 4}"#,
        &[None],
    ),
    (
        r#"{"question": "Which stage?", "options": ["Stage 4", "Stage 3", "Stage 2", "Stage 1"], "answer": "3"}"#,
        &[None],
    ),
    (
        r#"[{"question": "Which stage?", "options": ["Stage 4", "Stage 3", "Stage 2", "Stage 1"], "answer": 3}, {"question": "Which city?", "options": ["Rome", "Oslo", "Bern"], "answer": 0}]"#,
        &[Some("Stage 1"), Some("Rome")],
    ),
    // Labels where texts are expected.
    (
        r#"{"question": "Which city?", "options": {"Rome": "A", "Oslo": "B", "Bern": "C"}, "answer": "B"}"#,
        &[],
    ),
    // Letters that are printed with one left out or twice, and initials.
    (
        r#"{"question": "Which city?", "options": ["A. Rome", "C. Oslo", "D. Bern", "E. Paris"], "answer": "C"}"#,
        &[None],
    ),
    (
        r#"{"question": "Which city?", "options": ["A. Rome", "A. Oslo", "B. Bern", "C. Paris"], "answer": "B"}"#,
        &[None],
    ),
    (
        r#"{"question": "Which germ?", "options": ["S. aureus", "E. coli", "K. oxytoca", "B. fragilis"], "answer": "B"}"#,
        &[None],
    ),
    (
        r#"{"question": "How long?", "options": [1.5, 2.5, 3.5], "answer": 2.5}"#,
        &[Some("2.5")],
    ),
    // Names that are made of words for keys.
    (
        r#"{"question": "Which city?", "options": ["Rome", "Oslo", "Bern"], "correct_choice_letter": "B"}"#,
        &[Some("Oslo")],
    ),
    (
        r#"[{"question": "Which city?", "options": ["Rome", "Oslo", "Bern"], "right_option_index": 2}, {"question": "Which city?", "options": ["Rome", "Oslo", "Bern"], "right_option_index": 0}]"#,
        &[Some("Bern"), Some("Rome")],
    ),
];
