package io.remuda.coordinator.commit;

import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreState;
import io.remuda.coordinator.store.StoreTooLargeException;
import io.remuda.coordinator.store.row.StoreDamagedException;
import io.remuda.coordinator.store.warm.WarmState;
import java.lang.ref.Reference;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a registry of the live jobs that were read ahead, as one who begins to lead does, and
 * throws it away. So the code has been compiled, and the heap has grown, before it counts: with
 * 100,000 jobs both together take longer than the work itself. What is made here is never used.
 *
 * <p>Not thread-safe. It ends early once the rows are taken.
 */
public final class TakeOverRehearsal {

  /** With fewer jobs there is little to gain. */
  static final int FEWEST_JOBS = 5000;

  private static final Logger LOG = LoggerFactory.getLogger(TakeOverRehearsal.class);
  private static final int PORTION = 1000;

  private final RetryPolicy retry;
  private final SchedulingSettings sharing;

  /** Jobs of the last rehearsal, and of one that was left out because memory was too short. */
  private long last;

  /** Jobs of the last call. */
  private long seen;

  /** Creates one with the settings of a leader. */
  public TakeOverRehearsal(RetryPolicy retry, SchedulingSettings sharing) {
    this.retry = retry;
    this.sharing = sharing;
  }

  /**
   * Rehearses if the jobs have become a quarter more since the last time, and do not grow fast at
   * present; called about once a second.
   */
  public void runIfDue(WarmState warm, Connection connection) throws SQLException {
    long before = seen;
    long jobs = warm.jobs();
    seen = jobs;
    if (jobs < FEWEST_JOBS || jobs < last + last / 4 || jobs > before + before / 50) {
      return;
    }
    last = jobs;
    if (room() < ServerMemoryEstimate.JOB * jobs) {
      LOG.debug("no take-over of {} jobs is rehearsed: there is too little memory", jobs);
      return;
    }
    long begin = System.nanoTime();
    try {
      rehearse(warm, connection);
    } catch (StoreDamagedException | StoreTooLargeException fault) {
      LOG.debug("no take-over is rehearsed", fault); // who is to lead says it
      return;
    }
    collect(); // else what was made would be in the way
    LOG.debug("a take-over of {} jobs took {} ms", jobs, (System.nanoTime() - begin) / 1_000_000);
  }

  private static long room() {
    Runtime heap = Runtime.getRuntime();
    return heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
  }

  private void rehearse(WarmState warm, Connection connection)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    Optional<WarmState.Rows> copy = warm.copy();
    if (copy.isEmpty()) {
      return;
    }
    StoreState state = StoreOpener.rehearse(connection, copy.get());
    long now = System.nanoTime();
    Clock clock = Clock.systemUTC();
    TaskRegistry tasks = new TaskRegistry(retry, sharing, now);
    for (int from = 0; from < state.jobs().size() && !warm.isOver(); from += PORTION) {
      RegistryRestore.into(tasks, portion(state, from), clock.millis(), now);
    }
    if (warm.isOver()) {
      return;
    }
    JobChangeRowConverter rows = new JobChangeRowConverter(state, clock);
    tasks.schedule(List.of(), node -> TaskRegistry.NOT_ORDERED, now);
    collect(); // with all of it, so that the heap grows to what will be needed
    Reference.reachabilityFence(rows);
    Reference.reachabilityFence(tasks);
  }

  private static StoreState portion(StoreState state, int from) {
    return StoreState.toRehearse(
        state.jobs().subList(from, Math.min(state.jobs().size(), from + PORTION)),
        state.tasks(),
        state.ended());
  }

  /**
   * Collects the whole heap, after which the JVM resizes it. This stops a member that does not lead
   * for some tenths of a second.
   */
  private static void collect() {
    System.gc();
  }
}
