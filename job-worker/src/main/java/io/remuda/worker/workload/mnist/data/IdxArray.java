package io.remuda.worker.workload.mnist.data;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An IDX array of unsigned bytes, the format of the MNIST files: two zero bytes, the element type
 * (8 for unsigned byte), the number of dimensions, each dimension as a big-endian 32-bit number,
 * then the values in row-major order.
 *
 * @param dimensions the sizes, outermost first
 * @param values as many values as the product of the sizes
 */
record IdxArray(int[] dimensions, byte[] values) {

  private static final int UNSIGNED_BYTE = 8;

  /**
   * Parses the bytes of an unpacked file.
   *
   * @throws IllegalArgumentException if they are malformed; the message omits the file name
   */
  static IdxArray parse(byte[] bytes, int wantedDimensions) {
    int header = headerLength(wantedDimensions);
    if (bytes.length < header) {
      throw new IllegalArgumentException(
          "it has " + bytes.length + " bytes, fewer than the IDX header's " + header);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int magic = in.getInt();
    int wanted = UNSIGNED_BYTE << 8 | wantedDimensions;
    if (magic != wanted) {
      throw new IllegalArgumentException(
          String.format("it starts with %08x, not with the IDX header %08x", magic, wanted));
    }
    int[] dimensions = new int[wantedDimensions];
    long product = 1;
    for (int i = 0; i < wantedDimensions; i++) {
      dimensions[i] = in.getInt();
      product = dimensions[i] < 1 ? -1 : Math.min(product * dimensions[i], Integer.MAX_VALUE);
      if (product < 1) {
        throw new IllegalArgumentException(
            "its header has " + Integer.toUnsignedString(dimensions[i]) + " in dimension " + i);
      }
    }
    if (bytes.length - header != product) {
      throw new IllegalArgumentException(
          "its header "
              + Arrays.toString(dimensions)
              + " does not fit the "
              + (bytes.length - header)
              + " bytes that follow");
    }
    return new IdxArray(dimensions, Arrays.copyOfRange(bytes, header, bytes.length));
  }

  /** Returns the header for values of these sizes. */
  static byte[] header(int... dimensions) {
    ByteBuffer out = ByteBuffer.allocate(headerLength(dimensions.length));
    out.putInt(UNSIGNED_BYTE << 8 | dimensions.length);
    for (int dimension : dimensions) {
      out.putInt(dimension);
    }
    return out.array();
  }

  /** Returns the outermost size: the number of images or labels. */
  int count() {
    return dimensions[0];
  }

  private static int headerLength(int dimensions) {
    return 4 + 4 * dimensions;
  }
}
