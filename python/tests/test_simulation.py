"""Runs that Python drives."""
import math
import unittest

import numpy as np

import cosimo
from models import CHAIN, DRIVEN, FAILING, PENDULUM


class Stepping(unittest.TestCase):
    def test_it_ends_where_it_is_asked_to(self):
        sim = cosimo.parse(PENDULUM).start()
        self.assertEqual((sim.time, sim.end), (0, 1))
        sim.advance(0.25)
        self.assertEqual(sim.time, 0.25)
        x, y = sim["arm.x"], sim["arm.y"]
        self.assertAlmostEqual(math.hypot(x, y), 0.5, places=6)
        self.assertEqual(sim[sim.index("arm.x")], x)
        self.assertEqual(sim.values()[sim.variables.index("arm.x")], x)
        self.assertEqual(dict(zip(sim.variables, sim.values()))["der(arm.x)"], sim["der(arm.x)"])

    def test_to_the_end_it_is_a_run(self):
        s = cosimo.parse(CHAIN)
        sim = s.start(threads=1)
        sim.advance(sim.end)
        r = s.run()
        for name in ("1.x", "30.x", "der(60.x)"):
            self.assertEqual(sim[name], r[name][-1])
        self.assertEqual(sim.report()["macro_steps"], r.summary["macro_steps"])
        with self.assertRaisesRegex(cosimo.Error, "reported"):
            sim.advance(0.4)

    def test_saved_states_give_the_same_bits(self):
        s = cosimo.parse(CHAIN)
        sim = s.start()
        sim.advance(0.1)
        state = sim.save()
        self.assertIsInstance(state, bytes)
        at_save = sim.values()
        sim.advance(0.2)
        expected = sim.values()
        for _ in range(2):
            sim.restore(state)
            np.testing.assert_array_equal(sim.values(), at_save)
            sim.advance(0.2)
            np.testing.assert_array_equal(sim.values(), expected)
        other = s.start(threads=1)
        other.restore(state)
        other.advance(0.2)
        np.testing.assert_array_equal(other.values(), expected)
        with self.assertRaises(cosimo.Error):
            cosimo.parse(PENDULUM).start().restore(state)

    def test_inputs_and_coordinates_are_set(self):
        sim = cosimo.parse(DRIVEN).start()
        sim["push"] = 3.0
        self.assertTrue(sim.is_input("push"))
        sim.advance(1)
        self.assertAlmostEqual(sim["cart.x"], 1.5, places=5)
        sim.set_course("push", [0.0, 2.0])
        sim.advance(2)
        self.assertAlmostEqual(sim["der(cart.x)"], 3 + 1, places=5)
        sim.restore(cosimo.parse(DRIVEN).start().save())
        sim["der(cart.x)"] = 5
        sim.advance(1)
        self.assertAlmostEqual(sim["cart.x"], 5, places=5)

    def test_wrong_calls(self):
        sim = cosimo.parse(PENDULUM).start()
        for wrong in (lambda: sim["arm.xx"], lambda: sim.advance(2), lambda: sim.index("am.x"),
                      lambda: sim.restore(b"nonsense"), lambda: sim.__setitem__("arm.x", float("nan"))):
            with self.assertRaises(cosimo.Error):
                wrong()
        sim.advance(0.5)
        with self.assertRaisesRegex(cosimo.Error, "behind"):
            sim.advance(0.1)

    def test_a_failure_is_an_exception_and_is_taken_back(self):
        sim = cosimo.parse(FAILING).start()
        state = sim.save()
        with self.assertRaisesRegex(cosimo.RunFailed, "max_steps"):
            sim.advance(0.4)
        with self.assertRaisesRegex(cosimo.Error, "failed"):
            sim.advance(0.4)
        sim.restore(state)
        self.assertEqual(sim.time, 0)

    def test_results_on_disk(self):
        sim = cosimo.parse(CHAIN).start(out="driven.out")
        sim.advance(0.2)
        sim.advance(0.4)
        sim.report()
        self.assertEqual(len(cosimo.open("driven.out").time), 41)

    def test_beyond_the_end(self):
        sim = cosimo.parse(PENDULUM).start(open_end=True)
        self.assertEqual(sim.end, math.inf)
        sim.advance(1.5)
        self.assertEqual(sim.time, 1.5)


if __name__ == "__main__":
    unittest.main()
