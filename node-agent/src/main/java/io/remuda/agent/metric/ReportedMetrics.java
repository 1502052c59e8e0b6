package io.remuda.agent.metric;

import io.remuda.agent.attempt.FileWork;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.output.FallocateHolePuncher;
import io.remuda.agent.output.HolePuncher;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the programs of this node report. It is read by the thread of {@link FileWork}, in the order
 * of its other work; no method blocks. Any thread.
 */
public final class ReportedMetrics {

  /** What is not acknowledged is sent again after so long. */
  private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  /** Ended attempts of which something is not acknowledged; the oldest are given up. */
  private static final int MOST_ENDED = 1000;

  private final AgentSettings settings;
  private final FileWork work;
  private final LongSupplier nanoClock;
  private final Clock clock;
  private final Consumer<AgentMessage.Metrics> sender;
  private final HolePuncher holes = new FallocateHolePuncher();

  /** Attempts that have reported something, and run; only for the thread of the work. */
  private final Map<AttemptId, TaskMetricsFile> running = new LinkedHashMap<>();

  /** Ended ones of which something is not acknowledged; only for the thread of the work. */
  private final Map<AttemptId, TaskMetricsFile> ended = new LinkedHashMap<>();

  private volatile boolean wanted;
  private volatile boolean looks; // one look at a time, however long a disk takes
  private volatile boolean pending;

  /**
   * @param work does what works with files
   * @param nanoClock monotonic clock in nanoseconds
   * @param clock of the times of values that have none
   * @param sender receives what is to be sent to the coordinator, on the thread of the work
   */
  public ReportedMetrics(
      AgentSettings settings,
      FileWork work,
      LongSupplier nanoClock,
      Clock clock,
      Consumer<AgentMessage.Metrics> sender) {
    this.settings = settings;
    this.work = work;
    this.nanoClock = nanoClock;
    this.clock = clock;
    this.sender = sender;
  }

  /** Sets whether the coordinator keeps what programs report; else it waits in their files. */
  public void wanted(boolean now) {
    wanted = now;
  }

  /** Returns whether something of ended attempts is not acknowledged. */
  public boolean isPending() {
    return pending;
  }

  /**
   * Has sent what is new, and again what has not been acknowledged.
   *
   * @param attempts that run
   */
  public void look(Collection<AttemptId> attempts) {
    if (!looks) {
      looks = true;
      List<AttemptId> now = List.copyOf(attempts);
      work.add(
          () -> {
            try {
              lookNow(now);
            } finally {
              looks = false;
            }
          });
    }
  }

  private void lookNow(List<AttemptId> attempts) {
    if (!running.isEmpty()) {
      running.keySet().retainAll(new HashSet<>(attempts));
    }
    for (AttemptId attempt : attempts) {
      TaskMetricsFile file = running.get(attempt);
      if (file == null && isThere(attempt)) {
        file = open(attempt);
        running.put(attempt, file);
      }
      if (file != null) {
        file.shed();
        if (wanted) {
          send(file.look(clock.millis(), nanoClock.getAsLong(), AGAIN_NANOS));
        }
      }
    }
    if (wanted) {
      ended.values().forEach(file -> send(file.again(nanoClock.getAsLong(), AGAIN_NANOS)));
    }
  }

  private boolean isThere(AttemptId attempt) {
    return TaskFolder.of(settings, attempt).metrics().toFile().length() > 0;
  }

  private TaskMetricsFile open(AttemptId attempt) {
    return new TaskMetricsFile(attempt, TaskFolder.of(settings, attempt), holes);
  }

  private void send(List<AgentMessage.Metrics> messages) {
    messages.forEach(sender);
  }

  /**
   * Has sent the rest of an attempt that has ended, before work that is added after this; to a
   * coordinator that does not keep it, the next one comes first.
   */
  public void end(AttemptId attempt) {
    work.add(() -> endNow(attempt));
  }

  private void endNow(AttemptId attempt) {
    TaskMetricsFile file = running.remove(attempt);
    if (file == null && isThere(attempt)) {
      file = open(attempt);
    }
    if (file == null) {
      return;
    }
    List<AgentMessage.Metrics> rest = file.end(clock.millis(), nanoClock.getAsLong());
    if (wanted) {
      send(rest);
    }
    if (file.isPending()) {
      ended.put(attempt, file);
      if (ended.size() > MOST_ENDED) {
        ended.remove(ended.keySet().iterator().next());
      }
      pending = true;
    }
  }

  /** Notes that a coordinator has kept what an attempt has reported, up to a place. */
  public void kept(AttemptId attempt, long until) {
    work.add(
        () -> {
          TaskMetricsFile file = running.get(attempt);
          if (file != null) {
            file.kept(until);
          }
          TaskMetricsFile over = ended.get(attempt);
          if (over != null && over.endKept(until)) {
            ended.remove(attempt);
            pending = !ended.isEmpty();
          }
        });
  }
}
