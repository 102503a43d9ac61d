"""Texts of the page Who: numbers of Y variables, moves, and the remaining uncertainty, with formulas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from unicodedata import numeric

import numpy as np

from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.labels import and_more, percent
from sdcwidgets._util.labels import counted as counted_as
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.who.method_average import MethodAverage, TableProbability
from sdcwidgets.dashboards.who.result import DOTS, DRAWS, LISTED, Size, WhoResult
from sdcwidgets.widgets.texts import Line, Piece, Quantity, people, reading
from sdcwidgets.widgets.texts.narration import Narration

#: Maximum number of people whose moves are listed.
NAMED = 6

#: Maximum length of a sum that is shown next to its definition, in characters.
SHORT = 60

#: Maximum number of digits of a number that is written out.
DIGITS = 12

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SHARES = {Fraction(numeric(sign)).limit_denominator(8): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
#: The three sums of H(X|Y): uncertainty, formula and meaning.
_SUMS = (
    (
        "Uncertainty about people who stayed in their cell",
        "−Σ m·log(m/q)",
        "In a published cell, people who stayed cannot be distinguished from people who moved to this cell.",
    ),
    (
        "Uncertainty about the original cell of people who moved",
        "−Σ (p−m)·log((p−m)/s)",
        "People who moved left one of the cells with a lower published count. The published counts G do "
        "not show which.",
    ),
    (
        "Uncertainty about whether people moved",
        "−Σ (q−m)·log((q−m)/q)",
        "In a published cell, people who moved to this cell cannot be distinguished from people who stayed.",
    ),
)
_LETTERS = "p = F/N, q = G/M, m = min(p, q), s = 1 − Σm; natural logarithms, 0·log 0 = 0"
_VARIANTS = {
    "information": ("Information that the published counts G reveal", "x₂·(1 − H(X|Y)/H(X))"),
    "uncertainty": ("Uncertainty that the published counts G leave", "x₂·H(X|Y)/H(X)"),
}


def lead(result: WhoResult) -> tuple[str, str]:
    """Return the answer of the page, and its effect on the uncertainty."""
    ways = how_many(result.size)
    fit = "1 assignment of people fits" if ways == "1" else f"{ways} assignments of people fit"
    if result.entropy == 0:
        return (
            f"{fit}, and all people were in one cell.",
            "An intruder had no uncertainty even before protection.",
        )
    if not result.state.settings.closest:
        return (
            f"{fit}: each person may be in {_possible_cells(result)}.",
            "The probabilities are the same for each person. Therefore, the published cell of a person reveals "
            "nothing about the original cell of this person.",
        )
    fit = f"With the fewest moves, {fit}"
    if not result.fewest:
        return (
            f"{fit}: nobody had to move.",
            "Data users can assume that the published table is the original table.",
        )
    leaving = result.people[0] - result.people[1]
    losing = [name for name, number in zip(cells(result), leaving.tolist(), strict=True) if number > 0]
    hidden_share = (
        f"An intruder keeps {result.unknown:.0%} of the uncertainty about the original cells. At 0%, the intruder "
        "knows all original cells; at 100%, the published table does not help."
    )
    whose = (
        "The published table does not show who moved."
        if result.copies == 1
        else f"Each person counts as {result.copies:,} copies. The published table does not show whose copies moved."
    )
    return (
        f"{fit}: {dots(result, result.fewest)} left {and_more(losing, len(losing))}.",
        f"{whose} {hidden_share}",
    )


def _possible_cells(result: WhoResult) -> str:
    """Return the cells with published people, such as "c₁, c₂ or c₃"."""
    names = [name for name, count in zip(cells(result), result.state.after, strict=True) if count]
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def cells(result: WhoResult) -> tuple[str, ...]:
    """Return the names of the cells: c₁, c₂, ..."""
    return tuple(map(_cell, range(len(result.state.before))))


def _cell(index: int) -> str:
    """Return the name of a cell, such as c₃ for the index 2."""
    return f"c{index + 1}".translate(_SUBSCRIPTS)


def how_many(size: Size) -> str:
    """Return the number of Y variables as text, a very large one as a power of ten.

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
    """Return the labels of the two sets of Y variables, by name."""
    every, closest = (how_many(result.sizes[name]) for name in ("all", "closest"))
    only = "Only the possibility with fewest moves"
    if closest != "1":
        only = f"Only the {closest} possibilities with fewest moves"
    return {"all": f"All {every} possibilities" if every != "1" else "The only possibility", "closest": only}


def scene(result: WhoResult) -> str:
    """Return the setting of the page, with its counts."""
    before, after = result.state.before, result.state.after
    return (
        f"{people(sum(before))} in {len(before)} cells. Original counts F = ({_row(before)}). Published counts "
        f"G = ({_row(after)}). The agency knows the original cells X. The intruder sees only G."
    )


def averaged(result: MethodAverage) -> str:
    """Return over which tables the average of a method is, with its entropies."""
    tables = (
        f"the {counted_as(result.tables, 'table', 'tables')} that {result.title} can publish, weighted by their "
        "probabilities"
        if result.is_exact
        else f"{result.tables:,} replicates of {result.title}"
    )
    return (
        f"Average over {tables} (Theorems 5 and 6). H(X|Y) = {result.remaining_entropy:.4f} nats of H(X) = "
        f"{result.entropy:.4f}, so the mutual information is I(X; Y) = {result.mutual_information:.4f} nats. The "
        "average describes the method, before a table is drawn."
    )


def probability(found: TableProbability | None) -> str:
    """Return the probability of the shown table G, "" if it is not known."""
    if found is None:
        return ""
    text = f"The method publishes the shown G with the probability Pr(G | F) = {found.exact:.4f}"
    if found.poisson is None:
        return f"{text}."
    return (
        f"{text} (exact, by equation (6.3.2)). The Poisson approximation of this equation, for this number of people, "
        f"is {found.poisson:.4f}."
    )


def dots(result: WhoResult, number: int) -> str:
    """Return a number of dots in words."""
    return people(number) if result.copies == 1 else counted_as(number, "copy", "copies")


def hurdle(result: WhoResult) -> str:
    """Return why there are copies, draws or no dots, "" if none of these applies."""
    N, M, total = sum(result.state.before), sum(result.state.after), int(result.people[0].sum())
    copies = (
        f"The numbers of people before and after protection, N = {N:,} and M = {M:,}, differ. Each original person is "
        f"shown as {M:,} dots and each published person as {N:,} dots, so both rows have N·M = {total:,} dots. "
        if N != M
        else ""
    )
    if not result.length:
        return (
            f"{copies}The page can show {DOTS} dots. This table needs {total:,} dots, so the page shows only numbers "
            "and the theorem."
        )
    if result.drawn and result.state.settings.order == "listed":
        return (
            f"{copies}More than {LISTED:,} possibilities cannot be listed, so the page draws possibilities at random, "
            "all with the same probability."
        )
    return copies.strip()


def moved(result: WhoResult) -> str:
    """Return the people in another cell under the current Y variable."""
    if result.assignment is None:
        return ""
    truth, possible = result.truth, result.assignment
    who = np.flatnonzero(truth != possible)
    if not len(who):
        return "With this possibility, all people are in their original cells."
    if result.copies == 1 and len(who) <= NAMED:
        return " ".join(
            f"Person {i + 1} moved from {_cell(truth[i])} to {_cell(possible[i])}." for i in who.tolist()
        )
    ways, counts = np.unique(np.stack([truth[who], possible[who]]), axis=1, return_counts=True)
    steps = [
        f"{count} from {_cell(here)} to {_cell(there)}"
        for here, there, count in zip(*ways.tolist(), counts.tolist(), strict=True)
    ]
    noun = "people" if result.copies == 1 else "copies"
    more = f" and {len(steps) - NAMED} other moves between cells" if len(steps) > NAMED else ""
    return f"{len(who)} {noun} moved: {', '.join(steps[:NAMED])}{more}."


def counted(result: WhoResult) -> str:
    """Return the formulas of the sizes of the two sets, with numbers."""
    before, after = result.people.tolist()
    T, stay = sum(before), result.stay.tolist()
    gains = " ".join(f"{m - staying:,}!" for m, staying in zip(after, stay, strict=True))
    choices = "".join(f" · C({n:,},{staying:,})" for n, staying in zip(before, stay, strict=True) if n)
    every, closest = (
        f"{'=' if size.exact is not None and size.digits < DIGITS else '≈'} {how_many(size)}"
        for size in (result.sizes["all"], result.sizes["closest"])
    )
    return (
        f"Number of all possibilities: {T:,}!/({' '.join(f'{m:,}!' for m in after)}) {every}. "
        f"Number of possibilities with fewest moves: ({T:,} − {sum(stay):,})!/({gains}){choices} {closest}."
    )


def so_far(result: WhoResult) -> str:
    """Return the number of averaged possibilities, and its relation to the theorem."""
    theorem, seen = f"Theorem {_theorem(result)}", len(result.differences)
    if not seen:
        return f"The possibilities are not listed. {theorem} gives the matrix of probabilities directly."
    if result.drawn:
        return (
            f"The probabilities are averages over {seen:,} random possibilities. {theorem} gives the limit for an "
            "infinite number of possibilities."
        )
    if seen == result.length:
        return (
            f"The probabilities are averages over all possibilities ({seen:,}). {theorem} gives the same "
            f"matrix without "
            "a list of possibilities."
        )
    return (
        f"The probabilities are averages over the first {seen:,} of {result.length:,} possibilities. {theorem} gives "
        "the averages over all possibilities."
    )


def at_once(result: WhoResult) -> str:
    """Return the text of the button that averages over the whole sequence."""
    exact = result.size.exact
    if exact is None or exact > LISTED:
        return f"Average over {DRAWS:,} possibilities"
    return "Average over all" if exact == 1 else f"Average over all {exact:,} possibilities"


def no_table(result: WhoResult) -> str:
    """Return the statement of Theorem 1 about this table: all Y variables together reveal nothing."""
    total = sum(result.state.after)
    shares = [Fraction(count, total) for count in result.state.after]
    row = ", ".join(_SHARES.get(share, str(share)) for share in shares)
    verb = "would be" if result.state.settings.closest else "is"
    number = 1 if result.copies == 1 else 3
    return (
        f"If all {how_many(result.sizes['all'])} possibilities are considered, every row of this matrix {verb} "
        f"({row}). Then the published cell of a person reveals nothing about the original cell of this person "
        f"(Theorem {number})."
    )


def notice(result: WhoResult) -> str:
    """Return a summary of the remaining uncertainty."""
    if result.entropy == 0:
        return "All people were in one cell, so an intruder had no uncertainty even before protection."
    if not result.state.settings.closest:
        return (
            "If all possibilities that fit G are considered, the published cell of a person does not depend on the "
            "original cell: H(X|Y) = H(X). "
            "Therefore, the risk measure considers only the possibilities with fewest moves."
        )
    if not result.fewest:
        return (
            "Nobody has to move, so data users can assume that G is the original table, without uncertainty."
        )
    total = int(result.people[0].sum())
    return (
        f"At least {result.fewest:,} of {dots(result, total)} must have moved, and the published counts G do not show "
        f"who moved. An intruder keeps {percent(result.unknown)} of the uncertainty about the original cells."
    )


def narration(result: WhoResult) -> Narration:
    """Return H(X|Y) with an explanation."""
    return Narration(
        f"{result.remaining_entropy:.4f}",
        f"H(X|Y); the maximum is H(X) = {result.entropy:.4f} nats. The mutual information is I(X; Y) = H(X) − H(X|Y) "
        f"= {result.entropy - result.remaining_entropy:.4f} nats.",
        notice(result),
        entropy_formula(result),
        parts=[("uncertainty", result.unknown)],
        ends=("all original cells are known", "no original cell is known"),
        explain=lambda: ("H(X|Y)", explain_entropy(result)),
    )


def entropy_formula(result: WhoResult) -> Line:
    """Return H(X|Y) on one line, with its sums."""
    if not result.state.settings.closest:
        return [Piece(f"H(X|Y) = H(X) = −Σ p·log p = {result.entropy:.4f}, because every row is G/M")]
    definition = " ".join(how.replace("−Σ", "− Σ") for _, how, _ in _SUMS)
    values = " + ".join(f"{float(part):.4f}" for part in result.parts)
    return [Piece(f"H(X|Y) = {definition} = {values} = {result.remaining_entropy:.4f}")]


def sums(result: WhoResult) -> list[Quantity]:
    """Return the three sums of H(X|Y) over Ω*, each with its formula, and with numbers if they are short."""
    rows = []
    for index, ((name, how, _), part) in enumerate(zip(_SUMS, result.parts, strict=True)):
        terms = _terms(result, index)
        rows.append(reading(name, f"{float(part):.4f}", f"{how} = {terms}" if len(terms) <= SHORT else how))
    return rows


def variants(result: WhoResult) -> list[Quantity]:
    """Return the second risk term after protection, by both published formulas."""
    return [
        reading(name, f"{result.second[variant]:.4f}", f"{how}{_filled(result, variant)}")
        for variant, (name, how) in _VARIANTS.items()
    ]


def two_claims(result: WhoResult) -> str:
    """Return why the two second terms differ."""
    if result.entropy == 0:
        return (
            "All people are in one cell, so H(X) = 0, there is no uncertainty, and H(X|Y)/H(X) is 0/0. By the "
            "thesis, the term is unchanged if G is proportional to F, and 0 otherwise. PSD 2014 sets the term to 0."
        )
    half = abs(2 * result.left_closest - result.entropy) < 5e-5 < result.entropy
    same = " Here both terms are equal, because half of H(X) remains." if half else ""
    return (
        "The two formulas have different meanings. The formula of the thesis measures the information that G reveals; "
        f"if G = F, its value is the term before protection, x₂ = {result.first:.4f}. The formula of PSD 2014 measures "
        f"the uncertainty that G leaves; if G = F, its value is 0.{same}"
    )


def explain_entropy(result: WhoResult) -> list[Line]:
    """Return the computation of H(X|Y), one line per step."""
    if result.state.settings.closest:
        stay = result.stay.tolist()
        total = int(result.people[0].sum())
        steps = [
            f"min(F, G) = ({_row(stay)}): of {total:,} people, {sum(stay):,} stay and {result.fewest:,} move",
            _LETTERS,
            *(f"{how} = {_terms(result, index)}" for index, (_, how, _) in enumerate(_SUMS)),
        ]
    else:
        steps = [
            f"Averaged over all possibilities, every row of the matrix is G/M (Theorem {_theorem(result)})"
        ]
    before = result.state.before
    N = sum(before)
    terms = " + ".join(f"{n:,}/{N:,}·log({n:,}/{N:,})" for n in before if n)
    return [
        *text_lines(f"H(X) = −Σ p·log p = −({terms}) = {result.entropy:.4f}", *steps),
        entropy_formula(result),
        *text_lines(
            f"remaining share of uncertainty: H(X|Y)/H(X) = {result.remaining_entropy:.4f}/{result.entropy:.4f} "
            f"= {result.unknown:.3f}"
            if result.entropy
            else "H(X) = 0: all people are in one cell, so an intruder has no uncertainty"
        ),
    ]


def explain_sum(result: WhoResult, index: int) -> list[Line]:
    """Return the computation of one of the three sums."""
    name, how, meaning = _SUMS[index]
    return text_lines(name, meaning, _LETTERS, f"{how} = {_terms(result, index)}", "Thesis, (3.6.5), over Ω*")


def explain_second(result: WhoResult, index: int) -> list[Line]:
    """Return the computation of one of the two second terms."""
    variant, (name, how) = list(_VARIANTS.items())[index]
    K = len(result.state.before)
    return text_lines(
        name,
        f"x₂ = 1 − H(X)/log K = 1 − {result.entropy:.4f}/{np.log(K):.4f} = {result.first:.4f}",
        f"H(X|Y) = {result.left_closest:.4f} over Ω*, the possibilities with fewest moves, as in the risk measure",
        f"{how}{_filled(result, variant)} = {result.second[variant]:.4f}",
        "Thesis, (3.6.6)" if variant == "information" else "PSD 2014, (5)",
    )


def explain_matrix(result: WhoResult) -> list[Line]:
    """Return the computation of the matrix of the theorem, one line per populated cell."""
    before, after = result.people.tolist()
    stay, names = result.stay.tolist(), [_cell(k) for k in range(len(before))]
    lines = text_lines(
        f"Theorem {_theorem(result)}, with {'F and G' if result.copies == 1 else 'M·F and N·G'}"
    )
    if not result.state.settings.closest:
        total = sum(after)
        lines += text_lines("The probabilities are the same in every row: Pr(Y = c_j | X = c_i) = G_j/M")
        return lines + text_lines(
            *(f"to {name}: {m:,}/{total:,} = {m / total:.4f}" for name, m in zip(names, after, strict=True))
        )
    lines += text_lines(
        "Probability of staying: min(F_i, G_i)/F_i. "
        "Probability of moving: (F_i − min_i)·(G_j − min_j)/(F_i·(N − Σ min))"
    )
    for i, n in enumerate(before):
        if not n:
            lines += text_lines(f"from {names[i]}: empty cell, so 0")
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
    """Return Python code that computes the numbers of the page."""
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
    """Return one of the three sums with counts, and its value."""
    (before, after), stay, total = result.people, result.stay, int(result.people[0].sum())
    moved = np.full_like(before, result.fewest)
    over, by = ((stay, after), (before - stay, moved), (after - stay, after))[index]
    terms = [
        f"{joint:,}/{total:,}·log({joint:,}/{base:,})"
        for joint, base in zip(over.tolist(), by.tolist(), strict=True)
        if joint
    ]
    value = f"{float(result.parts[index]):.4f}"
    return f"−({' + '.join(terms)}) = {value}" if terms else "0: nobody moves"


def _filled(result: WhoResult, variant: str) -> str:
    if result.entropy == 0:
        same = variant == "information" and result.second[variant] > 0
        return ": 0/0, because all people are in one cell; " + (
            "G is proportional to F, so the second term is unchanged"
            if same
            else "the second term is set to 0"
        )
    ratio = f"{result.left_closest:.4f}/{result.entropy:.4f}"
    inner = f"(1 − {ratio})" if variant == "information" else ratio
    return f" = {result.first:.4f}·{inner}"
