"""Other users of HDF5 in the same process, loaded first or last."""
import importlib.util
import os
import subprocess
import sys
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BOTH = textwrap.dedent("""
    import numpy as np
    from models import CHAIN
    r = cosimo.parse(CHAIN).run(out="shared.out")
    def others(value):  # a file of the other library, open across a run of ours
        if {other!r} == "h5py":
            with h5py.File("other.h5", "w") as file:
                file["x"] = np.full(5, value)
                cosimo.parse(CHAIN).run(out="within.out", replace=True)
            with h5py.File("other.h5") as file:
                assert (file["x"][:] == value).all()
            with h5py.File("shared.out/results.h5") as file:
                assert (file["position"][:, 6] == r["7.x"]).all()
        else:
            with tables.open_file("other.h5", "w") as file:
                file.create_array("/", "x", np.full(5, value))
                cosimo.parse(CHAIN).run(out="within.out", replace=True)
            with tables.open_file("other.h5") as file:
                assert (file.root.x[:] == value).all()
            with tables.open_file("shared.out/results.h5") as file:
                assert (file.root.position[:, 6] == r["7.x"]).all()
    others(1.0)
    assert (np.asarray(cosimo.open("shared.out")["7.x"]) == r["7.x"]).all()
    others(2.0)
    try:
        cosimo.open("other.h5")
    except cosimo.Error:
        print("done")
""")


class Together(unittest.TestCase):
    def both(self, other, order):
        if importlib.util.find_spec(other) is None:
            self.skipTest(f"{other} is not installed")
        script = "\n".join(f"import {name}" for name in order) + BOTH.replace("{other!r}", repr(other))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + HERE})
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "done"), done.stderr)
        self.assertNotIn("HDF5", done.stderr)

    def test_h5py_first(self):
        self.both("h5py", ["h5py", "cosimo"])

    def test_h5py_last(self):
        self.both("h5py", ["cosimo", "h5py"])

    def test_tables_first(self):
        self.both("tables", ["tables", "cosimo"])

    def test_tables_last(self):
        self.both("tables", ["cosimo", "tables"])


if __name__ == "__main__":
    unittest.main()
