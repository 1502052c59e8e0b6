package io.remuda.agent.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What a client asks of a channel beside an attempt. Bytes are counted in both directions, so a
 * request may be repeated.
 *
 * @param name of the channel, by which later requests find it; {@value #TASK} for the task's own
 *     stdin or terminal
 * @param open what is opened if there is no channel of that name; null for nothing. {@code
 *     signal:NUMBER} opens nothing, but sends a signal; agents of earlier builds say that they
 *     cannot open that
 * @param offset of the first byte in {@code bytes}
 * @param bytes to be written
 * @param end whether nothing will be written after these bytes
 * @param read offset of the first byte that the client wants, and has all before; negative if it
 *     wants none
 * @param rows of the client's terminal, or 0 if they did not change
 * @param columns as {@code rows}
 * @param close whether the channel is not needed any more
 * @param command program and arguments in place of a shell; null for the shell
 */
public record ChannelExchangeRequest(
    String name,
    @JsonInclude(JsonInclude.Include.NON_NULL) String open,
    long offset,
    byte[] bytes,
    boolean end,
    long read,
    int rows,
    int columns,
    boolean close,
    @JsonInclude(JsonInclude.Include.NON_NULL) List<String> command) {

  /** The channel to the task itself. */
  public static final String TASK = "task";

  /** Maximum number of bytes in one request, and in one answer. */
  public static final int MOST_BYTES = 256 << 10;

  public ChannelExchangeRequest {
    Objects.requireNonNull(name, "name");
    bytes = bytes == null ? new byte[0] : bytes;
    command = command == null ? null : List.copyOf(command);
    if (offset < 0 || bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a request writes at most " + MOST_BYTES + " bytes, got " + bytes.length);
    }
  }

  /** Creates a request without a command. */
  public ChannelExchangeRequest(
      String name,
      String open,
      long offset,
      byte[] bytes,
      boolean end,
      long read,
      int rows,
      int columns,
      boolean close) {
    this(name, open, offset, bytes, end, read, rows, columns, close, null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ChannelExchangeRequest ask
        && name.equals(ask.name)
        && Objects.equals(open, ask.open)
        && offset == ask.offset
        && Arrays.equals(bytes, ask.bytes)
        && end == ask.end
        && read == ask.read
        && rows == ask.rows
        && columns == ask.columns
        && close == ask.close
        && Objects.equals(command, ask.command);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, open, offset, Arrays.hashCode(bytes), end, read);
  }
}
