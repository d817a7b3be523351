"""What is varied: keys with ranges, choices or distributions."""
from __future__ import annotations

import math
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .errors import wrong

_SHAPES = {"uniform": 2, "normal": 2, "lognormal": 2, "triangular": 3}


class Axis(NamedTuple):
    """One key. `choices`: it takes one of these; otherwise numbers from low to high."""

    key: str
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    choices: Tuple[Any, ...] = ()
    shape: str = "uniform"  # of the distribution, for what draws at random
    numbers: Tuple[float, ...] = ()  # of the distribution

    def value(self, unit: float) -> Any:
        """The value at this fraction of the way."""
        if self.choices:
            return self.choices[min(int(unit * len(self.choices)), len(self.choices) - 1)]
        if unit >= 1:
            return self.high
        if self.log:
            return self.low * (self.high / self.low) ** unit
        return self.low + (self.high - self.low) * unit


def _number(key: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise wrong("is no finite number", "write two numbers, the ends of a range", field=f"vary.{key}", value=value)
    return number


def _ranged(key: str, low: Any, high: Any, log: bool) -> Axis:
    a, b = _number(key, low), _number(key, high)
    if not a < b:
        raise wrong("the range is empty", "write its smaller end first", field=f"vary.{key}", value=f"{low} to {high}")
    if log and a <= 0:
        raise wrong("a logarithmic scale begins above 0", "begin above 0, or leave out the scale", field=f"vary.{key}",
                    value=low)
    return Axis(key, a, b, log)


def _distribution(key: str, shape: str, given: Any) -> Axis:
    numbers = tuple(_number(key, each) for each in given)
    if len(numbers) != _SHAPES[shape]:
        raise wrong(f"{shape} has {_SHAPES[shape]} numbers", "normal: [mean, deviation], lognormal: [mean, deviation], "
                    "triangular: [least, likeliest, greatest]", field=f"vary.{key}", value=list(given))
    if shape == "uniform":
        return _ranged(key, numbers[0], numbers[1], False)
    if shape == "triangular":
        if not (numbers[0] <= numbers[1] <= numbers[2] and numbers[0] < numbers[2]):
            raise wrong("its numbers do not ascend", "write least, likeliest, greatest", field=f"vary.{key}",
                        value=list(given))
        return Axis(key, numbers[0], numbers[2], False, (), shape, numbers)
    if numbers[1] <= 0 or (shape == "lognormal" and numbers[0] <= 0):
        raise wrong("must be above 0", "write mean and deviation", field=f"vary.{key}", value=list(given))
    return Axis(key, -math.inf, math.inf, False, (), shape, numbers)


def _axis(key: str, given: Any) -> Axis:
    if isinstance(given, Mapping):
        known = dict(given)
        for shape in _SHAPES:
            if shape in known and len(known) == 1:
                return _distribution(key, shape, known[shape])
        scale = known.pop("scale", "linear")
        if set(known) != {"from", "to"} or scale not in ("linear", "log"):
            raise wrong("is no range", 'write {"from": a, "to": b, "scale": "log"}, or a distribution such as '
                        '{"normal": [mean, deviation]}', field=f"vary.{key}", value=dict(given))
        return _ranged(key, known["from"], known["to"], scale == "log")
    if isinstance(given, tuple) and len(given) in (2, 3) and (len(given) == 2 or given[2] == "log"):
        return _ranged(key, given[0], given[1], len(given) == 3)
    if isinstance(given, list) and given:
        return Axis(key, choices=tuple(given))
    raise wrong("is neither a range nor choices", 'write (low, high), (low, high, "log"), or a list of choices',
                field=f"vary.{key}", value=given)


class Space:
    """All that varies, as a cube with edges of length one."""

    def __init__(self, vary: Mapping[str, Any]):
        if not isinstance(vary, Mapping) or not vary:
            raise wrong("nothing varies", 'write {"model.train.speed": (10, 30)}', field="vary", value=vary)
        self.axes: List[Axis] = [_axis(str(key), given) for key, given in vary.items()]

    def __len__(self) -> int:
        return len(self.axes)

    @property
    def keys(self) -> List[str]:
        return [axis.key for axis in self.axes]

    @property
    def has_choices(self) -> bool:
        return any(axis.choices for axis in self.axes)

    def refuse(self, what: str, *, choices: bool = True, distributions: bool = True) -> None:
        """What a method cannot do with an axis is said before anything runs."""
        for axis in self.axes:
            if choices and axis.choices:
                raise wrong(f"{what} needs numbers", "give a range", field=f"vary.{axis.key}",
                            value=list(axis.choices))
            if distributions and axis.shape != "uniform":
                raise wrong(f"{what} needs a range", "write (low, high)", field=f"vary.{axis.key}",
                            value=axis.shape)

    def at(self, unit: Sequence[float]) -> Dict[str, Any]:
        return {axis.key: axis.value(float(u)) for axis, u in zip(self.axes, unit)}


def missing(package: str, what: str) -> Optional[Exception]:
    """The error for a Debian package that is not there."""
    return wrong(f"{what} needs the package {package}, which is not installed", f"apt-get install {package}")
