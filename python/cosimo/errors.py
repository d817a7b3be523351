"""What can go wrong, as exceptions.

Error        wrong input: file, line, field, value and remedy, as far as they are known
OutputError  the disk cannot take what should be written
RunFailed    a run that did not reach its end; .result has what it did until then
Interrupted  Ctrl-C ended a run in order; .result as well
"""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence


class Fault(NamedTuple):
    """One thing that is wrong with the input. Empty texts and zeros: not known."""

    file: str = ""
    line: int = 0
    column: int = 0
    field: str = ""
    value: str = ""
    problem: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        place = self.file
        for number in (self.line, self.column):
            if number > 0:
                place += f":{number}" if place else f"line {number}"
        text = ": ".join(part for part in (place, self.field, self.value, self.problem) if part)
        return f"{text} ({self.remedy})" if self.remedy else text


class Error(ValueError):
    """Wrong input. `faults` has everything that was found; the attributes below are those of the first."""

    def __init__(self, faults: Sequence[Sequence[Any]]):
        self.faults = tuple(Fault(*fault) for fault in faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self):
        return Error, (tuple(tuple(fault) for fault in self.faults),)

    @property
    def file(self) -> str:
        return self.faults[0].file

    @property
    def line(self) -> int:
        return self.faults[0].line

    @property
    def column(self) -> int:
        return self.faults[0].column

    @property
    def field(self) -> str:
        return self.faults[0].field

    @property
    def value(self) -> str:
        return self.faults[0].value

    @property
    def problem(self) -> str:
        return self.faults[0].problem

    @property
    def remedy(self) -> str:
        return self.faults[0].remedy


def wrong(problem: str, remedy: str = "", *, field: str = "", value: object = "") -> Error:
    """An Error about something that Python was given."""
    return Error([("", 0, 0, field, str(value), problem, remedy)])


class OutputError(OSError):
    """A file cannot be written: the disk is full, or the folder is not ours."""


class RunFailed(RuntimeError):
    """A run that failed. `result` holds everything up to the last accepted step, marked as failed; None where
    there is none. `time` is the instant it reached, `culprit` who is to blame, `advice` what to try."""

    def __init__(self, message: str, result: Optional[Any] = None, *, time: float = 0.0, culprit: str = "",
                 advice: Sequence[str] = ()):
        super().__init__(message)
        self.result, self.time, self.culprit, self.advice = result, time, culprit, tuple(advice)

    def __reduce__(self):
        return _failed, (str(self), self.time, self.culprit, self.advice)


def _failed(message: str, time: float, culprit: str, advice: Sequence[str]) -> RunFailed:
    return RunFailed(message, time=time, culprit=culprit, advice=advice)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, after the run has ended in order. `result` holds everything up to the last accepted step."""

    def __init__(self, message: str = "", result: Optional[Any] = None):
        super().__init__(message)
        self.result = result
