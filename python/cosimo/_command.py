"""What `cosimo optimise FILE` starts: python3 -m cosimo._command SEARCH.json [options].

The program has checked the file and written what it says as JSON (Search::to_json() of cosimo/search.hpp). Exit
codes are those of the program: 0, 1 the search failed or was interrupted, 2 the input is wrong.
"""
from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._optimise import Optimum, Trial, optimise
from ._text import counted
from ._work import Progress, _Terminal
from .errors import Error, Fault, Interrupted

SHOWN = 5  # of the points, with one goal


def _plain(value: Any) -> Any:
    """Choices come as the texts of the file: numbers as numbers, as in the table of a series."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except json.JSONDecodeError:
        return value


def _best(found: Optimum) -> List[Trial]:
    """The front, or with one goal the best few, each once."""
    if len(found.goals) > 1:
        return found.front
    (name, sign), = found.goals.items()
    good = sorted((t for t in found.trials if not t.problem and t.violation <= 0),
                  key=lambda t: sign * t.measures[name])
    once = {tuple(map(str, trial.parameters.values())): trial for trial in reversed(good)}
    return sorted(once.values(), key=lambda t: sign * t.measures[name])[:SHOWN]


def _document(found: Optimum, best: List[Trial], told: Dict[str, Any], folder: str) -> Dict[str, Any]:
    def point(trial: Trial) -> Dict[str, Any]:
        return {"parameters": {key: _plain(value) for key, value in trial.parameters.items()},
                "measures": trial.measures}

    return {"status": "ok", "file": told["file"], "method": found.method, "evaluations": len(found.trials),
            "failed": sum(bool(trial.problem) for trial in found.trials), "goals": told["goal"],
            "best": point(found.best), "points": [point(trial) for trial in best], "folder": folder}


def _table(found: Optimum, best: List[Trial], folder: str) -> str:
    failed = sum(bool(trial.problem) for trial in found.trials)
    what = "on the front" if len(found.goals) > 1 else "best first"
    rows = [[*best[0].parameters, *best[0].measures]]
    for trial in best:
        values = [*map(_plain, trial.parameters.values()), *trial.measures.values()]
        rows.append([f"{value:.8g}" if isinstance(value, float) else str(value) for value in values])
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
    head = f"{counted(len(found.trials), 'point')} by {found.method}, {failed} failed; {what}:"
    runs = os.path.join(folder, "runs")
    return "\n".join([head, *lines, f"Written to {folder}; all points are in {os.path.join(runs, 'variants.csv')}; "
                      f"open {os.path.join(runs, 'report.html')} in a browser"])


def _watch(told: Dict[str, Any], quiet: bool) -> Tuple[Optional[Callable[[Trial], None]], Callable[[], None]]:
    """A bar, where somebody looks."""
    if quiet or not sys.stderr.isatty():
        return None, lambda: None
    bar, tried = _Terminal(), [0, 0]

    def show(trial: Trial) -> None:
        tried[0] += 1
        tried[1] += bool(trial.problem)
        bar.show(Progress(tried[0] / told["evaluations"],
                          f"{tried[0]} of at most {counted(told['evaluations'], 'point')}, {tried[1]} failed"))

    return show, bar.end


def _refuse(faults: List[Fault], code: int, as_json: bool) -> int:
    for fault in faults:
        print(f"cosimo: error: {fault}", file=sys.stderr)
    if as_json:
        errors = [{"message": str(fault), **{name: part for name, part in fault._asdict().items() if part}}
                  for fault in faults]
        print(json.dumps({"status": "error", "exit_code": code, "errors": errors}, indent=2))
    return code


def main(words: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="cosimo optimise")
    parser.add_argument("definition")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(words)
    with open(given.definition, encoding="utf-8") as file:
        told = json.load(file)
    folder = os.path.dirname(given.definition)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends in order, as Ctrl-C
    watch, end = _watch(told, given.quiet)
    try:
        found = optimise(told["scenario"], told["vary"], told["measure"], goal=told["goal"],
                         bounds={name: tuple(ends) for name, ends in told["bounds"].items()},
                         method=told["method"], evaluations=told["evaluations"], batch=told["batch"],
                         seed=told["seed"], keep=told["keep"], limits=told["limits"], out=folder,
                         workers=given.workers, threads=given.threads, watch=watch)
    except Error as wrong:
        return _refuse([fault._replace(file=fault.file or told["file"]) for fault in wrong.faults], 2, given.json)
    except (RuntimeError, OSError) as failed:
        return _refuse([Fault(problem=str(failed))], 1, given.json)
    except (Interrupted, KeyboardInterrupt):
        return _refuse([Fault(problem="interrupted; the same command goes on")], 1, given.json)
    finally:
        end()
    best = _best(found)
    if given.json:
        print(json.dumps(_document(found, best, told, folder), indent=2))
    elif not given.quiet:
        print(_table(found, best, folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
