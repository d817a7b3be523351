"""Scenarios: what is simulated, and how."""
from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Any, Callable, ContextManager, List, Optional, Tuple

from . import _core, _work, elements
from ._text import Settings, settings_of
from .errors import Interrupted, RunFailed, wrong
from .plan import Plan
from .results import Path, Result
from .simulation import Simulation


class Scenario:
    """A validated scenario, made by load(), parse() or Model.scenario(). It never changes: set() and uncut() give
    another one."""

    def __init__(self, core: "_core.Scenario", source: Tuple[Callable[[List[str]], "_core.Scenario"], List[str]],
                 name: str, whole: bool = False, places: Optional[ContextManager[Any]] = None):
        self._core, self._source, self._whole = core, source, whole
        self._places = nullcontext() if places is None else places  # where errors are said to be
        #: of its file, or what it was called
        self.name = name

    def set(self, settings: Settings) -> "Scenario":
        """The same with other values, as load() takes them: s.set({"control.rtol": 1e-6})."""
        make, before = self._source
        after = before + settings_of(settings)
        with self._places:
            core = make(after)
            return Scenario(core.uncut() if self._whole else core, (make, after), self.name, self._whole, self._places)

    def uncut(self) -> "Scenario":
        """The same model and solver in one part: the reference for speed and error."""
        with self._places:
            return Scenario(self._core.uncut(), self._source, self.name, True, self._places)

    @property
    def text(self) -> str:
        """The scenario with every default written out; it gives the same run, to the bit."""
        return self._core.effective()

    def describe(self) -> str:
        """In a few lines what would be run; finds what only building the model finds."""
        with self._places, elements.Blame(self):
            return self._core.describe("")

    def run(self, out: Optional[Path] = None, *, threads: int = 0, progress: _work.Listener = None, memory: bool = True,
            csv: bool = False, trace: bool = False, resume: bool = False, replace: bool = False, report: bool = False,
            check: bool = True) -> Result:
        """Runs it and returns the result. Other threads of Python go on meanwhile.

        out       a folder for results, as `cosimo run --out`; nothing is written without it
        threads   0: what the scenario says, else all cores. Results do not depend on it
        progress  None: a bar on terminals and in notebooks; True, False; or a function of a Progress
        memory    False: results stay on disk (with `out`), and are read when they are asked for
        resume    goes on from the newest checkpoint in `out`; results are then on disk
        replace   also results of another scenario in `out`
        csv, trace, report   also results.csv, trace.json, report.html
        check     False: a run that fails is returned with .ok False instead of raising RunFailed

        Ctrl-C ends the run in order at its next macro point and raises Interrupted, a KeyboardInterrupt with .result;
        a second Ctrl-C does not wait for that.
        """
        folder = "" if out is None else os.fspath(out)
        memory = memory and not resume
        if not folder:
            for name, given in (("memory=False", not memory), ("csv", csv), ("trace", trace), ("report", report)):
                if given:
                    raise wrong("there is no folder to write to", "give out=FOLDER", field=name)
        held = _core.ResultMemory() if memory else None
        if progress is None and self._core.progress() != "auto":
            progress = self._core.progress() == "on"
        blame = elements.Blame(self)
        with self._places, blame:
            task = _core.start_run(self._core, out=folder, threads=threads, csv=csv, trace=trace, resume=resume,
                                   replace=replace, command="", memory=held, watched=progress is not False)
            early = _work.conduct(task, progress, blame.raised)
        how = task.report()
        where: Any = held if memory else folder
        result = Result(held if memory else _core.ResultFolder(folder), where, how, folder, self.name)
        if report and how.culprit != "output":
            result.report()
        return _judged(result, how, early, blame.error(), check)

    def start(self, out: Optional[Path] = None, *, threads: int = 0, open_end: bool = False,
              replace: bool = False) -> Simulation:
        """A simulation at t = 0 that you drive step by step."""
        folder = "" if out is None else os.fspath(out)
        with self._places, elements.Blame(self) as blame:
            return Simulation(_core.Simulation(self._core, folder, threads, open_end, replace), self.name, blame)

    def plan(self, out: Optional[Path] = None, *, write: Optional[Path] = None, threads: int = 1, pilot_s: float = 2.0,
             total_s: float = 0.0, error: Optional[float] = None, latency: Optional[float] = None,
             bandwidth: Optional[float] = None, progress: _work.Listener = None) -> Plan:
        """Where to cut the model and how to couple it, from short pilot runs (`cosimo plan`). `write` takes the name of
        a new scenario file with the proposal."""
        blame = elements.Blame(self)
        with self._places, blame:
            task = _core.start_plan(self._core, out="" if out is None else os.fspath(out),
                                    write="" if write is None else os.fspath(write), threads=threads, pilot_s=pilot_s,
                                    total_s=total_s, error=error, latency=latency, bandwidth=bandwidth)
            early = _work.conduct(task, progress, blame.raised)
        if early is not None:
            raise early
        plan = Plan(task.json(), task.text(), task.scenario())
        if task.status() == "failed":
            raise RunFailed(str(plan), plan)
        return plan

    def __reduce__(self) -> Any:
        return _again, (self.text, self.name)

    def __repr__(self) -> str:
        return f"<Scenario {self.name}>"

    def __str__(self) -> str:
        return self.describe()

    def _repr_html_(self) -> str:
        from ._display import preformatted

        return preformatted(self.describe())


def _judged(result: Result, how: Any, early: Optional[BaseException], raised: Optional[BaseException],
            check: bool) -> Result:
    """A run that failed or was ended never looks like a good one."""
    if raised is not None:
        result.fail(f"an element of Python raised {type(raised).__name__}: {raised}")
        raise RunFailed(result.message, result, time=how.time, culprit=how.culprit) from raised
    if isinstance(early, KeyboardInterrupt):
        raise Interrupted(result.message or "the run had just ended", result) from None
    if early is not None:
        raise early
    if check and not result.ok:
        raise RunFailed(result.message, result, time=how.time, culprit=how.culprit, advice=how.advice)
    return result


def _again(text: str, name: str) -> Scenario:
    return parse(text, name=name)


def load(file: Path, settings: Settings = None) -> Scenario:
    """Reads a scenario file. `settings` are values for keys, as of `cosimo run --set`: {"control.rtol": 1e-5}; text is
    taken as it is there. Raises Error with file, line, field and remedy."""
    name = os.fspath(file)
    values = settings_of(settings)

    def make(all_values: List[str]) -> "_core.Scenario":
        return _core.Scenario.load(name, all_values)

    return Scenario(make(values), (make, values), name)


def parse(text: str, settings: Settings = None, *, name: str = "scenario") -> Scenario:
    """The same for the text of a scenario; relative paths in it begin at the working directory."""
    values = settings_of(settings)

    def make(all_values: List[str]) -> "_core.Scenario":
        return _core.Scenario.parse(text, name, all_values)

    return Scenario(make(values), (make, values), name)
