package io.remuda.agent.channel;

import io.remuda.agent.protocol.AttemptChannelProgress;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import java.io.IOException;
import java.util.Arrays;

/**
 * A channel with the numbers of its bytes, so that a request that is repeated does nothing twice.
 * What was read and is not yet known to have arrived is kept. One thread.
 */
final class ResumableChannel {

  private final TaskChannel end;

  /** Bytes that were read, from number {@code first} on. */
  private byte[] held = new byte[0];

  private long first;
  private long taken;
  private boolean inputEnded;
  private boolean outputEnded;
  private boolean closed;
  private Integer exitCode;
  private int left;
  private long askedAt;

  /** A part of what came. */
  record ChannelPart(long offset, byte[] bytes) {}

  ResumableChannel(TaskChannel end, long now) {
    this.end = end;
    this.askedAt = now;
  }

  /** Notes that its client is there. */
  void asked(ChannelExchangeRequest ask, long now) {
    askedAt = now;
    if (ask.rows() > 0 && ask.columns() > 0 && !closed) {
      end.resize(ask.rows(), ask.columns());
    }
  }

  long askedAt() {
    return askedAt;
  }

  /** Returns whether it is the stdin of a task, from which nothing comes. */
  boolean isOnlyInput() {
    return !end.isReadable();
  }

  /** Returns whether its client has sent bytes, and may send more. */
  boolean isInputOpen() {
    return taken > 0 && !inputEnded;
  }

  /**
   * Writes as many of the bytes as are taken now, and ends the input behind them if they are the
   * last.
   *
   * @throws IOException if bytes before them are missing
   */
  void write(ChannelExchangeRequest ask) throws IOException {
    if (ask.offset() > taken) {
      throw new IOException(
          "what was sent before byte "
              + ask.offset()
              + " did not arrive: only "
              + taken
              + " bytes");
    }
    long known = taken - ask.offset();
    if (known < ask.bytes().length && !inputEnded && !closed) {
      try {
        taken += end.write(ask.bytes(), (int) known);
      } catch (IOException gone) {
        inputEnded = true; // nobody reads it any more
      }
    }
    if (ask.end() && taken == ask.offset() + ask.bytes().length && !inputEnded) {
      endInput();
    }
  }

  /** Lets the reader of what was written read its end. */
  void endInput() throws IOException {
    inputEnded = true;
    if (!closed) {
      end.endInput();
    }
  }

  /** Returns whether all that a client has sent was taken, or nothing will be. */
  boolean hasTaken(ChannelExchangeRequest ask) {
    return inputEnded || closed || taken >= ask.offset() + ask.bytes().length;
  }

  /** Reads what there is, as long as it can be kept. */
  void pump() throws IOException {
    for (int room = room(); room > 0 && isPumped(); room = room()) {
      byte[] more = new byte[room];
      int count = end.read(more);
      if (count == 0) {
        return;
      }
      if (count == TaskChannel.ENDED) {
        outputEnded = true;
        exitCode = end.exitCode();
      } else {
        int before = held.length;
        held = Arrays.copyOf(held, before + count);
        System.arraycopy(more, 0, held, before, count);
      }
    }
  }

  private int room() {
    return ChannelExchangeRequest.MOST_BYTES - held.length;
  }

  /** Returns what there is from an offset on, and drops what is before it. */
  ChannelPart part(long offset) {
    int skip = (int) Math.max(0, Math.min(held.length, offset - first));
    held = Arrays.copyOfRange(held, skip, held.length);
    first += skip;
    return new ChannelPart(first, held);
  }

  /** Returns whether there is something for a client that has all before an offset. */
  boolean hasMore(long offset) {
    return first + held.length > offset || isOver();
  }

  /** Returns whether it is a program that has to be read although nobody asks. */
  boolean isPumped() {
    return !closed && !outputEnded && end.isReadable();
  }

  /** Returns whether nothing comes any more. */
  boolean isOver() {
    return closed || outputEnded;
  }

  /** Returns how far it is; nothing comes after the part that is held if it has ended. */
  AttemptChannelProgress state() {
    return new AttemptChannelProgress(
        taken, taken - (closed ? left : end.unread()), isOver(), exitCode);
  }

  boolean isClosed() {
    return closed;
  }

  /** The attempt has ended; what its program has printed can still be read. */
  void attemptEnded() throws IOException {
    if (end.isReadable() && !closed) {
      end.attemptEnded();
    } else {
      close();
    }
  }

  /** Its client does not need it any more: it ends, at once or after a while. */
  void abandon() throws IOException {
    part(Long.MAX_VALUE);
    attemptEnded();
    pump();
  }

  void close() throws IOException {
    if (!closed) {
      left = end.unread();
      exitCode = exitCode == null ? end.exitCode() : exitCode;
      closed = true;
      end.close();
    }
  }
}
