"""Internal report on the protection of a file, and Python code that reproduces it."""

from __future__ import annotations

from sdcwidgets.dashboards.microdata.protection import cost_summary, left_out, sensitive, suppression_summary
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.dashboards.microdata.state import (
    KINDS,
    MODEL_TITLES,
    PEOPLE,
    SCALING_TITLES,
    SECRET_BITS,
    MicrodataState,
    Recode,
)
from sdcwidgets.dashboards.microdata.texts import left_out_note, model_note, roles
from sdcwidgets.microdata.data import MOST_CATEGORIES
from sdcwidgets.microdata.sampling import DESIGN_TITLES
from sdcwidgets.widgets.texts import people


def report(result: MicrodataResult, before: MicrodataResult, *, has_script: bool = True) -> str:
    """Return a report on the protection of the file and its effect.

    Parameters
    ----------
    result : MicrodataResult
        The protected file.
    before : MicrodataResult
        The original file with the same key variables.
    has_script : bool
        Whether the report ends with a Python script of all steps.
    """
    state, without = result.state, left_out(result)
    many = [
        f"The variable {name} has {len(variable.categories):,} different values, which are not recoded. A rare value "
        "can identify a person."
        for name, variable in result.released.variables.items()
        if len(variable.categories) > MOST_CATEGORIES
        and name not in (result.file.weight, result.file.household)
    ]
    disclosed = sensitive(result)
    cost = cost_summary(result)
    lines = [
        f"Protection of {state.title}, {people(len(result.f))}.",
        f"Key variables: {', '.join(state.keys)}.",
        roles(result),
    ]
    lines += ["", "Protection"]
    lines += _steps(result) or ["No value of the file was changed."]
    lines += ["", "Effect: figures before and after protection"]
    lines += _figures(result, before)
    if disclosed:
        lines += ["", "Disclosure of sensitive variables and households", disclosed]
    if cost:
        lines += ["", "Information loss", cost]
    if without:
        lines += ["", without]
    lines += many
    lines += [
        "",
        "Sampling weights and variables that are not key variables are unchanged. Records are sorted by their values,"
        " so that the order of the records reveals nothing.",
    ]
    if has_script:
        lines += ["", "Python script", as_code(state)]
    return "\n".join(lines) + "\n"


def _steps(result: MicrodataResult) -> list[str]:
    """Return the steps of the protection, one sentence each."""
    state = result.state
    steps = [
        f"The variable {name} was recoded, {recoded(recode)}. It has {len(result.file[name].labels):,} categories "
        f"instead of {len(result.original[name].labels):,}."
        for name, recode in state.recodes
    ]
    steps += [
        f"With probability {share:g}, each value of {name} was replaced by a random value of {_whose(result, name)} "
        "(invariant PRAM). The shares of the values are preserved on average."
        if isinstance(share, float)
        else f"Each value of {name} was replaced at random, by a transition matrix of the user (PRAM)."
        for name, share in state.pram
    ]
    if state.pram:
        steps.append(f"PRAM changed the key values of {int(result.changed.sum()):,} records.")
    if result.suppressed_file is not None:
        steps.append(suppression_summary(result))
    return steps


def _whose(result: MicrodataResult, name: str) -> str:
    """Return the source of the random values of PRAM, for a sentence."""
    apart = (
        [stratum for stratum in result.file.strata if stratum != name]
        if result.state.settings.pram_within
        else []
    )
    return f"the same {' and '.join(apart)}" if apart else "the file"


def _figures(result: MicrodataResult, before: MicrodataResult) -> list[str]:
    """Return each figure before and after protection, and the estimates after it."""
    settings = result.state.settings
    k = settings.k
    original, protected = _figures_of(before, k), _figures_of(result, k)
    done = [f"{name}: {original[name]}, {figure}" for name, figure in protected.items()]
    without = left_out_note(before)
    if without:
        done[0] += f". Original file: {without}"
    if result.chosen is not None:
        model, scaling = MODEL_TITLES[settings.model], SCALING_TITLES[settings.scaling]
        done.append(
            f"Estimates after protection by the {model} model, {scaling}: τ̂₁ {result.chosen.tau1:.1f}, τ̂₂ "
            f"{result.chosen.tau2:.1f}."
        )
        done += [model_note(result)] if model_note(result) else []
    return done


def _figures_of(result: MicrodataResult, k: int) -> dict[str, str]:
    """Return the figures of one file by their names."""
    figures = {
        "Records that are unique in the sample": f"{int(result.unique.sum()):,}",
        f"Records with a class size below {k}": f"{int((result.f < k - 1e-9).sum()):,}",
        "Minimum class size of a record": f"{result.f.min():.3g}",
        "Expected re-identifications by an intruder who knows all key values and their shares": (
            f"{result.hidden.right:,.0f}"
        ),
        "Highest individual risk of a record": f"{result.risk.max():.4f}",
        "Sum of individual risks (expected correct matches)": f"{result.risk.sum():.1f}",
    }
    if result.truth is not None:
        figures["Sample uniques that are population uniques (true number)"] = f"{result.tau1:,}"
        figures["Expected correct matches of sample uniques (true number)"] = f"{result.tau2:.1f}"
    return figures


def recoded(recode: Recode) -> str:
    """Return a recoding in words, for the end of a sentence."""
    return KINDS[recode.how].sentence.format("; ".join(recode.named) if recode.groups else recode.at)


def _model_code(state: MicrodataState) -> list[str]:
    """Return the code of the estimate."""
    settings, lines, options = state.settings, [], ""
    if settings.numbers:
        lines.append(
            "numeric = {i: file[key].categories for i, key in enumerate(keys)"
            " if file[key].categories.dtype.kind in 'iuf'}"
        )
        options += ", numeric=numeric"
    if settings.cells == "occurring":
        lines.append(f"people = population({PEOPLE})")
        lines += [
            f"people = people.put({KINDS[recode.how].recode.__name__}(people[{name!r}], {recode.argument!r}))"
            for name, recode in state.recodes
        ]
        options += ", cells='occurring', population=people.codes(keys)"
    estimate = (
        f"modelled_tau(file.codes(keys), file.weights, {list(state.margins)!r}, model={settings.model!r},"
        f" scaling={settings.scaling!r}{options})"
    )
    return [*lines, estimate]


def as_code(state: MicrodataState) -> str:
    """Return the Python code that reproduces the numbers of the page."""
    settings = state.settings
    lines = [
        "from sdcwidgets.core.microdata.keys import frequencies",
        "from sdcwidgets.core.risk.sample import modelled_tau",
        "from sdcwidgets.microdata import population, sample",
        "from sdcwidgets.microdata.protecting import for_release, post_randomised, random_numbers, suppressed",
        "from sdcwidgets.microdata.recoding import bottom_code, group, intervals, quantiles, top_code",
        "",
    ]
    if state.own is None:
        lines.append(
            f"file = sample(population({PEOPLE}), {settings.design!r}, {settings.households}, seed={settings.seed})"
            f"  # {DESIGN_TITLES[settings.design].lower()}"
        )
    else:
        lines += [
            "from sdcwidgets.microdata import Roles",
            "from sdcwidgets.microdata.reading import read_microdata",
            f"file = read_microdata({state.title!r}).file.with_roles({state.own.roles!r})",
        ]
    is_chosen = state.suppress and state.own is not None
    if state.pram or is_chosen:
        # The seed of this file is secret, because anyone who knows it can undo the protection.
        lines += [
            "import secrets",
            f"secret = secrets.randbits({SECRET_BITS})  # or the secret seed of an earlier file",
        ]
    if state.pram:
        lines.append("rng = random_numbers(file, secret)")
    lines += [
        f"file = file.put({KINDS[recode.how].recode.__name__}(file[{name!r}], {recode.argument!r}))"
        for name, recode in state.recodes
    ]
    if state.pram:
        lines += [f"file = file.put({_pram(state, name, share)})" for name, share in state.pram]
    lines.append(f"keys = {list(state.keys)!r}")
    if state.suppress:
        options = {name: f"{name}={value!r}" for name, value in state.suppression.items()}
        if "strata" in options:
            options["strata"] = "strata=file.strata"
        if "importance" in options:
            options["importance"] = f"{list(state.keys)!r}"
        if is_chosen:
            options["seed"] = "seed=secret"
        lines.append(
            f"file = suppressed({', '.join(['file', 'keys', str(settings.k), *options.values()])}).file"
        )
    lines += ["f = frequencies(file.codes(keys))", "(f == 1).sum()  # unique in the sample"]
    if not state.suppress:
        lines += _model_code(state)
    keep_household = ", keep_household=True" if settings.keep_household else ""
    lines.append(f"safe = for_release(file{keep_household})  # the saved file")
    return "\n".join(lines)


def _pram(state: MicrodataState, name: str, share: object) -> str:
    """Return the call that applies PRAM to a variable."""
    how = f"{share}, rng" if isinstance(share, float) else f"seed=rng, matrix={share!r}"
    if state.own is not None and state.settings.pram_within and state.own.strata:
        how += f", strata=[file[one] for one in file.strata if one != {name!r}]"
    return f"post_randomised(file[{name!r}], {how})"
