package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attack H2: a server that has too little memory for its state says so instead of dying of it. */
@Tag("attack")
@Tag("attack-store")
class StoreTooLargeExceptionTest {

  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  @Test
  void a_state_that_needs_more_memory_than_there_is_is_refused_with_what_to_do() throws Exception {
    StoreOpener.Opened opened = StoreOpener.open(folder, CLOCK);
    JobSpec large = spec(1, 1_000_000);
    JobSpec other = spec(2, 1_000_000);
    write(
        opened.journal(),
        new StoreChange.JobAdded(large, row(large, TaskState.WAITING, 0)),
        new StoreChange.JobAdded(other, row(other, TaskState.WAITING, 0)));
    opened.journal().close();
    StoreTooLargeException no =
        assertThrows(StoreTooLargeException.class, () -> StoreOpener.open(folder, CLOCK, 10 * MIB));
    assertTrue(
        no.getMessage()
            .endsWith(
                "state.db: 2 jobs that have not ended, with 2000000 tasks, take about 7 MiB of"
                    + " memory, and this server has 10 MiB: start it with"
                    + " REMUDA_SERVER_MEMORY=256m remuda serve"),
        no.getMessage());
    StoreOpener.Opened again = StoreOpener.open(folder, CLOCK, 20 * MIB);
    assertEquals(2, again.state().jobs().size(), "nothing is wrong with the file");
    again.journal().close();
  }
}
