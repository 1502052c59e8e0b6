package io.remuda.agent.metric;

import io.remuda.agent.attempt.SmallJsonFiles;
import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.output.DroppedRange;
import io.remuda.agent.output.HolePuncher;
import io.remuda.agent.output.RegularFile;
import io.remuda.agent.protocol.AgentMessage;
import io.remuda.worker.job.AttemptId;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of one attempt, read a batch at a time: the next is read once the last is kept, so that
 * the file is the only buffer. Where a batch begins and ends is noted before it is sent: a later
 * agent sends the very same again, and nothing is kept twice. What is kept becomes a hole. One
 * thread.
 */
final class TaskMetricsFile {

  /** Bytes that are read at a look. */
  static final int MOST_READ = 1 << 20;

  /** Bytes that wait to be read; of more the newest are read, and the rest is left out. */
  static final long MOST_WAITING = 16L << 20;

  /** Names of an attempt. */
  static final int MOST_NAMES = 50;

  private static final Logger LOG = LoggerFactory.getLogger(TaskMetricsFile.class);
  private static final String NOTE = "metrics-read.json";
  private static final long HOLE_BYTES = 256 << 10;

  /**
   * The newest batch.
   *
   * @param base bytes of what the file had before it was emptied
   * @param from first byte in the file
   * @param until byte after the last
   */
  record Place(long base, long from, long until) {}

  private final AttemptId attempt;
  private final TaskFolder folder;
  private final File file;
  private final HolePuncher holes;
  private final Set<String> names = new HashSet<>();
  private final MetricNotes notes = new MetricNotes();
  private final Deque<AgentMessage.Metrics> pending = new ArrayDeque<>();
  private long base;
  private long at;

  /** Where a batch of an earlier agent has ended; 0 for none. */
  private long redo;

  /** Whether this place is within a line of which nothing is read. */
  private boolean withinLine;

  private long hole;
  private long sentAt;

  TaskMetricsFile(AttemptId attempt, TaskFolder folder, HolePuncher holes) {
    this.attempt = attempt;
    this.folder = folder;
    this.file = folder.metrics().toFile();
    this.holes = holes;
    SmallJsonFiles.read(folder.path(), NOTE, Place.class)
        .ifPresent(
            place -> {
              base = place.base();
              at = place.from();
              redo = place.until();
            });
  }

  /** Returns whether something is read that is not known to be kept. */
  boolean isPending() {
    return !pending.isEmpty();
  }

  /** Returns what is to be sent: what is new, or again what was not acknowledged. */
  List<AgentMessage.Metrics> look(long nowMillis, long nanos, long againNanos) {
    if (pending.isEmpty()) {
      read(nowMillis, false);
      sentAt = nanos;
      return List.copyOf(pending);
    }
    return again(nanos, againNanos);
  }

  /** Returns what was not acknowledged, if it was sent so long ago. */
  List<AgentMessage.Metrics> again(long nanos, long againNanos) {
    if (nanos - sentAt < againNanos) {
      return List.of();
    }
    sentAt = nanos;
    return List.copyOf(pending);
  }

  /**
   * Leaves out the oldest lines if too many wait: they come faster than they are read, or no
   * coordinator takes them. A batch that is not acknowledged stays.
   */
  void shed() {
    long next = length() - MOST_READ;
    if (next - at > MOST_WAITING - MOST_READ) {
      notes.leftOut(next - at);
      punch(new DroppedRange(at, next));
      at = next;
      withinLine = true;
      redo = 0;
      if (pending.isEmpty()) {
        note(at);
      }
    }
  }

  /** Returns all that is left, once the attempt has ended. */
  List<AgentMessage.Metrics> end(long nowMillis, long nanos) {
    shed();
    if (redo > at) {
      read(nowMillis, false);
    }
    long before;
    do {
      before = at;
      read(nowMillis, true);
    } while (at > before);
    sentAt = nanos;
    return List.copyOf(pending);
  }

  /** Notes that all up to a place is kept. */
  void kept(long until) {
    if (drop(until) && pending.isEmpty()) {
      makeHole();
    }
  }

  /** Does so after the attempt has ended; returns whether nothing is left. */
  boolean endKept(long until) {
    drop(until);
    return pending.isEmpty();
  }

  private boolean drop(long until) {
    boolean news = false;
    while (!pending.isEmpty() && pending.peek().until() <= until) {
      pending.remove();
      news = true;
    }
    return news;
  }

  private void note(long from) {
    try {
      SmallJsonFiles.write(folder.path(), NOTE, new Place(base, from, at));
    } catch (IOException movedOrFull) {
      LOG.debug("{}: lines may come twice", attempt, movedOrFull);
    }
  }

  private void makeHole() {
    if (at - hole > HOLE_BYTES) {
      hole = at;
      punch(new DroppedRange(0, at));
    }
  }

  private void punch(DroppedRange range) {
    try (HolePuncher.OpenFile open = holes.open(file.toPath())) {
      open.punch(range);
    } catch (IOException none) {
      LOG.debug("{} keeps its size", file, none); // until the task ends
    }
  }

  private long length() {
    long length = file.length();
    if (length < at) { // emptied by the program
      base += at;
      at = 0;
      hole = 0;
      redo = 0;
      withinLine = false;
    }
    return length;
  }

  /**
   * Reads the next batch.
   *
   * @param last whether the last line ends with the file
   */
  private void read(long nowMillis, boolean last) {
    long length = length();
    long until = Math.min(redo > at ? redo : length, Math.min(length, at + MOST_READ));
    redo = 0;
    if (until == at) {
      return;
    }
    long from = at;
    MetricBatch batch = new MetricBatch();
    byte[] bytes = bytes(until).orElse(new byte[0]);
    int begin = 0;
    for (int end = 0; end < bytes.length; end++) {
      if (bytes[end] == '\n') {
        if (!withinLine) {
          line(bytes, begin, end - begin, nowMillis, batch);
        }
        withinLine = false;
        begin = end + 1;
      }
    }
    int left = bytes.length - begin;
    if (left > MetricLine.MOST_BYTES || withinLine || last && until == length) {
      if (!withinLine) {
        line(bytes, begin, left, nowMillis, batch);
      }
      withinLine = left > 0;
      begin = bytes.length;
    }
    at += begin;
    batch.thinned().forEach(notes::thinned);
    AgentMessage.Metrics read =
        new AgentMessage.Metrics(attempt, base + from, base + at, batch.points(), notes.changed());
    if (!read.points().isEmpty() || !read.notes().isEmpty()) {
      if (pending.isEmpty()) {
        note(from);
      }
      pending.add(read);
    }
  }

  /** Returns the bytes from this place on. */
  private Optional<byte[]> bytes(long until) {
    try (RandomAccessFile open = RegularFile.open(file.toPath())) {
      byte[] bytes = new byte[(int) (until - at)];
      open.seek(at);
      open.readFully(bytes);
      return Optional.of(bytes);
    } catch (IOException goneOrNoFile) {
      return Optional.empty(); // the program has put something else in its place
    }
  }

  private void line(byte[] bytes, int begin, int length, long nowMillis, MetricBatch batch) {
    if (length == 0) {
      return;
    }
    if (length > MetricLine.MOST_BYTES) {
      notes.bad(bytes, begin, length);
      return;
    }
    MetricLine line;
    try {
      String text = new String(bytes, begin, length, StandardCharsets.ISO_8859_1);
      if (text.isBlank()) {
        return;
      }
      line = MetricLine.of(text, nowMillis);
    } catch (IllegalArgumentException none) {
      notes.bad(bytes, begin, length);
      return;
    }
    if (!names.contains(line.name()) && names.size() >= MOST_NAMES) {
      notes.tooManyNames(MOST_NAMES, line.name());
      return;
    }
    names.add(line.name());
    if (Double.isFinite(line.value())) {
      batch.add(line);
    } else {
      notes.notFinite(line);
    }
  }
}
