package io.remuda.coordinator.store;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.store.row.JobRow;
import io.remuda.coordinator.store.row.LogEntry;
import io.remuda.worker.job.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StoreReaderTest {
  @TempDir private Path folder;

  private static LogEntry added(long id, TaskState state) {
    JobSpec spec = spec(id, 1);
    return new LogEntry.JobAdded(spec, row(spec, state, state.isFinal() ? 3000 : 0));
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

  private static final int HUGE = 15_000_000;

  /** A row with such a key, as a build before this one wrote it. */
  private static JobRow withKey(JobRow row, String key) {
    return new JobRow(
        row.id(),
        row.uuid(),
        row.user(),
        row.name(),
        row.state(),
        row.first(),
        row.tasks(),
        row.submitted(),
        row.started(),
        row.ended(),
        row.reason(),
        row.exitCode(),
        row.open(),
        key,
        null,
        GangStart.NONE);
  }

  private static StoreReader.Page all(long before, int limit) {
    return new StoreReader.Page(StoreReader.JobFilter.ALL, null, before, limit);
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  @Timeout(60)
  void rows_with_keys_of_megabytes_are_listed_without_them() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    for (long id = 1; id <= 4; id++) {
      JobSpec spec = spec(id, 1);
      write(
          opened.journal(),
          new LogEntry.JobAdded(
              spec, withKey(row(spec, TaskState.WAITING, 0), id + "k".repeat(HUGE))));
    }
    try (StoreReader reader = opened.store().reader()) {
      StoreReader.RowBatch<JobRow> part = reader.jobs(all(0, 10));
      assertEquals(List.of(4L, 3L, 2L, 1L), ids(part.rows()));
      assertFalse(part.more());
      assertTrue(part.rows().stream().allMatch(row -> row.clientKey() == null));
      assertTrue(reader.liveJobs(10).stream().allMatch(row -> row.clientKey() == null));
    }
    opened.journal().close();
  }

  @Test
  @Tag("attack")
  @Tag("attack-bad-request")
  @Timeout(60)
  void a_key_that_is_too_long_is_forgotten_at_the_next_start_and_its_job_goes_on()
      throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    JobSpec spec = spec(1, 1);
    String key = "k".repeat(JobRow.MOST_KEY + 1);
    write(
        opened.journal(),
        new LogEntry.JobAdded(spec, withKey(row(spec, TaskState.WAITING, 0), key)));
    opened.journal().close();

    Store.Opened again = Store.open(folder, CLOCK);
    JobRow row = again.state().jobs().get(0).row();
    assertNull(row.clientKey());
    write(
        again.journal(),
        new LogEntry.JobMoved(
            row.moved(TaskState.CANCELLED, TaskState.CANCELLED, List.of(), 3000)));
    again.journal().close();

    Store.Opened last = Store.open(folder, CLOCK); // the sums of the file are right
    assertEquals(List.of(), last.state().jobs());
    assertEquals(1, last.journal().tidy(NONE, 9000).toCompletableFuture().get());
    last.journal().close();
  }

  private static final Retention NONE = new Retention(Duration.ofMillis(1), 1);

  @Test
  void a_page_ends_where_its_text_is_enough() throws Exception {
    Store.Opened opened = Store.open(folder, CLOCK);
    for (long id = 1; id <= 3; id++) {
      JobSpec spec = spec(id, 1);
      JobRow row = row(spec, TaskState.FAILED, 3000).because("x".repeat(600_000), 1);
      write(opened.journal(), new LogEntry.JobAdded(spec, row));
    }
    try (StoreReader reader = opened.store().reader()) {
      StoreReader.RowBatch<JobRow> first = reader.jobs(all(0, 10));
      assertEquals(List.of(3L, 2L), ids(first.rows()));
      assertTrue(first.more());
      StoreReader.RowBatch<JobRow> second = reader.jobs(all(2, 10));
      assertEquals(List.of(1L), ids(second.rows()));
      assertFalse(second.more());
    }
    opened.journal().close();
  }
}
