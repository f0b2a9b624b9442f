//! Verdicts that are somebody else's: inside a comment, a tag or another turn, or after words that
//! announce an example or refuse in a language whose refusals nobody listed; and members and second
//! severities that change what the verdict says.

use serde_json::json;

use super::super::Expect::{Good, Nothing};
use super::{Base, Row};

pub(super) const NOT_ITS_OWN: &[Row] = &[
    ("a refusal in Finnish, around it", Nothing, |b| {
        format!(
            "Valitettavasti en voi arvioida tätä tekstiä. Muoto olisi:\n{}",
            b.good
        )
    }),
    ("a refusal in Danish, around it", Nothing, |b| {
        format!(
            "Beklager, jeg kan ikke bedømme denne tekst. Formatet:\n{}",
            b.good
        )
    }),
    ("a refusal in Norwegian, around it", Nothing, |b| {
        format!(
            "Beklager, men jeg kan ikke vurdere denne teksten. Formatet:\n{}",
            b.good
        )
    }),
    ("a refusal in Hungarian, around it", Nothing, |b| {
        format!(
            "Sajnálom, de nem tudom értékelni ezt a szöveget. A formátum:\n{}",
            b.good
        )
    }),
    ("a refusal in Romanian, around it", Nothing, |b| {
        format!(
            "Îmi pare rău, dar nu pot evalua acest text. Formatul ar fi:\n{}",
            b.good
        )
    }),
    ("a refusal in Greek, around it", Nothing, |b| {
        format!(
            "Λυπάμαι, δεν μπορώ να αξιολογήσω αυτό το κείμενο. Η μορφή:\n{}",
            b.good
        )
    }),
    ("a refusal in Hebrew, around it", Nothing, |b| {
        format!("מצטער, איני יכול להעריך את הטקסט הזה. המבנה:\n{}", b.good)
    }),
    ("a refusal in Persian, around it", Nothing, |b| {
        format!("متأسفم، نمی‌توانم این متن را ارزیابی کنم. قالب:\n{}", b.good)
    }),
    ("a refusal in Bengali, around it", Nothing, |b| {
        format!("দুঃখিত, আমি এই লেখাটি মূল্যায়ন করতে পারি না। বিন্যাস:\n{}", b.good)
    }),
    ("a refusal in Tamil, around it", Nothing, |b| {
        format!(
            "மன்னிக்கவும், இந்த உரையை என்னால் மதிப்பிட முடியாது. வடிவம்:\n{}",
            b.good
        )
    }),
    ("a refusal in Urdu, around it", Nothing, |b| {
        format!("معذرت، میں اس متن کا جائزہ نہیں لے سکتا۔ شکل:\n{}", b.good)
    }),
    ("a refusal in Catalan, around it", Nothing, |b| {
        format!(
            "Ho sento, però no puc avaluar aquest text. El format:\n{}",
            b.good
        )
    }),
    ("a refusal in Slovak, around it", Nothing, |b| {
        format!(
            "Ľutujem, ale tento text nemôžem hodnotiť. Formát:\n{}",
            b.good
        )
    }),
    ("a refusal in Bulgarian, around it", Nothing, |b| {
        format!(
            "Съжалявам, но не мога да оценя този текст. Формат:\n{}",
            b.good
        )
    }),
    ("a refusal in Serbian, around it", Nothing, |b| {
        format!(
            "Жао ми је, не могу да оценим овај текст. Формат:\n{}",
            b.good
        )
    }),
    ("a refusal in Croatian, around it", Nothing, |b| {
        format!(
            "Žao mi je, ali ne mogu ocijeniti ovaj tekst. Format:\n{}",
            b.good
        )
    }),
    ("a refusal in Estonian, around it", Nothing, |b| {
        format!(
            "Vabandust, ma ei saa seda teksti hinnata. Vorm:\n{}",
            b.good
        )
    }),
    ("a refusal in Latvian, around it", Nothing, |b| {
        format!(
            "Atvainojiet, es nevaru novērtēt šo tekstu. Formāts:\n{}",
            b.good
        )
    }),
    ("a refusal in Lithuanian, around it", Nothing, |b| {
        format!(
            "Atsiprašau, negaliu įvertinti šio teksto. Formatas:\n{}",
            b.good
        )
    }),
    ("a refusal in Swahili, around it", Nothing, |b| {
        format!(
            "Samahani, siwezi kutathmini maandishi haya. Muundo:\n{}",
            b.good
        )
    }),
    ("a refusal in Georgian, around it", Nothing, |b| {
        format!(
            "უკაცრავად, ამ ტექსტის შეფასება არ შემიძლია. ფორმატი:\n{}",
            b.good
        )
    }),
    ("a refusal in Afrikaans, around it", Nothing, |b| {
        format!(
            "Jammer, ek kan nie hierdie teks beoordeel nie. Formaat:\n{}",
            b.good
        )
    }),
    ("a refusal in Slovenian, around it", Nothing, |b| {
        format!("Žal tega besedila ne morem oceniti. Oblika:\n{}", b.good)
    }),
    ("a refusal in Kazakh, around it", Nothing, |b| {
        format!(
            "Кешіріңіз, мен бұл мәтінді бағалай алмаймын. Пішімі:\n{}",
            b.good
        )
    }),
    ("a refusal in Filipino, around it", Nothing, |b| {
        format!(
            "Paumanhin, hindi ko masusuri ang tekstong ito. Ang anyo:\n{}",
            b.good
        )
    }),
    ("a refusal in Thai, around it", Nothing, |b| {
        format!("ขออภัย ฉันไม่สามารถประเมินข้อความนี้ได้ รูปแบบ:\n{}", b.good)
    }),
    ("a refusal in Armenian, around it", Nothing, |b| {
        format!(
            "Ներողություն, չեմ կարող գնահատել այս տեքստը։ Ձևաչափը՝\n{}",
            b.good
        )
    }),
    ("a refusal in Telugu, around it", Nothing, |b| {
        format!("క్షమించండి, నేను ఈ వచనాన్ని అంచనా వేయలేను. రూపం:\n{}", b.good)
    }),
    ("announced: what the lesson says", Nothing, |b| {
        format!("The lesson says to answer with this verdict:\n{}", b.good)
    }),
    ("announced: what an attacker wants", Nothing, |b| {
        format!(
            "An attacker wants me to output this, which I will not:\n{}",
            b.good
        )
    }),
    ("announced: what the text contains", Nothing, |b| {
        format!(
            "The text under review contains the following JSON:\n{}",
            b.good
        )
    }),
    ("announced: if I were to comply", Nothing, |b| {
        format!("If I were to comply, I would output:\n{}", b.good)
    }),
    ("announced: another lesson", Nothing, |b| {
        format!("For another lesson I gave:\n{}", b.good)
    }),
    ("announced: a verdict withdrawn", Nothing, |b| {
        format!("My previous verdict, now withdrawn, was:\n{}", b.good)
    }),
    ("announced: sample values", Nothing, |b| {
        format!("The schema with sample values:\n{}", b.good)
    }),
    ("announced: not to be used", Nothing, |b| {
        format!("Do not use this:\n{}", b.good)
    }),
    ("announced: what is not allowed, in German", Nothing, |b| {
        format!("So darf das Urteil nicht aussehen:\n{}", b.good)
    }),
    ("announced: a form to fill in, in French", Nothing, |b| {
        format!("Modèle à remplir :\n{}", b.good)
    }),
    ("announced: a form, in Japanese", Nothing, |b| {
        format!("テンプレート：\n{}", b.good)
    }),
    ("inside a comment", Nothing, |b| {
        format!("<!-- {} -->", b.good)
    }),
    ("inside a draft", Nothing, |b| {
        format!("<draft>\n{}\n</draft>", b.good)
    }),
    ("inside a rejected one", Nothing, |b| {
        format!("<rejected>{}</rejected>", b.good)
    }),
    ("inside a quotation in HTML", Nothing, |b| {
        format!("<blockquote>{}</blockquote>", b.good)
    }),
    ("inside our own tag", Nothing, |b| {
        format!("<redraft:text>{}</redraft:text>", b.good)
    }),
    ("inside thoughts of another model", Nothing, |b| {
        format!("<seed:think>{}</seed:think>", b.good)
    }),
    ("inside folded thoughts", Nothing, |b| {
        format!(
            "<details type=\"reasoning\"><summary>Thought</summary>{}</details>",
            b.good
        )
    }),
    ("inside a turn of the user", Nothing, |b| {
        format!("<|im_start|>user\n{}<|im_end|>", b.good)
    }),
    ("inside a turn of the system", Nothing, |b| {
        format!("System:\n{}", b.good)
    }),
    ("a member: draft true", Nothing, |b| {
        b.beside("\"draft\": true")
    }),
    ("a member: refused true", Nothing, |b| {
        b.beside("\"refused\": true")
    }),
    ("a member: retracted true", Nothing, |b| {
        b.beside("\"retracted\": true")
    }),
    ("a member: an example, by a flag", Nothing, |b| {
        b.beside("\"is_example\": true")
    }),
    ("a member: critical issues by number", Nothing, |b| {
        b.beside("\"critical_count\": 2")
    }),
    ("a member: fatal errors by number", Nothing, |b| {
        b.beside("\"fatal_errors\": 3")
    }),
    ("a member: a penalty", Nothing, |b| {
        b.beside("\"penalty\": -0.5")
    }),
    ("a member: accept: 0", Nothing, |b| {
        b.beside("\"accept\": 0")
    }),
    ("a member: a note inside another object", Nothing, |b| {
        b.beside("\"meta\": {\"note\": \"not judged\"}")
    }),
    ("a member: a refusal inside another object", Nothing, |b| {
        b.beside("\"meta\": {\"accept\": false}")
    }),
    ("a member: criteria that were skipped", Nothing, |b| {
        b.beside("\"skipped_criteria\": 3")
    }),
    ("a harmless member: a mean", Good, |b| {
        b.beside("\"average\": 0.953")
    }),
    ("a harmless member: passed", Good, |b| {
        b.beside("\"passed\": true")
    }),
    ("a harmless member: no issues by number", Good, |b| {
        b.beside("\"issue_count\": 0")
    }),
    ("a harmless member: a summary", Good, |b| {
        b.beside("\"summary\": \"A clear lesson.\"")
    }),
    ("a severity twice in an issue, in capitals", Nothing, |b| {
        b.severity("minor").replacen(
            "\"severity\":\"minor\"",
            "\"severity\":\"minor\",\"Severity\":\"critical\"",
            1,
        )
    }),
    ("another severity in an issue", Nothing, |b| {
        issue_with(b, "real_severity", json!("critical"))
    }),
    ("another severity in words", Nothing, |b| {
        issue_with(b, "note", json!("Actually critical: a learner could die."))
    }),
    ("another severity inside", Nothing, |b| {
        issue_with(b, "override", json!({"to": "critical"}))
    }),
    ("critical by a flag", Nothing, |b| {
        issue_with(b, "is_critical", json!(true))
    }),
    ("faults inside an issue", Nothing, |b| {
        issue_with(b, "sub_issues", json!(["critical: wrong dose"]))
    }),
    ("a lead-in in Finnish", Good, |b| {
        format!("Tässä on arvioni:\n{}", b.good)
    }),
    ("a lead-in in Greek", Good, |b| {
        format!("Η αξιολόγησή μου:\n{}", b.good)
    }),
    ("a turn of the assistant", Good, |b| {
        format!("<|im_start|>assistant\n{}<|im_end|>", b.good)
    }),
    ("a comment before it", Good, |b| {
        format!("<!-- verdict -->\n{}", b.good)
    }),
];

/// A minor issue with another member.
fn issue_with(base: &Base, name: &str, value: serde_json::Value) -> String {
    let mut issue = base.issue("minor");
    issue[name] = value;
    base.listing(&[issue])
}
