"""Many runs in one process leak nothing, and looking at results costs no memory."""
import gc
import unittest

import numpy as np

import cosimo
from models import CHAIN, PENDULUM


def resident():
    """Bytes in memory of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


class Memory(unittest.TestCase):
    def test_many_runs_leak_nothing(self):
        scenarios = [cosimo.parse(CHAIN.replace("end: 0.4", "end: 0.02")), cosimo.parse(PENDULUM)]

        def some(count):
            for _ in range(count):
                for s in scenarios:
                    s.run(threads=1, progress=False).frame(every=5)
            gc.collect()

        some(50)
        before = resident()
        some(150)
        # Per run a leak of the results alone would be 60 kB.
        self.assertLess(resident() - before, 2_000_000)

    def test_failures_leak_nothing(self):
        wrong = CHAIN.replace("rtol:", "rtl:")
        failing = cosimo.parse(CHAIN.replace("rtol: 1.0e-4", "rtol: 1.0e-4, max_steps: 2"))

        def some(count):
            for _ in range(count):
                try:
                    cosimo.parse(wrong)
                except cosimo.Error:
                    pass
                try:
                    failing.run(threads=1, progress=False)
                except cosimo.RunFailed:
                    pass
            gc.collect()

        some(50)
        before = resident()
        some(150)
        self.assertLess(resident() - before, 2_000_000)

    def test_views_cost_nothing(self):
        text = CHAIN.replace("masses: 60", "masses: 1000").replace("output: 0.01", "output: 4.0e-5") \
            .replace("end: 0.4", "end: 0.04")
        r = cosimo.parse(text).run(progress=False)
        numbers = len(r) * len(r.time)
        self.assertGreater(numbers, 2_000_000)
        r.names, gc.collect()
        before = resident()
        views = [r[name] for name in r.names]
        sums = [float(view[::7].sum()) for view in views]
        self.assertTrue(np.isfinite(sums).all())
        self.assertLess(resident() - before, 8 * numbers / 4)


if __name__ == "__main__":
    unittest.main()
