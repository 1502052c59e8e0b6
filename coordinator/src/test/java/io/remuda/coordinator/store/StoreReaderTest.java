package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreReaderTest {
  @TempDir private Path folder;

  private static Entry added(long id, TaskState state) {
    JobSpec spec = spec(id, 1);
    return new Entry.JobAdded(spec, row(spec, state, state.isFinal() ? 3000 : 0));
  }

  private static List<Long> ids(List<JobRow> jobs) {
    return jobs.stream().map(job -> job.id().value()).toList();
  }

  @Test
  void live_jobs_that_have_a_place_come_first_and_the_oldest_of_each() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    write(
        opened.journal(),
        added(1, TaskState.SUCCEEDED),
        added(2, TaskState.WAITING),
        added(3, TaskState.UNKNOWN),
        added(4, TaskState.HELD),
        added(5, TaskState.WAITING),
        added(6, TaskState.RUNNING),
        added(7, TaskState.ENDING),
        added(8, TaskState.STARTING));
    try (StoreReader reader = opened.store().reader()) {
      assertEquals(List.of(3L, 6L, 7L, 8L, 2L, 4L, 5L), ids(reader.liveJobs(100)));
      assertEquals(List.of(3L, 6L), ids(reader.liveJobs(2)));
      assertEquals(
          Map.of(
              TaskState.WAITING, 2,
              TaskState.HELD, 1,
              TaskState.STARTING, 1,
              TaskState.RUNNING, 1,
              TaskState.UNKNOWN, 1,
              TaskState.ENDING, 1),
          reader.liveCounts());
    }
    opened.journal().close();
  }
}
