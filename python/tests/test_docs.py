"""docs/python.md: every example runs, in order; and the package says what it is."""
import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import unittest
import warnings

import cosimo
from cosimo import studies
from models import PROGRAM, SOURCE

PAGE = os.path.join(SOURCE, "docs", "python.md")


def blocks():
    """Line, what it needs, and text of every block."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    for found in re.finditer(r"(?:<!-- test: needs (\S+) -->\n)?```python\n(.*?)```", text, re.S):
        yield text.count("\n", 0, found.start(2)) + 1, found[1], found[2]


def there(what):
    return importlib.util.find_spec(what) is not None or os.path.exists(
        os.path.join(os.path.dirname(PROGRAM), what))


class Page(unittest.TestCase):
    def test_every_example_runs(self):
        os.makedirs("page")
        shutil.copytree(os.path.join(SOURCE, "examples"), "page/examples")
        before = os.getcwd()
        os.chdir("page")
        names, left_out, ran = {}, [], 0
        try:
            for line, needs, text in blocks():
                if needs and not there(needs):
                    left_out.append(f"line {line} needs {needs}")
                    continue
                with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                    warnings.simplefilter("ignore", cosimo.SlowElement)
                    exec(compile("\n" * (line - 1) + text, PAGE, "exec"), names)
                ran += 1
        finally:
            os.chdir(before)
        print(f"{ran} blocks;", "; ".join(left_out) or "none left out")
        self.assertGreater(ran, 8)

    def test_everything_public_has_a_docstring_and_is_listed(self):
        for name in cosimo.__all__:
            self.assertTrue(getattr(cosimo, name).__doc__, name)
        self.assertEqual(cosimo.__all__, sorted(cosimo.__all__))

    def test_the_stub_knows_the_module(self):
        """What _core has and what _core.pyi says it has are the same."""
        import ast

        folder = os.path.dirname(cosimo.__file__)
        self.assertTrue(os.path.exists(os.path.join(folder, "py.typed")))
        with open(os.path.join(folder, "_core.pyi"), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        said = {}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                said[node.name] = {each.name if isinstance(each, ast.FunctionDef) else each.target.id
                                   for each in node.body}
            elif isinstance(node, ast.FunctionDef):
                said[node.name] = set()
            elif isinstance(node, ast.AnnAssign):
                said[node.target.id] = set()
        core = cosimo._core
        self.assertEqual(set(said), {name for name in dir(core) if not name.startswith("_")})
        for name, methods in said.items():
            if methods:
                self.assertEqual(methods - {"__init__"},
                                 {each for each in dir(getattr(core, name)) if not each.startswith("_")}, name)

    def test_loading_needs_nothing_and_touches_nothing(self):
        """No pandas, no IPython, no numba, no MPI, and signals as they were."""
        script = ("import signal, sys\nold = [signal.getsignal(n) for n in range(1, 32)]\nimport cosimo\n"
                  "assert old == [signal.getsignal(n) for n in range(1, 32)]\n"
                  "r = cosimo.parse(open(sys.argv[1]).read()).run()\n"
                  "assert old == [signal.getsignal(n) for n in range(1, 32)]\n"
                  "print([m for m in ('pandas', 'IPython', 'numba', 'matplotlib') if m in sys.modules])\n")
        done = subprocess.run([sys.executable, "-c", script, os.path.join(SOURCE, "examples", "quickstart.yaml")],
                              capture_output=True, text=True, check=True)
        self.assertEqual((done.stdout.strip(), done.stderr), ("[]", ""))

    def test_the_program_starts_python(self):
        with open("script.py", "w", encoding="utf-8") as file:
            file.write("import sys, cosimo\nprint(sys.argv[1:], cosimo.__version__)\nsys.exit(5)\n")
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run([PROGRAM, "python", "script.py", "a b", "--help"], capture_output=True, text=True,
                              env=environment)
        self.assertEqual((done.returncode, done.stdout), (5, f"['a b', '--help'] {cosimo.__version__}\n"), done.stderr)

    def test_studies(self):
        if not there("cosimo-study"):
            with self.assertRaisesRegex(cosimo.RunFailed, "cosimo study"):
                studies.list()
            return
        self.assertGreater(len(studies.list()), 5)
        with self.assertRaises(cosimo.Error):
            studies.run("no-such-study")


class Scripts(unittest.TestCase):
    """examples/python/*.py, as a user starts them."""

    def run_script(self, name, *words):
        done = subprocess.run([PROGRAM, "python", os.path.join(SOURCE, "examples", "python", name), *words],
                              capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_damping(self):
        rows = [line.split() for line in self.run_script("damping.py").splitlines()[1:]]
        peaks = [float(row[-1]) for row in rows]
        self.assertGreater(len(rows), 3)
        self.assertGreater(max(peaks), min(peaks))

    def test_controller(self):
        tilt = float(self.run_script("controller.py").split()[-2])
        self.assertLess(abs(tilt), 1.0)

    def test_lattice(self):
        self.assertIn("bodies", self.run_script("lattice.py", "8"))


if __name__ == "__main__":
    unittest.main()
