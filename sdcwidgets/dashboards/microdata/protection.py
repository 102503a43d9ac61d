"""Descriptions of the protection of a file: suppression, cost, and remaining disclosure."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.labels import counted, percent
from sdcwidgets.core.microdata.class_sizes import Hiding
from sdcwidgets.core.microdata.keys import distinct
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.microdata.data import Microdata
from sdcwidgets.microdata.inferred_values import told_by_whole_households
from sdcwidgets.microdata.protecting import names_in


def left_out(result: MicrodataResult) -> str:
    """Return the variables that the saved file lacks, with reasons, and disclosure by household variables."""
    sentences = []
    names = ", ".join(names_in(result.file))
    if names:
        sentences.append(
            f"{names}: left out of the saved file, because nearly every record has a different value."
        )
    if result.file.left_out:
        whose = "its role" if len(result.file.left_out) == 1 else "their role"  # set by the user or detected
        sentences.append(f"{', '.join(result.file.left_out)}: left out of the saved file because of {whose}.")
    home = result.file.household
    if home is not None and result.state.settings.keep_household:
        if result.suppressed_file is None:  # otherwise the summary of suppression includes this warning
            sentences.append(
                f"The saved file contains {home}, which can reveal changed values of a household."
            )
    elif home is not None:
        sentences.append(
            f"{home}: left out of the saved file, because it could reveal suppressed or changed values."
        )
        sentences += _household_disclosed_by_weight(result.file)
    return " ".join(sentences)


def _household_disclosed_by_weight(file: Microdata) -> list[str]:
    """Return a warning if the weight, which is kept, identifies households of two or more people."""
    if file.weight is None or file.household is None:
        return []
    home, weight = file[file.household].codes + 1, file[file.weight].codes
    first, _, size = distinct(np.column_stack([home, weight]))
    homes, weights = home[first], weight[first]
    alone = (np.bincount(weights)[weights] == 1) & (np.bincount(homes)[homes] == 1) & (homes > 0)
    number, larger = int((alone & (size > 1)).sum()), int((np.bincount(home)[1:] > 1).sum())
    sentence = (
        f"{file.weight} is kept and identifies {number:,} of {larger:,} households of two or more people:"
        " all members of such a household have a weight that no other record has."
    )
    return [sentence] if number else []


def suppression_summary(result: MicrodataResult) -> str:
    """Return the number of suppressed values and the expected re-identifications."""
    k = result.state.settings.k
    if result.suppressed_file is None:
        below = int((result.f < k - 1e-9).sum())
        return (
            f"{below:,} records have a class size below {k} and violate {k}-anonymity. An intruder who knows all "
            "key values"
            f" and their frequencies is expected to re-identify {_matches(result.hidden)}."
        )
    values = result.suppressed_file.blanked
    total = sum(values.values())
    each = ", ".join(f"{name} {count:,}" for name, count in values.items() if count)
    share = total / (len(values) * len(result.f))
    return (
        f"{_anonymous(result)} {total:,} value{'s are' if total != 1 else ' is'} suppressed in "
        f"{counted(result.suppressed_file.records, 'record')}"
        f" ({share:.1%} of the key values): {each or 'none was needed'}."
        " An intruder who knows all key values and their frequencies is expected to re-identify"
        f" {_matches(result.suppressed_file.before)} before suppression,"
        f" and {_matches(result.suppressed_file.after)} after it." + _by_whole_households(result)
    )


def _matches(hidden: Hiding) -> str:
    number, all_ = hidden.right, len(hidden.alike)
    return f"{number:,.0f} of {all_:,} ({percent(number / all_)})"


def _by_whole_households(result: MicrodataResult) -> str:
    """Return the suppressed household sizes that follow from the numbers of records, "" if there are none."""
    if result.state.settings.keep_household:  # the household number reveals all of them
        return ""
    drawn_anew = {name for name, _ in result.state.pram}
    keys = [name for name in result.state.keys if name not in drawn_anew]
    return "".join(
        f" Samples contain whole households, so the number of records with a value of {name} is a multiple of that "
        f"value. These numbers reveal at least {known:,} of the {blanks:,} suppressed value{'s' * (blanks != 1)} of "
        f"{name}, but not the records."
        for name, (known, blanks) in told_by_whole_households(result.original, result.file, keys).items()
    )


def _anonymous(result: MicrodataResult) -> str:
    """Return whether the file is k-anonymous, or which parts of the saved file undo the suppression."""
    suppressed, k = result.suppressed_file, result.state.settings.k
    assert suppressed is not None  # callers check this
    worth = float(result.f.min())
    least = f"{int(worth + 1e-9)}-anonymous"
    home = result.file.household
    ways = [
        f"{name} reveals {counted(count, 'suppressed value')} of {key}"
        for (name, key), count in result.undone.items()
        if name != home
    ]
    if home is not None and result.state.settings.keep_household:
        ways.insert(0, f"{home} shows who lives together, which reveals suppressed values")
    few = int((result.f < k - 1e-9).sum())
    apart = f" within {' and '.join(result.file.strata)}" if result.file.strata else ""
    known = result.state.settings.known
    if ways:
        summary = f"By its key variables alone, the file would be {least}, but {'; '.join(ways)}."
    elif result.state.settings.blanks == "any":
        summary = (
            f"If a suppressed value matches any value, the file is {suppressed.matching}-anonymous."
            f" If it is weighted by the share of each value, {few:,} records have a class size below {k}."
        )
    elif not few:
        summary = f"The file is {least}{apart}, with suppressed values weighted by the share of each value."
    elif known and known < len(result.state.keys):
        summary = (
            f"For each {known} key variables, the file is {k}-anonymous{apart}. For all key variables, {few:,} "
            "records have"
            f" a class size below {k}."
        )
    else:
        summary = f"{few:,} records still have a class size below {k}."
    if result.state.settings.blanks == "share":
        summary += " If a suppressed value matches any value, as in sdcMicro,"
        summary += f" the minimum class size is {suppressed.matching:,}."
    return summary


def sensitive(result: MicrodataResult) -> str:
    """Return the disclosure of sensitive variables by key, and of households; "" if there are none."""
    parts = []
    for attribute in result.attributes:
        who = (
            f"disclosed by the key for {counted(attribute.disclosed, 'record')}"
            if attribute.disclosed
            else "not disclosed by any key"
        )
        parts.append(
            f"{attribute.name}: {who}; {attribute.distinct}-diverse"
            f" (entropy {attribute.entropy:.2f}, recursive {attribute.recursive}); {attribute.closeness:.2f}-close."
        )
    covered = {*result.state.keys, *(attribute.name for attribute in result.attributes)}
    wide = [name for name in result.file.sensitive if name not in covered]
    if wide:
        parts.append(f"{', '.join(wide)}: too many values; recode into classes first.")
    homes = result.file.households
    if result.together is not None and homes is not None:
        _, first = np.unique(homes, return_index=True)
        some = result.together[first].sum()
        parts.append(
            f"Households: re-identification of at least one member is expected in {some:,.1f} of {len(first):,}; "
            "the highest"
            f" household risk is {result.together.max():.1%}."
        )
    return " ".join(parts)


def cost_summary(result: MicrodataResult) -> str:
    """Return the effect of the protection on the tables of the file; "" if the file is unchanged."""
    if not (result.state.suppress or result.state.pram or result.state.recodes):
        return ""
    changes, tables = result.cost
    each = []
    for change in changes:
        was, now = change.categories
        done = [f"{was:,} categories became {now:,}"] if was != now else []
        done += [f"{change.blanked:,} suppressed"] if change.blanked else []
        done += [f"{change.changed:,} changed"] if change.changed else []
        each += [f"{change.name}: {', '.join(done)}"] if done else []
    worst = sorted(tables, key=lambda table: table.utility)[:3]
    lines = [
        f"{' × '.join(table.names)}: {table.after:,} of {table.before:,} records,"
        f" HD {table.hellinger:.2f}, utility {table.utility:.2f}, R₁ {table.r1:.3f}, R₂ {table.r2:.3f}"
        for table in worst
        if table.hellinger > 0
    ]
    unchanged = sum(table.hellinger == 0 for table in tables)
    return (
        (f"{'; '.join(each)}. " if each else "")
        + (f"Tables with the greatest loss: {'; '.join(lines)}. " if lines else "")
        + f"{unchanged} of {counted(len(tables), 'table')} of one or two key variables"
        f" {'is' if unchanged == 1 else 'are'} unchanged."
        " Tables do not include records with a suppressed value of their variables. The loss by recoding is not "
        "included."
    )
