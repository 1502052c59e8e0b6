package io.remuda.coordinator.schedule;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** How long the steps of the last scheduling cycle took. Single-threaded. */
public final class CycleTimes {

  /** The steps of a cycle, in their order. */
  public enum Step {
    /** Takes the snapshot of the nodes and of the users' use. */
    SNAPSHOT,
    /** Gives places that were left for a waiting task to this task. */
    FULFIL,
    /** Collects the classes of the waiting tasks. */
    COLLECT,
    /** Orders the tasks, fits and scores nodes for each, and reserves capacity. */
    PLAN,
    /** Gives the planned tasks their places. */
    APPLY,
    /** Places short tasks in slots behind others of their class. */
    PLACE_AHEAD,
    /** Asks running tasks to leave: for others, or to go on with another number of GPUs. */
    PREEMPT,
    /** Makes the rows and passes them to the log. */
    COMMIT
  }

  private final LongSupplier nanoClock;
  private final Map<Step, Duration> last = new EnumMap<>(Step.class);
  private long since;

  /**
   * @param nanoClock monotonic clock in nanoseconds
   */
  public CycleTimes(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Begins a cycle with its first step. */
  public void begin() {
    last.clear();
    since = nanoClock.getAsLong();
  }

  /** Ends a step; the next begins. */
  public void end(Step step) {
    long now = nanoClock.getAsLong();
    last.put(step, Duration.ofNanos(now - since));
    since = now;
  }

  /** Returns the time of all steps of the last cycle. */
  public Duration total() {
    return last.values().stream().reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns the time of each step that the last cycle has ended. */
  public Map<Step, Duration> last() {
    return Map.copyOf(last);
  }

  /** Returns the steps in their order, each with its milliseconds. */
  @Override
  public String toString() {
    return last.entrySet().stream()
        .map(step -> step.getKey() + " " + step.getValue().toMillis() + " ms")
        .collect(Collectors.joining(", "));
  }
}
