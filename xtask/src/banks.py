"""Banks that other programs write, through redraft: `banks.py REDRAFT NODE_FOLDER`.

Each bank is read, comes back byte for byte where nothing is to be fixed, and after a fix
the other programs read the same but for the one text.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from lxml import etree

redraft, node_folder = sys.argv[1:3]
folder = pathlib.Path(tempfile.mkdtemp(prefix="redraft-banks-"))
# A sign that a safe fix removes, between two words.
SIGN = "\u0081"
failures = []


def run(*words, code=(0, 1)):
    done = subprocess.run([redraft, *map(str, words)], capture_output=True, cwd=folder)
    if done.returncode not in code:
        failures.append(f"{words}: exit {done.returncode} {done.stderr.decode()}")
    return done.stdout


def gift(text):
    """The questions as gift-pegjs reads them."""
    program = "process.stdout.write(JSON.stringify(require('gift-pegjs').parse(require('fs').readFileSync(0, 'utf8'))))"
    done = subprocess.run(["node", "-e", program], input=text, capture_output=True, cwd=node_folder)
    if done.returncode != 0:
        failures.append(f"gift-pegjs: {done.stderr.decode()[-300:]}")
        return None
    return json.loads(done.stdout)


def members(data, name):
    """Every file of a package, or the one file, by name."""
    if not zipfile.is_zipfile(name):
        return {"": data}
    with zipfile.ZipFile(name) as package:
        return {member: package.read(member) for member in package.namelist()}


def texts(data):
    """All texts and attributes of XML, in their order."""
    parser = etree.XMLParser(strip_cdata=False, recover=True)
    root = etree.fromstring(data, parser)
    return [(one.tag, dict(one.attrib), one.text, one.tail) for one in root.iter()]


def check(name, items, mark):
    """Reads a bank, fixes a copy of it with a sign put into it, and compares."""
    path = folder / name
    before = path.read_bytes()
    converted = json.loads(run("convert", name, "-o", "-", "--to", "json") or b"[]")
    if len(converted) != items:
        failures.append(f"{name}: {len(converted)} items instead of {items}")
    run("check", name, "--fix", "-o", "same" + path.suffix)
    if (folder / ("same" + path.suffix)).read_bytes() != before:
        failures.append(f"{name}: changed although nothing was to be fixed")
    damaged = folder / ("damaged-" + name)
    put_sign(path, damaged, mark)
    run("check", damaged.name, "--fix", "-o", "fixed" + path.suffix)
    fixed = folder / ("fixed" + path.suffix)
    old, new = members(before, path), members(fixed.read_bytes(), fixed)
    if list(old) != list(new):
        failures.append(f"{name}: other files in the package")
    for member in old:
        if old[member] == new.get(member):
            continue
        if member and texts(old[member]) == texts(new[member]):
            continue
        failures.append(f"{name}: {member} differs after the fix")
    print(f"{name}: {len(converted)} items")


def put_sign(path, to, mark):
    marked = mark.replace(" ", " " + SIGN, 1).encode()
    if not zipfile.is_zipfile(path):
        data = path.read_bytes()
        assert mark.encode() in data, (path, mark)
        to.write_bytes(data.replace(mark.encode(), marked, 1))
        return
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as out:
        for info in package.infolist():
            data = package.read(info)
            out.writestr(info, data.replace(mark.encode(), marked, 1))


def text2qti():
    (folder / "quiz.txt").write_text(
        "Quiz title: Demo\n\nTitle: One\n1.  Which gas do plants take in from the air?\n... They need it.\n"
        "a)  Oxygen from leaves\n*b)  Carbon dioxide from air\nc)  Helium from stars\n\n"
        "2.  Which of these are metals at room temperature?\n[*]  Iron and steel\n[*]  Copper wire\n[ ]  Dry wood\n\n"
        "3.  Describe it.\n____\n"
    )
    tool = pathlib.Path(sys.executable).parent / "text2qti"
    subprocess.run([tool, "quiz.txt"], cwd=folder, check=True, capture_output=True)
    check("quiz.zip", 2, "plants take in")


def qti_package_maker():
    from qti_package_maker import package_interface

    maker = package_interface.QTIPackageInterface("demo", verbose=False, allow_mixed=True)
    maker.add_item("MC", ("<p>Which <b>gas</b> do plants take in?</p>", ["Oxygen gas", "Carbon dioxide", "Helium gas"], "Carbon dioxide"))
    maker.add_item("MC", ("Is 2 &lt; 3 in all cases?", ["Yes it is", "No it is not", "Only at times"], "Yes it is"))
    maker.add_item("NUM", ("How many?", 5.0, 0.1, True))
    here = pathlib.Path.cwd()
    for engine, name, mark in (
        ("canvas_qti_v1_2", "canvas.zip", "plants take"),
        ("blackboard_qti_v2_1", "blackboard.zip", "plants take"),
        ("moodle_aiken", "aiken.txt", "in all"),
    ):
        maker.save_package(engine, str(here / folder / name))
        check(name, 2, mark)


def moodle_questions():
    import moodle_questions as moodle

    quiz = moodle.Quiz()
    question = moodle.MultipleChoiceQuestion(name="One", question_text="Which gas do plants take in?", default_mark=1)
    for text, share in (("Oxygen gas", 0), ("Carbon dioxide", 100), ("Helium gas", 0)):
        question.add_answer(share, text)
    quiz.add_question(question)
    quiz.save(str(folder / "moodle.xml"))
    check("moodle.xml", 1, "plants take")


def gift_pegjs():
    text = (
        "// a comment\n$CATEGORY: a/b\n\n::One:: Which gas do plants take in? {\n=Carbon dioxide #Right \\= so.\n"
        "~Oxygen gas #Not so.\n~%-50%Helium gas\n####They need it.\n}\n\n::Two:: Two of them {~%50%a b ~%50%c d ~%-100%e f}\n\n"
        "[html]<p>Why <b>so</b> &amp; how?</p>{=yes ~no ~at times}\n\nSun is a star.{T}\n\nHow many?{#3:1}\n"
    )
    (folder / "bank.gift").write_text(text)
    check("bank.gift", 3, "plants take")
    if gift(text.encode()) != gift((folder / "fixed.gift").read_bytes()):
        failures.append("gift-pegjs reads something else after the fix")
    # What redraft writes, the other program reads, too.
    written = run("convert", "bank.gift", "-o", "-", "--to", "gift")
    questions = gift(written)
    if questions is not None and len(questions) != 3:
        failures.append(f"gift-pegjs reads {len(questions)} of 3 questions that were converted")


for tool in (text2qti, qti_package_maker, moodle_questions, gift_pegjs):
    try:
        tool()
    except Exception as error:  # noqa: BLE001 - the other suites go on
        failures.append(f"{tool.__name__}: {error!r}")
shutil.rmtree(folder, ignore_errors=True)
for failure in failures:
    print("FAILED", failure)
sys.exit(1 if failures else 0)
