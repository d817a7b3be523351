"""What a plan says."""
from __future__ import annotations

import json
import os
from typing import Any, Dict

from ._display import preformatted


class Plan:
    """A proposal from Scenario.plan(). str() is the whole table; `data` is what plan.json holds."""

    def __init__(self, data: str, text: str, scenario: str):
        self.data: Dict[str, Any] = json.loads(data)
        self._text = text
        #: text of the scenario with the proposal
        self.scenario = scenario

    @property
    def recommendation(self) -> str:
        """One sentence."""
        return self.data["recommendation"]

    def write(self, file: Any) -> str:
        """Writes the proposed scenario, unless there is such a file, and returns its name."""
        with open(file, "x", encoding="utf-8") as out:
            out.write(self.scenario)
        return os.fspath(file)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Plan: {self.recommendation}>"

    def _repr_html_(self) -> str:
        return preformatted(self._text)
