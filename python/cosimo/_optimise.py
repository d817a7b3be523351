"""Optimisation: the points of a space where measures are best."""
from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._evaluate import Outcome, Point, What, evaluator
from ._methods import METHODS, Score, Scores, Task
from ._space import Space
from .errors import RunFailed, wrong

Goals = Union[str, Mapping[str, str]]
Bounds = Optional[Mapping[str, Tuple[Optional[float], Optional[float]]]]


class Trial(NamedTuple):
    """A point that was tried. `violation`: by how much its worst bound is missed, 0 where all hold."""

    parameters: Point
    measures: Dict[str, float]
    problem: str
    violation: float


class Optimum:
    """What was found. `best` is the best trial within the bounds; of several goals, `front` has those that no other
    beats in all of them. `trials` has everything in the order in which it was asked for."""

    def __init__(self, trials: List[Trial], goals: Dict[str, int], method: str):
        self.trials, self.method = trials, method
        #: 1: small is good, -1: large is good
        self.goals = goals
        good = [trial for trial in trials if not trial.problem and trial.violation <= 0]
        if not good:
            failed = [trial for trial in trials if trial.problem]
            why = f"; the first: {failed[0].problem}" if failed else "; every point breaks a bound"
            raise RunFailed(f"none of {len(trials)} points is any good: {len(failed)} failed{why}", self)
        self.front = _front(good, goals)
        self.best = min(self.front, key=lambda trial: self._values(trial))

    def _values(self, trial: Trial) -> Tuple[float, ...]:
        return tuple(sign * trial.measures[name] for name, sign in self.goals.items())

    @property
    def parameters(self) -> Point:
        return self.best.parameters

    @property
    def measures(self) -> Dict[str, float]:
        return self.best.measures

    def frame(self) -> Any:
        """A pandas DataFrame, a row per trial."""
        import pandas

        front = {id(trial) for trial in self.front}
        return pandas.DataFrame([{**trial.parameters, **trial.measures, "violation": trial.violation,
                                  "problem": trial.problem, "front": id(trial) in front} for trial in self.trials])

    def __repr__(self) -> str:
        point = ", ".join(f"{key} = {value:.6g}" if isinstance(value, float) else f"{key} = {value}"
                          for key, value in self.parameters.items())
        found = ", ".join(f"{name} = {value:.6g}" for name, value in self.measures.items())
        more = f", {len(self.front)} on the front" if len(self.goals) > 1 else ""
        return f"<Optimum by {self.method}, {len(self.trials)} evaluations{more}: {found} at {point}>"


def _front(trials: List[Trial], goals: Dict[str, int]) -> List[Trial]:
    """Those that no other beats in one goal without losing in another; equal ones once. Ascending in the first."""
    values = {id(t): tuple(sign * t.measures[name] for name, sign in goals.items()) for t in trials}
    front: List[Trial] = []
    for trial in sorted(trials, key=lambda t: values[id(t)]):
        own = values[id(trial)]
        if not any(all(a <= b for a, b in zip(values[id(other)], own)) for other in front):
            front.append(trial)
    return front


def _goals(goal: Goals) -> Dict[str, int]:
    given = {goal: "min"} if isinstance(goal, str) else dict(goal)
    if not given:
        raise wrong("there is no goal", 'write {"worst": "min"}', field="goal")
    for name, way in given.items():
        if way not in ("min", "max"):
            raise wrong("is no direction", "write min or max", field=f"goal.{name}", value=way)
    return {name: 1 if way == "min" else -1 for name, way in given.items()}


def _limits(bounds: Bounds) -> List[Tuple[str, float, float]]:
    """(name, factor, limit): factor * (measure - limit) must not be above 0."""
    rows: List[Tuple[str, float, float]] = []
    for name, ends in (bounds or {}).items():
        if not isinstance(ends, (tuple, list)) or len(ends) != 2 or ends[0] is None and ends[1] is None:
            raise wrong("is no bound", "write (least, greatest), with None for an end that is open",
                        field=f"bounds.{name}", value=ends)
        rows += [(name, factor, float(end)) for factor, end in zip((-1.0, 1.0), ends) if end is not None]
    return rows


def _named(measures: Dict[str, float], name: str, field: str) -> float:
    if name not in measures:
        raise wrong("is not measured", "there are " + ", ".join(measures), field=field, value=name)
    return measures[name]


def _method(name: str, space: Space, goals: int, bounds: int) -> str:
    if name == "auto":
        if goals > 1:
            return "nsga2"
        return "tpe" if space.has_choices else "cobyla" if bounds else "bobyqa"
    if name not in METHODS:
        raise wrong("is no method", "write auto, " + ", ".join(METHODS), field="method", value=name)
    _, choices, several = METHODS[name]
    if goals > 1 and not several:
        raise wrong("has one goal", "use nsga2 or tpe for several", field="method", value=name)
    if not choices:
        space.refuse(name, distributions=False)
    return name


def _count(value: int, least: int, field: str) -> int:
    if int(value) != value or value < least:
        raise wrong("is no possible number", f"write a whole number from {least} on", field=field, value=value)
    return int(value)


def optimise(what: What, vary: Mapping[str, Any], measure: Optional[Mapping[str, str]] = None, *,
             goal: Goals = "value", bounds: Bounds = None, method: str = "auto", evaluations: int = 200,
             batch: int = 1, seed: int = 1, tolerance: float = 1e-8, difference: float = 1e-5,
             out: Optional[Any] = None, workers: int = 0, threads: int = 0, keep: str = "measures",
             limits: Optional[Mapping[str, Any]] = None,
             watch: Optional[Callable[[Trial], Any]] = None) -> Optimum:
    """Searches the values of some keys for which measures are best.

    what      a scenario file, or a function of Python from a dict of values to a number or a dict of measures
    vary      {key: (low, high)}, (low, high, "log"), or a list of choices
    measure   {name: formula}, as in a series (docs/measures.md); not for a function
    goal      {name: "min" or "max"}, one or several
    bounds    {name: (least, greatest)} of measures; None: open
    method    tpe, nsga2, random (Optuna), bobyqa, subplex, cobyla (NLopt), slsqp, evolution (SciPy), or auto
    batch     points that are tried at once; the same seed and batch give the same points
    out       folder for the runs, which form a series; the same call goes on where an earlier one was ended
    keep      what stays of a run beside its measures: measures (nothing), results, or "results of the failed"
    limits    {"time": "10 min", "memory": "4 GB"} of a run; one that goes beyond has failed
    watch     told of every trial

    Local methods start at the middle of the space and, in a batch, at further points that fill it. `tolerance` is
    where they end and `difference` the step of numerical derivatives, both as shares of the ranges.
    """
    space = Space(vary)
    space.refuse("a search", choices=False)
    goals, edges = _goals(goal), _limits(bounds)
    evaluations, batch = _count(evaluations, 1, "evaluations"), _count(batch, 1, "batch")
    name = _method(method, space, len(goals), len(edges))
    evaluate = evaluator(what, measure, out, workers or (batch if callable(what) else 0), threads, keep, limits)
    search = METHODS[name][0](Task(space, len(goals), len(edges), batch, evaluations, seed, tolerance, difference))
    trials: List[Trial] = []
    scores: Optional[Scores] = None
    try:
        while len(trials) < evaluations:
            try:
                asked = next(search) if scores is None else search.send(scores)
            except StopIteration:
                break
            asked = asked[:evaluations - len(trials)]
            points = [space.at(unit) for unit in asked]
            new = [_trial(point, outcome, goals, edges) for point, outcome in zip(points, evaluate(points))]
            for trial in new if watch else ():
                watch(trial)
            trials += new
            scores = [_score(trial, goals, edges) for trial in new]
            if len(trials) == evaluations:
                break
    finally:
        search.close()
    return Optimum(trials, goals, name)


def _trial(point: Point, outcome: Outcome, goals: Dict[str, int], limits: Sequence[Tuple[str, float, float]]) -> Trial:
    if outcome.problem:
        return Trial(point, {}, outcome.problem, math.inf)
    for name in goals:
        _named(outcome.measures, name, "goal")
    missed = [factor * (_named(outcome.measures, name, "bounds") - limit) for name, factor, limit in limits]
    # Methods meet bounds to rounding.
    slack = [miss if miss > 1e-9 * max(1.0, abs(limit)) else 0.0 for miss, (_, _, limit) in zip(missed, limits)]
    return Trial(point, outcome.measures, "", max([0.0, *slack]))


def _score(trial: Trial, goals: Dict[str, int], limits: Sequence[Tuple[str, float, float]]) -> Optional[Score]:
    if trial.problem:
        return None
    return Score(tuple(sign * trial.measures[name] for name, sign in goals.items()),
                 tuple(factor * (trial.measures[name] - limit) for name, factor, limit in limits))
