//! Verdicts that a few words, a member or a second key take back, and announcements of examples in
//! more languages; and what of the same kind is harmless.

use super::super::Expect::{Good, Nothing};
use super::Row;

pub(super) const TAKEN_BACK: &[Row] = &[
    // Before the verdict: a refusal, or the announcement of an example.
    ("a refusal in Italian before it", Nothing, |b| {
        format!(
            "Mi dispiace, ma non posso valutare questo testo. Il formato sarebbe:\n{}",
            b.good
        )
    }),
    ("a refusal in Dutch before it", Nothing, |b| {
        format!(
            "Het spijt me, ik kan deze tekst niet beoordelen. Het formaat:\n{}",
            b.good
        )
    }),
    ("a refusal in Korean before it", Nothing, |b| {
        format!(
            "죄송하지만 이 텍스트는 평가할 수 없습니다. 형식:\n{}",
            b.good
        )
    }),
    ("a refusal in Turkish before it", Nothing, |b| {
        format!("Üzgünüm, bu metni değerlendiremem. Biçim:\n{}", b.good)
    }),
    ("a refusal in Arabic before it", Nothing, |b| {
        format!("عذرًا، لا أستطيع تقييم هذا النص. الشكل:\n{}", b.good)
    }),
    ("a refusal in Hindi before it", Nothing, |b| {
        format!(
            "क्षमा करें, मैं इस पाठ का मूल्यांकन नहीं कर सकता। प्रारूप:\n{}",
            b.good
        )
    }),
    ("a refusal in Polish before it", Nothing, |b| {
        format!(
            "Przepraszam, nie mogę ocenić tego tekstu. Format:\n{}",
            b.good
        )
    }),
    ("a refusal in Ukrainian before it", Nothing, |b| {
        format!("На жаль, я не можу оцінити цей текст. Формат:\n{}", b.good)
    }),
    ("a refusal in Vietnamese before it", Nothing, |b| {
        format!(
            "Xin lỗi, tôi không thể đánh giá văn bản này. Định dạng:\n{}",
            b.good
        )
    }),
    ("a refusal in Indonesian before it", Nothing, |b| {
        format!(
            "Maaf, saya tidak dapat menilai teks ini. Formatnya:\n{}",
            b.good
        )
    }),
    ("a refusal in Swedish before it", Nothing, |b| {
        format!(
            "Tyvärr kan jag inte bedöma den här texten. Formatet:\n{}",
            b.good
        )
    }),
    ("a refusal in Czech before it", Nothing, |b| {
        format!(
            "Omlouvám se, ale tento text nemohu hodnotit. Formát:\n{}",
            b.good
        )
    }),
    ("an example in Italian", Nothing, |b| {
        format!("Un esempio di risposta:\n{}", b.good)
    }),
    ("an example in Dutch", Nothing, |b| {
        format!("Een voorbeeld:\n{}", b.good)
    }),
    ("an example in Korean", Nothing, |b| {
        format!("예시:\n{}", b.good)
    }),
    ("an example in Japanese", Nothing, |b| {
        format!("例：\n{}", b.good)
    }),
    ("an example in Polish", Nothing, |b| {
        format!("Przykład:\n{}", b.good)
    }),
    ("an example in Turkish", Nothing, |b| {
        format!("Örnek:\n{}", b.good)
    }),
    ("an example in Arabic", Nothing, |b| {
        format!("مثال:\n{}", b.good)
    }),
    ("an example in Hindi", Nothing, |b| {
        format!("उदाहरण:\n{}", b.good)
    }),
    ("a template", Nothing, |b| format!("Template:\n{}", b.good)),
    ("a condition", Nothing, |b| {
        format!(
            "If the text were flawless, the answer would be:\n{}",
            b.good
        )
    }),
    ("the verdict of somebody else", Nothing, |b| {
        format!("The previous reviewer wrote:\n{}", b.good)
    }),
    ("a verdict that is none", Nothing, |b| {
        format!("This is not my verdict:\n{}", b.good)
    }),
    ("an incorrect verdict", Nothing, |b| {
        format!("An incorrect verdict would be:\n{}", b.good)
    }),
    ("good words in Italian before it", Good, |b| {
        format!("Ecco la mia valutazione:\n{}", b.good)
    }),
    ("good words in Korean before it", Good, |b| {
        format!("평가 결과는 다음과 같습니다:\n{}", b.good)
    }),
    ("no fault before it", Good, |b| {
        format!(
            "I did not find any faults. Here is the verdict in the requested format:\n{}",
            b.good
        )
    }),
    // After it: a few words may take it back.
    ("an order to ignore it", Nothing, |b| {
        format!("{}\nIgnore the above.", b.good)
    }),
    ("a word that fails it", Nothing, |b| {
        format!("{}\nFails.", b.good)
    }),
    ("a word that rejects it", Nothing, |b| {
        format!("{}\nREJECT", b.good)
    }),
    ("a critical issue in two words", Nothing, |b| {
        format!("{}\nCritical issue!", b.good)
    }),
    ("a doubt", Nothing, |b| format!("{}\nI am unsure.", b.good)),
    ("a failure in German", Nothing, |b| {
        format!("{}\nNicht bestanden.", b.good)
    }),
    ("a failure in Chinese", Nothing, |b| {
        format!("{}\n不合格。", b.good)
    }),
    ("a failure in Korean", Nothing, |b| {
        format!("{}\n불합격", b.good)
    }),
    ("a wrong key in two words", Nothing, |b| {
        format!("{}\nKey wrong.", b.good)
    }),
    ("made up, in brackets", Nothing, |b| {
        format!("{}\n(made up)", b.good)
    }),
    ("a draft, in brackets", Nothing, |b| {
        format!("{}\n[draft]", b.good)
    }),
    ("a tag that takes it back", Nothing, |b| {
        format!("{}\n<retracted/>", b.good)
    }),
    ("a cross", Nothing, |b| format!("{}\n❌", b.good)),
    ("a thumb", Nothing, |b| format!("{}\n👎", b.good)),
    ("done", Good, |b| format!("{}\nDone.", b.good)),
    ("the end", Good, |b| format!("{}\n--- END ---", b.good)),
    ("an end in German", Good, |b| {
        format!("{}\nEnde der Bewertung.", b.good)
    }),
    ("an end in Spanish", Good, |b| format!("{}\nFin.", b.good)),
    ("thanks", Good, |b| format!("{}\nThank you!", b.good)),
    ("an end in Russian", Good, |b| format!("{}\nКонец.", b.good)),
    ("a tag that closes", Good, |b| {
        format!("{}\n</answer>", b.good)
    }),
    ("a token of a template", Good, |b| {
        format!("{}\n<end_of_turn>", b.good)
    }),
    ("a token in brackets", Good, |b| {
        format!("{}\n[/INST]", b.good)
    }),
    ("a tick", Good, |b| format!("{}\n✅", b.good)),
    // Members that say what nothing reads.
    ("a failure as a member", Nothing, |b| {
        b.beside("\"passed\":false")
    }),
    ("a recommendation to reject it", Nothing, |b| {
        b.beside("\"recommendation\":\"REJECT\"")
    }),
    ("an error as a member", Nothing, |b| {
        b.beside("\"error\":\"I could not read the text.\"")
    }),
    ("a state as a member", Nothing, |b| {
        b.beside("\"status\":\"incomplete\"")
    }),
    ("a critical issue in words", Nothing, |b| {
        b.beside("\"critical_issue\":\"The key is wrong.\"")
    }),
    ("a note with an issue", Nothing, |b| {
        b.beside("\"notes\":\"The second part is false.\"")
    }),
    ("a note with an issue in Chinese", Nothing, |b| {
        b.beside("\"备注\":\"第二部分是错误的。\"")
    }),
    ("a pass as a member", Good, |b| b.beside("\"passed\":true")),
    ("a mean as a member", Good, |b| {
        b.beside("\"overall_score\":0.96")
    }),
    ("an empty note", Good, |b| b.beside("\"notes\":\"\"")),
    ("no error", Good, |b| b.beside("\"error\":null")),
    ("a name of a model", Good, |b| {
        b.beside("\"model\":\"tiny\"")
    }),
    // The same name twice, in other letters.
    ("scores twice, once with a capital", Nothing, |b| {
        b.beside(&format!("\"Scores\":{{\"{}\":0.1}}", b.first))
    }),
    ("issues twice, once with a blank", Nothing, |b| {
        b.beside("\"issues \":[]")
    }),
    ("a score twice, once in capitals", Nothing, |b| {
        b.swap(
            "\"scores\":{",
            &format!("\"scores\":{{\"{}\":0.1,", b.first.to_uppercase()),
        )
    }),
    ("a score twice, once with hyphens", Nothing, |b| {
        b.swap(
            "\"scores\":{",
            &format!("\"scores\":{{\"{}\":0.1,", b.first.replace('_', "-")),
        )
    }),
    ("confidence twice, once in capitals", Nothing, |b| {
        b.beside("\"CONFIDENCE\":\"low\"")
    }),
];
