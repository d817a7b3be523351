"""The program of the command line, for what runs beside the interpreter."""
from __future__ import annotations

import os
import shutil
import signal
import subprocess
from typing import List

from .errors import Error, Interrupted, wrong


def program() -> str:
    """The program of the command line: COSIMO_PROGRAM, that of this build or installation, or the first on PATH."""
    own = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("COSIMO_PROGRAM", ""),
              os.path.join(own, "..", "..", "bin", "cosimo"),  # a build
              os.path.join(own, "..", "..", "..", "..", "bin", "cosimo")]  # below a prefix
    for place in places:
        if place and os.access(place, os.X_OK):
            return os.path.normpath(place)
    found = shutil.which("cosimo")
    if found is None:
        raise wrong("the program cosimo is not there", "build or install it, or set COSIMO_PROGRAM")
    return found


def call(words: List[str], ended: str) -> "subprocess.CompletedProcess[str]":
    """Runs it to its end. Ctrl-C reaches the program as well, in a terminal; from elsewhere it is told. It ends in
    order, and Interrupted says what was `ended`. Exit code 2 is an Error."""
    with subprocess.Popen([program(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            out, problems = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGTERM)
            process.communicate()
            raise Interrupted(ended) from None
    if process.returncode == 2:
        raise Error([("", 0, 0, "", "", problems.strip().removeprefix("cosimo: ").removeprefix("error: "), "")])
    return subprocess.CompletedProcess(words, process.returncode, out, problems)
