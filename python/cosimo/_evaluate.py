"""Measures at points: by a function of Python, or by a series of runs (`cosimo sweep`)."""
from __future__ import annotations

import csv
import json
import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Union

from ._program import call
from ._text import flow, text_of
from .errors import Interrupted, RunFailed, wrong

Point = Dict[str, Any]
What = Union[str, "os.PathLike[str]", Callable[[Point], Any]]


class Outcome(NamedTuple):
    """What came out at a point: measures, or why there are none."""

    measures: Dict[str, float]
    problem: str = ""


class Function:
    """Measures by a function of a point: it returns a number, or a dict of them. What raises RunFailed, or gives no
    finite number, is a failed point. Points of a batch are computed by `workers` threads: runs release the lock."""

    def __init__(self, function: Callable[[Point], Any], workers: int = 1):
        self._function, self._workers = function, max(1, workers)

    def _one(self, point: Point) -> Outcome:
        try:
            given = self._function(dict(point))
        except RunFailed as failed:
            return Outcome({}, str(failed))
        measures = dict(given) if isinstance(given, Mapping) else {"value": given}
        numbers = {str(name): float(value) for name, value in measures.items()}
        bad = [name for name, value in numbers.items() if not math.isfinite(value)]
        return Outcome({}, f"{bad[0]} is no finite number") if bad else Outcome(numbers)

    def __call__(self, points: List[Point]) -> List[Outcome]:
        if self._workers == 1 or len(points) == 1:
            return [self._one(point) for point in points]
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._one, points))


class Runs:
    """Measures of runs of a scenario. Every batch makes the series in `folder` longer and runs what is new in it, so
    that the same points again cost nothing: a search that was ended begins anew and soon is where it was."""

    def __init__(self, scenario: "str | os.PathLike[str]", measure: Optional[Mapping[str, str]], folder: Optional[Any],
                 workers: int = 0, threads: int = 0, keep: str = "measures",
                 limits: Optional[Mapping[str, Any]] = None):
        if not measure:
            raise wrong("nothing is measured", 'write {"worst": "max(abs(strut.Fz))"}', field="measure")
        if folder is None:
            raise wrong("there is no folder for the runs", "give out=FOLDER", field="out")
        self._scenario, self._measure = os.path.abspath(os.fspath(scenario)), dict(measure)
        self._folder = os.fspath(folder)
        self._kept = [f"  keep: {text_of(keep)}"] if keep != "measures" else []
        self._kept += [f"  limits: {flow(dict(limits))}"] if limits else []
        self._words = [word for name, n in (("--workers", workers), ("--threads", threads)) if n
                       for word in (name, str(n))]
        self._points: List[Point] = []
        os.makedirs(self._folder, exist_ok=True)

    def _write(self) -> str:
        keys = list(self._points[0])
        with open(os.path.join(self._folder, "points.csv"), "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(keys)
            rows.writerows([[value if isinstance(value, str) else flow(value) for value in point.values()]
                            for point in self._points])
        lines = ["cosimo: 1", "sweep:", f"  scenario: {text_of(self._scenario)}", "  points: points.csv", *self._kept,
                 "  measure:"]
        lines += [f"    {text_of(name)}: {json.dumps(text)}" for name, text in self._measure.items()]
        place = os.path.join(self._folder, "series.yaml")
        with open(place, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        return place

    def __call__(self, points: List[Point]) -> List[Outcome]:
        self._points += points
        runs = os.path.join(self._folder, "runs")
        report = _call(["sweep", self._write(), "--out", runs, "--json", *self._words])
        if report.get("status") == "interrupted":
            raise Interrupted("the series was ended; the same call goes on")
        if report.get("reason"):
            raise RunFailed(report["reason"])
        rows = _call(["sweep", "show", runs, "--json"])["variants"][-len(points):]
        return [self._outcome(row) for row in rows]

    def _outcome(self, row: Dict[str, Any]) -> Outcome:
        measures = row.get("measures") or {}
        if row.get("state") == "done" and all(measures.get(name) is not None for name in self._measure):
            return Outcome({name: float(measures[name]) for name in self._measure})
        return Outcome({}, row.get("message") or f"the run is {row.get('state')}")


def _call(words: List[str]) -> Dict[str, Any]:
    """The program `cosimo`; what it says on its standard output is JSON."""
    done = call(words, "the series was ended; the same call goes on")
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RunFailed(done.stderr.strip() or "the series gave no result") from None


def evaluator(what: What, measure: Optional[Mapping[str, str]], out: Optional[Any], workers: int,
              threads: int, keep: str = "measures",
              limits: Optional[Mapping[str, Any]] = None) -> Callable[[List[Point]], List[Outcome]]:
    if callable(what):
        if measure:
            raise wrong("a function says itself what it measures", "leave out measure", field="measure")
        return Function(what, workers)
    return Runs(what, measure, out, workers, threads, keep, limits)
