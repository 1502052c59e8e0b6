package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class whose name is a single word has that word in the glossary of the architecture. */
class GlossaryTest {
  private static final Path ARCHITECTURE = Path.of("..", "docs", "architecture.md");
  private static final Pattern ROW = Pattern.compile("^\\| \\*\\*.*$", Pattern.MULTILINE);
  private static final Pattern WORD = Pattern.compile("\\*\\*([^*]+)\\*\\*");
  private static final Pattern SINGLE_WORD = Pattern.compile("[A-Z][a-z0-9]*");

  @Test
  void every_single_word_that_names_a_class_is_in_the_glossary() throws IOException {
    List<String> names =
        ProductionClasses.ALL.stream()
            .filter(JavaClass::isTopLevelClass)
            .map(JavaClass::getSimpleName)
            .toList();
    assertEquals(Set.of(), unknown(names));
  }

  @Test
  void a_single_word_that_is_in_no_glossary_is_found() throws IOException {
    assertEquals(Set.of("Desk"), unknown(List.of("Desk", "Keeper", "DeskOfUsers")));
  }

  @Test
  void the_glossary_has_each_word_once_and_in_order() throws IOException {
    List<String> first = rows().map(row -> words(row).get(0)).toList();
    assertEquals(List.copyOf(new TreeSet<>(first)), first);
    assertTrue(first.size() > 50, () -> "words: " + first);
  }

  private static Set<String> unknown(Collection<String> names) throws IOException {
    Set<String> glossary =
        rows().flatMap(row -> words(row).stream()).collect(Collectors.toUnmodifiableSet());
    return names.stream()
        .filter(name -> SINGLE_WORD.matcher(name).matches() && !glossary.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> rows() throws IOException {
    return ROW.matcher(Files.readString(ARCHITECTURE)).results().map(MatchResult::group);
  }

  private static List<String> words(String row) {
    return WORD.matcher(row).results().map(match -> match.group(1)).toList();
  }
}
