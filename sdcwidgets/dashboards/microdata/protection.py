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
            f"The saved file does not contain {names}, because nearly every record has a different value."
        )
    if result.file.left_out:
        # The role was set by the user or detected.
        sentences.append(
            "The saved file does not contain these variables, because of their roles: "
            f"{', '.join(result.file.left_out)}."
        )
    home = result.file.household
    if home is not None and result.state.settings.keep_household:
        if result.suppressed_file is None:  # otherwise the summary of suppression includes this warning
            sentences.append(
                f"The saved file contains the household number {home}, which can reveal the changed values of a "
                "household."
            )
    elif home is not None:
        sentences.append(
            f"The saved file does not contain the household number {home}, which could reveal suppressed or changed "
            "values."
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
        f"The saved file contains the weight {file.weight}, which identifies {number:,} of {larger:,} households of "
        "two or more people: no other record has the same weight as the members of such a household."
    )
    return [sentence] if number else []


def suppression_summary(result: MicrodataResult) -> str:
    """Return the number of suppressed values and the expected re-identifications."""
    k = result.state.settings.k
    if result.suppressed_file is None:
        below = int((result.f < k - 1e-9).sum())
        return (
            f"{below:,} records have a class size below {k} and violate {k}-anonymity. An intruder who knows all "
            f"key values and their frequencies is expected to re-identify {_matches(result.hidden)} records."
        )
    values = result.suppressed_file.blanked
    total = sum(values.values())
    each = ", ".join(f"{name} {count:,}" for name, count in values.items() if count)
    share = total / (len(values) * len(result.f))
    return (
        f"{_anonymous(result)} {total:,} value{'s are' if total != 1 else ' is'} suppressed in "
        f"{counted(result.suppressed_file.records, 'record')}"
        f" ({share:.1%} of the key values): {each or 'no suppression'}."
        " An intruder who knows all key values and their frequencies is expected to re-identify"
        f" {_matches(result.suppressed_file.before)} records before suppression,"
        f" and {_matches(result.suppressed_file.after)} after suppression." + _by_whole_households(result)
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
        f" The sample contains whole households, so the number of records with a value of {name} is a multiple of that "
        f"value. These numbers of records reveal at least {known:,} of {counted(blanks, 'suppressed value')} of "
        f"{name}, but not the records with these values."
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
        ways.insert(0, f"the household number {home} shows who lives together and reveals suppressed values")
    few = int((result.f < k - 1e-9).sum())
    apart = f" within {' and '.join(result.file.strata)}" if result.file.strata else ""
    known = result.state.settings.known
    if ways:
        summary = f"By the key variables alone, the file would be {least}, but {'; '.join(ways)}."
    elif result.state.settings.blanks == "any":
        summary = (
            f"If a suppressed value matches any value, the file is {suppressed.matching}-anonymous. If a suppressed "
            f"value matches each value with the share of this value, {few:,} records have a class size below {k}."
        )
    elif not few:
        summary = f"The file is {least}{apart}, if a suppressed value matches each value with the share of this value."
    elif known and known < len(result.state.keys):
        summary = (
            f"For each combination of {known} key variables, the file is {k}-anonymous{apart}. For all key variables "
            f"together, {few:,} records have a class size below {k}."
        )
    else:
        summary = f"After suppression, {few:,} records still have a class size below {k}."
    if result.state.settings.blanks == "share":
        summary += (
            " If a suppressed value matches any value, as in sdcMicro, the minimum class size is "
            f"{suppressed.matching:,}."
        )
    return summary


def sensitive(result: MicrodataResult) -> str:
    """Return the disclosure of sensitive variables by key, and of households; "" if there are none."""
    parts = []
    for attribute in result.attributes:
        parts.append(
            f"The key of a person discloses the value of {attribute.name} for "
            f"{counted(attribute.disclosed, 'record')}. The file is {attribute.distinct}-diverse (entropy diversity "
            f"{attribute.entropy:.2f}, recursive diversity {attribute.recursive}) and {attribute.closeness:.2f}-close "
            "for this variable."
        )
    covered = {*result.state.keys, *(attribute.name for attribute in result.attributes)}
    wide = [name for name in result.file.sensitive if name not in covered]
    if wide:
        parts.append(
            f"These sensitive variables have too many values; recode them into classes: {', '.join(wide)}."
        )
    homes = result.file.households
    if result.together is not None and homes is not None:
        _, first = np.unique(homes, return_index=True)
        some = result.together[first].sum()
        parts.append(
            f"In {some:,.1f} of {len(first):,} households, the re-identification of at least one member is expected. "
            f"The highest household risk is {result.together.max():.1%}."
        )
    return " ".join(parts)


def _risk(value: float) -> str:
    """Return the disclosure risk of a table; a table without records or with one cell has none."""
    return "undefined" if value != value else f"{value:.3f}"


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
        f" Hellinger distance {table.hellinger:.2f}, utility {table.utility:.2f}, disclosure risk before protection "
        f"{_risk(table.r1)}, after protection {_risk(table.r2)}"
        for table in worst
        if table.hellinger > 0
    ]
    unchanged = sum(table.hellinger == 0 for table in tables)
    return (
        (f"{'; '.join(each)}. " if each else "")
        + (f"The tables with the greatest information loss are: {'; '.join(lines)}. " if lines else "")
        + f"Of {counted(len(tables), 'table')} by one or two key variables, {unchanged} "
        f"{'is' if unchanged == 1 else 'are'} unchanged. A table does not count records with a suppressed value of "
        "its variables. The information loss by recoding is not included."
    )
