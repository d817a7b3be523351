"""Scenarios made in Python.

    m = cosimo.Model()
    m.set("model.gravity", [0, 0, -9.81])
    m.body("mass", kind="point", mass=20, position=[0, 0, 0.5])
    m.element("spring", kind="spring", to="mass", c=2e4, d=300)
    m.simulate(end=2, output=5e-3)
    r = m.scenario().run()

Keys are those of scenario files (docs/scenario.md) and pass through as they are: the reader of files judges them, and
an error names the line of Python that gave the entry. `from` is a word of Python: write from_. to_yaml() is the file
that gives the same bits.
"""
from __future__ import annotations

import os
import re
import sys
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _core
from ._text import Settings, flow, settings_of, text_of
from .errors import Error, wrong
from .scenario import Scenario

_SECTIONS = ("cosimo", "units", "model", "subsystems", "connections", "simulate", "partition", "couple", "control",
             "solve", "run", "export")  # in this order in the file; others follow


class _Place(NamedTuple):
    """Where in Python something was said."""

    file: str
    line: int


class _Block(NamedTuple):
    """Entries of a list that were given by one line of Python."""

    place: _Place
    lines: List[str]


def _here() -> _Place:
    """The line of the user's code."""
    frame = sys._getframe(1)  # pylint: disable=protected-access
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return _Place(frame.f_code.co_filename, frame.f_lineno)


def _key(name: str) -> str:
    return name[:-1] if name.endswith("_") else name


def _column(values: np.ndarray) -> List[str]:
    """One text per entry of an array, whose first axis are the entries."""
    plain = values.tolist()
    if values.ndim == 1 and values.dtype.kind in "fiu":
        return list(map(repr, plain))
    if values.ndim == 2 and values.dtype.kind in "fiu":
        return ["[" + ", ".join(map(repr, row)) + "]" for row in plain]
    if values.ndim == 1 and values.dtype.kind == "U":
        return list(map(text_of, plain))
    return list(map(flow, plain))


class Model:
    """A scenario that grows. Lists get entries by body(), joint(), element(), ...; many at once by bodies(), joints(),
    elements(); sections by simulate(), partition(), ...; and whatever else by set()."""

    def __init__(self) -> None:
        self._tree: Dict[str, Any] = {"cosimo": 1}
        self._said: Dict[str, _Place] = {}  # where keys of sections come from
        self._lists: Dict[str, List[_Block]] = {}
        self._counts: Dict[str, int] = {}

    # --- entries of lists

    def body(self, name: str, **keys: Any) -> "Model":
        return self.add("model.bodies", name=name, **keys)

    def joint(self, name: str, **keys: Any) -> "Model":
        return self.add("model.joints", name=name, **keys)

    def element(self, name: str, **keys: Any) -> "Model":
        return self.add("model.elements", name=name, **keys)

    def rope(self, name: str, **keys: Any) -> "Model":
        return self.add("model.ropes", name=name, **keys)

    def sensor(self, name: str, **keys: Any) -> "Model":
        return self.add("model.sensors", name=name, **keys)

    def contact(self, name: str, **keys: Any) -> "Model":
        return self.add("model.contacts", name=name, **keys)

    def curve(self, name: str, **keys: Any) -> "Model":
        return self.add("model.curves", name=name, **keys)

    def submodel(self, use: str, **keys: Any) -> "Model":
        return self.add("model.submodels", use=use, **keys)

    def subsystem(self, name: str, **keys: Any) -> "Model":
        """A controller, an input, an FMU: subsystem("pid", pid={"kp": 2})."""
        return self.add("subsystems", name=name, **keys)

    def connect(self, from_: str, to: str, **keys: Any) -> "Model":
        """A signal: connect("pid.out", "cart.Fx")."""
        return self.add("connections", from_=from_, to=to, **keys)

    def add(self, where: str, **keys: Any) -> "Model":
        """An entry of any list: add("model.ground", name="floor", ...)."""
        text = ", ".join([f"{_key(name)}: {flow(value)}" for name, value in keys.items()])
        return self._append(where, ["{" + text + "}"])

    # --- many entries at once

    def bodies(self, names: Sequence[str], **keys: Any) -> "Model":
        """Many bodies: what is a NumPy array has one value per body (its first axis), everything else is the same for
        all: bodies([f"m{i}" for i in range(n)], kind="point", mass=0.1, position=places)."""
        return self.extend("model.bodies", name=np.asarray(names), **keys)

    def joints(self, names: Sequence[str], **keys: Any) -> "Model":
        return self.extend("model.joints", name=np.asarray(names), **keys)

    def elements(self, names: Sequence[str], **keys: Any) -> "Model":
        """elements(names, kind="spring", from_=np.array(...), to=np.array(...), c=1e4)."""
        return self.extend("model.elements", name=np.asarray(names), **keys)

    def extend(self, where: str, **keys: Any) -> "Model":
        """Many entries of any list, as bodies()."""
        arrays = {key: value for key, value in keys.items() if isinstance(value, np.ndarray) and value.ndim > 0}
        sizes = {len(value) for value in arrays.values()}
        if len(sizes) != 1:
            raise wrong("arrays have one value per entry",
                        "make all of the same length" if sizes else "give at least one array",
                        field=where, value=", ".join(f"{key}: {len(value)}" for key, value in arrays.items()))
        pieces, columns = [], []
        for name, value in keys.items():
            if name in arrays:
                pieces.append(f"{_key(name)}: %s")
                columns.append(_column(value))
            else:
                pieces.append(f"{_key(name)}: {flow(value)}".replace("%", "%%"))
        pattern = "{" + ", ".join(pieces) + "}"
        return self._append(where, [pattern % row for row in zip(*columns)])

    def _append(self, where: str, lines: List[str]) -> "Model":
        self._lists.setdefault(where, []).append(_Block(_here(), lines))
        self._counts[where] = self._counts.get(where, 0) + len(lines)
        return self

    def count(self, where: str = "model.bodies") -> int:
        """Entries that a list has so far."""
        return self._counts.get(where, 0)

    # --- sections

    def generate(self, kind: str, **keys: Any) -> "Model":
        """A model that a generator makes: generate("lattice", size=[20, 20], mass=1, spring={"c": 1e4})."""
        return self._section(f"model.{kind}", keys)

    def load(self, kind: str, **keys: Any) -> "Model":
        """A load on the generator's bodies: load("harmonic", bodies=[3], amplitude=10, omega=2)."""
        generators = [key for key in self._tree.get("model", {}) if isinstance(self._tree["model"][key], dict)]
        if len(generators) != 1:
            raise wrong("loads belong to a generator", "call generate() first; between bodies use element()",
                        field="load", value=kind)
        return self.add(f"model.{generators[0]}.loads", **{kind: {_key(key): value for key, value in keys.items()}})

    def parameters(self, **values: Any) -> "Model":
        """Numbers with names, for formulas and for settings: {"model.parameters.k": 2e4}."""
        return self._section("model.parameters", values)

    def simulate(self, **keys: Any) -> "Model":
        return self._section("simulate", keys)

    def partition(self, *whole: str, **keys: Any) -> "Model":
        """partition(parts=4), or partition("none")."""
        if whole:
            return self.set("partition", whole[0])
        return self._section("partition", keys)

    def couple(self, **keys: Any) -> "Model":
        return self._section("couple", keys)

    def control(self, **keys: Any) -> "Model":
        return self._section("control", keys)

    def solve(self, **keys: Any) -> "Model":
        return self._section("solve", keys)

    def units(self, *si: str, **keys: Any) -> "Model":
        """units("SI"), or units(length="mm", mass="t", time="s")."""
        if si:
            return self.set("units", si[0])
        return self._section("units", keys)

    def set(self, key: str, value: Any) -> "Model":
        """Any key by its path: set("model.gravity", [0, 0, -9.81]). Lists that grow by body() and so on are none."""
        place = _here()
        if key in self._lists:
            raise wrong("it is a list that has entries already", "add entries instead", field=key)
        tree = self._tree
        *sections, last = key.split(".")
        for depth, section in enumerate(sections):
            tree = tree.setdefault(section, {})
            if not isinstance(tree, dict):
                raise wrong("it has a value, not keys", field=".".join(sections[: depth + 1]), value=tree)
        if isinstance(value, Mapping):
            tree[last] = {}
            for name, each in value.items():
                self.set(f"{key}.{name}", each)
        else:
            tree[last] = value
        self._said[key] = place
        return self

    def _section(self, section: str, keys: Mapping[str, Any]) -> "Model":
        for name, value in keys.items():
            self.set(f"{section}.{_key(name)}", value)
        return self

    # --- text

    def to_yaml(self) -> str:
        """The scenario file: cosimo.load() of it gives the same bits."""
        return self._write()[0]

    def save(self, file: Any) -> str:
        """Writes the scenario file and returns its name."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.to_yaml())
        return os.fspath(file)

    def _write(self) -> Tuple[str, List[Tuple[int, _Block, str, int]]]:
        """The text; and per block of entries its first line, the block, its list, and the number of its first entry."""
        tree = _merged(self._tree, self._lists)
        order = [key for key in _SECTIONS if key in tree] + [key for key in tree if key not in _SECTIONS]
        lines: List[str] = []
        blocks: List[Tuple[int, Any, str, int]] = []
        self._lines: Dict[int, Tuple[_Place, str]] = {}
        for key in order:
            self._emit(tree[key], key, key, 0, lines, blocks)
        return "\n".join(lines) + "\n", blocks

    def _emit(self, value: Any, key: str, path: str, depth: int, lines: List[str], blocks: List[Any]) -> None:
        indent = "  " * depth
        if isinstance(value, _Entries):
            lines.append(f"{indent}{text_of(key)}:")
            number = 0
            for block in value.blocks:
                blocks.append((len(lines) + 1, block, path, number))
                lines.extend([f"{indent}  - {line}" for line in block.lines])
                number += len(block.lines)
        elif isinstance(value, dict) and value:
            lines.append(f"{indent}{text_of(key)}:")
            for name, each in value.items():
                self._emit(each, str(name), f"{path}.{name}", depth + 1, lines, blocks)
        else:
            lines.append(f"{indent}{text_of(key)}: {flow(value)}")
            if path in self._said:
                self._lines[len(lines)] = (self._said[path], path)

    # --- what it becomes

    def scenario(self, settings: Settings = None, *, name: str = "model") -> Scenario:
        """The validated scenario. Raises Error, whose faults name the lines of Python that gave what is wrong."""
        text, blocks = self._write()
        places = _Places(name, blocks, dict(self._lines), dict(self._said))
        values = settings_of(settings)

        def make(all_values: List[str]) -> "_core.Scenario":
            return _core.Scenario.parse(text, name, all_values)

        with places:
            return Scenario(make(values), (make, values), name, places=places)

    def run(self, *arguments: Any, **options: Any) -> Any:
        """scenario().run(...)."""
        return self.scenario().run(*arguments, **options)

    def start(self, *arguments: Any, **options: Any) -> Any:
        """scenario().start(...)."""
        return self.scenario().start(*arguments, **options)

    def __repr__(self) -> str:
        lists = ", ".join(f"{count} {where.rsplit('.', 1)[-1]}" for where, count in self._counts.items())
        return f"<Model: {lists or ', '.join(self._tree.get('model', {})) or 'empty'}>"


class _Entries:
    def __init__(self, blocks: List[_Block]):
        self.blocks = blocks


def _merged(tree: Mapping[str, Any], lists: Mapping[str, List[_Block]]) -> Dict[str, Any]:
    """The tree with its lists in their places."""
    def copied(value: Any) -> Any:
        return {key: copied(each) for key, each in value.items()} if isinstance(value, dict) else value

    merged = copied(tree)
    for where, blocks in lists.items():
        *sections, last = where.split(".")
        at = merged
        for section in sections:
            at = at.setdefault(section, {})
        at[last] = _Entries(blocks)
    return merged


class _Places:
    """A context in which errors about the text become errors about the lines of Python that it was made by."""

    def __init__(self, name: str, blocks: List[Any], lines: Dict[int, Tuple[_Place, str]], said: Dict[str, _Place]):
        self._name, self._blocks, self._lines, self._said = name, blocks, lines, said

    def __enter__(self) -> "_Places":
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, Error):
            raise Error([self._moved(fault) for fault in error.faults]) from None

    def _moved(self, fault: Any) -> Any:
        if fault.file not in ("", self._name):
            return fault
        found = self._entry(fault) or self._key_of(fault)
        if found is None:
            return fault._replace(file="", line=0, column=0) if fault.file == self._name else fault
        place, field = found
        return fault._replace(file=place.file, line=place.line, column=0, field=field)

    def _entry(self, fault: Any) -> Optional[Tuple[_Place, str]]:
        """Of an entry of a list: by its line, else by its number."""
        for first, block, where, number in self._blocks:
            if first <= fault.line < first + len(block.lines):
                return block.place, _field(where, number + fault.line - first, fault.field)
        for _, block, where, number in self._blocks:
            found = re.match(re.escape(where) + r"\.(\d+)", fault.field)
            if found and number < int(found[1]) <= number + len(block.lines):
                return block.place, _field(where, int(found[1]) - 1, fault.field)
        return None

    def _key_of(self, fault: Any) -> Optional[Tuple[_Place, str]]:
        if fault.line in self._lines:
            return self._lines[fault.line][0], fault.field or self._lines[fault.line][1]
        key = fault.field
        while key:  # the section that it belongs to
            if key in self._said:
                return self._said[key], fault.field
            key = key.rpartition(".")[0]
        return None


def _field(where: str, index: int, field: str) -> str:
    """"bodies[17].mass" for "model.bodies.18.mass"."""
    entry = f"{where.rpartition('.')[2]}[{index}]"
    own = f"{where}.{index + 1}"
    if field == own or field.startswith(own + "."):
        return entry + field[len(own):]
    return f"{entry} ({field})" if field else entry
