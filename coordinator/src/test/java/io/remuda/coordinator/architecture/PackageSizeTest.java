package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A package is small enough to be read as a whole, and so is a file, unless {@code large.txt} says
 * why not: a limit asks a question, and the answer is written down there.
 */
class PackageSizeTest {
  private static final long MOST_CLASSES = 30;
  private static final long MOST_LINES = 400;
  private static final Path REPOSITORY = Path.of("..");

  /** Folders with what is built, and with what is not ours. */
  private static final Set<String> NO_SOURCES = Set.of("target", "dist", ".git");

  @Test
  void no_package_has_more_than_30_classes_without_a_reason() throws IOException {
    assertEquals(
        reasons(name -> !name.endsWith(".java")),
        tooLarge(
                ProductionClasses.ALL.stream()
                    .filter(JavaClass::isTopLevelClass)
                    .filter(type -> !type.getSimpleName().equals("package-info"))
                    .map(JavaClass::getPackageName)
                    .toList())
            .keySet());
  }

  @Test
  void a_package_with_31_classes_is_found() {
    assertEquals(
        Map.of("large", 31L),
        tooLarge(
            Stream.concat(
                    IntStream.range(0, 31).mapToObj(type -> "large"),
                    IntStream.range(0, 30).mapToObj(type -> "full"))
                .toList()));
  }

  @Test
  void no_file_has_more_than_400_lines_without_a_reason() throws IOException {
    Map<String, Long> lines = linesOfSources();
    assertTrue(lines.size() > 500, () -> "files: " + lines.keySet());
    assertEquals(reasons(name -> name.endsWith(".java")), above(MOST_LINES, lines).keySet());
  }

  @Test
  void a_file_with_401_lines_is_found() {
    assertEquals(
        Map.of("Long.java", 401L),
        above(MOST_LINES, new TreeMap<>(Map.of("Long.java", 401L, "Full.java", 400L))));
  }

  /** Returns what is large for a reason: each line has a name, a colon and the reason. */
  private static Set<String> reasons(Predicate<String> names) throws IOException {
    Set<String> reasons = new TreeSet<>();
    try (Stream<String> lines = Files.lines(Path.of("src/test/resources/architecture/large.txt"))) {
      lines
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(
              line -> {
                String[] parts = line.split(": ", 2);
                assertTrue(parts.length == 2 && parts[1].length() > 10, line + " has no reason");
                if (names.test(parts[0])) {
                  reasons.add(parts[0]);
                }
              });
    }
    return reasons;
  }

  /** Returns the number of lines of each Java file of the repository, tests and all modules. */
  private static Map<String, Long> linesOfSources() throws IOException {
    Map<String, Long> lines = new TreeMap<>();
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
              lines.put(REPOSITORY.relativize(file).toString(), count(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return lines;
  }

  private static long count(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    }
  }

  private static Map<String, Long> tooLarge(Collection<String> packages) {
    Map<String, Long> counts =
        packages.stream()
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    return above(MOST_CLASSES, counts);
  }

  private static Map<String, Long> above(long most, Map<String, Long> counts) {
    counts.values().removeIf(count -> count <= most);
    return counts;
  }
}
