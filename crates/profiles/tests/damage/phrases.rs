//! What models leave around and inside a lesson, in seven languages. Some of it
//! stands in the tables of the recogniser in similar words, some does not.

/// Phrases of one language.
pub(crate) struct Phrases {
    pub(crate) chat_in_front: &'static [&'static str],
    pub(crate) chat_behind: &'static [&'static str],
    pub(crate) thoughts: &'static [&'static str],
    pub(crate) placeholders: &'static [&'static str],
}

/// The phrases of a language; English where there are none.
pub(crate) fn of(language: &str) -> &'static Phrases {
    match language {
        "ru" => &RU,
        "zh" => &ZH,
        "de" => &DE,
        "es" => &ES,
        "fr" => &FR,
        "pt" => &PT,
        _ => &EN,
    }
}

const EN: Phrases = Phrases {
    chat_in_front: &[
        "Sure! Here is the lesson:",
        "Certainly! Here's the full lesson on this topic:",
        "Of course! Below is a complete lesson for beginners:",
        "Absolutely! Here's the revised version of your lesson, with all issues addressed:",
        "Here is the improved lesson, rewritten according to your feedback:",
        "Great question! Here is a detailed lesson that covers the topic:",
        "I've put together a lesson based on your specification:",
        "Sure thing — here's the updated Markdown you asked for.",
        "Okay, here is the finished lesson in Markdown format:",
    ],
    chat_behind: &[
        "I hope this helps! Let me know if you'd like any changes.",
        "Let me know if you want me to expand any section.",
        "Would you like me to add more exercises?",
        "Feel free to reach out if you need further clarification!",
        "If you'd like, I can also turn this into a slide deck.",
        "Please let me know if there's anything you'd like adjusted.",
        "Is there anything else you would like me to include?",
        "I hope this lesson meets your needs. Happy to revise it further!",
    ],
    thoughts: &[
        "The user wants a lesson for beginners. I should keep it short and use simple words.",
        "Okay, so the user is asking for a complete lesson. Let me plan the sections first.\n\nI will start with an introduction.",
        "Let me think about how to structure this lesson. First a definition, then examples.",
        "Alright, I need to write a lesson that follows the user's instructions. Let me start.",
    ],
    placeholders: &[
        "[Insert text here]",
        "[Add an example here]",
        "[TODO: add a diagram]",
        "TODO: write this section",
        "Your text here",
        "[Content to be added]",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
        "[Placeholder for image]",
        "TBD",
        "[Insert your explanation here]",
        "[Insert diagram of the process]",
    ],
};

const RU: Phrases = Phrases {
    chat_in_front: &[
        "Конечно! Вот ваш урок:",
        "Разумеется! Вот полный текст урока:",
        "Хорошо, вот обновлённая версия урока с учётом ваших пожеланий:",
        "С удовольствием! Ниже представлен готовый урок:",
        "Вот исправленный вариант урока:",
        "Отличный запрос! Вот подробный урок по этой теме:",
        "Я подготовил для вас урок в соответствии с вашими требованиями:",
    ],
    chat_behind: &[
        "Надеюсь, этот урок будет полезен! Если нужны изменения, дайте знать.",
        "Если хотите, я могу добавить дополнительные упражнения.",
        "Хотите, чтобы я расширил какой-нибудь раздел?",
        "Дайте знать, если потребуется что-то исправить.",
        "Если вам нужны дополнительные примеры, сообщите мне!",
        "Могу ли я помочь чем-нибудь ещё?",
    ],
    thoughts: &[
        "Пользователь просит написать урок для начинающих. Нужно писать просто и коротко.",
        "Хорошо, пользователь хочет получить полный урок. Сначала составлю план разделов.",
        "Мне нужно подготовить урок по запросу пользователя. Начну со введения.",
    ],
    placeholders: &[
        "[Вставьте текст здесь]",
        "[Здесь будет текст раздела]",
        "[Добавить пример]",
        "[Место для изображения]",
        "Ваш текст здесь",
        "TODO: дописать раздел",
        "Текст будет добавлен позже.",
        "[Введите описание]",
    ],
};

const ZH: Phrases = Phrases {
    chat_in_front: &[
        "当然！以下是课程内容：",
        "好的，以下是根据您的要求编写的课程：",
        "没问题！下面是完整的教案：",
        "好的，这是修改后的课程内容：",
        "当然可以，以下是为您准备的一份详细课程：",
        "以下是更新后的课程内容：",
    ],
    chat_behind: &[
        "希望这对您有帮助！如果需要修改，请告诉我。",
        "如果您还有其他问题，请随时告诉我。",
        "需要我再补充一些练习吗？",
        "您想让我扩展哪个部分的内容吗？",
        "如需进一步调整，请随时告诉我。",
        "希望这份课程对你有所帮助！",
    ],
    thoughts: &[
        "用户想要一份适合初学者的课程。我应该写得简单一些。",
        "好的，用户要求我写一节完整的课。我先列一个大纲。",
        "首先，我需要理解用户的要求，然后安排各个部分。",
    ],
    placeholders: &[
        "[在此处插入文本]",
        "【待补充】",
        "【请在此填写内容】",
        "[此处添加图片]",
        "此处插入文本",
        "内容待定",
        "TODO：补充示例",
    ],
};

const DE: Phrases = Phrases {
    chat_in_front: &[
        "Natürlich! Hier ist die Lektion:",
        "Gerne! Hier ist die vollständige Lektion zum Thema:",
        "Selbstverständlich, hier ist die überarbeitete Fassung Ihrer Lektion:",
        "Klar! Hier ist eine ausführliche Lektion für Anfänger:",
        "Hier ist die aktualisierte Lektion gemäß Ihren Vorgaben:",
        "Nachfolgend finden Sie die gewünschte Lektion:",
    ],
    chat_behind: &[
        "Ich hoffe, das hilft Ihnen weiter! Sagen Sie mir Bescheid, wenn Sie Änderungen wünschen.",
        "Soll ich noch weitere Übungen hinzufügen?",
        "Lassen Sie mich wissen, ob ich einen Abschnitt erweitern soll.",
        "Wenn du möchtest, kann ich noch ein Quiz ergänzen.",
        "Falls Sie Anpassungen benötigen, geben Sie mir gerne Bescheid.",
        "Bei weiteren Fragen stehe ich Ihnen gerne zur Verfügung.",
    ],
    thoughts: &[
        "Der Nutzer möchte eine Lektion für Anfänger. Ich sollte einfache Wörter verwenden.",
        "Okay, der Benutzer bittet um eine vollständige Lektion. Zuerst plane ich die Abschnitte.",
        "Ich muss eine Lektion schreiben, die den Vorgaben des Nutzers entspricht.",
    ],
    placeholders: &[
        "[Hier Text einfügen]",
        "[Bitte Beispiel ergänzen]",
        "[Platzhalter für Bild]",
        "Inhalt folgt",
        "TODO: Abschnitt schreiben",
        "Ihr Text hier",
        "[Hier Beschreibung eingeben]",
    ],
};

const ES: Phrases = Phrases {
    chat_in_front: &[
        "¡Claro! Aquí tienes la lección:",
        "¡Por supuesto! Aquí está la lección completa sobre el tema:",
        "Claro, aquí tienes la versión revisada de la lección:",
        "A continuación te presento la lección que solicitaste:",
        "¡Perfecto! Aquí tienes una lección detallada para principiantes:",
        "Aquí está la lección actualizada según tus indicaciones:",
    ],
    chat_behind: &[
        "Espero que esto te sea útil. Si necesitas algún cambio, avísame.",
        "¿Quieres que añada más ejercicios?",
        "Avísame si quieres que amplíe alguna sección.",
        "Si lo deseas, puedo agregar más ejemplos.",
        "No dudes en decirme si necesitas algún ajuste.",
        "¿Te gustaría que desarrolle algún apartado con más detalle?",
    ],
    thoughts: &[
        "El usuario quiere una lección para principiantes. Debo usar palabras sencillas.",
        "Bien, el usuario me pide una lección completa. Primero planificaré las secciones.",
        "Tengo que escribir una lección que cumpla la petición del usuario.",
    ],
    placeholders: &[
        "[Insertar texto aquí]",
        "[Inserte una imagen]",
        "[Añadir ejemplo aquí]",
        "Tu texto aquí",
        "TODO: completar esta sección",
        "[Contenido pendiente]",
        "Por completar",
    ],
};

const FR: Phrases = Phrases {
    chat_in_front: &[
        "Bien sûr ! Voici la leçon :",
        "Certainement ! Voici la leçon complète sur ce sujet :",
        "D’accord, voici la version révisée de votre leçon :",
        "Avec plaisir ! Voici une leçon détaillée pour débutants :",
        "Voici la leçon mise à jour selon vos indications :",
    ],
    chat_behind: &[
        "J’espère que cela vous aidera ! N’hésitez pas à me demander des modifications.",
        "Souhaitez-vous que j’ajoute d’autres exercices ?",
        "Dites-moi si vous voulez que je développe une section.",
        "Si vous le souhaitez, je peux ajouter des exemples.",
        "Voulez-vous que je crée un quiz pour cette leçon ?",
    ],
    thoughts: &[
        "L’utilisateur veut une leçon pour débutants. Je dois utiliser des mots simples.",
        "D’accord, l’utilisateur demande une leçon complète. Je planifie d’abord les sections.",
        "Je dois rédiger une leçon qui réponde à la demande de l’utilisateur.",
    ],
    placeholders: &[
        "[Insérer le texte ici]",
        "[Ajoutez un exemple]",
        "[Insérez une image]",
        "Votre texte ici",
        "À compléter",
        "TODO : compléter cette section",
        "[Contenu à venir]",
    ],
};

const PT: Phrases = Phrases {
    chat_in_front: &[
        "Claro! Aqui está a aula:",
        "Com certeza! Aqui está a lição completa sobre o tema:",
        "Claro, aqui está a versão revisada da sua aula:",
        "Perfeito! Segue abaixo uma aula detalhada para iniciantes:",
        "Aqui está a aula atualizada conforme as suas instruções:",
    ],
    chat_behind: &[
        "Espero que ajude! Se precisar de alterações, é só me avisar.",
        "Quer que eu adicione mais exercícios?",
        "Me avise se quiser que eu amplie alguma seção.",
        "Se quiser, posso acrescentar mais exemplos.",
        "Você gostaria que eu criasse um questionário para esta aula?",
    ],
    thoughts: &[
        "O usuário quer uma aula para iniciantes. Devo usar palavras simples.",
        "Certo, o usuário pediu uma aula completa. Primeiro vou planejar as seções.",
        "Preciso escrever uma aula que atenda ao pedido do usuário.",
    ],
    placeholders: &[
        "[Inserir texto aqui]",
        "[Insira uma imagem]",
        "[Adicionar exemplo aqui]",
        "Seu texto aqui",
        "TODO: completar esta seção",
        "[Conteúdo a ser adicionado]",
        "Em breve",
    ],
};
