"""The scheduler as a training sees it: it is told of steps and epochs, and asks jobs to stop."""

import atexit
import json
import os
import time
from typing import Dict, Optional, Set
from urllib.parse import quote

from remuda.training._exchange import FAULTS, exchange
from remuda.training._variables import HOST

DEFAULT_JOB_MANAGER = "10.106.102.22"
DEFAULT_DB = "10.106.72.44"

NO_DB = "Can't reach scheduler db"
NO_CONTROLLER = "Can't reach scheduler controller"
NO_JOB_MANAGER = "Can't reach scheduler job manager, holding epoch number for later sending"

STOP = b"1"
SHARE_OF_WAITING = 10  # a profile that took t seconds in vain is followed by 10 t without one


class Manager:
    """Talks to the scheduler on behalf of one job. Never raises, and never waits long.

    A manager that cannot be reached is printed once, and again if it is away after it has answered.
    Without a host nothing is sent. One thread at a time. Copies and pickles are independent.
    """

    def __init__(self, job_id: str, job_manager: Optional[str], db: Optional[str]) -> None:
        self._id = quote(job_id, safe="")
        self._job_manager = job_manager
        self._db = db
        self._printed: Set[str] = set()
        self._held: Optional[int] = None
        self._profiles_from = 0.0

    @staticmethod
    def at(job_id: str, job_manager: Optional[str] = None, db: Optional[str] = None) -> "Manager":
        """A manager at the hosts given (``host`` or ``host:port``); instead of None and of the
        hosts that the library has always had, at that of ``REMUDA_TRAINING_HOST``, if it is set."""
        host = os.environ.get(HOST) or None
        return Manager(
            job_id,
            host if job_manager in (None, DEFAULT_JOB_MANAGER) else job_manager,
            host if db in (None, DEFAULT_DB) else db,
        )

    def asks_to_stop(self) -> bool:
        """Asks whether the job has to stop. No answer is a no."""
        answer = self._ask(self._job_manager, "GET", "has_to_stop", None, NO_CONTROLLER)
        if answer is not None:
            self._send_held()
        return answer == STOP

    def take_profile(self, profile: Dict[str, object]) -> None:
        """Sends a profile; leaves it out for a while after one that was waited for in vain."""
        began = time.monotonic()
        if began < self._profiles_from:
            return
        if self._ask(self._db, "POST", "profiling", profile, NO_DB) is None:
            now = time.monotonic()
            self._profiles_from = now + SHARE_OF_WAITING * (now - began)
        else:
            self._send_held()

    def take_epochs_done(self, done: int) -> None:
        """Sends how many epochs are done in all. If nothing answers, the number is sent again when
        the manager answers something, and once at the end of the process."""
        if self._job_manager is None:
            return
        if self._held is None:
            atexit.register(self._send_held)
        self._held = done
        self._send_held()

    def _send_held(self) -> None:
        if self._held is None:
            return
        body: Dict[str, object] = {"done": self._held}
        if self._ask(self._job_manager, "POST", "end_epoch", body, NO_JOB_MANAGER) is not None:
            self._held = None
            atexit.unregister(self._send_held)

    def _ask(
        self,
        host: Optional[str],
        method: str,
        subject: str,
        body: Optional[Dict[str, object]],
        text: str,
    ) -> Optional[bytes]:
        """Returns None if there is no host or no answer."""
        if host is None:
            return None
        content = None if body is None else json.dumps(body).encode("ascii")
        try:
            answer = exchange(host, method, f"/{subject}/{self._id}", content)
        except FAULTS:
            if text not in self._printed:
                self._printed.add(text)
                print(text, flush=True)
            return None
        self._printed.discard(text)
        return answer
