"""Optimisation: optima and fronts known in closed form, the same sequence again, runs of a scenario."""
import contextlib
import importlib.util
import io
import math
import os
import re
import unittest
from unittest import mock

import cosimo
from cosimo import _evaluate
from models import SOURCE, example

HAS = {name: importlib.util.find_spec(name) is not None for name in ("optuna", "scipy", "nlopt", "openturns")}
LOCAL = HAS["scipy"] and HAS["nlopt"]
SQUARE = {"x": (-2, 2), "y": (-2, 2)}


def rosenbrock(p):
    return (1 - p["x"]) ** 2 + 100 * (p["y"] - p["x"] ** 2) ** 2


def quadratic(p):
    u, v = p["x"] - 0.3, p["y"] + 0.7
    return 3 * u * u + v * v + 0.5 * u * v + 2


def near(case, found, expected, delta):
    for key, value in expected.items():
        case.assertAlmostEqual(found[key], value, delta=delta, msg=f"{key} of {found}")


@unittest.skipUnless(LOCAL, "needs python3-scipy and python3-nlopt")
class Optima(unittest.TestCase):
    def test_a_quadratic_function(self):
        for method in ("auto", "bobyqa", "subplex", "cobyla", "slsqp", "evolution"):
            found = cosimo.optimise(quadratic, SQUARE, method=method, evaluations=1500)
            near(self, found.parameters, {"x": 0.3, "y": -0.7}, 1e-4)
            self.assertAlmostEqual(found.measures["value"], 2, delta=1e-8)

    def test_rosenbrocks_function(self):
        for method, batch in (("bobyqa", 1), ("bobyqa", 4), ("slsqp", 1), ("slsqp", 16), ("evolution", 1)):
            found = cosimo.optimise(rosenbrock, SQUARE, method=method, batch=batch, evaluations=3000)
            near(self, found.parameters, {"x": 1, "y": 1}, 1e-4)

    def test_a_logarithmic_range_and_the_largest_value(self):
        found = cosimo.optimise(lambda p: -math.log10(p["k"] / 300) ** 2 - p["c"] ** 2,
                                {"k": (1, 1e6, "log"), "c": {"from": -1, "to": 3}}, goal={"value": "max"})
        near(self, found.parameters, {"k": 300, "c": 0}, 1e-2)

    def test_bounds_over_measures(self):
        """The lowest sum on a disc: x = y = -1/sqrt(2)."""
        def disc(p):
            return {"sum": p["x"] + p["y"], "square": p["x"] ** 2 + p["y"] ** 2}

        for method in ("auto", "cobyla", "slsqp"):
            found = cosimo.optimise(disc, SQUARE, goal="sum", bounds={"square": (None, 1)}, method=method)
            near(self, found.parameters, {"x": -math.sqrt(0.5), "y": -math.sqrt(0.5)}, 1e-4)
            self.assertLessEqual(found.measures["square"], 1 + 1e-9)

    def test_points_that_fail_are_gone_around(self):
        def holes(p):
            if p["x"] < 0.1 and p["y"] > -0.5:
                raise cosimo.RunFailed("steps became too small")
            return quadratic(p)

        for method in ("bobyqa", "subplex", "cobyla", "slsqp", "evolution"):
            found = cosimo.optimise(holes, SQUARE, method=method, batch=4, evaluations=1500)
            near(self, found.parameters, {"x": 0.3, "y": -0.7}, 1e-3)
            self.assertTrue(any("too small" in trial.problem for trial in found.trials))


@unittest.skipUnless(HAS["optuna"], "needs python3-optuna")
class Sampling(unittest.TestCase):
    def test_a_front_known_in_closed_form(self):
        """Schaffer: the front is sqrt(a) + sqrt(b) = 2, reached for x from 0 to 2."""
        found = cosimo.optimise(lambda p: {"a": p["x"] ** 2, "b": (p["x"] - 2) ** 2}, {"x": (-4, 4)},
                                goal={"a": "min", "b": "min"}, evaluations=400, batch=10)
        self.assertGreater(len(found.front), 40)
        for trial in found.front:
            self.assertAlmostEqual(math.sqrt(trial.measures["a"]) + math.sqrt(trial.measures["b"]), 2, delta=0.02)
        ends = [trial.measures["a"] for trial in found.front]
        self.assertEqual(ends, sorted(ends))
        self.assertLess(ends[0], 0.01)
        self.assertGreater(ends[-1], 3.9)

    def test_choices(self):
        cost = {"soft": 1.0, "medium": 0.0, "hard": 2.0}
        found = cosimo.optimise(lambda p: cost[p["kind"]] + (p["x"] - 1) ** 2, {"kind": list(cost), "x": (0, 4)},
                                evaluations=60, seed=2)
        self.assertEqual(found.method, "tpe")
        self.assertEqual(found.parameters["kind"], "medium")
        self.assertLess(found.measures["value"], 0.05)

    def test_bounds(self):
        found = cosimo.optimise(lambda p: {"goal": p["x"], "kept": p["x"]}, {"x": (0, 1)}, goal="goal",
                                bounds={"kept": (0.4, None)}, method="tpe", evaluations=60)
        self.assertGreaterEqual(found.measures["kept"], 0.4)
        self.assertLess(found.measures["goal"], 0.5)


@unittest.skipUnless(HAS["optuna"] and LOCAL, "needs python3-optuna, python3-scipy and python3-nlopt")
class Sequences(unittest.TestCase):
    def test_the_same_seed_and_batch_give_the_same_points(self):
        for method in ("tpe", "nsga2", "random", "bobyqa", "slsqp", "evolution"):
            def points(seed, workers=1):
                found = cosimo.optimise(rosenbrock, SQUARE, method=method, evaluations=48, batch=4, seed=seed,
                                        workers=workers)
                return [trial.parameters for trial in found.trials]

            first = points(3)
            self.assertEqual(first, points(3), method)
            self.assertEqual(first, points(3, workers=3), method)
            if method in ("tpe", "nsga2", "random", "evolution"):
                self.assertNotEqual(first, points(4), method)

    def test_no_more_evaluations_than_allowed(self):
        for method in ("tpe", "bobyqa", "evolution", "slsqp"):
            calls = []
            found = cosimo.optimise(lambda p: calls.append(p) or rosenbrock(p), SQUARE, method=method, evaluations=10,
                                    batch=4, workers=1)
            self.assertEqual(len(found.trials), 10)
            self.assertEqual(len(calls), 10)

    def test_a_batch_is_tried_at_once(self):
        with mock.patch.object(_evaluate.Function, "__call__", autospec=True,
                               side_effect=lambda self, points: [self._one(p) for p in points]) as called:
            cosimo.optimise(rosenbrock, SQUARE, method="bobyqa", evaluations=40, batch=4)
        sizes = [len(call.args[1]) for call in called.call_args_list]
        self.assertTrue(all(size == 4 for size in sizes), sizes)

    def test_what_the_function_raises_comes_through(self):
        def broken(p):
            raise ZeroDivisionError("mine")

        for method in ("bobyqa", "tpe", "slsqp"):
            with self.assertRaisesRegex(ZeroDivisionError, "mine"):
                cosimo.optimise(broken, SQUARE, method=method)

    def test_nothing_good_is_a_failure_that_says_why(self):
        with self.assertRaisesRegex(cosimo.RunFailed, "none of 8 points.*8 failed.*value is no finite number"):
            cosimo.optimise(lambda p: math.nan, SQUARE, method="random", evaluations=8)
        with self.assertRaisesRegex(cosimo.RunFailed, "every point breaks a bound"):
            cosimo.optimise(quadratic, SQUARE, method="random", evaluations=8, bounds={"value": (None, 1)})


class Refused(unittest.TestCase):
    def test_wrong_input_is_refused_before_anything_runs(self):
        def never(p):
            raise AssertionError("it ran")

        for field, text, arguments in (
                ("vary", "nothing varies", {"vary": {}}),
                ("vary.x", "range is empty", {"vary": {"x": (2, 1)}}),
                ("vary.x", "begins above 0", {"vary": {"x": (0, 1, "log")}}),
                ("vary.x", "no finite number", {"vary": {"x": (0, math.nan)}}),
                ("vary.x", "neither a range nor choices", {"vary": {"x": "0 to 1"}}),
                ("vary.x", "is no range", {"vary": {"x": {"from": 1}}}),
                ("vary.x", "a search needs a range", {"vary": {"x": {"normal": [0, 1]}}}),
                ("vary.x", "bobyqa needs numbers", {"vary": {"x": [1, 2]}, "method": "bobyqa"}),
                ("method", "no method", {"method": "magic"}),
                ("method", "has one goal", {"method": "slsqp", "goal": {"a": "min", "b": "max"}}),
                ("goal.a", "no direction", {"goal": {"a": "up"}}),
                ("goal", "no goal", {"goal": {}}),
                ("bounds.a", "no bound", {"bounds": {"a": (None, None)}}),
                ("evaluations", "no possible number", {"evaluations": 0}),
                ("batch", "no possible number", {"batch": 1.5}),
                ("measure", "says itself", {"measure": {"a": "max(x)"}})):
            with self.assertRaises(cosimo.Error, msg=field) as caught:
                cosimo.optimise(never, **{"vary": {"x": (0, 1)}, **arguments})
            self.assertEqual(caught.exception.field, field)
            self.assertIn(text, str(caught.exception))
            self.assertTrue(caught.exception.remedy)
        with self.assertRaisesRegex(cosimo.Error, "give out=FOLDER"):
            cosimo.optimise("a.yaml", {"x": (0, 1)}, {"m": "max(x)"})
        with self.assertRaisesRegex(cosimo.Error, "nothing is measured"):
            cosimo.optimise("a.yaml", {"x": (0, 1)}, out="o")

    @unittest.skipUnless(LOCAL, "needs python3-scipy and python3-nlopt")
    def test_a_goal_that_is_not_measured(self):
        with self.assertRaisesRegex(cosimo.Error, "goal: other: is not measured .there are value"):
            cosimo.optimise(quadratic, SQUARE, goal="other")

    def test_a_package_that_is_missing_is_named(self):
        with mock.patch.dict("sys.modules", {"optuna": None}):
            with self.assertRaisesRegex(cosimo.Error, "apt-get install python3-optuna"):
                cosimo.optimise(quadratic, SQUARE, method="tpe")


@unittest.skipUnless(HAS["optuna"] and LOCAL, "needs python3-optuna, python3-scipy and python3-nlopt")
class Runs(unittest.TestCase):
    """Two masses swing against each other: omega^2 = 100 + 2 k."""

    SCENARIO = example("series/oscillator.yaml")
    VARY = {"model.chain.spring.c.2": (10, 160, "log")}
    MEASURE = {"miss": "(frequency(1.x) - 2)^2", "swing": "max(abs(1.x))"}

    def search(self, out, **more):
        return cosimo.optimise(self.SCENARIO, self.VARY, self.MEASURE, goal="miss", out=out,
                               **{"evaluations": 40, "batch": 2, **more})

    def test_the_stiffness_for_a_frequency(self):
        found = self.search("stiffness", method="slsqp", difference=1e-3, evaluations=45, batch=3)
        self.assertAlmostEqual(found.parameters["model.chain.spring.c.2"], ((4 * math.pi) ** 2 - 100) / 2, delta=1e-3)
        self.assertAlmostEqual(found.measures["swing"], 0.1, delta=1e-6)
        self.assertTrue(os.path.exists("stiffness/runs/variants.csv"))

    def test_an_ended_search_goes_on_where_it_was(self):
        whole = self.search("whole", evaluations=8)
        seen = []

        def impatient(trial):
            seen.append(trial)
            if len(seen) == 3:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.search("ended", evaluations=8, watch=impatient)
        ran = []
        call = _evaluate._call

        def counted(words):
            report = call(words)
            ran.append(report.get("ran", 0))
            return report

        with mock.patch.object(_evaluate, "_call", counted):
            again = self.search("ended", evaluations=8)
        self.assertEqual([t.parameters for t in again.trials], [t.parameters for t in whole.trials])
        self.assertEqual([t.measures for t in again.trials], [t.measures for t in whole.trials])
        self.assertGreater(sum(ran), 0)
        self.assertLessEqual(sum(ran), 8 - 3)

    def test_wrong_names_are_errors_of_the_series(self):
        with self.assertRaisesRegex(cosimo.Error, "3.x"):
            cosimo.optimise(self.SCENARIO, self.VARY, {"a": "max(3.x)"}, goal="a", out="wrong")
        with self.assertRaisesRegex(cosimo.Error, "sprong"):
            cosimo.optimise(self.SCENARIO, {"model.chain.sprong": (1, 2)}, {"a": "max(1.x)"}, goal="a", out="wrong2")


class Page(unittest.TestCase):
    @unittest.skipUnless(all(HAS.values()), "needs all packages of the page")
    def test_every_example_runs(self):
        os.symlink(os.path.join(SOURCE, "examples"), "examples")
        with open(os.path.join(SOURCE, "docs", "optimisation.md"), encoding="utf-8") as file:
            found = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertGreater(len(found), 3)
        names = {}
        for text in found:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, "docs/optimisation.md", "exec"), names)
