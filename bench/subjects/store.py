"""The state in PostgreSQL beside the state in a file, in turn on one machine."""

import os
import socket
from pathlib import Path

from kit import processes
from kit.processes import Child, Failed
from kit.report import Row, Section, median, ratio_of
from subjects.service import ARRAY, QUEUED, ROUNDS, SINGLES, TRUE, Service, _singles, run_array

OTHER_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class Postgres:
    """A PostgreSQL server on loopback; as another user where we are root, which it refuses."""

    def __init__(self, setting):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            raise Failed("no PostgreSQL: install Debian's postgresql")
        self.bin = found[-1].parent
        self.version = found[-1].parent.parent.name
        self.folder = setting.folder("postgres")
        self.as_other = OTHER_USER if os.geteuid() == 0 else []
        if self.as_other:
            setting.scratch.chmod(0o711)
            os.chown(self.folder, 65534, 65534)
        data = self.folder / "data"
        processes.run(
            [*self.as_other, self.bin / "initdb", "-D", data, "-U", "remuda", "-A", "trust", "-E", "UTF8", "--locale=C"],
            cwd=self.folder,
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.server = Child(
            [*self.as_other, self.bin / "postgres", "-D", data, "-p", self.port, "-k", self.folder, "-h", "127.0.0.1"],
            cwd=self.folder,
        )
        self.server.wait_for("ready to accept connections", 60)

    def database(self, name):
        """Makes an empty database; returns its address."""
        processes.run([self.bin / "createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "remuda", name])
        return f"jdbc:postgresql://127.0.0.1:{self.port}/{name}?user=remuda"

    def end(self):
        self.server.process.terminate()
        self.server.wait(30)


def measure(setting):
    postgres = Postgres(setting)
    try:
        rows = _work(setting, postgres) + [_restart(setting, postgres)]
    finally:
        postgres.end()
    how = (
        f"PostgreSQL {postgres.version} with its defaults on the same disk, by TCP on loopback, beside a"
        " state.db; both servers with an agent of two slots, warm, in turn. Arrays and single jobs as"
        " under Job service."
    )
    return Section("State in PostgreSQL", how, rows)


def _work(setting, postgres):
    file = Service(setting, "file", "--cpus", "2")
    base = Service(setting, "base", "--cpus", "2", "--store", postgres.database("work"))
    arrays, singles = {file: [], base: []}, {file: [], base: []}
    try:
        for service in (file, base):
            service.start()
            run_array(service, 2000)  # warm
        for _ in range(ROUNDS):
            for service in (file, base):
                arrays[service].append(run_array(service, ARRAY))
                singles[service].append(_singles(service, SINGLES))
    finally:
        file.end()
        base.end()
    array, single = ratio_of(arrays[base], arrays[file]), ratio_of(singles[file], singles[base])
    return [
        Row(
            f"{SINGLES} single jobs over one kept connection",
            f"{SINGLES / median(singles[base]):.0f}/s",
            f"state.db: {SINGLES / median(singles[file]):.0f}/s",
            f"{single:.2f}",
            "≥ 0.5 × the rate",
            single >= 0.5,
            {"seconds": singles[base], "file_seconds": singles[file]},
        ),
        Row(
            f"array of {ARRAY} × `/bin/true`, two slots",
            f"{ARRAY / median(arrays[base]):.0f}/s",
            f"state.db: {ARRAY / median(arrays[file]):.0f}/s",
            f"{array:.2f}",
            "≤ 1.3 × the time",
            array <= 1.3,
            {"seconds": arrays[base], "file_seconds": arrays[file]},
        ),
    ]


def _restart(setting, postgres):
    """How soon a server that was killed is ready again, with as many jobs as are kept at least."""
    ready = {}
    for name, more in (("file", []), ("base", ["--store", postgres.database("many")])):
        service = Service(setting, "many-" + name, "--no-agent", *more)
        try:
            service.start()
            service.load("submit", {**TRUE, "argv": ["/bin/sleep", "1"]}, QUEUED, 8)
            service.kill()
            ready[name] = service.start()
        finally:
            service.end()
    return Row(
        f"restart after kill -9 with {QUEUED} jobs, to ready",
        f"{ready['base']:.1f} s",
        f"state.db: {ready['file']:.1f} s",
        target="≤ 6 s",
        met=ready["base"] <= 6,
    )
