"""The risk of a file in words: estimates with their numbers put in, the riskiest records and why."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.labels import counted, percent, shortened
from sdcwidgets._util.lines import text_lines
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.core.risk.choice import UNDERFITS
from sdcwidgets.core.risk.sample import MODELS, ModelledTau
from sdcwidgets.dashboards.microdata.result import MOST_SUDA, MicrodataResult
from sdcwidgets.dashboards.microdata.state import MODEL_TITLES, PEOPLE
from sdcwidgets.microdata.data import MOST_CATEGORIES
from sdcwidgets.microdata.roles import NO_ROLE, in_millionths
from sdcwidgets.widgets.texts import Line, Quantity, existence, people, reading


def which_file(result: MicrodataResult) -> str:
    """Return what file is looked at."""
    state, file = result.state, result.original
    if state.own is None:
        return (
            f"{people(file.records)} in {state.settings.households:,} households, drawn from a synthetic population of"
            f" {PEOPLE:,}: so the truth is known here."
        )
    weighted = (
        "with sampling weights"
        if file.weight
        else "without sampling weights, so each record counts for itself"
    )
    return f"{file.records:,} records of {state.title}, {weighted}. Their population is not known."


def roles(result: MicrodataResult) -> str:
    """Return who is what in the file."""
    file = result.original
    each = [
        ("weight", file.weight or ""),
        ("household", file.household or ""),
        ("strata", ", ".join(file.strata)),
        ("sensitive", ", ".join(file.sensitive)),
        ("left out when saved", ", ".join(file.left_out)),
    ]
    wide = [
        f"{name} ({len(variable.categories):,} values)"
        for name, variable in result.file.variables.items()
        if len(variable.categories) > MOST_CATEGORIES and file.roles.of(name) in (NO_ROLE, "sensitive")
    ]
    summary = " · ".join(f"{role}: {names}" for role, names in each if names) or "No variable has a role."
    if file.weight is not None and in_millionths(file.weight, file.weights):
        summary += (
            f" · {file.weight} has the size of a DHS weight: millionths that do not say how many people a record stands"
            " for, so the risks by it are far too low. Take its role away, or bring weights that add up to the"
            " population."
        )
    return summary + (
        f" · To be a key it must be cut into intervals first: {', '.join(wide)}." if wide else ""
    )


def notice(result: MicrodataResult) -> str:
    """Return one or two sentences that say what a person should notice."""
    number, alone = len(result.f), int(result.unique.sum())
    gaps = f" {without}" if (without := left_out_note(result)) else ""
    if not alone and result.state.suppress:
        return "After suppression no record that has all keys is unique; the bars show the file before it."
    if not alone:
        return f"No record is unique in the file. Add a key to see when that changes.{gaps}"
    first = f"{percent(alone / number)} of the records are unique in the file."
    if result.changed.any():
        wrong = int((result.unique & result.changed).sum())
        return (
            f"{first} PRAM gave {wrong:,} of them the key of somebody else, so a match with one of these is wrong;"
            f" the bars show the file before it.{gaps}"
        )
    if result.state.suppress:
        return f"{first}{gaps} The bars show the file before its suppression."
    if result.tau1 is None:
        return f"{first} How many of them are unique in the population too can only be estimated.{gaps}"
    if result.tau1 == 0:
        return f"{first} Not one of them is unique in the population: a sample hides much."
    share = percent(result.tau1 / alone)
    return f"Unique here: {counted(alone, 'record')}; only {share} of these in the population too."


def left_out_note(result: MicrodataResult) -> str:
    """Return how many records can't be unique, since they miss a key; "" if none."""
    number = result.left_out
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return f"{counted(number, 'record')} with a missing key {verb} not among them."


def answer(result: MicrodataResult) -> tuple[str, str, str]:
    """Return who is alone in the file in one sentence, its tone, and what the blue button does next."""
    k, alone = result.state.settings.k, int(result.unique.sum())
    few = int((result.f < k - 1e-9).sum())
    if result.state.suppress:
        ahead = "Next: save the protected file"
        if few:
            verb = "is" if few == 1 else "are"
            return f"{counted(few, 'record')} {verb} still hidden by fewer than {k}.", "stop", ahead
        return f"Nobody is alone: {k} or more hide each record.", "", ahead
    ahead = f"Next: blank values until {k} hide each record" if few else ""
    if not alone:
        return "Nobody, by these keys.", "", ahead
    here = f"Alone: {percent(alone / len(result.f))} here"
    if result.tau1 is not None:
        return f"{here}, {result.tau1:,} people in the population", "", ahead
    if result.chosen is not None:
        return f"{here}, about {result.chosen.tau1:,.0f} people in the population", "", ahead
    return f"{here}; in the population not known", "", ahead


def estimates(result: MicrodataResult) -> list[Quantity]:
    """Return the truth where it is known, and what each model says."""
    rows = []
    if result.tau1 is not None and result.tau2 is not None:
        rows.append(
            reading(
                "In truth",
                f"τ₁ {result.tau1:,}, τ₂ {result.tau2:,.1f}",
                "counted in the population" + ("; a changed key is no match" if result.changed.any() else ""),
            )
        )
    scaling = result.state.settings.scaling
    for model in MODELS:
        tau = result.taus.get((model, scaling))
        if tau is not None:
            text = f"τ̂₁ {tau.tau1:,.1f}, τ̂₂ {tau.tau2:,.1f}"
        elif result.problem or result.complete:
            text = "–"
        else:
            text = "…"
        chosen = " (chosen)" if model == result.state.settings.model else ""
        rows.append(reading(MODEL_TITLES[model] + chosen, text, _quality(tau, result)))
    if result.fit is not None:
        rows.append(
            reading(
                "Does the standard model fit?",
                f"B₁ {result.fit.b1:.1f}, B₂ {result.fit.b2:.1f}".replace("-", "−"),
                f"{_fits(result)}; AIC {result.fit.aic:,.0f}, BIC {result.fit.bic:,.0f}",
            )
        )
    return rows


def _fits(result: MicrodataResult) -> str:
    """Return what the statistics of Skinner and Shlomo say."""
    fit = result.fit
    assert fit is not None  # asked before
    if fit.underfits:
        return "it underfits, so it overestimates the risk: take a pair more"
    if min(fit.b1, fit.b2) < -UNDERFITS:
        return "it overfits, so it may underestimate the risk: take a pair less"
    return "within chance, from −1.96 to 1.96"


def model_note(result: MicrodataResult) -> str:
    """Return why there is no estimate, what to do where it does not exist, or what the models do not know."""
    if result.chosen is not None and result.chosen.exists is False:
        return (
            "No estimate of this model exists: the file lacks combinations that the model asks about. Take fewer pairs,"
            " or recode a variable of many categories."
        )
    if not result.problem and result.state.pram:
        return "The models do not know of PRAM: they take every key for true."
    return result.problem


def _quality(tau: ModelledTau | None, result: MicrodataResult) -> str:
    if tau is None:
        return "" if result.problem else "computed after the rest"
    if tau.exists is False:
        certain = int((tau.unique == 1).sum() - (result.unique & (result.file.weights <= 1)).sum())
        remark = (
            f", in which {certain:,} of the uniques expect nobody and count as found" if certain > 0 else ""
        )
        return existence(tau.exists) + remark
    return existence(tau.exists)


def explain_estimate(result: MicrodataResult) -> list[Line]:
    """Return how an estimate comes about, for one sample unique, by both scalings."""
    lines = text_lines(
        "F, the people with a key, is Poisson with mean λ; each is in the sample with probability π.",
        "A sample unique is then a population unique with probability exp(−λ(1−π)), and 1/F is on average",
        "(1 − exp(−λ(1−π))) / (λ(1−π)). τ̂₁ and τ̂₂ are their sums over the sample uniques.",
    )
    model = result.state.settings.model
    ours, theirs = (result.taus.get((model, scaling)) for scaling in ("formula", "sdcmicro"))
    if ours is None or theirs is None or not len(ours.unique):
        return [*lines, *text_lines(result.problem or "No record is unique.")]
    weight = float(np.median(result.F[result.unique]))
    median = int(np.argsort(ours.match)[len(ours.match) // 2])
    rate, other = (-np.log(np.maximum(tau.unique[median], 1e-300)) for tau in (ours, theirs))
    lines += text_lines(
        f"The model gives μ, the expected count of the sample: μ = λπ, so λ = μ/π. π is about 1/{weight:.0f}.",
        f"One sample unique: λ(1−π) = {rate:.2f}, exp(−{rate:.2f}) = {ours.unique[median]:.4f}; "
        f"with λ = μ it is {other:.3f} and {theirs.unique[median]:.4f}.",
        f"All together: λ = μ/π gives τ̂₁ = {ours.tau1:.1f}, τ̂₂ = {ours.tau2:.1f}; "
        f"λ = μ gives {theirs.tau1:.1f} and {theirs.tau2:.1f}.",
        "λ = μ, as the R package sdcMicro has it, takes the population to be as small as the sample.",
    )
    if result.tau1 is not None:
        lines += text_lines(f"In truth τ₁ = {result.tau1} and τ₂ = {result.tau2:.1f}.")
    if result.left_out:
        lines += text_lines(
            f"{counted(result.left_out, 'record')} with a missing key are in no number of a model."
        )
    return lines


def riskiest(result: MicrodataResult) -> list[Quantity]:
    """Return the records of the highest risk, with the reason in words."""
    rows = []
    for record in result.riskiest().tolist():
        values = ", ".join(
            f"{name} {shortened(result.file[name].label(record))}" for name in result.state.keys
        )
        rows.append(
            reading(f"Record {record + 1:,}: {values}", _risk_of(result, record), _reason(result, record))
        )
    return rows


def _risk_of(result: MicrodataResult, record: int) -> str:
    if result.state.settings.order == "individual":
        return f"{result.risk[record]:.2%}"
    return "…" if result.dis is None else f"{result.dis[record]:.2%}"


def order_note(result: MicrodataResult) -> str:
    """Return what the records are ordered by, and what it means."""
    if result.state.settings.order == "individual":
        return (
            "Individual risk: the chance that an intruder who knows the key, and that the person is in the file, is"
            " right."
        )
    if result.special is None and len(result.state.keys) > MOST_SUDA:
        return f"Special uniques are looked for among at most {MOST_SUDA} keys; leave one out."
    return "DIS-SUDA score: the chance that a match is right, higher for records that few of their values make unique."


def _reason(result: MicrodataResult, record: int) -> str:
    f, F = float(result.f[record]), result.F[record]
    if f < 1 + 1e-9:
        shared = "nobody else in the file has this key"
    elif f == round(f):
        shared = f"{counted(int(f) - 1, 'other')} in the file may have this key"
    else:
        shared = f"others in the file hide it for as much as {f - 1:.2g} record{'s' * (f > 2)}"
    weighted = result.file.weight is not None
    parts = [f"{shared}, and its weights say that {F:,.0f} people have it" if weighted else shared]
    if result.truth is not None:
        parts[0] += f" (in truth {result.truth[record]:,.0f})"
    if result.changed[record]:
        parts.append("PRAM changed it, so a match is wrong")
    sets = _sets(result, record)
    if sets == [" and ".join(result.state.keys)] and len(result.state.keys) > 1:
        parts.append("only all keys together make it unique")
    elif sets:
        parts.append(
            f"it is unique by {sets[0]} alone"
            + (f", and in {len(sets) - 1} other way{'s' * (len(sets) > 2)}" if len(sets) > 1 else "")
        )
    return "; ".join(parts)


def _sets(result: MicrodataResult, record: int) -> list[str]:
    """Return the smallest sets of keys that make a record unique."""
    if result.special is None:
        return []
    minimal = np.flatnonzero(result.special.minimal[record])
    return [
        " and ".join(result.state.keys[k] for k in result.special.sets[index]) for index in minimal.tolist()
    ]


def explain_record(result: MicrodataResult, index: int) -> list[Line]:
    """Return how the risk of one of the riskiest records comes about."""
    record = int(result.riskiest()[index])
    f, F = float(result.f[record]), float(result.F[record])
    own_key = float(result.own_key_probability[record])
    lines = text_lines(*(f"{name}: {result.file[name].label(record)}" for name in result.state.keys))
    summed = "the sum of their weights" if result.file.weight else "each counts for itself, without weights"
    lines += text_lines(
        f"f = {f:g}: so many records may have the same key. F̂ = {F:,.1f}: {summed}.",
        f"p = f/F̂ = {f / F:.4f}. Risk r = E(1/F | f) = {result.risk[record]:.4f}"
        + (" = −p·log p/(1−p)" if f == 1 and f < F and own_key == 1 else "")
        + (
            "."
            if own_key == 1
            else f": this times {own_key:.3f}, the chance that PRAM left the key as it was."
        ),
    )
    if result.together is not None:
        lines += text_lines(
            f"Household risk, that at least one person of it is found: {result.together[record]:.4f}."
        )
    sets = _sets(result, record)
    if sets and result.special is not None:
        lines += text_lines(
            f"SUDA score {result.special.score[record]:,.0f}; unique by: {'; '.join(sets[:6])}."
        )
    if result.dis is not None:
        paired, fraction = int((result.f == 2).sum()), len(result.f) / float(result.file.weights.sum())
        lines += text_lines(
            f"DIS-SUDA score {result.dis[record]:.4f}: {int(result.unique.sum()):,} records are unique,"
            f" {paired:,} are in pairs, and the file has {fraction:.1%} of the people."
        )
    return lines


def missing_note(result: MicrodataResult) -> str:
    """Return how many values of the keys are missing in the file as it came."""
    gaps = int((result.original.codes(result.state.keys) == MISSING).sum())
    verb = "value of the keys is" if gaps == 1 else "values of the keys are"
    return (
        f"{gaps:,} {verb} missing; a missing value counts for the share of what it may stand for."
        if gaps
        else ""
    )
