package io.remuda.coordinator.drawing;

/** Where the colours of a drawing come from. */
public enum DrawingTheme {
  /** A file with both themes; the reader's own decides. */
  AUTO,
  /** A file with dark ink on white, as for papers. */
  LIGHT,
  /** A file with light ink on black. */
  DARK,
  /**
   * A part of a page that has {@link DrawingStyle#sheet} and headings of its own: without style,
   * heading and background.
   */
  PAGE
}
