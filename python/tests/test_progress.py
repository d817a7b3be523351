"""How far a run is: a bar where somebody looks, silence elsewhere."""
import os
import pty
import subprocess
import sys
import unittest

import cosimo
from models import CHAIN, LONG

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = """
import cosimo
from models import LONG
cosimo.parse(LONG, {SETTINGS}).run(WORDS)
"""


def on_terminal(settings, words=""):
    """What a run of some seconds writes to a terminal."""
    master, slave = pty.openpty()
    script = SCRIPT.replace("SETTINGS", settings).replace("WORDS", words)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=slave, stderr=slave, stdin=subprocess.DEVNULL,
                               env={**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + HERE})
    os.close(slave)
    written = b""
    while True:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    os.close(master)
    assert process.wait() == 0, written
    return written.decode()


class Bars(unittest.TestCase):
    def test_a_terminal_gets_a_bar_and_is_left_clean(self):
        shown = on_terminal('"simulate.end": 8')
        self.assertIn("━", shown)
        self.assertIn("%", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown[-30:]))

    def test_silence(self):
        self.assertEqual(on_terminal('"simulate.end": 8', "progress=False"), "")
        self.assertEqual(on_terminal('"simulate.end": 8, "run.progress": "off"'), "")
        self.assertEqual(on_terminal('"simulate.end": 0.05, "simulate.output": 0.01'), "")  # over before a bar is worth it
        done = subprocess.run([sys.executable, "-c", SCRIPT.replace("SETTINGS", '"simulate.end": 8')
                               .replace("WORDS", "")], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + HERE})
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_a_function_is_told(self):
        told = []
        cosimo.parse(LONG, {"simulate.end": 10}).run(progress=told.append)
        self.assertGreater(len(told), 1)
        shares = [progress.share for progress in told]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(all(0 <= share <= 1 for share in shares))
        self.assertIn("%", told[0].text)

    def test_notes_are_warnings(self):
        text = CHAIN
        with self.assertWarnsRegex(cosimo.RunNote, "checkpoint"):
            cosimo.parse(text).run(out="fresh.out", resume=True)


if __name__ == "__main__":
    unittest.main()
