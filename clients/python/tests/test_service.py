"""What the package does with a real server."""

import json
import os
import signal
import tempfile
import threading
import time
import unittest
import warnings
from datetime import timedelta
from pathlib import Path
from typing import Any, Dict
from unittest import mock

import remuda
from remuda import _transport
from tests import fake
from tests.service import OUTPUT_LIMIT_MIB, ServiceCase
from tests.waiting import WAIT_SECONDS


class JobsTest(ServiceCase):
    def test_a_job_ends_with_its_exit_code(self) -> None:
        good, bad = self.client.submit(["true"]), self.client.submit(shell="exit 3")
        ended = self.ended(good, bad)
        self.assertEqual([(j.state, j.exit_code) for j in ended], [("succeeded", 0), ("failed", 3)])
        self.assertLessEqual(ended[0].submitted_at, ended[0].ended_at)

    def test_a_comment_is_kept(self) -> None:
        job = self.client.submit(["true"], comment="second try")
        answer = self.client._transport.request("GET", f"/jobs/{job.id}").json()
        self.assertEqual(answer["terms"]["comment"], "second try")

    def test_both_streams_are_read_byte_for_byte(self) -> None:
        job = self.client.submit(shell=r"printf 'out\000\377'; printf err >&2")
        self.assertEqual(self.output(job), b"out\x00\xff")
        self.assertEqual(self.output(job, err=True), b"err")

    def test_a_job_gets_the_environment_folder_and_umask_of_its_submitter(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, INHERITED="yes"):
            job = self.client.submit(
                shell="echo $INHERITED $GIVEN; pwd; umask", env={"GIVEN": "ü"}, workdir=folder
            )
            umask = os.umask(0)
            os.umask(umask)
            expected = f"yes ü\n{os.path.realpath(folder)}\n{umask:04o}\n"
            self.assertEqual(self.output(job).decode(), expected)

    def test_an_array_has_a_result_and_output_for_each_task(self) -> None:
        job = self.client.submit(shell="echo $REMUDA_TASK_INDEX; exit $REMUDA_TASK_INDEX", count=3)
        self.assertEqual(self.ended(job)[0].tasks, 3)
        tasks = self.client.tasks(job)
        self.assertEqual([(t.index, t.exit_code) for t in tasks], [(0, 0), (1, 1), (2, 2)])
        self.assertEqual([t.index for t in self.client.tasks(job, first=1, limit=1)], [1])
        self.assertEqual([self.output(job, task=i) for i in range(3)], [b"0\n", b"1\n", b"2\n"])

    def test_a_dependency_is_kept(self) -> None:
        first = self.client.submit(shell="exit 1", hold=True)
        after_failure = self.client.submit(["true"], after=f"{first.id}:fail")
        after_success = self.client.submit(["true"], after=[first])
        self.assertEqual(after_failure.state, "submitted")
        self.client.release(first)
        ended = self.ended(first, after_failure, after_success)
        self.assertEqual([j.state for j in ended], ["failed", "succeeded", "cancelled"])
        self.assertGreaterEqual(ended[1].started_at, ended[0].ended_at)

    def test_one_of_several_jobs_is_enough(self) -> None:
        failing = self.client.submit(shell="exit 1")
        never = self.client.submit(["true"], hold=True)
        job = self.client.submit(["true"], after_one_of=[f"{failing.id}:any", never])
        self.assertEqual(self.ended(job)[0].state, "succeeded")
        self.client.cancel(never)

    def test_a_cancelled_job_ends_and_is_refused_another_cancellation(self) -> None:
        job = self.client.submit(shell="echo started; exec sleep 600")
        next(self.client.logs(job, follow=True))
        self.client.cancel(job)
        self.assertEqual(self.ended(job)[0].state, "cancelled")
        with self.assertRaisesRegex(remuda.Refused, f"job {job.id} is over: cancelled"):
            self.client.cancel(job)

    def test_a_running_task_gets_a_signal(self) -> None:
        job = self.client.submit(shell="trap 'exit 5' USR1; echo ready; while :; do sleep 0.1; done")
        next(self.client.logs(job, follow=True))
        self.await_running(job)  # its output may be there before the report of its start
        self.assertEqual(self.client.signal(job, "USR1"), [f"{job.id}.0"])
        self.assertEqual(self.ended(job)[0].exit_code, 5)
        with self.assertRaisesRegex(remuda.Refused, "runs: it is failed"):
            self.client.signal(job, "USR1")

    def test_the_number_of_a_task_stands_for_the_task(self) -> None:
        job = self.client.submit(
            shell="trap 'exit 5' USR1; echo task $SLURM_JOB_ID; while :; do sleep 0.1; done",
            array="3,7",
            env={"REMUDA_SBATCH": "1"},
        )
        self.addCleanup(self.client.wait, job, timeout=WAIT_SECONDS)
        self.addCleanup(self.client.cancel, job, now=True)
        second = job.id + 2
        self.assertEqual(next(self.client.logs(job, task=1, follow=True)), b"task %d\n" % second)
        self.assertEqual(next(self.client.logs(second, follow=True)), b"task %d\n" % second)
        self.assertEqual([task.index for task in self.client.tasks(second)], [1])
        self.assertEqual(self.client.explain(second).state, self.client.explain(job).state)
        self.assertEqual(self.client.signal(second, "USR1"), [f"{job.id}.1"])
        self.assertEqual(self.ended(second)[0].exit_code, 5)
        self.assertEqual(b"".join(self.client.logs(second)), b"task %d\n" % second)
        again = self.client.resubmit(second)
        self.assertEqual(again.tasks, 1)
        self.client.cancel(again, now=True)
        self.ended(again)
        for asked in (self.client.logs, self.client.explain, self.client.tasks):
            with self.assertRaises(remuda.NotFound):
                list(asked(job.id + 3000))  # type: ignore[call-overload]

    def test_a_task_has_its_grace_unless_it_is_cancelled_now(self) -> None:
        deaf = "trap '' TERM; echo started; while :; do sleep 0.1; done"
        for grace, now in (("1s", False), (timedelta(hours=1), True)):
            job = self.client.submit(shell=deaf, grace=grace, time_limit="2h", signal="USR1@1h")
            next(self.client.logs(job, follow=True))
            self.client.cancel(job, now=now)
            self.assertEqual(self.ended(job)[0].state, "cancelled")

    def test_wait_gives_up_in_time_and_the_job_goes_on(self) -> None:
        job = self.client.submit(["true"], hold=True)
        begin = time.monotonic()
        with self.assertRaises(remuda.Timeout) as raised:
            self.client.wait(job, timeout=0.3)
        self.assertTrue(0.3 <= time.monotonic() - begin < 30)
        self.assertIsInstance(raised.exception, TimeoutError)
        self.assertEqual(raised.exception.job.state, "held")
        self.client.release(job)
        self.assertTrue(self.ended(job)[0].succeeded)

    def test_wait_with_check_raises_the_first_that_failed_once_all_are_over(self) -> None:
        jobs = [self.client.submit(shell=f"exit {code}") for code in (0, 7, 8)]
        with self.assertRaisesRegex(remuda.JobFailed, "failed: .*exit code 7") as raised:
            self.client.wait(*jobs, timeout=WAIT_SECONDS, check=True)
        self.assertEqual((raised.exception.job.id, raised.exception.exit_code), (jobs[1].id, 7))
        self.assertTrue(all(self.client.show(job).over for job in jobs))

    def test_a_followed_log_comes_while_the_job_runs_and_ends_with_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            gate = Path(folder, "gate")
            os.mkfifo(gate)
            job = self.client.submit(shell=f"echo one; read line < {gate}; echo $line")
            log = self.client.logs(job, follow=True)
            self.assertEqual(next(log), b"one\n")
            gate.write_text("two\n")
            self.assertEqual(b"".join(log), b"two\n")

    def test_a_job_is_requeued_and_runs_again_from_what_it_has_saved(self) -> None:
        job = self.client.submit(
            shell="trap 'exit 0' USR1; echo try $REMUDA_ATTEMPT; test $REMUDA_ATTEMPT = 2 && exit;"
            " while :; do sleep 0.1; done",
            preemptible=True,
            preempt_signal="USR1",
            preempt_after=0,
            max_preemptions=3,
        )
        for piece in self.client.logs(job, follow=True):
            if b"try 1" in piece:
                self.client.requeue(job)
        self.assertEqual("succeeded", self.client.wait(job)[0].state)

    def test_a_followed_log_goes_through_retries_and_one_attempt_can_be_asked_for(self) -> None:
        job = self.client.submit(shell="echo $REMUDA_ATTEMPT; test $REMUDA_ATTEMPT = 3", retries=2)
        self.assertEqual(b"".join(self.client.logs(job, follow=True)), b"1\n2\n3\n")
        self.assertEqual(self.output(job, attempt=2), b"2\n")
        self.assertEqual(self.output(job), b"3\n")

    def test_output_of_many_answers_is_whole(self) -> None:
        job = self.client.submit(shell="head -c 3000000 /dev/zero | tr '\\0' x")
        self.assertEqual(self.output(job), b"x" * 3_000_000)

    def test_output_that_is_not_kept_is_warned_of(self) -> None:
        job = self.client.submit(
            shell=f"head -c {3 * OUTPUT_LIMIT_MIB << 20} /dev/zero; sleep 3; printf end"
        )
        self.ended(job)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            output = b"".join(self.client.logs(job))
        self.assertTrue(output.endswith(b"end"))
        self.assertLess(len(output), 2 * OUTPUT_LIMIT_MIB << 20)
        self.assertEqual([warning.category for warning in told], [remuda.OutputDropped])

    def test_a_key_submits_once(self) -> None:
        jobs = [self.client.submit(["true"], key="the same") for _ in range(2)]
        self.assertEqual(jobs[0].id, jobs[1].id)

    def test_jobs_come_newest_first_across_pages(self) -> None:
        ids = [self.client.submit(["true"], name=f"listed-{i}").id for i in range(3)]
        self.ended(*map(self.client.show, ids))
        with mock.patch("remuda._client.PAGE_JOBS", 1):
            found = list(self.client.jobs(all=True, limit=3))
        self.assertEqual([job.id for job in found], ids[::-1])
        self.assertEqual(
            [j.id for j in self.client.jobs(all=True, before=ids[1], limit=1)], [ids[0]]
        )
        self.assertEqual(list(self.client.jobs(user="nobody")), [])

    def test_explain_says_why_a_job_waits(self) -> None:
        job = self.client.submit(["true"], hold=True)
        explanation = self.client.explain(job)
        self.assertEqual((explanation.state, dict(explanation.counts)), ("held", {"held": 1}))
        self.client.cancel(job)

    def test_nodes_say_what_they_have(self) -> None:
        self.ended(self.client.submit(["true"]))
        (node,) = self.client.nodes()
        self.assertEqual((node.state, node.cpus, node.labels["node"]), ("ready", 2.0, node.name))

    def test_refusals_carry_the_servers_words(self) -> None:
        self.ended(self.client.submit(["true"]))
        wrong: Dict[str, Dict[str, Any]] = {
            "no node can ever run this.*wanted 99": {"cpus": 99},
            "'6GiX' is not a size": {"mem": "6GiX"},
            "there is no such job": {"after": 10**9},
            "count": {"count": 0},
        }
        for message, fields in wrong.items():
            with self.subTest(message), self.assertRaisesRegex(remuda.Refused, message):
                self.client.submit(["true"], **fields)
        with self.assertRaisesRegex(remuda.Refused, "give the command, as argv or as shell"):
            self.client.submit()
        with self.assertRaisesRegex(TypeError, "list of words"):
            self.client.submit("echo one line")

    def test_what_is_not_there_is_not_found(self) -> None:
        for ask in (self.client.show, self.client.wait, self.client.cancel, self.client.explain):
            with self.subTest(ask.__name__), self.assertRaisesRegex(
                remuda.NotFound, "no job 99999"
            ):
                ask(99999)
        held = self.client.submit(["true"], hold=True)
        with self.assertRaisesRegex(remuda.NotFound, "has not started"):
            next(self.client.logs(held))
        follower = self.client.logs(held, follow=True)
        self.client.cancel(held)
        with self.assertRaisesRegex(remuda.NotFound, "has not started"):
            next(follower)

    def test_an_unknown_token_is_forbidden(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            access = Path(folder, "access.json")
            text = (self.service.home / "access.json").read_text()
            access.touch(0o600)
            access.write_text(text.replace('"token" : "', '"token" : "x'))
            with remuda.Client(folder) as stranger:
                with self.assertRaisesRegex(remuda.Forbidden, "no valid token"):
                    stranger.nodes()

    def test_the_functions_ask_the_server_of_the_environment(self) -> None:
        with mock.patch.dict(os.environ, REMUDA_HOME=str(self.service.home)):
            job = remuda.submit(["echo", "hi"])
            remuda.wait(job, timeout=WAIT_SECONDS, check=True)
            self.assertEqual(b"".join(remuda.logs(job)), b"hi\n")

    def test_threads_share_a_client(self) -> None:
        exit_codes = {}

        def work(code: int) -> None:
            exit_codes[code] = self.ended(self.client.submit(shell=f"exit {code}"))[0].exit_code

        threads = [threading.Thread(target=work, args=(code,)) for code in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_SECONDS)
        self.assertEqual(exit_codes, {code: code for code in range(8)})

    def test_a_forked_process_opens_connections_of_its_own(self) -> None:
        self.client.nodes()
        child = os.fork()
        if child == 0:
            try:
                os._exit(len(self.client.nodes()))
            finally:
                os._exit(99)
        self.assertEqual(os.WEXITSTATUS(os.waitpid(child, 0)[1]), 1)
        self.assertEqual(len(self.client.nodes()), 1)

    @staticmethod
    def _await_stop(pid: int) -> None:
        """The signal returns before each thread has stopped: one may answer a request yet."""
        threads = list(Path("/proc", str(pid), "task").iterdir())
        while any((thread / "stat").read_text().rpartition(")")[2].split()[0] != "T" for thread in threads):
            time.sleep(0.001)

    def test_a_server_that_stands_still_costs_no_more_than_the_timeout(self) -> None:
        job = self.client.submit(["true"], hold=True)
        fresh = remuda.Client(self.service.home)  # has no connection yet
        os.kill(self.service.pid, signal.SIGSTOP)
        try:
            self._await_stop(self.service.pid)
            for client in (self.client, fresh):
                begin = time.monotonic()
                with self.assertRaises(remuda.ServerUnavailable):
                    client.wait(job, timeout=0.2)
                self.assertLess(time.monotonic() - begin, 10)
        finally:
            os.kill(self.service.pid, signal.SIGCONT)
        self.client.cancel(job)


class TlsTest(ServiceCase):
    def test_the_pinned_certificate_is_trusted_and_no_other(self) -> None:
        job = self.client.submit(["true"])
        self.assertTrue(self.ended(job)[0].succeeded)
        access = json.loads((self.service.home / "access.json").read_text())
        self.assertTrue(access["rest"].startswith("https://"))
        access["pin"] = fake.CERTIFICATE
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder, "access.json")
            other.touch(0o600)
            other.write_text(json.dumps(access))
            with self.assertRaisesRegex(remuda.ServerUnavailable, "not this server"):
                remuda.Client(folder).show(job)

    def test_a_connection_is_used_again(self) -> None:
        with mock.patch.object(_transport, "Line", side_effect=_transport.Line) as opened:
            with remuda.Client(self.service.home) as client:
                for _ in range(3):
                    client.nodes()
        self.assertEqual(opened.call_count, 1)


if __name__ == "__main__":
    unittest.main()
