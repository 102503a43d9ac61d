"""Texts of the page Microdata: the answer, estimates, and the riskiest records with explanations."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.labels import counted, percent, shortened
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.core.risk.model_choice import UNDERFITS
from sdcwidgets.core.risk.sample import MODELS, ModelledTau
from sdcwidgets.dashboards.microdata.result import MOST_SUDA, MicrodataResult
from sdcwidgets.dashboards.microdata.state import MODEL_TITLES, PEOPLE
from sdcwidgets.microdata.data import MOST_CATEGORIES
from sdcwidgets.microdata.roles import NO_ROLE, in_millionths
from sdcwidgets.widgets.texts import Line, Quantity, existence, people, reading


def which_file(result: MicrodataResult) -> str:
    """Return a description of the file."""
    state, file = result.state, result.original
    if state.own is None:
        return (
            f"The file has {people(file.records)} in {state.settings.households:,} households, drawn from a synthetic"
            f" population of {PEOPLE:,}, so the true values are known."
        )
    weighted = (
        "with sampling weights" if file.weight else "without sampling weights (each record has weight 1)"
    )
    return f"{file.records:,} records of {state.title}, {weighted}. The population is unknown."


def roles(result: MicrodataResult) -> str:
    """Return the roles of the variables of the file."""
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
            f" · {file.weight} looks like a DHS weight in millionths, which is not the number of people that a record"
            " represents. Risks based on it are far too low. Remove its role, or use weights that add up to the"
            " population."
        )
    return summary + (
        f" · Recode into classes before use as key variables: {', '.join(wide)}." if wide else ""
    )


def notice(result: MicrodataResult) -> str:
    """Return the reason of the answer in one or two sentences."""
    number, alone = len(result.f), int(result.unique.sum())
    without = left_out_note(result)
    gaps = f" {without}" if without else ""
    if not alone and result.state.suppress:
        was = result.steps[-1].uniques
        return f"Unique records with a complete key: {was:,} before suppression, none after it.{gaps}"
    if not alone:
        return f"No record is unique in the file. Select more key variables to increase the risk.{gaps}"
    few, k = int((result.f < result.state.settings.k - 1e-9).sum()), result.state.settings.k
    first = f"{percent(alone / number)} of the records are unique in the file."
    if result.changed.any():
        wrong = int((result.unique & result.changed).sum())
        return f"{first} PRAM has changed the key of {wrong:,} of them, so a match with one of these is wrong.{gaps}"
    if result.state.suppress:
        return f"{first} Before suppression, {counted(result.steps[-1].uniques, 'record')} were unique.{gaps}"
    below = f"{counted(few, 'record')} {_have(few)} a class size below {k}."
    if result.tau1 is None:
        return f"{first} {below}{gaps}"
    if result.tau1 == 0:
        return f"{first} None of them is unique in the population. {below}"
    return f"{first} {percent(result.tau1 / alone)} of these are also unique in the population. {below}"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def left_out_note(result: MicrodataResult) -> str:
    """Return the number of records with a missing key value, which cannot be unique; "" if there are none."""
    number = result.left_out
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return f"{counted(number, 'record')} with a missing key value {verb} not included."


def answer(result: MicrodataResult) -> tuple[str, str, str]:
    """Return the answer of the page, its tone, and the text of the primary button."""
    k, alone = result.state.settings.k, int(result.unique.sum())
    few = int((result.f < k - 1e-9).sum())
    if result.state.suppress:
        ahead = "Next: save the protected file"
        if few:
            return f"{counted(few, 'record')} {_have(few)} a class size below {k}.", "stop", ahead
        return f"By its key variables, the file is {k}-anonymous.", "", ahead
    ahead = f"Next: suppress values for {k}-anonymity" if few else ""
    if not alone:
        return "No record is unique by these key variables.", "", ahead
    here = f"{counted(alone, 'record')} {_are(alone)} unique in the sample"
    if result.tau1 is not None:
        return f"{here}; {result.tau1:,} {_are(result.tau1)} unique in the population.", "", ahead
    # Without weights, the file does not show how many people it represents.
    if result.chosen is not None and result.file.weight is not None:
        some = round(result.chosen.tau1)
        return f"{here}; an estimated {some:,} {_are(some)} unique in the population.", "", ahead
    return f"{here}. The population is unknown.", "", ahead


def estimates(result: MicrodataResult) -> list[Quantity]:
    """Return the true values, if they are known, and the estimates of each model."""
    rows = []
    if result.tau1 is not None and result.tau2 is not None:
        rows.append(
            reading(
                "True values",
                f"τ₁ {result.tau1:,}, τ₂ {result.tau2:,.1f}",
                "counted in the population" + ("; changed keys do not match" if result.changed.any() else ""),
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
        chosen = " (selected)" if model == result.state.settings.model else ""
        rows.append(reading(MODEL_TITLES[model] + chosen, text, _quality(tau, result)))
    if result.fit is not None:
        # The test of fit exists for the crossing only, so its row names the crossing if the estimates use other cells.
        settings = result.state.settings
        is_crossed = settings.cells == "crossing" and not settings.numbers
        rows.append(
            reading(
                "Fit of the standard model" + ("" if is_crossed else ", all combinations of categories"),
                f"B₁ {result.fit.b1:.1f}, B₂ {result.fit.b2:.1f}".replace("-", "−"),
                f"{_fits(result)}; AIC {result.fit.aic:,.0f}, BIC {result.fit.bic:,.0f}",
            )
        )
    return rows


def _fits(result: MicrodataResult) -> str:
    """Return an interpretation of the statistics of Skinner and Shlomo."""
    fit = result.fit
    assert fit is not None  # callers check this
    if fit.underfits:
        return "the model underfits and overestimates the risk; add an interaction"
    if min(fit.b1, fit.b2) < -UNDERFITS:
        return "the model overfits and may underestimate the risk; remove an interaction"
    return "the model fits (from −1.96 to 1.96)"


def model_note(result: MicrodataResult) -> str:
    """Return why there is no estimate and what to do, or a limitation of the models."""
    if result.chosen is not None and result.chosen.exists is False:
        return (
            "The estimate of this model does not exist, because the file lacks combinations of the "
            "interactions. Use fewer"
            " pairs, or recode a variable with many categories."
        )
    if not result.problem and result.state.pram:
        return (
            "The models ignore post-randomisation (PRAM): they treat the key values of "
            "every record as unchanged."
        )
    return result.problem


def _quality(tau: ModelledTau | None, result: MicrodataResult) -> str:
    if tau is None:
        return "" if result.problem else "to be computed"
    if tau.exists is False:
        certain = int((tau.unique == 1).sum() - (result.unique & (result.file.weights <= 1)).sum())
        remark = (
            f"; {certain:,} unique records have an expected count of 0 and count as matches"
            if certain > 0
            else ""
        )
        return existence(tau.exists) + remark
    return existence(tau.exists)


def explain_estimate(result: MicrodataResult) -> list[Line]:
    """Return the computation of the estimates, with one sample unique as an example, by both scalings."""
    lines = text_lines(
        "The number of people with a key, F, is Poisson with mean λ. Each person is in the sample with probability π.",
        "A sample unique is a population unique with probability exp(−λ(1−π)). The expected value of 1/F is",
        "(1 − exp(−λ(1−π))) / (λ(1−π)). τ̂₁ and τ̂₂ are sums of these values over the sample uniques.",
    )
    model = result.state.settings.model
    ours, theirs = (result.taus.get((model, scaling)) for scaling in ("formula", "sdcmicro"))
    if ours is None or theirs is None or not len(ours.unique):
        return [*lines, *text_lines(result.problem or "No record is unique.")]
    weight = float(np.median(result.F[result.unique]))
    median = int(np.argsort(ours.match)[len(ours.match) // 2])
    rate, other = (-np.log(np.maximum(tau.unique[median], 1e-300)) for tau in (ours, theirs))
    lines += text_lines(
        f"The model estimates μ = λπ, the expected count in the sample, so λ = μ/π. π is about 1/{weight:.0f}.",
        f"For one sample unique, λ(1−π) = {rate:.2f}, exp(−{rate:.2f}) = {ours.unique[median]:.4f}; "
        f"with λ = μ it is {other:.3f} and {theirs.unique[median]:.4f}.",
        f"In total, λ = μ/π gives τ̂₁ = {ours.tau1:.1f}, τ̂₂ = {ours.tau2:.1f}; "
        f"λ = μ gives {theirs.tau1:.1f} and {theirs.tau2:.1f}.",
        "λ = μ, as in the R package sdcMicro, assumes a population that is as small as the sample.",
    )
    if result.tau1 is not None:
        lines += text_lines(f"The true values are τ₁ = {result.tau1} and τ₂ = {result.tau2:.1f}.")
    if result.left_out:
        lines += text_lines(
            f"{counted(result.left_out, 'record')} with a missing key value are not included in the models."
        )
    return lines


def riskiest(result: MicrodataResult) -> list[Quantity]:
    """Return the riskiest records with the reasons."""
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
    """Return an explanation of the selected order."""
    if result.state.settings.order == "individual":
        return (
            "Individual risk is the probability of a correct match by an intruder who knows the key and that the person"
            " is in the file."
        )
    if result.special is None and len(result.state.keys) > MOST_SUDA:
        return f"Special uniques are computed for at most {MOST_SUDA} key variables. Remove a key variable."
    return "The DIS-SUDA score is the probability of a correct match, higher for records that few values make unique."


def _reason(result: MicrodataResult, record: int) -> str:
    f, F = float(result.f[record]), result.F[record]
    if f < 1 + 1e-9:
        shared = "no other record in the file has this key"
    elif f == round(f):
        shared = f"{counted(int(f) - 1, 'other record')} in the file may have this key"
    else:
        shared = (
            f"other records that may have this key count as {f - 1:.2g} "
            f"record{'s' * (f > 2)}, weighted by the shares of missing values"
        )
    weighted = result.file.weight is not None
    parts = [f"{shared}; weighted class size {F:,.0f}" if weighted else shared]
    if result.truth is not None:
        parts[0] += f" (true number {result.truth[record]:,.0f})"
    if result.changed[record]:
        parts.append("changed by PRAM, so a match is wrong")
    sets = _sets(result, record)
    if sets == [" and ".join(result.state.keys)] and len(result.state.keys) > 1:
        parts.append("unique only by all key variables together")
    elif sets:
        parts.append(
            f"unique by {sets[0]} alone"
            + (f", and by {len(sets) - 1} other combination{'s' * (len(sets) > 2)}" if len(sets) > 1 else "")
        )
    return "; ".join(parts)


def _sets(result: MicrodataResult, record: int) -> list[str]:
    """Return the smallest sets of key variables that make a record unique."""
    if result.special is None:
        return []
    minimal = np.flatnonzero(result.special.minimal[record])
    return [
        " and ".join(result.state.keys[k] for k in result.special.sets[index]) for index in minimal.tolist()
    ]


def explain_record(result: MicrodataResult, index: int) -> list[Line]:
    """Return the computation of the risk of one of the riskiest records."""
    record = int(result.riskiest()[index])
    f, F = float(result.f[record]), float(result.F[record])
    own_key = float(result.own_key_probability[record])
    lines = text_lines(*(f"{name}: {result.file[name].label(record)}" for name in result.state.keys))
    summed = (
        "the sum of their weights"
        if result.file.weight
        else "the number of records, because there are no weights"
    )
    lines += text_lines(
        f"f = {f:g} is the class size. F̂ = {F:,.1f}: {summed}.",
        f"p = f/F̂ = {f / F:.4f}. Risk r = E(1/F | f) = {result.risk[record]:.4f}"
        + (" = −p·log p/(1−p)" if f == 1 and f < F and own_key == 1 else "")
        + (
            "."
            if own_key == 1
            else f", multiplied by {own_key:.3f}, the probability that PRAM left the key unchanged."
        ),
    )
    if result.together is not None:
        lines += text_lines(
            f"Household risk (at least one member is re-identified): {result.together[record]:.4f}."
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
            f" {paired:,} are in pairs, and the sampling fraction is {fraction:.1%}."
        )
    return lines


def missing_note(result: MicrodataResult) -> str:
    """Return the number of missing key values in the original file."""
    gaps = int((result.original.codes(result.state.keys) == MISSING).sum())
    verb = "key value is" if gaps == 1 else "key values are"
    return (
        f"{gaps:,} {verb} missing. A missing value counts as each possible value, weighted by the share of this value."
        if gaps
        else ""
    )
