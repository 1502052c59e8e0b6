package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The README of a module has one row for each package, with the sentence of its package-info. */
class ModuleReadmeTest {
  private static final Path REPOSITORY = Path.of("..");
  private static final Pattern SENTENCE = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `[^|]*\\|[^|]*\\|$");

  @ParameterizedTest
  @CsvSource({
    "telemetry, io.remuda.telemetry",
    "job-worker, io.remuda.worker",
    "node-agent, io.remuda.agent",
    "coordinator, io.remuda.coordinator",
    "examples, io.remuda.examples"
  })
  void the_readme_of_a_module_lists_each_package_of_its_source(String module, String root)
      throws IOException {
    List<String> inSource = rowsOfSource(REPOSITORY.resolve(module), root);
    assertTrue(inSource.size() > 3, () -> "packages: " + inSource);
    assertEquals(
        String.join("\n", inSource),
        String.join("\n", rows(Files.readString(REPOSITORY.resolve(module).resolve("README.md")))));
  }

  @Test
  void only_the_table_below_the_heading_is_read() {
    assertEquals(
        List.of("| `a.b` | What. |"),
        rows("## Words\n\n| `x` | y |\n\n## Packages\n\n|p|w|\n| `a.b` | What. |\n\n## Tests\n"));
  }

  @Test
  void a_sentence_on_several_lines_becomes_one_line() {
    assertEquals(
        "Waits for `x` or y.", sentence("/**\n * Waits for {@code x}\n * or y.\n */\npackage a;"));
  }

  /** Returns the rows of the table below the heading "Packages". */
  private static List<String> rows(String readme) {
    String below = readme.substring(readme.indexOf("\n## Packages\n") + 1);
    int next = below.indexOf("\n## ");
    return ROW.matcher(next < 0 ? below : below.substring(0, next))
        .results()
        .map(MatchResult::group)
        .toList();
  }

  /** Returns the rows that the README should have, in the order of the packages' names. */
  private static List<String> rowsOfSource(Path module, String root) throws IOException {
    Path sources = module.resolve("src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.endsWith("package-info.java"))
          .map(file -> row(sources.relativize(file.getParent()), root, file))
          .sorted()
          .toList();
    }
  }

  private static String row(Path folder, String root, Path file) {
    String name = folder.toString().replace('/', '.');
    String shown = name.startsWith(root + ".") ? name.substring(root.length() + 1) : name;
    try {
      return "| `" + shown + "` | " + sentence(Files.readString(file)) + " |";
    } catch (IOException e) {
      throw new AssertionError(file + " cannot be read", e);
    }
  }

  private static String sentence(String source) {
    Matcher comment = SENTENCE.matcher(source);
    assertTrue(comment.find(), source);
    return comment
        .group(1)
        .replaceAll("(?m)^ *\\* ?", "")
        .replaceAll("\\{@code ([^}]*)\\}", "`$1`")
        .replaceAll("\\s+", " ")
        .strip();
  }
}
