package io.remuda.worker.workload.mnist.data;

import io.remuda.worker.workload.seeded.SplitMix64;
import java.util.Arrays;

/**
 * Paints digits in the style of MNIST: white on black, 28x28, about 20 pixels high, with a soft
 * edge. Every image is slightly rotated, slanted, scaled, moved and bent, has a random pen width,
 * and noise where there is ink. Not thread-safe.
 */
final class DigitPainter {

  private static final int SIDE = MnistImages.SIDE;

  /** Half of the soft edge's width, in pixels. */
  private static final double SOFT = 0.75;

  private final DigitStrokes strokes = new DigitStrokes();
  private final double[] ink = new double[SIDE * SIDE];

  /** The affine map from the unit square to pixels, and the bend applied before it. */
  private double xx;

  private double xy;
  private double yx;
  private double yy;
  private double centreX;
  private double centreY;
  private double bend;
  private double bendPhase;

  /**
   * Paints a digit.
   *
   * @param digit 0 to 9
   * @param numbers source of the random variation
   * @param pixels receives 784 values, 0 for background
   */
  void paint(int digit, SplitMix64 numbers, byte[] pixels) {
    strokes.write(digit, numbers);
    vary(numbers);
    double pen = numbers.uniform(0.8, 1.9);
    Arrays.fill(ink, 0.0);
    for (int k = 0; k < strokes.count(); k++) {
      segment(
          pixelX(strokes.x0[k], strokes.y0[k]),
          pixelY(strokes.x0[k], strokes.y0[k]),
          pixelX(strokes.x1[k], strokes.y1[k]),
          pixelY(strokes.x1[k], strokes.y1[k]),
          pen);
    }
    develop(numbers, pixels);
  }

  private void vary(SplitMix64 numbers) {
    double turn = StrictMath.toRadians(numbers.uniform(-14, 14));
    double slant = numbers.uniform(-0.25, 0.35);
    double width = numbers.uniform(15, 21);
    double height = numbers.uniform(17, 21);
    double cos = StrictMath.cos(turn);
    double sin = StrictMath.sin(turn);
    xx = cos * width;
    xy = -(cos * slant + sin) * height;
    yx = sin * width;
    yy = (cos - sin * slant) * height;
    centreX = SIDE / 2.0 + numbers.uniform(-2, 2);
    centreY = SIDE / 2.0 + numbers.uniform(-2, 2);
    bend = numbers.uniform(-0.06, 0.06);
    bendPhase = numbers.uniform(0, 2 * Math.PI);
  }

  private double pixelX(double x, double y) {
    return centreX + xx * (bent(x, y) - 0.5) + xy * (bent(y, x) - 0.5);
  }

  private double pixelY(double x, double y) {
    return centreY + yx * (bent(x, y) - 0.5) + yy * (bent(y, x) - 0.5);
  }

  private double bent(double along, double across) {
    return along + bend * StrictMath.sin(bendPhase + 5.0 * across);
  }

  /** Increases the ink of the pixels near a segment; pixel (column, row) has its centre at +0.5. */
  private void segment(double ax, double ay, double bx, double by, double pen) {
    double reach = pen + SOFT;
    int left = clamp(Math.min(ax, bx) - reach);
    int right = clamp(Math.max(ax, bx) + reach);
    int top = clamp(Math.min(ay, by) - reach);
    int bottom = clamp(Math.max(ay, by) + reach);
    double dx = bx - ax;
    double dy = by - ay;
    double inverse = 1.0 / Math.max(dx * dx + dy * dy, 1e-9);
    for (int row = top; row <= bottom; row++) {
      for (int column = left; column <= right; column++) {
        double px = column + 0.5 - ax;
        double py = row + 0.5 - ay;
        double t = Math.max(0.0, Math.min(1.0, (px * dx + py * dy) * inverse));
        double qx = px - t * dx;
        double qy = py - t * dy;
        double distance = Math.sqrt(qx * qx + qy * qy);
        double here = (reach - distance) / (2 * SOFT);
        int at = row * SIDE + column;
        ink[at] = Math.max(ink[at], Math.min(1.0, here));
      }
    }
  }

  private static int clamp(double pixel) {
    return (int) Math.max(0, Math.min(SIDE - 1, pixel));
  }

  private void develop(SplitMix64 numbers, byte[] pixels) {
    for (int i = 0; i < ink.length; i++) {
      double value = ink[i] <= 0.0 ? 0.0 : 255.0 * ink[i] * numbers.uniform(0.85, 1.0);
      pixels[i] = (byte) (int) (value + 0.5);
    }
  }
}
