package io.remuda.coordinator.store.query;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreReader;
import io.remuda.coordinator.store.row.DailyUsageRow;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.usage.UsageKey;
import io.remuda.coordinator.usage.UsageTotals;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What attempts have held that run. */
class RunningUsageTest {
  private static final int JOBS = 1201;

  @TempDir private Path folder;

  @Test
  void each_task_that_runs_counts_once_also_of_many_jobs() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(folder, CLOCK);
    List<StoreChange> changes = new ArrayList<>();
    for (long id = 1; id <= JOBS; id++) {
      JobSpec job = spec(id, 2);
      changes.add(new StoreChange.JobAdded(job, row(job, TaskState.RUNNING, 0)));
      changes.add(new StoreChange.TaskMoved(task(id, 0, TaskState.RUNNING)));
      changes.add(
          new StoreChange.TaskMoved(
              task(id, 1, id == JOBS ? TaskState.RUNNING : TaskState.SUCCEEDED)));
    }
    write(opened.journal(), changes.toArray(StoreChange[]::new));
    try (StoreReader reader = opened.store().reader()) {
      RunningUsage usage = new RunningUsage(reader, Map.of());
      DailyUsageRow held = // half a CPU and a GPU, since 2000
          new DailyUsageRow(
              new UsageKey(0, "ann", "t", "n1"),
              new UsageTotals(0, 0, 0, 4000, 2000, 0, 0, 4000, 0, 0, 0, 0, 0, 0, 0));
      assertEquals(Collections.nCopies(JOBS + 1, held), usage.read("ann", 0, 6000));
      assertEquals(List.of(), usage.read("bob", 0, 6000));
      assertEquals(List.of(), usage.read(null, 6000, 6000), "nothing since then");
    }
    opened.journal().close();
  }
}
