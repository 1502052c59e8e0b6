package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents for contributors name classes that the source has. */
class DocumentedNamesTest {
  private static final Path REPOSITORY = Path.of("..");
  private static final Pattern NAME = Pattern.compile("`((?:[A-Z]\\w*\\.)*[A-Z]\\w*[a-z]\\w*)`");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|enum|interface) ([A-Z]\\w*)");

  /** Folders with what is built, and with what is not ours. */
  private static final Set<String> NO_SOURCES = Set.of("target", "dist", ".git");

  private static Set<String> declared;

  @BeforeAll
  static void read() throws IOException {
    declared = declared();
    assertTrue(declared.size() > 1000, () -> "types: " + declared.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"CONTRIBUTING.md", "docs/architecture.md", "docs/state.md", "docs/threads.md"})
  void each_class_that_a_document_names_is_in_the_source(String document) throws IOException {
    assertEquals(Set.of(), unknown(Files.readString(REPOSITORY.resolve(document))));
  }

  @Test
  void a_class_that_is_nowhere_is_found() {
    assertEquals(
        Set.of("Effect.Nowhere", "NoSuchActor"),
        unknown("`Coordinator` tells `NoSuchActor` of `Effect.TaskMoved` and `Effect.Nowhere`"));
  }

  private static Set<String> unknown(String text) {
    return NAME.matcher(text)
        .results()
        .map(match -> match.group(1))
        .filter(name -> !declared.contains(name.substring(name.lastIndexOf('.') + 1)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the simple names of all types of the repository, also nested ones and tests. */
  private static Set<String> declared() throws IOException {
    Set<String> names = new TreeSet<>();
    Files.walkFileTree(
        REPOSITORY,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NO_SOURCES.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".java")) {
              DECLARED
                  .matcher(Files.readString(file))
                  .results()
                  .map(match -> match.group(1))
                  .forEach(names::add);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
  }
}
