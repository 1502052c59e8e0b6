package io.remuda.coordinator.lifecycle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws the lifecycle for people: {@code docs/lifecycle.md} is made here. */
final class LifecycleDrawing {
  static final Path FILE = Path.of("..", "docs", "lifecycle.md");

  private LifecycleDrawing() {}

  /** Writes the document anew, from the coordinator's folder or the one above. */
  public static void main(String[] arguments) throws IOException {
    Path file = Files.isDirectory(Path.of("docs")) ? Path.of("docs", "lifecycle.md") : FILE;
    Files.writeString(file, document());
  }

  static String document() {
    return """
    # The life of a task

    Made from the rows of `Lifecycle.java`: change those, then run `LifecycleDrawing` of the \
    coordinator's tests.

    ```mermaid
    %s
    ```

    An arrow names what happened. Nothing leads out of failed, cancelled or lost, and out of \
    succeeded only the new start of a gang, while its job is not over. A task holds its node
    and its devices while it is starting, running, unknown or ending.

    A task that is ending and ended by itself before it could be ended has finished or broke, by its
    exit code. A signal of its user (`remuda signal`) changes no state by itself.

    What happens besides the change of state:

    | from | trigger | to | actions |
    |---|---|---|---|
    %s
    """
        .formatted(diagram(), table());
  }

  static String diagram() {
    Stream<String> begin =
        Stream.of(
            "stateDiagram-v2", "    [*] --> submitted", "    [*] --> held", "    [*] --> waiting");
    Stream<String> rows = Lifecycle.ROWS.stream().map(LifecycleDrawing::arrow);
    Stream<String> ends =
        Stream.of(TaskState.values())
            .filter(TaskState::isFinal)
            .map(state -> "    " + name(state) + " --> [*]");
    return Stream.of(begin, rows, ends).flatMap(lines -> lines).collect(Collectors.joining("\n"));
  }

  private static String arrow(Lifecycle.Row row) {
    return "    " + name(row.from()) + " --> " + name(row.to()) + ": " + name(row.trigger());
  }

  private static String table() {
    return Lifecycle.ROWS.stream()
        .filter(row -> !row.actions().isEmpty())
        .map(
            row ->
                Stream.of(
                        name(row.from()),
                        name(row.trigger()),
                        name(row.to()),
                        row.actions().stream()
                            .map(LifecycleDrawing::name)
                            .collect(Collectors.joining(", ")))
                    .collect(Collectors.joining(" | ", "| ", " |")))
        .collect(Collectors.joining("\n"));
  }

  private static String name(Enum<?> value) {
    List<String> words = List.of(value.name().toLowerCase(Locale.ROOT).split("_"));
    return String.join(" ", words);
  }
}
