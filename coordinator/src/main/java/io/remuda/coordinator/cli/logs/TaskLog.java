package io.remuda.coordinator.cli.logs;

import io.remuda.agent.output.OutputFile.OutputSlice;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.client.LocalOutputFile;
import io.remuda.coordinator.client.RestClient.OutputChunk;
import io.remuda.worker.job.TaskId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;

/** One stream of a task's output, in parts. */
final class TaskLog {

  /** Answers a request for a part of an output. */
  interface Source {
    /** Also several at a time, on any thread. */
    OutputChunk bytes(String path) throws IOException;
  }

  private static final long FIRST_BLOCK = 64 << 10;
  private static final int GROWTH = 8;

  /** How far back lines are counted; more lines than that are not found. */
  private static final long MOST_BACK = 64L << 20;

  private final Source source;
  private final OutputStreamName stream;
  private final String path;
  private final OutputReadAhead ahead = new OutputReadAhead(this::sent);
  private volatile String machine = LocalOutputFile.query();

  /** What follows the newest part of the server's, up to an offset; null if there is nothing. */
  private LocalOutputFile local;

  private long localEnd;

  /**
   * @param attempt number of the attempt; 0 for the newest
   */
  TaskLog(Source source, TaskId task, int attempt, OutputStreamName stream) {
    this.source = source;
    this.stream = stream;
    this.path =
        String.format(
            Locale.ROOT,
            "/jobs/%d/logs?stream=%s&task=%d&attempt=%d&offset=",
            task.job().value(),
            stream.name().toLowerCase(Locale.ROOT),
            task.index(),
            attempt);
  }

  /** Returns the next part; it is empty at the end of what there is so far. */
  OutputChunk from(long offset) throws IOException {
    if (local != null && offset < localEnd) {
      try {
        OutputSlice part = local.read(offset, localEnd);
        if (part.bytes().length > 0) {
          return new OutputChunk(
              part.bytes(), part.offset(), localEnd, part.dropped(), false, null);
        }
      } catch (IOException gone) {
        machine = ""; // the server may know more
      }
    }
    local = null;
    OutputChunk part = ahead.from(offset);
    if (part.place() != null && part.offset() + part.bytes().length < part.size()) {
      local = LocalOutputFile.of(part.place(), stream).orElse(null);
      localEnd = part.size();
    }
    return part;
  }

  private OutputChunk sent(long offset) throws IOException {
    return source.bytes(path + offset + machine);
  }

  /** Returns the number of bytes that there are so far. */
  long size() throws IOException {
    return source.bytes(path + "0&limit=1").size();
  }

  /** Returns where the last lines begin; what follows the last line break counts as a line. */
  long startOfLastLines(int lines) throws IOException {
    long size = size();
    if (lines == 0) {
      return size;
    }
    for (long block = FIRST_BLOCK; ; block *= GROWTH) {
      long from = Math.max(0, size - block);
      ByteArrayOutputStream end = new ByteArrayOutputStream();
      long first = read(from, size, end);
      int at = startOfLastLines(end.toByteArray(), lines);
      if (at > 0 || first > from || from == 0 || block >= MOST_BACK) {
        return first + at;
      }
    }
  }

  /** Reads up to an offset; returns the offset of the first byte that there is. */
  private long read(long from, long to, ByteArrayOutputStream into) throws IOException {
    long first = -1;
    long offset = from;
    while (offset < to) {
      OutputChunk part = from(offset);
      first = first < 0 ? part.offset() : first;
      into.writeBytes(part.bytes());
      offset = part.offset() + part.bytes().length;
      if (part.bytes().length == 0) {
        break;
      }
    }
    return first < 0 ? from : first;
  }

  /** Returns where the last lines begin in these bytes; 0 if there are fewer or no more. */
  private static int startOfLastLines(byte[] bytes, int lines) {
    int left = lines;
    for (int i = bytes.length - 2; i >= 0; i--) { // a break at the end begins no line
      if (bytes[i] == '\n' && --left == 0) {
        return i + 1;
      }
    }
    return 0;
  }
}
