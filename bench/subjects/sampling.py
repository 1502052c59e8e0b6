"""One sample of 8 GPUs through JNA, and how much of it is the driver's own time."""

import shutil

from kit import jmh, processes
from kit.report import Row, Section, not_measured

TARGET = 1.0
SAMPLES = 120
KINDS = {
    "readings": ("readings", 0),
    "readingsAndProcesses": ("readings and process lists, every fifth second", 1),
    "tick": ("a whole tick of the agent: readings on the sampler's thread, and the machine", 0),
}
PACES = {"0": "one after the other", "50": "after a pause of 50 ms"}


def measure(setting):
    how = (
        "The simulated driver, a C library with NVML's ABI, 8 GPUs; JMH with the flags of an agent,"
        " against the same calls of the same library made in C: the difference is JNA and Java."
    )
    driver = setting.eight_gpus("sampling")
    environment = setting.environment(**driver)
    if not shutil.which("cc"):
        rows = [not_measured(what, "cc missing", f"≤ {TARGET} ms") for what, _ in KINDS.values()]
        return Section("Sampling 8 GPUs", how, rows)
    bare = _bare_times(setting, driver, environment)
    flags = setting.flags(1, archives=False)["agent"]
    rows = []
    for result in jmh.run(setting, "GpuSamplingBenchmark", "sampling", flags, environment):
        kind, processes_too = KINDS[jmh.short_name(result)]
        pace = result["params"]["pauseMillis"]
        whole = jmh.percentile(result, "50.0") / 1000
        driver_time = bare[pace, processes_too]
        besides = whole - driver_time
        rows.append(
            Row(
                f"{kind}, {PACES[pace]}",
                f"{besides:.3f} ms besides the driver",
                f"in all {whole:.3f} ms, the driver in C {driver_time:.3f} ms",
                target=f"≤ {TARGET:.0f} ms",
                met=besides <= TARGET,
                values={
                    "milliseconds": whole,
                    "p99_milliseconds": jmh.percentile(result, "99.0") / 1000,
                    "driver_milliseconds": driver_time,
                },
            )
        )
    return Section("Sampling 8 GPUs", how, rows)


def _bare_times(setting, driver, environment):
    program = setting.scratch / "driver-time"
    source = setting.root / "bench" / "src" / "main" / "c" / "driver-time.c"
    processes.run(["cc", "-std=gnu11", "-O1", "-o", program, source, "-ldl"])
    times = {}
    for pace in PACES:
        for processes_too in (0, 1):
            arguments = [driver["REMUDA_NVML_LIBRARY"], SAMPLES, pace, processes_too]
            nanos = processes.run([program, *arguments], env=environment)
            times[pace, processes_too] = int(nanos) / 1e6
    return times
