"""Scenarios made in Python."""
import re
import time
import unittest

import numpy as np

import cosimo
from models import example


def pendulum():
    m = cosimo.Model()
    m.set("model.gravity", [0, -9.81, 0])
    m.body("arm", kind="planar", mass=1, inertia=0.1, position=[0.5, 0])
    m.joint("pin", kind="revolute", to="arm", at=[0, 0])
    m.simulate(end=1, output=0.1)
    return m


def chain_of_points(n):
    m = cosimo.Model()
    names = [f"m{i}" for i in range(n)]
    x = np.linspace(0.1, 0.1 * n, n)
    m.bodies(names, kind="point", mass=np.full(n, 0.1), position=np.stack([x, 0 * x, 0 * x], axis=1))
    m.element("wall", kind="spring", to="m0", c=1e3, d=1, length=0.1)
    m.elements([f"s{i}" for i in range(1, n)], kind="spring", from_=np.array(names[:-1]), to=np.array(names[1:]),
               c=np.linspace(1e3, 2e3, n - 1), d=1.0, length=0.09)
    m.simulate(end=0.2, output=0.01)
    return m


class Writing(unittest.TestCase):
    def same_bits(self, model):
        with open("written.yaml", "w", encoding="utf-8") as file:
            file.write(model.to_yaml())
        a, b = model.run(), cosimo.load("written.yaml").run()
        self.assertEqual(a.names, b.names)
        for name in a:
            self.assertEqual(a[name].tobytes(), b[name].tobytes(), name)
        return a

    def test_the_file_gives_the_same_bits(self):
        r = self.same_bits(pendulum())
        self.assertAlmostEqual(float(np.hypot(r["arm.x"], r["arm.y"])[-1]), 0.5, places=6)
        r = self.same_bits(chain_of_points(30))
        self.assertGreater(float(np.ptp(r["m29.x"])), 1e-3)
        self.assertEqual(chain_of_points(3).save("saved.yaml"), "saved.yaml")
        self.assertEqual(open("saved.yaml", encoding="utf-8").read(), chain_of_points(3).to_yaml())

    def test_it_is_the_run_of_a_file_written_by_hand(self):
        m = cosimo.Model()
        m.set("model.gravity", [0, -9.81])
        m.body("cart", kind="planar", mass=1, inertia=0.1)
        m.body("pole", kind="planar", mass=0.2, inertia=0.0167, position=[0, 0.5])
        m.joint("rail", kind="prismatic", to="cart", at=[0, 0], axis=[1, 0])
        m.joint("hinge", kind="revolute", from_="cart", to="pole", at=[0, 0])
        m.subsystem("place", pid={"kp": -0.06, "kd": -0.1, "filter": 0.1, "reference": "if(t < 2, 0.25*t, 0.5)"})
        m.subsystem("balance", pid={"kp": 60, "kd": 10, "filter": 0.02})
        m.connect("cart.x", "place.measured").connect("place.out", "balance.reference")
        m.connect("pole.phi", "balance.measured").connect("balance.out", "cart.Fx")
        m.simulate(end=10, output=0.02).control(rtol=1e-4)
        a, b = m.run(), cosimo.load(example("balanced_pole.yaml")).run()
        for name in b:
            self.assertEqual(a[name].tobytes(), b[name].tobytes(), name)

    def test_generators_loads_and_sections(self):
        m = cosimo.Model()
        m.generate("chain", masses=20, mass=1, spring={"c": 1e4, "d": 1}, initial={"x": {"uniform": [-1e-3, 1e-3]}},
                   seed=3)
        m.load("harmonic", bodies=[1, 2], amplitude=10, omega=3)
        m.simulate(end=0.1, output=0.01).partition(parts=2).couple(scheme="implicit").control(rtol=1e-4)
        m.solve(rtol=1e-7).set("run.threads", 1)
        r = self.same_bits(m)
        self.assertEqual(r.summary["parts"], 2)
        self.assertTrue(m.partition("none").run().ok)
        self.assertIn("partition: none", m.to_yaml())

    def test_all_digits_of_all_numbers(self):
        values = np.array([0.1, 1 / 3, 1e-300, 5e300, 1e22, 123456789.123456789, 1e-5, 7.0])
        m = cosimo.Model()
        m.bodies([f"b{i}" for i in range(8)], kind="point", mass=1, position=np.stack([values] * 3, axis=1))
        numbers = re.findall(r"position: \[([^,]*),", m.to_yaml())
        self.assertEqual([float(number) for number in numbers], values.tolist())
        one = cosimo.Model().body("b", kind="point", mass=np.float32(0.5), position=(1, np.int64(2), 3.0))
        self.assertIn("{name: b, kind: point, mass: 0.5, position: [1, 2, 3.0]}", one.to_yaml())

    def test_text_is_quoted_where_yaml_needs_it(self):
        m = cosimo.Model().body("yes", kind="point", mass=1)
        m.body("on the left", kind="point", mass="2 kg", position=["10 mm", 0, 0]).units("SI")
        m.body("a: b", kind="point", mass=1)
        text = m.to_yaml()
        for part in ('name: "yes"', "name: on the left", 'name: "a: b"', 'mass: "2 kg"'):
            self.assertIn(part, text)

    def test_ten_thousand_bodies_are_quick(self):
        n = 10_000
        begin = time.perf_counter()
        text = chain_of_points(n).to_yaml()
        self.assertLess(time.perf_counter() - begin, 2)  # bench/python.py has the number
        self.assertEqual(text.count("kind: point"), n)


class Faults(unittest.TestCase):
    def fault(self, work):
        with self.assertRaises(cosimo.Error) as caught:
            work()
        return caught.exception

    def test_an_entry_is_named_with_its_line_of_python(self):
        m = pendulum()
        m.body("wheel", kind="planar", mass=-2, inertia=1)  # this line
        error = self.fault(m.scenario)
        with open(__file__, encoding="utf-8") as file:
            line = [number for number, text in enumerate(file, 1) if text.rstrip().endswith("# this line")][0]
        self.assertEqual((error.file, error.line), (__file__, line))
        self.assertEqual(error.field, "bodies[1].mass")
        self.assertEqual(error.value, "-2")
        self.assertTrue(error.remedy)

    def test_of_many_entries_the_one(self):
        m = chain_of_points(50)
        masses = np.full(10, 1.0)
        masses[7] = 0
        m.bodies([f"x{i}" for i in range(10)], kind="point", mass=masses)
        error = self.fault(m.scenario)
        self.assertEqual((error.file, error.field, error.value), (__file__, "bodies[57].mass", "0.0"))

    def test_unknown_keys_and_words(self):
        error = self.fault(pendulum().body("b", kind="planar", mas=1, mass=1, inertia=1).scenario)
        self.assertIn("bodies[1]", error.field)
        self.assertIn("mass", str(error))
        error = self.fault(pendulum().control(rtl=1e-4).scenario)
        self.assertEqual(error.file, __file__)
        self.assertIn("control", error.field)
        self.assertIn("rtol", error.remedy)
        error = self.fault(pendulum().joint("other", kind="revolute", to="nobody", at=[0, 0]).scenario)
        self.assertIn("joints[1]", error.field)

    def test_what_is_found_when_the_model_is_built(self):
        m = pendulum()
        m.element("own", kind="user", function="nobody_has_it", to="arm")
        s = m.scenario()
        for work in (s.describe, s.run, s.start):
            error = self.fault(work)
            self.assertEqual(error.file, __file__)
            self.assertIn("elements[0]", error.field)
            self.assertIn("nobody_has_it", str(error))

    def test_missing_sections(self):
        m = cosimo.Model().body("b", kind="point", mass=1)
        error = self.fault(m.scenario)
        self.assertIn("simulate", str(error))
        self.assertNotIn("model:", error.file)

    def test_wrong_calls(self):
        m = cosimo.Model()
        self.assertIn("same length", str(self.fault(lambda: m.bodies(["a", "b"], mass=np.ones(3)))))
        self.assertIn("cannot be written", str(self.fault(lambda: m.body("b", mass=object()))))
        self.assertIn("generate()", str(self.fault(lambda: m.load("harmonic", bodies="all"))))
        self.assertIn("entries", str(self.fault(lambda: m.body("b").set("model.bodies", []))))

    def test_settings(self):
        s = pendulum().scenario({"simulate.end": 0.5})
        self.assertEqual(len(s.run().time), 6)
        self.assertIn("simulate.ed", str(self.fault(lambda: pendulum().scenario({"simulate.ed": 0.5}))))


if __name__ == "__main__":
    unittest.main()
