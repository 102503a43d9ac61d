"""Texts of the page Microdata: the answer, estimates, and the riskiest records with explanations."""

from __future__ import annotations

import math

import numpy as np

from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets._util.labels import counted, percent, shortened
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.core.risk.bootstrap import bootstrapped_tau
from sdcwidgets.core.risk.model_choice import UNDERFITS
from sdcwidgets.core.risk.sample import MODELS, ModelledTau
from sdcwidgets.dashboards.microdata.result import MOST_SUDA, MicrodataResult
from sdcwidgets.dashboards.microdata.state import MODEL_TITLES, PEOPLE
from sdcwidgets.microdata.data import MOST_CATEGORIES
from sdcwidgets.microdata.roles import NO_ROLE, in_millionths
from sdcwidgets.widgets.texts import Line, Quantity, existence, people, reading

#: Number of replicates of the bootstrap, and the maximum number of combinations of categories, so that it takes
#: about a second.
BOOTSTRAP_REPLICATES, MOST_BOOTSTRAPPED = 200, 50_000


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
        ("not in the saved file", ", ".join(file.left_out)),
    ]
    wide = [
        f"{name} ({len(variable.categories):,} values)"
        for name, variable in result.file.variables.items()
        if len(variable.categories) > MOST_CATEGORIES and file.roles.of(name) in (NO_ROLE, "sensitive")
    ]
    summary = (
        " · ".join(f"{role}: {names}" for role, names in each if names)
        or "No variable of the file has a role."
    )
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
        return f"Before suppression, {was:,} records with a complete key were unique; after suppression, none is.{gaps}"
    if not alone:
        return f"No record is unique in the sample. Select more key variables to increase the risk.{gaps}"
    few, k = int((result.f < result.state.settings.k - 1e-9).sum()), result.state.settings.k
    first = f"{_percent_first(alone / number)} of the records are unique in the sample."
    if result.changed.any():
        wrong = int((result.unique & result.changed).sum())
        return (
            f"{first} PRAM changed the key of {wrong:,} unique records, so a match with one of these records is wrong."
            f"{gaps}"
        )
    if result.state.suppress:
        uniques = counted(result.steps[-1].uniques, "record")
        return f"{first} Before suppression, the number of unique records was {uniques}.{gaps}"
    below = f"{counted(few, 'record')} {_have(few)} a class size below {k}."
    if result.tau1 is None:
        return f"{first} {below}{gaps}"
    if result.tau1 == 0:
        return f"{first} None of these records is unique in the population. {below}"
    return f"{first} {_percent_first(result.tau1 / alone)} of these records are also unique in the population. {below}"


def _percent_first(share: float) -> str:
    """Return a share in percent at the beginning of a sentence."""
    text = percent(share)
    return f"{text[:1].upper()}{text[1:]}"


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
    return f"{counted(number, 'record')} with a missing key value {verb} not counted as unique."


def answer(result: MicrodataResult) -> tuple[str, str, str]:
    """Return the answer of the page, its tone, and the text of the primary button."""
    k, alone = result.state.settings.k, int(result.unique.sum())
    few = int((result.f < k - 1e-9).sum())
    if result.state.suppress:
        ahead = "Next: save the protected file"
        if few:
            first = f"{counted(alone, 'record')} {_are(alone)} unique" if alone else "No record is unique"
            return f"{first}; {few:,} still {_have(few)} a class size below {k}.", "stop", ahead
        return f"No record is unique: the file is {k}-anonymous by its key variables.", "", ahead
    ahead = f"Next: suppress values for {k}-anonymity" if few else ""
    if not alone:
        return "No record is unique by the selected key variables.", "", ahead
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
                "number in the known population"
                + ("; changed keys do not match" if result.changed.any() else ""),
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
                "Goodness of fit of the standard model"
                + ("" if is_crossed else ", all combinations of categories"),
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
        return "the model underfits and overestimates the risk; add an interaction of two key variables"
    if min(fit.b1, fit.b2) < -UNDERFITS:
        return "the model overfits and may underestimate the risk; remove an interaction of two key variables"
    return "the model fits (both statistics are from −1.96 to 1.96)"


def model_note(result: MicrodataResult) -> str:
    """Return the reason for a missing estimate and a remedy, or a limitation of the models."""
    if result.chosen is not None and result.chosen.exists is False:
        return (
            "The estimate of this model does not exist, because some combinations of values of an interaction do not "
            "occur in the file. Use fewer interactions, or recode a variable with many categories."
        )
    if not result.problem and result.state.pram:
        return (
            "The models ignore post-randomisation (PRAM): the models treat the key values of every record "
            "as unchanged."
        )
    return result.problem


def _quality(tau: ModelledTau | None, result: MicrodataResult) -> str:
    if tau is None:
        return "" if result.problem else "not yet computed"
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
        "A sample unique is a population unique with probability exp(−λ(1−π)). The expected value of 1/F follows:",
        "(1 − exp(−λ(1−π))) / (λ(1−π)). τ̂₁ and τ̂₂ are sums of these values over the sample uniques.",
    )
    model = result.state.settings.model
    ours, theirs = (result.taus.get((model, scaling)) for scaling in ("formula", "sdcmicro"))
    if ours is None or theirs is None or not len(ours.unique):
        return [*lines, *text_lines(result.problem or "No record of the file is unique.")]
    weight = float(np.median(result.F[result.unique]))
    median = int(np.argsort(ours.match)[len(ours.match) // 2])
    rate, other = (-np.log(np.maximum(tau.unique[median], 1e-300)) for tau in (ours, theirs))
    lines += text_lines(
        f"The model estimates μ = λπ, the expected count in the sample, so λ = μ/π. π is about 1/{weight:.0f}.",
        f"For one sample unique, λ = μ/π gives λ(1−π) = {rate:.2f} and the probability exp(−{rate:.2f}) = "
        f"{ours.unique[median]:.4f}; λ = μ gives {other:.3f} and the probability {theirs.unique[median]:.4f}.",
        f"Summed over all sample uniques, λ = μ/π gives τ̂₁ = {ours.tau1:.1f} and τ̂₂ = {ours.tau2:.1f}; "
        f"λ = μ gives τ̂₁ = {theirs.tau1:.1f} and τ̂₂ = {theirs.tau2:.1f}.",
        "λ = μ, as in the R package sdcMicro, assumes a population that is as small as the sample.",
    )
    lines += text_lines(bootstrap_intervals(result))
    if result.tau1 is not None:
        lines += text_lines(f"The true values are τ₁ = {result.tau1} and τ₂ = {result.tau2:.1f}.")
    if result.left_out:
        lines += text_lines(
            f"The models do not include {counted(result.left_out, 'record')} with a missing key value."
        )
    return lines


def bootstrap_intervals(result: MicrodataResult) -> str:
    """Return the bootstrap intervals of the standard model, or the reason why there are none."""
    settings = result.state.settings
    if settings.cells == "occurring" or settings.numbers:
        return "The bootstrap is available for the standard model over all combinations of categories only."
    if math.prod(result.crossing.shape) > MOST_BOOTSTRAPPED:
        return (
            f"The key variables have more than {MOST_BOOTSTRAPPED:,} combinations of categories, too many for a "
            "bootstrap on this page. Recode a variable, or select fewer key variables."
        )
    rng = np.random.default_rng(settings.seed)
    bootstrap = bootstrapped_tau(
        result.crossing, margins=result.state.margins, rng=rng, replicates=BOOTSTRAP_REPLICATES
    )
    intervals = "; ".join(
        f"{symbol} = {tau.estimate:.1f} with standard error {tau.error:.1f} and 95 % interval from {tau.lower:.1f} to "
        f"{tau.upper:.1f}"
        for symbol, tau in (("τ̂₁", bootstrap.tau1), ("τ̂₂", bootstrap.tau2))
    )
    return (
        f"Bootstrap of the standard model with {BOOTSTRAP_REPLICATES} replicates: {intervals}. The intervals assume "
        "that the model is correct."
    )


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
            "Individual risk is the probability of a correct match by an intruder who knows the key of a person, and "
            "that this person is in the file."
        )
    if result.special is None and len(result.state.keys) > MOST_SUDA:
        return f"Special uniques are computed for at most {MOST_SUDA} key variables. Remove a key variable."
    return (
        "The DIS-SUDA score estimates the probability of a correct match. The score is higher for records that are "
        "unique by only a few key values."
    )


def _reason(result: MicrodataResult, record: int) -> str:
    f, F = float(result.f[record]), result.F[record]
    if f < 1 + 1e-9:
        shared = "no other record in the file has the same key"
    elif f == round(f):
        shared = f"{counted(int(f) - 1, 'other record')} in the file may have the same key"
    else:
        shared = (
            f"other records that may have the same key count as {f - 1:.2g} record{'s' * (f > 2)}, because missing "
            "values match in part"
        )
    weighted = result.file.weight is not None
    parts = [f"{shared}; weighted class size {F:,.0f}" if weighted else shared]
    if result.truth is not None:
        parts[0] += f" (true number {result.truth[record]:,.0f})"
    if result.changed[record]:
        parts.append("the key was changed by PRAM, so a match is wrong")
    sets = _sets(result, record)
    if sets == [" and ".join(result.state.keys)] and len(result.state.keys) > 1:
        parts.append("the record is unique only by all key variables together")
    elif sets:
        parts.append(
            f"the record is unique by {sets[0]} alone"
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
        "the sum of the weights of the records in this class"
        if result.file.weight
        else "the number of records in this class, because the file has no weights"
    )
    lines += text_lines(
        f"f = {f:g} is the class size. F̂ = {F:,.1f} is {summed}.",
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
            "Household risk, the probability that at least one member is re-identified: "
            f"{result.together[record]:.4f}."
        )
    sets = _sets(result, record)
    if sets and result.special is not None:
        lines += text_lines(
            f"The SUDA score is {result.special.score[record]:,.0f}. The record is unique by these sets of variables: "
            f"{'; '.join(sets[:6])}."
        )
    if result.dis is not None:
        paired, fraction = int((result.f == 2).sum()), len(result.f) / float(result.file.weights.sum())
        lines += text_lines(
            f"The DIS-SUDA score is {result.dis[record]:.4f}. In the file, {int(result.unique.sum()):,} records are "
            f"unique, {paired:,} records have a class size of 2, and the sampling fraction is {fraction:.1%}."
        )
    return lines


def missing_note(result: MicrodataResult) -> str:
    """Return the number of missing key values in the original file."""
    gaps = int((result.original.codes(result.state.keys) == MISSING).sum())
    if not gaps:
        return ""
    return (
        f"The file has {counted(gaps, 'missing key value')}. A missing value matches each possible value "
        f"with the share "
        "of this value."
    )
