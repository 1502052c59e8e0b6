package io.remuda.coordinator.schedule;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.tasks;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.SlotRelease;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * A cluster over time, made from a seed, which a failure prints: tasks run, some jobs for which
 * capacity is reserved wait, and small tasks come all the time. Every task ends at its limit or at
 * its likely end, or sooner.
 */
class KeptWordPropertyTest {

  private static final long NANOS = 1_000_000;

  private record Runs(int node, long milliCpus, long since, long promised, long ends) {}

  private final List<Runs> running = new ArrayList<>();
  private final Map<Long, Long> likely = new HashMap<>();
  private final Map<Long, Long> lasts = new HashMap<>();
  private List<TaskClass> waiting = new ArrayList<>();
  private final Map<JobId, Long> told = new HashMap<>();
  private int nodes;
  private long now;

  private List<NodeOffer> offers() {
    List<NodeOffer> offers = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      long free = 8000;
      List<SlotRelease> releases = new ArrayList<>();
      for (Runs one : running) {
        if (one.node() == i) {
          free -= one.milliCpus();
          OptionalLong latest = OptionalLong.of(one.promised() * NANOS);
          releases.add(
              new SlotRelease(one.since() * NANOS, 0, latest, one.milliCpus(), 0, List.of()));
        }
      }
      NodeOffer empty = node("n" + i).cpus(free, 8000).offer();
      offers.add(
          new NodeOffer(
              empty.node(),
              empty.machine(),
              empty.presence(),
              empty.labels(),
              empty.cpus(),
              empty.memory(),
              List.of(),
              releases,
              null,
              releases.size(),
              empty.counted()));
    }
    if (!told.isEmpty()) {
      offers.add(node("gpu", device("A").taken()).cpus(0, 8000).offer());
    }
    return offers;
  }

  private Plan plan() {
    Snapshot snapshot =
        new Snapshot(offers(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), now * NANOS)
            .expecting(
                job ->
                    likely.containsKey(job.value())
                        ? OptionalLong.of(likely.get(job.value()))
                        : OptionalLong.empty())
            .told(told);
    return Scheduler.plan(snapshot, waiting);
  }

  private long cores(TaskId task) {
    return waiting.stream()
        .filter(line -> line.tasks().contains(task))
        .findFirst()
        .orElseThrow()
        .key()
        .needs()
        .milliCpus();
  }

  private void apply(Plan plan) {
    List<TaskId> placed = new ArrayList<>();
    for (Plan.Placement one : plan.placements()) {
      long word = lasts.get(one.task().job().value());
      long ends = now + 1 + Math.floorMod(one.task().job().value() * 31, word);
      running.add(
          new Runs(
              Integer.parseInt(one.node().substring(1)), cores(one.task()), now, now + word, ends));
      placed.add(one.task());
    }
    waiting.removeIf(line -> placed.contains(line.tasks().first()));
  }

  private TaskClass job(long job, double cores, long millis, boolean impatient, Random random) {
    LineBuilder line = tasks(job, 1).need(needs().cpus(cores)).of("user" + job % 3);
    lasts.put(job, millis);
    if (random.nextBoolean()) {
      line.limitMillis(millis);
    } else {
      likely.put(job, millis);
    }
    return (job == 1 ? line.priority(1).impatient() : impatient ? line.impatient() : line).line();
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void no_job_with_a_reservation_is_delayed_by_tasks_that_keep_their_word(@ForAll long seed) {
    new KeptWordPropertyTest().run(seed, false);
  }

  /** All that is kept for those who have waited is for a job that wants a GPU, which never ends. */
  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void no_job_starts_later_than_it_was_told_for_tasks_that_keep_their_word(@ForAll long seed) {
    new KeptWordPropertyTest().run(seed, true);
  }

  private void run(long seed, boolean isTold) {
    Random random = new Random(seed);
    nodes = 1 + random.nextInt(9);
    for (int i = 0; i < nodes; i++) {
      for (int left = 8; left > 0; ) {
        int cores = 1 + random.nextInt(left);
        long word = 1 + random.nextInt(1000);
        running.add(new Runs(i, cores * 1000L, 0, word, 1 + random.nextLong(word)));
        left -= cores;
      }
    }
    ResourceRequest large = needs().cpus(1 + random.nextInt(8)).request();
    waiting.add(job(1, large.cpus(), 500, true, random));
    long expected =
        offers().stream()
            .map(RemainingNodeCapacity::of)
            .map(
                room ->
                    ExpectedFit.at(
                        room, List.of(), List.of(large), (node, needs) -> Optional.empty(), now))
            .mapToLong(at -> at.orElseThrow() / NANOS)
            .min()
            .orElseThrow();
    long promised = expected + (isTold ? random.nextInt(500) : 0);
    if (isTold) {
      told.put(new JobId(1), promised * NANOS);
      waiting.add(
          tasks(1_000_000, 1).need(needs().gpus(1)).of("user1").priority(2).impatient().line());
    }
    long next = 2;
    while (waiting.stream().anyMatch(line -> line.tasks().first().job().value() == 1)) {
      assertTrue(now <= promised, "seed " + seed + ": it waits at " + now + ", " + promised);
      for (int more = random.nextInt(4); more > 0; more--) {
        boolean impatient = random.nextInt(4) == 0;
        waiting.add(
            job(next++, 1 + random.nextInt(8), 1 + random.nextInt(1200), impatient, random));
      }
      apply(plan());
      now = running.stream().map(Runs::ends).min(Comparator.naturalOrder()).orElse(now + 1);
      running.removeIf(one -> one.ends() <= now);
    }
  }
}
