"""Which keys matter, and what uncertain ones do to measures."""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence

from ._evaluate import Outcome, Point, What, evaluator
from ._optimise import _count
from ._space import Axis, Space, missing
from .errors import RunFailed, wrong


def _openturns() -> Any:
    try:
        import openturns
    except ImportError:
        raise missing("python3-openturns", "this") from None
    return openturns


def _distribution(ot: Any, axis: Axis) -> Any:
    if axis.shape == "normal":
        return ot.Normal(*axis.numbers)
    if axis.shape == "lognormal":
        return ot.LogNormalMuSigma(*axis.numbers).getDistribution()
    if axis.shape == "triangular":
        return ot.Triangular(*axis.numbers)
    return ot.LogUniform(math.log(axis.low), math.log(axis.high)) if axis.log else ot.Uniform(axis.low, axis.high)


def _whole(outcomes: List[Outcome], why: str) -> List[str]:
    """Names of the measures; every run must have them."""
    bad = [outcome for outcome in outcomes if outcome.problem]
    if bad:
        raise RunFailed(f"{len(bad)} of {len(outcomes)} runs failed, and {why}; the first: {bad[0].problem}")
    return list(outcomes[0].measures)


class Sensitivity:
    """How much every key matters for every measure. `indices[measure][key]` is a dict: of Sobol' indices `first` and
    `total` with the ends of their confidence intervals, of Morris `mean`, `magnitude` (mean of absolute values) and
    `deviation` of the elementary effects, per length of the range."""

    def __init__(self, indices: Dict[str, Dict[str, Dict[str, float]]], evaluations: int, method: str):
        self.indices, self.evaluations, self.method = indices, evaluations, method

    def frame(self) -> Any:
        """A pandas DataFrame, a row per measure and key."""
        import pandas

        return pandas.DataFrame([{"measure": measure, "key": key, **numbers}
                                 for measure, keys in self.indices.items() for key, numbers in keys.items()])

    def __repr__(self) -> str:
        which = "total" if self.method == "sobol" else "magnitude"
        lines = [f"{measure}: " + ", ".join(f"{key} {numbers[which]:.3g}" for key, numbers in sorted(
            keys.items(), key=lambda item: -item[1][which])) for measure, keys in self.indices.items()]
        return f"<Sensitivity ({self.method}, {self.evaluations} evaluations) {which}: {'; '.join(lines)}>"


def sensitivity(what: What, vary: Mapping[str, Any], measure: Optional[Mapping[str, str]] = None, *,
                method: str = "sobol", n: int = 0, seed: int = 1, confidence: float = 0.95, out: Optional[Any] = None,
                workers: int = 0, threads: int = 0) -> Sensitivity:
    """Which keys matter.

    what, vary, measure, out   as for optimise(); vary also takes distributions: {"normal": [mean, deviation]},
                               {"lognormal": [mean, deviation]}, {"triangular": [least, likeliest, greatest]}
    workers                    at once: processes of a series (0: as many as pay), or threads for a function (0: one)
    method   sobol   shares of the variance, by OpenTURNS (estimator of Martinez on Sobol' points): `first` of a key
                     alone, `total` with all that it does together with others. n (keys + 2) evaluations, n a power of 2
             morris  elementary effects on n trajectories (Morris, Technometrics 33, 1991): which keys matter at all,
                     for n (keys + 1) evaluations
    """
    space = Space(vary)
    if method not in ("sobol", "morris"):
        raise wrong("is no method", "write sobol or morris", field="method", value=method)
    if not 0 < confidence < 1:
        raise wrong("is no confidence", "write a number between 0 and 1", field="confidence", value=confidence)
    space.refuse(f"sensitivity by {method}", distributions=method == "morris")
    count = _count(n or (1024 if method == "sobol" else 20), 2, "n")
    evaluate = evaluator(what, measure, out, workers, threads)
    find = _sobol if method == "sobol" else _morris
    return find(space, evaluate, count, seed, confidence)


Evaluate = Callable[[List[Point]], List[Outcome]]


def _sobol(space: Space, evaluate: Evaluate, count: int, seed: int, confidence: float) -> Sensitivity:
    ot = _openturns()
    ot.RandomGenerator.SetSeed(seed)
    inputs = ot.ComposedDistribution([_distribution(ot, axis) for axis in space.axes])
    points = ot.LowDiscrepancyExperiment(ot.SobolSequence(), inputs, count)
    sample = ot.SobolIndicesExperiment(points, False).generate()
    outcomes = evaluate([dict(zip(space.keys, map(float, row))) for row in sample])
    indices: Dict[str, Dict[str, Dict[str, float]]] = {}
    for name in _whole(outcomes, "Sobol' indices need every one"):
        values = [outcome.measures[name] for outcome in outcomes]
        if min(values) == max(values):
            indices[name] = {key: dict.fromkeys(("first", "first_low", "first_high", "total", "total_low",
                                                 "total_high"), 0.0) for key in space.keys}
            continue
        found = ot.MartinezSensitivityAlgorithm(sample, ot.Sample([[value] for value in values]), count)
        found.setUseAsymptoticDistribution(True)
        found.setConfidenceLevel(confidence)
        columns: Dict[str, Sequence[float]] = {}
        for which, at, within in (("first", found.getFirstOrderIndices(), found.getFirstOrderIndicesInterval()),
                                  ("total", found.getTotalOrderIndices(), found.getTotalOrderIndicesInterval())):
            columns[which] = at
            columns[which + "_low"], columns[which + "_high"] = within.getLowerBound(), within.getUpperBound()
        indices[name] = {key: {which: float(column[k]) for which, column in columns.items()}
                         for k, key in enumerate(space.keys)}
    return Sensitivity(indices, len(outcomes), "sobol")


def _morris(space: Space, evaluate: Evaluate, count: int, seed: int, _: float) -> Sensitivity:
    import numpy as np

    size, levels = len(space), 4
    step = levels / (2 * (levels - 1))  # as Morris recommends: half of the levels further
    draw = np.random.default_rng(seed)
    units, moved = [], []
    for _trajectory in range(count):
        unit = draw.integers(0, levels // 2, size) / (levels - 1)
        signs = draw.choice([-1.0, 1.0], size)
        unit = np.where(signs > 0, unit, 1 - unit)
        order = draw.permutation(size)
        units.append(unit.copy())
        for k in order:
            unit[k] += signs[k] * step
            units.append(unit.copy())
        moved.append((order, signs))
    outcomes = evaluate([space.at(np.clip(unit, 0, 1)) for unit in units])
    indices: Dict[str, Dict[str, Dict[str, float]]] = {}
    for name in _whole(outcomes, "elementary effects need every one"):
        effects = np.empty((count, size))
        for row, (order, signs) in enumerate(moved):
            for i, k in enumerate(order):
                at = row * (size + 1) + i
                effects[row, k] = (outcomes[at + 1].measures[name] - outcomes[at].measures[name]) / (signs[k] * step)
        indices[name] = {key: {"mean": float(effects[:, k].mean()), "magnitude": float(np.abs(effects[:, k]).mean()),
                               "deviation": float(effects[:, k].std(ddof=1))} for k, key in enumerate(space.keys)}
    return Sensitivity(indices, len(outcomes), "morris")


class Estimate(NamedTuple):
    """A number with the ends of its confidence interval; None where the sample is too small for one."""

    value: float
    low: Optional[float]
    high: Optional[float]


class Spread:
    """How measures are spread. `mean[measure]` and `quantiles[measure][fraction]` are Estimates; `sample[measure]` has
    the values of the points that did not fail, and `failed` counts those that did."""

    def __init__(self, points: List[Point], outcomes: List[Outcome], fractions: Sequence[float], confidence: float):
        good = [k for k, outcome in enumerate(outcomes) if not outcome.problem]
        self.failed = len(outcomes) - len(good)
        if len(good) < 2:
            bad = [outcome for outcome in outcomes if outcome.problem]
            raise RunFailed(f"{self.failed} of {len(outcomes)} runs failed; the first: {bad[0].problem}", self)
        self.points = [points[k] for k in good]
        self.sample = {name: [outcomes[k].measures[name] for k in good] for name in outcomes[good[0]].measures}
        self.mean = {name: _mean(values, confidence) for name, values in self.sample.items()}
        self.quantiles = {name: {p: _quantile(values, p, confidence) for p in fractions}
                          for name, values in self.sample.items()}

    def frame(self) -> Any:
        """A pandas DataFrame, a row per measure and number."""
        import pandas

        rows: List[Dict[str, Any]] = []
        for name in self.sample:
            rows.append({"measure": name, "number": "mean", **self.mean[name]._asdict()})
            rows += [{"measure": name, "number": f"quantile {p:g}", **estimate._asdict()}
                     for p, estimate in self.quantiles[name].items()]
        return pandas.DataFrame(rows)

    def __repr__(self) -> str:
        means = ", ".join(f"{name} = {e.value:.6g}" for name, e in self.mean.items())
        return f"<Spread of {len(self.points)} points, {self.failed} failed; means: {means}>"


def _mean(values: List[float], confidence: float) -> Estimate:
    ot = _openturns()
    n = len(values)
    mean = math.fsum(values) / n
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1) / n)
    reach = ot.Student(n - 1).computeQuantile(0.5 + confidence / 2)[0] * deviation
    return Estimate(mean, mean - reach, mean + reach)


def _quantile(values: List[float], fraction: float, confidence: float) -> Estimate:
    """Between order statistics, whose ranks bound the quantile of any distribution: how many values are below it is
    binomial."""
    ot = _openturns()
    ordered = sorted(values)
    n = len(ordered)
    place = min(max(fraction * n - 0.5, 0.0), n - 1.0)
    i = min(int(place), n - 2)
    value = ordered[i] + (ordered[i + 1] - ordered[i]) * (place - i)
    below = ot.Binomial(n, fraction)
    rest = (1 - confidence) / 2
    # Of X ~ Binomial(n, p) values below the quantile, X <= k - 1 puts ordered[k - 1] above it, and so on.
    low = int(below.computeQuantile(rest)[0]) - 1
    high = int(below.computeQuantile(1 - rest)[0])
    return Estimate(value, ordered[low] if low >= 0 else None, ordered[high] if high < n else None)


def monte_carlo(what: What, vary: Mapping[str, Any], measure: Optional[Mapping[str, str]] = None, *, n: int = 200,
                quantiles: Sequence[float] = (0.05, 0.5, 0.95), confidence: float = 0.95, seed: int = 1,
                out: Optional[Any] = None, workers: int = 0, threads: int = 0) -> Spread:
    """Draws n points of the distributions in `vary` (as for sensitivity(); a range is uniform) and says how measures
    are spread: means and quantiles, each with its confidence interval. The interval of a quantile holds for any
    distribution, by order statistics; it is open where n is too small."""
    ot = _openturns()
    space = Space(vary)
    space.refuse("monte_carlo", distributions=False)
    count = _count(n, 2, "n")
    for fraction in (*quantiles, confidence):
        if not 0 < fraction < 1:
            raise wrong("is no fraction", "write a number between 0 and 1", field="quantiles", value=fraction)
    evaluate = evaluator(what, measure, out, workers, threads)
    ot.RandomGenerator.SetSeed(seed)
    sample = ot.ComposedDistribution([_distribution(ot, axis) for axis in space.axes]).getSample(count)
    points = [dict(zip(space.keys, map(float, row))) for row in sample]
    return Spread(points, evaluate(points), tuple(quantiles), confidence)
