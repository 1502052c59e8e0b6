"""Single reads of jobs and tasks, for waiting and following."""

from typing import List, Optional

from remuda._jobs import Job, Task, parse
from remuda._transport import Transport


def read_job(transport: Transport, id: int, deadline: Optional[float] = None) -> Job:
    """Returns the current state of a job; ``deadline`` is that of ``Transport.request``."""
    return parse(Job, transport.request("GET", f"/jobs/{id}", deadline=deadline).json())


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
