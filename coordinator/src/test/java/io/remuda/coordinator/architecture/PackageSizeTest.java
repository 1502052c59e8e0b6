package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A package is small enough to be read as a whole. */
class PackageSizeTest {
  private static final long MOST_CLASSES = 30;

  @Test
  void no_package_has_more_than_30_classes() {
    assertEquals(
        Map.of(),
        tooLarge(
            ProductionClasses.ALL.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackageName)
                .toList()));
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

  private static Map<String, Long> tooLarge(Collection<String> packages) {
    Map<String, Long> counts =
        packages.stream()
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    counts.values().removeIf(count -> count <= MOST_CLASSES);
    return counts;
  }
}
