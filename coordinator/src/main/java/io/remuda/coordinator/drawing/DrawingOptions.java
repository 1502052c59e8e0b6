package io.remuda.coordinator.drawing;

import java.time.ZoneId;

/**
 * How a drawing is made.
 *
 * @param width in pixels, {@value #NARROWEST} to {@value #WIDEST}; text keeps its size, so a narrow
 *     drawing has fewer ticks
 * @param zone of the times that it shows
 */
public record DrawingOptions(int width, DrawingTheme theme, ZoneId zone) {

  public static final int NARROWEST = 280;
  public static final int WIDEST = 4000;

  /** Width up to which a drawing is for a small screen. */
  private static final int SMALL = 520;

  public DrawingOptions {
    if (width < NARROWEST || width > WIDEST) {
      throw new IllegalArgumentException(
          "width must be " + NARROWEST + " to " + WIDEST + ", got " + width);
    }
  }

  /** Returns the same of another width. */
  public DrawingOptions wide(int pixels) {
    return new DrawingOptions(pixels, theme, zone);
  }

  boolean isSmall() {
    return width <= SMALL;
  }

  boolean hasHeading() {
    return theme != DrawingTheme.PAGE;
  }
}
