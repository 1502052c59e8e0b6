"""What the core of the coordinator needs for one event of one of many nodes."""

from kit import jmh
from kit.report import Row, Section

TARGET = 10.0


def decisions(setting):
    """One placement on 1,213 nodes: with what is remembered, beside a plain loop over the nodes."""
    found = {}
    for result in jmh.run(setting, "PlacementDecisionBenchmark", "decisions"):
        found[jmh.short_name(result), result["params"]["policy"]] = result
    for (name, policy), result in found.items():
        if name != "remembered":
            continue
        p50, p99 = (jmh.percentile(result, which) for which in ("50.0", "99.0"))
        plain = jmh.percentile(found["plainLoop", policy], "99.0")
        yield Row(
            f"one decision on 1,213 nodes, {policy.lower()}",
            f"p50 {p50:.2f} ms, p99 {p99:.2f} ms",
            compared=f"a plain loop: p99 {plain:.2f} ms",
            ratio=f"{p99 / plain:.2f}",
            target="p99 ≤ 1 ms, ≤ 0.5 × the loop",
            met=p99 <= min(1, 0.5 * plain),
            values={"p50_milliseconds": p50, "p99_milliseconds": p99},
        )


CYCLE = {
    "wholeCycle": ("a whole plan on 1,000 nodes, 100 classes wait", 100.0),
    "exchange": ("who leaves for one that wants a node, of 1,000 nodes", 20.0),
}


def cycles(setting):
    """What is done once in a cycle on 1,000 nodes whose GPUs are nearly all lent."""
    for result in jmh.run(setting, "PlaceExchangeBenchmark", "cycles"):
        p50, p99 = (jmh.percentile(result, which) for which in ("50.0", "99.0"))
        what, target = CYCLE[jmh.short_name(result)]
        yield Row(
            what,
            f"p50 {p50:.1f} ms, p99 {p99:.1f} ms",
            target=f"p99 ≤ {target:.0f} ms",
            met=p99 <= target,
            values={"p50_milliseconds": p50, "p99_milliseconds": p99},
        )


def measure(setting):
    how = (
        "1,000 nodes with 8 GPUs each are known, all GPUs are lent and 8,000 tasks or more wait: a"
        " node reports that a task has ended, and the next is placed. In process, without messages"
        " and store; JMH."
    )
    rows = []
    for result in jmh.run(setting, "NodeEventBenchmark", "scheduling"):
        p50, p99 = (jmh.percentile(result, which) for which in ("50.0", "99.0"))
        devices, policy = result["params"]["devices"], result["params"]["policy"]
        rows.append(
            Row(
                f"{devices} GPUs, {policy.lower().replace('_', '-')}",
                f"p50 {p50:.2f} ms, p99 {p99:.2f} ms",
                target=f"p99 ≤ {TARGET:.0f} ms",
                met=p99 <= TARGET,
                values={"p50_milliseconds": p50, "p99_milliseconds": p99},
            )
        )
    for result in jmh.run(setting, "NodesAnswerBenchmark", "nodes"):
        p50, p99 = (jmh.percentile(result, which) for which in ("50.0", "99.0"))
        rows.append(
            Row(
                "the answer to `nodes`, with its JSON",
                f"p50 {p50:.1f} ms, p99 {p99:.1f} ms",
                values={"p50_milliseconds": p50, "p99_milliseconds": p99},
            )
        )
    rows += decisions(setting)
    rows += cycles(setting)
    return Section("A node's event with 1,000 nodes of 8 GPUs", how, rows)
