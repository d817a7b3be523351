"""Scenarios that several tests use."""
import os

PROGRAM = os.environ["COSIMO_PROGRAM"]
SOURCE = os.environ["COSIMO_SOURCE"]


def example(name):
    return os.path.join(SOURCE, "examples", name)


CHAIN = """cosimo: 1
model:
  chain: {masses: 60, mass: 1, spring: {c: 1.0e4, d: 1, C: 1.0e6},
          initial: {x: {uniform: [-0.01, 0.01]}, v: {uniform: [-1, 1]}}, seed: 5}
simulate: {end: 0.4, output: 0.01}
partition: {parts: 3}
couple: {scheme: explicit}
control: {rtol: 1.0e-4}
"""

PENDULUM = """cosimo: 1
model:
  gravity: [0, -9.81, 0]
  bodies: [{name: arm, kind: planar, mass: 1, inertia: 0.1, position: [0.5, 0]}]
  joints: [{name: pin, kind: revolute, to: arm, at: [0, 0]}]
simulate: {end: 1, output: 0.1}
"""

# A mass that is pushed from outside.
DRIVEN = """cosimo: 1
model:
  bodies: [{name: cart, kind: planar, mass: 1, inertia: 1}]
subsystems: [{name: push, input: {start: 0}}]
connections: [{from: push.out, to: cart.Fx}]
simulate: {end: 2, output: 0.1}
"""

# Macro steps of a fixed size, many of them: it takes minutes.
LONG = """cosimo: 1
model:
  chain: {masses: 400, mass: 1, spring: {c: 1.0e4, d: 1}, initial: {x: {uniform: [-0.01, 0.01]}}, seed: 5}
simulate: {end: 1000, output: 1}
partition: {parts: 2}
couple: {scheme: explicit}
control: {step: 1.0e-4}
"""

# It cannot reach its end: more macro steps than allowed.
FAILING = CHAIN.replace("control: {rtol: 1.0e-4}", "control: {rtol: 1.0e-4, max_steps: 5}")
