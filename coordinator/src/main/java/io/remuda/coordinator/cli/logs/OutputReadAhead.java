package io.remuda.coordinator.cli.logs;

import io.remuda.coordinator.client.RestClient.OutputChunk;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Has a few parts of an output under way, so that node, server and client work at the same time.
 * What was requested ahead and is not the next part, as behind a dropped range, is not used. One
 * thread at a time.
 */
final class OutputReadAhead {

  /** As long as the parts that a server sends unless less is left. */
  static final int PART = 256 << 10;

  /** Maximum number of parts that are under way or wait to be taken. */
  private static final int MOST = 3;

  /** Requests the part from an offset on. */
  interface Source {
    OutputChunk from(long offset) throws IOException;
  }

  private record Ahead(long offset, FutureTask<OutputChunk> part) {}

  private final Source source;
  private final Deque<Ahead> ahead = new ArrayDeque<>();

  OutputReadAhead(Source source) {
    this.source = source;
  }

  /** Returns the part from an offset on, and requests what follows it. */
  OutputChunk from(long offset) throws IOException {
    Ahead first = ahead.poll();
    OutputChunk part;
    if (first != null && first.offset() == offset) {
      part = taken(first);
    } else {
      ahead.clear();
      part = source.from(offset);
    }
    requestWhatFollows(part);
    return part;
  }

  private OutputChunk taken(Ahead first) throws IOException {
    try {
      return first.part().get();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException fault) {
      ahead.clear();
      throw fault.getCause() instanceof IOException no ? no : new IOException(fault.getCause());
    }
  }

  private void requestWhatFollows(OutputChunk part) {
    if (part.bytes().length < PART || part.place() != null) { // the end, or it is read here
      ahead.clear();
      return;
    }
    long next = part.offset() + PART;
    if (!ahead.isEmpty() && ahead.peek().offset() != next) {
      ahead.clear();
    }
    next += (long) ahead.size() * PART;
    for (; ahead.size() < MOST && next < part.size(); next += PART) {
      long from = next;
      FutureTask<OutputChunk> request = new FutureTask<>(() -> source.from(from));
      DaemonThread.start("read-ahead", request);
      ahead.add(new Ahead(from, request));
    }
  }
}
