package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskChange;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forty preemptible jobs and ten urgent ones on eight GPUs, second by second. */
class PreemptionPropertyTest {

  private static final int GRACE_SECONDS = 5;
  private static final int LOW = 40;
  private static final int URGENT = 10;
  private static final int HIGH = 5;
  private static final int HIGHEST = 9;
  private static final PreemptionTerms TERMS =
      new PreemptionTerms(null, PreemptionTerms.Then.REQUEUE, 0, 1000);

  private final TestCluster cluster = new TestCluster().commands();

  /** Seconds that each task still has to run, and that each victim needs to save. */
  private final Map<TaskId, Integer> toRun = new HashMap<>();

  private final Map<TaskId, Integer> toSave = new HashMap<>();
  private final Map<TaskId, Integer> gpusOf = new HashMap<>();
  private final Map<TaskId, Integer> submitted = new LinkedHashMap<>();

  /** Nodes of victims that have left, with the second. */
  private final Map<TaskId, Integer> leftAt = new HashMap<>();

  private final Map<TaskId, String> leftNode = new HashMap<>();
  private final List<Integer> waits = new ArrayList<>();

  /** Waits of urgent tasks whose place one of the highest priority may take. */
  private final List<Integer> longerWaits = new ArrayList<>();

  private final Set<TaskId> highest = new HashSet<>();
  private int second;
  private int preemptions;

  private static JobTerms terms(int priority) {
    return new JobTerms(false, PlacementPolicy.PACK, priority, List.of(), 0, 0, null);
  }

  private void submit(long job, int gpus, int seconds, int priority) {
    cluster.terms(
        priority == 0 ? terms(0).with(draft -> draft.preemption = TERMS) : terms(priority));
    cluster.job(job, 1, gpus);
    TaskId task = new TaskId(new JobId(job), 0);
    toRun.put(task, seconds);
    submitted.put(task, second);
    gpusOf.put(task, gpus);
    if (priority == HIGHEST) {
      highest.add(task);
    }
  }

  /** What the nodes report of their tasks in this second. */
  private void nodesReport(Random random) {
    Map<String, List<TaskReport>> reports = new HashMap<>();
    for (PlacedTask task : cluster.tasks.placed()) {
      String attempt = task.attemptId().toString();
      String node = task.place().node();
      TaskReport report;
      if (task.state() == TaskState.STOPPING) {
        int left = toSave.merge(task.id(), -1, Integer::sum);
        report = left <= 0 ? TaskReports.left(attempt) : TaskReports.ending(attempt);
        if (left <= 0) {
          leftAt.put(task.id(), second);
          leftNode.put(task.id(), node);
        }
      } else {
        toSave.put(task.id(), 1 + random.nextInt(GRACE_SECONDS));
        int left = toRun.merge(task.id(), -1, Integer::sum);
        report = left < 0 ? TaskReports.exited(attempt, 0) : TaskReports.running(attempt);
      }
      reports.computeIfAbsent(node, name -> new ArrayList<>()).add(report);
    }
    reports.forEach((node, all) -> cluster.reported(node, all.toArray(TaskReport[]::new)));
  }

  private void look() {
    for (TaskChange change : cluster.changes) {
      TaskId task = change.attempt().task();
      if (change.to() == TaskState.STOPPING) {
        preemptions++;
      }
      boolean urgent = task.job().value() > LOW;
      if (change.to() == TaskState.STARTING && urgent) {
        (highest.contains(task) ? waits : longerWaits).add(second - submitted.get(task));
        leftNode.values().removeIf(node -> node.equals(change.node()));
      }
    }
    cluster.changes.clear();
    leftNode
        .keySet()
        .forEach(
            victim ->
                assertTrue(
                    second - leftAt.get(victim) <= 2 * GRACE_SECONDS,
                    () -> victim + " left for nobody, at " + leftAt.get(victim)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void urgent_jobs_wait_no_longer_than_the_grace_and_nobody_leaves_for_nothing(long seed) {
    Random random = new Random(seed);
    cluster.node("n1", "A", "B", "C", "D").node("n2", "E", "F", "G", "H");
    for (int job = 1; job <= LOW; job++) {
      submit(job, 1, 20 + random.nextInt(60), 0);
    }
    int urgent = 0;
    for (second = 0; second < 2000 && !isDone(urgent); second++) {
      if (urgent < URGENT && random.nextInt(12) == 0 && urgentGpus() <= 4) {
        submit(
            LOW + ++urgent,
            1 + random.nextInt(2),
            10 + random.nextInt(20),
            random.nextBoolean() ? HIGH : HIGHEST);
      }
      cluster.schedule();
      look();
      nodesReport(random);
      cluster.schedule();
      look();
      cluster.after(Duration.ofSeconds(1));
    }
    assertTrue(isDone(urgent), "all jobs end");
    assertEquals(URGENT, waits.size() + longerWaits.size());
    noneIsLongerThan(GRACE_SECONDS + 2, waits);
    noneIsLongerThan(2 * (GRACE_SECONDS + 2), longerWaits);
    assertTrue(preemptions > 0, "the test is about preemption");
  }

  private static void noneIsLongerThan(int bound, List<Integer> waits) {
    int longest = waits.stream().max(Integer::compare).orElse(0);
    assertTrue(longest <= bound, () -> "an urgent job waited " + longest + " s: " + waits);
  }

  /** Returns how many GPUs urgent jobs have or wait for: with 4 of 8 there is room for 2 more. */
  private int urgentGpus() {
    int gpus = 0;
    for (TaskId task : submitted.keySet()) {
      boolean over = cluster.state(task.toString()).isFinal();
      gpus += task.job().value() > LOW && !over ? gpusOf.get(task) : 0;
    }
    return gpus;
  }

  private boolean isDone(int urgent) {
    return urgent == URGENT
        && submitted.keySet().stream()
            .allMatch(task -> cluster.state(task.toString()) == TaskState.SUCCEEDED);
  }
}
