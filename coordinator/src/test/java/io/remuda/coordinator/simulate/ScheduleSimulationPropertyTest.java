package io.remuda.coordinator.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Whatever comes: the rules of a schedule, judged by its events alone. */
class ScheduleSimulationPropertyTest {

  private static final Map<String, Integer> NODES = Map.of("a", 8, "b", 8, "c", 4);
  private static final PreemptionCost COSTS = new PreemptionCost(10_000, 30_000);
  private static final int LARGEST = 8;
  private static final long LONG = 100_000_000;
  private static final long HOUR = 3_600_000;
  private static final long LONGEST = HOUR / 4;
  private static final long FOR_EVER = 4 * 24 * HOUR;

  /** What a job asks for. */
  record Wish(long gap, long duration, int gpus, String user) {}

  @Provide
  Arbitrary<List<Wish>> wishes() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 300_000),
            Arbitraries.longs().between(1, 40).map(each -> each * each * each * 1000),
            Arbitraries.of(1, 1, 1, 2, 3, 4, 8, 8, 12, 16),
            Arbitraries.of("ann", "bob"))
        .as(Wish::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  private static List<SimulatedJob> jobs(List<Wish> wishes) {
    List<SimulatedJob> jobs = new ArrayList<>();
    long now = 0;
    for (Wish one : wishes) {
      now += one.gap();
      JobId id = new JobId(jobs.size() + 1L);
      jobs.add(SimulatedJob.of("j" + id, id, now, one.duration(), one.gpus(), one.user(), LARGEST));
    }
    return jobs;
  }

  private static ScheduleRun run(
      List<SimulatedJob> jobs, OrderPolicies with, KnownDurations known) {
    return new ScheduleRun(NODES, jobs, with.policy(), known, COSTS).all(done -> {});
  }

  /** Judges the events of a schedule. */
  private static final class Judge {
    private final Map<String, Integer> free = new HashMap<>(NODES);
    private final Map<String, SimulatedJob> jobs = new HashMap<>();
    private final Map<String, ScheduleEvent> running = new HashMap<>();
    private final Map<String, Long> done = new HashMap<>();
    private final Map<String, Boolean> resumed = new HashMap<>();
    private int finished;

    private Judge(List<SimulatedJob> all) {
      all.forEach(job -> jobs.put(job.name(), job));
    }

    private void see(ScheduleEvent event) {
      SimulatedJob job = jobs.get(event.job());
      if (event.kind() == ScheduleEvent.Kind.START) {
        assertTrue(event.atMillis() >= job.arrivalMillis(), () -> "before its arrival: " + event);
        int gpus = change(event.nodes(), -1);
        assertEquals(job.gpus(), gpus, event::toString);
        assertTrue(
            event.nodes().split(";").length <= (job.gpus() + LARGEST - 1) / LARGEST,
            event::toString);
        assertEquals(null, running.put(event.job(), event), event::toString);
        return;
      }
      ScheduleEvent start = running.remove(event.job());
      change(start.nodes(), 1);
      boolean left = event.kind() == ScheduleEvent.Kind.PREEMPT;
      long lost =
          (resumed.getOrDefault(event.job(), false) ? COSTS.restoreMillis() : 0)
              + (left ? COSTS.saveMillis() : 0);
      done.merge(event.job(), Math.max(0, event.atMillis() - start.atMillis() - lost), Long::sum);
      if (left) {
        resumed.put(event.job(), true);
      } else {
        finished++;
        assertEquals(job.durationMillis(), done.get(event.job()), event::toString);
      }
    }

    private int change(String nodes, int sign) {
      int all = 0;
      for (String one : nodes.split(";")) {
        String[] part = one.split(":");
        int gpus = Integer.parseInt(part[1]);
        int left = free.merge(part[0], sign * gpus, Integer::sum);
        assertTrue(left >= 0, () -> part[0] + " is over its capacity");
        all += gpus;
      }
      return all;
    }
  }

  @Property(tries = 40)
  void nothing_is_over_capacity_and_every_job_gets_its_time(
      @ForAll("wishes") List<Wish> wishes,
      @ForAll OrderPolicies policy,
      @ForAll KnownDurations durations) {
    List<SimulatedJob> jobs = jobs(wishes);
    List<ScheduleEvent> events = run(jobs, policy, durations).events();
    Judge judge = new Judge(jobs);
    events.forEach(judge::see);
    assertEquals(jobs.size(), judge.finished);
    List<ScheduleEvent> inOrder = new ArrayList<>(events);
    inOrder.sort(Comparator.comparingLong(ScheduleEvent::atMillis));
    assertEquals(inOrder, events);
    assertEquals(events, run(jobs, policy, durations).events(), "the same once more");
  }

  /** Jobs for ever, which keep six of ten GPUs busy on average, among them some large ones. */
  private static List<SimulatedJob> forEver(long seed) {
    Random random = new Random(seed);
    List<SimulatedJob> jobs = new ArrayList<>();
    int all = NODES.values().stream().mapToInt(Integer::intValue).sum();
    long now = 0;
    while (now < FOR_EVER) {
      boolean large = random.nextInt(200) == 0;
      int gpus = large ? List.of(8, 16, all).get(random.nextInt(3)) : 1 + random.nextInt(4);
      long duration = 1 + (long) (random.nextDouble() * LONGEST);
      now += (long) (2 * random.nextDouble() * gpus * duration / (0.6 * all));
      JobId id = new JobId(jobs.size() + 1L);
      String user = large ? "ann" : "bob" + random.nextInt(3);
      jobs.add(SimulatedJob.of("j" + id, id, now, duration, gpus, user, LARGEST));
    }
    return jobs;
  }

  @Property(tries = 10)
  void nobody_starves(
      @ForAll @LongRange(min = 1, max = 1_000_000) long seed,
      @ForAll OrderPolicies policy,
      @ForAll KnownDurations durations) {
    List<SimulatedJob> jobs = forEver(seed);
    Map<String, SimulatedJob> byName = new HashMap<>();
    jobs.forEach(job -> byName.put(job.name(), job));
    for (ScheduleEvent event : run(jobs, policy, durations).events()) {
      SimulatedJob job = byName.get(event.job());
      long bound = job.arrivalMillis() + 2 * 100 * LONGEST; // twice the patience of the longest
      assertTrue(event.atMillis() <= bound, () -> policy + " " + durations + ": " + event);
    }
  }

  @Property(tries = 20)
  void a_policy_that_is_not_told_lengths_sees_nothing_of_the_future(
      @ForAll("wishes") List<Wish> wishes, @ForAll OrderPolicies policy) {
    List<SimulatedJob> jobs = jobs(wishes);
    long until = jobs.get(jobs.size() - 1).arrivalMillis();
    List<ScheduleEvent> events = run(jobs, policy, KnownDurations.UNKNOWN).events();
    List<String> ended =
        events.stream()
            .filter(one -> one.kind() == ScheduleEvent.Kind.FINISH && one.atMillis() <= until)
            .map(ScheduleEvent::job)
            .toList();
    List<SimulatedJob> others =
        jobs.stream()
            .map(
                one -> ended.contains(one.name()) ? one : lasting(one, one.durationMillis() + LONG))
            .toList();
    assertEquals(
        before(events, until), before(run(others, policy, KnownDurations.UNKNOWN).events(), until));
  }

  private static SimulatedJob lasting(SimulatedJob job, long millis) {
    return new SimulatedJob(
        job.name(), job.id(), job.arrivalMillis(), millis, job.gpus(), job.key(), job.tasks());
  }

  private static List<ScheduleEvent> before(List<ScheduleEvent> events, long until) {
    return events.stream().filter(one -> one.atMillis() <= until).toList();
  }
}
