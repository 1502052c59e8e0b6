package io.remuda.coordinator.history;

import java.util.Arrays;

/**
 * Bytes for a row of whole numbers that change little. A token is a number in groups of seven bits,
 * lowest first, as in protocol buffers; its lowest bits say what it is:
 *
 * <ul>
 *   <li>{@code 1}: the difference from the last value that was there, in zigzag order; one byte
 *       holds -32 to 31,
 *   <li>{@code 00}: so many further times the same, less one; one byte holds 1 to 32,
 *   <li>{@code 10}: so many absent ones, less one.
 * </ul>
 *
 * <p>The first difference is from 0. Not thread-safe.
 */
final class PointCodec {

  private static final int SEVEN = 0x7f;
  private static final int MORE = 0x80;

  /** Bytes of the longest number. */
  private static final int MOST = 10;

  private byte[] bytes = new byte[1 << 12];
  private int size;
  private int at;

  /** Begins anew. */
  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Reads from these bytes on, from a place in them. */
  void wrap(byte[] from, int offset) {
    bytes = from;
    at = offset;
  }

  int at() {
    return at;
  }

  /** Appends a row. */
  void write(int[] values, int offset, int count) {
    int last = 0;
    int index = 0;
    while (index < count) {
      int value = values[offset + index];
      int next = index + 1;
      if (value == HistoryMetric.ABSENT) {
        while (next < count && values[offset + next] == HistoryMetric.ABSENT) {
          next++;
        }
        number((long) (next - index - 1) << 2 | 2);
      } else if (value == last && index > 0) {
        while (next < count && values[offset + next] == last) {
          next++;
        }
        number((long) (next - index - 1) << 2);
      } else {
        long change = (long) value - last;
        number((change << 1 ^ change >> 63) << 1 | 1);
        last = value;
      }
      index = next;
    }
  }

  /** Reads a row. */
  void read(int[] values, int offset, int count) {
    int last = 0;
    int index = 0;
    while (index < count) {
      long token = number();
      if ((token & 1) == 1) {
        long zigzag = token >>> 1;
        last += (int) (zigzag >>> 1 ^ -(zigzag & 1));
        values[offset + index++] = last;
      } else {
        int value = (token & 2) == 0 ? last : HistoryMetric.ABSENT;
        int end = (int) Math.min(count, index + (token >>> 2) + 1);
        while (index < end) {
          values[offset + index++] = value;
        }
      }
    }
  }

  /** Appends what another one holds. */
  void append(PointCodec other) {
    append(other.bytes, other.size);
  }

  /** Appends bytes as they are. */
  void append(byte[] more, int length) {
    reserve(length);
    System.arraycopy(more, 0, bytes, size, length);
    size += length;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  /** Appends a number of 0 or more. */
  void number(long number) {
    reserve(MOST);
    long left = number;
    while ((left & ~SEVEN) != 0) {
      bytes[size++] = (byte) (left & SEVEN | MORE);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }

  /** Reads a number. */
  long number() {
    long number = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[at++];
      number |= (long) (next & SEVEN) << shift;
      if (next >= 0) {
        return number;
      }
    }
  }
}
