package io.remuda.worker.workload.convolution;

import java.util.Arrays;

/**
 * Computes {@code scipy.signal.convolve2d(image, filter)[::5, ::5]} for square images and 4x4
 * filters.
 *
 * <p>Formula (SciPy, mode "full", boundary "fill" with 0): for 0 &lt;= i, j &lt; size + 3
 *
 * <pre>out[i][j] = sum over a, b in 0..3 of filter[a][b] * image[i - a][j - b]</pre>
 *
 * where image values outside the image are 0. Arrays are in row-major order. {@link #full} adds in
 * the same order as {@link #subsampled}, so that for finite values the kept outputs agree to the
 * last bit; SciPy agrees to about 1e-15 of the largest term.
 *
 * <p>{@link #subsampled} computes only the kept outputs, one in 25. The methods are stateless and
 * thread-safe if each thread uses its own buffers.
 */
public final class StridedImageConvolution {

  /** Number of rows and columns of a filter. */
  public static final int FILTER_SIDE = 4;

  /** Step between kept rows and between kept columns. */
  public static final int STRIDE = 5;

  /** Rows and columns of a full result beyond the image. */
  private static final int MARGIN = FILTER_SIDE - 1;

  /** The largest side of an image; a larger one's full result does not fit into one array. */
  public static final int LARGEST_SIDE = 46_337;

  private StridedImageConvolution() {}

  /** Returns the number of rows and columns of a full result: size + 3. */
  public static int fullSide(int size) {
    if (size < 1 || size > LARGEST_SIDE) {
      throw new IllegalArgumentException(
          "size is " + size + "; an image has a side of 1 to " + LARGEST_SIDE);
    }
    return size + MARGIN;
  }

  /** Returns the number of rows and columns of a subsampled result: (size + 3) / 5, rounded up. */
  public static int subsampledSide(int size) {
    return strideSide(fullSide(size));
  }

  /**
   * Returns every fifth row and column of the convolution, in a new array of subsampledSide²
   * values.
   */
  public static double[] subsampled(double[] image, int size, double[] filter16) {
    int side = subsampledSide(size);
    double[] out = new double[side * side];
    subsampled(image, size, filter16, out);
    return out;
  }

  /**
   * Computes every fifth row and column of the convolution, without allocation.
   *
   * @param image at least size² values
   * @param filter16 16 values
   * @param out receives subsampledSide² values; must not be {@code image}
   */
  public static void subsampled(double[] image, int size, double[] filter16, double[] out) {
    int side = subsampledSide(size);
    check(image, size, filter16, out, side);
    for (int r = 0; r < side; r++) {
      keptRow(image, size, filter16, r * STRIDE, out, r * side, side);
    }
  }

  /** Returns the whole convolution, in a new array of (size + 3)² values. */
  public static double[] full(double[] image, int size, double[] filter16) {
    int side = fullSide(size);
    double[] out = new double[side * side];
    full(image, size, filter16, out);
    return out;
  }

  /**
   * Computes the whole convolution, without allocation.
   *
   * @param out receives (size + 3)² values; must not be {@code image}
   */
  public static void full(double[] image, int size, double[] filter16, double[] out) {
    int side = fullSide(size);
    check(image, size, filter16, out, side);
    for (int i = 0; i < side; i++) {
      fullRow(image, size, filter16, i, out, i * side);
    }
  }

  /**
   * Returns every fifth row and column of a square of side² values, like NumPy's {@code [::5,
   * ::5]}.
   */
  public static double[] stride5(double[] square, int side) {
    int kept = strideSide(side);
    double[] out = new double[kept * kept];
    for (int r = 0; r < kept; r++) {
      for (int c = 0; c < kept; c++) {
        out[r * kept + c] = square[r * STRIDE * side + c * STRIDE];
      }
    }
    return out;
  }

  private static int strideSide(int side) {
    return (side + STRIDE - 1) / STRIDE;
  }

  /** Computes row i of the full result, at its kept columns only. */
  private static void keptRow(
      double[] x, int size, double[] f, int i, double[] out, int at, int side) {
    int c = 0;
    if (i >= MARGIN && i < size) {
      out[at] = place(x, size, f, i, 0);
      int inner = (size - 1) / STRIDE;
      keptInside(x, i * size + STRIDE, size, f, out, at + 1, inner);
      c = inner + 1;
    }
    for (; c < side; c++) {
      out[at + c] = place(x, size, f, i, c * STRIDE);
    }
  }

  /**
   * Computes the kept outputs for which all 16 image values are inside the image.
   *
   * @param p index in x of the value under the filter's first tap, at the first of these outputs
   * @param count number of outputs, {@link #STRIDE} apart
   */
  private static void keptInside(
      double[] x, int p, int size, double[] f, double[] out, int at, int count) {
    double f00 = f[0], f01 = f[1], f02 = f[2], f03 = f[3];
    double f10 = f[4], f11 = f[5], f12 = f[6], f13 = f[7];
    double f20 = f[8], f21 = f[9], f22 = f[10], f23 = f[11];
    double f30 = f[12], f31 = f[13], f32 = f[14], f33 = f[15];
    int q = p - size;
    int r = q - size;
    int s = r - size;
    for (int c = 0; c < count; c++) {
      double first = f00 * x[p] + f01 * x[p - 1] + f02 * x[p - 2] + f03 * x[p - 3];
      double second = f10 * x[q] + f11 * x[q - 1] + f12 * x[q - 2] + f13 * x[q - 3];
      double third = f20 * x[r] + f21 * x[r - 1] + f22 * x[r - 2] + f23 * x[r - 3];
      double fourth = f30 * x[s] + f31 * x[s - 1] + f32 * x[s - 2] + f33 * x[s - 3];
      out[at + c] = 0.0 + first + second + third + fourth;
      p += STRIDE;
      q += STRIDE;
      r += STRIDE;
      s += STRIDE;
    }
  }

  /** Computes row i of the full result, at all columns. */
  private static void fullRow(double[] x, int size, double[] f, int i, double[] out, int at) {
    boolean inside = i >= MARGIN && i < size;
    int left = inside ? Math.min(MARGIN, size) : size + MARGIN;
    for (int j = 0; j < left; j++) {
      out[at + j] = place(x, size, f, i, j);
    }
    if (inside) {
      fullInside(x, i * size, size, f, out, at);
    }
    for (int j = Math.max(left, size); j < size + MARGIN; j++) {
      out[at + j] = place(x, size, f, i, j);
    }
  }

  /**
   * Computes the outputs of a row for which all 16 image values are inside the image, columns 3 to
   * size - 1. It processes one filter row after the other in plain loops over neighbouring columns,
   * which the JIT vectorises.
   */
  private static void fullInside(double[] x, int row, int size, double[] f, double[] out, int at) {
    Arrays.fill(out, at + MARGIN, at + size, 0.0);
    for (int a = 0; a < FILTER_SIDE; a++) {
      addRow(x, row - a * size, size, f, a * FILTER_SIDE, out, at);
    }
  }

  private static void addRow(
      double[] x, int row, int size, double[] f, int taps, double[] out, int at) {
    double f0 = f[taps], f1 = f[taps + 1], f2 = f[taps + 2], f3 = f[taps + 3];
    for (int j = MARGIN; j < size; j++) {
      out[at + j] +=
          f0 * x[row + j] + f1 * x[row + j - 1] + f2 * x[row + j - 2] + f3 * x[row + j - 3];
    }
  }

  /** Computes one output of the full result by the formula, skipping values outside the image. */
  private static double place(double[] x, int size, double[] f, int i, int j) {
    double sum = 0.0;
    for (int a = Math.max(0, i - size + 1); a < FILTER_SIDE && a <= i; a++) {
      double row = 0.0;
      for (int b = Math.max(0, j - size + 1); b < FILTER_SIDE && b <= j; b++) {
        row += f[a * FILTER_SIDE + b] * x[(i - a) * size + j - b];
      }
      sum += row;
    }
    return sum;
  }

  private static void check(double[] image, int size, double[] filter16, double[] out, int side) {
    if (image.length < size * size) {
      throw new IllegalArgumentException(
          "image has " + image.length + " values, a side of " + size + " needs " + size * size);
    }
    if (filter16.length != FILTER_SIDE * FILTER_SIDE) {
      throw new IllegalArgumentException("filter16 has " + filter16.length + " values, not 16");
    }
    if (out.length < side * side) {
      throw new IllegalArgumentException(
          "out has " + out.length + " values, the result has " + side * side);
    }
  }
}
