"""Small files and tables that were read wrong without a word, and tables that look like them and are right."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables import examples
from sdcwidgets.tables.io import plausibility
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.reading import read_bytes, read_csv, read_frame

AREAS = np.array([[3120, 4075, 1290], [2810, 2590, 930], [815, 1422, 377]])

#: Files that were read wrong: the doubt, and the label or axis that it names.
WRONG = {
    "total rounded to 10": (
        "near sum",
        "Nation",
        "Area,m,f,x\nA,3121,4072,1293\nB,2809,2588,931\nNation,5930,6660,2220\n",
    ),
    "total perturbed": (
        "near sum",
        "Nation",
        "Area,m,f,x\nA,3121,4072,1293\nB,2809,2588,931\nNation,5932,6657,2224\n",
    ),
    "column of row sums, perturbed": (
        "near sum",
        "Persons",
        "Area,m,f,Persons\nA,3121,4072,7192\nB,2809,2588,5399\nC,911,702,1612\n",
    ),
    "subtotal rounded to 5": (
        "near sum",
        "North",
        "Area,m,f,x\nNorth,5935,6655,2225\nA,3120,4070,1295\nB,2810,2590,930\nSouth,815,1425,375\nWest,620,815,240\n",
    ),
    "country beside a part of its areas": (
        "outsized",
        "Country",
        "Area,m,f\nA,310,290\nB,245,265\nC,180,171\nD,402,398\nE,97,103\nCountry,2950,2874\n",
    ),
    "ages in two classifications": (
        "overlap",
        "15-24",
        "Age,m,f\n15-24,312,275\n20-29,290,301\n30-39,410,388\n",
    ),
    "ages within others": (
        "overlap",
        "0-14",
        "Age,m,f\n0-14,312,275\n15-64,290,301\n65-99,410,388\n5-9,99,81\n",
    ),
    "open range": ("overlap", "65+", "Age,m,f\n0-64,312,275\n65+,290,301\n75+,41,38\n"),
    "years read as counts": (
        "even",
        "Jaar",
        "Area,Jaar,m,f\nA,2021,310,290\nB,2019,75,71\nC,2022,1204,1311\nD,2021,88,75\n",
    ),
    "postal codes read as counts": (
        "even",
        "Code",
        "Area,Code,m,f\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n",
    ),
    "coordinates read as counts": (
        "even",
        "North",
        "Area,North,m,f\nA,523412,310,290\nB,523977,75,71\nC,524105,1204,1311\nD,523011,88,75\n",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_was_read_wrong_raises_the_doubt(name):
    kind, label, text = WRONG[name]
    with pytest.raises(Question) as raised:
        read_csv(text)
    how = ReadOptions(doubts="accept") if kind == "even" else ReadOptions(margins="keep")
    doubts = plausibility.alarms(read_csv(text, how=how).table)
    assert (doubts[0].question, doubts[0].facts["label"]) == (kind, label)
    assert str(raised.value) == doubts[0].sentence
    options = {"even": "doubts", "outsized": "largest"}
    assert {choice.name for choice in raised.value.choices} == {options.get(kind, "margins")}


@pytest.mark.parametrize("name", [name for name, case in WRONG.items() if case[0] == "near sum"])
def test_dropped_totals_are_those_within_rounding_too(name):
    _, label, text = WRONG[name]
    reading = read_csv(text, totals="drop")
    assert all(label not in axis.labels for axis in reading.table.axes)
    assert reading.totals
    assert plausibility.alarms(reading.table) == []
    assert label in "".join(reading.notes)


def test_kept_totals_are_noted():
    _, label, text = WRONG["total perturbed"]
    reading = read_csv(text, totals="keep")
    assert label in reading.table.axes[0].labels
    assert label in "".join(reading.notes)


def test_accepted_doubts_are_noted():
    for kind, _, text in WRONG.values():
        if kind in ("overlap", "outsized"):
            continue
        reading = read_csv(text, how=ReadOptions(doubts="accept"))
        statements = [doubt.statement for doubt in plausibility.alarms(reading.table)]
        assert set(statements) <= set(reading.notes), kind
        assert "doubts" in {choice.name for choice in reading.choices}


@pytest.mark.parametrize("name", [name for name, case in WRONG.items() if case[0] == "near sum"])
def test_an_accepted_doubt_never_counts_a_total_twice(name):
    text = WRONG[name][2]
    accepted = read_csv(text, how=ReadOptions(doubts="accept"))
    assert accepted.table == read_csv(text, totals="drop").table
    assert ("margins", ("drop",)) in [(choice.name, choice.chosen) for choice in accepted.choices]


@pytest.mark.parametrize("name", [name for name, case in WRONG.items() if case[0] == "overlap"])
@pytest.mark.parametrize("margins", ["ask", "drop"])
def test_ranges_that_overlap_are_refused_unless_all_labels_are_kept(name, margins):
    text = WRONG[name][2]
    with pytest.raises(Question):
        read_csv(text, how=ReadOptions(doubts="accept", margins=margins))
    assert len(read_csv(text, how=ReadOptions(margins="keep")).table.axes[0]) == text.count("\n") - 1


def test_a_total_of_a_column_that_is_summed_over_is_not_added():
    """The counts of a long table are added up over a column that was not chosen."""
    cells = itertools.product("ABC", "mfx")
    rows = [f"{area},{sex},{AREAS['ABC'.index(area), 'mfx'.index(sex)]}" for area, sex in cells]
    rows += [
        f"{area},all,{AREAS['ABC'.index(area)].sum() + noise}"
        for area, noise in zip("ABC", (1, -2, 1), strict=True)
    ]
    text = "\n".join(["Area,Sex,Persons", *rows])
    with pytest.raises(Question):
        read_csv(text, how=ReadOptions(by="Area", count="Persons"))
    for answer in ({"margins": "drop"}, {"doubts": "accept"}):
        unnamed = text.replace(",all,", ",z,")
        reading = read_csv(unnamed, how=ReadOptions(by="Area", count="Persons", **answer))
        assert reading.table.counts.tolist() == AREAS.sum(axis=1).tolist()


def test_codes_beside_labels_of_three_axes_are_a_doubt():
    counts = np.zeros((4, 4, 2), dtype=int)
    counts[np.arange(4), np.arange(4)] = [[31, 25], [40, 38], [57, 61], [12, 19]]
    axes = {"Code": ["E1", "E2", "W1", "W2"], "Area": ["Bath", "Hull", "Bala", "Rhyl"], "Sex": ["m", "f"]}
    kinds = {doubt.question for doubt in plausibility.alarms(FrequencyTable(counts, axes))}
    assert kinds == {"mostly empty", "determined"}


SPARSE = np.random.default_rng(0).poisson(0.4, (3, 4, 5)) * 7
EMPTY = f"{(SPARSE == 0).sum()} of 60 cells"
SPARSE_AXES = {"Area": list("ABC"), "Job": list("wxyz"), "Faith": list("fghij")}


def declared(suffix):
    """Return a file with the sparse table, of a format that declares axes."""
    names, labels = list(SPARSE_AXES), list(SPARSE_AXES.values())
    if suffix == "px":
        values = [f'VALUES("{name}")="' + '","'.join(of) + '";' for name, of in SPARSE_AXES.items()]
        counts = "\n".join(" ".join(map(str, line)) for line in SPARSE.reshape(12, 5))
        head = ['CHARSET="ANSI";', 'AXIS-VERSION="2013";', 'TITLE="People";', 'STUB="Area","Job";']
        return "\n".join([*head, 'HEADING="Faith";', *values, f"DATA=\n{counts};\n"])
    if suffix == "json":
        dimension = {name: {"category": {"index": of}} for name, of in zip(names, labels, strict=True)}
        return json.dumps(
            {
                "version": "2.0",
                "class": "dataset",
                "id": names,
                "size": list(SPARSE.shape),
                "dimension": dimension,
                "value": SPARSE.ravel().tolist(),
            }
        )
    rows = zip(itertools.product(*labels), SPARSE.ravel(), strict=True)
    lines = [f"X:Y(1.0),{','.join(of)},2021,{count}" for of, count in rows]
    return "\n".join(["DATAFLOW,AREA,JOB,FAITH,TIME_PERIOD,OBS_VALUE", *lines]) + "\n"


@pytest.mark.parametrize("suffix", ["px", "json", "csv"])
def test_a_format_that_declares_its_axes_may_have_many_zeros(suffix):
    reading = read_bytes(f"a.{suffix}", declared(suffix).encode())
    assert np.array_equal(reading.table.counts, SPARSE)
    assert not any(EMPTY in note for note in reading.notes)


def test_many_zeros_of_a_guessed_layout_are_a_doubt():
    rows = [
        [*of, *map(str, line)]
        for of, line in zip(itertools.product("ABC", "wxyz"), SPARSE.reshape(12, 5), strict=True)
    ]
    text = "\n".join(",".join(row) for row in [["Area", "Job", *"fghij"], *rows])
    with pytest.raises(Question, match=EMPTY):
        read_csv(text)


def test_a_region_beside_its_areas_is_a_doubt():
    counts = [[310, 0], [75, 0], [0, 1204], [0, 88]]
    table = FrequencyTable(counts, {"Area": list("abcd"), "Region": ["n", "s"]})
    (doubt,) = plausibility.determined_axes(table)
    assert (doubt.facts["axis"], doubt.facts["other"]) == ("Area", "Region")
    turned = FrequencyTable(np.transpose(counts), {"Region": ["n", "s"], "Area": list("abcd")})
    assert [item.facts for item in plausibility.determined_axes(turned)] == [doubt.facts]


def test_a_frame_declares_its_axes():
    """The levels of an index are axes, however empty the table is; an overlap of ranges is a doubt."""
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_tuples(
        [("a", "1", "x"), ("b", "2", "y"), ("c", "3", "z")], names=list("PQR")
    )
    assert read_frame(pandas.DataFrame({"n": [31, 40, 52]}, index=index)).table.total == 123
    ages = pandas.DataFrame({"m": [5, 7], "f": [6, 8]}, index=pandas.Index(["0-9", "5-14"], name="Age"))
    with pytest.raises(InputError):
        FrequencyTable.from_frame(ages)
    with pytest.raises(InputError):
        FrequencyTable.from_frame(ages, doubts="accept")
    assert FrequencyTable.from_frame(ages, margins="keep").total == 26


RIGHT = {
    "adjacent ranges": ([5, 9, 7], {"Age": ["15-24", "25-34", "35+"]}),
    "ranges with a common end": ([5, 9, 7], {"Income": ["0-5", "5-10", "10-15"]}),
    "school years": ([31, 25, 40], {"Year": ["2011-12", "2012-13", "2013-14"]}),
    "postal codes": ([31, 25, 40], {"Code": ["00-001", "00-950", "01-100"]}),
    "two groups of one range": ([31, 25], {"Group": ["men 15-24", "women 15-24"]}),
    "households": ([31, 25, 17], {"Household": ["1 adult 2 children", "1 adult 3 children", "2 adults"]}),
    "few small counts by chance": ([[1, 0, 0], [0, 1, 0], [0, 0, 2]], {"A": list("abc"), "B": list("xyz")}),
    "small counts that add up by chance": ([[3, 1], [2, 4], [5, 5]], {"A": list("abc"), "B": list("xy")}),
    "two sexes of equal size": ([[310, 305], [75, 76], [1204, 1207]], {"A": list("abc"), "Sex": ["m", "f"]}),
    "regions of equal size": (
        [[10_020, 9_985, 10_110, 9_930], [110, 95, 101, 88], [52, 61, 48, 55]],
        {"Region": list("abc"), "Month": ["1", "2", "3", "4"]},
    ),
    "rounded to 100": ([[100, 100, 100, 100], [300, 900, 100, 500]], {"A": list("ab"), "B": list("wxyz")}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_table_that_only_looks_like_a_wrong_one_raises_no_doubt(name):
    assert plausibility.alarms(FrequencyTable(*RIGHT[name])) == []


@pytest.mark.parametrize("name", list(examples.available()))
def test_no_example_raises_a_doubt(name):
    assert plausibility.alarms(examples.load(name)) == []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(2, 5), st.sampled_from([1, 3, 5, 10]))
def test_a_rounded_total_of_large_counts_is_always_a_doubt(seed, rows, columns, base):
    rng = np.random.default_rng(seed)
    counts = rng.integers(5_000, 90_000, (rows, columns))
    total = counts.sum(axis=0) + (rng.integers(-2, 3, columns) if base == 1 else 0)
    whole = base * np.rint(np.vstack([counts, total]) / base).astype(int)
    table = FrequencyTable(
        whole, {"Area": [*map(str, range(rows)), "T"], "B": [f"b{j}" for j in range(columns)]}
    )
    assert "T" in {doubt.facts["label"] for doubt in plausibility.near_sums(table)}


def test_independent_counts_hardly_raise_a_doubt():
    """Counts of people by chance: areas of several sizes, categories with several shares.

    Where a table has few counts, one can be the sum of others by chance.
    """
    doubtful = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        shape = tuple(rng.integers(2, 7, rng.integers(1, 4)))
        means = np.full(shape, rng.choice([2.0, 20.0, 400.0]))
        for k, size in enumerate(shape):
            means = means * np.expand_dims(
                rng.lognormal(0, 0.7, size), [j for j in range(len(shape)) if j != k]
            )
        counts = rng.poisson(means)
        axes = [(f"axis {k}", [f"c{i}" for i in range(size)]) for k, size in enumerate(shape)]
        table = FrequencyTable(counts + (counts.sum() == 0), axes)
        doubtful += any(doubt.question != "mostly empty" for doubt in plausibility.alarms(table))
    assert doubtful <= 2


@pytest.mark.parametrize(
    ("labels", "pair"),
    [
        (["under 15", "15 to 24", "18 and over"], ("15 to 24", "18 and over")),
        (["15-24", "18 and over"], ("15-24", "18 and over")),
        (["0-14", "15-24", "18 ans et plus", "Total"], ("15-24", "18 ans et plus")),
        (["under 15", "15 to 24", "25 and over"], None),
        (["15-24", "25-64", "65 years and over", "not stated"], None),
        (["16-24", "25-34", "16 and over"], None),
        (["15-24", "25-64", "under 15"], None),
        (["65 and over", "25-64", "15-24"], None),
    ],
)
def test_an_open_range_in_words_overlaps_the_range_before_it(labels, pair):
    assert plausibility._overlap(labels) == pair


def test_ranges_overlap_where_at_least_half_of_the_labels_are_ranges():
    assert plausibility._overlap(["0-4", "3-9", "all", "none"]) == ("0-4", "3-9")
    assert plausibility._overlap(["0-4", "3-9", "all", "none", "other"]) is None


@pytest.mark.parametrize("base", [5, 10])
def test_a_rounded_total_beside_exact_counts_is_near_a_sum(base):
    counts = np.array([[31, 47], [118, 72], [64, 93]])
    total = base * np.round(counts.sum(axis=0) / base)
    table = FrequencyTable(np.vstack([counts, total]).astype(int), {"Area": "abcn", "Sex": "mf"})
    assert [doubt.facts["label"] for doubt in plausibility.near_sums(table)] == ["n"]
    categories = FrequencyTable([[31, 47], [118, 72], [64, 93], [170, 205]], {"Area": "abcd", "Sex": "mf"})
    assert not plausibility.near_sums(categories)


@pytest.mark.parametrize(
    ("labels", "parts"),
    [
        (["Men 2022", "Men 2023", "Women 2022", "Women 2023"], ("Men", "2022")),
        (["m_a", "m_b", "m_c", "f_a", "f_b", "f_c"], ("m", "a")),
        ([f"{a} {b} {c}" for a in "xy" for b in "mf" for c in "123"], ("x", "m", "1")),
        (["Total!!Own home!!1 room", "Total!!Own home!!2", "Total!!Rent!!1 room", "Total!!Rent!!2"], None),
        (["Men 2022", "Women 2023"], None),
        (["Men 2022", "Men 2023", "Women 2022"], None),
        (["0-14", "15-64", "65-79", "80+"], None),
        (["E06000001", "E06000002", "W06000001", "W06000002"], None),
    ],
)
def test_labels_that_combine_axes_are_a_doubt(labels, parts):
    table = FrequencyTable([*range(3, 3 + len(labels))], {"Column": labels})
    combined = plausibility.combined_axes(table)
    if parts is None and "!!" in labels[0]:
        assert combined[0].facts["number"] == 2
    else:
        assert [doubt.facts["number"] for doubt in combined] == ([] if parts is None else [len(parts)])
        assert all(part in str(combined[0].facts["named"]) for part in parts or ())


def test_a_larger_area_is_omitted_and_a_large_group_is_kept():
    text = WRONG["country beside a part of its areas"][2]
    kept, dropped = (read_csv(text, how=ReadOptions(largest=answer)).table for answer in ("keep", "drop"))
    assert dropped.total == kept.total - 2950 - 2874
    for answers in ({"margins": "drop"}, {"doubts": "accept"}):
        with pytest.raises(Question, match="largest"):
            read_csv(text, how=ReadOptions(**answers))
    few = "\n".join([*text.splitlines()[:3], text.splitlines()[-1]])
    assert read_csv(few).table.shape == (3, 2)


@pytest.mark.parametrize("is_sum", [True, False])
def test_the_largest_category_beside_a_total_is_no_total(is_sum):
    """Of a country beside some of its areas, the largest area was omitted after the country."""
    areas = {"Capital": (4000, 4200), **{f"Area {k}": (300 + 17 * k, 310 + 16 * k) for k in range(6)}}
    country = np.sum(list(areas.values()), axis=0) + (0 if is_sum else 6000)
    lines = [f"{label},{men},{women}" for label, (men, women) in {"Country": country, **areas}.items()]
    content = "\n".join(["Area,Men,Women", *lines]) + "\n"
    if not is_sum:
        with pytest.raises(Question) as asked:
            read_csv(content)
        assert asked.value.doubt.facts["label"] == "Country"
    how = ReadOptions(margins="drop") if is_sum else ReadOptions(largest="drop")
    assert read_csv(content, how=how).table.axes[0].labels == tuple(areas)


#: Lines of pupils, of boys and of girls, and a country that has no lines for the sexes.
COUNTRY_WITHOUT_SEXES = {"Country": 51276, "Bath": (5797, 5259), "Hull": (9806, 9145), "York": (10513, 10756)}


def text_with_country(years, total):
    lines = [f"Authority;Code;Sex;{';'.join(f'20{23 - year}/{24 - year}' for year in range(years))}"]
    for area, counts in COUNTRY_WITHOUT_SEXES.items():
        parts = counts if isinstance(counts, tuple) else ()
        cells = [[part + 31 * year for year in range(years)] for part in parts]
        whole = [sum(column) for column in zip(*cells, strict=True)] or [
            counts + 186 * y for y in range(years)
        ]
        for sex, line in zip((total, "Boys", "Girls"), (whole, *cells), strict=False):
            lines.append(";".join((area, area[:2], sex, *map(str, line))))
    return "\n".join(lines)


def test_a_sum_whose_parts_one_line_lacks_is_a_doubt():
    counts = [[51276, 0, 0], [11056, 5797, 5259], [18951, 9806, 9145], [21269, 10513, 10756]]
    axes = {"Area": ["Country", "Bath", "Hull", "York"], "Sex": ["Pupils", "Boys", "Girls"]}
    table = FrequencyTable(counts, axes)
    assert [one.facts["label"] for one in plausibility.near_sums(table)] == ["Pupils"]
    smaller, gone = plausibility.without_near_sums(table)
    assert [total.label for total in gone] == ["Pupils", "Country"]
    assert smaller == FrequencyTable(
        np.array(counts)[1:, 1:], {"Area": axes["Area"][1:], "Sex": axes["Sex"][1:]}
    )


@pytest.mark.parametrize("years", [1, 2, 3])
@pytest.mark.parametrize("total", ["Pupils", "Pob disgybl", "All pupils"])
def test_sums_are_a_doubt_after_each_answer(years, total):
    text = text_with_country(years, total)
    for chosen in ({"only": ("Column=2023/24",)}, {"only": ("Column=*",)}) if years > 1 else ({},):
        with pytest.raises(Question) as raised:
            read_csv(text, how=ReadOptions(**chosen))
        assert raised.value.doubt.question in ("sum", "near sum", "all", "wrong total")
        reading = read_csv(text, how=ReadOptions(**chosen, margins="drop", doubts="accept"))
        labels = [sorted(axis.labels) for axis in reading.table.axes[:2]]
        assert labels == [["Bath", "Hull", "York"], ["Boys", "Girls"]]


@pytest.mark.parametrize("years", [1, 2, 3])
def test_a_country_with_a_correct_total_is_omitted_without_a_doubt(years):
    text, how = text_with_country(years, "Total"), ReadOptions(only=("Column=2023/24",) if years > 1 else ())
    labels = [sorted(axis.labels) for axis in read_csv(text, how=how).table.axes[:2]]
    assert labels == [["Bath", "Hull", "York"], ["Boys", "Girls"]]
    with pytest.raises(Question) as raised:
        read_csv(text.replace("Country;Co;Total;51276", "Country;Co;Total;51277"), how=how)
    assert raised.value.doubt.question == "wrong total"


@pytest.mark.parametrize("labels", [3, 4, 7])
@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_a_grand_total_in_the_last_block_is_a_doubt(labels, columns, seed):
    counts = np.random.default_rng(seed).poisson(60, size=(3, labels, columns))
    total = np.zeros((3, 1, columns), dtype=int)
    total[-1, 0] = counts.sum(axis=(0, 1))
    table = FrequencyTable(np.concatenate([counts, total], axis=1))
    doubts = plausibility.near_sums(table)
    assert [one.facts["label"] for one in doubts] == [table.axes[1].labels[-1]]
    smaller, _ = plausibility.without_near_sums(table)
    assert np.array_equal(smaller.counts, counts)


@pytest.mark.parametrize("seed", range(40))
def test_sparse_tables_raise_no_doubt_about_sums(seed):
    random = np.random.default_rng(seed)
    shape = random.integers(3, 9, size=random.integers(2, 4))
    rates = random.gamma(0.5, 30, size=shape) * (random.random(shape) < random.uniform(0.15, 0.6))
    assert plausibility.near_sums(FrequencyTable(random.poisson(rates))) == []


@pytest.mark.parametrize(
    ("labels", "is_asked"),
    [
        (("15 35 55", "02 22 42", "09 29 49"), True),  # minutes of a timetable
        (("1 200 500", "2 400 000", "9 000 000"), False),  # one number each
        (("1 2", "1 3", "2 3"), False),
        (("15 35 55", "Total", "Other"), False),
    ],
)
def test_labels_of_several_numbers_may_be_times_or_columns(labels, is_asked):
    assert bool(plausibility.joined_columns(FrequencyTable([5, 6, 7], {"Weekday": labels}))) is is_asked


@pytest.mark.parametrize(
    ("labels", "is_asked"),
    [
        (("11", "4", "19", "126", "23", "Suppressed"), True),
        (("0", "1", "2", "3", "4", "Unknown"), False),  # numbers of rooms
        (("1101", "1103", "2105", "3107", "4109", "Other"), False),  # codes
        (("11", "4", "19", "126", "23", "Suppressed", "Unreliable"), False),
    ],
)
def test_numbers_with_gaps_and_one_word_may_be_counts(labels, is_asked):
    table = FrequencyTable(np.full((2, len(labels)), 9), {"Area": ["A", "B"], "Deaths": labels})
    assert bool(plausibility.counts_as_labels(table)) is is_asked


def test_rows_that_are_counted_once_each_are_not_the_same_people():
    axes = {"Area": 3, "Year": 2, "Age": 40}
    once = FrequencyTable(
        np.ones((3, 2, 40), dtype=int), {n: [f"{n} {k}" for k in range(m)] for n, m in axes.items()}
    )
    assert plausibility.same_people(once) == []
