"""Waiting for a task of the library: progress is shown, and Ctrl-C ends it in order.

The first Ctrl-C asks the task to end at its next macro point and waits for that. A second one goes back at once;
the task then ends by itself, and the interpreter waits for it when it exits.
"""
from __future__ import annotations

import atexit
import html
import shutil
import sys
import time
import warnings
from typing import Any, Callable, List, NamedTuple, Optional, Union

from . import _core

_TICK = 0.05  # seconds between two looks at signals
_FIRST = 0.5  # seconds before a bar appears: what is over by then needs none


class Progress(NamedTuple):
    """How far something is. `share` is from 0 to 1."""

    share: float
    text: str


class RunNote(UserWarning):
    """Something that the user of a run should know."""


Listener = Union[None, bool, Callable[[Progress], Any]]

_unfinished: List[Any] = []  # of daemon threads, and those that nobody waits for any more


@atexit.register
def _wait_for_all() -> None:
    """The library must not be at work when the process takes its memory down."""
    for task in list(_unfinished):
        task.interrupt()
    for task in list(_unfinished):
        while not task.wait(10):
            pass
    _core.close_interpreter()


class _Terminal:
    def show(self, progress: Progress) -> None:
        width = max(20, shutil.get_terminal_size().columns - 1)
        done = round(20 * min(1.0, progress.share))
        line = f"{'━' * done}{'─' * (20 - done)} {progress.text}"
        sys.stderr.write("\r" + line[:width] + "\033[K")
        sys.stderr.flush()

    def end(self) -> None:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


class _Notebook:
    def __init__(self) -> None:
        self._place: Optional[Any] = None

    def show(self, progress: Progress) -> None:
        from IPython.display import HTML, display

        shown = HTML(f'<progress value="{progress.share:.4f}" max="1" style="width:16em"></progress> '
                     f"<code>{html.escape(progress.text)}</code>")
        if self._place is None:
            self._place = display(shown, display_id=True)
        else:
            self._place.update(shown)

    def end(self) -> None:
        if self._place is not None:
            from IPython.display import HTML

            self._place.update(HTML(""))


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell else None
    return shell is not None and shell.has_trait("kernel") and shell.kernel is not None


def _bar(wanted: Listener) -> Any:
    if wanted is False:
        return None
    if _in_notebook():
        return _Notebook()
    return _Terminal() if wanted or (sys.stderr is not None and sys.stderr.isatty()) else None


class _Watch:
    """Shows what a task tells: a bar where somebody looks, or a function of the user."""

    def __init__(self, listener: Listener) -> None:
        self._call = listener if callable(listener) else None
        self._bar = None if self._call else _bar(listener)
        self._shown = False
        self._begin = time.monotonic()

    def look(self, task: Any) -> None:
        news = task.news()
        if news is None:
            return
        progress = Progress(*news)
        if self._call:
            self._call(progress)
        elif self._bar and (self._shown or time.monotonic() - self._begin > _FIRST):
            self._bar.show(progress)
            self._shown = True

    def end(self) -> None:
        if self._shown:
            self._bar.end()


def conduct(task: Any, listener: Listener, hopeless: Callable[[], bool] = lambda: False) -> Optional[BaseException]:
    """Waits until the task has ended, or asks it to end when it is hopeless. Returns what made it end early: a
    KeyboardInterrupt, or what the listener raised. Raises what the task raised."""
    watch = _Watch(listener)
    reason: Optional[BaseException] = None
    _unfinished.append(task)
    try:
        while not task.wait(_TICK):
            watch.look(task)
            if hopeless():
                task.interrupt()
    except BaseException as raised:  # pylint: disable=broad-except
        reason = raised
        _end(task)
    finally:
        watch.end()
    _unfinished.remove(task)
    task.finish()
    for note in task.notes():
        warnings.warn(note, RunNote, stacklevel=3)
    return reason


def _end(task: Any) -> None:
    """A second Ctrl-C comes out of here, and leaves the task among the unfinished."""
    task.interrupt()
    while not task.wait(_TICK):
        pass
