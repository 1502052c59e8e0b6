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

    def test_a_task_with_a_number_of_its_own_is_taken_for_a_job_of_one_task(self) -> None:
        none = whole(404, {"error": {"code": "not-found", "message": "there is no job 8"}})
        item = whole(200, {"filtered": True, "jobs": [{"id": 5, "task": 2}]})
        task = {"index": 2, "state": "failed", "cause": "exit code 3", "exitCode": 3}
        page = whole(200, {"tasks": [{**task, "startedAt": None, "endedAt": None}]})
        with server(none, item, job(id=5, tasks=3), page) as (home, asked), remuda.Client(home) as me:
            (ended,) = me.wait(8)
        self.assertEqual((ended.id, ended.tasks, ended.state), (8, 1, "failed"))
        self.assertEqual((ended.exit_code, ended.reason), (3, "exit code 3"))
        with server(none, item, whole(200, {})) as (home, asked), remuda.Client(home) as me:
            me.cancel(8, now=True)
        self.assertEqual(asked[2][0], "/api/v1/jobs/5/tasks/2/cancel?now=1")

    def test_a_job_costs_one_request_and_a_task_is_not_put_on_hold(self) -> None:
        with server(whole(200, {})) as (home, asked), remuda.Client(home) as me:
            me.cancel(5)
        self.assertEqual([path for path, _ in asked], ["/api/v1/jobs/5/cancel"])
        none = whole(404, {"error": {"code": "not-found", "message": "there is no job 8"}})
        with server(none) as (home, asked), remuda.Client(home) as me:
            with self.assertRaises(remuda.NotFound):
                me.hold(8)
        self.assertEqual(len(asked), 1)


if __name__ == "__main__":
    unittest.main()
