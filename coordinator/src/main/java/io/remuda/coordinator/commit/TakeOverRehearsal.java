package io.remuda.coordinator.commit;

import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StateRehearsal;
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
import java.util.function.LongSupplier;
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

  /** What is made of the rows, and what it is made with, each take what the estimate says. */
  private static final int TIMES = 2;

  private final RetryPolicy retry;
  private final SchedulingSettings sharing;
  private final int fewest;
  private final LongSupplier room;
  private final Runnable collect;

  /** Jobs of the last rehearsal, and of one that was left out because memory was too short. */
  private long last;

  /** Jobs of the last call. */
  private long seen;

  /** Whether one has failed: then there is no other. */
  private boolean failed;

  /** Creates one with the settings of a leader. */
  public TakeOverRehearsal(RetryPolicy retry, SchedulingSettings sharing) {
    // System.gc collects the whole heap, after which the JVM resizes it. This stops a member that
    // does not lead for some tenths of a second.
    this(retry, sharing, FEWEST_JOBS, TakeOverRehearsal::freeHeap, System::gc);
  }

  /**
   * @param fewest jobs for which it rehearses
   * @param room bytes of the heap that are free
   * @param collect collects the whole heap
   */
  TakeOverRehearsal(
      RetryPolicy retry,
      SchedulingSettings sharing,
      int fewest,
      LongSupplier room,
      Runnable collect) {
    this.retry = retry;
    this.sharing = sharing;
    this.fewest = fewest;
    this.room = room;
    this.collect = collect;
  }

  /**
   * Rehearses if the jobs have become a quarter more since the last time, and do not grow fast at
   * present; called about once a second. A rehearsal that fails is the last one.
   *
   * @throws SQLException if the database is away
   */
  public void runIfDue(WarmState warm, Connection connection) throws SQLException {
    long before = seen;
    long jobs = warm.jobs();
    seen = jobs;
    if (failed || jobs < fewest || jobs < last + last / 4 || jobs > before + before / 50) {
      return;
    }
    last = jobs;
    long begin = System.nanoTime();
    try {
      long free = room.getAsLong();
      if (free < TIMES * warm.bytes()) {
        LOG.debug("no take-over of {} jobs is rehearsed: there is too little memory", jobs);
        return;
      }
      rehearse(warm, connection, free);
      collectUnlessOver(warm); // else what was made would be in the way
    } catch (StoreDamagedException | StoreTooLargeException fault) {
      LOG.debug("no take-over is rehearsed", fault); // who is to lead says it
      return;
    } catch (RuntimeException | OutOfMemoryError fault) {
      failed = true;
      LOG.warn("no take-over is rehearsed any more: taking over may need a second more", fault);
      return;
    }
    LOG.debug("a take-over of {} jobs took {} ms", jobs, (System.nanoTime() - begin) / 1_000_000);
  }

  private static long freeHeap() {
    Runtime heap = Runtime.getRuntime();
    return heap.maxMemory() - heap.totalMemory() + heap.freeMemory();
  }

  private void rehearse(WarmState warm, Connection connection, long free)
      throws SQLException, StoreDamagedException, StoreTooLargeException {
    Optional<WarmState.Rows> copy = warm.copy();
    if (copy.isEmpty()) {
      return;
    }
    Optional<StoreState> loaded = StateRehearsal.load(connection, copy.get(), free, warm::isOver);
    if (loaded.isEmpty()) {
      return;
    }
    StoreState state = loaded.get();
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
    tasks.schedule(List.of(), now);
    collectUnlessOver(warm); // with all of it, so that the heap grows to what will be needed
    Reference.reachabilityFence(rows);
    Reference.reachabilityFence(tasks);
  }

  /** A member that begins to lead has no time for a full collection. */
  private void collectUnlessOver(WarmState warm) {
    if (!warm.isOver()) {
      collect.run();
    }
  }

  private static StoreState portion(StoreState state, int from) {
    return StoreState.toRehearse(
        state.jobs().subList(from, Math.min(state.jobs().size(), from + PORTION)),
        state.tasks(),
        state.ended());
  }
}
