"""Functions that run under leases, with a server that lends as a real one does."""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List
from unittest import mock

import remuda
import remuda._transport
from remuda import _cuda, _leases, _process
from remuda._naming import type_of
from remuda._project import root_of
from tests import fake
from tests.lease_case import PACKAGE, SECONDS, VARIABLES, LeaseCase, NeverCase
from tests.lease_server import Lender, lending

OUT_OF_MEMORY = "CUDA out of memory. Tried to allocate 2 GiB"


@contextlib.contextmanager
def _elsewhere(lender: Lender, type: str) -> Iterator[Dict[str, Any]]:
    """Another process's lease, which is held in the block."""
    body = {"type": type, "gpus": 1, "clientKey": f"elsewhere {type}", "waitSeconds": 1}
    view = lender.ask(body)[1]
    assert view["state"] == "running"
    try:
        yield view
    finally:
        lender.release(view["id"], {"succeeded": True})


class CallTest(LeaseCase):
    def test_a_call_has_a_gpu_while_it_runs_and_its_value_is_returned(self) -> None:
        @remuda.job
        def train(rate: float, *, steps: int) -> Any:
            return rate, steps, [os.environ.get(name) for name in VARIABLES]

        self.assertEqual(train(0.5, steps=2), (0.5, 2, ["GPU-0", "PCI_BUS_ID", "true"]))
        self.assertEqual([os.environ.get(name) for name in VARIABLES], [None] * 3)
        self.assertEqual(self.lender.released, [(1, {"attempt": 1, "succeeded": True})])

    def test_what_is_asked_for_names_the_type_and_this_process(self) -> None:
        @remuda.job
        def train() -> None:
            pass

        train()
        (asked,) = self.lender.asked
        found = {name: asked[name] for name in ("type", "gpus", "gpuMem", "policy")}
        name = "test_what_is_asked_for_names_the_type_and_this_process"
        self.assertTrue(found.pop("type").split(" in ")[0].endswith(f"CallTest.{name}.<locals>.train"))
        self.assertEqual(found, {"gpus": 1, "gpuMem": "auto", "policy": "spread"})
        process = asked["process"]
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        namespace = os.stat("/proc/self/ns/pid").st_ino
        self.assertEqual(process["machine"], f"{boot}/{namespace}")
        self.assertEqual(process["pid"], os.getpid())
        ticks = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
        self.assertEqual(process["startTicks"], int(ticks))
        self.assertTrue(process["program"])

    def test_options_are_passed_on(self) -> None:
        asked = {
            "all": remuda.job("all", gpu_mem="all", policy="packing"),
            "size": remuda.job(type="size", gpu_mem="6GiB", policy="best-fit"),
            "number": remuda.job("number", "spreading", 512),
        }
        for decorator in asked.values():
            decorator(lambda: None)()
        found = [(a["type"], a.get("gpuMem"), a["policy"]) for a in self.lender.asked]
        self.assertEqual(
            found,
            [("all", None, "pack"), ("size", "6GiB", "best-fit"), ("number", "512", "spread")],
        )

    def test_an_unknown_policy_is_refused_with_the_options(self) -> None:
        expected = r"Got policy='fast', but options are \('spread', 'pack', 'best-fit'"
        with self.assertRaisesRegex(ValueError, expected):
            remuda.job(policy="fast")

    def test_variables_of_frameworks_stay_as_the_user_has_set_them(self) -> None:
        @remuda.job
        def train() -> Any:
            return os.environ["TF_FORCE_GPU_ALLOW_GROWTH"], os.environ["CUDA_VISIBLE_DEVICES"]

        own = {"TF_FORCE_GPU_ALLOW_GROWTH": "false", "CUDA_VISIBLE_DEVICES": "3"}
        with mock.patch.dict(os.environ, own):
            self.assertEqual(train(), ("false", "GPU-0"))
            self.assertEqual({name: os.environ[name] for name in own}, own)

    def test_its_own_exception_is_raised_and_the_gpu_is_free_again(self) -> None:
        """GLB swallows a RuntimeError and keeps the GPU locked; after others it leaks a count."""
        for fault in (RuntimeError("no"), ValueError("no"), KeyboardInterrupt(), SystemExit(3)):
            with self.subTest(type(fault).__name__):

                @remuda.job(type(fault).__name__)
                def fail() -> None:
                    raise fault

                with self.assertRaises(type(fault)) as raised:
                    fail()
                self.assertIs(raised.exception, fault)
        self.assertEqual(self.outcomes(), [False] * 4)
        self.assertEqual(self.lender.known, set())
        self.assertEqual(remuda.job("next")(lambda: "good")(), "good")

    def test_a_program_that_ends_within_its_call_has_succeeded(self) -> None:
        with self.assertRaises(SystemExit):
            remuda.job(sys.exit)()
        self.assertEqual(self.outcomes(), [True])

    def test_the_text_of_a_failure_has_what_it_came_of(self) -> None:
        @remuda.job
        def train() -> None:
            try:
                raise RuntimeError("inner" + "x" * 9000)
            except RuntimeError as fault:
                raise ValueError("outer") from fault

        with self.assertRaises(ValueError):
            train()
        error = self.lender.released[0][1]["error"]
        self.assertLessEqual(len(error), 4096)
        self.assertTrue(error.endswith("xx\nValueError: outer\n"))

    def test_functions_that_return_too_early_and_other_things_are_refused(self) -> None:
        async def later() -> None:
            pass

        def some() -> Any:
            yield 1

        wrong: Any
        for wrong in (later, some):
            with self.assertRaisesRegex(TypeError, "returns before its work is done"):
                remuda.job(wrong)
        with self.assertRaisesRegex(TypeError, "a function is decorated, not 3"):
            remuda.job()(3)  # type: ignore[arg-type]

    def test_methods_can_be_decorated(self) -> None:
        class Model:
            rate = 2

            @remuda.job
            def train(self, steps: int) -> int:
                """Trains."""
                return self.rate * steps

        self.assertEqual(Model().train(3), 6)
        self.assertEqual(Model.train.__doc__, "Trains.")

    def test_a_lease_that_no_server_took_back_is_given_back_before_the_next_call(self) -> None:
        @remuda.job
        def train(step: int) -> int:
            return step

        gone = remuda.ServerUnavailable("gone")
        with mock.patch.object(_leases, "_post_release", side_effect=gone):
            with self.assertWarnsRegex(RuntimeWarning, "lease 1 could not be given back"):
                self.assertEqual(train(1), 1)
        self.assertEqual(self.lender.states(), ["running"])
        self.assertEqual(train(2), 2)
        self.assertEqual(
            self.lender.events, ["granted 1", "released 1", "granted 2", "released 2"]
        )
        self.assertEqual(self.outcomes(), [True, True])
        self.assertEqual({}, _leases._owed)

    def test_a_result_is_not_lost_with_the_server(self) -> None:
        @remuda.job
        def train() -> str:
            gone = mock.patch.object(_leases, "release", side_effect=remuda.RemudaError("gone"))
            self.addCleanup(gone.stop)
            gone.start()
            return "trained"

        with mock.patch("remuda._holding.release", side_effect=remuda.ServerUnavailable("gone")):
            with self.assertWarnsRegex(RuntimeWarning, "lease 1 could not be given back.*gone"):
                self.assertEqual(train(), "trained")


class MemoryTest(LeaseCase):
    def test_the_earlier_name_of_gpu_mem_is_understood_with_a_warning(self) -> None:
        with self.assertWarnsRegex(DeprecationWarning, "gpu_memory is now gpu_mem") as job:
            remuda.job("old", gpu_memory="6GiB")(lambda: None)()
        with self.assertWarnsRegex(DeprecationWarning, "gpu_memory is now gpu_mem") as lease:
            with remuda.lease("old", gpu_memory="7GiB"):
                pass
        self.assertEqual([job.filename, lease.filename], [__file__] * 2)
        self.assertEqual([asked["gpuMem"] for asked in self.lender.asked], ["6GiB", "7GiB"])
        with self.assertRaisesRegex(TypeError, "give gpu_mem, not gpu_memory as well"):
            remuda.job("both", gpu_mem="6GiB", gpu_memory="7GiB")

    def test_what_fails_for_want_of_gpu_memory_runs_again_with_more(self) -> None:
        attempts: List[Any] = []

        @remuda.job("big")
        def train() -> str:
            attempts.append(os.environ["CUDA_VISIBLE_DEVICES"])
            if len(attempts) < 3:
                raise RuntimeError(OUT_OF_MEMORY)
            return "trained"

        self.assertEqual(train(), "trained")
        self.assertEqual(attempts, ["GPU-0"] * 3)
        self.assertEqual(self.outcomes(), [False, False, True])
        self.assertEqual([body["attempt"] for _, body in self.lender.released], [1, 2, 3])
        self.assertEqual(len(self.lender.asked), 1)
        self.assertNotIn("CUDA_VISIBLE_DEVICES", os.environ)

    def test_when_no_more_can_be_had_the_exception_is_raised(self) -> None:
        calls = []
        fault = RuntimeError(OUT_OF_MEMORY)

        @remuda.job("huge")
        def train() -> None:
            calls.append(1)
            raise fault

        with self.assertRaises(RuntimeError) as raised:
            train()
        self.assertIs(raised.exception, fault)
        self.assertEqual(len(calls), 3)

    def test_nothing_runs_again_that_must_not(self) -> None:
        calls = []

        def train() -> None:
            calls.append(1)
            raise RuntimeError(OUT_OF_MEMORY)

        with self.assertRaises(RuntimeError):
            remuda.job("big", retry_out_of_memory=False)(train)()
        self.assertEqual(len(calls), 1)
        self.assertFalse(self.lender.released[0][1]["again"])

    def test_what_a_failed_try_has_left_on_the_gpu_is_freed_before_the_next(self) -> None:
        cuda = mock.Mock(is_initialized=lambda: True)
        alive: List[bool] = []
        cuda.empty_cache = lambda: alive.append(kept() is not None)

        class Tensor:
            pass

        kept: Callable[[], Any] = lambda: None

        @remuda.job("big")
        def train() -> None:
            nonlocal kept
            import weakref

            tensor = Tensor()
            if not alive:
                kept = weakref.ref(tensor)
                raise RuntimeError(OUT_OF_MEMORY)

        with mock.patch.dict(sys.modules, torch=types.SimpleNamespace(cuda=cuda)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                train()
        self.assertEqual(alive, [False])


class BoundTest(LeaseCase):
    """A process that has used CUDA stays where it did so first."""

    gpus = 2
    known = ("known",)

    def setUp(self) -> None:
        super().setUp()
        self.cuda = mock.Mock(is_initialized=lambda: False)
        torch = types.SimpleNamespace(cuda=self.cuda)
        for patch in (
            mock.patch.dict(sys.modules, torch=torch),
            mock.patch("remuda._cuda._bound", ()),
        ):
            patch.start()
            self.addCleanup(patch.stop)
        strict = warnings.catch_warnings()
        strict.__enter__()
        self.addCleanup(strict.__exit__, None, None, None)
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", fake.IN_CLEAR_TEXT)

    def _use(self) -> str:
        self.cuda.is_initialized = lambda: True
        return os.environ["CUDA_VISIBLE_DEVICES"]

    def _asked(self) -> List[Any]:
        return [body.get("devices") for body in self.lender.asked]

    def test_it_asks_for_the_gpu_that_it_has_used_and_waits_for_it(self) -> None:
        call = remuda.job("known")(self._use)
        with _elsewhere(self.lender, "other"):
            self.assertEqual(call(), "GPU-1")
        self.assertEqual(call(), "GPU-1")
        with _elsewhere(self.lender, "first"), _elsewhere(self.lender, "second") as second:
            self.assertEqual(second["devices"], ["GPU-1"])
            seen: List[str] = []
            thread = threading.Thread(target=lambda: seen.append(call()))
            thread.start()
            self.lender.wait_for(*["succeeded"] * 3, "running", "running", "waiting")
        thread.join(SECONDS)
        self.assertEqual(seen, ["GPU-1"])
        self.assertEqual(self._asked(), [None, None, ["GPU-1"], None, None, ["GPU-1"]])

    def test_what_it_needs_no_more_is_freed_before_it_asks_again(self) -> None:
        asked: List[int] = []
        self.cuda.empty_cache = lambda: asked.append(len(self.lender.asked))
        call = remuda.job("known")(self._use)
        call()
        self.assertEqual(asked, [])
        call()
        self.assertEqual(asked, [1])

    def test_of_several_gpus_it_asks_for_those_that_frameworks_count_first(self) -> None:
        self.cuda.is_initialized = lambda: True
        with mock.patch("remuda._cuda._bound", ("GPU-1", "GPU-0")):
            asked = (_cuda.bound_to(gpus) for gpus in range(4))
            self.assertEqual(list(asked), [(), ("GPU-1",), ("GPU-1", "GPU-0"), ()])
            with remuda.lease("known"), self.assertWarns(RuntimeWarning):
                _cuda.warn_if_elsewhere(["GPU-0"])
        self.assertEqual(self._asked(), [["GPU-1"]])

    def test_where_its_gpu_is_gone_another_will_have_to_do_and_is_warned_of(self) -> None:
        call = remuda.job("known")(self._use)
        self.assertEqual(call(), "GPU-0")
        self.lender.devices = ["GPU-other"]
        with self.assertWarnsRegex(RuntimeWarning, "stays on GPU-0, and is lent GPU-other"):
            call()
        with self.assertWarnsRegex(RuntimeWarning, "stays on GPU-0, and is lent GPU-other"):
            with remuda.lease("known"):
                pass
        self.assertEqual(self._asked(), [None, ["GPU-0"], None, ["GPU-0"], None])

    def test_what_no_gpu_can_do_is_refused_as_ever(self) -> None:
        remuda.job("known")(self._use)()
        with self.assertRaisesRegex(remuda.Refused, "the largest, SIM, has 80 GiB"):
            remuda.job("known", gpu_mem="999GiB")(self.never)()

    def test_a_second_try_on_another_gpu_is_warned_of(self) -> None:
        @remuda.job("known")
        def train() -> None:
            if self._use() == "GPU-0":
                self.lender.leases[1]["wanted"] = ["GPU-1"]
                raise RuntimeError(OUT_OF_MEMORY)

        with self.assertWarnsRegex(RuntimeWarning, "stays on GPU-0, and is lent GPU-1"):
            train()

    def test_a_warning_that_is_raised_leaves_no_lease_behind(self) -> None:
        self.cuda.is_initialized = lambda: True
        with self.assertRaises(RuntimeWarning):
            remuda.job("known")(self.never)()
        with self.assertRaises(RuntimeWarning), remuda.lease("known"):
            self.never()
        self.assertEqual(self.outcomes(), [False, False])

    def test_a_gpu_that_it_took_before_its_first_lease_is_not_known(self) -> None:
        self.cuda.is_initialized = lambda: True
        for _ in range(2):
            with self.assertWarnsRegex(RuntimeWarning, "CUDA of this process stays on a GPU that"):
                remuda.job("known")(lambda: None)()
        self.assertEqual(self._asked(), [None, None])


class InsideTest(LeaseCase):
    def test_a_call_within_a_call_asks_for_nothing(self) -> None:
        inner = remuda.job("inner")(lambda: os.environ["CUDA_VISIBLE_DEVICES"])
        self.assertEqual(remuda.job("outer")(inner)(), "GPU-0")
        self.assertEqual(self.lender.types(), ["outer"])
        self.assertEqual(len(self.lender.released), 1)

    def test_a_failure_within_a_call_that_goes_on_is_no_failure(self) -> None:
        @remuda.job
        def inner() -> None:
            raise ValueError

        @remuda.job
        def outer() -> None:
            with self.assertRaises(ValueError):
                inner()

        outer()
        self.assertEqual(self.outcomes(), [True])

    def test_threads_share_a_lease_until_the_last_has_left(self) -> None:
        both = threading.Barrier(2, timeout=SECONDS)
        seen: List[str] = []
        first_is_back = threading.Event()

        @remuda.job("first")
        def first() -> None:
            both.wait()

        @remuda.job("second")
        def second() -> None:
            both.wait()
            first_is_back.wait(SECONDS)
            seen.append(os.environ["CUDA_VISIBLE_DEVICES"])
            seen.extend("released" for _ in self.lender.released)

        def call_first() -> None:
            first()
            first_is_back.set()

        threads = [threading.Thread(target=call) for call in (call_first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS)
        self.assertEqual(seen, ["GPU-0"])
        self.assertEqual(len(self.lender.asked), 1)
        self.assertEqual(self.outcomes(), [True])

    def test_many_threads_call_again_and_again_and_nothing_is_left(self) -> None:
        @remuda.job("busy")
        def work() -> Any:
            return os.environ.get("CUDA_VISIBLE_DEVICES")

        seen: List[Any] = []
        threads = [
            threading.Thread(target=lambda: seen.extend(work() for _ in range(10)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS)
        self.assertEqual(seen, ["GPU-0"] * 40)
        self.assertEqual(len(self.lender.asked), len(self.lender.released))
        self.assertNotIn("CUDA_VISIBLE_DEVICES", os.environ)

    def test_a_process_that_is_started_within_a_call_is_inside(self) -> None:
        done = self.script(
            """
            import multiprocessing, os, sys, remuda

            @remuda.job("inner")
            def inner(number):
                return number, os.environ["CUDA_VISIBLE_DEVICES"]

            @remuda.job("outer")
            def outer():
                with multiprocessing.get_context("fork").Pool(1) as forked:
                    print(forked.map(inner, [1]))
                if os.fork() == 0:
                    sys.exit(0)  # through the frames of its parent
                print(os.wait()[1])

            outer()
            """
        )
        self.assertEqual(done.stdout, "[(1, 'GPU-0')]\n0\n", done.stderr)
        self.assertEqual(self.lender.types(), ["outer"])
        self.assertEqual(self.outcomes(), [True])

    def test_inside_a_job_with_gpus_no_server_is_asked(self) -> None:
        job = {"REMUDA_DEVICES": "GPU-a,GPU-b", "CUDA_VISIBLE_DEVICES": "GPU-a,GPU-b"}
        with mock.patch.dict(os.environ, REMUDA_HOME="/nonexistent", **job):
            call = remuda.job(lambda: os.environ["CUDA_VISIBLE_DEVICES"])
            self.assertEqual(call(), "GPU-a,GPU-b")
            with remuda.Client(self.lender.home).lease("two", gpus=2) as lease:
                self.assertEqual(lease.devices, ("GPU-a", "GPU-b"))
            with self.assertRaisesRegex(remuda.Refused, "3 GPUs are wanted inside .* holds 2"):
                with remuda.Client(self.lender.home).lease("three", gpus=3):
                    self.fail("it was granted")
        self.assertEqual(self.lender.asked, [])

    def test_a_block_holds_a_lease(self) -> None:
        with remuda.lease("block", gpu_mem="8GiB", policy="spread") as lease:
            self.assertEqual((lease.devices, lease.measuring), (("GPU-0",), True))
            self.assertEqual(os.environ["CUDA_VISIBLE_DEVICES"], "GPU-0")
        with self.assertRaises(ZeroDivisionError), remuda.lease("block"):
            1 / 0
        self.assertEqual(self.outcomes(), [True, False])


class WaitTest(LeaseCase):
    known = ("known",)

    def test_a_call_waits_for_the_one_that_is_measured_without_asking_again(self) -> None:
        with _elsewhere(self.lender, "new"):
            call = threading.Thread(target=remuda.job("new")(lambda: None))
            call.start()
            self.lender.wait_for("running", "waiting")
        call.join(SECONDS)
        self.assertEqual(self.lender.states(), ["succeeded", "succeeded"])
        self.assertEqual(len(self.lender.asked), 2)
        self.assertEqual(self.lender.events[:2], ["granted 1", "released 1"])

    def test_calls_of_a_known_type_share_a_gpu(self) -> None:
        with _elsewhere(self.lender, "known"):
            remuda.job("known")(lambda: None)()
        self.assertEqual(self.lender.largest_share, 2)

    def test_a_cancelled_lease_says_so(self) -> None:
        with _elsewhere(self.lender, "new"):
            raised: List[BaseException] = []

            def call() -> None:
                try:
                    remuda.job("new")(self.never)()
                except remuda.Refused as no:
                    raised.append(no)

            thread = threading.Thread(target=call)
            thread.start()
            self.lender.wait_for("running", "waiting")
            self.lender.end(2, "cancelled", "by me")
            thread.join(SECONDS)
        self.assertEqual([str(no) for no in raised], ["lease 2 was cancelled: by me"])

    def test_who_is_interrupted_while_waiting_gives_its_place_up(self) -> None:
        look = mock.patch("remuda._leases._look", side_effect=KeyboardInterrupt)
        short = mock.patch("remuda._leases.WAIT_SECONDS", 0)
        with _elsewhere(self.lender, "new"), look, short, self.assertRaises(KeyboardInterrupt):
            remuda.job("new")(self.never)()
        self.assertIn(
            (2, {"succeeded": False, "error": "no longer waited for"}), self.lender.released
        )

    def test_who_is_interrupted_while_asking_gives_up_what_the_server_may_have_taken(self) -> None:
        real = remuda._transport.Transport.request
        asked = []

        def request(transport: Any, method: str, path: str, *more: Any, **words: Any) -> Any:
            answer = real(transport, method, path, *more, **words)
            if path == "/leases":
                asked.append(words["body"]["clientKey"])
                if len(asked) == 1:
                    raise KeyboardInterrupt
            return answer

        cut = mock.patch.object(remuda._transport.Transport, "request", request)
        with cut, self.assertRaises(KeyboardInterrupt):
            remuda.job("new")(self.never)()
        self.assertEqual(2, len(asked))
        self.assertEqual(1, len(set(asked)))
        self.assertIn(
            (1, {"succeeded": False, "error": "no longer waited for"}), self.lender.released
        )

    def test_a_process_that_outlives_the_lease_around_it_asks_for_its_own(self) -> None:
        run = self.script(
            """
            import os, remuda
            print(remuda.job("late")(lambda: os.environ["REMUDA_LEASE"])())
            """,
            REMUDA_LEASE="99",
            REMUDA_DEVICES="GPU-gone",
        )
        self.assertEqual((0, "1\n"), (run.returncode, run.stdout), run.stderr)

    def test_a_lease_whose_answer_is_lost_is_asked_for_under_the_same_key(self) -> None:
        granted = {"id": 5, "state": "running", "attempt": 1, "devices": [], "measuring": False}
        granted.update(gpuMemoryBytes=None, environment={}, cause=None)
        over = fake.whole(200, {**granted, "state": "succeeded"})
        script = (fake.nothing, fake.whole(200, granted), fake.nothing, over)
        with fake.server(*script) as (home, asked), remuda.Client(home) as client:
            with client.lease("t"):
                pass
        self.assertEqual(asked[0], asked[1])
        self.assertEqual([path for path, _ in asked[2:]], ["/api/v1/leases/5/release"] * 2)


class NoServerTest(NeverCase):
    def setUp(self) -> None:
        nowhere = mock.patch.dict(os.environ, REMUDA_HOME="/nonexistent")
        nowhere.start()
        self.addCleanup(nowhere.stop)

    def test_without_a_server_it_says_how_to_start_one(self) -> None:
        with self.assertRaisesRegex(ConnectionError, "remuda serve or glb-start"):
            remuda.job(self.never)()

    def test_it_runs_without_balancing_if_that_is_wanted(self) -> None:
        call = remuda.job("t", continue_on_server_unavailable=True)(lambda: "ran")
        with self.assertWarnsRegex(RuntimeWarning, "t runs without load balancing: no server"):
            self.assertEqual(call(), "ran")

    def test_what_the_function_itself_cannot_reach_is_its_own_affair(self) -> None:
        with lending() as lender, mock.patch.dict(os.environ, REMUDA_HOME=str(lender.home)):
            calls = []

            @remuda.job("t", continue_on_server_unavailable=True)
            def train() -> None:
                calls.append(1)
                raise remuda.ServerUnavailable("another one")

            with self.assertRaisesRegex(remuda.ServerUnavailable, "another one"):
                train()
        self.assertEqual(len(calls), 1)


class NoGpuTest(LeaseCase):
    gpus = 0
    SCRIPT = """
        import os, remuda

        @remuda.job("t")
        def train():
            print(repr(os.environ["CUDA_VISIBLE_DEVICES"]))

        train()
        train()
        """

    def test_the_cpu_is_balanced_and_that_is_said_once(self) -> None:
        done = self.script(self.SCRIPT)
        self.assertEqual(done.stdout, "''\n''\n")
        self.assertEqual(done.stderr, "remuda: no GPU here, balancing on the CPU\n")
        on_cpu = [(a["gpus"], a["cpus"], a.get("gpuMem")) for a in self.lender.asked][1::2]
        self.assertEqual(on_cpu, [(0, 1, None)] * 2)

    def test_a_job_that_holds_a_core_asks_for_no_other(self) -> None:
        done = self.script(self.SCRIPT, REMUDA_JOB="1", REMUDA_CPUS="1.0", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(done.stdout, "''\n''\n", done.stderr)
        self.assertEqual(self.lender.leases, {})

    def test_a_call_within_a_call_asks_for_no_other_core(self) -> None:
        with mock.patch("remuda._leases._told", True):
            remuda.job("outer")(remuda.job("inner")(lambda: None))()
        self.assertEqual(len(self.lender.leases), 1)


class TooBigTest(LeaseCase):
    def test_what_is_bigger_than_every_gpu_is_refused_with_the_largest(self) -> None:
        """In GRN such a job waits for ever."""
        call = remuda.job("t", gpu_mem="999GiB")(self.never)
        with self.assertRaisesRegex(remuda.Refused, "the largest, SIM, has 80 GiB") as raised:
            call()
        self.assertEqual(raised.exception.code, "never-fits")


class ProfileTest(LeaseCase):
    SCRIPT = """
        import os, sys, threading, remuda

        class Odd(Exception):
            def __init__(self, one, other):
                super().__init__("odd")

        @remuda.job("t")
        def long_job(seconds, *, how="well"):
            print("main", seconds, how, os.environ["CUDA_VISIBLE_DEVICES"])
            return "value"

        @long_job.profile
        def short_job(*args, **kwargs):
            print("profile", *args, kwargs, os.environ["CUDA_VISIBLE_DEVICES"])
            if "fail" in sys.argv:
                raise ValueError("failed")
            if "odd" in sys.argv:
                raise Odd(1, 2)
            if "die" in sys.argv:
                os._exit(3)

        if "thread" in sys.argv:
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        print("before")
        print(long_job(10, how="fast"))
        """
    LINES = "before\nprofile 10 {'how': 'fast'} GPU-0\nmain 10 fast GPU-0\nvalue\n"

    def test_the_stand_in_runs_once_and_then_the_function_once(self) -> None:
        """In GLB and GRN the function runs twice and its stand-in never."""
        for where in ("apart", "thread"):
            with self.subTest(where):
                self.lender.known.clear()
                done = self.script(self.SCRIPT, where)
                self.assertEqual(done.stdout, self.LINES, done.stderr)
        self.assertEqual(self.lender.types(), ["t"] * 4)
        self.assertEqual(self.outcomes(), [True] * 4)

    def test_a_known_type_needs_no_stand_in(self) -> None:
        self.lender.known.add("t")
        done = self.script(self.SCRIPT)
        self.assertEqual(done.stdout, "before\nmain 10 fast GPU-0\nvalue\n", done.stderr)
        self.assertEqual(len(self.lender.asked), 1)

    def test_where_the_stand_in_fails_the_function_does_not_run(self) -> None:
        expected: Dict[str, str] = {
            "fail": "ValueError: failed",
            "odd": "RuntimeError: Odd: odd",
            "die": "RuntimeError: the profiling run was ended by an exit",
        }
        for how, message in expected.items():
            with self.subTest(how):
                done = self.script(self.SCRIPT, how)
                self.assertEqual(done.returncode, 1)
                self.assertNotIn("main", done.stdout)
                self.assertTrue(done.stderr.endswith(message + "\n"), done.stderr)
        self.assertEqual(self.outcomes(), [False] * 3)
        self.assertEqual(self.lender.known, set())

    def test_without_a_stand_in_the_function_is_measured_itself(self) -> None:
        calls = []
        remuda.job("t")(lambda: calls.append(1))()
        self.assertEqual((len(calls), len(self.lender.asked)), (1, 1))
        self.assertIn("t", self.lender.known)

    def test_a_gpu_that_cannot_be_left_is_kept_for_the_function(self) -> None:
        torch = types.SimpleNamespace(cuda=mock.Mock(is_initialized=lambda: False))

        @remuda.job("t")
        def train() -> str:
            return "trained"

        @train.profile
        def stand_in() -> None:
            torch.cuda.is_initialized = lambda: True

        with mock.patch.dict(sys.modules, torch=torch), mock.patch("remuda._cuda._bound", ()):
            with self.assertWarnsRegex(RuntimeWarning, "the function is measured, too"):
                self.assertEqual(train(), "trained")
        self.assertEqual(len(self.lender.asked), 1)

    def test_a_second_stand_in_is_refused_naming_both(self) -> None:
        @remuda.job
        def train() -> None:
            pass

        def one() -> None:
            pass

        def other() -> None:
            pass

        profile = train.profile
        self.assertIs(profile(one), one)
        with self.assertRaisesRegex(AttributeError, "locals>.one: cannot.*locals>.other"):
            profile(other)


class EndTest(LeaseCase):
    def test_what_a_thread_holds_is_given_back_at_the_end_of_the_program(self) -> None:
        done = self.script(
            """
            import threading, remuda
            inside = threading.Event()

            @remuda.job
            def train():
                inside.set()
                threading.Event().wait()

            threading.Thread(target=train, daemon=True).start()
            inside.wait()
            """
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.lender.released, [(1, mock.ANY)])
        self.assertEqual(self.outcomes(), [False])


class NamingTest(unittest.TestCase):
    def test_the_way_to_a_file_is_no_part_of_a_type(self) -> None:
        """In GLB a file that is imported by a relative path has types of its own."""
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            Path(folder, "sub").mkdir()
            Path(folder, "pyproject.toml").touch()
            file = Path(folder, "sub", "job.py")
            file.write_text(
                "from remuda._naming import type_of\n"
                "class A:\n def f(self): pass\n"
                "print(type_of(A.f))\n"
            )
            environment = {**os.environ, "PYTHONPATH": f"{PACKAGE}:sub"}
            ways = (["sub/job.py"], [str(file)], ["./sub/../sub/job.py"], ["-c", "import job"])
            names = {self._printed(way, folder, environment) for way in ways}
            names.add(self._printed([str(file)], "/", environment))
            self.assertEqual(names, {f"sub/job.py::A.f in {folder}\n"})

    def test_equal_functions_of_different_projects_are_of_different_types(self) -> None:
        text = "from remuda._naming import type_of\ndef f(): pass\nprint(type_of(f))\n"
        environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
        with tempfile.TemporaryDirectory() as folder:
            for project in ("one", "other"):
                Path(folder, project).mkdir()
                Path(folder, project, "job.py").write_text(text)
            ways = [str(Path(folder, project)) for project in ("one", "other")]
            names = {self._printed(["job.py"], way, environment) for way in ways}
        self.assertEqual(len(names), 2, names)

    def test_a_function_without_a_file_has_a_type_too(self) -> None:
        names: Dict[str, Any] = {}
        exec("def f(): pass", names)
        self.assertEqual(type_of(names["f"]), f"<string>::f in {root_of(os.getcwd())}")

    def test_what_cannot_be_printed_is_replaced(self) -> None:
        self.assertEqual(_process.printable("a\nb\udcff"), "a?b?")

    def _printed(self, words: List[str], folder: str, environment: Dict[str, str]) -> str:
        command = [sys.executable, *words]
        return subprocess.run(
            command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout


if __name__ == "__main__":
    unittest.main()
