"""Submits jobs to a Remuda server, follows them, and borrows GPUs for functions.

    import remuda

    job = remuda.submit(["python", "train.py"], gpus=1, gpu_mem="20GiB")
    remuda.wait(job, check=True)

    @remuda.job                # each call waits for a GPU, and shares it
    def train(rate): ...

The functions talk to the server of ``$REMUDA_HOME``, or ``~/.remuda``; a ``Client`` to another one.

Exceptions::

    RemudaError
    ├── ServerUnavailable    no server answers at the moment; also a ConnectionError
    ├── Refused              the request makes no sense, fits no node, or comes too late
    ├── NotFound             no such job, task or output
    ├── Forbidden            another user's, or no valid token
    ├── JobFailed            wait(..., check=True): .job and .exit_code
    └── Timeout              wait(..., timeout=...): .job; also a TimeoutError

``OutputDropped`` is a warning: a part of the output is no longer kept.
"""

from remuda._client import Client
from remuda._decorator import job
from remuda._errors import (
    Forbidden,
    JobFailed,
    NotFound,
    Refused,
    RemudaError,
    ServerUnavailable,
    Timeout,
)
from remuda._jobs import Device, Explanation, Job, Node, Task
from remuda._leases import Lease
from remuda._logs import OutputDropped
from remuda._metrics import metric
from remuda._shortcuts import (
    cancel,
    explain,
    hold,
    jobs,
    lease,
    logs,
    nodes,
    release,
    requeue,
    resubmit,
    set,
    show,
    signal,
    submit,
    tasks,
    wait,
)

__version__ = "0.1.0"

__all__ = [
    "Client",
    "Device",
    "Explanation",
    "Forbidden",
    "Job",
    "JobFailed",
    "Lease",
    "Node",
    "NotFound",
    "OutputDropped",
    "Refused",
    "RemudaError",
    "ServerUnavailable",
    "Task",
    "Timeout",
    "cancel",
    "explain",
    "hold",
    "job",
    "jobs",
    "lease",
    "logs",
    "metric",
    "nodes",
    "release",
    "requeue",
    "resubmit",
    "show",
    "submit",
    "tasks",
    "wait",
]
