package io.remuda.coordinator.rest.output;

import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.worker.job.JobSpec;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client's position in a job's output: the tasks of which it has all output, and for others the
 * bytes of each stream of one attempt. Its size depends on the number of unfinished tasks, not of
 * all tasks. As text, for requests, it is {@code 0-99_101_7.2.4096.0}: all of tasks 0 to 99 and
 * 101, and of the second attempt of task 7 4096 bytes of stdout and none of stderr.
 * Single-threaded.
 */
public final class OutputPosition {

  /** Maximum characters of the text, which must fit into a URL. */
  private static final int MOST_TEXT = 3000;

  /** An attempt of a task, and how many bytes of each stream the client has. */
  private static final class Open {
    private final int attempt;
    private long out;
    private long err;

    private Open(int attempt) {
      this.attempt = attempt;
    }
  }

  private final BitSet done = new BitSet();
  private final Map<Integer, Open> open = new TreeMap<>();

  /**
   * Parses the result of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text is not a position
   */
  public static OutputPosition parse(String text) {
    OutputPosition position = new OutputPosition();
    if (text.length() > MOST_TEXT) {
      throw new IllegalArgumentException(
          "after has at most " + MOST_TEXT + " characters, got " + text.length());
    }
    for (String part : text.isEmpty() ? new String[0] : text.split("_", -1)) {
      position.read(part);
    }
    return position;
  }

  private void read(String part) {
    if (part.matches("\\d{1,7}(-\\d{1,7})?")) {
      String[] ends = part.split("-");
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (first <= last && last < JobSpec.MOST_TASKS) {
        done.set(first, last + 1);
        return;
      }
    } else if (part.matches("\\d{1,7}\\.\\d{1,9}\\.\\d{1,18}\\.\\d{1,18}")) {
      String[] numbers = part.split("\\.");
      Open task = new Open(Integer.parseInt(numbers[1]));
      task.out = Long.parseLong(numbers[2]);
      task.err = Long.parseLong(numbers[3]);
      open.put(Integer.parseInt(numbers[0]), task);
      return;
    }
    throw new IllegalArgumentException(
        "after is the position of a client, as 0-99_7.1.4096.0, got "
            + ShortenedValues.quoted(part));
  }

  /** Returns whether the client has all output of a task. */
  public boolean isDone(int task) {
    return done.get(task);
  }

  /** Marks that the client has all output of a task. */
  public void done(int task) {
    done.set(task);
    open.remove(task);
  }

  /** Marks that the client has all output of tasks, in the form {@code 0-99_101}. */
  public void done(String tasks) {
    OutputPosition others = parse(tasks);
    done.or(others.done);
    open.keySet().removeIf(done::get);
  }

  /** Returns the first task of which the client may lack output. */
  public int firstOpen() {
    return done.nextClearBit(0);
  }

  /** Returns the attempt of a task of which the client has the beginning; 0 if there is none. */
  public int attempt(int task) {
    Open begun = open.get(task);
    return begun == null ? 0 : begun.attempt;
  }

  /** Returns the client's bytes of a stream; {@code Long.MAX_VALUE} if no more is to be sent. */
  public long seen(int task, int attempt, OutputStreamName stream) {
    Open begun = open.get(task);
    if (done.get(task) || (begun != null && begun.attempt > attempt)) {
      return Long.MAX_VALUE;
    }
    if (begun == null || begun.attempt < attempt) {
      return 0;
    }
    return stream == OutputStreamName.OUT ? begun.out : begun.err;
  }

  /** Marks that the client has a stream up to {@code end}. */
  public void shown(int task, int attempt, OutputStreamName stream, long end) {
    if (seen(task, attempt, stream) >= end) {
      return;
    }
    Open begun = open.get(task);
    if (begun == null || begun.attempt < attempt) {
      begun = new Open(attempt);
      open.put(task, begun);
    }
    if (stream == OutputStreamName.OUT) {
      begun.out = end;
    } else {
      begun.err = end;
    }
  }

  /** Begins an attempt; nothing more of earlier attempts is sent. */
  void begun(int task, int attempt) {
    if (!done.get(task) && attempt(task) < attempt) {
      open.put(task, new Open(attempt));
    }
  }

  /** Returns the position, shortened to fit into a URL; the client gets the rest again. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(ranges(done, MOST_TEXT));
    for (Map.Entry<Integer, Open> begun : open.entrySet()) {
      Open task = begun.getValue();
      if (task.out == 0 && task.err == 0) {
        continue;
      }
      String part = begun.getKey() + "." + task.attempt + "." + task.out + "." + task.err;
      if (text.length() + 1 + part.length() > MOST_TEXT) {
        break;
      }
      text.append(text.isEmpty() ? "" : "_").append(part);
    }
    return text.toString();
  }

  /** Returns numbers as ranges, cut to {@code most} characters. */
  static String ranges(BitSet numbers, int most) {
    StringBuilder text = new StringBuilder();
    for (int first = numbers.nextSetBit(0); first >= 0; ) {
      int end = numbers.nextClearBit(first);
      String part = end == first + 1 ? "" + first : first + "-" + (end - 1);
      if (text.length() + 1 + part.length() > most) {
        break;
      }
      text.append(text.isEmpty() ? "" : "_").append(part);
      first = numbers.nextSetBit(end);
    }
    return text.toString();
  }
}
