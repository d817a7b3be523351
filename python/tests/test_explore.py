"""Sensitivity and Monte Carlo against closed forms."""
import importlib.util
import math
import unittest
from unittest import mock

import cosimo
from models import example

HAS = importlib.util.find_spec("openturns") is not None
A, B = 7.0, 0.1
ANGLES = {key: (-math.pi, math.pi) for key in ("x1", "x2", "x3")}


def ishigami(p):
    return math.sin(p["x1"]) + A * math.sin(p["x2"]) ** 2 + B * p["x3"] ** 4 * math.sin(p["x1"])


@unittest.skipUnless(HAS, "needs python3-openturns")
class Sobol(unittest.TestCase):
    def test_ishigamis_function(self):
        variance = A ** 2 / 8 + B * math.pi ** 4 / 5 + B ** 2 * math.pi ** 8 / 18 + 0.5
        alone = [(1 + B * math.pi ** 4 / 5) ** 2 / 2 / variance, A ** 2 / 8 / variance, 0.0]
        both = 8 * B ** 2 * math.pi ** 8 / 225 / variance
        total = [alone[0] + both, alone[1], both]
        found = cosimo.sensitivity(ishigami, ANGLES, n=2048)
        self.assertEqual(found.evaluations, 2048 * 5)
        for k, key in enumerate(ANGLES):
            index = found.indices["value"][key]
            self.assertAlmostEqual(index["first"], alone[k], delta=0.02 * max(alone[k], 0.1))
            self.assertAlmostEqual(index["total"], total[k], delta=0.02 * total[k])
            self.assertTrue(index["first_low"] < alone[k] < index["first_high"])
            self.assertTrue(index["total_low"] < total[k] < index["total_high"])
        self.assertEqual(list(found.frame()["key"]), list(ANGLES))

    def test_distributions_count(self):
        """Of a sum, shares are those of the variances: 9 to 1."""
        found = cosimo.sensitivity(lambda p: {"sum": p["a"] + p["b"], "same": 3.0},
                                   {"a": {"normal": [5, 3]}, "b": {"normal": [0, 1]}}, n=1024)
        self.assertAlmostEqual(found.indices["sum"]["a"]["first"], 0.9, delta=0.01)
        self.assertAlmostEqual(found.indices["sum"]["b"]["total"], 0.1, delta=0.01)
        self.assertEqual(found.indices["same"]["a"]["total"], 0)

    def test_a_failed_run_is_never_a_number(self):
        with self.assertRaisesRegex(cosimo.RunFailed, "need every one; the first: value is no finite"):
            cosimo.sensitivity(lambda p: math.nan if p["a"] > 0.9 else 1.0, {"a": (0, 1), "b": (0, 1)}, n=16)


class Morris(unittest.TestCase):
    def test_effects_of_a_plane_and_of_a_product(self):
        found = cosimo.sensitivity(lambda p: 3 * p["a"] - 2 * p["b"] + p["c"] * p["d"],
                                   {"a": (0, 1), "b": (0, 2), "c": (-1, 1), "d": (-1, 1), "idle": (5, 6)},
                                   method="morris", n=200)
        index = found.indices["value"]
        self.assertEqual(found.evaluations, 200 * 6)
        for key, slope in (("a", 3), ("b", -4), ("idle", 0)):  # per length of the range
            self.assertAlmostEqual(index[key]["mean"], slope, delta=1e-12)
            self.assertAlmostEqual(index[key]["magnitude"], abs(slope), delta=1e-12)
            self.assertAlmostEqual(index[key]["deviation"], 0, delta=1e-12)
        # 2 d, with d at each of the levels -1, -1/3, 1/3, 1 equally often: mean 0, of absolute values 4/3,
        # deviation 2 sqrt(5)/3; four standard errors of 200 draws.
        for key in ("c", "d"):
            self.assertAlmostEqual(index[key]["mean"], 0, delta=4 * 1.49 / math.sqrt(200))
            self.assertAlmostEqual(index[key]["magnitude"], 4 / 3, delta=4 * (2 / 3) / math.sqrt(200))
            self.assertAlmostEqual(index[key]["deviation"], 2 * math.sqrt(5) / 3, delta=0.2)

    def test_the_seed_chooses_the_trajectories(self):
        def magnitude(seed):
            found = cosimo.sensitivity(ishigami, ANGLES, method="morris", seed=seed)
            return found.indices["value"]["x3"]["magnitude"]

        self.assertEqual(magnitude(1), magnitude(1))
        self.assertNotEqual(magnitude(1), magnitude(2))


@unittest.skipUnless(HAS, "needs python3-openturns")
class MonteCarlo(unittest.TestCase):
    def test_mean_and_quantiles_of_a_normal_distribution(self):
        found = cosimo.monte_carlo(lambda p: 1 + 2 * p["x"], {"x": {"normal": [0.5, 1.5]}}, n=4000,
                                   quantiles=(0.05, 0.5))
        mean, low = found.mean["value"], found.quantiles["value"][0.05]
        self.assertAlmostEqual(mean.value, 2, delta=4 * 3 / math.sqrt(4000))
        self.assertAlmostEqual(mean.high - mean.low, 2 * 1.96 * 3 / math.sqrt(4000), delta=0.01)
        self.assertAlmostEqual(low.value, 2 - 3 * 1.6449, delta=0.4)
        self.assertTrue(low.low < 2 - 3 * 1.6449 < low.high)
        self.assertEqual(len(found.frame()), 3)

    def test_intervals_of_quantiles_hold_as_often_as_they_say(self):
        """Of 300 samples, the 95 % interval of the 0.9 quantile misses 15 or, ranks being whole numbers, fewer."""
        held = 0
        for seed in range(300):
            found = cosimo.monte_carlo(lambda p: p["x"] ** 2, {"x": (0, 1)}, n=60, quantiles=(0.9,), seed=seed)
            estimate = found.quantiles["value"][0.9]
            held += estimate.low <= 0.81 <= (math.inf if estimate.high is None else estimate.high)
        self.assertGreaterEqual(held, 0.92 * 300)

    def test_small_samples_leave_intervals_open(self):
        found = cosimo.monte_carlo(lambda p: p["x"], {"x": (0, 1)}, n=10, quantiles=(0.99, 0.01))
        self.assertIsNone(found.quantiles["value"][0.99].high)
        self.assertIsNone(found.quantiles["value"][0.01].low)

    def test_failed_points_are_counted_and_left_out(self):
        found = cosimo.monte_carlo(lambda p: 1.0 if p["x"] < 0.5 else math.inf, {"x": (0, 1)}, n=100)
        self.assertGreater(found.failed, 20)
        self.assertEqual(len(found.points), 100 - found.failed)
        self.assertEqual(found.mean["value"].value, 1)

    def test_of_runs(self):
        """omega^2 = 100 + 2 k, k uniform: every frequency, and their median, in closed form."""
        found = cosimo.monte_carlo(example("series/oscillator.yaml"), {"model.chain.spring.c.2": (20, 120)},
                                   {"f": "frequency(1.x)"}, n=40, quantiles=(0.5,), out="spread", workers=2)
        for point, f in zip(found.points, found.sample["f"]):
            exact = math.sqrt(100 + 2 * point["model.chain.spring.c.2"]) / (2 * math.pi)
            self.assertAlmostEqual(f, exact, delta=1e-6 * exact)
        median = found.quantiles["f"][0.5]
        self.assertTrue(median.low < math.sqrt(100 + 140) / (2 * math.pi) < median.high)


class Refused(unittest.TestCase):
    def test_wrong_input(self):
        for text, call in (
                ("no method", lambda: cosimo.sensitivity(ishigami, ANGLES, method="magic")),
                ("needs a range", lambda: cosimo.sensitivity(ishigami, {"a": {"normal": [0, 1]}}, method="morris")),
                ("needs numbers", lambda: cosimo.sensitivity(ishigami, {"a": [1, 2]})),
                ("normal has 2 numbers", lambda: cosimo.sensitivity(ishigami, {"a": {"normal": [1]}})),
                ("must be above 0", lambda: cosimo.sensitivity(ishigami, {"a": {"lognormal": [1, 0]}})),
                ("do not ascend", lambda: cosimo.sensitivity(ishigami, {"a": {"triangular": [1, 0, 2]}})),
                ("no confidence", lambda: cosimo.sensitivity(ishigami, ANGLES, confidence=1))):
            with self.assertRaisesRegex(cosimo.Error, text):
                call()
        with mock.patch.dict("sys.modules", {"openturns": None}):
            with self.assertRaisesRegex(cosimo.Error, "apt-get install python3-openturns"):
                cosimo.sensitivity(ishigami, ANGLES)
