//! Archives as programs write them, and as attackers do.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use proptest::prelude::*;

use super::*;
use crate::{BankFormat, cut};

const MOST: u64 = 1 << 20;

/// How a member is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Stored,
    Deflated,
    /// Deflated, with its sizes after the data.
    Streamed,
}

struct TestMember {
    name: String,
    content: Vec<u8>,
    packing: Packing,
    /// What the sizes claim instead of the truth.
    claimed: Option<u32>,
    flags: u16,
}

fn member(name: &str, content: &str, packing: Packing) -> TestMember {
    TestMember {
        name: name.to_owned(),
        content: content.as_bytes().to_vec(),
        packing,
        claimed: None,
        flags: 0,
    }
}

/// A zip archive, written without the code under test.
fn zipped(members: &[TestMember]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for member in members {
        let offset = u32::try_from(out.len()).unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(&member.content);
        let packed = if member.packing == Packing::Stored {
            member.content.clone()
        } else {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&member.content).unwrap();
            encoder.finish().unwrap()
        };
        let method: u16 = if member.packing == Packing::Stored {
            0
        } else {
            8
        };
        let is_streamed = member.packing == Packing::Streamed;
        let flags = member.flags | if is_streamed { 8 } else { 0 };
        let sizes = [
            crc.sum(),
            u32::try_from(packed.len()).unwrap(),
            member
                .claimed
                .unwrap_or(u32::try_from(member.content.len()).unwrap()),
        ];
        let name = member.name.as_bytes();
        let head = |sizes: [u32; 3]| {
            let mut head = Vec::new();
            head.extend(20_u16.to_le_bytes());
            head.extend(flags.to_le_bytes());
            head.extend(method.to_le_bytes());
            head.extend([0x12, 0x34, 0x56, 0x57]);
            sizes
                .iter()
                .for_each(|size| head.extend(size.to_le_bytes()));
            head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
            head.extend(4_u16.to_le_bytes());
            head
        };
        out.extend(b"PK\x03\x04");
        out.extend(head(if is_streamed { [0; 3] } else { sizes }));
        out.extend(name);
        out.extend([0xCA, 0xFE, 0, 0]);
        out.extend(packed);
        if is_streamed {
            out.extend(b"PK\x07\x08");
            sizes.iter().for_each(|size| out.extend(size.to_le_bytes()));
        }
        directory.extend(b"PK\x01\x02");
        directory.extend(20_u16.to_le_bytes());
        directory.extend(head(sizes));
        directory.extend([0; 2 + 2 + 2 + 4]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name);
        directory.extend([0xCA, 0xFE, 0, 0]);
    }
    let start = u32::try_from(out.len()).unwrap();
    let length = u32::try_from(directory.len()).unwrap();
    let count = u16::try_from(members.len()).unwrap();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(5_u16.to_le_bytes());
    out.extend(b"hello");
    out
}

fn question(stem: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\r\n<questestinterop><item ident=\"i\"><presentation><material><mattext>{stem}</mattext></material><response_lid><render_choice><response_label ident=\"a\"><material><mattext>One</mattext></material></response_label><response_label ident=\"b\"><material><mattext>Two</mattext></material></response_label></render_choice></response_lid></presentation><resprocessing><respcondition><conditionvar><varequal>a</varequal></conditionvar><setvar>100</setvar></respcondition></resprocessing></item></questestinterop>"
    )
}

fn package() -> Vec<TestMember> {
    vec![
        member("imsmanifest.xml", "<manifest/>", Packing::Stored),
        member("q/a.xml", &question("Why A?"), Packing::Deflated),
        member("q/image.png", "\u{89}PNG not xml", Packing::Deflated),
        member("q/b.xml", &question("Why B?"), Packing::Streamed),
        member("q/meta.xml", "<quiz_meta>x</quiz_meta>", Packing::Streamed),
    ]
}

#[test]
fn the_questions_of_all_files_are_one_text_and_go_back_where_they_came_from() {
    let zip = zipped(&package());
    let unpacked = unpack(&zip, MOST).unwrap().unwrap();
    assert_eq!(unpacked.kind, ArchiveKind::Package);
    let bank = cut(&unpacked.text, BankFormat::Qti).unwrap();
    assert_eq!(bank.questions.len(), 2);
    assert!(bank.troubles.is_empty(), "{:?}", bank.troubles);
    assert_eq!(pack(&zip, &unpacked.text, MOST).unwrap(), zip);
    let changed = unpacked.text.replace("Why B?", "Why ever B &amp; so on?");
    let packed = pack(&zip, &changed, MOST).unwrap();
    assert_eq!(unpack(&packed, MOST).unwrap().unwrap().text, changed);
    // Everything up to the changed file is the same, and so is each file after it.
    let same = zip.windows(7).position(|part| part == b"q/b.xml").unwrap();
    assert_eq!(packed[..same - 30], zip[..same - 30]);
    let (before, after) = (
        zip::Archive::read(&zip).unwrap(),
        zip::Archive::read(&packed).unwrap(),
    );
    for (before, after) in before.members.iter().zip(&after.members) {
        assert_eq!(before.name, after.name);
    }
    let raw = |zip: &[u8]| {
        let start = zip.windows(10).position(|part| part == b"q/meta.xml");
        let end = zip.windows(4).position(|part| part == b"PK\x01\x02");
        zip[start.unwrap() - 30..end.unwrap()].to_vec()
    };
    assert_eq!(raw(&packed), raw(&zip));
    assert!(packed.ends_with(b"hello"));
}

#[test]
fn canvas_writes_a_course_twice_and_its_own_copy_counts() {
    let zip = zipped(&[
        member(
            "g1/assessment_qti.xml",
            &question("Why?"),
            Packing::Deflated,
        ),
        member(
            "non_cc_assessments/g1.xml.qti",
            &question("Why?"),
            Packing::Deflated,
        ),
        member(
            "g2/assessment_qti.xml",
            &question("How?"),
            Packing::Deflated,
        ),
    ]);
    let text = unpack(&zip, MOST).unwrap().unwrap().text;
    assert_eq!(cut(&text, BankFormat::Qti).unwrap().questions.len(), 2);
    assert!(text.contains("non_cc_assessments/g1") && text.contains("g2/assessment_qti"));
}

#[test]
fn archives_made_to_deceive_are_refused() {
    let with = |change: fn(&mut Vec<TestMember>)| {
        let mut members = package();
        change(&mut members);
        unpack(&zipped(&members), MOST).unwrap_err()
    };
    for name in [
        "../a.xml",
        "/etc/a.xml",
        "C:\\a.xml",
        "a/../../b.xml",
        "..\\a",
        "a\n.xml",
    ] {
        let mut members = package();
        members[2].name = name.to_owned();
        assert_eq!(
            unpack(&zipped(&members), MOST).unwrap_err(),
            ArchiveError::UnsafeName(name.to_owned())
        );
    }
    assert!(matches!(
        with(|m| m[0].flags = 1),
        ArchiveError::Encrypted(_)
    ));
    assert!(matches!(
        with(|m| m[0].name = "q/a.xml".to_owned()),
        ArchiveError::SameName(_)
    ));
    // A bomb: what unpacks to more than is allowed, or to more than it says.
    assert_eq!(
        with(|m| m[1].content = vec![b' '; 2 << 20]),
        ArchiveError::TooLarge(MOST)
    );
    assert!(matches!(
        with(|m| {
            m[1].content = vec![b' '; 64 << 20];
            m[1].claimed = Some(100);
        }),
        ArchiveError::DamagedMember(_)
    ));
    // Many that are allowed alone are too large together.
    assert_eq!(
        with(|m| {
            for number in 0..4 {
                m.push(member(
                    &format!("{number}.xml"),
                    &" ".repeat(400_000),
                    Packing::Deflated,
                ));
            }
        }),
        ArchiveError::TooLarge(MOST)
    );
    let nested = zipped(&[member("inner.zip", "PK", Packing::Stored)]);
    assert!(matches!(
        unpack(&nested, MOST),
        Err(ArchiveError::Nested(_))
    ));
    let other = zipped(&[member("word/document.xml", "<w/>", Packing::Stored)]);
    assert_eq!(unpack(&other, MOST), Ok(None));
    assert_eq!(unpack(b"<quiz/>", MOST), Ok(None));
}

#[test]
fn members_that_share_bytes_or_have_two_names_are_refused() {
    let zip = zipped(&package());
    let at = |zip: &[u8], sign: &[u8], number: usize| {
        let mut places = (0..zip.len()).filter(|at| zip[*at..].starts_with(sign));
        places.nth(number).unwrap()
    };
    // The second record points at the first file.
    let mut shared = zip.clone();
    let (first, second) = (at(&zip, b"PK\x01\x02", 1), at(&zip, b"PK\x01\x02", 3));
    let place: Vec<u8> = zip[first + 42..first + 46].to_vec();
    shared[second + 42..second + 46].copy_from_slice(&place);
    assert!(matches!(
        unpack(&shared, MOST),
        Err(ArchiveError::TwoNames(_))
    ));
    let mut long = zip.clone();
    long[first + 20..first + 24].copy_from_slice(&1000_u32.to_le_bytes());
    assert!(matches!(
        unpack(&long, MOST),
        Err(ArchiveError::Overlapping(_))
    ));
    let mut large = zip;
    large[first + 20..first + 24].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(unpack(&large, MOST), Err(ArchiveError::Zip64));
}

const CONTENT: &str = r#"<?xml version="1.0"?><workbook xmlns:r="r"><sheets><sheet name="Info" r:id="rId9"/><sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets></workbook>"#;
const LINKS: &str = r#"<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/><Relationship Id="rId9" Target="worksheets/sheet9.xml"/></Relationships>"#;
const STRINGS: &str = r#"<sst><si><t>Frage</t></si><si><t>Antwort A</t></si><si><t>Antwort B</t></si><si><t>Lösung</t></si><si><r><t xml:space="preserve">Was ist </t></r><r><rPr><b/></rPr><t>2 &lt; 3, "ja"</t></r><rPh><t>hidden</t></rPh></si><si><t>=1+1</t></si></sst>"#;

fn workbook() -> Vec<TestMember> {
    let sheet1 = r#"<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Bank 2026</t></is></c></row><row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c><c r="D3" t="s"><v>3</v></c></row><row r="4"><c r="A4" t="s"><v>4</v></c><c r="B4" t="s"><v>5</v></c><c r="C4"><f>A1*2</f><v>42</v></c><c r="D4" t="str"><f>"A"</f><v>A</v></c></row></sheetData><mergeCells><mergeCell ref="A1:D1"/></mergeCells></worksheet>"#;
    let sheet2 = r#"<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>key</t></is></c><c r="B1" t="inlineStr"><is><t>question</t></is></c><c r="C1" t="inlineStr"><is><t>option b</t></is></c><c r="D1" t="inlineStr"><is><t>option a</t></is></c><c r="E1" t="inlineStr"><is><t>explanation</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>B</t></is></c><c r="B2" t="inlineStr"><is><t>Why?</t></is></c><c r="C2" t="b"><v>1</v></c><c r="D2" t="str"><f>HYPERLINK("x")</f><v>=x</v></c><c r="E2"><v>0.30000000000000004</v></c></row></sheetData></worksheet>"#;
    let sheet9 = r#"<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Read me</t></is></c></row></sheetData></worksheet>"#;
    vec![
        member("[Content_Types].xml", "<Types/>", Packing::Deflated),
        member("xl/workbook.xml", CONTENT, Packing::Deflated),
        member("xl/_rels/workbook.xml.rels", LINKS, Packing::Deflated),
        member("xl/sharedStrings.xml", STRINGS, Packing::Deflated),
        member("xl/worksheets/sheet1.xml", sheet1, Packing::Deflated),
        member("xl/worksheets/sheet2.xml", sheet2, Packing::Deflated),
        member("xl/worksheets/sheet9.xml", sheet9, Packing::Deflated),
    ]
}

#[test]
fn a_workbook_is_the_table_of_its_sheets() {
    let zip = zipped(&workbook());
    let unpacked = unpack(&zip, MOST).unwrap().unwrap();
    assert_eq!(unpacked.kind, ArchiveKind::Workbook);
    let table = "Frage,Antwort A,Antwort B,Lösung,explanation\n\"Was ist 2 < 3, \"\"ja\"\"\",'=1+1,42,A\nWhy?,'=x,TRUE,B,0.3\n";
    assert_eq!(
        unpacked.text,
        format!("{table}<?redraft-unread sheet Info?>\n")
    );
    assert_eq!(without_marks(&unpacked.text), table);
    let bank = cut(&unpacked.text, BankFormat::Table).unwrap();
    assert_eq!(bank.questions.len(), 2);
    assert_eq!(unread_in(&unpacked.text, &bank), ["sheet Info"]);
    assert_eq!(
        pack(&zip, &unpacked.text, MOST),
        Err(ArchiveError::ReadOnly)
    );
}

fn unread_in<'a>(text: &'a str, bank: &crate::Bank) -> Vec<&'a str> {
    let troubles = bank.troubles.iter();
    let unread = troubles.filter(|trouble| trouble.what == crate::TroubleKind::Unread);
    unread
        .map(|trouble| unread_name(&text[trouble.range.clone()]))
        .collect()
}

#[test]
fn a_sheet_that_is_missing_is_no_sheet_that_is_skipped() {
    for (file, old, new) in [
        ("xl/workbook.xml", "r:id=\"rId2\"", "r:id=\"rId7\""),
        ("xl/_rels/workbook.xml.rels", "sheet2.xml", "sheet3.xml"),
    ] {
        let mut members = workbook();
        let member = members.iter_mut().find(|member| member.name == file);
        let member = member.unwrap();
        let text = String::from_utf8(member.content.clone()).unwrap();
        assert!(text.contains(old));
        member.content = text.replace(old, new).into();
        let refused = unpack(&zipped(&members), MOST);
        assert!(
            matches!(refused, Err(ArchiveError::DamagedMember(_))),
            "{file}: {refused:?}"
        );
    }
    // Any prefix may stand for the name space of links.
    let mut members = workbook();
    let content = CONTENT.replace("r:id", "d3p1:id");
    members[1].content = content.into();
    assert!(unpack(&zipped(&members), MOST).unwrap().is_some());
}

#[test]
fn what_a_package_holds_beside_its_questions_is_named() {
    let item = "<questestinterop><item ident=\"a\"><presentation><response_lid><render_choice></render_choice></response_lid></presentation></item></questestinterop>";
    let zip = zipped(&[
        member("imsmanifest.xml", "<manifest/>", Packing::Deflated),
        member("a.xml", item, Packing::Deflated),
        member("settings.xml", "<course/>", Packing::Deflated),
        member(
            "a/assessment_meta.xml",
            "<quiz identifier=\"a\"><title>Quiz</title></quiz>",
            Packing::Deflated,
        ),
        member("web/picture.PNG", "png", Packing::Stored),
        member("more/", "", Packing::Stored),
        member(
            ".bb-package-info",
            "cx.package.info.version=6.0",
            Packing::Stored,
        ),
        member("__MACOSX/more/._notes.txt", "Mac", Packing::Stored),
        member("more/week, 2.zip", "PK", Packing::Stored),
        member("more/b<?>.gift", "Why? {=a ~b}\n", Packing::Deflated),
        member("more/notes.txt", "Some notes.", Packing::Deflated),
        member("pages/one.html", "<p>1</p>", Packing::Deflated),
        member(
            "quiz.xml",
            "<quiz><question type=\"essay\"></question></quiz>",
            Packing::Deflated,
        ),
        member("list.xlsx", "PK", Packing::Stored),
    ]);
    let unpacked = unpack(&zip, MOST).unwrap().unwrap();
    let bank = cut(&unpacked.text, BankFormat::Qti).unwrap();
    assert_eq!(
        unread_in(&unpacked.text, &bank),
        [
            "more/week, 2.zip",
            "more/b___.gift",
            "quiz.xml",
            "list.xlsx",
            "more/notes.txt, pages/one.html",
        ]
    );
    assert_eq!(pack(&zip, &unpacked.text, MOST).as_ref(), Ok(&zip));
    let changed = unpacked.text.replace("ident=\"a\"", "ident=\"b\"");
    let again = unpack(&pack(&zip, &changed, MOST).unwrap(), MOST).unwrap();
    assert_eq!(again.unwrap().text, changed);
}

#[test]
fn a_cell_without_its_value_is_refused_where_it_is_read() {
    let with = |old: &str, new: &str| {
        let mut members = workbook();
        let sheet = String::from_utf8(members[5].content.clone()).unwrap();
        assert!(sheet.contains(old));
        members[5].content = sheet.replace(old, new).into();
        unpack(&zipped(&members), MOST)
    };
    let value = "<v>=x</v></c>";
    let computed = r#" t="str"><f>HYPERLINK("x")</f><v>=x</v></c>"#;
    for (old, new, place) in [
        (value, "</c>", "D2"),
        (value, "<v></v></c>", "D2"),
        (computed, " t=\"e\"><v>#DIV/0!</v></c>", "D2"),
    ] {
        let refused = Err(ArchiveError::NoValue(place.to_owned()));
        assert_eq!(with(old, new), refused, "{new}");
    }
    // Beside the questions it does not matter.
    let beside = "</c><c r=\"H2\"><f>COUNT(A1)</f></c>";
    assert!(
        with(
            "</c></row></sheetData>",
            &format!("{beside}</row></sheetData>")
        )
        .is_ok()
    );
    // A text that is missing, and a sheet that is cut.
    for (old, new) in [
        ("t=\"inlineStr\"><is><t>Why?</t></is>", "t=\"s\"><v>99</v>"),
        ("</row></sheetData></worksheet>", ""),
    ] {
        assert!(
            matches!(with(old, new), Err(ArchiveError::DamagedMember(_))),
            "{old}"
        );
    }
}

#[test]
fn links_and_other_banks_in_an_archive_are_named() {
    let mut zip = zipped(&package());
    let record = (0..zip.len())
        .find(|at| zip[*at..].starts_with(b"PK\x01\x02"))
        .unwrap();
    zip[record + 5] = 3;
    zip[record + 38..record + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
    assert!(matches!(unpack(&zip, MOST), Err(ArchiveError::Link(_))));
    let moodle = zipped(&[member("a/quiz.xml", "<quiz></quiz>", Packing::Deflated)]);
    let named = Err(ArchiveError::OtherBank("a/quiz.xml".to_owned()));
    assert_eq!(unpack(&moodle, MOST), named);
    // Questions in an encoding that nobody can read are not passed over.
    let mut members = package();
    let name = "extra.xml";
    let item = "<?xml version=\"1.0\"?><assessmentItem identifier=\"x\">\u{e4}</assessmentItem>";
    let mut extra = member(name, item, Packing::Deflated);
    extra.content = item
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    members.push(extra);
    let refused = Err(ArchiveError::Encoding(name.to_owned()));
    assert_eq!(unpack(&zipped(&members), MOST), refused);
}

#[test]
fn a_workbook_that_repeats_a_long_text_is_bounded() {
    let mut members = workbook();
    members[3].content = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(100_000)).into();
    let row = "<row>".to_owned() + &"<c t=\"s\"><v>0</v></c>".repeat(200) + "</row>";
    members[4].content = format!("<worksheet>{}</worksheet>", row.repeat(100)).into();
    assert_eq!(
        unpack(&zipped(&members), MOST).unwrap_err(),
        ArchiveError::TooLarge(MOST)
    );
    // Neither does a place far away make the table large.
    let far = r#"<worksheet><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row></worksheet>"#;
    members[4].content = far.into();
    assert!(unpack(&zipped(&members), MOST).unwrap().unwrap().text.len() < 1_000);
}

proptest! {
    #[test]
    fn a_damaged_archive_is_an_error_or_is_read_and_put_back(
        place in 0_usize..4_000,
        byte in any::<u8>(),
        cut_at in 0_usize..4_000,
        of_workbook in any::<bool>(),
    ) {
        let mut zip = zipped(&if of_workbook { workbook() } else { package() });
        let at = place % zip.len();
        zip[at] = byte;
        if cut_at < 2_000 {
            zip.truncate(zip.len().saturating_sub(cut_at));
        }
        if let Ok(Some(unpacked)) = unpack(&zip, MOST)
            && unpacked.kind == ArchiveKind::Package
        {
            prop_assert_eq!(pack(&zip, &unpacked.text, MOST).unwrap(), zip);
        }
    }
}
