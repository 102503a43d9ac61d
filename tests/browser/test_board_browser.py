"""A course in real browsers: two trainees and the trainer's board, a projector, and progress taken along as a file."""

import csv
import io
import json
import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from sdcwidgets.teaching.course import read
from sdcwidgets.teaching.course.addresses import address_of, page_of
from sdcwidgets.teaching.course.goals import conditions
from serving import free_port, running, serve
from shared import box, settled, until

NAME = "frequency-tables-and-entropy"
COURSE = read(NAME)
QUESTION = next(k for k, step in enumerate(COURSE.steps) if step.kind == "question" and step.options)
TASK = next(k for k, step in enumerate(COURSE.steps) if step.goal and step.opening.page == "who")

#: 1280 x 720 at 150 %, in CSS pixels.
PROJECTOR = {"viewport": {"width": 853, "height": 480}, "device_scale_factor": 1.5}


@pytest.fixture(scope="module")
def taught():
    port = free_port()
    command = serve(port)
    command += ["--course", NAME, "--trainer", "other-word", "--preheat", "2"]
    with running(command, f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def tolerated():
    """A page that is left while its kernel starts, or asks for it after its server ended, says so in the console."""
    return ("WebSocket", "net::ERR", "voila/api/shutdown", "api/kernels")


def join(page, taught, animal):
    """Join the session as an animal; each test takes others, since a name is taken until the server ends."""
    page.goto(f"{taught}course")
    page.get_by_role("button", name=animal, exact=True).click()
    expect(page.get_by_role("region", name="Course")).to_contain_text(f"1 of {len(COURSE.steps)}")
    return page


def show(board, step):
    """Let the board show a step, from wherever it is."""
    while (
        at := int(
            re.match(r"Step (\d+) of", board.get_by_text(re.compile(r"^Step \d+ of \d+ ·")).inner_text())[1]
        )
    ) != step + 1:
        board.get_by_role("button", name="Next step" if at <= step else "Previous step").click()
        expect(board.get_by_text(re.compile(rf"^Step {at} of \d+ ·"))).to_be_hidden()


def last_states(page):
    """The last states of the steps, which a browser keeps."""
    kept = "Object.entries(localStorage).find(([name]) => name.startsWith('sdc:course'))[1]"
    return json.loads(page.evaluate(kept))["last"]


def fits(page):
    """Whether nothing lies beyond the right edge."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_board_a_badger_and_a_donkey(taught, new_page, axe):
    board = new_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    badger, donkey = (join(new_page(), taught, animal) for animal in ("badger", "donkey"))
    show(board, QUESTION)
    board.get_by_role("button", name="Move all to this step").click()
    step = COURSE.steps[QUESTION]
    for page, place in ((badger, int(step.answer) - 1), (donkey, int(step.answer) % len(step.options))):
        page.get_by_role("button", name=step.options[place], exact=True).click()
    expect(badger.get_by_role("status").filter(has_text=step.why)).to_be_visible()
    expect(donkey.get_by_role("status").filter(has_text="Not yet")).to_be_visible()
    # The feedback is the same after a reload.
    for page, words in ((badger, step.why), (donkey, step.hint)):
        page.reload()
        expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()

    # What was answered is hidden until the trainer reveals it, and no trainee is told of another.
    now = board.get_by_role("main", name="Trainer view")
    expect(now).to_contain_text("2 answers received. The answers of the participants are hidden.")
    assert step.why not in board.content()
    board.get_by_role("button", name="Show answers").click()
    expect(board.get_by_role("img", name="Answers")).to_be_visible()
    expect(now).to_contain_text(step.why)
    # The participants see the solution; what they answer now is counted apart.
    solution = step.options[int(step.answer) - 1]
    expect(donkey.locator("#sdc-course .solution")).to_contain_text(solution)
    expect(donkey.locator("#sdc-course .solution")).to_contain_text(step.why)
    # A participant who was right has read the explanation.
    expect(badger.locator("#sdc-course .solution")).to_contain_text(solution)
    expect(badger.get_by_text(step.why)).to_have_count(1)
    # A corrected answer completes the question, and the chart keeps the first answer.
    expect(now).to_contain_text("1 completed this step")
    donkey.get_by_role("button", name=solution, exact=True).click()
    expect(now).to_contain_text("2 completed this step")
    expect(now).to_contain_text("1 of 2 participants corrected")
    bear = join(new_page(), taught, "bear")
    board.get_by_role("button", name="Move all to this step").click()
    bear.get_by_role("button", name=solution, exact=True).click()
    expect(now).to_contain_text("1 more answered after the answer was shown")
    assert "donkey" not in badger.content()
    assert fits(board)
    assert box(board.get_by_role("banner"))["height"] < 60  # one line, with all its buttons
    assert axe(board) == []

    # What is taken away names nobody.
    board.get_by_text("Downloads").click()
    with board.expect_download() as download:
        board.get_by_role("link", name="Results (CSV)").click()
    text = download.value.path().read_text("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    first = [(step.right(line["first answer"]), line["right"], line["late"]) for line in lines]
    assert sorted(first) == [(False, "yes", "no"), (True, "yes", "no"), (True, "yes", "yes")]
    assert {line["person"] for line in lines} == {"1", "2", "3"}
    assert not re.search("badger|donkey|bear|[0-9a-f]{32}", text)

    # Participants who left are removed, and their names are free.
    bear.close()
    board.get_by_text("Participants by step").click()
    board.get_by_role("button", name="Remove 1 who left").click()
    expect(now.get_by_text("bear", exact=True)).to_have_count(0)
    expect(now.get_by_text("badger", exact=True)).to_be_visible()


def test_a_question_is_read_from_the_back_of_a_room(taught, new_page):
    board = new_page(viewport={"width": 1280, "height": 720})
    board.goto(f"{taught}course/board?trainer=other-word")
    board.get_by_label("Step", exact=True).select_option(str(QUESTION))
    reveal = board.locator("#reveal")
    expect(reveal).to_be_visible()
    if reveal.inner_text().startswith("Hide"):  # by the test before
        reveal.click()
    options = board.locator(".options li")
    expect(options).to_have_count(len(COURSE.steps[QUESTION].options))
    for part in (board.get_by_role("heading", level=1), options.first):
        assert part.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 32
    expect(options.last).to_be_in_viewport(ratio=1)
    expect(board.locator("details[data-name=participants] table")).to_be_hidden()
    assert fits(board)
    number = board.get_by_label("Step", exact=True)
    for step in range(len(COURSE.steps)):
        number.select_option(str(step))
        title = board.get_by_role("heading", level=1)
        expect(title).to_have_text(COURSE.steps[step].title)
        for part in (title, board.locator("section > p:not(.mute)").first):
            assert part.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 32
        for part in board.locator("section p:visible").all():
            assert part.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 24
        if COURSE.steps[step].goal:
            drawn = board.locator(".map svg")
            expect(drawn).to_be_in_viewport(ratio=1)
            # The size of a label on the screen, with the scale of the drawing.
            scaled = "svg => svg.getScreenCTM().a * parseFloat(getComputedStyle(svg).fontSize)"
            assert drawn.evaluate(scaled) >= 24
            # The explanation leaves the map in sight.
            board.locator("#reveal").click()
            expect(board.locator(".why")).to_be_visible()
            expect(drawn).to_be_in_viewport(ratio=1)
            assert fits(board)
            board.locator("#reveal").click()
            expect(board.locator(".why")).to_have_count(0)
            # The notes are closed at each step, since they may contain its hint.
            notes = board.locator("details[data-name=trainer]")
            assert not notes.evaluate("part => part.open")
            notes.locator("summary").click()
    board.get_by_text("Join page", exact=True).click()
    address = board.locator(".way p")
    assert address.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 24
    expect(address).to_be_in_viewport(ratio=1)
    assert fits(board)


def test_the_trainer_opens_the_page_of_a_step_without_a_name(taught, new_page):
    board = new_page(viewport={"width": 1280, "height": 720})
    board.goto(f"{taught}course/board?trainer=other-word")
    show(board, TASK)
    online = board.get_by_text(re.compile("participants online"))
    before = re.search(r"(\d+) of \d+ participants online", online.inner_text())[0]
    with board.expect_popup() as popup:
        board.get_by_role("link", name="Open the page of this step").click()
    page = popup.value
    expect(page.get_by_role("textbox", name="G, published, c₂")).to_have_value("2")
    expect(page.locator("#sdc-course")).to_have_count(0)
    expect(online).to_contain_text(before)
    # A step without a page has no link.
    board.get_by_label("Step", exact=True).select_option("0")
    expect(board.get_by_role("heading", level=1)).to_have_text(COURSE.steps[0].title)
    expect(board.get_by_role("link", name="Open the page of this step")).to_have_count(0)


@pytest.mark.parametrize(("scheme", "animal"), [("light", "eagle"), ("dark", "falcon")])
def test_the_downloads_are_read_in_each_colour_scheme(taught, new_page, axe, scheme, animal):
    join(new_page(locale="en-GB"), taught, animal).close()  # a browser of their own
    board = new_page(color_scheme=scheme, **PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    expect(board.get_by_role("heading", level=1)).to_be_visible()
    board.get_by_text("Participants by step").click()
    expect(board.locator(".one.away").first).to_be_visible()  # somebody who left
    assert axe(board) == []
    board.get_by_text("Downloads", exact=True).click()
    assert axe(board) == []
    links = board.locator(".downloads a")
    boxes = [link.bounding_box() for link in links.all()]
    assert len(boxes) == 4
    assert all(above["y"] + above["height"] <= below["y"] for above, below in pairwise(boxes))


def test_a_lesson_keeps_the_bar_in_view_and_leads_back_to_the_course(taught, new_page):
    number, step = next(
        (k, step) for k, step in enumerate(COURSE.steps) if step.kind == "lesson" and step.opening.part
    )
    crane = join(new_page(viewport={"width": 390, "height": 720}), taught, "crane")
    crane.goto(taught.rstrip("/") + address_of(step, number, "/"))
    heading = crane.get_by_role("heading", name=step.opening.part, exact=True)
    expect(heading).to_be_in_viewport()
    bar = crane.locator("#sdc-course")
    ahead = crane.get_by_role("link", name="Next step: ")
    expect(ahead).to_be_in_viewport(ratio=1)
    crane.mouse.wheel(0, 2000)
    expect(ahead).to_be_in_viewport(ratio=1)
    assert box(bar)["height"] < 120
    assert fits(crane)
    # A control that receives the focus is below the bar.
    crane.locator("main button:visible").first.focus()
    crane.keyboard.press("Tab")
    crane.keyboard.press("Shift+Tab")
    covered = "bar => document.activeElement.getBoundingClientRect().top < bar.getBoundingClientRect().bottom"
    assert not bar.evaluate(covered)
    crane.get_by_role("link", name="sdcwidgets", exact=True).click()
    crane.wait_for_url("**/course")
    expect(crane.get_by_role("region", name="Course")).to_contain_text(f"{number + 1} of {len(COURSE.steps)}")


def test_shown_answers_keep_what_is_typed_and_the_focus(taught, new_page):
    number = next(k for k, step in enumerate(COURSE.steps) if step.kind == "question" and not step.options)
    board = new_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    camel = join(new_page(), taught, "camel")
    camel.goto(f"{taught}course?step={number}")
    field = camel.get_by_label("Your answer")
    field.fill("1.34")
    field.press("ArrowLeft")
    show(board, number)
    board.get_by_role("button", name="Show answers").click()
    expect(camel.locator("#sdc-course .solution")).to_be_visible()
    expect(field).to_have_value("1.34")
    expect(field).to_be_focused()
    # The cursor is where it was.
    camel.keyboard.press("Backspace")
    expect(field).to_have_value("1.4")
    camel.keyboard.press("Enter")
    expect(camel.get_by_role("status").filter(has_text="Not yet")).to_be_visible()
    expect(field).to_be_focused()
    board.get_by_role("button", name="Hide answers").click()


def test_the_last_step_takes_a_text_and_ends_with_the_handout(taught, new_page, axe):
    last = len(COURSE.steps) - 1
    board = new_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    show(board, last)
    cat = join(new_page(), taught, "cat")
    cat.goto(f"{taught}course?step={last}")
    field = cat.get_by_label("Your text")
    expect(field).to_be_visible()
    expect(cat.get_by_text("You are done")).to_have_count(0)
    # The limit of the text is announced, and counts what is typed.
    counter = cat.locator(f"#{field.get_attribute('aria-describedby')}")
    expect(counter).to_have_text(re.compile(r"^0 of 300"))
    field.fill("Tables with many zeros.")
    expect(counter).to_have_text(re.compile(r"^23 of 300"))
    cat.get_by_role("button", name="Send").click()
    expect(cat.get_by_text("You are done")).to_be_visible()
    expect(cat.get_by_role("button", name="Send")).to_be_focused()
    assert axe(cat) == []
    now = board.get_by_role("main", name="Trainer view")
    expect(now).to_contain_text("1 text received")
    assert "Tables with many zeros." not in board.content()
    board.get_by_role("button", name="Show answers").click()
    expect(now).to_contain_text("Tables with many zeros.")
    cat.reload()
    expect(field).to_have_value("Tables with many zeros.")
    expect(cat.get_by_text("You are done")).to_be_visible()
    with cat.expect_popup() as popup:
        cat.get_by_role("link", name="Open the handout").click()
    expect(popup.value.get_by_role("heading", level=1)).to_have_text(COURSE.title)
    expect(popup.value.get_by_text("Your text: Tables with many zeros.")).to_be_visible()
    assert axe(popup.value) == []
    assert COURSE.steps[QUESTION].why not in popup.value.content()


@pytest.mark.parametrize("name", ["handout", "solutions"])
def test_a_table_of_the_handout_is_seen_whole_on_a_screen(taught, new_page, axe, name):
    page = new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{taught}course/board?trainer=other-word")
    page.goto(f"{taught}course/board/{name}.html")
    tables = page.locator(".scroll")
    assert tables.count() > 0
    for table in tables.all():
        assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    assert axe(page) == []


def test_a_participant_finishes_without_a_text(taught, new_page, axe):
    last = len(COURSE.steps) - 1
    bison = join(new_page(), taught, "bison")
    bison.goto(f"{taught}course?step={last}")
    expect(bison.get_by_role("link", name="Open the handout")).to_have_count(0)
    board = new_page(viewport={"width": 1280, "height": 720})
    board.goto(f"{taught}course/board?trainer=other-word")
    board.get_by_label("Step", exact=True).select_option(str(last))
    done = board.get_by_text(re.compile(r"\d+ completed this step"))
    expect(board.get_by_role("heading", level=1)).to_have_text(COURSE.steps[last].title)
    before = int(re.search(r"(\d+) completed", done.inner_text())[1])
    expect(board.get_by_role("button", name="Next step")).to_be_disabled()
    bison.get_by_role("button", name="Finish without a text").click()
    expect(done).to_contain_text(f"{before + 1} completed this step")
    expect(bison.get_by_role("link", name="Open the handout")).to_be_visible()
    assert axe(bison) == []
    bison.reload()
    # A text that is too long is not cut and not sent, and stays after a reload.
    text, field = "Zeros matter. " * 30, bison.get_by_label("Your text")
    field.fill(text)
    counter = bison.locator(f"#{field.get_attribute('aria-describedby')}")
    expect(counter).to_have_text(re.compile(f"^{len(text)} of 300 characters. Remove {len(text) - 300} "))
    bison.get_by_role("button", name="Send").click()
    expect(field).to_be_focused()
    assert axe(bison) == []
    bison.reload()
    expect(field).to_have_value(text)
    expect(counter).to_contain_text(f"{len(text)} of 300")
    expect(bison.get_by_role("link", name="Open the handout")).to_be_visible()
    expect(bison.get_by_label("Your text")).to_be_visible()


#: Opens connections to a server later than a page asks for them.
LATE = """() => {
    const Now = WebSocket;
    globalThis.WebSocket = class extends EventTarget {
        static CONNECTING = 0;
        static OPEN = 1;
        readyState = 0;
        constructor(address) {
            super();
            setTimeout(() => {
                this.socket = new Now(address);
                for (const type of ["open", "message", "close"]) {
                    this.socket.addEventListener(type, ({ data }) => {
                        this.readyState = this.socket.readyState;
                        this.dispatchEvent(type === "message" ? new MessageEvent(type, { data }) : new Event(type));
                    });
                }
            }, 1500);
        }
        send(text) {
            this.socket.send(text);
        }
    };
}"""


def test_a_step_that_is_selected_while_the_board_connects_is_shown(taught, new_page):
    board = new_page(**PROJECTOR)
    board.add_init_script(f"({LATE})()")
    board.goto(f"{taught}course/board?trainer=other-word")
    board.get_by_role("button", name="Next step").click()  # not known of which step
    board.get_by_label("Step", exact=True).select_option(str(TASK))
    expect(board.get_by_role("heading", level=1)).to_have_text(COURSE.steps[TASK].title)
    board.get_by_role("button", name="Next step").click()
    expect(board.get_by_role("heading", level=1)).to_have_text(COURSE.steps[TASK + 1].title)


def test_a_late_participant_finds_the_step_of_the_class(taught, new_page, axe):
    board = new_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    board.get_by_label("Step", exact=True).select_option(str(TASK))
    expect(board.get_by_role("heading", level=1)).to_have_text(COURSE.steps[TASK].title)
    deer = join(new_page(viewport={"width": 390, "height": 720}), taught, "deer")
    link = deer.get_by_role("link", name=f"The class is at step {TASK + 1}")
    expect(link).to_be_visible()
    assert axe(deer) == []
    link.click()
    deer.wait_for_url(f"**/{COURSE.steps[TASK].opening.page}.ipynb?*")
    bar = deer.locator("#sdc-course")
    expect(bar).to_contain_text(f"{TASK + 1} of {len(COURSE.steps)}")
    expect(deer.get_by_role("link", name="The class is at step")).to_have_count(0)
    settled(deer)
    # The text of a task, which is folded at first on a phone, has a title on a line of its own.
    expect(bar.locator(".title")).to_be_hidden()
    # A message that arrives between press and release of the button does not cancel the click.
    bar.get_by_role("button", name="Task").hover()
    deer.mouse.down()
    board.get_by_role("button", name="Next step").click()
    expect(board.get_by_role("heading", level=1)).to_have_text(COURSE.steps[TASK + 1].title)
    deer.wait_for_timeout(300)
    deer.mouse.up()
    title = bar.locator(".title")
    expect(title).to_be_visible()
    expect(title).to_have_text(COURSE.steps[TASK].title)
    expect(deer.get_by_role("link", name=f"The class is at step {TASK + 2}")).to_be_visible()
    assert box(title)["height"] < 60
    assert fits(deer)


@pytest.mark.parametrize("page", ["explore", "who", "protect"])
def test_a_task_is_one_line_on_a_phone_and_its_table_is_in_sight(taught, new_page, page, axe):
    number, step = next(
        (k, one) for k, one in enumerate(COURSE.steps) if one.goal and one.opening.page == page
    )
    phone = join(
        new_page(viewport={"width": 390, "height": 844}),
        taught,
        {"explore": "cobra", "who": "dolphin", "protect": "duck"}[page],
    )
    phone.goto(taught.rstrip("/") + address_of(step, number, "/"))
    bar = phone.locator("#sdc-course")
    expect(bar.get_by_role("status")).to_have_text("goal not met yet")
    # The first visit begins with the table, below the goal of the task and its current values.
    settled(phone)
    text, table = bar.get_by_text(step.text), phone.locator(".sdc-stage :is(.sdc-grid, table)").first
    for visit in ("first", "second"):
        expect(table).to_be_in_viewport(ratio=0.3)
        expect(bar.get_by_text("Goal: ")).to_be_in_viewport(ratio=1)
        expect(bar.get_by_text("Current values: ")).to_be_in_viewport(ratio=1)
        for condition in conditions(step.goal, page):
            expect(bar.locator(".condition", has_text=condition)).to_be_in_viewport(ratio=1)
        assert box(bar)["height"] < 132
        assert box(bar.get_by_role("status"))["height"] < 24  # the state of the goal is one line
        assert fits(phone)
        expect(text).to_be_hidden()
        if visit == "first":
            bar.get_by_role("button", name="Task").click()
            expect(text).to_be_in_viewport(ratio=1)
            assert axe(phone, "#sdc-course") == []
            bar.get_by_role("button", name="Go to the table").click()
            expect(bar.get_by_role("button", name="Go to the table")).to_be_hidden()
            phone.reload()
    expect(bar.get_by_role("link", name="Next step: ")).to_be_visible()
    fold = bar.get_by_role("button", name="Task")
    assert axe(phone, "#sdc-course") == []
    fold.focus()
    phone.keyboard.press("Enter")
    expect(text).to_be_visible()
    expect(fold).to_be_focused()
    expect(fold).to_have_attribute("aria-expanded", "true")
    assert axe(phone, "#sdc-course") == []
    # What the server says later does not fold it.
    expect(bar).to_contain_text("Current values:")
    expect(text).to_be_visible()
    fold.press("Enter")
    expect(text).to_be_hidden()


def test_everybody_comes_and_their_solutions_are_dots(taught, new_page):
    board = new_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    fox, elk = (join(new_page(), taught, animal) for animal in ("fox", "elk"))
    board.get_by_label("Step", exact=True).select_option(str(TASK))  # from any step to any other
    step = COURSE.steps[TASK]
    expect(board.get_by_role("heading", level=1)).to_have_text(step.title)
    # One is on the task's page, one is at its step and still in the room; both come.
    fox.goto(f"{taught}course?step={TASK}")
    expect(fox.get_by_role("region", name="Course")).to_contain_text(f"{TASK + 1} of {len(COURSE.steps)}")
    board.get_by_role("button", name="Move all to this step").click()
    for page in (fox, elk):
        page.wait_for_url(f"**/{step.opening.page}.ipynb?*")
        expect(page.locator("#sdc-course")).to_contain_text("Current values:")
    # What one does by the controls of the page is checked and becomes a dot: full where it meets the goal.
    cell = fox.get_by_role("textbox", name="G, published, c₂")
    cell.fill("3")
    cell.press("Enter")
    cell = fox.get_by_role("textbox", name="G, published, c₃")
    cell.fill("3")
    cell.press("Enter")
    expect(fox.locator("#sdc-course")).to_contain_text("✓ goal met")
    expect(elk.locator("#sdc-course")).to_contain_text("goal not met yet")
    # The explanation is shown to who met the goal, and to all when the trainer shows it.
    expect(fox.locator("#sdc-course")).to_contain_text(step.why)
    expect(elk.locator("#sdc-course")).not_to_contain_text(step.why)
    board.locator("#reveal").click()
    expect(board.get_by_role("main")).to_contain_text(step.why)
    expect(elk.locator("#sdc-course")).to_contain_text(step.why)
    expect(fox.get_by_text(step.why)).to_have_count(1)
    board.locator("#reveal").click()
    # Participants of other tests may have a solution, which does not meet the goal.
    expect(board.get_by_role("img", name=re.compile(r"solutions: 1 of \d+ meet the goal"))).to_be_visible()
    full, empty = board.locator("circle.dot.met"), board.locator("circle.dot:not(.met)")
    expect(full.locator("title")).to_have_text(re.compile(r"fox: .*assignments 4, published \(0, 3, 3\)"))
    expect(empty.locator("title").filter(has_text="elk")).to_have_text(re.compile("elk: .*assignments"))
    assert fits(board)


def test_a_board_and_a_lesson_go_on_when_the_server_comes_again(new_page):
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = serve(port)
    command += ["--course", NAME, "--trainer", "other-word"]
    board = new_page(**PROJECTOR)
    title = board.get_by_role("heading", level=1)
    with running(command, f"{address}health"):
        board.goto(f"{address}course/board?trainer=other-word")
        show(board, QUESTION)
        expect(title).to_have_text(COURSE.steps[QUESTION].title)
        crab = join(new_page(), address, "crab")
        crab.goto(address.rstrip("/") + address_of(COURSE.steps[1], 1, "/"))
        expect(crab.get_by_role("button", name="Check").first).to_be_visible()
        crab.mouse.wheel(0, 300)
        crab.evaluate("document.body.dataset.old = ''")
    expect(crab.get_by_text("No connection to the course server")).to_be_in_viewport()
    expect(board.get_by_text("Cannot reach the server")).to_be_visible()
    with running(command, f"{address}health"):
        expect(board.get_by_text("Cannot reach the server")).to_be_hidden()
        expect(title).to_have_text(COURSE.steps[QUESTION].title)
        # A lesson asks for its page again, and checks as before.
        expect(crab.locator("body[data-old]")).to_have_count(0)
        # A question that is drawn early is hidden again by the questions above it.
        expect(crab.locator("body[data-sdc-place=reached]")).to_be_attached()
        check = crab.get_by_role("button", name="Check")
        expect(check).to_have_count(1)
        check.click()
        expect(crab.get_by_role("status").filter(has_text="Please type a number")).to_be_visible()


def test_a_part_opens_where_its_heading_stands_whatever_signs_are_in_it(taught, new_page):
    number, step = next(
        (k, one) for k, one in enumerate(COURSE.steps) if one.opening and "−" in one.opening.part
    )
    crow = join(new_page(), taught, "crow")
    crow.goto(taught.rstrip("/") + address_of(step, number, "/"))
    # Its questions are drawn, and close what stands below them.
    expect(crow.locator(".sdc-later").first).to_be_attached()
    expect(crow.get_by_role("heading", name=step.opening.part)).to_be_in_viewport()


def test_the_trainer_opens_the_part_of_a_lesson(taught, new_page):
    step = [one for one in COURSE.steps if one.opening and one.opening.part][-1]
    trainer = new_page()
    trainer.goto(taught.rstrip("/") + page_of(step, "/"))
    expect(trainer.locator(".sdc-exercise").first).to_be_attached()
    expect(trainer.get_by_role("heading", name=step.opening.part)).to_be_in_viewport()
    expect(trainer.locator("#sdc-course")).to_have_count(0)


def test_progress_is_taken_along_as_a_file(taught, new_page, tmp_path):
    beaver = join(new_page(), taught, "beaver")
    beaver.goto(f"{taught}course?step={QUESTION}")
    step = COURSE.steps[QUESTION]
    right = step.options[int(step.answer) - 1]
    beaver.get_by_text("Hint", exact=True).click()
    beaver.get_by_role("button", name=right, exact=True).click()
    expect(beaver.get_by_role("status").filter(has_text=step.why)).to_be_visible()
    # What is open stays open when the bar is drawn anew.
    expect(beaver.get_by_text(step.hint)).to_be_visible()
    beaver.get_by_text("My progress").click()
    with beaver.expect_download() as download:
        beaver.get_by_role("button", name="Save progress").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    beaver.close()

    # Another browser: a file of something else says so, and this one brings everything.
    other = new_page(locale="en-GB")
    other.goto(f"{taught}course")
    other.get_by_text("My progress").click()
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[1]")
    other.get_by_label("Load a progress file").set_input_files(wrong)
    expect(
        other.get_by_text(
            "This file does not contain course progress. Choose a file that was saved on this page."
        )
    ).to_be_visible()
    other.get_by_text("My progress").click()
    other.get_by_label("Load a progress file").set_input_files(file)
    room = other.get_by_role("region", name="Course")
    expect(room).to_contain_text("beaver")
    expect(room).to_contain_text(f"{QUESTION + 1} of {len(COURSE.steps)}")
    expect(other.get_by_role("button", name=right, exact=True)).to_have_attribute("aria-pressed", "true")


def test_a_file_cannot_say_that_a_goal_is_met(taught, new_page, tmp_path):
    number = next(k for k, step in enumerate(COURSE.steps) if step.goal)
    file = tmp_path / "progress.json"
    claimed = {
        "token": "5" * 32,
        "name": "eel",
        "step": number,
        "answers": {},
        "states": {number: "x"},
        "last": {},
    }
    file.write_text(json.dumps(claimed))
    eel = new_page()
    eel.goto(f"{taught}course")
    eel.get_by_text("My progress").click()
    eel.get_by_label("Load a progress file").set_input_files(file)
    room = eel.get_by_role("region", name="Course")
    expect(room).to_contain_text("This link is damaged")
    expect(room).to_contain_text("goal not met yet")
    expect(room).not_to_contain_text("✓ goal met")


@pytest.mark.parametrize("number", range(len(COURSE.steps)))
def test_each_step_fits_a_projector(taught, kept_room, number):
    board, page = kept_room
    show(board, number)
    assert fits(board)
    step = COURSE.steps[number]
    title = board.get_by_role("heading", level=1)
    expect(title).to_have_text(step.title)
    expect(title).to_be_in_viewport()
    page.goto(f"{taught}course?step={number}")
    expect(page.get_by_role("region", name="Course")).to_contain_text(step.title)
    assert fits(page)
    if step.options:
        expect(page.get_by_role("button", name=step.options[-1], exact=True)).to_be_in_viewport()


@pytest.fixture(scope="module")
def kept_room(taught, kept_page):
    board = kept_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    return board, join(kept_page(**PROJECTOR), taught, "dog")


def test_one_s_own_table_is_no_part_of_a_course(taught, new_page):
    bat, sent = join(new_page(), taught, "bat"), []
    bat.on(
        "websocket",
        lambda channel: channel.on("framesent", lambda frame: sent.append((channel.url, str(frame)))),
    )
    step = next(k for k, step in enumerate(COURSE.steps) if step.goal and step.opening.page == "explore")
    bat.goto(f"{taught}course?step={step}")
    bat.get_by_role("link", name="Open step", exact=True).click()
    bar = bat.locator("#sdc-course")
    expect(bar).to_contain_text("Current values:")

    def states():
        return [frame for url, frame in sent if "course" in url and '"state"' in frame]

    before, begun = states(), last_states(bat)
    with bat.expect_file_chooser() as chooser:
        bat.get_by_role("button", name="Open a file").click()
    file = {"name": "ours.csv", "mimeType": "text/csv", "buffer": b",A,B\nZanzibarplatz,1,2\nother,3,4\n"}
    chooser.value.set_files(file)
    bat.get_by_role("button", name="Use this table").click()
    # The bar says so where it would otherwise keep and send the state.
    expect(bar).to_contain_text("Your own table is not part of the course")
    assert last_states(bat) == begun
    assert states() == before
    bat.get_by_role("button", name="Undo").click()
    expect(bar).not_to_contain_text("Your own table is not part")
    cell = bat.get_by_role("table").get_by_role("textbox").first
    cell.fill("7")
    cell.press("Enter")
    until(bat, lambda: len(states()) > len(before))
    assert len(states()) > len(before)


def test_a_participant_who_left_the_page_of_a_task_returns_with_the_table(taught, new_page, axe):
    number, step = next(
        (k, one) for k, one in enumerate(COURSE.steps) if one.goal and one.opening.page == "explore"
    )
    bee = join(new_page(), taught, "bee")
    bee.goto(taught.rstrip("/") + address_of(step, number, "/"))
    bar = bee.locator("#sdc-course")
    expect(bar).to_contain_text("Current values:")
    settled(bee)
    expect(bar.get_by_role("link", name="Back to the task")).to_have_count(0)
    cell = bee.get_by_role("table").get_by_role("textbox").first
    begun, before = cell.input_value(), last_states(bee)
    cell.fill("7")
    cell.press("Enter")
    until(bee, lambda: last_states(bee) != before)
    # The page leads on to another page, but not with its most prominent button.
    ahead = bee.locator(".sdc-lead-ahead:visible")
    assert ahead.evaluate("node => getComputedStyle(node).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert axe(bee, ".sdc-lead, #sdc-course") == []
    bee.goto(f"{taught}voila/render/protect.ipynb")
    back = bar.get_by_role("link", name="Back to the task")
    expect(back).to_be_visible()
    assert axe(bee, "#sdc-course") == []
    back.click()
    bee.wait_for_url("**/explore.ipynb?*")
    expect(cell).to_have_value("7")
    # A restart states that the changes are deleted, before they are.
    bar.get_by_text("Restart this step", exact=True).click()
    expect(cell).to_have_value("7")
    expect(bar).to_contain_text("A restart deletes your changes in this step.")
    bar.get_by_role("link", name="Delete my changes").click()
    expect(cell).to_have_value(begun)


def test_the_line_of_a_task_on_a_phone_states_that_the_explanation_is_shown(taught, new_page, axe):
    number, step = next(
        (k, one) for k, one in enumerate(COURSE.steps) if one.goal and one.opening.page == "who"
    )
    board = new_page(**PROJECTOR)
    board.goto(f"{taught}course/board?trainer=other-word")
    board.get_by_label("Step", exact=True).select_option(str(number))
    expect(board.get_by_role("heading", level=1)).to_have_text(step.title)
    ferret = join(new_page(viewport={"width": 390, "height": 844}), taught, "ferret")
    ferret.goto(taught.rstrip("/") + address_of(step, number, "/"))
    bar = ferret.locator("#sdc-course")
    news = bar.get_by_text("The explanation is shown")
    expect(news).to_have_count(0)
    board.locator("#reveal").click()
    expect(news).to_be_in_viewport(ratio=1)
    expect(bar.get_by_text(step.why)).to_be_hidden()
    assert axe(ferret, "#sdc-course") == []
    bar.get_by_role("button", name="Task").click()
    expect(bar.get_by_text(step.why)).to_be_visible()
    board.locator("#reveal").click()
