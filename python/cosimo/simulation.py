"""A run that you drive: step by step, with a look inside, and back again."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _core, elements
from .errors import RunFailed

Variable = Union[str, int]


class Simulation:
    """Made by Scenario.start().

        sim = cosimo.load("crane.yaml").start()
        sim.advance(0.1)                 # ends exactly there
        sim["motor"] = 3.2               # an input, a coordinate or its rate
        x = sim["load.x"]
        state = sim.save()               # bytes
        sim.advance(0.2)
        sim.restore(state)               # at 0.1 again, to the bit

    Names are in `variables`; sim.index(name) is a number that is faster.
    """

    def __init__(self, core: "_core.Simulation", name: str, blame: elements.Blame):
        self._core, self._name, self._blame = core, name, blame
        self._advance = core.advance
        self._variables: Optional[List[str]] = None

    def advance(self, until: float) -> None:
        """Goes on to this instant, not beyond `end`. Raises RunFailed when it does not get there: then there is only
        restore(). Ctrl-C ends at the next macro point."""
        if not self._advance(until) or elements.raised:
            self._judge()

    def _judge(self) -> None:
        cause = self._blame.error()
        if cause is None and not self._core.reason():
            return  # the element of another simulation has raised something
        reason = f"an element of Python raised {type(cause).__name__}: {cause}" if cause else self._core.reason()
        raise RunFailed(f"the simulation failed at t = {self._core.time():.6g}: {reason}",
                        time=self._core.time()) from cause

    @property
    def time(self) -> float:
        """The last accepted point."""
        return self._core.time()

    @property
    def end(self) -> float:
        """simulate.end; infinite with open_end."""
        return self._core.end()

    @property
    def variables(self) -> List[str]:
        """Everything that has a value: coordinates, rates, tables, outputs and inputs."""
        if self._variables is None:
            self._variables = self._core.variables()
        return list(self._variables)

    def index(self, name: str) -> int:
        """The place of a name in `variables`."""
        return self._core.index(name)

    def is_input(self, variable: Variable) -> bool:
        return self._core.is_input(variable if isinstance(variable, int) else self._core.index(variable))

    def __getitem__(self, variable: Variable) -> float:
        return self._core.get(variable)

    def __setitem__(self, variable: Variable, value: float) -> None:
        self._core.set(variable, value)

    def set_course(self, name: str, derivatives: Sequence[float]) -> None:
        """Of an input: its value now and its derivatives in time, which say how it goes on."""
        self._core.set_course(name, list(derivatives))

    def values(self) -> np.ndarray:
        """All variables, in the order of `variables`."""
        return self._core.values()

    def save(self) -> bytes:
        """The whole state, to go back to as often as you like; another simulation of the same scenario takes it."""
        return self._core.save()

    def restore(self, state: bytes) -> None:
        """After it, everything is as it was, to the bit."""
        self._core.restore(state)

    def report(self) -> Dict[str, Any]:
        """Ends the simulation: files are complete, and nothing else can be asked for. What summary.json says."""
        return json.loads(self._core.report().json())

    def __repr__(self) -> str:
        return f"<Simulation of {self._name} at t = {self.time:.6g} of {self.end:.6g}>"
