package io.remuda.coordinator.cli.jobfile;

import io.remuda.telemetry.render.PrintableText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** The faults of a file, reported in the order of its lines. */
public final class JobFileFaults {

  private static final int MOST_TOLD = 100;

  /** A fault; line and column count from 0, as in the parser. */
  private record Fault(int line, int column, String text) {}

  private final Path file;
  private final List<Fault> all = new ArrayList<>();

  public JobFileFaults(Path file) {
    this.file = file;
  }

  /** Returns the number of faults so far. */
  public int count() {
    return all.size();
  }

  /** Adds a fault at a place of the file. */
  public void add(Node at, String text) {
    add(at.getStartMark().orElseThrow(), text);
  }

  void add(Mark at, String text) {
    add(at.getLine(), at.getColumn(), text);
  }

  void add(int line, int column, String text) {
    all.add(new Fault(line, column, text));
  }

  /**
   * Throws an exception if there are faults.
   *
   * @throws BadJobFileException with the first faults
   */
  public void check() throws BadJobFileException {
    if (all.isEmpty()) {
      return;
    }
    List<String> lines = new ArrayList<>();
    all.stream()
        .sorted(Comparator.comparingInt(Fault::line).thenComparingInt(Fault::column))
        .limit(MOST_TOLD)
        .forEach(fault -> lines.add(line(fault)));
    if (all.size() > MOST_TOLD) {
      lines.add(file + ": and " + (all.size() - MOST_TOLD) + " faults more");
    }
    throw new BadJobFileException(lines);
  }

  /** Formats a fault as one line: escapes the control characters of a quoted value. */
  private String line(Fault fault) {
    String place = file + ":" + (fault.line() + 1) + ":" + (fault.column() + 1);
    return PrintableText.of(place + ": " + fault.text());
  }
}
