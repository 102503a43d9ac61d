"""The Y variables in words: how many there are, who moved, and what is left to know, with the numbers put in."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from unicodedata import numeric

import numpy as np

from sdcwidgets._util.labels import and_more, percent
from sdcwidgets._util.labels import counted as counted_as
from sdcwidgets._util.lines import text_lines
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.who.result import DOTS, DRAWS, LISTED, Size, WhoResult
from sdcwidgets.widgets.texts import Line, Piece, Quantity, people, reading
from sdcwidgets.widgets.texts.narration import Narration

#: More people than this are not named one by one.
NAMED = 6

#: A sum that takes more letters is not written beside its definition.
SHORT = 60

#: More digits than this nobody reads.
DIGITS = 12

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SHARES = {Fraction(numeric(sign)).limit_denominator(8): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
#: The three sums of H(X|Y): what each asks, its formula, and what it means.
_SUMS = (
    (
        "Who stayed: did they stay or come?",
        "−Σ m·log(m/q)",
        "Seen in a published cell, someone who stayed there looks like someone who came.",
    ),
    (
        "Who came: which cell did they leave?",
        "−Σ (p−m)·log((p−m)/s)",
        "Whoever moved left one of the cells that lost people; G does not say which.",
    ),
    (
        "Who came: did they stay or come?",
        "−Σ (q−m)·log((q−m)/q)",
        "Seen in a published cell, someone who came looks like someone who stayed there.",
    ),
)
_LETTERS = "p = F/N, q = G/M, m = min(p, q), s = 1 − Σm; natural logarithms, 0·log 0 = 0"
_VARIANTS = {
    "information": ("“Information”: what G still tells", "x₂·(1 − H(X|Y)/H(X))"),
    "uncertainty": ("“Uncertainty”: what G no longer tells", "x₂·H(X|Y)/H(X)"),
}


def lead(result: WhoResult) -> tuple[str, str]:
    """Return the answer to who moved, and what that keeps hidden."""
    ways = how_many(result.size)
    fit = "1 way fits" if ways == "1" else f"{ways} ways fit"
    if result.entropy == 0:
        return f"{fit}, and everyone was in one cell.", "There was nothing to find out even before."
    if not result.state.settings.closest:
        return f"{fit}: anyone may be anywhere.", "So the published table says nothing about anyone."
    if not result.fewest:
        return f"{fit}: nobody had to move.", "Whoever sees the table can take it for the truth."
    leaving = result.people[0] - result.people[1]
    losing = [name for name, number in zip(cells(result), leaving.tolist(), strict=True) if number > 0]
    hidden_share = f"That keeps {result.unknown:.0%} of what there was to find out hidden."
    whose = (
        "The published table does not say who."
        if result.copies == 1
        else f"Each person counts as {result.copies:,} copies, and the table does not say whose."
    )
    return (
        f"{fit}: {dots(result, result.fewest)} left {and_more(losing, len(losing))}.",
        f"{whose} {hidden_share}",
    )


def cells(result: WhoResult) -> tuple[str, ...]:
    """Return the names of the cells: c₁, c₂, ..."""
    return tuple(f"c{k + 1}".translate(_SUBSCRIPTS) for k in range(len(result.state.before)))


def how_many(size: Size) -> str:
    """Return a number of Y variables, a very large one as a power of ten.

    Examples
    --------
    >>> how_many(Size(20, 1.301)), how_many(Size(None, 24.5))
    ('20', '3.2·10²⁴')
    """
    if size.exact is not None and size.digits < DIGITS:
        return f"{size.exact:,}"
    power = int(size.digits)
    if power < 3:
        return f"{10**size.digits:.0f}"
    if power > 10**6:
        return f"10^{power:,}"
    return f"{10 ** (size.digits - power):.1f}·10{str(power).translate(_SUPERSCRIPTS)}"


def labels(result: WhoResult) -> dict[str, str]:
    """Return what the two sets of Y variables are called, by name."""
    every, closest = (how_many(result.sizes[name]) for name in ("all", "closest"))
    only = "Only the one that moves" if closest == "1" else f"Only the {closest} that move"
    return {"all": f"All {every}" if every != "1" else "All, just 1", "closest": f"{only} fewest people"}


def scene(result: WhoResult) -> str:
    """Return what the screen is about, with the counts in it."""
    before, after = result.state.before, result.state.after
    return (
        f"{people(sum(before))} in {len(before)} cells. Original counts F = ({_row(before)}). Published counts "
        f"G = ({_row(after)}). The agency knows X. The intruder sees only G: who is where?"
    )


def dots(result: WhoResult, number: int) -> str:
    """Return so many dots in words."""
    return people(number) if result.copies == 1 else counted_as(number, "copy", "copies")


def hurdle(result: WhoResult) -> str:
    """Return why there are copies, draws or no dots, "" if there is nothing to say."""
    N, M, total = sum(result.state.before), sum(result.state.after), int(result.people[0].sum())
    copies = (
        f"N = {N:,} and M = {M:,} differ: each person is drawn as {M:,} copies, each published one as {N:,}, "
        f"so both rows have N·M = {total:,}. "
        if N != M
        else ""
    )
    if not result.length:
        return f"{copies}Up to {DOTS} dots are drawn; this needs {total:,}, so only numbers and the theorem are shown."
    if result.drawn and result.state.settings.order == "listed":
        return (
            f"{copies}More than {LISTED:,} possibilities are not listed in order: these are random draws, each "
            "as likely as any other."
        )
    return copies.strip()


def moved(result: WhoResult) -> str:
    """Return who is in another cell under the Y variable that is shown."""
    if result.assignment is None:
        return ""
    truth, possible = result.truth, result.assignment
    who = np.flatnonzero(truth != possible)
    if not len(who):
        return "Everyone is in the cell where they were."
    if result.copies == 1 and len(who) <= NAMED:
        return " ".join(
            f"Person {i + 1} moved from c{truth[i] + 1} to c{possible[i] + 1}." for i in who.tolist()
        )
    ways, counts = np.unique(np.stack([truth[who], possible[who]]), axis=1, return_counts=True)
    steps = [
        f"{count} from c{here + 1} to c{there + 1}"
        for here, there, count in zip(*ways.tolist(), counts.tolist(), strict=True)
    ]
    noun = "people" if result.copies == 1 else "copies"
    more = f" and {len(steps) - NAMED} other ways" if len(steps) > NAMED else ""
    return f"{len(who)} {noun} moved: {', '.join(steps[:NAMED])}{more}."


def counted(result: WhoResult) -> str:
    """Return how the two sets are counted, with the numbers put in."""
    before, after = result.people.tolist()
    T, stay = sum(before), result.stay.tolist()
    gains = " ".join(f"{m - staying:,}!" for m, staying in zip(after, stay, strict=True))
    choices = "".join(f" · C({n:,},{staying:,})" for n, staying in zip(before, stay, strict=True) if n)
    every, closest = (
        f"{'=' if size.exact is not None and size.digits < DIGITS else '≈'} {how_many(size)}"
        for size in (result.sizes["all"], result.sizes["closest"])
    )
    return (
        f"All: {T:,}!/({' '.join(f'{m:,}!' for m in after)}) {every}. "
        f"Fewest moved: ({T:,} − {sum(stay):,})!/({gains}){choices} {closest}."
    )


def so_far(result: WhoResult) -> str:
    """Return what the average is over, and what the theorem says of it."""
    theorem, seen = f"Theorem {_theorem(result)}", len(result.differences)
    if not seen:
        return f"Nobody is listed; {theorem} gives the matrix at once."
    if result.drawn:
        return f"Averaged over {seen:,} draw{'s' if seen > 1 else ''}. {theorem} is what draws without end come to."
    if seen == result.length:
        whole = "the only one" if seen == 1 else f"all {seen:,}"
        return f"Averaged over {whole}. {theorem} gives the same matrix without listing anyone."
    return f"Averaged over the first {seen:,} of {result.length:,}. {theorem} is the average over all."


def at_once(result: WhoResult) -> str:
    """Return what the button is called that averages over the whole sequence."""
    exact = result.size.exact
    if exact is None or exact > LISTED:
        return f"Average over {DRAWS:,} draws at once"
    return "Average over all at once" if exact == 1 else f"Average over all {exact:,} at once"


def no_table(result: WhoResult) -> str:
    """Return what Theorem 1 says of this table: with all Y variables it would tell nothing."""
    total = sum(result.state.after)
    shares = [Fraction(count, total) for count in result.state.after]
    row = ", ".join(_SHARES.get(share, str(share)) for share in shares)
    verb = "would be" if result.state.settings.closest else "is"
    number = 1 if result.copies == 1 else 3
    return (
        f"With all {how_many(result.sizes['all'])}, every row of this matrix {verb} ({row}): the published table "
        f"would tell nothing about anyone (Theorem {number})."
    )


def notice(result: WhoResult) -> str:
    """Return the sentence that says what a person should notice about what is left to know."""
    if result.entropy == 0:
        return "Everyone was in one cell, so there was nothing to find out even before."
    if not result.state.settings.closest:
        return (
            "If everyone may be anywhere that fits G, seeing G does not help the intruder: H(X|Y) = H(X). So the "
            "measure asks only about those that move fewest people."
        )
    if not result.fewest:
        return "Nobody has to move, so whoever sees G can take it for the truth: nothing is left to find out."
    total = int(result.people[0].sum())
    return (
        f"At least {result.fewest:,} of {dots(result, total)} must have moved, and G does not say who. That keeps "
        f"{percent(result.unknown)} of what there was to find out from the intruder."
    )


def narration(result: WhoResult) -> Narration:
    """Return what the intruder still doesn't know."""
    return Narration(
        f"{result.remaining_entropy:.4f}",
        f"H(X|Y) of at most H(X) = {result.entropy:.4f} nats.",
        notice(result),
        entropy_formula(result),
        parts=[("still unknown", result.unknown)],
        ends=("everything is known", "nothing is known"),
        explain=lambda: ("H(X|Y)", explain_entropy(result)),
    )


def entropy_formula(result: WhoResult) -> Line:
    """Return H(X|Y) on one line, with its sums put in."""
    if not result.state.settings.closest:
        return [Piece(f"H(X|Y) = H(X) = −Σ p·log p = {result.entropy:.4f}, since every row is G/M")]
    definition = " ".join(how.replace("−Σ", "− Σ") for _, how, _ in _SUMS)
    values = " + ".join(f"{float(part):.4f}" for part in result.parts)
    return [Piece(f"H(X|Y) = {definition} = {values} = {result.remaining_entropy:.4f}")]


def sums(result: WhoResult) -> list[Quantity]:
    """Return the three sums of H(X|Y) over Ω*, each with its formula and numbers if they fit beside it."""
    rows = []
    for index, ((name, how, _), part) in enumerate(zip(_SUMS, result.parts, strict=True)):
        terms = _terms(result, index)
        rows.append(reading(name, f"{float(part):.4f}", f"{how} = {terms}" if len(terms) <= SHORT else how))
    return rows


def variants(result: WhoResult) -> list[Quantity]:
    """Return the second risk term after publication, as either source has it."""
    return [
        reading(name, f"{result.second[variant]:.4f}", f"{how}{_filled(result, variant)}")
        for variant, (name, how) in _VARIANTS.items()
    ]


def two_claims(result: WhoResult) -> str:
    """Return why the two second terms differ."""
    if result.entropy == 0:
        return (
            "All people are in one cell: H(X) = 0, there was nothing to find out, and H(X|Y)/H(X) is 0/0. The thesis' "
            "claim is kept: with G in proportion to F the term is that of before, once G is changed it is 0. PSD 2014 "
            "sets it to 0."
        )
    half = abs(2 * result.left_closest - result.entropy) < 5e-5 < result.entropy
    same = " Here they are equal, since just half of H(X) is left." if half else ""
    return (
        "They are different claims. The thesis measures what G still tells an intruder: with G = F it is the term "
        f"before, x₂ = {result.first:.4f}. PSD 2014 prints what G hides: with G = F it is 0.{same}"
    )


def explain_entropy(result: WhoResult) -> list[Line]:
    """Return how H(X|Y) comes about, a line a step."""
    if result.state.settings.closest:
        stay = result.stay.tolist()
        total = int(result.people[0].sum())
        steps = [
            f"min(F, G) = ({_row(stay)}): {sum(stay):,} of {total:,} stay, {result.fewest:,} move",
            _LETTERS,
            *(f"{how} = {_terms(result, index)}" for index, (_, how, _) in enumerate(_SUMS)),
        ]
    else:
        steps = [f"Over all Y variables every row of the matrix is G/M (Theorem {_theorem(result)})"]
    before = result.state.before
    N = sum(before)
    terms = " + ".join(f"{n:,}/{N:,}·log({n:,}/{N:,})" for n in before if n)
    return [
        *text_lines(f"H(X) = −Σ p·log p = −({terms}) = {result.entropy:.4f}", *steps),
        entropy_formula(result),
        *text_lines(
            f"share still unknown: H(X|Y)/H(X) = {result.remaining_entropy:.4f}/{result.entropy:.4f} "
            f"= {result.unknown:.3f}"
            if result.entropy
            else "H(X) = 0: all people are in one cell, so nothing was unknown, and there is no share of it"
        ),
    ]


def explain_sum(result: WhoResult, index: int) -> list[Line]:
    """Return how one of the three sums comes about."""
    name, how, meaning = _SUMS[index]
    return text_lines(name, meaning, _LETTERS, f"{how} = {_terms(result, index)}", "Thesis, (3.6.5), over Ω*")


def explain_second(result: WhoResult, index: int) -> list[Line]:
    """Return how one of the two second terms comes about."""
    variant, (name, how) = list(_VARIANTS.items())[index]
    K = len(result.state.before)
    return text_lines(
        name,
        f"x₂ = 1 − H(X)/log K = 1 − {result.entropy:.4f}/{np.log(K):.4f} = {result.first:.4f}",
        f"H(X|Y) = {result.left_closest:.4f} over Ω*, as the risk measure has it",
        f"{how}{_filled(result, variant)} = {result.second[variant]:.4f}",
        "Thesis, (3.6.6)" if variant == "information" else "PSD 2014, (5)",
    )


def explain_matrix(result: WhoResult) -> list[Line]:
    """Return how the theorem's matrix comes about, a line for each cell with people."""
    before, after = result.people.tolist()
    stay, names = result.stay.tolist(), [f"c{k + 1}" for k in range(len(before))]
    lines = text_lines(
        f"Theorem {_theorem(result)}, with {'F and G' if result.copies == 1 else 'M·F and N·G'}"
    )
    if not result.state.settings.closest:
        total = sum(after)
        lines += text_lines("Pr(Y = c_j | X = c_i) = G_j/M, the same in every row")
        return lines + text_lines(
            *(f"to {name}: {m:,}/{total:,} = {m / total:.4f}" for name, m in zip(names, after, strict=True))
        )
    lines += text_lines("stays: min(F_i, G_i)/F_i; moves: (F_i − min_i)·(G_j − min_j)/(F_i·(N − Σ min))")
    for i, n in enumerate(before):
        if not n:
            lines += text_lines(f"from {names[i]}: nobody was there, so 0")
            continue
        entries = [f"stays {stay[i]:,}/{n:,} = {result.theorem[i, i]:.4f}"]
        for j in range(len(before)):
            leave, come = n - stay[i], after[j] - stay[j]
            if leave and come:
                share = f"{leave:,}·{come:,}/({n:,}·{result.fewest:,}) = {result.theorem[i, j]:.4f}"
                entries.append(f"to {names[j]} {share}")
        lines += text_lines(f"from {names[i]}: {'; '.join(entries)}")
    return lines


def as_code(state: object) -> str:
    """Return the Python code that computes the numbers of a publication."""
    return script(
        "from sdcwidgets.dashboards.who.result import compute",
        "from sdcwidgets.dashboards.who.state import Search, WhoState",
        "",
        f"result = compute({state!r})",
        "result.theorem, result.remaining_entropy, result.parts",
    )


def _row(counts: Sequence[int]) -> str:
    return ", ".join(f"{count:,}" for count in counts)


def _theorem(result: WhoResult) -> int:
    return (2 if result.state.settings.closest else 1) + (2 if result.copies > 1 else 0)


def _terms(result: WhoResult, index: int) -> str:
    """Return one of the three sums with the numbers of people in it, and its value."""
    (before, after), stay, total = result.people, result.stay, int(result.people[0].sum())
    moved = np.full_like(before, result.fewest)
    over, by = ((stay, after), (before - stay, moved), (after - stay, after))[index]
    terms = [
        f"{a:,}/{total:,}·log({a:,}/{b:,})" for a, b in zip(over.tolist(), by.tolist(), strict=True) if a
    ]
    value = f"{float(result.parts[index]):.4f}"
    return f"−({' + '.join(terms)}) = {value}" if terms else "0: nobody moves"


def _filled(result: WhoResult, variant: str) -> str:
    if result.entropy == 0:
        same = variant == "information" and result.second[variant] > 0
        return ": 0/0, since all people are in one cell; " + (
            "G shows it as it is, so the term is that of before" if same else "so the term is set to 0"
        )
    ratio = f"{result.left_closest:.4f}/{result.entropy:.4f}"
    inner = f"(1 − {ratio})" if variant == "information" else ratio
    return f" = {result.first:.4f}·{inner}"
