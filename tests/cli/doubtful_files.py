"""Small files with a doubt about their layout: at least one for each kind of question."""

import io
import itertools
import zipfile
from typing import NamedTuple

import openpyxl

ROWS = [["Area", "Men", "Women"], ["Bath", 31, 40], ["Hull", 59, 61], ["York", 20, 25]]


class DoubtfulFile(NamedTuple):
    """A file with the right total of its table, a text above the mark of its doubt, and texts that a preview shows."""

    content: bytes
    total: int
    place: str = ""
    texts: tuple[str, ...] = ()


def text(content, total, place="", encoding="utf-8"):
    shown = tuple(line.split(",")[0].split(";")[0].strip() for line in content.splitlines()[1:4])
    return DoubtfulFile(content.encode(encoding), total, place, shown)


def workbook(sheets, *, rows=(), columns=(), hidden=()):
    """Return a workbook with hidden rows and columns of the first sheet, and hidden sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, lines in sheets.items():
        page = book.create_sheet(name)
        for line in lines:
            page.append(line)
        page.sheet_state = "hidden" if name in hidden else "visible"
    for number in rows:
        book.worksheets[0].row_dimensions[number].hidden = True
    for letter in columns:
        book.worksheets[0].column_dimensions[letter].hidden = True
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def archive(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, content in files.items():
            made.writestr(f"{name}.csv", content)
    return stream.getvalue()


def people(line, number=59):
    """Return the lines of a file with one row per person."""
    return "".join(line(i, "mf"[i % 2], ("North", "East", "South")[i % 3]) for i in range(1, number + 1))


def long(axes, counts):
    """Return the lines of a long table."""
    return "".join(
        f"{','.join(labels)},{count}\n"
        for labels, count in zip(itertools.product(*axes), counts, strict=False)
    )


VOTES = [310, 290, 245, 265, 120, 88, 97, 129, 801, 777, 93, 117]
REGIONS = "".join(
    f"{region},{area},{sex},{31 + 3 * k * k}\n"
    for k, ((region, area), sex) in enumerate(
        itertools.product([("N", "Bath"), ("N", "Hull"), ("S", "York"), ("S", "Ely")], "mf")
    )
)
ABSENT = "".join(
    f"{area},{sex},{age},{number}\n"
    for number, (area, sex, age) in enumerate(itertools.product("ABCD", "mf", ["0-14", "15-64", "65+"]), 31)
    if number not in (33, 40, 45)
)

FILES = {
    "suppressed.csv": text("Area,Men,Women\nBath,31,c\nHull,59,61\nYork,20,25\n", 165, "Bath"),
    "dots.csv": text("Area,Men,Women\nBath,31,..\nHull,59,61\nYork,20,25\n", 165, "Bath"),
    "dash.csv": text("Area,Men,Women\nBath,31,-\nHull,59,61\nYork,20,25\n", 196, "Bath"),
    "blank.csv": text("Area,Men,Women\nBath,31,\nHull,59,61\nYork,20,25\n", 196, "Bath"),
    "words.csv": text("Area,Men,Women\nBath,many,40\nHull,59,61\nYork,20,25\n", 205, "Bath"),
    "negative.csv": text("Area,Men,Women\nBath,-9,40\nHull,59,61\nYork,20,25\n", 205, "Bath"),
    "flag.csv": text("Area,Men,Women\nBath,31,12 p\nHull,59,61\nYork,20,25\n", 208),
    "star.csv": text("Area,Men,Women\nBath,31,12*\nHull,59,61\nYork,20,25\n", 208),
    "row.xlsx": DoubtfulFile(workbook({"T": ROWS}, rows=[3]), 236, "Hull", ("Bath", "Hull", "York")),
    "column.xlsx": DoubtfulFile(workbook({"T": ROWS}, columns=["C"]), 236, "label", ("Bath", "Women")),
    "sheet.xlsx": DoubtfulFile(
        workbook({"T": ROWS, "Old": [["Area", "Men"], ["Bath", 4], ["Hull", 5]]}, hidden=["Old"]), 236
    ),
    "hidden.xlsx": DoubtfulFile(workbook({"T": ROWS, "Notes": [["a note"], ["another"]]}, hidden=["T"]), 236),
    "years.xlsx": DoubtfulFile(
        workbook({"2021": ROWS, "2022": [[*line[:2], 7] if k else line for k, line in enumerate(ROWS)]}), 236
    ),
    "archive.zip": DoubtfulFile(archive(a="Area;m;f\nA;3;1\nB;7;5\n", b="Area;m;f\nA;4;1\nB;8;5\n"), 18),
    "sum.csv": text("Area,Men,Women\nBath,31,40\nHull,59,61\nYork,20,25\nRest,110,126\n", 236, "Rest"),
    "wrong_total.csv": text("Area,Men,Women\nBath,31,40\nHull,59,61\nYork,20,25\nAll,110,125\n", 236),
    "all.csv": text("Area,Men,Women\nBath,31,40\nHull,59,61\nTotal,150,190\n", 191),
    "years.csv": text("Area,Year,n\nBath,2021,31\nHull,2021,59\nBath,2022,35\nHull,2022,54\n", 89, "label"),
    "first_line.csv": text("Area,2021,2022\nBath,31,40\nHull,59,61\n", 101, "heading"),
    "bare.csv": text("31,40,7\n59,61,8\n12,13,9\n", 240, "heading"),
    "people.csv": text("id,sex,region\n" + people(lambda i, sex, region: f"{i},{sex},{region}\n"), 59),
    "ages.csv": text(
        "sex,region,age\n" + people(lambda i, sex, region: f"{sex},{region},{20 + i * 7 % 50}\n"), 59
    ),
    "persons.csv": text(
        "id,sex,age,income\n"
        + people(lambda i, sex, _: f"{i},{sex},{20 + i * 7 % 50},{1000 + i * 531 % 3000}\n"),
        59,
    ),
    "missing.csv": text(
        "sex,region\n" + people(lambda i, sex, region: f"{sex if i % 4 else ''},{region}\n"), 59
    ),
    "questions.csv": text(
        "sex,region\nWhat is your sex?,Where do you live?\n"
        + people(lambda i, sex, region: f"{sex},{region}\n"),
        60,
    ),
    "measures.csv": text(
        "area,sex,measure\n"
        + long(("ABCDEFGHIJ", "mf"), ())
        + "".join(f"{area},{sex},{name}\n" for area in "ABCDEFGHIJ" for sex in "mf" for name in "xy"),
        40,
    ),
    "twice.csv": text("Area,Sex,n\nBath,m,3\nBath,m,4\nHull,f,6\nHull,m,8\nBath,f,3\n", 24),
    "repeated.csv": text("Area,Men,Women\nBath,31,40\nBath,35,44\nHull,59,61\nYork,20,25\n", 315),
    "same_rows.csv": text("Area,Men,Women\nBath,31,40\nBath,31,40\nHull,59,61\nYork,20,25\n", 307),
    "decimals.csv": text("Area,Men,Women\nBath,3.1,4.2\nHull,5.9,6.1\n", 19300),
    "two_marks.csv": text("Area;Men;Women\nBath;1,302;2.5\nHull;3,199;1,777\n", 6280),
    "thousands.csv": text("Population in thousands,,\nArea,Men,Women\nBath,31,42\nHull,59,61\n", 193000),
    "unit.csv": text("Area,Exports EUR\nBath,31\nHull,59\nYork,77\n", 167),
    "average.csv": text("Average income by area,,\nArea,Men,Women\nBath,31,42\nHull,59,61\n", 193),
    "age.csv": text(
        "Area,Men,Women,Average age\nBath,31,40,42\nHull,59,61,39\nYork,20,25,41\n", 236, "label"
    ),
    "levels.csv": text(
        "level,Area,m,f\n0,Land,950,870\n1,North,500,450\n2,A,200,190\n2,B,300,260\n1,South,450,420\n2,C,180,170\n"
        "2,D,270,250\n",
        1820,
    ),
    "groups_of_areas.csv": text(
        "Area,Men,Women\nNorth,90,101\nBath,31,40\nHull,59,61\nSouth,30,45\nYork,20,25\nEly,10,20\n",
        266,
        "North",
    ),
    "part.csv": text(
        "Status,Men,Women\nEmployed,310,260\nof which part-time,45,126\nNot employed,31,43\n", 644, "of which"
    ),
    "indented.csv": text(
        "Status,Men,Women\nEmployed,310,260\n  Full-time,200,100\n  Part-time,45,126\nNot employed,31,43\n",
        644,
        "Full-time",
    ),
    "named_part.csv": text(
        "Area,Employed,Employed part-time,Not employed\nA,310,45,31\nB,590,126,43\n", 1145, "label"
    ),
    "outsized.csv": text("Area,Men,Women\nBath,31,40\nHull,59,61\nYork,20,25\nLand,1110,2126\n", 236, "Land"),
    "overlap.csv": text("Age,Men,Women\n0-14,31,40\n10-19,59,61\n20+,20,25\n", 236, "0-14"),
    "combined.csv": text("Area,n\nBath men,31\nBath women,40\nHull men,59\nHull women,61\n", 191, "label"),
    "codes.csv": text(
        "Area,Code,Men,Women\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n",
        3424,
        "label",
    ),
    "regions.csv": text(f"Region,Area,Sex,n\n{REGIONS}", 668),
    "absent.csv": text(f"Area,Sex,Age,n\n{ABSENT}", 902),
    "figures.csv": text(
        "Area,Age,Unit,Value\n" + long(("AB", "xy", ("Persons", "Households")), range(9, 17)), 48
    ),
    "votes.csv": text(
        "Area,Party,Vote,n\n" + long(("ABC", ("Red", "Blue"), ("first", "second")), VOTES), 3332, "label"
    ),
    "pivot.csv": text("Type,n\nDay,60\nHernia,20\nHip,40\nStay,90\nHernia,30\nHip,60\n", 150),
    "world.csv": text("Sector,Exports\nFood,24310000000\nCars,31200000\nOther,881234\n", 24342081234),
    "outside.csv": text(
        "Deaths,Population\n11,300\n4,201\n19,222\n126,299\n23,200\nSuppressed,1000\n", 1000, "19"
    ),
    "empty_line.csv": text("Job;Clerks;Nurses;Cooks\nArea;;;\nA;31;44;57\nB;52;61;70\nC;78;35;29\n", 457),
    "rest.csv": text("Area,m,f\nBath,31,45\nHull,59,26\nTotal / Rest,90,72\n", 323, "Total / Rest"),
    "operations.csv": text("Row,m,f\nDay: Hernia,3,4\nStay: Hernia,5,9\nStay: Hip,7,2\n", 30, "label"),
    "level_of_rows.csv": text(
        "level,Area,m,f\n0,Land,950,870\n1,North,500,450\n2,A,200,190\n2,B,210,180\n", 780
    ),
    "mark.csv": text("Area;M;F\nA;5,000;1,000\nB;2,000;0,000\n", 8),
    "near.csv": text(
        "Area,m,f,Persons\nA,3121,4072,7192\nB,2809,2588,5399\nC,911,702,1612\n", 14203, "label"
    ),
    "decimal_mark.csv": text("Area,Sex,n\nA,m,9668.000\nA,f,707.000\nB,m,3012.000\nB,f,858.000\n", 14245),
    "letters.csv": text("fylke;menn;kj\u00f8nn\nOslo;31;42\nBod\u00f8;59;61\n", 193, encoding="cp1252"),
    "share.csv": text("Area,Men,Women,Weight\nBath,31,40,12.2\nHull,59,61,33.3\n", 191),
    "rate.csv": text("Deaths per 1 000\nArea,Men,Women\nBath,31,42\nHull,59,61\n", 193),
    "both.csv": text(
        "All,Town;m,Town;f,Rural;m,Rural;f,Both;m,Both;f\nA,3120,2075,2810,2590,5930,4665\nB,312,207,281,259,593,466\n",
        11654,
    ),
}
