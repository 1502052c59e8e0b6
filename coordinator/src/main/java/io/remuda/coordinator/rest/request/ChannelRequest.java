package io.remuda.coordinator.rest.request;

import io.remuda.agent.protocol.ChannelExchangeRequest;
import java.util.Base64;
import java.util.List;

/**
 * A request to a channel beside a task; null stands for the default. Bytes are counted in both
 * directions, so that a request may be repeated.
 *
 * @param task index of the task; 0 by default
 * @param attempt number of the attempt; the newest by default. For another than the newest nothing
 *     is done, and the answer says which is
 * @param name of the channel, chosen by the client; {@value ChannelExchangeRequest#TASK} by default
 * @param open what to open if there is none of that name: {@code shell:TERM} or {@code port:NUMBER}
 * @param offset of the first byte of {@code data}
 * @param data bytes to write, in base64
 * @param end whether nothing follows {@code data}
 * @param read offset of the first byte that is wanted; without it none is
 * @param rows of the client's terminal, if they changed
 * @param columns as {@code rows}
 * @param close whether the channel is not needed any more
 * @param command program and arguments in place of a shell
 */
public record ChannelRequest(
    Integer task,
    Integer attempt,
    String name,
    String open,
    Long offset,
    String data,
    Boolean end,
    Long read,
    Integer rows,
    Integer columns,
    Boolean close,
    List<String> command) {

  private static final int MOST_CELLS = 10_000;

  /**
   * Returns what is asked of the node.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public ChannelExchangeRequest toAsk() {
    notNegative("offset", offset);
    notNegative("read", read);
    cells("rows", rows);
    cells("columns", columns);
    return new ChannelExchangeRequest(
        JobRequest.or(name, ChannelExchangeRequest.TASK),
        open,
        JobRequest.or(offset, 0L),
        bytes(),
        JobRequest.or(end, false),
        JobRequest.or(read, -1L),
        JobRequest.or(rows, 0),
        JobRequest.or(columns, 0),
        JobRequest.or(close, false),
        command);
  }

  private byte[] bytes() {
    try {
      byte[] bytes = Base64.getDecoder().decode(JobRequest.or(data, ""));
      if (bytes.length > ChannelExchangeRequest.MOST_BYTES) {
        throw new IllegalArgumentException(
            "at most " + ChannelExchangeRequest.MOST_BYTES + " bytes, got " + bytes.length);
      }
      return bytes;
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("data: " + wrong.getMessage(), wrong);
    }
  }

  private static void notNegative(String name, Long value) {
    if (value != null && value < 0) {
      throw new IllegalArgumentException(name + " must be 0 or more, got " + value);
    }
  }

  private static void cells(String name, Integer value) {
    if (value != null && (value < 1 || value > MOST_CELLS)) {
      throw new IllegalArgumentException(name + " must be 1 to " + MOST_CELLS + ", got " + value);
    }
  }
}
