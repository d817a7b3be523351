#!/usr/bin/env python3
"""How much damping does a car want? A soft damper lets the wheel hop, a stiff one shakes the passenger.

    ./cosimo python examples/python/damping.py

One run per damper, all in memory; the table has the motion of car and wheel.
"""
import os

import numpy as np

import cosimo

HERE = os.path.dirname(os.path.abspath(__file__))
car = cosimo.load(os.path.join(HERE, "..", "quarter_car.yaml"), {"simulate.end": 10})


def rms(x):
    return np.sqrt(np.mean((x - x.mean()) ** 2))


print("damper N s/m   car m     wheel m   acceleration m/s^2")
for damper in np.geomspace(300, 12000, 6):
    r = car.set({"model.parameters.c": damper}).run(progress=False)
    acceleration = np.gradient(r["der(car.x)"], r.time)
    print(f"{damper:10.0f} {rms(r['car.x']):9.4f} {rms(r['wheel.x']):9.4f} {rms(acceleration):9.3f}")
