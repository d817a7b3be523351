"""Scenarios, runs and results in memory."""
import gc
import os
import pickle
import subprocess
import unittest

import numpy as np

import cosimo
from models import CHAIN, FAILING, PENDULUM, PROGRAM, example


def command_line(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True)


class Loading(unittest.TestCase):
    def test_a_file_with_settings(self):
        s = cosimo.load(example("quickstart.yaml"), {"control.rtol": 1e-6, "partition.parts": 2})
        self.assertIn("rtol: 1.0e-06\n  atol_pos: auto\n  atol_vel: auto\n  atol_u", s.text)
        self.assertIn("2 subsystems", s.describe())

    def test_settings_are_what_the_command_line_takes(self):
        for value, text in ((0.1, "0.1"), (1e-5, "1e-05"), (np.float64(2.5), "2.5"), ([1, 2], "[1, 2]")):
            s = cosimo.parse(CHAIN, {"model.chain.initial.x": value}) if not isinstance(value, list) else \
                cosimo.parse(CHAIN, {"simulate.record": value})
            same = cosimo.parse(CHAIN, [("model.chain.initial.x=" if not isinstance(value, list) else
                                         "simulate.record=") + text])
            self.assertEqual(s.text, same.text)

    def test_set_gives_another_scenario(self):
        s = cosimo.parse(CHAIN)
        other = s.set({"simulate.end": 0.2}).set({"control.rtol": 1e-3})
        self.assertEqual(s.text, cosimo.parse(CHAIN).text)
        self.assertEqual(other.text, cosimo.parse(CHAIN, {"simulate.end": 0.2, "control.rtol": 1e-3}).text)
        self.assertEqual(other.uncut().set({"simulate.end": 0.1}).text,
                         cosimo.parse(CHAIN, {"simulate.end": 0.1, "control.rtol": 1e-3}).uncut().text)

    def test_the_effective_text_gives_the_same_run(self):
        s = cosimo.parse(CHAIN)
        a, b = s.run(), cosimo.parse(s.text).run()
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])

    def test_wrong_input_is_an_error_with_everything(self):
        with open("wrong.yaml", "w", encoding="utf-8") as file:
            file.write(CHAIN.replace("rtol:", "rtl:"))
        with self.assertRaises(cosimo.Error) as caught:
            cosimo.load("wrong.yaml")
        error = caught.exception
        self.assertEqual((error.file, error.line), ("wrong.yaml", 8))
        self.assertIn("rtol", error.remedy)
        program = subprocess.run([PROGRAM, "check", "wrong.yaml"], capture_output=True, text=True)
        self.assertIn(str(error), program.stderr)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.faults), (str(error), error.faults))

    def test_a_missing_file_and_a_wrong_setting(self):
        with self.assertRaisesRegex(cosimo.Error, "nothing.yaml"):
            cosimo.load("nothing.yaml")
        with self.assertRaisesRegex(cosimo.Error, "rtol"):
            cosimo.parse(CHAIN, {"control.rtl": 1})
        with self.assertRaises(cosimo.Error):
            cosimo.parse(CHAIN, {"control.rtol": object()})

    def test_scenarios_are_pickled(self):
        s = pickle.loads(pickle.dumps(cosimo.parse(CHAIN)))
        np.testing.assert_array_equal(s.run()["7.x"], cosimo.parse(CHAIN).run()["7.x"])


class Running(unittest.TestCase):
    def test_the_same_bits_as_the_command_line(self):
        for name in ("balanced_pole.yaml", "slider_crank.yaml", "active_damping.yaml"):
            command_line("run", example(name), "--out", "command.out", "--no-report", "--replace")
            disk = cosimo.open("command.out")
            for threads in (1, 2):
                r = cosimo.load(example(name)).run(threads=threads)
                self.assertTrue(r.ok)
                self.assertEqual(r.names, disk.names)
                self.assertEqual(r.time.tobytes(), disk.time.tobytes())
                for column in r.names:
                    self.assertEqual(r[column].tobytes(), np.asarray(disk[column]).tobytes(), (name, column))
                for each in ("t", "H", "error", "kappa", "accepted", "cut"):
                    self.assertEqual(getattr(r.steps, each).tobytes(), getattr(disk.steps, each).tobytes())
                for each in ("macro_steps", "micro_steps_total", "measures"):
                    self.assertEqual(r.summary[each], disk.summary[each])

    def test_files_are_those_of_the_command_line(self):
        command_line("run", example("active_damping.yaml"), "--out", "a.out", "--no-report", "--csv")
        cosimo.load(example("active_damping.yaml")).run(out="b.out", csv=True)
        for name in ("results.csv", "scenario.effective.yaml"):
            with open(f"a.out/{name}", "rb") as a, open(f"b.out/{name}", "rb") as b:
                self.assertEqual(a.read(), b.read(), name)

    def test_views_are_read_only_and_share_memory(self):
        r = cosimo.parse(PENDULUM).run()
        x = r["arm.x"]
        self.assertTrue(np.shares_memory(x, r["arm.x"]))
        self.assertEqual(len(x), 11)
        for array in (x, r.time):
            with self.assertRaises(ValueError):
                array[0] = 1
            with self.assertRaises(ValueError):
                array.flags.writeable = True

    def test_views_outlive_everything(self):
        r = cosimo.parse(CHAIN).run()
        kept = {name: r[name] for name in r}
        copies = {name: column.copy() for name, column in kept.items()}
        steps, t = r.steps.H, r.time
        steps_copy, t_copy = steps.copy(), t.copy()
        del r
        gc.collect()
        for _ in range(5):
            cosimo.parse(CHAIN).run()  # whatever is free is used again
        for name, column in kept.items():
            np.testing.assert_array_equal(column, copies[name])
        np.testing.assert_array_equal(steps, steps_copy)
        np.testing.assert_array_equal(t, t_copy)

    def test_an_unknown_column_names_the_nearest(self):
        r = cosimo.parse(PENDULUM).run()
        with self.assertRaisesRegex(cosimo.Error, "did you mean arm.x"):
            r["arm.xx"]
        self.assertIn("arm.x", r)
        self.assertNotIn("arm.xx", r)
        self.assertEqual(len(r), len(r.names))
        self.assertIsNone(r.get("arm.xx"))
        self.assertEqual(r, r)
        self.assertNotEqual(r, cosimo.parse(PENDULUM).run())

    def test_a_failed_run_is_not_taken_for_a_good_one(self):
        s = cosimo.parse(FAILING)
        with self.assertRaises(cosimo.RunFailed) as caught:
            s.run()
        failed = caught.exception
        self.assertFalse(failed.result.ok)
        self.assertEqual(failed.result.status, "failed")
        self.assertIn("max_steps", str(failed))
        self.assertGreater(failed.time, 0)
        self.assertLess(failed.result.time[-1], 0.4)
        self.assertIn("failed", failed.result._repr_html_())
        r = s.run(check=False)
        self.assertFalse(r.ok)
        self.assertIn("max_steps", r.message)
        self.assertIn("max_steps", repr(r))
        again = pickle.loads(pickle.dumps(failed))
        self.assertEqual((str(again), again.time, again.result), (str(failed), failed.time, None))

    def test_what_needs_a_folder_says_so(self):
        s = cosimo.parse(CHAIN)
        for options in ({"memory": False}, {"csv": True}, {"trace": True}, {"report": True}):
            with self.assertRaisesRegex(cosimo.Error, "out=FOLDER"):
                s.run(**options)
        with self.assertRaisesRegex(cosimo.Error, "out=FOLDER"):
            s.run().report()

    def test_a_folder_that_is_not_ours_is_left_alone(self):
        os.makedirs("mine")
        with open("mine/results.h5", "w", encoding="utf-8") as file:
            file.write("my own")
        with self.assertRaises(cosimo.Error):
            cosimo.parse(CHAIN).run(out="mine")
        with open("mine/results.h5", encoding="utf-8") as file:
            self.assertEqual(file.read(), "my own")

    def test_without_memory_results_are_on_disk(self):
        s = cosimo.parse(CHAIN)
        r = s.run(out="disk.out", memory=False)
        np.testing.assert_array_equal(np.asarray(r["7.x"]), s.run()["7.x"])
        self.assertIsInstance(r["7.x"], cosimo.Column)

    def test_results_are_not_pickled(self):
        with self.assertRaisesRegex(TypeError, "not pickled"):
            pickle.dumps(cosimo.parse(CHAIN).run())

    def test_summary_and_steps(self):
        r = cosimo.parse(CHAIN).run()
        self.assertEqual(r.summary["parts"], 3)
        self.assertEqual(r.summary["macro_steps"], int(r.steps.accepted.sum()))
        self.assertEqual(len(r.steps), r.summary["macro_steps"] + r.summary["rejected_steps"])
        self.assertEqual(r.steps.accepted.dtype, bool)
        uncut = cosimo.parse(CHAIN).uncut().run()
        self.assertEqual(len(uncut.steps), 0)

    def test_a_notebook_sees_outcome_and_curves(self):
        page = cosimo.parse(CHAIN).run()._repr_html_()
        self.assertIn("ok", page)
        self.assertIn("<polyline", page)


if __name__ == "__main__":
    unittest.main()
