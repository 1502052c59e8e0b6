package io.remuda.coordinator.cli.jobfile;

import io.remuda.telemetry.render.PrintableText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** What is wrong in a file; told in the order of its lines. */
final class JobFileFaults {

  private static final int MOST_TOLD = 20;

  /** Lines and columns count from 0 here, as the parser has them. */
  private record Fault(int line, int column, String text) {}

  private final Path file;
  private final List<Fault> all = new ArrayList<>();

  JobFileFaults(Path file) {
    this.file = file;
  }

  int count() {
    return all.size();
  }

  void add(Node at, String text) {
    add(at.getStartMark().orElseThrow(), text);
  }

  void add(Mark at, String text) {
    add(at.getLine(), at.getColumn(), text);
  }

  void add(int line, int column, String text) {
    all.add(new Fault(line, column, text));
  }

  /**
   * Returns if there are none.
   *
   * @throws BadJobFile with all of them, or the first where they are many
   */
  void check() throws BadJobFile {
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
    throw new BadJobFile(lines);
  }

  /** A value may hold anything, but a fault is one line. */
  private String line(Fault fault) {
    String place = file + ":" + (fault.line() + 1) + ":" + (fault.column() + 1);
    return PrintableText.of(place + ": " + fault.text());
  }
}
