"""A course file is read, and what is wrong in it is told in one sentence with its line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.cli import main
from sdcwidgets.teaching.course import parse, read, ready
from sdcwidgets.teaching.course.addresses import address_of
from sdcwidgets.teaching.course.goals import goal_on
from sdcwidgets.teaching.course.reading import LONGEST

HEAD = 'title = "T"\nminutes = 60\n'
STEP = '\n[[step]]\ntitle = "One"\nminutes = 5\n'


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (HEAD + "[[step", "line 3", "valid TOML"),
        (HEAD + STEP + "minutes = 6", "line 7", "valid TOML"),
        ('title = "T"\n' + STEP, "line 1", "minutes is None"),
        (HEAD, "line 1", "there are 0 steps"),
        ("minutes = 60\n" + STEP, "line 1", "needs a title"),
        (HEAD + STEP + STEP.replace("5", "56"), "line 2", "take 61 minutes"),
        (HEAD + STEP + STEP.replace("5", "-5"), "line 10", "minutes is -5"),
        (HEAD + STEP + 'text = """\n[[step]]\nminutes = 1\n"""\nhints = "x"', "line 11", '"hints"'),
        (HEAD + STEP + 'page = "nowhere"', "line 7", "no page"),
        (HEAD + STEP + 'page = "protect.ipynb?state=<b>"', "line 7", "damaged"),
        (
            HEAD + STEP + 'page = "protect"\npart = "Entropy"',
            "line 8",
            "have parts",
        ),
        (
            HEAD + STEP + 'page = "02-protect-a-table"\npart = "Entropy"',
            "line 8",
            "this lesson",
        ),
        (
            HEAD + STEP + 'page = "protect"\ngoal = "risk is low"\nsolution = "protect"',
            "line 8",
            "not a goal",
        ),
        (
            HEAD + STEP + 'page = "protect"\ngoal = "__import__ < 1"\nsolution = "protect"',
            "line 8",
            "not a goal",
        ),
        (
            HEAD + STEP + 'page = "protect"\ngoal = "beauty > 1"\nsolution = "protect"',
            "line 8",
            "risk, loss",
        ),
        (HEAD + STEP + 'page = "protect"\ngoal = "risk < 1"', "line 8", "a solution"),
        (HEAD + STEP + 'goal = "risk < 1"\nsolution = ""', "line 7", "a page"),
        (HEAD + STEP + 'page = "protect"\nsolution = "who"', "line 8", "this step"),
        (HEAD + STEP + 'options = ["a", "b"]\nanswer = 3', "line 8", "from 1 to 2"),
        (HEAD + STEP + 'options = ["a", "b"]', "line 4", "from 1 to 2"),
        (HEAD + STEP + 'options = ["a"]\nanswer = 1', "line 7", "two answer options"),
        (HEAD + STEP + "answer = true", "line 7", "must be a number"),
        (HEAD + STEP + "answer = nan", "line 7", "must be a number"),
        (HEAD + STEP + "text = 5", "line 7", "must be a text"),
        (HEAD + STEP + 'text = "' + 3000 * "x" + '"', "line 7", "maximum is 2,000"),
        (HEAD + 'language = "<b>"\n' + STEP, "line 3", "a code such as en"),
        (HEAD + "step = 3", "line 3", "[[step]]"),
        (HEAD + STEP + 'written = "yes"', "line 7", "true or false"),
        (HEAD + STEP + "written = true\nanswer = 3", "line 7", "the key answer"),
        (HEAD + STEP + 'note = "\\u0001"', "line 7", "be shown"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, line, why):
    with pytest.raises(InputError) as told:
        parse(text, "my.toml")
    sentence = str(told.value)
    assert sentence.startswith(f"my.toml, {line}: ")
    assert why in sentence
    assert "\n" not in sentence


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    whole = HEAD + STEP + 'page = "protect"\ngoal = ["risk < 1"]\nsolution = "protect"' + STEP + "answer = 3"
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    text = whole[:start] + data.draw(st.text(max_size=8)) + whole[end:]
    faults = []
    try:
        assert parse(text).steps
    except InputError as error:
        faults = str(error).split("\n")
    assert all(fault.endswith(".") for fault in faults), faults


def test_files_that_are_none(tmp_path):
    long, other = tmp_path / "long.toml", tmp_path / "latin.toml"
    long.write_bytes(b"#" * (LONGEST + 1))
    other.write_bytes(b"title = '\xe9'")
    for name, why in (
        (long, "maximum for"),
        (other, "not UTF-8"),
        (tmp_path, "be read"),
        (tmp_path / "none.toml", ", ".join(ready())),
        ("\0", "valid file"),
    ):
        with pytest.raises(InputError, match=why):
            read(str(name))


def test_an_address_that_was_copied_leads_to_its_page_and_state():
    address = "http://room:8866/voila/render/protect.ipynb?key=abc&state=eJy-_0"
    place = parse(f'{HEAD}{STEP}page = "{address}"').steps[0].opening
    assert (place.page, place.state, place.tab) == ("protect", "eJy-_0", 0)


def test_an_address_keeps_the_tab_that_was_open():
    step = parse(f'{HEAD}{STEP}page = "protect.ipynb?state=eJy&tab=2"').steps[0]
    assert address_of(step, 1, "http://room/").endswith("protect.ipynb?step=1&state=eJy&tab=2")


def test_words_of_another_language_stay_as_they_are(tmp_path):
    file = tmp_path / "kurs.toml"
    text = HEAD.replace('"T"', '"Häufigkeiten <b>"') + 'language = "de"\n' + STEP
    file.write_text(text, "utf-8")
    course = read(str(file))
    assert (course.title, course.language) == ("Häufigkeiten <b>", "de")


@pytest.mark.parametrize(
    ("former", "page", "name"),
    [
        ("gaps = 4", "suppression", "suppressed cells"),
        ("stops = 0", "protect", "violations"),
        ("ways >= 4", "who", "assignments"),
        ("totals apart = 0", "rounding", "nonadditive totals"),
    ],
)
def test_former_names_of_quantities_are_read(former, page, name):
    assert goal_on(former, page).quantity == name


@pytest.mark.parametrize(
    ("lesson", "part", "new"),
    [
        ("01-how-much-does-a-table-give-away", "Property 2: small counts", "01b-from-entropy-to-risk"),
        ("02-protect-a-table", "Three limits", "02b-choose-a-method"),
        ("02-protect-a-table", "Two formulas of R₂", "07-what-the-reader-still-does-not-know"),
        ("02b-choose-a-method", "Two formulas of R₂", "07-what-the-reader-still-does-not-know"),
        ("06-intruders-and-suppression", "Insiders", "06b-suppress-cells"),
        ("14-a-table-generator", "Defend it", "14b-choose-a-release-policy"),
    ],
)
def test_a_part_that_moved_opens_its_new_lesson(lesson, part, new):
    course = parse(HEAD + STEP + f'page = "{lesson}"\npart = "{part}"', "course.toml")
    assert course.steps[0].opening.page == new
    assert course.steps[0].opening.part == part


def test_a_part_is_found_by_its_former_name():
    page = 'page = "14-a-table-generator"\npart = "Build a policy"'
    opening = parse(HEAD + STEP + page, "course.toml").steps[0].opening
    assert opening.page == "14b-choose-a-release-policy"
    assert opening.part == "Compare six policies"


def test_all_faults_of_a_course_are_listed_at_once():
    """Seven different faults of a file: each is one line."""
    text = (
        HEAD.replace("title", "titel")
        + STEP
        + 'page = "nowhere"\n'
        + STEP
        + 'options = ["a", "b"]\nanswer = 7\ncolour = "red"\n'
        + STEP
        + 'page = "explore"\ngoal = "risc < 1"\n'
    )
    with pytest.raises(InputError) as error:
        parse(text, "kurs.toml")
    faults = str(error.value).splitlines()
    assert [fault.partition(":")[0].removeprefix("kurs.toml, line ") for fault in faults] == [
        "1", "1", "7", "14", "13", "20", "20",
    ]  # fmt: skip
    assert all(fault.startswith("kurs.toml, line ") for fault in faults)


@pytest.mark.parametrize(
    ("step", "lines"),
    [
        ('page = "explore"\ngoal = ["risk << 3", "foo < 2"]\nsolution = "explore"\n', [8, 8]),
        ('page = "nowhere"\ngoal = "risk is low"\n', [7, 8, 8]),
        ('page = "nowhere"\npart = "Entropy"\ngoal = "risk < 1"\nsolution = "explore"\n', [7]),
        ('options = ["a", "b"]\nanswer = 5\nnote = 3\ntolerance = "x"\n', [8, 10, 9]),
        ('text = 1\nwhy = 2\nhint = 3\nnote = 4\nwritten = "yes"\n', [7, 8, 9, 10, 11]),
    ],
)
@pytest.mark.parametrize("minutes", ["minutes = 5\n", "minutes = 99\n", ""])
def test_all_faults_of_one_step_are_listed_at_once(step, lines, minutes):
    """Missing minutes, or too many for the course, hide no other fault of the step."""
    moved = 0 if minutes else -1
    with pytest.raises(InputError) as error:
        parse(HEAD + STEP.replace("minutes = 5\n", minutes) + step, "kurs.toml")
    expected = [line + moved for line in lines]
    if not minutes:
        expected = [4, *expected]
    if "99" in minutes:
        expected = [*expected, 2]
    faults = str(error.value).splitlines()
    assert [fault.partition(":")[0] for fault in faults] == [f"kurs.toml, line {line}" for line in expected]


def test_check_lists_the_faults_of_all_tasks(tmp_path, capsys):
    task = STEP + 'page = "explore"\ngoal = "people > 0"\nsolution = "explore"\n'
    file = tmp_path / "kurs.toml"
    file.write_text(HEAD + task + task.replace("One", "Two"), "utf-8")
    assert main(["course", "check", str(file)]) == 2
    assert [line[:6] for line in capsys.readouterr().err.splitlines()] == ["Step 1", "Step 2"]
