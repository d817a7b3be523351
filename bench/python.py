#!/usr/bin/env python3
"""What Python costs: `./cosimo python bench/python.py`, with the program python_advance of the same build for the
comparison with C++ (`cmake --build build/release --target python_advance`). --runs N: so many runs for the leak.

    first view of 10^7 numbers     below 1 ms
    advance() above C++            at most 2 microseconds
    a model of 10^4 bodies         0.1 s
    10^4 runs in one process       no leak
"""
import gc
import os
import subprocess
import sys
import time

import numpy as np

import cosimo

HERE = os.path.dirname(os.path.abspath(__file__))


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def best(work, times=5):
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        work()
        found.append(time.perf_counter() - begin)
    return min(found)


def say(what, value, limit):
    print(f"{what:<46} {value:>12}   (limit {limit})", flush=True)


def views():
    text = """cosimo: 1
model: {chain: {masses: 5000, mass: 1, spring: {c: 1}, initial: {x: {uniform: [-1, 1]}}}}
simulate: {end: 1, output: 1.0e-3}
"""
    r = cosimo.parse(text).run(progress=False)
    numbers = len(r) * len(r.time)
    before = resident()
    begin = time.perf_counter()
    first = r["2500.x"]
    say(f"first view of {numbers:.1e} numbers", f"{1e3 * (time.perf_counter() - begin):.3f} ms", "1 ms")
    assert first.base is not None
    kept = [r[name] for name in r.names]
    sum(float(each[0]) for each in kept)
    say("memory for views of all columns", f"{(resident() - before) / 1e6:.1f} MB", f"none of {8e-6 * numbers:.0f} MB")


SMALL = """cosimo: 1
model: {chain: {masses: 1, mass: 1, spring: {c: 1}, initial: {x: 1}}}
simulate: {end: 1.0e9, output: 1.0e9}
"""


def advance(steps=100_000):
    """Processor time: other work on the machine would drown the difference."""
    def own():
        sim = cosimo.parse(SMALL).start(threads=1)
        begin = time.process_time()
        for i in range(1, steps + 1):
            sim.advance(i * 1e-3)
        return (time.process_time() - begin) / steps

    program = os.path.join(HERE, "..", "build", "release", "bench", "python_advance")
    if not os.path.exists(program):
        say("advance() in Python", f"{1e6 * min(own() for _ in range(3)):.2f} us", "python_advance is not built")
        return
    python, cpp = [], []
    for _ in range(5):  # in turns
        python.append(own())
        cpp.append(float(subprocess.run([program, str(steps)], capture_output=True, text=True, check=True).stdout))
    more = 1e6 * (min(python) - min(cpp))
    say("advance(): Python, C++, difference", f"{1e6 * min(python):.2f} {1e6 * min(cpp):.2f} {more:.2f} us", "2 us")


def model(n=10_000):
    def build():
        m = cosimo.Model()
        x = np.arange(1, n + 1) * 0.01
        m.bodies([f"m{i}" for i in range(n)], kind="point", mass=np.full(n, 1e-3),
                 position=np.stack([x, 0 * x, 0 * x], axis=1), velocity=np.stack([np.sin(x), 0 * x, 0 * x], axis=1))
        m.simulate(end=1e-3, output=1e-4)
        return m

    m = build()
    say(f"a model of {n} bodies", f"{best(build):.3f} s", "0.1 s")
    say("  its text", f"{best(m.to_yaml):.3f} s", "-")
    say("  read and validated", f"{best(m.scenario, 1):.3f} s", "-")


def leak(runs):
    s = cosimo.parse(SMALL.replace("masses: 1,", "masses: 20,").replace("1.0e9", "1.0e-2"))

    def some(count):
        for _ in range(count):
            s.run(threads=1, progress=False)
        gc.collect()

    some(500)
    before = resident()
    begin = time.perf_counter()
    some(runs)
    say(f"growth in {runs} runs", f"{(resident() - before) / 1e3:.0f} kB", "none")
    say("one run", f"{1e3 * (time.perf_counter() - begin) / runs:.2f} ms", "-")


if __name__ == "__main__":
    views()
    advance()
    model()
    leak(int(sys.argv[sys.argv.index("--runs") + 1]) if "--runs" in sys.argv else 10_000)
