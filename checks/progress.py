"""What is said of the tests while they run and when all have ended."""

import threading
import time

QUIET_SECONDS = 30
SLOWEST = 10


def clock(seconds):
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


class Progress:
    """Counts classes as they end and prints a line for each; threads may share one."""

    def __init__(self, log, out=print, now=time.monotonic):
        self._log = log
        self._out = out
        self._now = now
        self._lock = threading.RLock()
        self._started = self._last = now()
        self._expected = 0
        self._ended = set()
        self._running = {}
        self._times = []
        self._failed_names = []
        self._problems = set()
        self.passed = self.failed = self.skipped = 0

    # --- what is printed

    def say(self, text=""):
        with self._lock:
            self._last = self._now()
            self._out(text)
            self.log(text)

    def log(self, line):
        """A line for the log alone, with the seconds since the start."""
        with self._lock:
            self._log.write(f"{self._now() - self._started:8.1f} {line}\n")

    def heading(self, text):
        self.say(f"{clock(self._now() - self._started):>6} {text}")

    def say_once(self, text):
        with self._lock:
            if text not in self._problems:
                self._problems.add(text)
                self.say(text)

    def remind(self):
        """Says what runs if nothing was printed for long; called now and then."""
        with self._lock:
            if self._now() - self._last < QUIET_SECONDS or not self._running:
                return
            running = ", ".join(
                f"{name.rsplit('.', 1)[-1]} {self._now() - since:.0f} s"
                for name, since in self._running.items()
            )
            self.say(f"       still running: {running}")

    # --- what happens

    def expect(self, count):
        with self._lock:
            self._expected += count

    def running(self, name):
        with self._lock:
            self._running[name] = self._now()

    def ended(self, name, tests, failed, skipped, seconds):
        with self._lock:
            self._running.pop(name, None)
            self._ended.add(name)  # one with tests of two engines is told twice
            self._times.append((seconds, name))
            self.count(tests - failed - skipped, failed, skipped)
            if failed:
                self._failed_names.append(name)
            width = len(str(self._expected))
            parts = [f"{tests} test" + "s" * (tests != 1)]
            if failed:
                parts.append(f"{failed} FAILED")
            if skipped:
                parts.append(f"{skipped} skipped")
            self.say(
                f"[{len(self._ended):{width}}/{self._expected}] {name.rsplit('.', 1)[-1]}"
                f" {', '.join(parts)} {seconds:.1f} s"
            )

    def count(self, passed, failed, skipped):
        with self._lock:
            self.passed += passed
            self.failed += failed
            self.skipped += skipped

    def lost(self, names, why):
        """Classes that did not end, or never began: each is one failure."""
        with self._lock:
            for name in names:
                self._running.pop(name, None)
                self._failed_names.append(f"{name} ({why})")
                self.count(0, 1, 0)

    def fail(self, name):
        """A name for the list of what failed, where the count is told elsewhere."""
        with self._lock:
            self._failed_names.append(name)

    def over(self, name):
        """What was running and is told elsewhere has ended."""
        with self._lock:
            self._running.pop(name, None)

    def began(self):
        with self._lock:
            return list(self._running)

    # --- the end

    def close(self, seconds_of, processor):
        """The slowest, the times, what failed, and the closing line for people and for CI."""
        slowest = sorted(self._times, reverse=True)[:SLOWEST]
        if len(self._times) > 1:
            self.say()
            self.say("slowest classes:")
            for seconds, name in slowest:
                self.say(f"{seconds:8.1f} s {name}")
        if seconds_of:
            self.say("times:")
            for phase, seconds in seconds_of.items():
                self.say(f"{seconds:8.1f} s {phase}")
        whole = self._now() - self._started
        self.say(f"{whole:8.1f} s in all, {processor:.0f} s of processor time")
        if self._failed_names:
            self.say("failed:")
            for name in self._failed_names:
                self.say(f"  {name}")
        self.say(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
