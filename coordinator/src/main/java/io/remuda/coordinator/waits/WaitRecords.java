package io.remuda.coordinator.waits;

import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.spans.SpanJournal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps why jobs have waited, from what is seen once a second. A job whose reason changes all the
 * time has spans of the reason {@link #CHANGING} instead, so that it does not push the others out.
 * Blocks. Thread-safe.
 */
public final class WaitRecords implements Closeable {

  /** The reason of a time in which the reason changed again and again. */
  public static final String CHANGING = "changing";

  private static final long FILE_BYTES = 8 << 20;

  /** A job that waits for the same before and after a shorter time without a server goes on. */
  private static final int RESTART_SECONDS = 60;

  /** Spans that a job may begin at once, and how soon it may begin another one. */
  private static final int ALLOWANCE = 50;

  private static final int ALLOWANCE_SECONDS = 10;

  /** What is answered of a job at most, the newest. */
  private static final int MOST_SPANS = 1000;

  private static final long MILLIS = 1000;

  /** A job that waits. */
  private static final class Waiting {
    private WaitSpan span;
    private long allowance = ALLOWANCE;
    private long allowedAt;

    private Waiting(long second) {
      allowedAt = second;
    }

    /** Returns whether a span may begin. */
    private boolean spends(long second) {
      long more = Math.max(0, (second - allowedAt) / ALLOWANCE_SECONDS);
      allowance = Math.min(ALLOWANCE, allowance + more);
      allowedAt += more * ALLOWANCE_SECONDS;
      if (allowance == 0) {
        return false;
      }
      allowance--;
      return true;
    }
  }

  /** A span is known by its job and task, its reason, and when it began. */
  private record Begun(long job, int task, long from, String reason) {}

  private static final SpanJournal.Form<WaitSpan> FORM =
      new SpanJournal.Form<>() {
        @Override
        public String line(WaitSpan span) {
          return WaitSpanLines.line(span);
        }

        @Override
        public Optional<WaitSpan> span(String line) {
          return WaitSpanLines.span(line);
        }

        @Override
        public Object beginning(WaitSpan span) {
          return new Begun(span.job(), span.task(), span.from(), span.reason());
        }
      };

  private final SpanJournal<WaitSpan> journal;
  private final Map<Long, Waiting> waiting = new HashMap<>();

  private WaitRecords(SpanJournal<WaitSpan> journal) {
    this.journal = journal;
  }

  /** Opens the records in a folder, which it makes. */
  public static WaitRecords open(Path folder, long second) throws IOException {
    return open(folder, FILE_BYTES, second);
  }

  static WaitRecords open(Path folder, long fileBytes, long second) throws IOException {
    return new WaitRecords(SpanJournal.open(folder, fileBytes, FORM, "why jobs waited", second));
  }

  /**
   * Keeps what was seen.
   *
   * @param second since 1970, later than the last one; another one is ignored
   */
  public synchronized void seen(List<JobWait> waits, long second) {
    SpanJournal.Look look = journal.look(second);
    if (look == SpanJournal.Look.IGNORED) {
      return;
    }
    if (look == SpanJournal.Look.AFTER_GAP) {
      waiting.values().forEach(one -> journal.add(one.span.until(journal.lastSeen())));
      waiting.clear();
    }
    Map<Long, Waiting> now = new HashMap<>();
    for (JobWait wait : waits) {
      long job = wait.job().value();
      Waiting one = waiting.remove(job);
      now.put(job, seen(one == null ? new Waiting(second) : one, span(wait, second)));
    }
    waiting.values().forEach(one -> journal.add(one.span.until(second)));
    waiting.clear();
    waiting.putAll(now);
    journal.seen(second, waiting.values().stream().map(one -> one.span).toList());
  }

  private Waiting seen(Waiting one, WaitSpan now) {
    if (one.span != null && now.continues(one.span)) {
      one.span = one.span.seen(now);
    } else if (one.span == null || one.spends(now.to())) {
      end(one, now.from());
      one.span = now;
    } else if (one.span.reason().equals(CHANGING)) {
      one.span = one.span.seen(now);
    } else {
      end(one, now.from());
      one.span =
          new WaitSpan(
              now.job(),
              now.task(),
              CHANGING,
              now.text(),
              now.from(),
              now.to(),
              now.turn(),
              now.expectedStart());
    }
    return one;
  }

  private void end(Waiting one, long second) {
    if (one.span != null) {
      journal.add(one.span.until(second));
    }
  }

  private static WaitSpan span(JobWait wait, long second) {
    WaitReason reason = wait.reasons().get(0);
    String text = WaitText.lines(List.of(reason)).get(0);
    int others = wait.reasons().size() - 1;
    Long starts = wait.forecast() == null ? null : wait.forecast().startsInMillis();
    return new WaitSpan(
        wait.job().value(),
        wait.task(),
        reason.label(),
        others == 0 ? text : text + ", and " + others + " more",
        second,
        second,
        wait.forecast() == null ? 0 : wait.forecast().turn(),
        starts == null ? 0 : second + starts / MILLIS);
  }

  /**
   * Why a job has waited.
   *
   * @param spans in order, the newest
   * @param waits whether the last one is not over
   * @param since from when on there are records, in seconds since 1970
   */
  public record JobSpans(List<WaitSpan> spans, boolean waits, long since) {}

  /** Returns why a job has waited. */
  public JobSpans of(long job) throws IOException {
    SpanJournal.Snapshot<WaitSpan> snapshot;
    boolean waits;
    long since;
    synchronized (this) {
      waits = waiting.containsKey(job);
      snapshot =
          journal.snapshot(
              0, span -> span.job() == job, waits ? List.of(waiting.get(job).span) : List.of());
      since = journal.since();
    }
    Deque<WaitSpan> newest = new ArrayDeque<>();
    snapshot.read(
        WaitSpanLines.beginning(job),
        span -> {
          newest.addLast(span);
          if (newest.size() > MOST_SPANS) {
            newest.removeFirst();
          }
        });
    return new JobSpans(joined(newest), waits, since);
  }

  /** Takes spans together between which a server was away for a moment. */
  private static List<WaitSpan> joined(Collection<WaitSpan> spans) {
    List<WaitSpan> joined = new ArrayList<>();
    for (WaitSpan span : spans) {
      WaitSpan last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && span.continues(last) && span.from() - last.to() < RESTART_SECONDS) {
        joined.set(joined.size() - 1, last.seen(span));
      } else {
        joined.add(span);
      }
    }
    return List.copyOf(joined);
  }

  /** Ends what is not over, and writes everything. */
  @Override
  public synchronized void close() {
    waiting.values().forEach(one -> journal.add(one.span));
    waiting.clear();
    journal.end();
  }
}
