"""The notebooks of examples/python run, results show themselves, and Ctrl-C works in a kernel, twice."""
import importlib.util
import json
import os
import shutil
import sys
import time
import unittest

from models import LONG, SOURCE

NEEDED = ("nbclient", "nbformat", "ipykernel")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]


def kernels():
    """A kernel of this interpreter, whatever else is installed."""
    place = os.path.abspath("jupyter/kernels/python3")
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(place, "kernel.json"), "w", encoding="utf-8") as file:
        json.dump({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                   "display_name": "Python 3", "language": "python"}, file)
    os.environ.update(JUPYTER_PATH=os.path.abspath("jupyter"), JUPYTER_DATA_DIR=os.path.abspath("jupyter"),
                      JUPYTER_RUNTIME_DIR=os.path.abspath("jupyter/runtime"), IPYTHONDIR=os.path.abspath("ipython"),
                      JUPYTER_PREFER_ENV_PATH="0")


@unittest.skipIf(MISSING, f"{', '.join(MISSING)} not installed")
class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kernels()
        shutil.copytree(os.path.join(SOURCE, "examples"), "examples")

    def execute(self, name):
        import nbclient
        import nbformat

        with open(f"examples/python/{name}", encoding="utf-8") as file:
            notebook = nbformat.read(file, as_version=4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                resources={"metadata": {"path": "examples/python"}}).execute()
        return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]

    def pages(self, outputs):
        return [output.data["text/html"] for output in outputs if "data" in output and "text/html" in output.data]

    def test_vehicle(self):
        pages = self.pages(self.execute("vehicle.ipynb"))
        self.assertTrue(any("<polyline" in page and "ok" in page for page in pages))
        self.assertTrue(any("failed" in page for page in pages))

    def test_model(self):
        self.assertTrue(any("<polyline" in page for page in self.pages(self.execute("model.ipynb"))))

    def test_all_notebooks_are_tested(self):
        there = {name for name in os.listdir("examples/python") if name.endswith(".ipynb")}
        self.assertEqual(there, {"vehicle.ipynb", "model.ipynb"})


@unittest.skipIf(MISSING, f"{', '.join(MISSING)} not installed")
class Interrupting(unittest.TestCase):
    def setUp(self):
        from jupyter_client.manager import start_new_kernel

        kernels()
        self.manager, self.client = start_new_kernel(kernel_name="python3")

    def tearDown(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run_cell(self, code, interrupt=False):
        """What the cell shows, and the name of the exception it ends with."""
        # Cells that come right behind one that raised would be left out.
        identity = self.client.execute(code, stop_on_error=False)
        shown, ended = [], None
        busy = False
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != identity:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind in ("display_data", "update_display_data", "execute_result"):
                shown.append(content["data"])
                if interrupt and not busy:  # the bar is there: the run has begun
                    busy = True
                    self.manager.interrupt_kernel()
            elif kind == "error":
                ended = content["ename"]
            elif kind == "stream":
                shown.append(content["text"])
            elif kind == "status" and content["execution_state"] == "idle":
                return shown, ended

    def test_twice_and_the_kernel_lives_on(self):
        self.assertEqual(self.run_cell(f"import cosimo\ns = cosimo.parse('''{LONG}''')"), ([], None))
        for _ in range(2):
            begin = time.monotonic()
            shown, ended = self.run_cell("s.run()", interrupt=True)
            self.assertEqual(ended, "Interrupted")
            self.assertIn("<progress", shown[0]["text/html"])
            self.assertLess(time.monotonic() - begin, 30)
        shown, ended = self.run_cell("s.set({'simulate.end': 0.01, 'simulate.output': 0.001}).run()")
        self.assertIsNone(ended)
        self.assertIn("ok", shown[-1]["text/html"])


if __name__ == "__main__":
    unittest.main()
