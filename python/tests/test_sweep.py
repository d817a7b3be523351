"""Series: the table of the command, functions as measures, faults before anything runs, failures without numbers."""
import csv
import importlib.util
import math
import os
import subprocess
import unittest
import warnings

import numpy as np

import cosimo
from models import CHAIN, PROGRAM, example

KEY = "model.chain.spring.c.2"
TWO = example("series/oscillator.yaml")


class Table(unittest.TestCase):
    def test_the_frequency_of_two_masses_in_every_row(self):
        found = cosimo.sweep(TWO, {KEY: {"from": 10, "to": 160, "points": 5, "scale": "log"}},
                             {"f": "frequency(1.x)", "course": "1.x[::500]"}, out="two.sweep")
        self.assertTrue(found.ok)
        self.assertEqual(len(found), 5)
        for variant, k in zip(found.variants, (10, 20, 40, 80, 160)):
            self.assertAlmostEqual(variant.parameters[KEY], k)
            self.assertAlmostEqual(variant.measures["f"], math.sqrt(100 + 2 * k) / (2 * math.pi), delta=1e-6)
            t, x = variant.curves["course"]
            self.assertEqual(t.tolist(), [0, 5, 10, 15, 20])
            self.assertEqual(x[0], -0.1)

    def test_the_same_bits_as_the_command(self):
        with open("own.yaml", "w", encoding="utf-8") as file:
            file.write(f"cosimo: 1\nsweep:\n  scenario: {TWO}\n  vary: {{{KEY}: [10, 30]}}\n"
                       "  measure: {late: 'rms(2.x, from=10)'}\n")
        subprocess.run([PROGRAM, "sweep", "own.yaml", "--quiet"], check=True)
        with open("own.sweep/variants.csv", encoding="utf-8", newline="") as file:
            told = [float(row["late"]) for row in csv.DictReader(file)]
        found = cosimo.sweep(TWO, {KEY: np.array([10, 30])}, {"late": "rms(2.x, from=10)"}, out="bits.sweep")
        self.assertEqual([variant.measures["late"] for variant in found.variants], told)

    def test_a_function_is_a_measure(self):
        calls = []

        def largest(result):
            calls.append(result.folder)
            return np.abs(result["1.x"][:]).max()

        vary = {KEY: [10, 20, 10.0], "simulate.end": ["2 s"]}
        found = cosimo.sweep(TWO, vary, {"own": largest, "said": "max(abs(1.x))"}, out="own.function")
        for variant in found.variants:
            self.assertEqual(variant.measures["own"], variant.measures["said"])
            self.assertEqual(variant.parameters["simulate.end"], "2 s")
        self.assertEqual(len(calls), 2)  # the third is the first
        self.assertEqual(found.open(2).time[-1], 2)
        alone = cosimo.sweep(TWO, vary, lambda result: result.time[-1], out="own.function")
        self.assertEqual([variant.measures for variant in alone.variants], [{"value": 2.0}] * 3)

    def test_what_a_function_raises_goes_to_the_caller_and_the_runs_are_kept(self):
        def broken(result):
            raise LookupError("no")

        with self.assertRaises(LookupError):
            cosimo.sweep(TWO, {KEY: [10]}, {"m": broken}, out="broken.sweep")
        self.assertEqual(len(os.listdir("broken.sweep/runs")), 1)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs python3-pandas")
    def test_a_frame(self):
        frame = cosimo.sweep(TWO, {KEY: (10, 50), "simulate.end": (1, 2)}, {"end": "final(t)"}, design="sobol", n=4,
                             out="frame.sweep").frame()
        self.assertEqual(list(frame.columns), ["state", KEY, "simulate.end", "end", "fault", "message"])
        self.assertEqual(frame["end"].tolist(), frame["simulate.end"].tolist())
        self.assertEqual(frame.index.tolist(), [1, 2, 3, 4])


class Faults(unittest.TestCase):
    def test_a_failed_variant_has_no_numbers(self):
        with open("chain.yaml", "w", encoding="utf-8") as file:
            file.write(CHAIN)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = cosimo.sweep("chain.yaml", {"control.max_steps": [5, 100000]},
                                 {"m": "max(1.x)", "f": lambda result: 1.0}, out="failed.sweep")
        self.assertFalse(found.ok)
        self.assertEqual([variant.state for variant in found.variants], ["failed", "done"])
        self.assertTrue(all(math.isnan(number) for number in found[0].measures.values()), found[0])
        self.assertEqual(sorted(found[0].measures), ["f", "m"])
        self.assertEqual((found[0].fault, found[1].measures["f"]), ("solver", 1.0))
        self.assertTrue(found[0].message)
        self.assertTrue(any(issubclass(each.category, cosimo.RunNote) for each in told))

    def test_wrong_input_runs_nothing(self):
        good = {"vary": {KEY: [10]}, "measure": "max(1.x)"}
        for wrong, says in (({"vary": {}}, "nothing varies"), ({"vary": {KEY: 3}}, "neither values nor a range"),
                            ({"vary": {KEY: []}}, "empty list"), ({"vary": {KEY: [math.nan]}}, "finite"),
                            ({"vary": {"model.chian": [1]}}, "model.chian"), ({"vary": {KEY: [None]}}, "has no value"),
                            ({"vary": {KEY: ["1, 2]\n  keep: results"]}}, KEY),
                            ({"measure": {}}, "nothing is measured"),
                            ({"measure": {"a b": "max(1.x)"}}, "no name"), ({"measure": {"m": 3}}, "neither a formula"),
                            ({"measure": "max(1.x"}, "parenthesis"), ({"measure": "max(9.x)"}, "9.x"),
                            ({"measure": "__import__('os')"}, "__import__"), ({"design": "lattice"}, "design"),
                            ({"design": "sobol"}, "sweep"), ({"keep": "nothing"}, "keep"),
                            ({"measure": {"f": len}, "keep": "results of the failed"}, "results of all"),
                            ({"limits": {"time": "soon"}}, "time")):
            with self.assertRaises(cosimo.Error, msg=says) as raised:
                cosimo.sweep(TWO, **{**good, **wrong}, out="never.sweep")
            self.assertIn(says, str(raised.exception))
            self.assertFalse(os.path.exists("never.sweep"), says)
