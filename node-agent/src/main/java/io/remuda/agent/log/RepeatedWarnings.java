package io.remuda.agent.log;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which of the repetitions of one same warning are logged: the first, one after a minute, and then
 * at intervals that double up to an hour. One that has not come for an hour is new again. Any
 * thread.
 */
public final class RepeatedWarnings {

  private static final long FIRST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Warnings that are remembered; of more the oldest is new again. */
  private static final int MOST = 64;

  /** What is known of a warning; times in nanoseconds. */
  private static final class Repetition {
    private long logged;
    private long last;
    private long pause = FIRST_NANOS;
    private long omitted;
  }

  private final LongSupplier nanoClock;

  private final Map<String, Repetition> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Repetition> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param nanoClock monotonic clock in nanoseconds
   */
  public RepeatedWarnings(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Takes one occurrence of a warning.
   *
   * @param warning what makes it the same one: its text without numbers that change
   * @return what is added to the line, which may be nothing; empty if it is not to be logged
   */
  public synchronized Optional<String> next(String warning) {
    long now = nanoClock.getAsLong();
    Repetition before = known.get(warning);
    if (before == null || now - before.last > LONGEST_NANOS) {
      known.remove(warning);
      Repetition first = new Repetition();
      first.logged = now;
      first.last = now;
      known.put(warning, first);
      return Optional.of("");
    }
    before.last = now;
    if (now - before.logged < before.pause) {
      before.omitted++;
      return Optional.empty();
    }
    String more =
        before.omitted == 0 ? "" : " (and " + before.omitted + " times since the last line)";
    before.logged = now;
    before.pause = Math.min(2 * before.pause, LONGEST_NANOS);
    before.omitted = 0;
    return Optional.of(more);
  }
}
