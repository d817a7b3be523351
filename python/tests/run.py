"""Runs one file of tests in a folder of its own. What is skipped is named; where all is, the exit code is 77."""
import importlib.util
import os
import sys
import tempfile
import unittest

file = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.dirname(file))
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    spec = importlib.util.spec_from_file_location("tests", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["tests"] = module
    spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    if len(sys.argv) > 2:
        suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:], module)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    os.chdir("/")
if result.testsRun == 0 and not result.skipped:
    sys.exit("no tests")
if not result.wasSuccessful():
    sys.exit(1)
sys.exit(77 if len(result.skipped) == result.testsRun else 0)
