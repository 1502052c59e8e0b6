package io.remuda.coordinator.commit;

import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.JournalWriter;
import io.remuda.coordinator.store.StoreState;
import java.time.Clock;

/**
 * The persistence of a coordinator: the state from which it goes on, and what makes changes of it
 * durable.
 *
 * @param durableLog makes rows durable
 * @param state the stored state at the start
 * @param jobRows turns changes into rows
 * @param wallMillis current time in milliseconds since 1970
 */
public record CoordinatorPersistence(
    DurableLog durableLog, StoreState state, JobChangeRowConverter jobRows, long wallMillis) {

  /**
   * Returns the persistence over a journal.
   *
   * @param state what the journal's store had when it was opened
   * @param clock wall clock for recorded times
   */
  public static CoordinatorPersistence over(JournalWriter journal, StoreState state, Clock clock) {
    return new CoordinatorPersistence(
        new JournalLog(journal), state, new JobChangeRowConverter(state, clock), clock.millis());
  }

  /**
   * Fills a registry with the state.
   *
   * @param now current time on the monotonic clock in nanoseconds
   */
  public void restore(TaskRegistry tasks, long now) {
    RegistryRestore.into(tasks, state, wallMillis, now);
  }
}
