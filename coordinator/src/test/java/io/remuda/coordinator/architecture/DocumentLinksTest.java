package io.remuda.coordinator.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every link of the documents leads to a file of this repository, and to a heading of it. */
class DocumentLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

  @Test
  void each_link_of_the_documents_has_its_target() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      broken.addAll(brokenLinks(document));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void a_link_to_a_heading_that_is_not_there_is_found() throws IOException {
    Path readme = ROOT.resolve("README.md");
    assertEquals(
        List.of("README.md: docs/nowhere.md", "README.md: #nowhere"),
        brokenLinks(ROOT, readme, "[a](docs/nowhere.md) [b](#nowhere) [c](docs/cluster.md)"));
  }

  @Test
  void a_release_has_all_that_its_documents_link_to_and_names_no_folder_of_the_source(
      @TempDir Path folder) throws Exception {
    Path release = folder.toRealPath();
    Files.createDirectories(release.resolve("docs/decisions"));
    List<Path> documents = new ArrayList<>();
    for (Path document : documents()) {
      Path at = ROOT.relativize(document);
      if (at.startsWith("docs") || at.toString().equals("README.md")) {
        documents.add(Files.copy(document, release.resolve(at)));
      }
    }
    Files.createDirectories(release.resolve("docs/grafana"));
    Files.createDirectories(release.resolve("docs/pictures"));
    try (Stream<Path> pictures = Files.list(ROOT.resolve("docs/pictures"))) {
      for (Path picture : pictures.toList()) {
        Files.copy(picture, release.resolve(ROOT.relativize(picture)));
      }
    }
    for (String other :
        List.of(
            "LICENSE",
            "docs/job-file.schema.json",
            "docs/benchmarks.json",
            "docs/grafana/remuda.json",
            "docs/grafana/remuda-nodes.json",
            "docs/grafana/alerts.yml")) {
      Files.copy(ROOT.resolve(other), release.resolve(other));
    }
    Process fitted =
        new ProcessBuilder(ROOT.resolve("release/fit-docs").toString(), release.toString())
            .inheritIO()
            .start();
    assertEquals(0, fitted.waitFor());
    List<String> broken = new ArrayList<>();
    for (Path document : documents) {
      broken.addAll(brokenLinks(release, document, Files.readString(document)));
    }
    assertEquals(List.of(), broken);
    String readme = Files.readString(release.resolve("README.md"));
    for (String ofSource : List.of("./remuda", "./check", "dist/", "Maven:", "alias ")) {
      assertFalse(readme.contains(ofSource), ofSource);
    }
    assertTrue(readme.contains("\nexport PATH=\"$PWD/bin:$PATH\" "), readme);
    assertTrue(readme.contains("\nremuda serve --detach "), readme);
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String folder :
        List.of("", "docs", "docs/decisions", "bench", "clients/python", "examples")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    for (String module : List.of("telemetry", "job-worker", "node-agent", "coordinator")) {
      documents.add(ROOT.resolve(module).resolve("README.md"));
    }
    assertTrue(documents.size() > 30, documents::toString);
    return documents;
  }

  private static List<String> brokenLinks(Path document) throws IOException {
    return brokenLinks(ROOT, document, Files.readString(document));
  }

  private static List<String> brokenLinks(Path root, Path document, String text)
      throws IOException {
    List<String> broken = new ArrayList<>();
    Matcher link = LINK.matcher(CODE.matcher(FENCE.matcher(text).replaceAll("")).replaceAll("`"));
    while (link.find()) {
      String target = link.group(1);
      if (!target.matches("(https?|mailto):.*") && !exists(root, document, target)) {
        broken.add(root.relativize(document) + ": " + target);
      }
    }
    return broken;
  }

  private static boolean exists(Path root, Path document, String target) throws IOException {
    int mark = target.indexOf('#');
    String path = mark < 0 ? target : target.substring(0, mark);
    Path file = path.isEmpty() ? document : document.getParent().resolve(path).normalize();
    if (!file.startsWith(root) || !Files.exists(file)) {
      return false;
    }
    return mark < 0
        || !file.toString().endsWith(".md")
        || anchors(file).contains(target.substring(mark + 1));
  }

  /** Returns the anchors that GitHub makes of the headings of a document. */
  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(FENCE.matcher(Files.readString(document)).replaceAll(""));
    while (heading.find()) {
      String words = heading.group(1).replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1");
      String anchor =
          words.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
      for (int same = 0; !anchors.add(same == 0 ? anchor : anchor + "-" + same); same++) {
        // the next of equal headings has a number
      }
    }
    return anchors;
  }
}
