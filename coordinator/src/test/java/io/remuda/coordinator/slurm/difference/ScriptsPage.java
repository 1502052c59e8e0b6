package io.remuda.coordinator.slurm.difference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the table of docs/scripts.md that says what differs from Slurm, from {@link
 * KnownDifference}; the text around it is written by hand.
 */
final class ScriptsPage {
  private static final Path FILE = Path.of("..", "docs", "scripts.md");
  private static final String BEGIN = "<!-- made from KnownDifference.java by ScriptsPage -->\n";
  private static final String END = "<!-- end of what is made -->\n";

  private ScriptsPage() {}

  /** Writes the table anew, from the module's folder or the one above. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(file(), withTable(Files.readString(file())));
  }

  private static Path file() {
    return Files.isDirectory(Path.of("docs")) ? Path.of("docs", "scripts.md") : FILE;
  }

  static String page() throws IOException {
    return Files.readString(file());
  }

  /** Returns the page with its table made anew. */
  static String withTable(String page) {
    int from = page.indexOf(BEGIN);
    int to = page.indexOf(END);
    if (from < 0 || to < from) {
      throw new IllegalStateException("docs/scripts.md lacks the marks of its table");
    }
    return page.substring(0, from + BEGIN.length()) + table() + page.substring(to);
  }

  private static String table() {
    return Stream.of(KnownDifference.values())
        .map(KnownDifference::row)
        .collect(Collectors.joining("", "| what | here | why |\n|---|---|---|\n", ""));
  }
}
