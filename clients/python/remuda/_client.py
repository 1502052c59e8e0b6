"""The client: one method for each request to a server."""

import base64
import contextlib
import os
import time
import uuid
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union
from urllib.parse import quote

from remuda import _cuda
from remuda._access import default_home, read_access
from remuda._errors import JobFailed, NotFound, ServerUnavailable, Timeout
from remuda._holding import enter
from remuda._jobs import Explanation, Job, Node, Task, parse, parse_node
from remuda._leases import Lease, Wanted, memory_wanted
from remuda._logs import Log
from remuda._outcome import Outcome
from remuda._policy import policy_named
from remuda._reads import read_job, read_numbered, read_tasks
from remuda._requests import (
    After,
    JobRef,
    Word,
    absolute,
    dependencies,
    duration,
    job_request,
    number,
    parameters,
)
from remuda._transport import Transport

JOB_ENDS = frozenset({"job-succeeded", "job-failed", "job-cancelled", "job-lost"})
HEARTBEAT = ""
PAGE_JOBS = 1000
AFTER_LOSS_SECONDS = 0.5
OF_WHOLE_JOBS = ("hold", "release", "requeue?hold")
LEAST_SECONDS = 1.0  # for one request to the server, even if hardly any time is left


BEHIND_CONTEXT = 4  # callers: the method, contextlib's, the user's


class Client:
    """Talks to the server whose access file is in ``home``: ``$REMUDA_HOME`` or ``~/.remuda``.

    All threads may use one client, also after a fork. If a server that was reached before is away,
    or postpones requests, they are repeated for ``patience`` seconds.

    Every method raises ServerUnavailable, Forbidden, NotFound or Refused as it applies. The number
    of a task of an array, its ``SLURM_JOB_ID``, is taken in place of a job's by ``show``, ``tasks``,
    ``wait``, ``logs``, ``cancel``, ``signal``, ``requeue``, ``resubmit`` and ``explain``.
    """

    def __init__(self, home: Union[str, "os.PathLike[str]", None] = None, patience: float = 60):
        folder = default_home() if home is None else Path(home)
        self._transport = Transport(lambda: read_access(folder), patience)

    def submit(
        self,
        argv: Optional[Sequence[Word]] = None,
        *,
        shell: Optional[str] = None,
        name: Optional[str] = None,
        count: Optional[int] = None,
        gang: Union[bool, Mapping[str, object]] = False,
        max_running: Optional[int] = None,
        cpus: Optional[float] = None,
        mem: Union[str, int, None] = None,
        gpus: Optional[int] = None,
        gpu_mem: Union[str, int, None] = None,
        gpu_model: Optional[str] = None,
        exclusive: bool = False,
        share_if: Optional[float] = None,
        labels: Optional[Mapping[str, str]] = None,
        policy: Optional[str] = None,
        priority: Optional[int] = None,
        qos: Optional[str] = None,
        after: Union[After, Sequence[After]] = (),
        after_one_of: Union[After, Sequence[After]] = (),
        time_limit: Union[str, float, timedelta, None] = None,
        job_time_limit: Union[str, float, timedelta, None] = None,
        grace: Union[str, float, timedelta, None] = None,
        signal: Optional[str] = None,
        retries: Optional[int] = None,
        preemptible: bool = False,
        preempt_signal: Optional[str] = None,
        on_preempt: Optional[str] = None,
        preempt_after: Union[str, float, timedelta, None] = None,
        max_preemptions: Optional[int] = None,
        epochs: Optional[int] = None,
        snapshots: Optional[Word] = None,
        custom: Optional[Word] = None,
        data: Optional[Word] = None,
        batch_size: Optional[int] = None,
        training_set_size: Optional[int] = None,
        max_gpus: Optional[int] = None,
        est_hours: Optional[float] = None,
        container: Optional[str] = None,
        engine: Optional[str] = None,
        mounts: Optional[Sequence[str]] = None,
        ports: Optional[Sequence[str]] = None,
        shm_size: Union[str, int, None] = None,
        cpu_limit: Optional[float] = None,
        pull: bool = False,
        stdin: Optional[Word] = None,
        stdin_data: Optional[bytes] = None,
        output: Optional[Word] = None,
        error: Optional[Word] = None,
        open_mode: Optional[str] = None,
        nodes: Optional[Sequence[str]] = None,
        exclude_nodes: Optional[Sequence[str]] = None,
        resources: Optional[Mapping[str, int]] = None,
        begin: Optional[datetime] = None,
        notify: Optional[str] = None,
        notify_on: Optional[Sequence[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        workdir: Optional[Word] = None,
        pin: bool = False,
        hold: bool = False,
        type: Optional[str] = None,
        comment: Optional[str] = None,
        key: Optional[str] = None,
        array: Optional[str] = None,
        lines: Optional[Iterable[str]] = None,
        entries: Optional[Iterable[Any]] = None,
        params: Optional[Mapping[str, Any]] = None,
        max_fails: Optional[int] = None,
        first: bool = False,
        first_until: Optional[datetime] = None,
    ) -> Job:
        """Submits a job; it is on the server's disk when this returns.

        The program is ``argv``, or ``shell``, a line for ``/bin/sh``. It gets this process's
        environment with ``env`` in addition, its working folder unless ``workdir`` is given, and
        its umask. Sizes are text such as ``"6GiB"`` or a number of MiB; ``time_limit``, of each
        attempt, is text such as ``"6h"`` or a number of seconds. ``grace`` is the time from SIGTERM
        to SIGKILL when a task is ended (30 s); ``signal``, such as ``"USR1@5m"``, is sent to its
        first process that long before the time limit. ``after`` is a job, its number,
        ``"JOB:ok|any|fail|each"``, or several of them, which all end first; ``after_one_of``, in place
        of it, is a list of which one is enough. The tasks of a ``gang`` start together and find
        each other; it is True, or a mapping with ``failure`` (``"fail"``, ``"restart"`` or
        ``"ignore"``), ``mixed``, ``together`` and ``roles``. At most ``max_running`` tasks run at
        once, and ``job_time_limit`` is that of the whole job. The tasks of a ``preemptible`` job may be asked to
        leave for tasks of higher priority: by ``preempt_signal``, such as ``"USR1"``, to their first
        process, or by SIGTERM, after ``preempt_after`` of running (1 minute) and at most
        ``max_preemptions`` times; ``on_preempt`` is ``"requeue"``, ``"hold"`` or ``"cancel"``.
        An ``exclusive`` job shares its GPUs with no other.

        ``epochs`` makes it a training, which leaves between two epochs and goes on later (see
        ``remuda.training``). It finds the folders ``snapshots``, ``custom`` and ``data``, and is
        told ``batch_size``, of one GPU, and ``training_set_size``, both in samples. With
        ``max_gpus`` it gets 1 to so many GPUs, as its measured speed is worth; ``est_hours``
        counts until its first epoch is measured. None is the default of ``remuda submit``.

        With ``container`` it runs in one of that image, or of an absolute folder with a root file
        system, by ``engine`` (what the node has). ``mounts`` are ``"SRC[:DST[:ro]]"``, ``ports``
        ``"HOST:CONTAINER"``; an image is fetched only with ``pull``. With ``pin`` each task is bound
        to CPUs of its own, as many as ``cpus``.

        ``stdin``, ``output`` and ``error`` are paths on the node, below ``workdir`` unless absolute, in
        which ``%j %J %t %n %a %x`` are job, the number of the task, task, node, array index and
        name. ``open_mode`` is ``"truncate"`` or ``"append"``. ``stdin_data``, at most 256 KiB, is stored with the job.

        ``nodes`` are the only ones that it may run on, ``exclude_nodes`` are left out, and
        ``resources``, such as ``{"lic": 2}``, are counted resources of each task. No task starts
        before ``begin``. ``notify`` is a URL or a mail address that is told of what ``notify_on``
        has (``"end"``, ``"fail"``, ``"start"``).

        ``comment`` is kept with the job and shown by ``remuda show``.

        A sweep has a task for each index of ``array``, such as ``"3,7-20:2"``, each of ``lines`` or
        each value of ``entries``, and for each combination of ``params``, such as
        ``{"lr": [0.1, 0.2], "seed": range(5)}`` (docs/sweeps.md). Once ``max_fails`` tasks have
        failed the others are cancelled. With ``retries=0`` no task runs again, not with more memory
        either; None lets one that lacked memory do so. With ``gpu_mem="auto"``, ``share_if=0.85`` shares
        GPUs only as long as it keeps that much of its speed alone. A job that is ``first`` starts before the user's other
        waiting jobs of equal priority, with ``first_until`` only until then. ``qos="scavenger"`` fills
        holes and costs no share, ``qos="test"`` is for tests of minutes (docs/scheduling.md).

        A second submission with an equal ``key`` returns the first job. Raises Refused with the
        server's reason if the request makes no sense or can never run.
        """
        request = job_request(
            argv,
            env,
            workdir,
            mem,
            gpu_mem,
            time_limit,
            after,
            key,
            {
                "shell": shell,
                "name": name,
                "count": count,
                "gang": gang if isinstance(gang, bool) else dict(gang),
                "maxRunning": max_running,
                "afterOneOf": dependencies(after_one_of) or None,
                "jobTimeLimit": None if job_time_limit is None else duration(job_time_limit),
                "cpus": cpus,
                "gpus": gpus,
                "gpuModel": gpu_model,
                "exclusive": exclusive or None,
                "shareIf": share_if,
                "labels": None if labels is None else dict(labels),
                "policy": policy,
                "priority": priority,
                "qos": qos,
                "grace": None if grace is None else duration(grace),
                "signal": signal,
                "retries": retries,
                "preemptible": preemptible or None,
                "preemptSignal": preempt_signal,
                "onPreempt": on_preempt,
                "preemptAfter": None if preempt_after is None else duration(preempt_after),
                "maxPreemptions": max_preemptions,
                "epochs": epochs,
                "snapshots": absolute(snapshots),
                "custom": absolute(custom),
                "data": absolute(data),
                "batchSize": batch_size,
                "trainingSetSize": training_set_size,
                "maxGpus": max_gpus,
                "estHours": est_hours,
                "container": container,
                "engine": engine,
                "mounts": None if mounts is None else list(mounts),
                "ports": None if ports is None else list(ports),
                "shmSize": None if shm_size is None else str(shm_size),
                "cpuLimit": cpu_limit,
                "pull": pull or None,
                "containerEnv": list(env) if container is not None and env else None,
                "nodes": None if nodes is None else list(nodes),
                "excludeNodes": None if exclude_nodes is None else list(exclude_nodes),
                "resources": (
                    None
                    if resources is None
                    else [f"{resource}={amount}" for resource, amount in resources.items()]
                ),
                "notifyTo": notify,
                "notifyOn": None if notify_on is None else list(notify_on),
                "begin": None if begin is None else begin.astimezone().isoformat(),
                "pin": pin or None,
                "hold": hold,
                "type": type,
                "comment": comment,
                "array": array,
                "lines": None if lines is None else list(lines),
                "entries": None if entries is None else list(entries),
                "params": None if params is None else parameters(params),
                "maxFails": max_fails,
                "first": first or None,
                "firstUntil": None if first_until is None else first_until.astimezone().isoformat(),
                "stdin": stdin and os.fspath(stdin),
                "stdinData": None if stdin_data is None else base64.b64encode(stdin_data).decode(),
                "output": output and os.fspath(output),
                "error": error and os.fspath(error),
                "openMode": open_mode,
            },
        )
        answer = self._transport.request("POST", "/jobs", body=request)
        return self.show(answer.json()["ids"][0])

    def show(self, job: JobRef) -> Job:
        """Returns the current state of a job."""
        return read_job(self._transport, number(job))

    def jobs(
        self,
        *,
        all: bool = False,
        user: Optional[str] = None,
        before: Optional[JobRef] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Job]:
        """Yields jobs, newest first; reads them in pages as they are consumed.

        ``all``: also ended jobs; ``before``: only lower numbers than this job's; ``limit``: the
        maximum number.
        """
        left = float("inf") if limit is None else limit
        following = None if before is None else number(before)
        while left > 0:
            query = {
                "all": "" if all else None,
                "user": user,
                "before": following,
                "limit": int(min(left, PAGE_JOBS)),
            }
            page = self._transport.request("GET", "/jobs", query).json()
            yield from (parse(Job, view) for view in page["jobs"])
            left = left - len(page["jobs"]) if page["next"] is not None else 0
            following = page["next"]

    def tasks(self, job: JobRef, *, first: int = 0, limit: int = 1000) -> List[Task]:
        """Returns tasks that were placed at least once, from index ``first`` on, at most 10,000."""
        try:
            return read_tasks(self._transport, number(job), first, limit)
        except NotFound as missing:
            its = read_numbered(self._transport, number(job), missing)
        found = read_tasks(self._transport, its.job, its.index, 1)
        return [task for task in found if task.index == its.index]

    def wait(
        self, *jobs: JobRef, timeout: Optional[float] = None, check: bool = False
    ) -> Tuple[Job, ...]:
        """Waits until all jobs have ended and returns them as they ended, in the given order.

        Raises Timeout if that takes longer than ``timeout`` seconds, whatever the server does; if
        it said nothing of a job in that time, ServerUnavailable. A look at each job has a second
        in any case. With ``check``, raises JobFailed, when all have ended, for the first that has
        not succeeded.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        ended = tuple(self._ended(number(job), timeout or 0, deadline) for job in jobs)
        if check:
            for job in ended:
                if not job.succeeded:
                    raise JobFailed(job)
        return ended

    def logs(
        self,
        job: JobRef,
        *,
        err: bool = False,
        task: int = 0,
        attempt: Optional[int] = None,
        follow: bool = False,
    ) -> Iterator[bytes]:
        """Yields the output of a task in pieces: stdout, or with ``err`` stderr.

        ``attempt`` counts from 1; None is the newest. With ``follow`` it continues until the task
        ends, through its retries if ``attempt`` is None, and waits for a task that has not started;
        without ``follow`` that raises NotFound. Warns with OutputDropped about missing bytes.
        """
        log = Log(self._transport, number(job), task, "err" if err else "out")
        return log.followed(attempt) if follow else log.read(attempt)

    def cancel(self, job: JobRef, *, now: bool = False) -> None:
        """Ends a job: SIGTERM to its running tasks and, after their grace, SIGKILL; with ``now`` at
        once. Raises Refused if it has ended."""
        self._change(job, "cancel?now=1" if now else "cancel")

    def signal(
        self, job: JobRef, signal: Union[str, int], *, task: Optional[int] = None
    ) -> List[str]:
        """Sends a signal, such as ``"USR1"``, to the running tasks of a job, each to its first
        process, or to one ``task``. Returns those that got it, as ``["3.0"]``. Raises Refused if
        none runs."""
        one = "" if task is None else f"/tasks/{int(task)}"
        verb = f"signal?signal={quote(str(signal), safe='')}"
        try:
            answer = self._transport.request("POST", f"/jobs/{number(job)}{one}/{verb}")
        except NotFound as missing:
            if task is not None:
                raise
            its = read_numbered(self._transport, number(job), missing)
            answer = self._transport.request("POST", f"{its.path}/{verb}")
        told = answer.json()["tasks"]
        return [one["task"] for one in told if one.get("fault") is None]

    def requeue(self, job: JobRef, *, hold: bool = False) -> None:
        """Has the running tasks of a job leave their places, to wait again; with ``hold`` it is on
        hold then."""
        self._change(job, "requeue?hold=1" if hold else "requeue")

    def resubmit(
        self,
        job: JobRef,
        *,
        failed: bool = False,
        unsuccessful: bool = False,
        tasks: Optional[str] = None,
        with_dependents: bool = False,
        key: Optional[str] = None,
        **changes: Any,
    ) -> Job:
        """Submits a job again and returns the new one; with ``failed`` only the tasks that have
        failed or were lost, with ``unsuccessful`` also those that were cancelled, with ``tasks``
        those with these numbers from 0, such as ``"2,4-7"``; ``with_dependents`` also the jobs that
        were cancelled because of it. ``changes`` are fields as over HTTP, such as ``mem="8GiB"`` or
        ``timeLimit="2h"``."""
        which = {"failed": failed, "unsuccessful": unsuccessful, "tasks": tasks}
        body = {
            **{name: value for name, value in which.items() if value},
            "withDependents": with_dependents,
            "changes": changes,
            "clientKey": key or uuid.uuid4().hex,
        }
        try:
            answer = self._transport.request("POST", f"/jobs/{number(job)}/resubmit", body=body)
        except NotFound as missing:
            if failed or unsuccessful or tasks:
                raise
            its = read_numbered(self._transport, number(job), missing)
            body["tasks"] = str(its.index)
            answer = self._transport.request("POST", f"/jobs/{its.job}/resubmit", body=body)
        return self.show(answer.json()["ids"][0])

    def set(self, job: JobRef, **changes: Any) -> int:
        """Changes a job that has not ended, by fields as over HTTP, such as ``priority=5`` or
        ``timeLimit="2h"``. Returns how many running tasks have passed a new time limit already and
        end now."""
        path = f"/jobs/{number(job)}/set"
        answer = self._transport.request("POST", path, body=changes).json()
        ending: int = answer["ending"]
        return ending

    def hold(self, job: JobRef) -> None:
        """Puts a job on hold: tasks that have not started wait."""
        self._change(job, "hold")

    def release(self, job: JobRef) -> None:
        """Releases a job that is on hold."""
        self._change(job, "release")

    @contextlib.contextmanager
    def lease(
        self,
        type: str,
        *,
        gpus: int = 1,
        cpus: float = 0,
        gpu_mem: Union[str, int, None] = None,
        policy: str = "pack",
        gpu_memory: Union[str, int, None] = None,
    ) -> Iterator[Lease]:
        """Lends this process GPUs while the block runs, and sets its environment accordingly.

        Waits for them. ``type`` names programs with equal needs; ``gpu_mem``, on each GPU, and
        ``policy`` are those of ``remuda.job``; ``gpu_memory`` is the earlier name of ``gpu_mem``.
        Without a GPU it lends a core. Inside a lease, or a job that holds GPUs, it uses that one.
        """
        memory = memory_wanted(gpu_mem, gpu_memory, BEHIND_CONTEXT)
        wanted = Wanted(type, gpus, cpus, memory, policy_named(policy))
        stay = enter(lambda: self._transport, wanted)
        try:
            _cuda.warn_if_elsewhere(stay.lease.devices)  # it may be raised
            yield stay.lease
        except BaseException as fault:
            stay.leave(Outcome.of(fault))
            raise
        stay.leave(Outcome())

    def explain(self, job: JobRef) -> Explanation:
        """Returns why a job waits, node by node; of the number of a task, why its job does."""
        try:
            return parse(Explanation, self._get(f"/jobs/{number(job)}/explain"))
        except NotFound as missing:
            its = read_numbered(self._transport, number(job), missing)
        return parse(Explanation, self._get(f"/jobs/{its.job}/explain"))

    def nodes(self) -> List[Node]:
        """Returns the nodes with their total and free resources."""
        return [parse_node(view) for view in self._get("/nodes")["nodes"]]

    def close(self) -> None:
        """Closes idle connections; the client opens new ones when it is used again."""
        self._transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        fault: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _get(self, path: str) -> Any:
        return self._transport.request("GET", path).json()

    def _change(self, job: JobRef, verb: str) -> None:
        """Changes a job, or the task that has the number."""
        try:
            self._transport.request("POST", f"/jobs/{number(job)}/{verb}")
        except NotFound as missing:
            if verb.startswith(OF_WHOLE_JOBS):
                raise
            its = read_numbered(self._transport, number(job), missing)
            self._transport.request("POST", f"{its.path}/{verb}")

    def _ended(self, id: int, timeout: float, deadline: Optional[float]) -> Job:
        seen = ""
        known: Optional[Job] = None
        while True:
            least = time.monotonic() + LEAST_SECONDS
            look_until = None if deadline is None else max(deadline, least)
            try:
                job = read_job(self._transport, id, look_until)
            except ServerUnavailable:
                if known is None or deadline is None or time.monotonic() < deadline:
                    raise
                raise Timeout(known, timeout) from None
            known = job
            if job.over:
                return job
            if deadline is not None and time.monotonic() >= deadline:
                raise Timeout(job, timeout)
            seen = self._listen(id, seen, deadline)

    def _listen(self, id: int, seen: str, deadline: Optional[float]) -> str:
        """Returns when the job may have ended, with the id of the last event."""
        events = self._transport.events(f"/jobs/{id}/events", seen, deadline)
        try:
            for event in events:
                seen = event.id or seen
                if event.type in JOB_ENDS or event.type == HEARTBEAT:
                    return seen
        except NotFound:
            pass  # the number of a task, which has no events of its own
        finally:
            events.close()
        left = AFTER_LOSS_SECONDS if deadline is None else deadline - time.monotonic()
        time.sleep(max(0.0, min(AFTER_LOSS_SECONDS, left)))
        return seen
