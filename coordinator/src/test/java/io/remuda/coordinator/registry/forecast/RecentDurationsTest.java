package io.remuda.coordinator.registry.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.schedule.model.Gang;
import io.remuda.coordinator.schedule.model.TaskClass;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentDurationsTest {

  private static final long HOUR = 3_600_000;
  private static final JobId JOB = new JobId(1);

  private final RecentDurations durations = new RecentDurations(Duration.ZERO);

  private static TaskClass.SchedulingKey key(Gang gang) {
    ResourceRequest needs = new ResourceRequest(0, 4);
    return new TaskClass.SchedulingKey(0, "ann", needs, PlacementPolicy.USUAL, 0, gang);
  }

  @Test
  void a_gang_counts_once_and_with_all_its_gpus() {
    RecentDurations once = new RecentDurations(Duration.ZERO);
    TaskClass.SchedulingKey gang = key(new Gang(JOB, true, List.of()));
    for (int member = 0; member < 8; member++) {
      durations.ran(new TaskId(JOB, member), gang, 32, 2 * HOUR);
    }
    once.ran(new TaskId(JOB, 0), gang, 32, 2 * HOUR);
    for (int gpus : List.of(4, 32)) {
      assertEquals(once.learned().index(gpus, 0), durations.learned().index(gpus, 0));
    }
  }

  @Test
  void tasks_that_still_run_are_learned_from_and_each_hour_of_them_once() {
    durations.ran(new TaskId(JOB, 0), key(null), 4, 5_000);
    double before = durations.learned().index(4, 0);
    for (int task = 1; task <= 20; task++) {
      durations.runs(new TaskId(JOB, task), 4, 100 * HOUR);
    }
    durations.ran(new TaskId(JOB, 30), key(null), 4, 5_000);
    double beside = durations.learned().index(4, 0);
    assertTrue(beside < before, "few end so soon: " + beside + " " + before);
    for (int task = 1; task <= 20; task++) {
      durations.runs(new TaskId(JOB, task), 4, 100 * HOUR);
    }
    RecentDurations again = new RecentDurations(Duration.ZERO);
    again.ran(new TaskId(JOB, 0), key(null), 4, 5_000);
    for (int task = 1; task <= 20; task++) {
      again.runs(new TaskId(JOB, task), 4, 50 * HOUR);
      again.runs(new TaskId(JOB, task), 4, 100 * HOUR);
    }
    again.ran(new TaskId(JOB, 30), key(null), 4, 5_000);
    assertEquals(beside, again.learned().index(4, 0));
  }
}
