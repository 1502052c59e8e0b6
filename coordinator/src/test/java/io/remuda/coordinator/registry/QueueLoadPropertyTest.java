package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.load.QueueLoad;
import io.remuda.coordinator.registry.task.TaskRecord;
import io.remuda.worker.job.JobId;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What is counted with each change is what one finds who goes through all jobs. */
class QueueLoadPropertyTest {

  /** Counts all anew, and compares. */
  static void assertCounted(TaskRegistry tasks, Object after) {
    Map<String, QueueLoad.Share> users = new HashMap<>();
    Map<JobId, Integer> waiting = new TreeMap<>();
    for (LiveJob job : tasks.liveJobs()) {
      int waits = 0;
      int runs = 0;
      for (TaskRecord task : job.tasks()) {
        runs += task.state().holdsPlace() ? 1 : 0;
        waits += task.state().holdsPlace() || task.state().isFinal() ? 0 : 1;
      }
      if (waits > 0) {
        waiting.put(job.spec().id(), waits);
      }
      users.merge(
          job.spec().user(),
          new QueueLoad.Share(waits, runs),
          (one, two) ->
              new QueueLoad.Share(one.waiting() + two.waiting(), one.running() + two.running()));
    }
    QueueLoad load = tasks.load();
    assertEquals(waiting, load.jobs(), () -> "after " + after);
    assertEquals(users, load.users(), () -> "after " + after);
    assertEquals(
        waiting.values().stream().mapToInt(one -> one).sum(),
        load.waiting(),
        () -> "after " + after);
    assertEquals(
        users.values().stream().mapToInt(QueueLoad.Share::running).sum(),
        load.running(),
        () -> "after " + after);
  }

  @Property(tries = 300)
  void it_counts_as_one_who_goes_through_all_jobs(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 79) Integer> steps) {
    TestCluster cluster = new TestCluster().node("n1", "A", "B").node("n2", "C");
    for (int step : steps) {
      long job = 1 + step % 8;
      boolean there = cluster.tasks.job(new JobId(job)).isPresent();
      if (!there) {
        cluster.of(job % 2 == 0 ? "ann" : "bob").job(job, (int) job, (int) (job % 3));
      } else {
        take(step / 8, job, cluster);
      }
      assertCounted(cluster.tasks, step);
    }
  }

  private static void take(int kind, long job, TestCluster cluster) {
    switch (kind) {
      case 0 -> cluster.hold(job);
      case 1 -> cluster.release(job);
      case 2 -> cluster.cancel(job);
      case 3 -> cluster.leave(job);
      case 4 -> cluster.silent("n" + (1 + job % 2));
      case 5 -> cluster.nodeGone("n" + (1 + job % 2));
      case 6 -> cluster.after(Duration.ofMinutes(2)).tick();
      case 7 -> drop(job, cluster);
      default -> cluster.schedule();
    }
  }

  private static void drop(long job, TestCluster cluster) {
    if (cluster.tasks.stateOf(new JobId(job)).map(TaskState::isFinal).orElse(false)) {
      cluster.tasks.drop(new JobId(job));
    }
  }

  @Test
  void the_first_jobs_that_wait_come_first() {
    TestCluster cluster = new TestCluster().job(3, 2, 0).job(1, 1, 0).job(2, 1, 0).hold(2);
    assertEquals(
        Map.of(new JobId(1), 1, new JobId(2), 1, new JobId(3), 2), cluster.tasks.load().jobs());
    assertEquals(new JobId(1), cluster.tasks.load().jobs().firstKey());
    cluster.cancel(1);
    assertEquals(new JobId(2), cluster.tasks.load().jobs().firstKey());
    assertEquals(3, cluster.tasks.load().waiting());
  }
}
