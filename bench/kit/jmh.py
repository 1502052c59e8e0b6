"""Runs benchmarks of the bench module that use JMH."""

import json

from kit import processes
from kit.processes import Failed


def run(setting, pattern, name, jvm_flags=(), environment=None, options=()):
    """The results of all benchmarks that fit the pattern, as JMH writes them."""
    if not setting.class_path:
        raise Failed("no class path with JMH: run it by mvn -Pbench")
    out = setting.scratch / f"{name}.json"
    command = [setting.java, "-cp", setting.class_path, "org.openjdk.jmh.Main", pattern]
    command += ["-foe", "true", "-rf", "json", "-rff", out]
    if jvm_flags:
        command += ["-jvmArgs", " ".join(jvm_flags)]
    processes.run([*command, *options], env=environment or setting.environment())
    results = json.loads(out.read_text())
    if not results:
        raise Failed(f"no benchmark fits {pattern}")
    return results


def short_name(result):
    return result["benchmark"].rpartition(".")[2]


def iterations(result):
    """The scores of all measured iterations."""
    return [score for fork in result["primaryMetric"]["rawData"] for score in fork]


def percentile(result, which):
    """A percentile of sampled times; the keys are as JMH writes them, such as 50.0."""
    return result["primaryMetric"]["scorePercentiles"][which]
