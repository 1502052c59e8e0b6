package io.remuda.worker.workload.mnist.data;

import io.remuda.worker.workload.seeded.SplitMix64;

/**
 * The shapes of the digits: strokes of straight segments in a unit square, x to the right, y down.
 * Some digits have two forms, as in handwriting (a 7 with or without a bar, a 1 with or without a
 * flag, an open or a closed 4); round parts vary in width. Not thread-safe.
 */
final class DigitStrokes {

  private static final int MOST = 96;

  /** Segment k runs from (x0[k], y0[k]) to (x1[k], y1[k]). */
  final double[] x0 = new double[MOST];

  final double[] y0 = new double[MOST];
  final double[] x1 = new double[MOST];
  final double[] y1 = new double[MOST];

  private int count;
  private double penX;
  private double penY;

  /** Returns the number of segments of the digit. */
  int count() {
    return count;
  }

  /** Replaces the segments by those of a digit from 0 to 9. */
  void write(int digit, SplitMix64 numbers) {
    count = 0;
    double wide = numbers.uniform(-0.06, 0.06);
    double form = numbers.uniform();
    switch (digit) {
      case 0 -> arc(0.5, 0.5, 0.30 + wide, 0.46, -90, 270);
      case 1 -> one(form);
      case 2 -> two(wide);
      case 3 -> three(wide, form);
      case 4 -> four(wide, form);
      case 5 -> five(wide);
      case 6 -> six(wide);
      case 7 -> seven(wide, form);
      case 8 -> eight(wide);
      case 9 -> nine(wide, form);
      default -> throw new IllegalArgumentException("digit is " + digit + ", not 0 to 9");
    }
  }

  private void one(double form) {
    moveTo(0.5, 0.04);
    lineTo(0.5, 0.96);
    if (form < 0.35) {
      moveTo(0.5, 0.04);
      lineTo(0.34, 0.22);
    }
    if (form < 0.1) {
      moveTo(0.34, 0.96);
      lineTo(0.66, 0.96);
    }
  }

  private void two(double wide) {
    arc(0.5, 0.28, 0.27 + wide, 0.24, 190, 395);
    lineTo(0.22, 0.94);
    lineTo(0.80 + wide, 0.94);
  }

  private void three(double wide, double form) {
    if (form < 0.2) {
      moveTo(0.24, 0.06);
      lineTo(0.72, 0.06);
      lineTo(0.46, 0.42);
    } else {
      arc(0.47, 0.27, 0.25 + wide, 0.22, 205, 450);
    }
    arc(0.47, 0.71, 0.29 + wide, 0.24, -90, 155);
  }

  private void four(double wide, double form) {
    double top = form < 0.4 ? 0.60 : 0.30;
    moveTo(top, 0.05);
    lineTo(0.20 - wide, 0.60);
    lineTo(0.84, 0.60);
    moveTo(form < 0.4 ? 0.60 : 0.68, form < 0.4 ? 0.05 : 0.22);
    lineTo(0.62, 0.96);
  }

  private void five(double wide) {
    moveTo(0.76, 0.06);
    lineTo(0.32, 0.06);
    lineTo(0.28, 0.43);
    arc(0.46, 0.67, 0.29 + wide, 0.28, -118, 150);
  }

  private void six(double wide) {
    moveTo(0.66, 0.05);
    lineTo(0.42, 0.26);
    lineTo(0.27, 0.52);
    arc(0.49, 0.70, 0.25 + wide, 0.25, 190, 550);
  }

  private void seven(double wide, double form) {
    moveTo(0.20, 0.07);
    lineTo(0.80, 0.07);
    lineTo(0.44 + wide, 0.96);
    if (form < 0.3) {
      moveTo(0.36, 0.50);
      lineTo(0.76, 0.50);
    }
  }

  private void eight(double wide) {
    arc(0.5, 0.27, 0.21 + wide, 0.22, 90, 450);
    arc(0.5, 0.72, 0.26 + wide, 0.24, -90, 270);
  }

  private void nine(double wide, double form) {
    arc(0.48, 0.30, 0.25 + wide, 0.25, 0, 360);
    lineTo(0.70 + wide, 0.60);
    lineTo(form < 0.5 ? 0.66 : 0.48, 0.96);
  }

  private void moveTo(double x, double y) {
    penX = x;
    penY = y;
  }

  private void lineTo(double x, double y) {
    x0[count] = penX;
    y0[count] = penY;
    x1[count] = x;
    y1[count] = y;
    count++;
    moveTo(x, y);
  }

  /** Adds part of an ellipse in segments of about 22 degrees; 0 is to the right, 90 is down. */
  private void arc(double cx, double cy, double rx, double ry, double from, double to) {
    int steps = (int) Math.ceil((to - from) / 22.0);
    for (int i = 0; i <= steps; i++) {
      double angle = StrictMath.toRadians(from + (to - from) * i / steps);
      double x = cx + rx * StrictMath.cos(angle);
      double y = cy + ry * StrictMath.sin(angle);
      if (i == 0) {
        moveTo(x, y);
      } else {
        lineTo(x, y);
      }
    }
  }
}
