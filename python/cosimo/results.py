"""Results of a run, in memory or on disk: a mapping from names of columns to numbers."""
from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Mapping
from typing import Any, Dict, FrozenSet, Iterable, Iterator, List, Optional, Sequence, Union

import numpy as np

from . import _core, _display
from .errors import wrong

Patterns = Union[None, str, Iterable[str]]
Path = Union[str, "os.PathLike[str]"]


class Column:
    """One column of results on disk. Only what is asked for is read: c[1000:2000], c[-1], np.asarray(c)."""

    dtype = np.dtype(float)
    ndim = 1

    def __init__(self, folder: Any, name: str, place: int):
        self.name = name
        self._folder, self._place = folder, place
        self._rows = folder.rows_of(place)

    def __len__(self) -> int:
        return self._rows

    @property
    def shape(self) -> tuple:
        return (self._rows,)

    def _read(self, first: int, rows: int) -> np.ndarray:
        return self._folder.column(self._place, first, rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            first, stop, step = key.indices(self._rows)
            wanted = range(first, stop, step)
            if len(wanted) == 0:
                return np.empty(0)
            low, high = min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1])
            return self._read(low, high - low + 1)[::step]
        if isinstance(key, (int, np.integer)):
            place = key + self._rows if key < 0 else key
            if not 0 <= place < self._rows:
                raise IndexError(f"row {key} of {self._rows}")
            return float(self._read(int(place), 1)[0])
        return np.asarray(self)[key]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        numbers = self._read(0, self._rows)
        return numbers if dtype is None else numbers.astype(dtype)

    def __iter__(self) -> Iterator[float]:
        return iter(np.asarray(self))

    def __repr__(self) -> str:
        return f"<column {self.name!r} of {self._rows} rows, on disk>"


class Steps:
    """Attempted macro steps, an array each: t, H, error (1 is the tolerance), kappa, iterations, layers, accepted and
    cut (with the largest error, from 0; -1: none)."""

    def __init__(self, columns: Dict[str, np.ndarray]):
        self._columns = columns

    t: np.ndarray
    H: np.ndarray
    error: np.ndarray
    kappa: np.ndarray
    iterations: np.ndarray
    layers: np.ndarray
    accepted: np.ndarray
    cut: np.ndarray

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            return self.__dict__["_columns"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._columns]

    def __len__(self) -> int:
        return len(self._columns["t"])

    def frame(self) -> Any:
        """A pandas DataFrame, a row per attempted step."""
        import pandas

        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        accepted = int(np.count_nonzero(self._columns["accepted"]))
        return f"<{accepted} accepted macro steps, {len(self) - accepted} rejected>"


class Comparison:
    """How far one run is from another: NRMSE (5.2) of position, velocity and both, and more; str() is the table."""

    def __init__(self, numbers: Dict[str, Any], text: str):
        self._numbers, self._text = numbers, text

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_numbers"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._numbers]

    def as_dict(self) -> Dict[str, Any]:
        return dict(self._numbers)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _display.preformatted(self._text)


class Results(Mapping):
    """Columns by name: "wheel.x", its rate "der(wheel.x)", "energy.kinetic", "controller.out"."""

    def __init__(self, held: Any, where: Union["_core.ResultMemory", str]):
        self._held = held
        self._where = where  # what compare() takes
        self._names: Optional[List[str]] = None
        self._known: FrozenSet[str] = frozenset()

    # Two results are the same when they are one: comparing numbers is what compare() is for.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    # --- columns

    @property
    def names(self) -> List[str]:
        """All columns, in the order of the results."""
        if self._names is None:
            self._names = self._held.names()
            self._known = frozenset(self._names)
        return list(self._names)

    @property
    def time(self) -> np.ndarray:
        """Output times; read-only."""
        return self._held.time()

    def __getitem__(self, name: str) -> Any:
        place = self._held.index(name)
        if isinstance(self._held, _core.ResultMemory):
            return self._held.column(place)
        return Column(self._held, name, place)

    def __contains__(self, name: object) -> bool:
        return bool(self.names) and name in self._known

    def get(self, name: str, default: Any = None) -> Any:
        """The column, or `default` where there is none of that name."""
        return self[name] if name in self else default

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def select(self, patterns: Patterns = None) -> List[str]:
        """The names that fit one of the patterns ("chassis.*", "der(*.z)"), each once, pattern after pattern."""
        if patterns is None:
            return self.names
        chosen: Dict[str, None] = {}
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            found = [name for name in self.names if fnmatch.fnmatchcase(name, pattern)]
            if not found:
                self._held.index(pattern)  # says what was meant
            chosen.update(dict.fromkeys(found or [pattern]))
        return list(chosen)

    def frame(self, patterns: Patterns = None, every: int = 1) -> Any:
        """A pandas DataFrame of these columns (all, where none are named), every so many rows, with the time as
        index `t`."""
        if every < 1:
            raise wrong("rows are taken one by one or more rarely", "give 1, 2, 3, ...", field="every", value=every)
        import pandas

        names = self.select(patterns)
        index = pandas.Index(np.array(self.time[::every]), name="t")
        # A table whose writer was killed may have a row less.
        columns = {name: np.asarray(self[name][::every]) for name in names}
        columns = {name: column if len(column) == len(index) else
                   np.append(column, np.full(len(index) - len(column), np.nan)) for name, column in columns.items()}
        return pandas.DataFrame(columns, index=index)

    @property
    def steps(self) -> Steps:
        """The history of macro steps; empty for an uncut run."""
        return Steps(self._held.steps())

    # --- judging

    def compare(self, reference: Union["Results", Path], bodies: Sequence[int] = ()) -> Comparison:
        """The error of this run against the reference: another result, or a folder."""
        other = reference._where if isinstance(reference, Results) else os.fspath(reference)
        return Comparison(*_core.compare(self._where, other, list(bodies)))

    # --- what others say about it

    @property
    def summary(self) -> Dict[str, Any]:
        """What summary.json says: status, times, counts, choices."""
        raise NotImplementedError

    @property
    def ok(self) -> bool:
        """The run has reached its end."""
        return self.summary.get("status") == "ok"

    def __reduce__(self) -> Any:
        raise TypeError("results are not pickled: their numbers are views of memory or of a file; send frame(), or run "
                        "with out= and open the folder on the other side")

    def _repr_html_(self) -> str:
        return _display.result(self)


class Result(Results):
    """What Scenario.run() gives: the numbers, and how the run ended.

    r["chassis.z"] is a read-only NumPy view of the results, without a copy; it lives as long as you keep it,
    with or without the Result. Of a run without memory (memory=False, resume=True) it is a Column on disk.
    """

    def __init__(self, held: Any, where: Any, report: Any, folder: str, scenario: str):
        super().__init__(held, where)
        self._report, self._scenario = report, scenario
        self._summary: Optional[Dict[str, Any]] = None
        self._failure = ""
        #: the output folder; empty: nothing was written
        self.folder = folder

    def fail(self, reason: str) -> None:
        """Whatever the run says: this result is not to be trusted."""
        self._failure = reason

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def status(self) -> str:
        """"ok", "failed" or "interrupted"."""
        return "failed" if self._failure else self._report.status

    @property
    def message(self) -> str:
        """Why it did not reach its end; empty when it did."""
        if self.ok:
            return ""
        return f"{self.status} at t = {self._report.time:.6g} of {self._report.t_end:.6g}: " \
               f"{self._failure or self._report.reason}"

    @property
    def summary(self) -> Dict[str, Any]:
        if self._summary is None:
            self._summary = json.loads(self._report.json())
        return self._summary

    def report(self, file: Optional[Path] = None) -> str:
        """Writes the page of the run, report.html in its folder or `file`, and returns its name."""
        return write_report([self], file)

    def __str__(self) -> str:
        return self._report.table()

    def __repr__(self) -> str:
        return f"<Result of {self._scenario}: {self.message or 'ok'}; {len(self)} columns, {len(self.time)} rows>"


class Folder(Results):
    """What cosimo.open() gives: a run on disk that ended, failed, was killed or still goes on. Columns are read when
    they are asked for, and only as far: f["chassis.z"][1000:2000]."""

    def __init__(self, place: Path):
        self.folder = os.fspath(place)
        super().__init__(_core.ResultFolder(self.folder), self.folder)

    @property
    def remarks(self) -> List[str]:
        """What is missing or damaged, in sentences."""
        return self._held.remarks()

    @property
    def summary(self) -> Dict[str, Any]:
        """What summary.json says; empty where the run has not ended or was killed."""
        text = self._held.summary()
        return json.loads(text) if text else {}

    @property
    def scenario(self) -> str:
        """The text of the scenario with every default written out; empty: it is not there."""
        return self._held.scenario()

    @property
    def message(self) -> str:
        """Why it did not reach its end; empty when it did."""
        summary = self.summary
        if not summary:
            return "the run has not ended, or was killed"
        outcome = summary.get("outcome", {})
        return "" if self.ok else f"{summary['status']} at t = {outcome.get('time', 0):.6g}: {outcome.get('reason')}"

    def report(self, file: Optional[Path] = None) -> str:
        """Writes the page of the run, report.html in its folder or `file`, and returns its name."""
        return write_report([self], file)

    def __repr__(self) -> str:
        return f"<{self.folder}: {self.message or 'ok'}; {len(self)} columns, {len(self.time)} rows>"


def write_report(runs: Sequence[Union[Results, Path]], file: Optional[Path] = None) -> str:
    """Writes one page of one run or of several, which are compared with the last. All must be on disk."""
    folders = []
    for run in runs:
        folder = run.folder if isinstance(run, (Result, Folder)) else os.fspath(run)
        if not folder:
            raise wrong("the page of a run is made from its folder, and this one has none", "run it with out=FOLDER")
        folders.append(folder)
    if file is None:
        file = os.path.join(folders[0], "report.html") if len(folders) == 1 else "comparison.html"
    _core.write_page(folders, os.fspath(file))
    return os.fspath(file)
