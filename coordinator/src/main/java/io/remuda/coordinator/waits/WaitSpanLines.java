package io.remuda.coordinator.waits;

import java.util.Optional;

/** Writes spans as lines of text, and reads them. Pure. */
final class WaitSpanLines {

  private static final int FIELDS = 8;

  /** Of a text; the rest is cut. */
  private static final int MOST_CHARACTERS = 300;

  private WaitSpanLines() {}

  /** Returns a line, which begins with the number of the job, without its end. */
  static String line(WaitSpan span) {
    return beginning(span.job())
        + span.task()
        + '\t'
        + span.from()
        + '\t'
        + span.to()
        + '\t'
        + span.turn()
        + '\t'
        + span.expectedStart()
        + '\t'
        + span.reason()
        + '\t'
        + plain(span.text());
  }

  /** Returns what the lines of a job begin with. */
  static String beginning(long job) {
    return job + "\t";
  }

  private static String plain(String text) {
    String cut = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
    return cut.replaceAll("\\p{Cntrl}", " ");
  }

  /** Returns the span of a line; nothing if it is damaged, as the last one after a crash. */
  static Optional<WaitSpan> span(String line) {
    String[] fields = line.split("\t", FIELDS);
    if (fields.length < FIELDS) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new WaitSpan(
              Long.parseLong(fields[0]),
              Integer.parseInt(fields[1]),
              fields[6],
              fields[7],
              Long.parseLong(fields[2]),
              Long.parseLong(fields[3]),
              Integer.parseInt(fields[4]),
              Long.parseLong(fields[5])));
    } catch (NumberFormatException damaged) {
      return Optional.empty();
    }
  }
}
