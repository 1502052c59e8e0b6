package io.remuda.coordinator.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * The body of a response, of a stated length, in chunks, or up to the end of the connection.
 * Reading it to its end keeps the connection; closing it before its end closes the connection.
 */
final class HttpResponseBodyStream extends InputStream {

  private static final int HEX = 16;
  private static final int LONGEST_SIZE = 15;

  private final InputStream in;
  private final boolean chunked;
  private final boolean toTheEnd;
  private final Runnable end;
  private final ServerConnection connection;
  private long left;
  private boolean ended;
  private boolean first = true;

  HttpResponseBodyStream(
      InputStream in, Map<String, String> headers, Runnable end, ServerConnection connection)
      throws IOException {
    this.in = in;
    this.end = end;
    this.connection = connection;
    this.chunked = isChunked(headers);
    String length = headers.get("content-length");
    this.toTheEnd = !chunked && length == null;
    this.left = chunked ? 0 : toTheEnd ? Long.MAX_VALUE : length(length);
    if (!chunked && left == 0) {
      finish();
    }
  }

  static boolean isChunked(Map<String, String> headers) {
    return "chunked".equalsIgnoreCase(headers.get("transfer-encoding"));
  }

  private static long length(String text) throws IOException {
    return number(text, 10);
  }

  private static long number(String text, int radix) throws IOException {
    try {
      if (text.length() <= LONGEST_SIZE) {
        return Long.parseUnsignedLong(text, radix);
      }
    } catch (NumberFormatException wrong) {
      throw new IOException("the server did not answer with HTTP", wrong);
    }
    throw new IOException("the server did not answer with HTTP");
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!ended && left == 0) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(bytes, offset, (int) Math.min(length, left));
    if (count < 0 && toTheEnd) {
      finish();
      return -1;
    }
    if (count < 0) {
      throw new EOFException("the server has closed the connection");
    }
    left -= count;
    if (left == 0 && !chunked) {
      finish();
    }
    return count;
  }

  private void nextChunk() throws IOException {
    if (!first && !ServerConnection.line(in).isEmpty()) { // the end of the previous chunk
      throw new IOException("the server did not answer with HTTP");
    }
    first = false;
    left = number(ServerConnection.line(in).split(";", 2)[0].strip(), HEX);
    if (left == 0) {
      while (!ServerConnection.line(in).isEmpty()) {
        // trailers are ignored
      }
      finish();
    }
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(left, in.available());
  }

  private void finish() {
    ended = true;
    end.run();
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      connection.close();
    }
  }
}
