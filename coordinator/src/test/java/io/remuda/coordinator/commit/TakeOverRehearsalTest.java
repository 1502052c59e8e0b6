package io.remuda.coordinator.commit;

import static io.remuda.coordinator.store.StoreSamples.CLOCK;
import static io.remuda.coordinator.store.StoreSamples.row;
import static io.remuda.coordinator.store.StoreSamples.spec;
import static io.remuda.coordinator.store.StoreSamples.task;
import static io.remuda.coordinator.store.StoreSamples.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.store.warm.WarmState;
import io.remuda.coordinator.testkit.TestPostgres;
import io.remuda.worker.job.JobSpec;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rehearsal harms neither the reading ahead nor a member that begins to lead. */
@Timeout(60)
class TakeOverRehearsalTest {

  private static final int TASKS = 200;

  private final WarmState warm = new WarmState(1 << 30);
  private Connection connection;
  private int collections;
  private int asked;

  @BeforeEach
  void readAhead() throws Exception {
    PostgresDatabase database = new PostgresDatabase(TestPostgres.newUrl());
    StoreOpener.Opened opened = StoreOpener.open(database, CLOCK);
    JobSpec job = spec(1, TASKS);
    StoreChange[] changes = new StoreChange[1 + TASKS];
    changes[0] = new StoreChange.JobAdded(job, row(job, TaskState.RUNNING, 0));
    for (int index = 0; index < TASKS; index++) {
      changes[1 + index] = new StoreChange.TaskMoved(task(1, index, TaskState.RUNNING));
    }
    write(opened.journal(), changes);
    opened.journal().close();
    connection = database.connectToRead();
    warm.follow(connection);
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
  }

  private void rehearse(LongSupplier room, Runnable collect) throws Exception {
    rehearse(room, collect, 2); // at the first call the jobs have just grown
  }

  private void rehearse(LongSupplier room, Runnable collect, int calls) throws Exception {
    TakeOverRehearsal rehearsal =
        new TakeOverRehearsal(
            new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)),
            new SchedulingSettings(
                Duration.ofMinutes(10), Duration.ofDays(7), Duration.ofMinutes(2), Duration.ZERO),
            1,
            () -> {
              asked++;
              return room.getAsLong();
            },
            () -> {
              collections++;
              collect.run();
            });
    for (int call = 0; call < calls; call++) {
      rehearsal.runIfDue(warm, connection);
    }
  }

  @Test
  void it_collects_with_what_it_made_and_without() throws Exception {
    rehearse(() -> 1L << 30, () -> {});
    assertEquals(2, collections);
  }

  @Test
  void touched_tasks_count_for_the_memory_that_it_needs() throws Exception {
    long bytes = ServerMemoryEstimate.JOB + TASKS * ServerMemoryEstimate.TOUCHED;
    assertTrue(warm.bytes() > bytes, "it has texts, too: " + warm.bytes());
    rehearse(() -> 2 * warm.bytes() - 1, () -> {});
    assertEquals(0, collections, "there is too little memory");
  }

  @Test
  void with_twice_the_memory_that_it_needs_it_rehearses() throws Exception {
    rehearse(() -> 2 * warm.bytes(), () -> {});
    assertEquals(2, collections);
  }

  @Test
  void a_member_that_begins_to_lead_before_it_loads_is_not_stopped_by_a_collection()
      throws Exception {
    rehearse(
        () -> {
          warm.take();
          return 1L << 30;
        },
        () -> {});
    assertEquals(0, collections);
  }

  @Test
  void a_member_that_begins_to_lead_meanwhile_is_not_stopped_by_another_collection()
      throws Exception {
    rehearse(() -> 1L << 30, warm::take);
    assertEquals(1, collections);
  }

  @Test
  void one_that_fails_is_the_last_one_and_reading_ahead_goes_on() throws Exception {
    RuntimeException fault = new IllegalStateException("as the test wants it");
    assertGoesOnAfter(
        () -> {
          throw fault;
        });
  }

  @Test
  void one_without_memory_is_the_last_one_and_reading_ahead_goes_on() throws Exception {
    assertGoesOnAfter(
        () -> {
          throw new OutOfMemoryError("as the test wants it");
        });
  }

  private void assertGoesOnAfter(Runnable collect) throws Exception {
    rehearse(() -> 1L << 30, collect, 4);
    assertEquals(1, asked);
    assertEquals(1, collections);
    assertEquals(WarmState.Progress.UP_TO_DATE, warm.follow(connection));
    assertTrue(warm.copy().isPresent());
  }
}
