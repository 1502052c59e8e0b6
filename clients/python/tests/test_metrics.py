import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from pathlib import Path
from typing import Dict, List

import remuda
from remuda import _metrics

CLIENT = Path(__file__).parents[1]


class MetricTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="remuda-")
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "metrics")
        before = os.environ.get(_metrics.FILE)
        os.environ[_metrics.FILE] = str(self.file)
        self.addCleanup(self._restore, before)
        self._forget()

    def _restore(self, before: "str | None") -> None:
        os.environ.pop(_metrics.FILE, None)
        if before is not None:
            os.environ[_metrics.FILE] = before
        self._forget()

    @staticmethod
    def _forget() -> None:
        if _metrics._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(_metrics._descriptor)
        _metrics._forget()
        _metrics._warned.clear()

    def lines(self) -> List[List[str]]:
        return [line.split(" ") for line in self.file.read_text("ascii").splitlines()]

    def warned(self, *arguments: object, **options: object) -> str:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            remuda.metric(*arguments, **options)  # type: ignore[arg-type]
        return "; ".join(str(one.message) for one in told)

    def test_a_call_is_a_line_with_name_value_step_and_time(self) -> None:
        remuda.metric("val/loss", 0.25, step=200)
        remuda.metric("n", True)
        remuda.metric("n", float("nan"), 1.5)
        first, second, third = self.lines()
        self.assertEqual(["val/loss", "0.25", "200"], first[:3])
        self.assertGreater(float(first[3]), 1.7e9)
        self.assertEqual(["n", "1.0", "-"], second[:3])
        self.assertEqual(["n", "nan", "1.5"], third[:3])

    def test_whatever_float_takes_is_a_value(self) -> None:
        class Tensor:
            def __float__(self) -> float:
                return 0.5

        remuda.metric("loss", Tensor(), step=Tensor())
        self.assertEqual(["loss", "0.5", "0.5"], self.lines()[0][:3])

    def test_what_cannot_be_reported_is_one_warning_and_no_exception(self) -> None:
        self.assertIn("'two words' is not reported", self.warned("two words", 1))
        self.assertEqual("", self.warned("two words", 2))
        self.assertIn("is not reported", self.warned("loss", "much"))
        self.assertIn("is not reported", self.warned("loss", None))
        self.assertIn("is not reported", self.warned("x" * 65, 1))
        self.assertIn("is not reported", self.warned(None, 1))
        self.assertFalse(self.file.exists())

    def test_outside_of_a_task_there_is_one_warning_and_nothing_else(self) -> None:
        del os.environ[_metrics.FILE]
        self.assertIn("not a task of Remuda", self.warned("loss", 1))
        self.assertEqual("", self.warned("loss", 2))

    def test_a_file_that_cannot_be_written_breaks_nothing(self) -> None:
        os.environ[_metrics.FILE] = "/nowhere/at/all"
        self.assertIn("is not reported", self.warned("loss", 1))
        self.assertEqual("", self.warned("loss", 2))

    def test_a_pipe_that_nobody_reads_holds_nobody(self) -> None:
        os.mkfifo(self.file)
        self.assertIn("is not reported", self.warned("loss", 1))

    def test_a_descriptor_that_became_another_file_is_not_written_to(self) -> None:
        remuda.metric("loss", 1)
        other = self.file.with_name("other")
        with open(other, "wb") as stream:
            os.dup2(stream.fileno(), _metrics._descriptor or -1)
            remuda.metric("loss", 2)
        self.assertEqual(b"", other.read_bytes())
        self.assertEqual(["1.0", "2.0"], [line[1] for line in self.lines()])

    def test_lines_of_threads_forked_and_started_processes_stay_whole(self) -> None:
        remuda.metric("before", 0)

        def many(name: str) -> None:
            for step in range(300):
                remuda.metric(name, step, step)

        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                many("fork")
                os._exit(0)
            children.append(child)
        script = "import remuda\nfor step in range(300): remuda.metric('rank', step, step)"
        environment: Dict[str, str] = dict(os.environ, PYTHONPATH=str(CLIENT))
        ranks = [
            subprocess.Popen([sys.executable, "-c", script], env=environment) for _ in range(2)
        ]
        threads = [threading.Thread(target=many, args=("thread",)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for child in children:
            self.assertEqual(0, os.waitpid(child, 0)[1])
        for rank in ranks:
            self.assertEqual(0, rank.wait())
        lines = self.lines()
        self.assertEqual({4}, {len(line) for line in lines})
        counts = {name: sum(line[0] == name for line in lines) for name in ("fork", "rank", "thread")}
        self.assertEqual({"fork": 900, "rank": 600, "thread": 900}, counts)


if __name__ == "__main__":
    unittest.main()
