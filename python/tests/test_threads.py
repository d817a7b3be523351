"""The lock of the interpreter is free while the library works."""
import threading
import time
import unittest

import numpy as np

import cosimo
from models import CHAIN, LONG


class Threads(unittest.TestCase):
    def test_two_runs_are_in_the_solver_at_once(self):
        """Each run is held back by nothing but an event that only the other one's progress sets."""
        s = cosimo.parse(LONG)
        met = [threading.Event(), threading.Event()]
        seen = [[], []]
        results = [None, None]

        def one(me):
            def listen(progress):
                seen[me].append(progress.share)
                met[me].set()

            results[me] = s.set({"simulate.end": 20}).run(threads=1, progress=listen)

        # Both report progress before either has ended: neither waited for the other's end.
        threads = [threading.Thread(target=one, args=(i,)) for i in range(2)]
        for thread in threads:
            thread.start()
        self.assertTrue(met[0].wait(60) and met[1].wait(60))
        overlapped = all(result is None for result in results)
        for thread in threads:
            thread.join()
        self.assertTrue(overlapped, "one had ended before the other began")
        np.testing.assert_array_equal(results[0]["7.x"], results[1]["7.x"])
        self.assertTrue(all(0 <= share <= 1 for share in seen[0] + seen[1]))

    def test_python_goes_on_meanwhile(self):
        s = cosimo.parse(LONG, {"simulate.end": 5})
        thread = threading.Thread(target=lambda: s.run(threads=1, progress=False))
        thread.start()
        turns, longest, before = 0, 0.0, time.monotonic()
        while thread.is_alive():
            time.sleep(0.001)
            now = time.monotonic()
            longest, before, turns = max(longest, now - before), now, turns + 1
        self.assertGreater(turns, 3)
        self.assertLess(longest, 5)

    def test_many_threads_give_the_same_bits(self):
        s = cosimo.parse(CHAIN)
        expected = s.run(threads=1)["30.x"].tobytes()
        found = []
        threads = [threading.Thread(target=lambda: found.append(s.run(threads=1)["30.x"].tobytes())) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 6)

    def test_a_listener_that_raises_ends_the_run(self):
        def listen(progress):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            cosimo.parse(LONG).run(progress=listen)


if __name__ == "__main__":
    unittest.main()
