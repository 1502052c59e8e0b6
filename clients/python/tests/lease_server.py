"""A server that lends GPUs as the real one does, and measures nothing: a type is known once a call
of it was good. Two calls share a GPU, one that is measured has it to itself."""

import contextlib
import json
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple
from urllib.parse import parse_qs, urlsplit

from tests import fake
from tests.waiting import WAIT_SECONDS

SHARERS = 2
ATTEMPTS = 3
GIB = 1 << 30
LARGEST = "no GPU of this machine has so much memory: the largest, SIM, has 80 GiB"


class Lender:
    """All that is known of leases; guarded by ``changed``."""

    def __init__(self, gpus: int, known: Set[str]) -> None:
        self.changed = threading.Condition()
        self.devices = [f"GPU-{number}" for number in range(gpus)]
        self.known = known
        self.leases: Dict[int, Dict[str, Any]] = {}
        self.asked: List[Dict[str, Any]] = []
        self.released: List[Tuple[int, Dict[str, Any]]] = []
        self.events: List[str] = []
        self.largest_share = 0
        self.home = Path()

    def ask(self, body: Dict[str, Any]) -> Tuple[int, Any]:
        with self.changed:
            self.asked.append(body)
            for known in self.leases.values():
                if known["key"] == body["clientKey"]:
                    return 200, self._awaited(known, body)
            if body.get("gpus") and (not self.devices or body.get("gpuMem") == "999GiB"):
                error = {"code": "never-fits", "message": LARGEST}
                return 422, {"error": error}
            gone = sorted(set(body.get("devices", ())) - set(self.devices))
            if gone:
                message = f"no node can ever run this: here: does not have {', '.join(gone)}"
                return 422, {"error": {"code": "never-fits", "message": message}}
            lease: Dict[str, Any] = {"id": len(self.leases) + 1, "type": body["type"]}
            lease.update(
                state="waiting",
                attempt=1,
                node=None,
                devices=[],
                gpuMemoryBytes=None,
                measuring=False,
            )
            lease.update(environment={}, reasons=[], cause=None)
            lease.update(key=body["clientKey"], gpus=body.get("gpus", 1))
            lease.update(wanted=body.get("devices") or self.devices)
            self.leases[lease["id"]] = lease
            return 200, self._awaited(lease, body)

    def look(self, id: int, query: Dict[str, List[str]]) -> Tuple[int, Any]:
        with self.changed:
            if id not in self.leases:
                return 404, {"error": {"code": "not-found", "message": f"no lease {id}"}}
            seconds = {"waitSeconds": int(query.get("waitSeconds", ["0"])[0])}
            return 200, self._awaited(self.leases[id], seconds)

    def release(self, id: int, body: Dict[str, Any]) -> Tuple[int, Any]:
        with self.changed:
            lease = self.leases[id]
            self.released.append((id, body))
            self.events.append(f"released {id}")
            if body["succeeded"]:
                self.known.add(lease["type"])
            again = body.get("again") and "out of memory" in body["error"]
            lease.update(devices=[], environment={}, measuring=False)
            if again and lease["attempt"] < ATTEMPTS:
                lease.update(state="waiting", attempt=lease["attempt"] + 1)
            else:
                lease["state"] = "succeeded" if body["succeeded"] else "failed"
            self._plan()
            return 200, lease

    def node(self) -> Dict[str, Any]:
        """This machine as GET /nodes has it."""
        gpu: Dict[str, Any] = {"model": "SIM", "memoryBytes": 80 * GIB, "freeMemoryBytes": 80 * GIB}
        devices: List[Any] = [
            {"uuid": uuid, "state": "free", "attempts": [], **gpu} for uuid in self.devices
        ]
        node: Dict[str, Any] = {
            "name": "here",
            "state": "ready",
            "labels": {},
            "devices": devices,
            "tasks": 0,
        }
        node.update(cpus=2, freeCpus=2, memoryBytes=GIB, freeMemoryBytes=GIB)
        return node

    def end(self, id: int, state: str, cause: str) -> None:
        """Ends one that waits, as somebody's ``remuda cancel``."""
        with self.changed:
            self.leases[id].update(state=state, cause=cause)
            self.changed.notify_all()

    def wait_for(self, *states: str) -> None:
        """Returns when the leases are in these states."""
        with self.changed:
            came = self.changed.wait_for(lambda: self.states() == list(states), WAIT_SECONDS)
            assert came, f"not within {WAIT_SECONDS:g} s: leases are {states}; seen: {self.leases}"

    def states(self) -> List[str]:
        return [lease["state"] for lease in self.leases.values()]

    def types(self) -> List[str]:
        return [body["type"] for body in self.asked]

    def _awaited(self, lease: Dict[str, Any], body: Dict[str, Any]) -> Dict[str, Any]:
        self._plan()
        self.changed.wait_for(lambda: bool(lease["state"] != "waiting"), body.get("waitSeconds", 0))
        return lease

    def _plan(self) -> None:
        for lease in self.leases.values():
            if lease["state"] == "waiting":
                self._grant(lease)
        self.changed.notify_all()

    def _grant(self, lease: Dict[str, Any]) -> None:
        running = [other for other in self.leases.values() if other["state"] == "running"]
        known = lease["type"] in self.known or not lease["gpus"]
        if not known and any(other["type"] == lease["type"] for other in running):
            return
        device = self._device(lease, running, known) if lease["gpus"] else None
        if lease["gpus"] and device is None:
            return
        devices = [device] if device else []
        lease.update(state="running", node="here", devices=devices, measuring=not known)
        lease["gpuMemoryBytes"] = lease["attempt"] * GIB if device else None
        visible = device or ""
        lease["environment"] = {
            "CUDA_VISIBLE_DEVICES": visible,
            "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
            "TF_FORCE_GPU_ALLOW_GROWTH": "true",
            "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
            "REMUDA_DEVICES": visible,
            "REMUDA_LEASE": str(lease["id"]),
        }
        self.events.append(f"granted {lease['id']}")

    def _device(
        self, lease: Dict[str, Any], running: List[Dict[str, Any]], known: bool
    ) -> Optional[str]:
        for device in lease["wanted"]:
            there = [other for other in running if device in other["devices"]]
            full = any(other["measuring"] for other in there) or len(there) >= SHARERS
            if not full and (known or not there):
                self.largest_share = max(self.largest_share, len(there) + 1)
                return device
        return None


@contextlib.contextmanager
def lending(gpus: int = 1, known: Tuple[str, ...] = ()) -> Iterator[Lender]:
    """A server with so many GPUs on this machine; ``home`` is its state folder."""
    lender = Lender(gpus, set(known))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            target = urlsplit(self.path)
            words = target.path.strip("/").split("/")[2:]
            if words == ["nodes"]:
                self.reply(200, {"nodes": [lender.node()]})
            elif words == ["version"]:
                self.reply(200, {"version": "0"})
            else:
                self.reply(*lender.look(int(words[1]), parse_qs(target.query)))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            words = self.path.strip("/").split("/")[2:]
            found = lender.ask(body) if len(words) == 1 else lender.release(int(words[1]), body)
            self.reply(*found)

        def reply(self, status: int, body: Any) -> None:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                fake.whole(status, body)(self)

        def log_message(self, format: str, *args: Any) -> None:
            """Says nothing: tests look at what was asked."""

    with ThreadingHTTPServer(
        ("127.0.0.1", 0), Handler
    ) as http, tempfile.TemporaryDirectory() as folder:
        with fake.serving(http), fake.in_clear_text():
            lender.home = fake.access(folder, f"http://127.0.0.1:{http.server_port}")
            yield lender
