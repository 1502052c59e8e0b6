"""The library of the Kubernetes scheduler: what scripts see, and what the scheduler is sent."""

import copy
import os
import pickle
import time
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

from kubernetesdlprofile import kubeprofiler
from remuda.training import _exchange
from tests.training_manager import JOB, VARIABLES, TrainingCase, answering

DB = "Can't reach scheduler db"
CONTROLLER = "Can't reach scheduler controller"
JOB_MANAGER = "Can't reach scheduler job manager, holding epoch number for later sending"
PROFILE = {
    "jobid": str,
    "timestamp": str,
    "iternum": int,
    "nodelist": str,
    "numgpu": int,
    "rank": int,
    "meandur": float,
    "gpumem": int,
}


def standalone() -> None:
    for name in (*VARIABLES, "REMUDA_TRAINING_HOST"):
        os.environ.pop(name, None)


class VariablesTest(TrainingCase):
    def test_variables_become_attributes(self) -> None:
        api = kubeprofiler.KubeProfiler()
        self.assertEqual(
            (api.JOBID, api.PROFILE_EACH, api.RANK, api.NODE_LIST, api.NUM_GPUS, api.NUM_NODES),
            (JOB, 3, 0, "node-1", 2, 1),
        )
        self.assertIs(api.RESTARTED, False)
        self.assertEqual(
            (api.BATCH_SIZE, api.EPOCHS, api.EPOCHS_DONE, api.TRAINING_SET_SIZE, api.LOCAL_RANK),
            (16, 5, 0, 1000, -1),
        )
        self.assertEqual((api.iterationPerEpoch, api.maxIterations), (31, 155))

    def test_the_local_rank_is_minus_one_unless_it_is_a_number(self) -> None:
        for given, rank in (("3", 3), ("x", -1), ("", -1)):
            os.environ["LOCAL_RANK"] = given
            self.assertEqual(kubeprofiler.KubeProfiler().LOCAL_RANK, rank)

    def test_only_the_exact_text_false_means_that_the_job_is_not_restarted(self) -> None:
        for given in ("false", "0", "", "TRUE", " FALSE"):
            os.environ["JOB_RESTARTED"] = given
            self.assertIs(kubeprofiler.KubeProfiler().RESTARTED, True, given)
        del os.environ["JOB_RESTARTED"]
        with self.assertWarnsRegex(RuntimeWarning, "JOB_RESTARTED=TRUE"):
            self.assertIs(kubeprofiler.KubeProfiler().RESTARTED, True)

    def test_a_script_without_a_scheduler_runs_with_defaults_and_a_warning(self) -> None:
        standalone()
        with self.assertWarnsRegex(
            RuntimeWarning,
            "^Some env variables were not found, please set them manually or run the job by"
            " submitting it to the kubernetes scheduler. Assumed: JOB_UUID=standalone, ",
        ) as warned:
            api = kubeprofiler.KubeProfiler()
        self.assertEqual(warned.filename, __file__)
        self.assertIs(api.RESTARTED, False)
        self.assertEqual((api.EPOCHS, api.EPOCHS_DONE, api.iterationPerEpoch), (1, 0, 32))
        self.assertEqual(api.root_dir, str(self.snapshots / "standalone"))

    def test_without_a_scheduler_nothing_is_sent(self) -> None:
        standalone()
        with mock.patch("remuda.training._manager.exchange", side_effect=AssertionError) as sent:
            with self.assertWarns(RuntimeWarning):
                api = kubeprofiler.KubeProfiler()
            one_epoch(api)
        sent.assert_not_called()
        self.assertEqual(self.lines(), [])

    def test_numbers_that_make_no_sense_are_assumed_too(self) -> None:
        os.environ.update(HEARTBEAT_FREQ="0", BATCH_SIZE="many", NUM_GPUS="-1")
        with self.assertWarnsRegex(
            RuntimeWarning, "HEARTBEAT_FREQ=10, NUM_GPUS=1, BATCH_SIZE=32$"
        ):
            api = kubeprofiler.KubeProfiler()
        one_epoch(api)
        self.assertEqual(api.iterationPerEpoch, 31)

    def test_no_warning_under_a_scheduler(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kubeprofiler.KubeProfiler()


class WireTest(TrainingCase):
    def test_profiles_come_at_calls_four_seven_and_ten(self) -> None:
        api = kubeprofiler.KubeProfiler()
        seen = []
        for call in range(1, 12):
            api.measure()
            seen += [call] * (len(self.manager.requests) - len(seen))
        self.assertEqual(seen, [4, 7, 10])
        self.assertEqual([profile["iternum"] for profile in self.manager.profiles()], [3, 6, 9])

    def test_the_pattern_goes_on_over_epochs(self) -> None:
        api = kubeprofiler.KubeProfiler()
        for _ in range(2):
            api.start_epoch()
            for _ in range(5):
                api.measure()
            api.end_epoch()
        counts = [(body["iternum"], "epochDur" in body) for body in self.manager.profiles()]
        self.assertEqual(counts, [(3, False), (4, True), (6, False), (9, False), (9, True)])

    def test_a_profile_has_exactly_these_names_and_types(self) -> None:
        api = kubeprofiler.KubeProfiler()
        one_epoch(api, steps=4)
        heartbeat, epoch = self.manager.profiles()
        self.assertEqual({name: type(value) for name, value in heartbeat.items()}, PROFILE)
        types = {name: type(value) for name, value in epoch.items()}
        self.assertEqual(types, {**PROFILE, "epochDur": float})
        self.assertRegex(heartbeat["timestamp"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\Z")
        fixed = {name: heartbeat[name] for name in ("jobid", "nodelist", "numgpu", "rank")}
        self.assertEqual(fixed, {"jobid": JOB, "nodelist": "node-1", "numgpu": 2, "rank": 0})

    def test_an_epoch_asks_profiles_and_counts_in_this_order(self) -> None:
        api = kubeprofiler.KubeProfiler()
        one_epoch(api, steps=1)
        one_epoch(api, steps=1)
        one = ["GET /has_to_stop", "POST /profiling"]
        self.assertEqual(
            self.manager.asked(), [*one, "POST /end_epoch 1", *one, "POST /end_epoch 2"]
        )
        self.assertEqual({request.path.split("/")[2] for request in self.manager.requests}, {JOB})
        posts = [request for request in self.manager.requests if request.method == "POST"]
        self.assertEqual({post.content_type for post in posts}, {"application/json"})
        self.assertEqual(posts[1].body, {"done": 1})

    def test_the_count_goes_on_after_a_restart(self) -> None:
        self.restarted(3)
        one_epoch(kubeprofiler.KubeProfiler())
        self.assertEqual(self.manager.asked()[-1], "POST /end_epoch 4")

    def test_times_are_those_of_steps_and_of_epochs(self) -> None:
        now = [100.0]
        api = kubeprofiler.KubeProfiler()
        api._clock = lambda: now[0]

        def after(seconds: float, call: Any) -> None:
            now[0] += seconds
            call()

        after(0, api.start_epoch)
        for seconds in (5, 1, 2, 3):
            after(seconds, api.measure)
        after(30, api.end_epoch)  # validation
        after(9, api.start_epoch)
        after(2, api.measure)
        heartbeat, epoch = self.manager.profiles()
        self.assertEqual((heartbeat["meandur"], epoch["epochDur"]), (2.0, 41.0))
        self.assertEqual((api.iterations, api.mean_iteration_duration), (4, 2.0))

    def test_hosts_that_are_given_are_used_and_the_defaults_are_not(self) -> None:
        os.environ["REMUDA_TRAINING_HOST"] = "127.0.0.1:1"
        one_epoch(kubeprofiler.KubeProfiler(job_manager_hostname=self.manager.host))
        self.assertEqual(self.manager.asked(), ["GET /has_to_stop", "POST /end_epoch 1"])
        one_epoch(kubeprofiler.KubeProfiler("10.106.102.22", self.manager.host))
        self.assertEqual(self.manager.asked()[2:], ["POST /profiling"])
        self.assertEqual(sorted(self.lines()), sorted([DB, CONTROLLER, JOB_MANAGER]))

    def test_a_proxy_is_not_asked(self) -> None:
        with mock.patch.dict(os.environ, {"http_proxy": "http://127.0.0.1:1", "no_proxy": ""}):
            one_epoch(kubeprofiler.KubeProfiler())
        self.assertEqual(len(self.manager.requests), 3)


class StopTest(TrainingCase):
    def test_it_leaves_with_status_0_in_the_next_measure(self) -> None:
        api = kubeprofiler.KubeProfiler()
        one_epoch(api)
        self.manager.answer = b"1"
        api.start_epoch()
        with self.assertRaises(SystemExit) as left:
            api.measure()
        self.assertIn(left.exception.code, (None, 0))

    def test_it_never_stops_in_the_last_epoch(self) -> None:
        self.manager.answer = b"1"
        self.restarted(4)
        one_epoch(kubeprofiler.KubeProfiler())
        self.assertEqual(self.manager.asked()[-1], "POST /end_epoch 5")

    def test_a_request_that_no_step_has_seen_is_forgotten_in_the_last_epoch(self) -> None:
        self.manager.answer = b"1"
        self.restarted(3)
        api = kubeprofiler.KubeProfiler()
        api.start_epoch()
        api.end_epoch()
        one_epoch(api)
        self.assertEqual(self.manager.asked()[-1], "POST /end_epoch 5")

    def test_any_other_answer_means_go_on(self) -> None:
        for answer in (b"", b"0", b"1\n", b" 1", b"11", b"true", b"\xff" * 10_000):
            self.manager.answer = answer
            one_epoch(kubeprofiler.KubeProfiler())
        self.manager.answer, self.manager.status = b"1", 404
        one_epoch(kubeprofiler.KubeProfiler())
        self.assertEqual(len([line for line in self.lines() if line == CONTROLLER]), 1)


class AbsenceTest(TrainingCase):
    def test_a_manager_that_goes_and_comes_is_printed_once_and_loses_no_epoch(self) -> None:
        api = kubeprofiler.KubeProfiler()
        self.manager.close()
        for _ in range(2):
            one_epoch(api)
        self.assertEqual(self.lines(), [CONTROLLER, DB, JOB_MANAGER])
        self.manager.open()
        api.start_epoch()
        self.assertEqual(self.manager.asked(), ["GET /has_to_stop", "POST /end_epoch 2"])
        self.manager.close()
        one_epoch(api)
        self.assertEqual(self.lines()[3:], [CONTROLLER, JOB_MANAGER])
        self.manager.open()
        self.after_the_pause(api)
        api.measure()
        self.assertEqual(self.manager.asked()[2:], ["POST /profiling", "POST /end_epoch 3"])

    def after_the_pause(self, api: Any) -> None:
        api.manager._profiles_from = 0.0

    def test_a_number_that_is_held_at_the_end_is_sent_once_more(self) -> None:
        api = kubeprofiler.KubeProfiler()
        with mock.patch("remuda.training._manager.atexit") as at_exit:
            self.manager.close()
            one_epoch(api)
            self.manager.open()
            at_exit.register.call_args[0][0]()
        self.assertEqual(self.manager.asked(), ["POST /end_epoch 1"])

    def test_a_host_that_never_answers_delays_a_training_a_little(self) -> None:
        os.environ["HEARTBEAT_FREQ"] = "1"
        with answering(b"") as host, mock.patch.object(_exchange, "SECONDS", 0.1):
            os.environ["REMUDA_TRAINING_HOST"] = host
            began = time.monotonic()
            one_epoch(kubeprofiler.KubeProfiler(), steps=1000)
            took = time.monotonic() - began
        self.assertTrue(0.3 <= took < 60, took)
        self.assertEqual(self.lines(), [CONTROLLER, DB, JOB_MANAGER])

    def test_the_time_for_an_answer_is_two_seconds(self) -> None:
        self.assertEqual(_exchange.SECONDS, 2.0)
        with answering(b"") as host:
            began = time.monotonic()
            with self.assertRaises(OSError):
                _exchange.exchange(host, "GET", "/has_to_stop/x")
        self.assertTrue(1.9 <= time.monotonic() - began < 30)

    def test_nonsense_is_no_answer(self) -> None:
        nonsense = (
            b"\x00\xff" * 50_000,
            b"HTTP/1.1 200 OK\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n1",
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n1",
            b"HTTP/1.1 302 Found\r\nLocation: http://%s/\r\nContent-Length: 1\r\n\r\n1",
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000,
        )
        for answer in nonsense:
            answer = answer.replace(b"%s", self.manager.host.encode())
            with self.subTest(answer[:60]), answering(answer) as host:
                with mock.patch.object(_exchange, "SECONDS", 0.1):
                    api = kubeprofiler.KubeProfiler(host, host)
                    self.manager.requests.clear()
                    one_epoch(api)
        self.assertEqual(self.manager.requests, [])
        self.assertEqual(set(self.lines()), {CONTROLLER, DB, JOB_MANAGER})

    def test_names_that_are_no_hosts_are_no_fault(self) -> None:
        for host in ("localhost:port", "a b", "[::1", "x" * 300, "..", "127.0.0.1:99999"):
            one_epoch(kubeprofiler.KubeProfiler(host, host))


class SnapshotFolderTest(TrainingCase):
    def test_the_folder_is_that_of_the_job_and_is_made(self) -> None:
        api = kubeprofiler.KubeProfiler()
        self.assertEqual(api.root_dir, f"{self.snapshots}/{JOB}")
        self.assertTrue(Path(api.root_dir).is_dir())
        self.assertFalse(hasattr(api, "ckpt_path"))
        self.assertEqual(self.lines(), [])

    def test_slash_snapshots_is_the_default(self) -> None:
        del os.environ["REMUDA_SNAPSHOTS"]
        with mock.patch("remuda.training._folders.MOUNTED", str(self.snapshots / "mounted")):
            (self.snapshots / "mounted").mkdir()
            self.assertEqual(
                kubeprofiler.KubeProfiler().root_dir, f"{self.snapshots}/mounted/{JOB}"
            )

    def test_a_restarted_job_finds_the_newest_version_that_has_a_checkpoint(self) -> None:
        logs = self.snapshots / JOB / "lightning_logs"
        for version in ("version_2", "version_9", "version_10", "version_11", "version_x"):
            (logs / version / "checkpoints").mkdir(parents=True)
            if version != "version_11":  # stopped before its first checkpoint
                (logs / version / "checkpoints" / "epoch=1.ckpt").touch()
        self.restarted(2)
        api = kubeprofiler.KubeProfiler()
        self.assertEqual(api.ckpt_path, f"{logs}/version_10/checkpoints/epoch=1.ckpt")
        self.assertEqual(
            self.lines(),
            [
                "[KUBE_API_LIBRARY] last version found is  10",
                f"[KUBE_API_LIBRARY]: Job Restarted, ckpt_path:  {api.ckpt_path}",
            ],
        )

    def test_a_restarted_job_without_lightning_has_the_path_of_tensorflow(self) -> None:
        self.restarted(2)
        api = kubeprofiler.KubeProfiler()
        self.assertEqual(api.ckpt_path, f"{api.root_dir}/tf_ckpt")
        expected = f"[KUBE_API_LIBRARY]: Job Restarted, ckpt_path:  {api.root_dir}/tf_ckpt"
        self.assertEqual(self.lines(), [expected])


class ObjectTest(TrainingCase):
    def test_it_is_copied_and_pickled_with_a_model(self) -> None:
        api = kubeprofiler.KubeProfiler()
        one_epoch(api)
        for twin in (copy.deepcopy(api), pickle.loads(pickle.dumps(api))):
            one_epoch(twin)
            self.assertEqual(self.manager.asked()[-1], "POST /end_epoch 2")
        self.assertEqual(api.epoch, 1)

    def test_end_does_nothing(self) -> None:
        self.assertIsNone(kubeprofiler.KubeProfiler().end())
        self.assertEqual(self.manager.requests, [])

    def test_gpu_memory_is_that_of_the_process_and_its_descendants(self) -> None:
        folder = self.snapshots / "bin"
        folder.mkdir()
        program = folder / "nvidia-smi"
        program.write_text(
            f'#!/bin/sh\necho "{os.getpid()}, 700"; echo "$$, 30"; echo "1, 9000"\n'
            f'echo "{os.getpid()}, [N/A]"; echo "<xml/>"\n'
        )
        program.chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        with mock.patch.dict(os.environ, {"PATH": path}):
            one_epoch(kubeprofiler.KubeProfiler())
        self.assertEqual(self.manager.profiles()[0]["gpumem"], 700)


def one_epoch(api: Any, steps: int = 2) -> None:
    api.start_epoch()
    for _ in range(steps):
        api.measure()
    api.end_epoch()
