"""Requests as the fields of the API."""

import math
import os
import resource
import uuid
from datetime import timedelta
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from remuda._gangs import is_gang, roles_of, without_gang
from remuda._jobs import Job
from remuda._launchers import refusal, without
from remuda._project import root_of

JobRef = Union[Job, int]
After = Union[JobRef, str]
Word = Union[str, "os.PathLike[str]"]


def number(job: JobRef) -> int:
    """Returns the number of a job."""
    return job.id if isinstance(job, Job) else job


def job_request(
    argv: Optional[Sequence[Word]],
    env: Optional[Mapping[str, str]],
    workdir: Optional[Word],
    mem: Union[str, int, None],
    gpu_mem: Union[str, int, None],
    time_limit: Union[str, float, timedelta, None],
    after: Union[After, Sequence[After]],
    key: Optional[str],
    others: Mapping[str, Any],
) -> Dict[str, Any]:
    """Returns a submission with this process's environment, folder and umask; None is the server's
    default."""
    folder = os.path.abspath(workdir or os.curdir)
    gang = others.get("gang")
    check_chosen(env, "env", is_gang(gang))
    for name, role in roles_of(gang).items():
        check_chosen(role.get("env"), f"gang['roles'][{name!r}]['env']", is_gang(gang))
    fields = {
        "argv": None if argv is None else words(argv),
        "env": variables(env),
        "workdir": utf8(folder, f"the folder {folder}"),
        "umask": own_umask(),
        "mem": None if mem is None else str(mem),
        "gpuMem": None if gpu_mem is None else str(gpu_mem),
        "timeLimit": None if time_limit is None else duration(time_limit),
        "after": dependencies(after),
        "clientKey": key or uuid.uuid4().hex,
        "project": root_of(folder) if others.get("type") is None else None,
        **others,
    }
    return {name: value for name, value in fields.items() if value is not None}


def words(argv: Sequence[Word]) -> Sequence[str]:
    """Returns the program and its arguments; rejects a line in one string as a mistake."""
    if isinstance(argv, (str, bytes)):
        raise TypeError(f"argv is a list of words; a line for the shell is shell={argv!r}")
    return [utf8(os.fspath(word), f"argv[{at}] {os.fspath(word)}") for at, word in enumerate(argv)]


def check_chosen(env: Optional[Mapping[str, str]], at: str, gang: bool) -> None:
    """Raises ValueError for a variable that Remuda sets itself; ``at`` says where they are given."""
    for name, value in (env or {}).items():
        why = refusal(name, gang)
        if why and os.environ.get(name) != value:  # else it is a copy of this environment
            raise ValueError(f"{at}[{name!r}]: {why}")


def variables(env: Optional[Mapping[str, str]]) -> Dict[str, str]:
    """Returns this process's environment, without what belongs to this process alone, and its soft
    limits, with the given variables in addition."""
    shell = without(without_threads(without_port(without_gang(os.environ))))
    together = {**own_limits(), **shell, **(env or {})}
    return {
        utf8(name, f"the name of the variable {name}"): utf8(value, f"the variable {name}")
        for name, value in together.items()
    }


LIMITS = "REMUDA_LIMITS"
LIMITED = "CPU FSIZE DATA STACK CORE RSS NPROC NOFILE MEMLOCK AS".split()


def own_limits() -> Dict[str, str]:
    """Returns the variable by which a job gets this process's soft limits."""
    soft = {
        name.lower(): resource.getrlimit(getattr(resource, "RLIMIT_" + name))[0]
        for name in LIMITED
        if hasattr(resource, "RLIMIT_" + name)
    }
    unlimited = resource.RLIM_INFINITY
    return {
        LIMITS: ",".join(
            f"{name}={'unlimited' if limit == unlimited else limit}" for name, limit in soft.items()
        )
    }


# Also those that agents before this build have set.
THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "JULIA_NUM_THREADS",
    "GOMAXPROCS",
    "NUMEXPR_MAX_THREADS",
    "LOKY_MAX_CPU_COUNT",
    "PYTHON_CPU_COUNT",
    "MC_CORES",
)


def without_threads(shell: Mapping[str, str]) -> Dict[str, str]:
    """Returns variables without the numbers of threads that were set for the task that this process
    is of, if it is: a job that a task submits gets those of its own CPUs."""
    own = dict(shell)
    try:
        threads = str(max(1, math.ceil(float(shell.get("REMUDA_CPUS", "")))))
    except (ValueError, OverflowError):
        return own
    if "REMUDA_TASK" in shell:
        for name in THREADS:
            if own.get(name) == threads:
                del own[name]
    return own


def without_port(shell: Mapping[str, str]) -> Dict[str, str]:
    """Returns variables without the port of the task that this process is of, if it has one: a job
    that a task submits gets its own."""
    own = dict(shell)
    port = own.get("REMUDA_TASK_PORT")
    if port is not None:
        for name in ("REMUDA_TASK_PORT", "MASTER_PORT", "PET_MASTER_PORT"):
            if own.get(name) == port:
                del own[name]
        if own.get("MASTER_ADDR") == "127.0.0.1":
            del own["MASTER_ADDR"]
    return own


def utf8(text: str, what: str) -> str:
    """Returns the text if a job can carry it. Python keeps bytes that are not UTF-8 as halves of
    surrogate pairs; replaced by other characters they would name another file."""
    try:
        str(text).encode("utf-8")
    except UnicodeEncodeError as fault:
        raise ValueError(ascii(what)[1:-1] + " is not UTF-8, and jobs carry nothing else") from fault
    return text


def parameters(params: Mapping[str, Any]) -> Dict[str, str]:
    """Returns the values of parameters as text; a text is taken as it is, as ``"1..5"``."""
    return {name: _values(name, values) for name, values in params.items()}


def _values(name: str, values: Any) -> str:
    if isinstance(values, str):
        return values
    texts = [str(value) for value in values]
    for text in texts:
        if "," in text or ".." in text or not text:
            raise ValueError(
                f"params[{name!r}] has the value {text!r}: give values with commas or two dots, and"
                " empty ones, as entries"
            )
    return ",".join(texts)


def absolute(folder: Optional[Word]) -> Optional[str]:
    """Returns the whole path of a folder."""
    return None if folder is None else utf8(os.path.abspath(folder), f"the folder {folder!s}")


def own_umask() -> Optional[str]:
    """Returns octal digits, or None if the kernel does not list it; umask(2) would change it for
    other threads."""
    try:
        with open("/proc/self/status", encoding="utf-8", errors="replace") as status:
            lines = [line for line in status if line.startswith("Umask:")]
    except OSError:
        return None
    return lines[0].split()[1] if lines else None


def duration(limit: Union[str, float, timedelta]) -> str:
    """Returns text as the server reads it; a number is seconds."""
    if isinstance(limit, str):
        return limit
    seconds = limit.total_seconds() if isinstance(limit, timedelta) else limit
    return f"{seconds:.3f}s"


def dependency(after: After) -> str:
    """Returns ``JOB`` or ``JOB:ok|any|fail|each``."""
    return after if isinstance(after, str) else str(number(after))


def dependencies(after: Union[After, Sequence[After]]) -> Sequence[str]:
    """Returns each as :func:`dependency` does."""
    several = [after] if isinstance(after, (Job, int, str)) else after
    return [dependency(one) for one in several]
