"""Force elements of your own: C functions by address, or functions of Python.

    @cosimo.element("rope", parameters=2)
    def rope(t, a, b, p):
        ...
        return force

    model.element("deck", kind="user", function="rope", to="deck", values=[1e4, 20])

A C function (numba.cfunc, ctypes, an address) runs at full speed and on all threads. A Python function is slow: every
call takes the interpreter's lock, so that no two run at once. include/cosimo/user_element.h says what the functions
are given and what they return; here are their signatures for numba: effort_signature() and others().
"""
from __future__ import annotations

import ctypes as C
import itertools
import sys
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .errors import Error, wrong

_POINTER = C.c_void_p
_PROTOTYPES = {
    "effort": C.CFUNCTYPE(C.c_int, C.c_double, _POINTER, _POINTER, _POINTER, _POINTER),
    "gradient": C.CFUNCTYPE(C.c_int, C.c_double, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "potential": C.CFUNCTYPE(C.c_double, C.c_double, _POINTER, _POINTER, _POINTER),
    "begin": C.CFUNCTYPE(None, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    "remembering": C.CFUNCTYPE(C.c_int, C.c_double, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER,
                               _POINTER),
    "commit": C.CFUNCTYPE(None, C.c_double, _POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
}
Function = Union[Callable[..., Any], int, None]


class _Description(C.Structure):
    """cosimo_user_element."""

    _fields_ = [("version", C.c_int), ("parameter_count", C.c_int), ("effort", _POINTER), ("gradient", _POINTER),
                ("potential", _POINTER), ("state_count", C.c_int), ("memory_count", C.c_int), ("begin", _POINTER),
                ("remembering", _POINTER), ("commit", _POINTER), ("nominals", _POINTER)]


assert C.sizeof(_Description) == _core.user_element_size


class SlowElement(UserWarning):
    """An element is a function of Python."""


class Frame:
    """A marker: position, rotation (its columns are the marker's axes), velocity and angular_velocity along the global
    axes. NumPy views, valid during the call alone."""

    __slots__ = ("_all",)

    def __init__(self, numbers: np.ndarray):
        self._all = numbers

    @property
    def position(self) -> np.ndarray:
        return self._all[0:3]

    @property
    def rotation(self) -> np.ndarray:
        return self._all[3:12].reshape(3, 3)

    @property
    def velocity(self) -> np.ndarray:
        return self._all[12:15]

    @property
    def angular_velocity(self) -> np.ndarray:
        return self._all[15:18]


def _numbers(address: Optional[int], count: int) -> np.ndarray:
    if not address or count == 0:
        return np.empty(0)
    return np.frombuffer((C.c_double * count).from_address(address))


def _frame(address: int) -> Frame:
    return Frame(_numbers(address, 18))


# --- what Python functions raised; runs ask when they have ended

raised: List[Tuple[int, str, BaseException]] = []
_count = itertools.count(1)
_MOST = 100  # kept until somebody asks


class Blame:
    """What functions of Python raise during one piece of work with a scenario; as a context, errors of the work get it
    as their cause."""

    def __init__(self, scenario: Any):
        self._scenario, self._since = scenario, next(_count)

    def raised(self) -> bool:
        """Whether an element of this scenario has raised something since."""
        return bool(self._own())

    def error(self) -> Optional[BaseException]:
        """The first of them. They are forgotten then."""
        own = self._own()
        for each in own:
            raised.remove(each)
        return own[0][2] if own else None

    def _own(self) -> List[Tuple[int, str, BaseException]]:
        recent = [each for each in raised if each[0] > self._since]
        if not recent:
            return []
        text = self._scenario.text
        return [each for each in recent if each[1] in text]

    def __enter__(self) -> "Blame":
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, Error):
            cause = self.error()
            if cause is not None:
                raise error from cause


def _keep(name: str, error: BaseException) -> None:
    if len(raised) < _MOST:
        raised.append((next(_count), name, error))


# --- Python functions as C functions


def _efforts(result: Any, a: Frame, b: Frame, out: np.ndarray) -> bool:
    """Nine numbers, or a force whose torque on `from` balances it; None: there is no effort in this state."""
    if result is None:
        return False
    effort = np.asarray(result, dtype=float).reshape(-1)
    if len(effort) == 9:
        out[:] = effort
    elif len(effort) == 3:
        out[:3] = effort
        out[3:6] = np.cross(b.position - a.position, effort)
        out[6:9] = 0.0
    else:
        raise ValueError(f"an effort is a force (3 numbers) or force and torques (9), not {len(effort)} numbers")
    return True


class _Made:
    """The C functions of one element, made of what the user gave."""

    def __init__(self, name: str, parameters: int, states: int, memory: int):
        self.name, self.states, self.memory = name, states, memory
        self._parameters = max(parameters, 0)
        self.kept: List[Any] = []  # as long as the element lives
        self.slow = False

    def address(self, slot: str, function: Function) -> Optional[int]:
        if function is None:
            return None
        if isinstance(function, int):
            self.kept.append(function)
            return function
        self.kept.append(function)
        if hasattr(function, "address"):  # numba.cfunc
            return function.address
        if isinstance(function, C._CFuncPtr):  # pylint: disable=protected-access
            return C.cast(function, _POINTER).value
        if not callable(function):
            raise wrong("that is no function", "give a Python function, numba.cfunc, ctypes function or address",
                        field=slot, value=repr(function))
        self.slow = True
        made = _PROTOTYPES[slot](getattr(self, "_" + slot)(function))
        self.kept.append(made)
        return C.cast(made, _POINTER).value

    def _values(self, address: int) -> np.ndarray:
        return _numbers(address, self._parameters)

    def _guarded(self, work: Callable[..., Any], failed: Any) -> Callable[..., Any]:
        """Nothing may leave a callback of C: it is kept for whoever started the run."""

        def call(*arguments: Any) -> Any:
            try:
                return work(*arguments)
            except BaseException as error:  # pylint: disable=broad-except
                _keep(self.name, error)
                return failed

        return call

    def _effort(self, function: Callable[..., Any]) -> Callable[..., int]:
        def work(t: float, from_: int, to: int, parameters: int, out: int) -> int:
            a, b = _frame(from_), _frame(to)
            return 0 if _efforts(function(t, a, b, self._values(parameters)), a, b, _numbers(out, 9)) else 1

        return self._guarded(work, 1)

    def _gradient(self, function: Callable[..., Any]) -> Callable[..., int]:
        def work(t: float, from_: int, to: int, parameters: int, by_from: int, by_to: int) -> int:
            result = function(t, _frame(from_), _frame(to), self._values(parameters))
            if result is None:
                return 1
            for place, each in zip((by_from, by_to), result):
                _numbers(place, 108)[:] = np.asarray(each, dtype=float).reshape(108)
            return 0

        return self._guarded(work, 1)

    def _potential(self, function: Callable[..., Any]) -> Callable[..., float]:
        def work(t: float, from_: int, to: int, parameters: int) -> float:
            return float(function(t, _frame(from_), _frame(to), self._values(parameters)))

        return self._guarded(work, float("nan"))

    def _begin(self, function: Callable[..., Any]) -> Callable[..., None]:
        def work(from_: int, to: int, parameters: int, z: int, s: int) -> None:
            states, memory = function(_frame(from_), _frame(to), self._values(parameters))
            _numbers(z, self.states)[:] = states
            _numbers(s, self.memory)[:] = memory

        return self._guarded(work, None)

    def _remembering(self, function: Callable[..., Any]) -> Callable[..., int]:
        def work(t: float, from_: int, to: int, parameters: int, z: int, s: int, out: int, rates: int) -> int:
            a, b = _frame(from_), _frame(to)
            result = function(t, a, b, self._values(parameters), _numbers(z, self.states), _numbers(s, self.memory))
            if result is None:
                return 1
            effort, z_rate = result
            _numbers(rates, self.states)[:] = z_rate
            return 0 if _efforts(effort, a, b, _numbers(out, 9)) else 1

        return self._guarded(work, 1)

    def _commit(self, function: Callable[..., Any]) -> Callable[..., None]:
        def work(t: float, from_: int, to: int, parameters: int, z: int, s: int) -> None:
            memory = _numbers(s, self.memory)
            memory[:] = function(t, _frame(from_), _frame(to), self._values(parameters), _numbers(z, self.states),
                                 memory.copy())

        return self._guarded(work, None)


def element(name: str, effort: Function = None, *, parameters: int = 0, gradient: Function = None,
            potential: Function = None, states: int = 0, memory: int = 0, begin: Function = None,
            remembering: Function = None, commit: Function = None, nominals: Sequence[float] = ()) -> Any:
    """Gives this process a force element that scenarios name: {kind: user, function: NAME, values: [...]}.

    Each function is a numba.cfunc, a function of ctypes or an address, for C; or a function of Python:

        effort(t, a, b, p)                   the force on `from` along the global axes (3 numbers; the torque on `from`
                                             balances it), or force, torque on `from`, torque on `to` (9); None: there
                                             is none in this state, try a shorter step
        gradient(t, a, b, p)                 two arrays of 9 x 12, or None
        potential(t, a, b, p)                energy
        begin(a, b, p)                       z and s at the start
        remembering(t, a, b, p, z, s)        effort and the rates of z, in the place of effort
        commit(t, a, b, p, z, s)             the next s

    t is the time, a and b are Frames of the markers on `from` and `to`, p the values. With -1 parameters any number is
    accepted, which C functions alone can make use of. What a function raises ends the run, as RunFailed with the
    exception as its cause. Without `effort` and `remembering` this is a decorator of the effort. An element of the same
    name is replaced for models that are built from now on.
    """
    if effort is None and remembering is None:
        def decorate(function: Any) -> Any:
            element(name, function, parameters=parameters, gradient=gradient, potential=potential, states=states,
                    memory=memory, begin=begin, commit=commit, nominals=nominals)
            return function

        return decorate
    made = _Made(name, parameters, states, memory)
    description = _Description(version=_core.user_element_version, parameter_count=parameters, state_count=states,
                               memory_count=memory)
    given: Dict[str, Function] = {"effort": effort, "gradient": gradient, "potential": potential, "begin": begin,
                                  "remembering": remembering, "commit": commit}
    for slot, function in given.items():
        setattr(description, slot, made.address(slot, function))
    if nominals:
        kept = (C.c_double * len(nominals))(*nominals)
        made.kept.append(kept)
        description.nominals = C.addressof(kept)
    if made.slow:
        if parameters < 0:
            raise wrong("a Python function is not told how many values there are", "give their number",
                        field="parameters", value=parameters)
        warnings.warn(f"element '{name}' is a function of Python: it takes the interpreter's lock, so one call runs at "
                      "a time; numba.cfunc makes it as fast as C", SlowElement, stacklevel=_caller())
    _core.provide_element(name, C.addressof(description), made.kept)
    return effort


def _caller() -> int:
    """The first level outside of this file."""
    level, frame = 1, sys._getframe(1)  # pylint: disable=protected-access
    while frame is not None and frame.f_code.co_filename == __file__:
        frame, level = frame.f_back, level + 1
    return level


def withdraw(name: str) -> None:
    """Models that are built from now on do not find this element."""
    _core.withdraw_element(name)


def signature(slot: str = "effort") -> Any:
    """The signature of a function for numba.cfunc: frames are pointers to 18 numbers (position, rotation by rows,
    velocity, angular velocity)."""
    from numba import types

    kinds = {C.c_int: types.int32, C.c_double: types.float64, None: types.void, _POINTER: types.CPointer(types.float64)}
    of = _PROTOTYPES[slot]
    return kinds[of._restype_](*[kinds[each] for each in of._argtypes_])  # pylint: disable=protected-access
