package io.remuda.coordinator.waits;

import io.remuda.coordinator.api.JobWait;
import io.remuda.coordinator.api.WaitText;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.spans.SpanFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps why jobs have waited, from what is seen once a second. A job whose reason changes all the
 * time has spans of the reason {@link #CHANGING} instead, so that it does not push the others out.
 * Blocks. Thread-safe.
 */
public final class WaitRecords implements Closeable {

  /** The reason of a time in which the reason changed again and again. */
  public static final String CHANGING = "changing";

  private static final Logger LOG = LoggerFactory.getLogger(WaitRecords.class);

  private static final long FILE_BYTES = 8 << 20;

  /** Without a look for so long, nothing is known of the time between. */
  private static final int GAP_SECONDS = 6;

  /** A job that waits for the same before and after a shorter time without a server goes on. */
  private static final int RESTART_SECONDS = 60;

  /** What a kill loses at most. */
  private static final int WRITE_SECONDS = 5;

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

  private record Begun(int task, long from, String reason) {}

  private final SpanFiles files;
  private final Map<Long, Waiting> waiting = new HashMap<>();
  private final List<WaitSpan> over = new ArrayList<>();
  private long lastSeen;
  private long written;
  private boolean openWritten;
  private boolean failed;

  private WaitRecords(SpanFiles files, long second) {
    this.files = files;
    this.lastSeen = second;
    this.written = second;
  }

  /** Opens the records in a folder, which it makes. */
  public static WaitRecords open(Path folder, long second) throws IOException {
    return open(folder, FILE_BYTES, second);
  }

  static WaitRecords open(Path folder, long fileBytes, long second) throws IOException {
    SpanFiles files = new SpanFiles(folder, fileBytes);
    files.begin(second);
    List<String> left = files.open(); // of a server that was killed
    if (!left.isEmpty()) {
      files.append(left, second);
      files.writeOpen(List.of());
    }
    return new WaitRecords(files, second);
  }

  /**
   * Keeps what was seen.
   *
   * @param second since 1970, later than the last one; another one is ignored
   */
  public synchronized void seen(List<JobWait> waits, long second) {
    if (second <= lastSeen && lastSeen - second < GAP_SECONDS) {
      return;
    }
    if (second - lastSeen > GAP_SECONDS || second < lastSeen) {
      waiting.values().forEach(one -> over.add(one.span.until(lastSeen)));
      waiting.clear();
    }
    Map<Long, Waiting> now = new HashMap<>();
    for (JobWait wait : waits) {
      long job = wait.job().value();
      Waiting one = waiting.remove(job);
      now.put(job, seen(one == null ? new Waiting(second) : one, span(wait, second)));
    }
    waiting.values().forEach(one -> over.add(one.span.until(second)));
    waiting.clear();
    waiting.putAll(now);
    lastSeen = second;
    if (second - written >= WRITE_SECONDS || second < written) {
      write();
    }
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
      over.add(one.span.until(second));
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

  private void write() {
    written = lastSeen;
    try {
      if (!over.isEmpty()) {
        files.append(over.stream().map(WaitSpanLines::line).toList(), lastSeen);
        over.clear();
      }
      if (!waiting.isEmpty() || openWritten) {
        files.writeOpen(
            waiting.values().stream().map(one -> WaitSpanLines.line(one.span)).toList());
        openWritten = !waiting.isEmpty();
      }
      failed = false;
    } catch (IOException fault) {
      over.clear(); // what is kept is bounded
      if (!failed) {
        LOG.warn("why jobs waited is not written: {}", fault.toString());
        failed = true;
      }
    }
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
    List<Path> written;
    List<WaitSpan> newest = new ArrayList<>();
    boolean waits;
    long since;
    synchronized (this) {
      written = files.files(0);
      over.stream().filter(span -> span.job() == job).forEach(newest::add);
      waits = waiting.containsKey(job);
      if (waits) {
        newest.add(waiting.get(job).span);
      }
      since = files.since().orElse(lastSeen);
    }
    Map<Begun, WaitSpan> spans = new LinkedHashMap<>();
    SpanFiles.read(
        written,
        WaitSpanLines.beginning(job),
        line -> WaitSpanLines.span(line).ifPresent(span -> add(span, spans)));
    newest.forEach(span -> add(span, spans));
    return new JobSpans(joined(spans.values()), waits, since);
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

  /** Adds a span; after a kill there may be a second one of it, which ends too early. */
  private static void add(WaitSpan span, Map<Begun, WaitSpan> into) {
    into.putIfAbsent(new Begun(span.task(), span.from(), span.reason()), span);
    if (into.size() > MOST_SPANS) {
      into.remove(into.keySet().iterator().next());
    }
  }

  /** Ends what is not over, and writes everything. */
  @Override
  public synchronized void close() {
    waiting.values().forEach(one -> over.add(one.span));
    waiting.clear();
    openWritten = true;
    write();
  }
}
