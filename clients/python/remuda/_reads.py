"""Single reads of jobs and tasks, for waiting and following."""

from typing import Any, Dict, List, NamedTuple, Optional

from remuda._errors import NotFound
from remuda._jobs import Job, Task, parse
from remuda._transport import Transport

NOT_STARTED = ("startedAt", "endedAt", "exitCode")


class Numbered(NamedTuple):
    """A task that has a number of its own among those of jobs."""

    job: int
    index: int
    view: Dict[str, Any]  # of its job, with the task's state

    @property
    def path(self) -> str:
        return f"/jobs/{self.job}/tasks/{self.index}"


def read_numbered(
    transport: Transport, number: int, missing: NotFound, deadline: Optional[float] = None
) -> Numbered:
    """Returns the task of a number of which there is no job; else raises ``missing``."""
    query = {"limit": 1, "all": "", "select": number}
    try:
        answer = transport.request("GET", "/jobs", query, deadline=deadline).json()
    except NotFound:
        raise missing from None
    for view in answer["jobs"]:
        task = view.get("task")
        if task is not None and view["id"] + 1 + task == number:
            return Numbered(view["id"], task, view)
    raise missing


def read_job(transport: Transport, id: int, deadline: Optional[float] = None) -> Job:
    """Returns the current state of a job; ``deadline`` is that of ``Transport.request``.

    The number of a task is answered by a job with this task alone.
    """
    try:
        return parse(Job, transport.request("GET", f"/jobs/{id}", deadline=deadline).json())
    except NotFound as missing:
        its = read_numbered(transport, id, missing, deadline)
    job = transport.request("GET", f"/jobs/{its.job}?limit=0", deadline=deadline).json()
    query = {"limit": 1, "first": its.index}
    page = transport.request("GET", f"/jobs/{its.job}/tasks", query, deadline=deadline).json()
    placed = [task for task in page["tasks"] if task["index"] == its.index]
    view = {**job, **dict.fromkeys(NOT_STARTED), "id": id, "tasks": 1}
    for task in placed:
        view.update({name: task[name] for name in (*NOT_STARTED, "state")}, reason=task["cause"])
    return parse(Job, view)


def read_tasks(transport: Transport, id: int, first: int, limit: int) -> List[Task]:
    """Returns tasks that were placed, from index ``first`` on."""
    tasks: List[Task] = []
    following: Optional[int] = first
    while following is not None and len(tasks) < limit:
        query = {"first": following, "limit": limit - len(tasks)}
        page = transport.request("GET", f"/jobs/{id}/tasks", query).json()
        tasks.extend(parse(Task, view) for view in page["tasks"])
        following = page.get("next")
    return tasks
