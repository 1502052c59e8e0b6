package io.remuda.coordinator.occupancy;

import java.util.Optional;

/** Writes spans as lines of text, and reads them. Pure. */
final class GpuSpanLines {

  private static final int FIELDS = 9;

  private GpuSpanLines() {}

  static String line(GpuSpan span) {
    return String.join(
        "\t",
        plain(span.gpu()),
        Long.toString(span.from()),
        Long.toString(span.to()),
        plain(span.node()),
        plain(span.number()),
        span.attempt(),
        Long.toString(span.lentMib()),
        span.gap(),
        Long.toString(span.keptFor()));
  }

  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  /** Returns the span of a line; nothing if it is damaged, as the last one after a crash. */
  static Optional<GpuSpan> span(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new GpuSpan(
              fields[0],
              fields[3],
              fields[4],
              fields[5],
              Long.parseLong(fields[6]),
              fields[7],
              Long.parseLong(fields[8]),
              Long.parseLong(fields[1]),
              Long.parseLong(fields[2])));
    } catch (NumberFormatException damaged) {
      return Optional.empty();
    }
  }
}
