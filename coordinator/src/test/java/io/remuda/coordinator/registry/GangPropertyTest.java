package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.task.PlacedTask;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Twenty gangs beside sixty single jobs on four nodes of eight GPUs, second by second. */
class GangPropertyTest {
  private static final int GANGS = 20;
  private static final int SINGLES = 60;
  private static final int LONGEST = 20_000;

  /** A job that comes at a time; its members have so many GPUs each and run for so long. */
  private record Coming(long id, int at, int members, int gpus, int seconds) {}

  /** One run of all jobs. */
  private static final class Simulation {
    private final TestCluster cluster = new TestCluster().commands();
    private final Map<TaskId, Integer> toRun = new HashMap<>();
    private final Map<Long, Integer> startedAt = new HashMap<>();

    /**
     * Runs all jobs.
     *
     * @param strict whether no job is submitted before the one before it has started
     * @return the longest wait in seconds
     */
    int run(List<Coming> jobs, boolean strict) {
      for (int node = 1; node <= 4; node++) {
        String[] gpus = new String[8];
        for (int gpu = 0; gpu < gpus.length; gpu++) {
          gpus[gpu] = "n" + node + "-" + gpu;
        }
        cluster.node("n" + node, gpus);
      }
      int next = 0;
      for (int second = 0; second < LONGEST; second++) {
        while (next < jobs.size()
            && jobs.get(next).at() <= second
            && (!strict || next == 0 || startedAt.containsKey(jobs.get(next - 1).id()))) {
          submit(jobs.get(next++));
          schedule(jobs, second);
        }
        schedule(jobs, second);
        if (next == jobs.size() && isDone(jobs)) {
          return longestWait(jobs);
        }
        report();
        cluster.after(Duration.ofSeconds(1));
      }
      throw new AssertionError("not all jobs have ended");
    }

    private void submit(Coming job) {
      JobTerms terms = new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null);
      cluster.terms(job.members() == 1 ? terms : terms.with(draft -> draft.gang = GangTerms.USUAL));
      cluster.job(job.id(), job.members(), job.gpus());
      for (int member = 0; member < job.members(); member++) {
        toRun.put(new TaskId(new JobId(job.id()), member), job.seconds());
      }
    }

    private void schedule(List<Coming> jobs, int second) {
      cluster.schedule();
      for (Coming job : jobs) {
        List<TaskRecord> members = cluster.tasks.of(new JobId(job.id()));
        long placed = members.stream().filter(PlacedTask.class::isInstance).count();
        long waiting = members.stream().filter(one -> one.state() == TaskState.WAITING).count();
        assertTrue(placed == 0 || waiting == 0, () -> "a partial gang: " + members);
        if (placed > 0) {
          startedAt.putIfAbsent(job.id(), second);
        }
      }
    }

    private void report() {
      Map<String, List<TaskReport>> reports = new HashMap<>();
      for (PlacedTask task : cluster.tasks.placed()) {
        String attempt = task.attemptId().toString();
        int left = toRun.merge(task.id(), -1, Integer::sum);
        reports
            .computeIfAbsent(task.place().node(), name -> new ArrayList<>())
            .add(left < 0 ? TaskReports.exited(attempt, 0) : TaskReports.running(attempt));
      }
      reports.forEach((node, all) -> cluster.reported(node, all.toArray(TaskReport[]::new)));
    }

    private boolean isDone(List<Coming> jobs) {
      return jobs.stream()
          .allMatch(
              job ->
                  cluster.tasks.stateOf(new JobId(job.id())).orElseThrow() == TaskState.SUCCEEDED);
    }

    private int longestWait(List<Coming> jobs) {
      return jobs.stream().mapToInt(job -> startedAt.get(job.id()) - job.at()).max().orElse(0);
    }
  }

  private static List<Coming> random(long seed) {
    Random random = new Random(seed);
    List<Coming> jobs = new ArrayList<>();
    int at = 0;
    for (int id = 1; id <= GANGS + SINGLES; id++) {
      at += random.nextInt(8);
      boolean gang = id % 4 == 0;
      int gpus = 1 + random.nextInt(gang ? 8 : 4);
      int members = gang ? 2 + random.nextInt(Math.max(1, 16 / gpus - 1)) : 1;
      jobs.add(new Coming(id, at, members, gpus, 10 + random.nextInt(110)));
    }
    return jobs;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void no_gang_is_partial_none_waits_for_ever_nor_twice_as_long_as_in_strict_order(long seed) {
    List<Coming> jobs = random(seed);
    assertEquals(GANGS, jobs.stream().filter(job -> job.members() > 1).count());
    int strict = new Simulation().run(jobs, true);
    int wait = new Simulation().run(jobs, false);
    assertTrue(wait <= 2 * strict, () -> wait + " s, in strict order " + strict + " s");
  }
}
