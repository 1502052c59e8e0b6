"""What comes in parts is put together."""

import io
import sys
import unittest
from contextlib import redirect_stdout
from typing import Any, Dict, Optional

import remuda
from remuda.command.grn_run import show_output
from tests import fake


def page(first: int, count: int, following: Optional[int]) -> Dict[str, Any]:
    tasks = [
        {
            "id": f"1.{index}",
            "index": index,
            "state": "succeeded",
            "attempt": 1,
            "node": "n",
            "devices": [],
            "startedAt": None,
            "endedAt": None,
            "cause": None,
            "exitCode": 0,
            "signal": None,
            "peakRssBytes": None,
            "cpuMillis": None,
            "wallMillis": None,
        }
        for index in range(first, first + count)
    ]
    return {"tasks": tasks, "next": following}


class PagesTest(unittest.TestCase):
    def test_tasks_are_asked_for_until_there_are_enough(self) -> None:
        script = fake.whole(200, page(0, 3, 3)), fake.whole(200, page(3, 2, None))
        with fake.server(*script) as (home, asked), remuda.Client(home) as client:
            self.assertEqual([task.index for task in client.tasks(1)], [0, 1, 2, 3, 4])
        self.assertIn("first=3&limit=997", asked[1][0])

    def test_output_goes_on_where_it_was(self) -> None:
        first = fake.events(
            'event: out\ndata: {"task": "1.0", "attempt": 1, "offset": 0, "data": "YWJj"}\n\n'
        )
        rest = fake.events(
            'event: out\ndata: {"task": "1.0", "attempt": 1, "offset": 3, "data": "ZGVm"}\n\n'
            "event: end\ndata: {}\n\n"
        )
        script = fake.job(), first, fake.job(), rest, fake.job()
        with fake.server(*script) as (home, asked), remuda.Client(home) as client:
            shown = io.TextIOWrapper(io.BytesIO())
            with redirect_stdout(shown):
                show_output(client, client.show(1))
                sys.stdout.flush()
        self.assertEqual(shown.buffer.getvalue(), b"abcdef")  # type: ignore[attr-defined]
        self.assertTrue(asked[3][0].endswith("/output?after=0.1.3.0"), asked[3][0])


if __name__ == "__main__":
    unittest.main()
