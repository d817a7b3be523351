"""Results on disk, frames, comparisons, pages and plans."""
import os
import subprocess
import unittest

import numpy as np
import pandas

import cosimo
from models import CHAIN, PENDULUM, PROGRAM, example


class OnDisk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = cosimo.parse(CHAIN).run(out="chain.out")
        cls.folder = cosimo.open("chain.out")

    def test_a_column_reads_what_is_asked_for(self):
        expected = self.result["7.x"]
        column = self.folder["7.x"]
        self.assertEqual((len(column), column.shape, column.dtype), (41, (41,), np.dtype(float)))
        for part in (slice(None), slice(10, 20), slice(None, None, 3), slice(30, 2, -4), slice(-5, None), slice(9, 9),
                     slice(None, None, -1), slice(5, 1000, 7)):
            np.testing.assert_array_equal(column[part], expected[part], str(part))
        self.assertEqual((column[0], column[-1], column[np.int64(5)]), (expected[0], expected[-1], expected[5]))
        np.testing.assert_array_equal(column[[1, 5, 3]], expected[[1, 5, 3]])
        with self.assertRaises(IndexError):
            column[41]
        self.assertEqual(column.__array__(np.float32).dtype, np.float32)
        self.assertEqual(list(column), list(expected))

    def test_nothing_else_is_read(self):
        """The file is larger than what one column of it needs: the process reads little."""
        text = CHAIN.replace("masses: 60", "masses: 1000").replace("output: 0.01", "output: 1.0e-4")
        cosimo.parse(text).run(out="large.out", memory=False, progress=False)
        size = os.path.getsize("large.out/results.h5")
        self.assertGreater(size, 5_000_000)

        def read():
            with open("/proc/self/io", encoding="ascii") as file:
                return int(file.readline().split()[1])

        column = cosimo.open("large.out")["500.x"]
        before = read()
        self.assertEqual(len(column[100:120]), 20)
        self.assertLess(read() - before, size / 20)

    def test_what_the_run_knew(self):
        self.assertTrue(self.folder.ok)
        self.assertEqual(self.folder.summary, self.result.summary)
        self.assertEqual(self.folder.scenario, cosimo.parse(CHAIN).text)
        self.assertIn("ok", repr(self.folder))
        np.testing.assert_array_equal(self.folder.steps.H, self.result.steps.H)
        self.assertIn("<polyline", self.folder._repr_html_())

    def test_a_folder_that_is_not_there(self):
        with self.assertRaisesRegex(cosimo.Error, "did you mean `chain.out`"):
            cosimo.open("chian.out")
        with self.assertRaisesRegex(cosimo.Error, "did you mean 7.x"):
            self.folder["7.xx"]

    def test_a_killed_run_is_not_ok(self):
        os.makedirs("killed.out")
        with open("chain.out/results.h5", "rb") as file, open("killed.out/results.h5", "wb") as out:
            out.write(file.read())
        killed = cosimo.open("killed.out")
        self.assertFalse(killed.ok)
        self.assertIn("killed", killed.message)
        self.assertIn("killed", killed._repr_html_())
        np.testing.assert_array_equal(killed["7.x"], self.result["7.x"])


class Frames(unittest.TestCase):
    def test_columns_rows_and_index(self):
        r = cosimo.load(example("slider_crank.yaml")).run()
        frame = r.frame(["crank.*", "der(rod.?)"], every=10)
        self.assertEqual(frame.index.name, "t")
        np.testing.assert_array_equal(frame.index, r.time[::10])
        self.assertTrue(set(frame.columns) >= {"crank.x", "der(rod.x)"})
        self.assertNotIn("rod.x", frame.columns)
        np.testing.assert_array_equal(frame["crank.x"], r["crank.x"][::10])
        self.assertEqual(list(r.frame().columns), r.names)
        self.assertEqual(list(r.frame("crank.x").columns), ["crank.x"])

    def test_a_frame_is_of_its_own(self):
        r = cosimo.parse(PENDULUM).run()
        frame = r.frame("arm.x")
        before = r["arm.x"].copy()
        frame["arm.x"] = 0.0
        frame.iloc[0, 0] = 7.0
        np.testing.assert_array_equal(r["arm.x"], before)

    def test_a_pattern_that_fits_nothing(self):
        r = cosimo.parse(PENDULUM).run()
        with self.assertRaisesRegex(cosimo.Error, "did you mean arm.x"):
            r.frame(["arm.xx"])
        with self.assertRaisesRegex(cosimo.Error, "every"):
            r.frame(every=0)

    def test_from_disk_and_of_steps(self):
        cosimo.parse(CHAIN).run(out="frames.out")
        r = cosimo.open("frames.out")
        self.assertEqual(r.frame("7.*", every=4).shape, (11, 1))
        steps = r.steps.frame()
        self.assertIsInstance(steps, pandas.DataFrame)
        self.assertEqual(len(steps), len(r.steps))
        with self.assertRaises(AttributeError):
            r.steps.nothing


class Comparing(unittest.TestCase):
    def test_memory_and_disk_in_any_order(self):
        s = cosimo.parse(CHAIN)
        a, b = s.run(out="a.out"), s.uncut().run(out="b.out")
        program = subprocess.run([PROGRAM, "compare", "a.out", "b.out"], capture_output=True, text=True, check=True)
        first = a.compare(b)
        self.assertGreater(first.both, 0)
        self.assertTrue(first.same_model)
        self.assertIn(str(first).strip(), program.stdout)
        for one in (a, "a.out", cosimo.open("a.out")):
            for other in (b, "b.out", cosimo.open("b.out")):
                self.assertEqual(cosimo.compare(one, other).as_dict(), first.as_dict())
        self.assertEqual(a.compare(a).both, 0)
        self.assertNotEqual(a.compare(b, bodies=[1]).both, first.both)

    def test_results_of_other_bodies_are_refused(self):
        a, b = cosimo.parse(CHAIN).run(), cosimo.parse(PENDULUM).run()
        with self.assertRaises(cosimo.Error):
            a.compare(b, bodies=[50])


class Pages(unittest.TestCase):
    def test_a_page_of_one_and_of_several(self):
        s = cosimo.parse(CHAIN)
        r = s.run(out="page.out", report=True)
        self.assertTrue(os.path.exists("page.out/report.html"))
        self.assertEqual(r.report("own.html"), "own.html")
        self.assertGreater(os.path.getsize("own.html"), 10_000)
        u = s.uncut().run(out="uncut.out")
        self.assertEqual(cosimo.write_report([r, u]), "comparison.html")
        self.assertTrue(os.path.exists("comparison.html"))
        self.assertEqual(cosimo.open("uncut.out").report(), os.path.join("uncut.out", "report.html"))


class Plans(unittest.TestCase):
    def test_a_plan_and_its_scenario(self):
        s = cosimo.parse(CHAIN.replace("masses: 60", "masses: 200"))
        plan = s.plan(pilot_s=0.05, total_s=0.5, progress=False)
        self.assertTrue(plan.recommendation.endswith("."))
        self.assertIn(plan.recommendation.split(",")[0].split(".")[0], str(plan))
        cosimo.parse(plan.scenario)
        name = plan.write("planned.yaml")
        with self.assertRaises(FileExistsError):
            plan.write("planned.yaml")
        self.assertTrue(cosimo.load(name, {"simulate.end": 0.02}).run().ok)
        self.assertIn("cores", plan.data["machine"] if "machine" in plan.data else str(plan))


if __name__ == "__main__":
    unittest.main()
