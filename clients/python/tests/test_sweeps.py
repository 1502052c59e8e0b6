"""Jobs whose tasks do the same with other values."""

import unittest

import remuda
from tests.fake import job, server, whole


class SweepTest(unittest.TestCase):
    def test_what_tells_the_tasks_apart_is_sent_as_the_server_reads_it(self) -> None:
        with server(whole(201, {"ids": [1]}), job()) as (home, asked), remuda.Client(home) as me:
            me.submit(
                ["train.py", "{lr}"],
                params={"lr": [0.1, 0.2], "seed": range(3), "net": "a,b"},
                entries=({"size": 1}, "x"),
                max_fails=2,
                first=True,
            )
        body = asked[0][1]
        self.assertEqual(body["params"], {"lr": "0.1,0.2", "seed": "0,1,2", "net": "a,b"})
        self.assertEqual(body["entries"], [{"size": 1}, "x"])
        self.assertEqual((body["maxFails"], body["first"]), (2, True))
        self.assertNotIn("lines", body)

    def test_a_value_that_would_be_two_is_refused(self) -> None:
        with server() as (home, _), remuda.Client(home) as me:
            with self.assertRaisesRegex(ValueError, "params\\['lr'\\] has the value 'a,b'"):
                me.submit(["train.py"], params={"lr": ["a,b"]})


if __name__ == "__main__":
    unittest.main()
