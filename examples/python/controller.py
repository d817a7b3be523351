#!/usr/bin/env python3
"""A pole on a cart, balanced by a controller that is written in Python.

    ./cosimo python examples/python/controller.py

The model is made here as well. Its input `push` is a force on the cart; every 10 ms the controller looks at the state
and sets it, as a controller on a computer would. Halfway somebody pushes the pole.
"""
import cosimo

m = cosimo.Model()
m.set("model.gravity", [0, -9.81])
m.body("cart", kind="planar", mass=1, inertia=0.1)
m.body("pole", kind="planar", mass=0.2, inertia=0.0167, position=[0, 0.5])
m.joint("rail", kind="prismatic", to="cart", at=[0, 0], axis=[1, 0])
m.joint("hinge", kind="revolute", from_="cart", to="pole", at=[0, 0])
m.subsystem("push", input={"start": 0})
m.subsystem("shove", input={"start": 0})
m.connect("push.out", "cart.Fx").connect("shove.out", "pole.Fx")
m.simulate(end=10, output=0.01)

sim = m.start()
x, v, phi, omega = (sim.index(name) for name in ("cart.x", "der(cart.x)", "pole.phi", "der(pole.phi)"))
push, shove = sim.index("push"), sim.index("shove")
print("   t       cart       pole     force")
for step in range(1, 1001):
    wanted = 0.06 * (sim[x] - 0.5 * (sim.time > 1)) + 0.1 * sim[v]  # the tilt that brings the cart to its place
    sim[push] = -(60 * (sim[phi] - wanted) + 12 * sim[omega])
    sim[shove] = 1.0 if 500 <= step < 510 else 0.0
    sim.advance(0.01 * step)
    if step % 100 == 0:
        print(f"{sim.time:6.2f} {sim[x]:10.4f} {sim[phi]:10.4f} {sim[push]:9.3f}")
print(f"at the end the pole leans by {sim[phi]:.4f} rad")
