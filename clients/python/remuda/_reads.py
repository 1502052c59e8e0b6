"""Single reads of jobs and tasks, which waiting and following are made of."""

from typing import List, Optional

from remuda._jobs import Job, Task, parse
from remuda._transport import Transport


def read_job(transport: Transport, id: int, deadline: Optional[float] = None) -> Job:
    """How a job is now; ``deadline`` as ``Transport.request`` has it."""
    return parse(Job, transport.request("GET", f"/jobs/{id}", deadline=deadline).json())


def read_tasks(transport: Transport, id: int, first: int, limit: int) -> List[Task]:
    """Tasks that were placed, the index ``first`` or the next one first."""
    tasks: List[Task] = []
    following: Optional[int] = first
    while following is not None and len(tasks) < limit:
        query = {"first": following, "limit": limit - len(tasks)}
        page = transport.request("GET", f"/jobs/{id}/tasks", query).json()
        tasks.extend(parse(Task, view) for view in page["tasks"])
        following = page.get("next")
    return tasks
