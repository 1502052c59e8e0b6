"""Where things are, how Java is started, and a scratch folder that goes away at the end."""

import copy
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path

from kit import processes
from kit.processes import Child, Failed

NOT_INHERITED = ("REMUDA_", "SLURM_", "MNIST_DIR", "CUDA_VISIBLE_DEVICES", "JAVA_TOOL_OPTIONS")
MNIST_FILES = ("train-images", "train-labels", "t10k-images", "t10k-labels")


class Setting:
    def __init__(self, root, dist, java_home, class_path, full, others=(), parts=(), tasks=0, rounds=0):
        self.root = root
        self.dist = dist
        self.java_home = java_home
        self.java = java_home / "bin" / "java"
        self.class_path = class_path
        self.full = full
        self.others = others
        self.parts = parts
        self.tasks = tasks
        self.rounds = rounds
        self.classes = root / "bench" / "target" / "classes"
        self.made = root / "bench" / "target"
        self.cache = self.made / "cache"
        self.scratch = Path(tempfile.mkdtemp(prefix="rb", dir="/tmp"))  # sockets need a short path
        self.began = time.monotonic()
        self._archives = None
        self._making = threading.Lock()
        self.cache.mkdir(parents=True, exist_ok=True)

    def of(self, dist):
        """The same for another build."""
        other = copy.copy(self)
        other.dist = dist
        other._archives = None
        return other

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def say(self, text):
        print(f"[{time.monotonic() - self.began:5.0f} s] {text}", flush=True)

    def folder(self, name):
        folder = self.scratch / name
        folder.mkdir()
        return folder

    def environment(self, **more):
        """This process's, without what would change the program's behaviour."""
        own = {k: v for k, v in os.environ.items() if not k.startswith(NOT_INHERITED)}
        own["JAVA_HOME"] = str(self.java_home)
        own["REMUDA_CACHE"] = str(self.cache)
        own.update({name: str(value) for name, value in more.items()})
        return own

    def main(self, name, *jars):
        """A class of the bench module, on its own classes and the jars of the release."""
        path = ":".join(str(part) for part in (self.classes, *jars))
        return ["-cp", path, f"io.remuda.bench.{name}"]

    def mnist_folder(self):
        """The genuine MNIST of MNIST_DIR, or of shared/data/mnist here or above; else None."""
        named = os.environ.get("MNIST_DIR")
        folders = [Path(named)] if named else []
        folders += [above / "shared" / "data" / "mnist" for above in (self.root, *self.root.parents)]
        return next((folder for folder in folders if _has_mnist(folder)), None)

    def flags(self, threads, archives=True):
        """How the program starts agents and workers: {'agent': [...], 'worker': [...],
        'environment': [...]}"""
        command = [self.java]
        if archives:
            command.append(f"-Dremuda.archives={self.archives()}")
        command += self.main("LaunchFlagPrinter", self.dist / "coordinator.jar") + [threads]
        found = {"agent": [], "worker": [], "native-worker": [], "environment": []}
        for line in processes.run(command).splitlines():
            role, value = line.split("\t")
            found[role].append(value)
        return found

    def archives(self):
        """The folder of the class archives, which the first use of dist/bin/remuda makes; that one
        run must succeed."""
        if self._archives is None:
            self.say("a first small run makes the class archives and unpacks libtorch")
            run = Child(
                [self.dist / "bin" / "remuda", *self.small_run()],
                self.environment(REMUDA_HOME=self.scratch / "home"),
            )
            try:
                run.wait_for("Hello from main process", 120)
                self._archives = _archives_of(run.pid)
                code = run.wait(300)
                if code != 0:
                    raise Failed(f"the first run ended with {code}:\n{run.tail()}")
            finally:
                run.end()
        return self._archives

    def small_run(self):
        """Arguments of a run of a few seconds with two trainings and two convolution workers."""
        folder = self.scratch / "digits"
        if not folder.exists():
            _write_digits(folder)
        return f"--epochs 1 --mem 16777216 --no-verify --data-dir {folder}".split()

    def driver(self, name, *lines):
        """The simulated NVIDIA driver in a given state: environment for who is to see it."""
        built = self.made / "simulated-driver"
        source = self.root / "telemetry" / "src" / "test" / "c"
        with self._making:
            processes.run(["make", "--silent", "-C", source, f"OUT={built}"])
        control = self.scratch / f"{name}.driver"
        control.write_text("\n".join(lines) + "\n")
        return {
            "REMUDA_NVML_LIBRARY": built / "libremuda-nvml.so",
            "REMUDA_SIMULATED_NVML": control,
        }

    def eight_gpus(self, name):
        gpus = [
            f"gpu {i} util wave utilmem 12 temp 61 power 250000 clock 1980 process {1000 + i} 2GiB"
            for i in range(8)
        ]
        return self.driver(name, "gpus 8", *gpus)


def _archives_of(pid):
    """What the script told the program; each role's archive must be there."""
    told = "-Dremuda.archives="
    arguments = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    folder = Path(next(text for text in arguments if text.startswith(told)).removeprefix(told))
    for role in ("coordinator", "agent", "keeper", "worker"):
        if not (folder / f"{role}.jsa").exists():
            raise Failed(f"there is no class archive of the {role}")
    return folder


def _has_mnist(folder):
    return all(any(folder.glob(f"{name}-idx?-ubyte*")) for name in MNIST_FILES)


def _write_digits(folder):
    """Ten blocks in different places stand for the digits: learned within one small epoch."""
    folder.mkdir()
    for name, count in (("train", 1920), ("t10k", 1000)):
        labels = bytes(index % 10 for index in range(count))
        header = b"".join(number.to_bytes(4, "big") for number in (2051, count, 28, 28))
        (folder / f"{name}-images-idx3-ubyte").write_bytes(
            header + b"".join(_digit(label) for label in labels)
        )
        header = b"".join(number.to_bytes(4, "big") for number in (2049, count))
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(header + labels)


def _digit(label):
    pixels = bytearray(28 * 28)
    for row in range(4 + label // 5 * 12, 12 + label // 5 * 12):
        left = 2 + label % 5 * 5
        pixels[row * 28 + left : row * 28 + left + 4] = b"\xf0" * 4
    return bytes(pixels)
