import importlib
import sys
import unittest

from classes import ROOT


class SubjectsTest(unittest.TestCase):
    def test_each_subject_can_be_measured(self):
        before = list(sys.path)
        sys.path.insert(0, str(ROOT / "bench"))
        try:
            for name in importlib.import_module("bench").SUBJECTS:
                with self.subTest(name):
                    self.assertTrue(callable(importlib.import_module(f"subjects.{name}").measure))
        finally:
            sys.path[:] = before


if __name__ == "__main__":
    unittest.main()
