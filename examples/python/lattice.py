#!/usr/bin/env python3
"""A square sheet of masses and springs, made of arrays, that is struck in its middle.

    ./cosimo python examples/python/lattice.py [SIDE]

Prints how fast the model is made, and how far the wave has come.
"""
import sys
import time

import numpy as np

import cosimo

side = int(sys.argv[1]) if len(sys.argv) > 1 else 40
pitch = 0.1
column, row = np.meshgrid(np.arange(side), np.arange(side))
place = np.stack([pitch * column.ravel(), pitch * row.ravel(), np.zeros(side * side)], axis=1)
number = np.arange(side * side).reshape(side, side)
names = np.array([f"m{i}" for i in range(side * side)])

begin = time.perf_counter()
m = cosimo.Model()
velocity = np.zeros_like(place)
velocity[number[side // 2, side // 2], 2] = 1.0  # the blow
m.bodies(names, kind="point", mass=1e-3, position=place, velocity=velocity)
pairs = np.concatenate([np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1),
                        np.stack([number[:-1, :].ravel(), number[1:, :].ravel()], axis=1)])
# Stretched springs: a sheet that is not under tension has no stiffness across.
m.elements([f"s{i}" for i in range(len(pairs))], kind="spring", from_=names[pairs[:, 0]], to=names[pairs[:, 1]], c=1e3,
           d=1e-3, length=0.9 * pitch)
edge = np.unique(np.concatenate([number[0], number[-1], number[:, 0], number[:, -1]]))
m.elements([f"e{i}" for i in range(len(edge))], kind="bushing", to=names[edge], stiffness=1e5)
m.simulate(end=5e-3, output=5e-4)
text = m.to_yaml()
print(f"{side * side} bodies, {len(pairs) + len(edge)} elements: {1e3 * (time.perf_counter() - begin):.0f} ms, "
      f"{len(text) / 1e3:.0f} kB of text")

r = m.run()
z = np.stack([r[f"{name}.z"] for name in names]).reshape(side, side, -1)
print("  t / ms   height   reach / m")
for i, t in enumerate(r.time):
    moving = np.argwhere(np.abs(z[:, :, i]) > 0.01 * np.abs(z[:, :, i]).max() + 1e-300)
    reach = pitch * np.abs(moving - side // 2).max() if len(moving) and t > 0 else 0
    print(f"{1e3 * t:8.2f} {np.abs(z[:, :, i]).max():9.2e} {reach:8.2f}")
