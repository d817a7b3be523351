"""Series of runs from Python: writes the file of a series, has the program `cosimo sweep` run it, reads its table."""
from __future__ import annotations

import json
import math
import os
import re
import shutil
import tempfile
import warnings
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._program import call
from ._text import counted, flow, text_of
from ._work import RunNote
from .errors import RunFailed, wrong
from .results import Folder, Path

Measure = Union[str, Callable[[Folder], Any]]

_NUMBER = re.compile(r"[-+.]?[0-9][-+*/^.A-Za-z0-9 ]*\Z")  # with a unit, or a fraction: taken as it is
_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_END = "end_of_run"  # the formula of a series that is measured by functions alone


class Variant(NamedTuple):
    """One run of a series. It has no measures unless it is done."""

    number: int
    state: str  # waiting, running, done or failed
    parameters: Dict[str, Any]
    measures: Dict[str, float]
    curves: Dict[str, Tuple[np.ndarray, np.ndarray]]  # times (or frequencies), values
    fault: str = ""
    message: str = ""
    results: str = ""  # its folder, where it is kept


class Sweep:
    """What sweep() gives: the table of a series."""

    def __init__(self, folder: str, variants: List[Variant]):
        self.folder, self.variants = folder, variants

    def __len__(self) -> int:
        return len(self.variants)

    def __getitem__(self, place: int) -> Variant:
        return self.variants[place]

    @property
    def failed(self) -> List[Variant]:
        return [variant for variant in self.variants if variant.state == "failed"]

    @property
    def ok(self) -> bool:
        """All are done."""
        return all(variant.state == "done" for variant in self.variants)

    def frame(self) -> Any:
        """A pandas DataFrame, a row per variant: its state, parameters, measures, fault, message. NaN: no number."""
        import pandas

        names = list(dict.fromkeys(name for variant in self.variants for name in variant.measures))
        table: Dict[str, Any] = {"state": [variant.state for variant in self.variants]}
        for key in self.variants[0].parameters if self.variants else ():
            table[key] = [variant.parameters[key] for variant in self.variants]
        for name in names:
            table[name if name not in table else f"measure {name}"] = [
                variant.measures.get(name, math.nan) for variant in self.variants]
        table["fault"] = [variant.fault for variant in self.variants]
        table["message"] = [variant.message for variant in self.variants]
        index = pandas.Index([variant.number for variant in self.variants], name="variant")
        return pandas.DataFrame(table, index=index)

    def open(self, number: int) -> Folder:
        """The results of a variant that was kept; variants count from 1."""
        results = self.variants[number - 1].results if 0 < number <= len(self.variants) else ""
        if not results:
            raise wrong("no results of this variant are kept", 'write keep="results"', field="number", value=number)
        return Folder(results)

    def __repr__(self) -> str:
        done = sum(variant.state == "done" for variant in self.variants)
        return (f"<Sweep {self.folder}: {counted(len(self.variants), 'variant')}, {done} done, "
                f"{len(self.failed)} failed>")

    def _repr_html_(self) -> str:
        return self.frame()._repr_html_()


def _one(value: Any) -> str:
    """A value as --set takes it: "20 km/h" is a quantity."""
    return value if isinstance(value, str) and _NUMBER.match(value) else flow(value)


def _axis(key: str, given: Any) -> str:
    if isinstance(given, Mapping):
        return flow(given)
    if isinstance(given, tuple) and len(given) in (2, 3) and given[2:] in ((), ("log",)):
        return f"{{from: {flow(given[0])}, to: {flow(given[1])}{', scale: log' if given[2:] else ''}}}"
    if isinstance(given, (list, range)) or getattr(given, "ndim", 0) == 1:
        return "[" + ", ".join(map(_one, given)) + "]"
    raise wrong("is neither values nor a range", 'write a list, (low, high), {"from": 1, "to": 4, "points": 5}, '
                '{"range": [1, 20]} or {"formula": "0.02*k"}', field=f"vary.{key}", value=given)


def _key(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(scenario: str, vary: Mapping[str, Any], formulas: Mapping[str, str], more: Mapping[str, Any]) -> str:
    lines = ["cosimo: 1", "sweep:", f"  scenario: {_key(scenario)}", "  vary:"]
    lines += [f"    {_key(str(key))}: {_axis(str(key), given)}" for key, given in vary.items()]
    lines += ["  measure:"] + [f"    {text_of(name)}: {_key(text)}" for name, text in formulas.items()]
    lines += [f"  {key}: {flow(value)}" for key, value in more.items() if value is not None]
    return "\n".join(lines) + "\n"


def _measures(given: Any) -> Tuple[Dict[str, str], Dict[str, Callable[[Folder], Any]]]:
    if callable(given) or isinstance(given, str):
        given = {"value": given}
    if not isinstance(given, Mapping) or not given:
        raise wrong("nothing is measured", 'write {"worst": "max(abs(strut.Fz))"}, or a function of a result',
                    field="measure", value=given)
    for name, how in given.items():
        if not isinstance(name, str) or not _NAME.match(name):
            raise wrong("is no name for a measure", "write letters, digits and _, beginning with a letter",
                        field="measure", value=name)
        if not callable(how) and not isinstance(how, str):
            raise wrong("is neither a formula nor a function", 'write "max(abs(strut.Fz))", or a function of a result',
                        field=f"measure.{name}", value=how)
    return ({name: how for name, how in given.items() if isinstance(how, str)},
            {name: how for name, how in given.items() if not isinstance(how, str)})


def _rows(folder: str) -> List[Variant]:
    rows = json.loads(call(["sweep", "show", folder, "--json"], "").stdout)["variants"]
    variants = []
    for row in rows:
        numbers = {name: math.nan if value is None else float(value)
                   for name, value in (row.get("measures") or {}).items()}
        curves = {name: (np.array(curve["t"]), np.array(curve["value"]))
                  for name, curve in (row.get("curves") or {}).items()}
        results = row.get("results") or ""
        variants.append(Variant(row["variant"], row["state"], row.get("parameters") or {}, numbers, curves,
                                row.get("fault", ""), row.get("message", ""),
                                os.path.join(folder, results) if results else ""))
    return variants


def _by_functions(variants: List[Variant], functions: Mapping[str, Callable[[Folder], Any]]) -> List[Variant]:
    """What functions say about kept results. What they raise goes to the caller: the runs are there, so that the same
    call measures again without running anything."""
    known: Dict[str, Dict[str, float]] = {}
    out = []
    for variant in variants:
        measures = dict(variant.measures)
        if variant.state == "done":
            if variant.results not in known:
                result = Folder(variant.results)
                known[variant.results] = {name: float(function(result)) for name, function in functions.items()}
            measures.update(known[variant.results])
        else:
            measures.update(dict.fromkeys(functions, math.nan))
        out.append(variant._replace(measures=measures))
    return out


def sweep(scenario: Path, vary: Mapping[str, Any], measure: Any, *, design: str = "grid", n: Optional[int] = None,
          seed: Optional[int] = None, keep: str = "measures", limits: Optional[Mapping[str, Any]] = None,
          out: Optional[Path] = None, workers: int = 0, threads: int = 0, retry_failed: bool = False) -> Sweep:
    """Runs a scenario file many times and measures every run, as `cosimo sweep` does; sweep(...).frame() is its table.

    vary      {key: values}: a list; {"from": 1, "to": 4, "points": 5, "scale": "log"}; {"range": [1, 20]};
              {"formula": "0.02*k"}; for spread designs also (low, high) and (low, high, "log")
    measure   {name: formula}, or a function of a result (cosimo.open() of the run) that gives a number. Functions need
              results that are kept
    design    grid, list, latin-hypercube, sobol or random, these with n and seed
    keep      measures, results, or "results of the failed"
    limits    {"time": "10 min", "memory": "4 GB"} of a variant
    out       the folder of the series; NAME.sweep in the working directory if left out

    The same call again runs what is missing. Failed variants have no numbers; a RunNote says how many there are.
    """
    formulas, functions = _measures(measure)
    if not isinstance(vary, Mapping) or not vary:
        raise wrong("nothing varies", 'write {"model.train.speed": [15, 20, 25]}', field="vary", value=vary)
    if functions:
        if keep not in ("measures", "results"):
            raise wrong("functions need the results of all", 'write keep="results"', field="keep", value=keep)
        keep = "results"
    inside = formulas or {_END: "final(t)"}
    file = os.path.abspath(os.fspath(scenario))
    name = os.path.splitext(os.path.basename(file))[0]
    folder = os.path.abspath(os.fspath(out)) if out is not None else os.path.abspath(f"{name}.sweep")
    text = _text(file, vary, inside, {"design": design, "n": n, "seed": seed, "keep": keep, "limits": limits})
    words = [word for word, on in (("--retry", retry_failed), ("failed", retry_failed)) if on]
    words += [word for key, count in (("--workers", workers), ("--threads", threads)) if count
              for word in (key, str(count))]
    place = tempfile.mkdtemp(prefix="cosimo-")
    try:
        series = os.path.join(place, f"{name}.yaml")
        with open(series, "w", encoding="utf-8") as target:
            target.write(text)
        done = call(["sweep", series, "--out", folder, "--json", *words], "the series was ended; the same call goes on")
    finally:
        shutil.rmtree(place, ignore_errors=True)
    _judge(done)
    variants = _rows(folder)
    if not formulas:
        variants = [variant._replace(measures={}) for variant in variants]
    result = Sweep(folder, _by_functions(variants, functions) if functions else variants)
    if result.failed:
        first = result.failed[0]
        warnings.warn(f"{len(result.failed)} of {len(result)} variants failed; variant {first.number}: {first.message}",
                      RunNote, stacklevel=2)
    return result


def _judge(done: Any) -> None:
    """A series that did not get to its end is no series."""
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RunFailed(done.stderr.strip() or "the series gave no result") from None
    if report.get("left"):
        raise RunFailed(report.get("reason") or f"{counted(report['left'], 'variant')} left; the same call goes on")
