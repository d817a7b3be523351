"""Ctrl-C: a run ends in order, as often as one likes, and the interpreter lives on."""
import os
import signal
import subprocess
import sys
import textwrap
import threading
import unittest

import cosimo
from models import CHAIN, LONG

HERE = os.path.dirname(os.path.abspath(__file__))


class Kick:
    """SIGINT to this process, when the run has begun."""

    def __init__(self, times=1):
        self.left = times

    def __call__(self, progress):
        if self.left > 0:
            self.left -= 1
            os.kill(os.getpid(), signal.SIGINT)


class Interrupt(unittest.TestCase):
    def test_a_run_ends_in_order_twice(self):
        before = signal.getsignal(signal.SIGINT)
        for turn in range(2):
            out = f"interrupted{turn}.out"
            with self.assertRaises(KeyboardInterrupt) as caught:
                cosimo.parse(LONG).run(out=out, progress=Kick())
            self.assertIsInstance(caught.exception, cosimo.Interrupted)
            result = caught.exception.result
            self.assertEqual(result.status, "interrupted")
            self.assertFalse(result.ok)
            self.assertGreater(len(result.time), 0)
            self.assertEqual(cosimo.open(out).summary["status"], "interrupted")
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        self.assertTrue(cosimo.parse(CHAIN).run().ok)

    def test_an_interrupted_run_is_resumed(self):
        text = LONG.replace("end: 1000", "end: 8")
        whole = cosimo.parse(text).run()
        with self.assertRaises(cosimo.Interrupted):
            cosimo.parse(text).run(out="resumed.out", progress=Kick())
        r = cosimo.parse(text).run(out="resumed.out", resume=True)
        self.assertTrue(r.ok)
        self.assertIn("resumed_from", r.summary)
        self.assertEqual(r["30.x"][-1], whole["30.x"][-1])

    def test_step_by_step_too(self):
        sim = cosimo.parse(LONG).start()
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.advance(1000)
        reached = sim.time
        self.assertLess(reached, 1000)
        sim.advance(reached + 1e-3)
        self.assertEqual(sim.time, reached + 1e-3)

    def test_a_second_one_does_not_wait(self):
        """In a process of its own: the run that is left alone ends while the interpreter exits, without a crash."""
        script = textwrap.dedent("""
            import os, signal, threading, time
            import cosimo
            from cosimo import _work
            from models import LONG
            class Slow:  # a task that takes its time to end
                def __init__(self, task): self.task, self.asked = task, 0
                def __getattr__(self, name): return getattr(self.task, name)
                def wait(self, seconds):
                    return self.task.wait(seconds) and (self.asked == 0 or time.monotonic() > self.asked + 2)
                def interrupt(self):
                    self.asked = self.asked or time.monotonic()
                    self.task.interrupt()
            start = cosimo._core.start_run
            cosimo._core.start_run = lambda *a, **k: Slow(start(*a, **k))
            for after in (0.5, 1.0):
                threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                cosimo.parse(LONG).run(progress=False)
            except KeyboardInterrupt as raised:
                print("left" if len(_work._unfinished) == 1 else "waited", flush=True)
        """)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + HERE})
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "left"), done.stderr)

    def test_the_interpreter_exits_during_a_run(self):
        """Of a daemon thread, for which Python does not wait."""
        script = textwrap.dedent("""
            import threading
            import cosimo
            from models import LONG
            begun = threading.Event()
            run = lambda: cosimo.parse(LONG).run(progress=lambda progress: begun.set())
            threading.Thread(target=run, daemon=True).start()
            assert begun.wait(60)
        """)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + HERE})
        self.assertEqual(done.returncode, 0, done.stderr)  # the thread may still tell that its run was ended


if __name__ == "__main__":
    unittest.main()
