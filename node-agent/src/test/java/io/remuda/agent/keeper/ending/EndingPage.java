package io.remuda.agent.keeper.ending;

import io.remuda.agent.keeper.ReachedProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the table of docs/ending.md from {@link WayOut}; the text around it is written by hand.
 */
final class EndingPage {
  private static final Path FILE = Path.of("..", "docs", "ending.md");
  private static final String BEGIN = "<!-- made from WayOut.java by EndingPage -->\n";
  private static final String END = "<!-- end of what is made -->\n";

  private EndingPage() {}

  /** Writes the table anew, from the module's folder or the one above. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(file(), withTable(Files.readString(file())));
  }

  private static Path file() {
    return Files.isDirectory(Path.of("docs")) ? Path.of("docs", "ending.md") : FILE;
  }

  static String page() throws IOException {
    return Files.readString(file());
  }

  /** Returns the page with its table made anew. */
  static String withTable(String page) {
    int from = page.indexOf(BEGIN);
    int to = page.indexOf(END);
    if (from < 0 || to < from) {
      throw new IllegalStateException("docs/ending.md lacks the marks of its table");
    }
    return page.substring(0, from + BEGIN.length()) + table() + page.substring(to);
  }

  private static String table() {
    String rows =
        Stream.of(WayOut.values())
            .map(
                way ->
                    Stream.of(
                            String.join("; ", way.cases()),
                            way.sign().words(),
                            who(way),
                            way.grace() == null ? "never" : way.grace().words())
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
            .collect(Collectors.joining());
    return "| what happens | signal | who gets it | SIGKILL for all that is left, after |\n"
        + "|---|---|---|---|\n"
        + rows;
  }

  private static String who(WayOut way) {
    return way.reach() == ReachedProcesses.EVERY
        ? "all processes at once"
        : way.sign() == WayOut.Sign.TERM
            ? "[the first](#who-is-the-first)"
            : "[the first](#who-is-the-first), or [as the option says](#all-and-children)";
  }
}
