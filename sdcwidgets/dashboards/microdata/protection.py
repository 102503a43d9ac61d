"""What the protection of a file did, cost and left, in words."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.labels import counted, percent
from sdcwidgets.core.microdata.hiding import Hiding
from sdcwidgets.core.microdata.keys import distinct
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.microdata.data import Microdata
from sdcwidgets.microdata.protecting import names_in
from sdcwidgets.microdata.telling import told_by_whole_households


def left_out(result: MicrodataResult) -> str:
    """Return which variables the saved file is without, and why; and what an only seemingly harmless one tells."""
    sentences = []
    if names := ", ".join(names_in(result.file)):
        sentences.append(
            f"{names}: left out of the saved file, since almost every record has a value of its own."
        )
    if result.file.left_out:
        whose = "its role" if len(result.file.left_out) == 1 else "their role"  # chosen, or guessed and told
        sentences.append(f"{', '.join(result.file.left_out)}: left out of the saved file, as {whose} says.")
    home = result.file.household
    if home is not None and result.state.settings.keep_household:
        if result.suppressed_file is None:  # else it is said with what suppression cost
            sentences.append(f"{home} stays in the saved file: who lives together can tell what was changed.")
    elif home is not None:
        sentences.append(
            f"{home}: left out of the saved file, since who lives together can tell what was blanked or changed."
        )
        sentences += _household_disclosed_by_weight(result.file)
    return " ".join(sentences)


def _household_disclosed_by_weight(file: Microdata) -> list[str]:
    """Say of how many households the weight, which stays, tells all the same who lives together."""
    if file.weight is None or file.household is None:
        return []
    home, weight = file[file.household].codes + 1, file[file.weight].codes
    first, _, size = distinct(np.column_stack([home, weight]))
    homes, weights = home[first], weight[first]
    alone = (np.bincount(weights)[weights] == 1) & (np.bincount(homes)[homes] == 1) & (homes > 0)
    number, larger = int((alone & (size > 1)).sum()), int((np.bincount(home)[1:] > 1).sum())
    sentence = (
        f"{file.weight} stays, and tells it all the same of {number:,} of {larger:,} households of two or more:"
        " all of such a household, and nobody else, have one weight."
    )
    return [sentence] if number else []


def suppression_summary(result: MicrodataResult) -> str:
    """Return what suppression cost, and what an intruder still finds."""
    k = result.state.settings.k
    if result.suppressed_file is None:
        below = int((result.f < k - 1e-9).sum())
        return (
            f"{below:,} records are hidden by fewer than {k}, themselves included: so many violate {k}-anonymity."
            f" An intruder who knows the keys of all and how frequent each value is finds {_matches(result.hidden)}."
        )
    values = result.suppressed_file.blanked
    total = sum(values.values())
    each = ", ".join(f"{name} {count:,}" for name, count in values.items() if count)
    share = total / (len(values) * len(result.f))
    return (
        f"{_anonymous(result)} {total:,} value{'s are' if total != 1 else ' is'} blanked in "
        f"{counted(result.suppressed_file.records, 'record')}"
        f" ({share:.1%} of the values of the keys): {each or 'none was needed'}."
        " An intruder who knows the keys of all and how frequent each value is found"
        f" {_matches(result.suppressed_file.before)} before it,"
        f" and finds {_matches(result.suppressed_file.after)} now." + _by_whole_households(result)
    )


def _matches(hidden: Hiding) -> str:
    number, all_ = hidden.right, len(hidden.alike)
    return f"{number:,.0f} of {all_:,} ({percent(number / all_)})"


def _by_whole_households(result: MicrodataResult) -> str:
    """Return what the numbers of records tell of blanked sizes of households; "" where nothing."""
    if result.state.settings.keep_household:  # which tells all of it
        return ""
    drawn_anew = {name for name, _ in result.state.pram}
    keys = [name for name in result.state.keys if name not in drawn_anew]
    return "".join(
        f" But households are whole, so each {name} has a multiple of it as its number of records: this tells at least"
        f" {known:,} of the {blanks:,} blanked value{'s' * (blanks != 1)} of {name}, though not whose."
        for name, (known, blanks) in told_by_whole_households(result.original, result.file, keys).items()
    )


def _anonymous(result: MicrodataResult) -> str:
    """Return whether the file is k-anonymous, or what in the saved file undoes it."""
    suppressed, k = result.suppressed_file, result.state.settings.k
    assert suppressed is not None  # asked before
    worth = float(result.f.min())
    least = f"{int(worth + 1e-9)}-anonymous"
    home = result.file.household
    ways = [
        f"{name} tells {counted(count, 'blanked value')} of {key}"
        for (name, key), count in result.undone.items()
        if name != home
    ]
    if home is not None and result.state.settings.keep_household:
        ways.insert(0, f"{home} tells who lives together, and with that what was blanked")
    few = int((result.f < k - 1e-9).sum())
    apart = f" within {' and '.join(result.file.strata)}" if result.file.strata else ""
    known = result.state.settings.known
    if ways:
        summary = f"By its keys alone the file would be {least}, but {'; '.join(ways)}."
    elif result.state.settings.blanks == "any":
        summary = (
            f"Where a blank matches any value the file is {suppressed.matching}-anonymous."
            f" Where it counts for its share, {few:,} records are hidden by fewer than {k}."
        )
    elif not few:
        summary = f"The file is {least}{apart}, a blank counting for its share."
    elif known and known < len(result.state.keys):
        summary = (
            f"For each {known} keys the file is {k}-anonymous{apart}; who knows all of them finds {few:,} records"
            f" hidden by fewer than {k}."
        )
    else:
        summary = f"{few:,} records are still hidden by fewer than {k}."
    if result.state.settings.blanks == "share":
        summary += " Where a blank matches any value, as sdcMicro counts,"
        summary += f" each is like {suppressed.matching:,} or more."
    return summary


def sensitive(result: MicrodataResult) -> str:
    """Return what the keys tell of the sensitive variables, and of households; "" where there are none."""
    parts = []
    for attribute in result.attributes:
        who = (
            f"the key tells it for {counted(attribute.disclosed, 'record')}"
            if attribute.disclosed
            else "no key tells it for sure"
        )
        parts.append(
            f"{attribute.name}: {who}; {attribute.distinct}-diverse"
            f" (entropy {attribute.entropy:.2f}, recursive {attribute.recursive}); {attribute.closeness:.2f}-close."
        )
    covered = {*result.state.keys, *(attribute.name for attribute in result.attributes)}
    if wide := [name for name in result.file.sensitive if name not in covered]:
        parts.append(f"{', '.join(wide)}: too many values to count them by key; cut into intervals first.")
    if result.together is not None and (homes := result.file.households) is not None:
        _, first = np.unique(homes, return_index=True)
        some = result.together[first].sum()
        parts.append(
            f"Households: in {some:,.1f} of {len(first):,} somebody is expected to be found, at most"
            f" {result.together.max():.1%} in one."
        )
    return " ".join(parts)


def cost_summary(result: MicrodataResult) -> str:
    """Return what the protection cost the tables of the file; "" where nothing was done."""
    if not (result.state.suppress or result.state.pram or result.state.recodes):
        return ""
    changes, tables = result.cost
    each = []
    for change in changes:
        was, now = change.categories
        done = [f"{was:,} categories became {now:,}"] if was != now else []
        done += [f"{change.blanked:,} blanked"] if change.blanked else []
        done += [f"{change.changed:,} changed"] if change.changed else []
        each += [f"{change.name}: {', '.join(done)}"] if done else []
    worst = sorted(tables, key=lambda table: table.utility)[:3]
    lines = [
        f"{' × '.join(t.names)}: {t.after:,} of {t.before:,} records, HD {t.hellinger:.2f}, utility {t.utility:.2f},"
        f" R₁ {t.r1:.3f}, R₂ {t.r2:.3f}"
        for t in worst
        if t.hellinger > 0
    ]
    unchanged = sum(table.hellinger == 0 for table in tables)
    return (
        (f"{'; '.join(each)}. " if each else "")
        + (f"The tables that lost most: {'; '.join(lines)}. " if lines else "")
        + f"{unchanged} of {counted(len(tables), 'table')} of one or two keys"
        f" {'is' if unchanged == 1 else 'are'} as they were;"
        " blanks are in no table that has their variable, and recoding is not counted."
    )
