"""The cases of the attack lab: what is published under each protection, what is wanted, and the truth.

From the handbook, chapter 5, and O&DF; case 5 is ours, since Table 5.19 prints 35 where its rounding gives 30. The
truth is the agency's: an attack gets a release and knowledge only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from sdcwidgets import examples
from sdcwidgets.attacks import Placed
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.pages.attack.case import Case, cells_alone, noisy, rounded
from sdcwidgets.release import Release
from sdcwidgets.table import Axis, FrequencyTable

HOURS = Axis("Hours a week", ("More than 30", "16-30", "15 or less"))
SEX = Axis("Sex", ("Male", "Female"))
PROTECTIONS = {"published": "As published", "rounded": "Rounded to base 5", "noise": "Noise tied to the cell"}


#: The table of O&DF, and the four cells that are hidden in it.
ODF = examples.load("odf-1")
ODF_PATTERN = ((2, 1), (2, 3), (3, 1), (3, 3))


def _usual(
    published: tuple[tuple[Placed, Release], ...], truth: FrequencyTable
) -> dict[str, tuple[tuple[Placed, Release], ...]]:
    return {
        "published": published,
        "rounded": tuple((place, rounded(release, 5)) for place, release in published),
        "noise": noisy(published, truth),
        "withheld": published[:-1],
    }


def _boundaries() -> Case:
    core = np.array([[50, 54], [128, 140], [39, 49]])
    whole = np.array([[52, 55], [130, 140], [39, 49]])
    part = Axis("Part", ("since 2001", "strip"))
    truth = FrequencyTable(np.stack([core, whole - core], axis=-1), [HOURS, SEX, part])
    published = (
        (Placed("Area A, boundaries of 1991 (Table 5.5)"), cells_alone(whole, [HOURS, SEX])),
        (
            Placed("Area A, boundaries of 2001 (Table 5.4)", within={"Part": ["since 2001"]}),
            cells_alone(core, [HOURS, SEX]),
        ),
    )
    return Case(
        "Two boundaries",
        "Handbook, Tables 5.4 to 5.6",
        "A woman lives alone in the strip that Area A lost in 2001. Two tables of single households are published, one "
        "for each set of boundaries.",
        "How many hours a week does she work?",
        "linking",
        truth,
        {"Part": "strip"},
        tuple((hours, "Female", "strip") for hours in HOURS),
        HOURS.labels,
        "More than 30",
        (
            "Both tables count women by hours; who is in one and not in the other lives in the strip.",
            "Press 55 in the table of 1991, then 54 in that of 2001, and keep the line.",
            "Do the same for 140 and 140, and for 49 and 49.",
        ),
        PROTECTIONS | {"withheld": "One set of boundaries"},
        _usual(published, truth),
        {},
    )


def _linked() -> Case:
    state = Axis(
        "State",
        ("Lives and works in A", "Lives in A, works elsewhere", "Works in A, lives elsewhere", "No work"),
    )
    truth = FrequencyTable([[21, 58, 23, 9], [1, 5, 4, 8]], [SEX, state])
    lives = (state.labels[0], state.labels[1], state.labels[3])
    first = Axis("Employment", ("Employed", "Not employed", "Total"))
    second = Axis("Number", ("Working in A", "Living in A", "Both"))
    third = Axis("Males", ("Live and work in A", "Work elsewhere", "Live elsewhere"))
    published = (
        (
            Placed(
                "Living in Area A (Table 5.7)",
                {"Employment": ("State", {"Employed": lives[:2], "Not employed": lives[2:], "Total": lives})},
            ),
            cells_alone([85, 17, 102], [first]),
        ),
        (
            Placed(
                "Residence and workplace (Table 5.8)",
                {
                    "Number": (
                        "State",
                        {
                            "Working in A": (state.labels[0], state.labels[2]),
                            "Living in A": lives,
                            "Both": lives[:1],
                        },
                    )
                },
            ),
            cells_alone([49, 102, 22], [second]),
        ),
        (
            Placed(
                "Males (Table 5.9)",
                {
                    "Males": (
                        "State",
                        dict(zip(third.labels, ((label,) for label in state.labels[:3]), strict=True)),
                    )
                },
                within={"Sex": ("Male",)},
            ),
            cells_alone([21, 58, 23], [third]),
        ),
    )
    return Case(
        "Linked tables",
        "Handbook, Tables 5.7 to 5.10",
        "No table of women is published. Three tables about Area A share who lives and who works there.",
        "How many women live and work in Area A?",
        "linking",
        truth,
        {},
        (("Female", state.labels[0]), ("Female", state.labels[1])),
        ("0", "1", "5", "22"),
        "1",
        (
            "Those who live and work in A are counted twice: all of them, and the males.",
            "22 − 21 are the women. For those who work elsewhere, find all of them first.",
            "85 − 22 = 63 live in A and work elsewhere; keep it, then take 58 males away.",
        ),
        PROTECTIONS | {"withheld": "No table of males"},
        _usual(published, truth),
        {},
    )


def _classes() -> Case:
    classes = Axis("Hours", ("<20", "20-24", "25-39", "40-59", "60-69", "70 or more"))
    truth = FrequencyTable([[6, 1, 8, 5, 8, 4], [10, 0, 38, 51, 42, 32]], [SEX, classes])
    first = Axis("Hours", ("<20", "20-39", "40-59", "60-69", "70 or more"))
    second = Axis("Hours", ("<25", "25-39", "40-59", "60-69", "70 or more"))
    published = (
        (
            Placed("First classes (Table 5.11)", {"Hours": ("Hours", {"20-39": ("20-24", "25-39")})}),
            cells_alone([[6, 9, 5, 8, 4], [10, 38, 51, 42, 32]], [SEX, first]),
        ),
        (
            Placed("Second classes (Table 5.12)", {"Hours": ("Hours", {"<25": ("<20", "20-24")})}),
            cells_alone([[7, 8, 5, 8, 4], [10, 38, 51, 42, 32]], [SEX, second]),
        ),
    )
    return Case(
        "Two sets of classes",
        "Handbook, Tables 5.11 to 5.13",
        "The same people in two tables, whose classes of hours begin at different numbers.",
        "How many men work 20 to 24 hours?",
        "differencing",
        truth,
        {},
        (("Male", "20-24"), ("Female", "20-24")),
        ("0", "1", "2", "9"),
        "1",
        (
            "One table counts up to 25 hours, the other up to 20.",
            "Press 7, then 6, and keep it. Then 10 and 10.",
        ),
        PROTECTIONS | {"withheld": "One set of classes"},
        _usual(published, truth),
        {},
    )


def _means() -> Case:
    cells = Axis("Cell", ("Cell 1", "Cell 2"))
    truth = FrequencyTable([8, 12], [cells])
    counts = {(0,): np.array([9, 14]), (): np.array(19)}
    noise = 2
    release = Release(
        (cells,),
        counts,
        {kept: values - noise for kept, values in counts.items()},
        {kept: values + noise for kept, values in counts.items()},
    )
    published = ((Placed("Counts with noise of at most 2 (Table 5.23)"), release),)
    return Case(
        "Means beside noise",
        "Handbook, Tables 5.23 and 5.24",
        "Each count has noise of at most 2. Beside them stand mean ages: 11.25, 7.9167, and 9.25 for both together.",
        "How many people are in the two cells?",
        "means",
        truth,
        {},
        (("Cell 1",), ("Cell 2",)),
        ("7 and 13", "8 and 12", "8 and 13", "9 and 12"),
        "8 and 12",
        (
            "Count times mean is the sum of ages; the sums of the cells must give that of all.",
            "8 × 11.25 + 12 × 7.9167 = 185 = 20 × 9.25. Try it with the other combinations.",
        ),
        {"published": "Original means", "safer": "Sum divided by the noisy count"},
        {"published": published, "safer": published},
        {
            "published": {("Cell 1",): 11.25, ("Cell 2",): 7.9167, (): 9.25},
            "safer": {("Cell 1",): 10.0, ("Cell 2",): 6.7857, (): 9.7368},
        },
    )


def _margins() -> Case:
    area = Axis("Area", ("A", "B", "C"))
    truth = FrequencyTable([[1, 1], [4, 7], [12, 20]], [area, SEX])
    whole = Release.of(truth)
    place = Placed("Rounded to base 3, each number by itself")
    additive = np.array([[0, 3], [3, 6], [12, 21]])
    sums = {(0, 1): additive, (0,): additive.sum(axis=1), (1,): additive.sum(axis=0), (): additive.sum()}
    arrays = {kept: np.asarray(value, dtype=np.float64) for kept, value in sums.items()}
    # A control rounded total may be further away than 2: only what is said of each cell is known.
    lower = {kept: np.maximum(v - (2 if kept == (0, 1) else 6), 0) for kept, v in arrays.items()}
    upper = {kept: v + (2 if kept == (0, 1) else 6) for kept, v in arrays.items()}
    return Case(
        "Rounded margins",
        "Our own table; handbook, section 5.5",
        "Each number is rounded to the nearest multiple of 3 by itself. In Area A, 0 and 0 make 3.",
        "How many men live in Area A?",
        "unpicking",
        truth,
        {},
        (("A", "Male"), ("A", "Female")),
        ("0", "1", "2", "3"),
        "1",
        (
            "A 0 stands for 0 or 1, and a 3 for 2, 3 or 4.",
            "Press the total 3 of Area A and then one of its zeros: at least 2 − 1 are left.",
            "Do the same with the other zero: each of the two is at least 1 and at most 1.",
        ),
        {"published": "Each by itself", "controlled": "Controlled rounding, sums kept"},
        {
            "published": ((place, rounded(whole, 3)),),
            "controlled": (
                (Placed("Controlled rounding to base 3"), Release(truth.axes, arrays, lower, upper)),
            ),
        },
        {},
    )


def _gaps() -> Case:
    def suppressed(cells: Sequence[tuple[int, int]]) -> Release:
        whole = Release.of(ODF)
        mask = np.zeros(ODF.shape, dtype=bool)
        for cell in cells:
            mask[cell] = True
        counts = ODF.counts.astype(np.float64)
        return Release(
            ODF.axes,
            {**whole.values, (0, 1): np.where(mask, np.nan, counts)},
            {**whole.lower, (0, 1): np.where(mask, 0.0, counts)},
            {**whole.upper, (0, 1): np.where(mask, np.inf, counts)},
        )

    place = Placed(examples.get("odf-1").title)
    return Case(
        "One gap too few",
        "O&DF, Table 1; eight numbers are recalled, and x₁ = 100 is one choice",
        "The agency suppressed a sensitive number in activity 5, size 5, and two more; but a box needs four.",
        "What is the number in activity 5, size 5?",
        "suppression",
        ODF,
        {},
        (("5", "size 5"),),
        ("0", "100", "306", "406"),
        "100",
        (
            "Look for a column with one gap only.",
            "The total of size 5 less all that is in print there is the gap.",
        ),
        {"published": "Three gaps", "four": "Four gaps, as in the paper"},
        {
            "published": ((place, suppressed(ODF_PATTERN[:2] + ODF_PATTERN[3:])),),
            "four": ((place, suppressed(ODF_PATTERN)),),
        },
        {},
    )


def _inside() -> Case:
    area, job = Axis("Area", ("A", "B", "C")), Axis("Job", ("Nurse", "Farmer", "Clerk"))
    truth = FrequencyTable([[1, 5, 20], [6, 1, 20], [20, 20, 20]], [area, job])
    outside, inside = (
        (Placed("Jobs by area"), CellSuppression(coalition=k).release(truth, np.random.default_rng(0)))
        for k in (0, 1)
    )
    you = (Placed("You yourself"), cells_alone([[1]], [Axis("Area", ("A",)), Axis("Job", ("Nurse",))]))
    return Case(
        "One of the gaps is you",
        "Our own table",
        "Ones and twos are left out, and other counts with them: no outsider computes them. But you are the only nurse "
        "of area A, and know it.",
        "How many farmers are in area B?",
        "suppression",
        truth,
        {},
        (("B", "Farmer"),),
        ("1", "2", "3", "5"),
        "1",
        (
            "The row of area A hides you and one number more.",
            "26 − 20 − 1 = 5 farmers are in A; keep it. Then take it and 20 from the 26 farmers in all.",
        ),
        {
            "published": "Gaps that hold for outsiders",
            "inside": "Gaps that hold for everyone inside",
            "outside": "You are not in the table",
        },
        {"published": (outside, you), "inside": (inside, you), "outside": (outside,)},
        {},
    )


@cache
def _cases() -> Mapping[str, Case]:
    return {
        "boundaries": _boundaries(),
        "linked": _linked(),
        "classes": _classes(),
        "means": _means(),
        "margins": _margins(),
        "gaps": _gaps(),
        "inside": _inside(),
    }


#: The cases by name, in the order of the lab.
CASES = _cases()
