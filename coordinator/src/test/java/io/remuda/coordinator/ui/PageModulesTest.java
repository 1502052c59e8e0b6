package io.remuda.coordinator.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The modules of the page: what each gives to others is taken, and what is taken is there. */
class PageModulesTest {
  private static final Path PAGE = Path.of("src/main/resources/io/remuda/coordinator/ui/page");
  private static final Pattern EXPORT =
      Pattern.compile("(?m)^export (?:async )?(?:function|const|let|class) (\\w+)");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:\\{([^}]*)\\} from )?\"([^\"]+)\"");

  private static Map<Path, String> modules() throws IOException {
    Map<Path, String> modules = new TreeMap<>();
    try (Stream<Path> files = Files.walk(PAGE)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".js")).toList()) {
        modules.put(file.normalize(), Files.readString(file));
      }
    }
    return modules;
  }

  /** Returns what is taken, as FILE NAME, by other modules. */
  private static Set<String> taken(Map<Path, String> modules) {
    Set<String> taken = new TreeSet<>();
    modules.forEach(
        (file, code) -> {
          Matcher imports = IMPORT.matcher(code);
          while (imports.find()) {
            Path from = file.resolveSibling(imports.group(2)).normalize();
            String names = imports.group(1) == null ? "" : imports.group(1);
            for (String name : names.split(",")) {
              taken.add(from + " " + name.strip().replaceFirst(" as .*", ""));
            }
          }
        });
    return taken;
  }

  private static Set<String> given(Map<Path, String> modules) {
    Set<String> given = new TreeSet<>();
    modules.forEach(
        (file, code) -> {
          Matcher exports = EXPORT.matcher(code);
          while (exports.find()) {
            given.add(file + " " + exports.group(1));
          }
        });
    return given;
  }

  @Test
  void nothing_is_given_that_no_other_module_takes() throws IOException {
    Map<Path, String> modules = modules();
    Set<String> given = given(modules);
    assertTrue(given.size() > 50, given::toString);
    given.removeAll(taken(modules));
    assertEquals(Set.of(), given);
  }

  @Test
  void what_is_taken_is_there() throws IOException {
    Map<Path, String> modules = modules();
    Set<String> taken = taken(modules);
    taken.removeIf(one -> one.endsWith(" "));
    taken.removeAll(given(modules));
    assertEquals(Set.of(), taken);
  }

  @Test
  void no_module_is_left_over() throws IOException {
    Map<Path, String> modules = modules();
    Set<String> files = new TreeSet<>();
    modules.keySet().forEach(file -> files.add(file.toString()));
    taken(modules).forEach(one -> files.remove(one.substring(0, one.indexOf(' '))));
    String html = Files.readString(PAGE.resolve("index.html"));
    files.removeIf(file -> html.contains("/" + PAGE.relativize(Path.of(file)) + "\""));
    files.remove(PAGE.resolve("lib/view.js").toString()); // types, which comments name
    assertEquals(Set.of(), files);
  }
}
