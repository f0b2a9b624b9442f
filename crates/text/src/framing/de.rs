//! German chat framing, as data.

use super::phrases::Source;

pub(super) const SOURCE: Source = Source {
    code: "de",
    parts: &[
        (
            "hm",
            r"(?:(?:okay|ok|also|gut|alles klar|nun|hm|zuerst|zunächst|schauen wir mal)[,.]? )*",
        ),
        (
            "task",
            r"lektion|unterrichtsstunde|unterrichtseinheit|unterrichtsplan|kurs|lerneinheit|arbeitsblatt|quiz",
        ),
        (
            "here",
            r"hier (?:ist|sind|kommt|finden sie|findest du)|(?:nachfolgend|im folgenden|unten|anbei) (?:finden sie|findest du|ist|folgt|sehen sie)|es folgt",
        ),
        (
            "revised",
            r"(?:vollständig )?(?:überarbeitete|aktualisierte|verbesserte|korrigierte|gewünschte|angeforderte|angepasste|umgeschriebene|bearbeitete|erweiterte|optimierte|neu formulierte)[nrs]?",
        ),
        (
            "kind",
            r"(?:komplette|vollständige|fertige|ausführliche|detaillierte|finale|kurze|strukturierte|umfassende|neue|einfache|ganze|endgültige)[nrs]?",
        ),
        (
            "lesson",
            r"lektion|unterrichtsstunde|unterrichtseinheit|unterrichtsentwurf|unterrichtsplan|stundenplanung|lerneinheit|lehrmaterial|unterrichtsmaterial|lektionstext|kurs|tutorial",
        ),
        (
            "text",
            r"json(?:-objekt|-dokument|-datei|-ausgabe)?|markdown(?:-text|-dokument|-version)?|text|version|fassung|ausgabe|antwort|dokument|entwurf|inhalt|artikel|übersetzung|abschnitt|arbeitsblatt|quiz",
        ),
        (
            "det",
            r"die|das|der|den|ihre|ihr|ihren|deine|dein|deinen|eine|ein|einen",
        ),
        (
            "topic",
            r",? (?:zu|zum|zur|über|für|mit dem titel|mit ihren|mit den gewünschten|im (?:json|markdown|gewünschten)|in (?:markdown|json|deutscher)|als (?:json|markdown)|nach ihren|gemäß|entsprechend|basierend auf|wie (?:gewünscht|gewünscht|angefordert|besprochen)|die sie|der lektion|ihrer lektion|auf deutsch)\b[^:;]*",
        ),
        (
            "asked",
            r"(?:die|das|den|der) (?:sie|du) (?:angefordert|gewünscht|angefragt|verlangt)(?: haben| hast)?|um (?:die|das|den) (?:sie|du) (?:gebeten|gefragt) (?:haben|hast)|wie (?:von ihnen )?(?:gewünscht|angefordert|erbeten)|(?:gemäß|nach|entsprechend|basierend auf) (?:ihren|ihrer|deinen|deiner) (?:\S+ )?(?:vorgaben|anweisungen|anforderungen|wünschen|anfrage|rückmeldung|anmerkungen|feedback)|mit (?:allen )?(?:den )?(?:ihren )?(?:gewünschten|angeforderten) (?:änderungen|anpassungen|korrekturen)",
        ),
        (
            "edit",
            r"änderung(?:en)?|anpassung(?:en)?|anpassen|anpasse|ändern|ändere|ergänzen|ergänze|ergänzungen|überarbeiten|überarbeite|hinzufügen|hinzufüge|erweitern|erweitere|korrekturen|umschreiben|kürzen|kürze|vereinfachen|vereinfache|erstellen|erstelle|weitere (?:fragen|beispiele|übungen|hilfe|details|wünsche|informationen|unterstützung)",
        ),
    ],
    acknowledgement: r"natürlich|selbstverständlich|gerne?|klar|sicher|sehr gerne?|ja|ja, gerne?|in ordnung|okay|ok|alles klar|kein problem|verstanden|aber gerne?|perfekt|super|danke|vielen dank",
    opening_hints: "hier|folg|unten|anbei|gewünscht|angefordert|ich|natürlich|selbstverständlich|gern|klar|sicher|ja|ordnung|ok|problem|verstanden|perfekt|super|dank|gute|tolle",
    closing_hints: "hoffe|lass|bescheid|melden sie|wenn|falls|möchte|soll|wollen sie|willst du|kann ich|ich|verfügung",
    polite_opening: &[
        r"(?:ich helfe (?:ihnen|dir) (?:gerne?|dabei)(?: dabei)?(?: weiter)?)",
        r"(?:vielen )?dank für (?:ihre|deine|die) (?:anfrage|nachricht|rückmeldung|informationen)",
        r"(?:das ist eine )?(?:gute|tolle) (?:frage|idee)",
    ],
    announcement: &[
        r"{here} {det}(?: {kind})*(?: {revised})(?: und {revised})?(?: {kind})* {lesson}(?:{topic})?",
        r"{here} {det}(?: {kind})*(?: {revised}) (?:version|fassung) (?:der|ihrer|deiner|des) {lesson}s?(?:{topic})?",
        r"{here} {det}(?: {kind}| {revised})* (?:{lesson}|{text})(?:[ ,][^:;]*?)?,? {asked}[^:;]*",
        r"{here} (?:ihre?|deine?)(?: {kind}| {revised})* {lesson}(?:{topic})?",
        r"wie (?:gewünscht|angefordert),? {here} [^:;]*",
        r"ich habe (?:die|ihre|deine|den|das) (?:{lesson}|{text}) (?:{asked}|für sie|für dich) [^:;]*",
    ],
    announcement_after_yes: &[
        r"{here} {det}(?: {kind},?| {revised},?| und)* (?:{lesson}|{text})(?:{topic})?",
        r"ich (?:erstelle|schreibe|verfasse) (?:ihnen|dir|für sie|für dich)?\s?(?:gerne? )?{det}(?: {kind}| {revised})* (?:{lesson}|{text})(?:{topic})?",
        r"ich habe (?:ihnen |dir |für sie |für dich )?{det}(?: {kind}| {revised})* (?:{lesson}|{text})(?:{topic})? (?:erstellt|überarbeitet|geschrieben|vorbereitet|aktualisiert|angepasst)",
    ],
    announcement_on_its_line: &[
        r"hier ist (?:die|ihre|deine)(?: {kind})* (?:lektion|unterrichtsstunde|unterrichtseinheit)(?: (?:im|als|in) \S+)?",
        r"(?:nachfolgend|im folgenden) (?:finden sie|findest du) die(?: {kind})* (?:lektion|unterrichtsstunde|unterrichtseinheit)(?: (?:im|als|in) \S+)?",
    ],
    offer: &[
        r"(?:ich )?hoffe,? (?:dass )?(?:das|dies|diese lektion|diese version|das material)(?: ihnen| dir)? (?:hilft|ist hilfreich|weiterhilft|hilfreich ist|weiter ?hilft|gefällt ihnen)(?: ihnen| dir)?(?: weiter)?",
        r"(?:bitte )?(?:lassen sie (?:es )?mich (?:bitte )?(?:gerne? )?wissen|lass (?:es )?mich (?:gerne? )?wissen|sagen sie mir (?:einfach )?bescheid|sag (?:mir )?(?:einfach )?bescheid|geben sie (?:mir )?(?:einfach )?bescheid|gib (?:mir )?(?:einfach )?bescheid|melden sie sich),? (?:wenn|falls|ob) [^:;]*\b{edit}\b[^:;]*",
        r"(?:wenn|falls) (?:[^:;]* )?{edit}\b[^:;]*, (?:lassen sie (?:es )?mich(?: bitte)?(?: gerne?)? wissen|lass (?:es )?mich(?: gerne?)? wissen|sagen sie (?:mir )?(?:einfach )?bescheid|sag (?:mir )?(?:einfach )?bescheid|geben sie (?:mir )?(?:einfach )?bescheid|gib (?:mir )?(?:einfach )?bescheid|stehe ich (?:ihnen|dir)? ?(?:gerne )?zur verfügung|helfe ich (?:ihnen|dir)? ?gerne?(?: weiter)?|passe ich [^:;]*|kann ich [^:;]*(?:lektion|übung|beispiel|abschnitt|text)[^:;]*)",
        r"(?:möchten sie|möchtest du|soll|wollen sie|willst du),? (?:dass )?ich (?:[^:;]* )?(?:übungen|beispiele|die lektion|den text|die unterrichtsstunde|ein quiz|einen abschnitt|aufgaben|änderungen|eine zusammenfassung|lösungen)\b[^:;]*",
        r"(?:gerne? )?(?:kann|passe|ergänze|erstelle) ich (?:auch |ihnen |dir |gerne? |noch )*[^:;]*\b(?:lektion|übungen|beispiele|abschnitte?|texte?|anpassungen|änderungen|aufgaben)\b[^:;]*(?:wenn sie|falls sie|wenn du|falls du|auf wunsch|bei bedarf)[^:;]*",
        r"kann ich (?:ihnen|dir) (?:sonst )?noch (?:bei etwas|mit etwas|irgendwie) (?:anderem )?(?:helfen|behilflich sein)",
        r"(?:bei|für) weitere[nr]? (?:fragen|änderungen|anpassungen|wünsche[n]?)[^:;]* stehe ich (?:ihnen|dir)? ?(?:gerne? )?(?:jederzeit )?zur verfügung",
    ],
    polite_closing: &[
        r"(?:wenn|falls) (?:sie|du) (?:noch )?fragen (?:haben|hast), (?:fragen sie (?:einfach|gerne?)|frag (?:einfach|gerne?)|melden sie sich(?: gerne?)?)",
        r"(?:bei fragen )?(?:stehe ich (?:ihnen|dir) )(?:gerne? )?(?:jederzeit )?zur verfügung",
        r"ich helfe gerne?(?: weiter)?",
    ],
    self_reference: &[
        r"(?:es tut mir leid, aber |leider |entschuldigung, aber )?als (?:großes |eine |ein )?(?:ki|künstliche intelligenz|ki-sprachmodell|sprachmodell|ki-modell|ki-assistent|ki-assistentin|virtueller assistent)(?: \S+ \S+ \S+)? (?:kann|habe|bin|darf|verfüge|besitze|weiß|muss) ich\b[^„“”\x22]*",
        r"ich bin (?:nur |lediglich )?(?:eine ki|ein ki-(?:sprachmodell|modell|assistent)|ein (?:großes )?sprachmodell)(?:,| und) [^„“”\x22]*",
        r"(?:es tut mir leid, aber )?(?:ich kann|kann ich|leider kann ich)(?: leider)? (?:diese|dieser|ihre|ihrer) anfrage (?:leider )?nicht (?:erfüllen|bearbeiten|nachkommen)[^„“”\x22]*",
    ],
    thinking: &[
        r"{hm}(?:der nutzer|der benutzer|die nutzerin|der anwender|der user) (?:möchte|will|wünscht|bittet|hat|verlangt|braucht|fordert)\b[^:;]*\b(?:{task}|mich)\b",
        r"{hm}(?:ich|wir) (?:muss|soll|sollte|müssen|sollen|sollten) [^:;]*\b(?:vorgaben|anfrage|anforderungen|wünsche|wünschen|anweisungen|bitte) des (?:nutzers|benutzers|anwenders)\b",
        r"{hm}ich (?:wurde|bin) gebeten(?: worden)?,? [^:;]*\b{task}\b",
        r"{hm}meine aufgabe ist(?: es)?,? [^:;]*\b{task}\b",
        r"{hm}(?:lass mich|ich muss) (?:darüber )?(?:überlegen|nachdenken),? wie ich (?:diese|die|meine) (?:lektion|antwort|unterrichtsstunde) ",
    ],
    thinking_before_json: &[
        r"{hm}(?:ich|wir) (?:muss|soll|müssen|sollen) [^:;]*\b(?:json|lektion|antwort)\b",
    ],
};

#[cfg(test)]
pub(super) const CASES: super::tests::Cases = super::tests::Cases {
    opening: &[
        "Natürlich, hier ist die überarbeitete Lektion:",
        "Gerne! Hier ist die Lektion:",
        "Selbstverständlich! Hier ist Ihre aktualisierte Unterrichtsstunde:",
        "Hier ist die Lektion:",
        "Klar, hier ist die vollständige Lektion zum Thema Photosynthese:",
        "Natürlich! Nachfolgend finden Sie die verbesserte Lektion im JSON-Format:",
        "Hier ist die korrigierte Fassung der Lektion mit den gewünschten Änderungen:",
        "Hier ist der Text, den Sie angefordert haben:",
        "Wie gewünscht, hier ist die Lektion in Markdown:",
        "Alles klar! Hier ist das JSON:",
        "Gerne. Ich helfe Ihnen gerne. Hier ist der Text:",
        "Sehr gerne! Ich habe für Sie eine Lektion über Vulkane erstellt.",
    ],
    not_opening: &[
        "Natürlich kocht Wasser bei 100 °C.",
        "Natürlich! Niemand liest zuerst das Handbuch.",
        "Hier ist ein Beispiel für Rekursion:",
        "Hier ist der Code:",
        "Hier ist der überarbeitete Code:",
        "Hier ist die Lektion, die wir daraus lernen:",
        "Hier ist der Text des Gedichts:",
        "Im Folgenden finden Sie eine Tabelle der unregelmäßigen Verben.",
        "In dieser Lektion lernen Sie, was eine Schleife ist.",
        "Super! Sie haben Ihr erstes Programm geschrieben.",
        "Okay, hier ist der Plan für heute:",
        "Sicher ist sicher.",
        "Hier ist die Ausgabe des Programms:",
        "Hier ist die Lektion: Traue keiner Eingabe.",
    ],
    closing: &[
        "Ich hoffe, das hilft! Lassen Sie mich wissen, wenn Sie Änderungen wünschen.",
        "Ich hoffe, das hilft!",
        "Ich hoffe, dass diese Lektion hilfreich ist.",
        "Lassen Sie mich wissen, falls Sie weitere Anpassungen benötigen.",
        "Wenn Sie Änderungen wünschen, lassen Sie es mich bitte wissen!",
        "Falls du noch etwas ändern möchtest, sag einfach Bescheid.",
        "Möchten Sie, dass ich Übungen hinzufüge?",
        "Soll ich noch Beispiele ergänzen?",
        "Wenn Sie weitere Fragen haben, stehe ich Ihnen gerne zur Verfügung.",
        "Kann ich Ihnen sonst noch bei etwas helfen?",
        "Bei weiteren Fragen stehe ich Ihnen jederzeit zur Verfügung.",
        "Gib mir Bescheid, wenn ich die Lektion kürzen soll.",
    ],
    not_closing: &[
        "Ich hoffe, diese Lektion hat gezeigt, wozu Schleifen gut sind.",
        "Wenn Sie Fragen haben, fragen Sie Ihre Lehrkraft.",
        "Wenn Sie die Farbe ändern wollen, bearbeiten Sie das Stylesheet.",
        "Falls du Hilfe brauchst, lies die Dokumentation.",
        "Möchten Sie mehr über Vulkane erfahren?",
        "Soll ich dich einem Sommertag vergleichen?",
        "Ich hoffe, die Lektion hat Ihnen gefallen.",
        "Lassen Sie das Programm laufen, wenn Sie Änderungen vornehmen.",
        "Ändern Sie die Werte und starten Sie das Programm neu.",
        "Möchtest du, dass ich das Fenster öffne?",
        "Die Bibliothek steht Ihnen jederzeit zur Verfügung.",
        "Wenn Sie noch Fragen haben, fragen Sie einfach.",
        "Wenn Sie fertig sind, sagen Sie Bescheid.",
        "Wenn du nicht weiterkommst, helfe ich dir gerne weiter.",
    ],
    itself: &[
        "Als KI-Sprachmodell kann ich nicht auf das Internet zugreifen.",
        "Als KI habe ich keine eigenen Erfahrungen.",
        "Es tut mir leid, aber ich kann diese Anfrage nicht erfüllen.",
    ],
    not_itself: &[
        "Als KI-Sprachmodell sagt GPT das nächste Wort voraus.",
        "Als Lehrerin kann ich das bestätigen.",
        "Künstliche Intelligenz hilft Ärzten.",
    ],
    thinking: &[
        "Okay, der Nutzer möchte eine Lektion über Vulkane.",
        "Also, der Benutzer bittet um eine kurze Unterrichtsstunde.",
        "Ich muss die Lektion nach den Vorgaben des Nutzers schreiben.",
    ],
    not_thinking: &[
        "Okay, schauen wir, wie eine Schleife funktioniert.",
        "Zuerst müssen wir Python installieren.",
        "Wenn der Nutzer eine Seite anfordert, schickt der Server sie.",
        "Ich muss zuerst erklären, was eine Variable ist.",
        "Wir müssen eine Antwort vom Server lesen.",
        "Zuerst müssen wir den Nutzer nach seinem Namen fragen.",
        "Der Nutzer möchte sich anmelden.",
        "Die Aufgabe lautet, den kürzesten Weg zu finden.",
        "Meine Aufgabe ist es, die Tiere zu füttern.",
    ],
};
