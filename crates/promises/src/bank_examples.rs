//! A bank of each format, with what the formats have of their own: where tests and fuzzers
//! begin.

/// The fuzz target that reads a bank, and the bank.
pub const BANKS: [(&str, &str); 9] = [
    (
        "bank_gift",
        "// note\n$CATEGORY: a/b\n\n::Q1:: What is 2 \\= 2? {\n=yes #Right.\n// odd\n~no \\{x\\} #Wrong.\n~%-50%maybe\n####Because.\n}\n\n[html]<p>Which <b>gas</b> &amp; why?</p>{~O<sub>2</sub> =CO<sub>2</sub>}\n\nThe sky is {=blue ~green} today.\n",
    ),
    (
        "bank_aiken",
        "What is it?\r\nOn two lines?\r\nA. One\r\nB) Two\r\nANSWER: B\r\n\r\nNext?\r\nA. x\r\nB. y\r\nANSWER: A\r\n",
    ),
    (
        "bank_moodle",
        "<?xml version=\"1.0\"?>\n<quiz><question type=\"multichoice\"><name><text>N &amp; M</text></name><questiontext format=\"html\"><text><![CDATA[<p>Which <em>gas</em>?</p><img src=\"@@PLUGINFILE@@/a.png\"/>]]></text><file name=\"a.png\" encoding=\"base64\">iVBO</file></questiontext><generalfeedback><text>&lt;p&gt;It is &amp;amp; stays.&lt;/p&gt;</text></generalfeedback><answer fraction=\"100\"><text>Carbon &lt;i&gt;dioxide&lt;/i&gt;</text><feedback><text>Yes.</text></feedback></answer><answer fraction=\"0\" format=\"plain_text\"><text><![CDATA[Oxygen]]></text></answer></question></quiz>",
    ),
    (
        "bank_qti",
        "<questestinterop><item ident=\"i1\"><presentation><material><mattext>First.</mattext><mattext texttype=\"text/html\">&lt;b&gt;Why?&lt;/b&gt;</mattext></material><response_lid><render_choice><response_label ident=\"1\"><material><mattext>One</mattext><mattext>more</mattext></material></response_label><response_label ident=\"2\"><material><mattext>Two</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal>1</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing><itemfeedback ident=\"general_fb\"><material><mattext>Since.</mattext></material></itemfeedback></item></questestinterop>",
    ),
    (
        "bank_qti",
        "<assessmentItem identifier=\"i7\"><responseDeclaration cardinality=\"single\"><correctResponse><value>B</value></correctResponse></responseDeclaration><itemBody><p>Look at <b>this</b> &amp; that.</p><ul><li>one</li></ul><choiceInteraction><prompt>Which <em>gas</em>?</prompt><simpleChoice identifier=\"A\">O<sub>2</sub><feedbackInline>No.</feedbackInline></simpleChoice><simpleChoice identifier=\"B\"><p>CO<sub>2</sub></p></simpleChoice></choiceInteraction></itemBody><modalFeedback>Since.</modalFeedback></assessmentItem>",
    ),
    (
        "bank_table",
        "\u{feff}id,question,A,feedback A,B,C,key,explanation\r\n1,\"Why, \"\"now\"\"?\",One,So,Two,,B,Since.\r\n2, spaced ,'=1+1,,x,y,A,\r\n",
    ),
    (
        "bank_table",
        "sep=;\nFrage;Antwort 1;Antwort 2;L\u{f6}sung\nWas?;ja; nein ;A\n\nUnd?;-5;+5;B\n",
    ),
    ("bank_table", "question\tA\tB\tkey\nWhy?\tone\t two\tA\n"),
    ("bank_table", "题干|选项A|选项B|答案\n为什么？|一|二|A\n"),
];
