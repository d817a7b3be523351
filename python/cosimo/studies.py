"""Published numerical studies, run again and judged (`cosimo study`).

The studies are a program of their own, which runs beside the interpreter: `./cosimo study --list` builds it.
"""
from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Dict, List, Optional

from ._program import call
from .errors import RunFailed


class Study:
    """A study that was run, or all of them. `statements` has a dict per statement, `ok` says whether all hold, and
    `folder` has the page report.html and the data behind it."""

    def __init__(self, data: Dict[str, Any]):
        self.data = data

    @property
    def statements(self) -> List[Dict[str, Any]]:
        return [{"study": study["name"], **each} for study in self.data["studies"] for each in study["statements"]]

    @property
    def ok(self) -> bool:
        return self.data["status"] == "ok"

    @property
    def folder(self) -> str:
        return self.data["folder"]

    def frame(self) -> Any:
        """A pandas DataFrame, a row per statement."""
        import pandas

        return pandas.DataFrame(self.statements)

    def __repr__(self) -> str:
        names = ", ".join(study["name"] for study in self.data["studies"])
        return f"<Study {names}: {self.data['status']}, {len(self.statements)} statements, in {self.folder}>"


def list(scale: float = 1.0) -> List[Dict[str, Any]]:  # pylint: disable=redefined-builtin
    """What studies there are: name, title, source, what each shows, and how many seconds it takes."""
    done = call(["study", "--list", "--json", "--scale", repr(scale)], "the study was ended")
    return _read(done)


def run(name: str, *, scale: float = 1.0, seed: int = 1, threads: int = 0, out: Optional[str] = None,
        keep: bool = False) -> Study:
    """Runs a study, or "all" of them. A study whose statements do not hold is returned with .ok False."""
    words = ["study", name, "--json", "--scale", repr(scale), "--seed", repr(seed)]
    words += ["--threads", repr(threads)] if threads > 0 else []
    words += ["--out", os.fspath(out)] if out is not None else []
    words += ["--keep"] if keep else []
    return Study(_read(call(words, "the study was ended")))


def _read(done: "subprocess.CompletedProcess[str]") -> Any:
    try:
        data = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise RunFailed(done.stderr.strip() or done.stdout.strip() or "the study gave no result") from None
    if isinstance(data, dict) and data.get("status") not in (None, "ok", "failed"):
        raise RunFailed(data.get("message", str(data)))
    return data
