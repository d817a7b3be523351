"""Cosimo: error-controlled parallel co-simulation of multibody systems.

    import cosimo
    s = cosimo.load("vehicle.yaml", {"model.vehicle.speed": 20})
    r = s.run(threads=2)
    r["chassis.z"]                                      # NumPy, read-only, no copy
    r.frame(["chassis.*"], every=10)                    # pandas
    cosimo.open("vehicle.out")["chassis.z"][1000:2000]  # from disk, only what is asked for

    cosimo.sweep("wagon.yaml", vary={...}, measure={...}).frame()

docs/python.md is the manual; docs/optimisation.md has optimise(), sensitivity() and monte_carlo().
"""
from __future__ import annotations

from ._core import version as __version__
from ._explore import Estimate, Sensitivity, Spread, monte_carlo, sensitivity
from ._optimise import Optimum, Trial, optimise
from ._sweep import Sweep, Variant, sweep
from ._work import Progress, RunNote
from .elements import SlowElement, element
from .errors import Error, Fault, Interrupted, OutputError, RunFailed
from .model import Model
from .plan import Plan
from .results import Column, Comparison, Folder, Path, Result, Results, Steps, write_report
from .scenario import Scenario, load, parse
from .simulation import Simulation


def open(place: Path) -> Folder:  # pylint: disable=redefined-builtin
    """The results in an output folder, or of a results.h5."""
    return Folder(place)


def compare(a: "Results | Path", reference: "Results | Path") -> Comparison:
    """The error of one run against another; both may be results or folders."""
    first = a if isinstance(a, Results) else Folder(a)
    return first.compare(reference)


__all__ = ["Column", "Comparison", "Error", "Estimate", "Fault", "Folder", "Interrupted", "Model", "Optimum",
           "OutputError", "Plan", "Progress", "Result", "Results", "RunFailed", "RunNote", "Scenario", "Sensitivity",
           "Simulation", "SlowElement", "Spread", "Steps", "Sweep", "Trial", "Variant", "compare", "element", "load",
           "monte_carlo", "open", "optimise", "parse", "sensitivity", "sweep", "write_report"]
