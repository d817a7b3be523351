"""Force elements of the user: addresses of C functions, and functions of Python."""
import ctypes
import importlib.util
import os
import shutil
import subprocess
import traceback
import unittest
import warnings

import numpy as np

import cosimo
from cosimo import elements
from models import SOURCE

C_SOURCE = """
#include "cosimo/user_element.h"
int spring(double t, const cosimo_frame* a, const cosimo_frame* b, const double* p, double effort[9]) {
  (void)t;
  for (int i = 0; i < 3; ++i) effort[i] = p[0] * (b->position[i] - a->position[i]) + p[1] * (b->velocity[i] - a->velocity[i]);
  effort[6] = effort[7] = effort[8] = 0;
  cosimo_balance(a, b, effort);
  return 0;
}
const cosimo_user_element* description(void) {
  static const cosimo_user_element d = {COSIMO_USER_ELEMENT_VERSION, 2, spring, 0, 0, 0, 0, 0, 0, 0, 0};
  return &d;
}
"""


def model(function, **keys):
    m = cosimo.Model()
    m.set("model.gravity", [0, 0, -9.81])
    m.body("mass", kind="point", mass=2, position=[0.1, 0, -0.3])
    m.element("own", kind="user", function=function, to="mass", **{"values": [200.0, 3.0], **keys})
    m.simulate(end=1, output=0.05)
    return m


def python_spring(t, a, b, p):
    return p[0] * (b.position - a.position) + p[1] * (b.velocity - a.velocity)


def quietly(*arguments, **keys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cosimo.SlowElement)
        return cosimo.element(*arguments, **keys)


class Same(unittest.TestCase):
    """All ways to say the same law give the motion of the library in C."""

    @classmethod
    def setUpClass(cls):
        compiler = shutil.which("cc")
        with open("spring.c", "w", encoding="utf-8") as file:
            file.write(C_SOURCE)
        subprocess.run([compiler, "-O2", "-ffp-contract=off", "-fPIC", "-shared", f"-I{SOURCE}/include", "spring.c", "-o",
                        "spring.so"], check=True)
        cls.library = ctypes.CDLL(os.path.abspath("spring.so"))
        cls.expected = model("description", library=os.path.abspath("spring.so")).run()

    def same(self, name):
        r = model(name).run()
        for column in ("mass.x", "mass.z", "der(mass.z)"):
            np.testing.assert_array_equal(r[column], self.expected[column])

    def test_a_function_of_ctypes(self):
        cosimo.element("by_ctypes", self.library.spring, parameters=2)
        self.same("by_ctypes")

    def test_an_address(self):
        cosimo.element("by_address", ctypes.cast(self.library.spring, ctypes.c_void_p).value, parameters=2)
        self.same("by_address")

    def test_numba(self):
        if importlib.util.find_spec("numba") is None:
            self.skipTest("numba is not installed")
        import numba

        @numba.cfunc(elements.signature())
        def spring(t, a, b, p, effort):
            for i in range(3):
                effort[i] = p[0] * (b[i] - a[i]) + p[1] * (b[12 + i] - a[12 + i])
            x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            effort[3] = y * effort[2] - z * effort[1]
            effort[4] = z * effort[0] - x * effort[2]
            effort[5] = x * effort[1] - y * effort[0]
            return 0

        cosimo.element("by_numba", spring, parameters=2)
        r = model("by_numba").run()
        np.testing.assert_allclose(r["mass.z"], self.expected["mass.z"], rtol=1e-9)

    def test_a_function_of_python_is_slow_and_told_so(self):
        with self.assertWarnsRegex(cosimo.SlowElement, "numba"):
            cosimo.element("by_python", python_spring, parameters=2)
        self.same("by_python")

    def test_on_several_threads(self):
        quietly("threaded", python_spring, parameters=2)
        m = cosimo.Model()
        for i in range(4):
            m.body(f"b{i}", kind="point", mass=1, position=[i, 0, 0.1 * i])
            m.element(f"e{i}", kind="user", function="threaded", from_=f"b{i - 1}" if i else "ground", to=f"b{i}",
                      values=[100, 1])
        m.simulate(end=0.2, output=0.02).partition(parts=4).control(rtol=1e-4)
        one, four = m.run(threads=1), m.run(threads=4)
        for name in one:
            np.testing.assert_array_equal(one[name], four[name])


class Kinds(unittest.TestCase):
    def test_potential_and_gradient(self):
        def gradient(t, a, b, p):
            by_to = np.zeros((9, 12))
            by_to[:3, :3], by_to[:3, 6:9] = p[0] * np.eye(3), p[1] * np.eye(3)
            return -by_to, by_to

        def potential(t, a, b, p):
            return 0.5 * p[0] * float(np.dot(b.position - a.position, b.position - a.position))

        quietly("whole", python_spring, parameters=2, gradient=gradient, potential=potential)
        m = model("whole", values=[200.0, 0.0])
        m.solve(rtol=1e-9)
        r = m.run()
        columns = [name for name in r.names if name.startswith("energy.")]
        self.assertTrue(columns)
        energy = r["energy.kinetic"] + r["energy.potential"] if "energy.potential" in r else r["energy.total"]
        self.assertLess(np.ptp(energy), 1e-5 * np.ptp(r["energy.kinetic"]))

    def test_an_element_that_remembers(self):
        """A Maxwell element: a spring behind a damper; its force decays."""
        def remembering(t, a, b, p, z, s):
            force = p[0] * (b.position - a.position - z)
            return force, force / p[1]

        quietly("maxwell", parameters=2, states=3, remembering=remembering,
                begin=lambda a, b, p: (b.position - a.position, ()))
        m = model("maxwell", values=[500.0, 400.0])
        m.set("model.gravity", [0, 0, 0])
        m.simulate(end=1)
        self.assertLess(float(np.abs(m.run()["mass.z"] + 0.3).max()), 1e-9)

    def test_what_changes_at_steps(self):
        def remembering(t, a, b, p, z, s):
            return [0, 0, p[0] * s[0]], ()

        quietly("counting", parameters=2, memory=1, remembering=remembering,
                commit=lambda t, a, b, p, z, s: s + 1)
        self.assertTrue(model("counting", values=[1e-3, 0]).run().ok)

    def test_no_effort_is_a_shorter_step_at_first(self):
        quietly("nowhere", lambda t, a, b, p: None if t > 0.5 else (0, 0, 0), parameters=2)
        with self.assertRaises(cosimo.RunFailed) as caught:
            model("nowhere").run()
        self.assertIn("the function 'nowhere' of this program", str(caught.exception))
        self.assertLessEqual(caught.exception.time, 0.5)

    def test_a_new_one_replaces_the_old(self):
        quietly("again", lambda t, a, b, p: (0, 0, 0), parameters=2)
        s = model("again").scenario()
        falling = s.run()["mass.z"][-1]
        quietly("again", lambda t, a, b, p: (0, 0, 2 * -9.81), parameters=2)
        self.assertLess(abs(s.run()["mass.z"][-1] + 0.3), 1e-9)
        self.assertLess(falling, -4)
        elements.withdraw("again")
        with self.assertRaisesRegex(cosimo.Error, "again"):
            s.run()


class Failing(unittest.TestCase):
    def raising(self, when):
        def effort(t, a, b, p):
            if t >= when:
                raise ZeroDivisionError("of all things")
            return python_spring(t, a, b, p)

        quietly("raising", effort, parameters=2)
        return model("raising")

    def test_a_raised_exception_ends_the_run_with_its_traceback(self):
        with self.assertRaises(cosimo.RunFailed) as caught:
            self.raising(0.4).run()
        failed = caught.exception
        self.assertIn("of all things", str(failed))
        self.assertIsInstance(failed.__cause__, ZeroDivisionError)
        self.assertIn("in effort", "".join(traceback.format_tb(failed.__cause__.__traceback__)))
        self.assertFalse(failed.result.ok)
        self.assertLess(failed.result.time[-1], 0.41)
        self.assertTrue(model_is_fine())

    def test_at_the_start(self):
        for work in (lambda m: m.run(), lambda m: m.start().advance(0.5)):
            with self.assertRaises((cosimo.RunFailed, cosimo.Error)) as caught:
                work(self.raising(0))
            self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)

    def test_step_by_step(self):
        armed = []

        def effort(t, a, b, p):
            if armed:
                raise ZeroDivisionError("of all things")
            return python_spring(t, a, b, p)

        quietly("armed", effort, parameters=2)
        sim = model("armed").start()
        sim.advance(0.2)
        armed.append(True)
        with self.assertRaisesRegex(cosimo.RunFailed, "of all things"):
            sim.advance(0.9)

    def test_what_cannot_say_so_ends_the_run_as_well(self):
        """The energy has no way to fail in C: the run is not taken for a good one."""
        def potential(t, a, b, p):
            raise LookupError("no energy")

        quietly("powerless", python_spring, parameters=2, potential=potential)
        with self.assertRaisesRegex(cosimo.RunFailed, "no energy") as caught:
            model("powerless").run()
        self.assertFalse(caught.exception.result.ok)

    def test_wrong_results_and_wrong_functions(self):
        quietly("short", lambda t, a, b, p: (1, 2), parameters=2)
        with self.assertRaisesRegex(cosimo.RunFailed, "not 2 numbers"):
            model("short").run()
        with self.assertRaisesRegex(cosimo.Error, "no function"):
            cosimo.element("wrong", "spring")
        with self.assertRaisesRegex(cosimo.Error, "their number"):
            quietly("wrong", python_spring, parameters=-1)
        quietly("three", python_spring, parameters=3)
        with self.assertRaisesRegex(cosimo.Error, "three needs 3"):
            model("three").run()


def model_is_fine():
    quietly("fine", python_spring, parameters=2)
    return model("fine").run().ok


if __name__ == "__main__":
    unittest.main()
