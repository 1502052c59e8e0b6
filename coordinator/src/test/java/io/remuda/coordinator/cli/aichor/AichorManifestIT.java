package io.remuda.coordinator.cli.aichor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples, run by a real server. */
@Timeout(180)
class AichorManifestIT {
  private static final Path EXAMPLES = Path.of("..", "examples", "aichor-multi-jobs");

  @TempDir private static Path home;
  private static Cluster service;
  @TempDir private Path folder;

  @BeforeAll
  static void serve() throws Exception {
    service = new Cluster(Installation.find(), home.resolve("h"), Map.of());
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @BeforeEach
  void copyExamples() throws IOException {
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = folder.resolve("demo").resolve(EXAMPLES.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private ServiceUnderTest.Result submit(String manifest, Map<String, String> variables)
      throws IOException {
    return service.cli(
        variables, "submit", "--wait", folder.resolve("demo").resolve(manifest).toString());
  }

  /** Its number is the first line. */
  private static String jobOf(ServiceUnderTest.Result submitted) {
    return submitted.out().lines().findFirst().orElse("nothing printed");
  }

  private static Set<String> lines(String text) {
    return text.lines().map(String::strip).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void the_guides_demo_prints_what_the_guide_shows() throws Exception {
    ServiceUnderTest.Result done = submit("manifest.yaml", Map.of("SECOND", "0.05"));
    assertEquals(0, done.code(), done.err());
    assertEquals(
        Set.of(
            jobOf(done),
            "[0 Worker-0] hey i am rank 0, sleeping for 30s",
            "[1 Worker-1] hey i am rank 1, sleeping for 40s",
            "[2 Worker-2] hey i am rank 2 sleeping for 10s",
            "[3 Worker-3] hey i am rank 3 sleeping for 10s",
            "[4 Worker-4] hey i am rank 4 sleeping for 10s"),
        lines(done.out()));
    assertTrue(done.err().contains("not used here: builder, spec.image"), done.err());
    assertTrue(done.err().contains("[4 Worker-4] succeeded"), done.err());
    assertTrue(done.err().contains("job " + jobOf(done) + " succeeded"), done.err());
  }

  @Test
  void one_worker_that_fails_ends_the_others_and_is_named() throws Exception {
    Path program = folder.resolve("demo/src/main.py");
    Files.writeString(
        program,
        Files.readString(program)
            .replace("    time.sleep", "    if own == 3: raise SystemExit(5)\n    time.sleep"));
    ServiceUnderTest.Result done = submit("manifest.yaml", Map.of("SECOND", "60"));
    assertEquals(5, done.code(), "as of a process");
    assertTrue(done.err().contains("failed: " + jobOf(done) + ".3: exit code 5"), done.err());
  }

  @Test
  void a_worker_alone_has_no_tf_config_and_rank_0() throws Exception {
    Path manifest = folder.resolve("demo/manifest.yaml");
    Files.writeString(manifest, Files.readString(manifest).replace("count: 5", "count: 1"));
    ServiceUnderTest.Result done = submit("manifest.yaml", Map.of("SECOND", "0"));
    assertEquals(
        Set.of(jobOf(done), "[0 Worker-0] hey i am rank 0, sleeping for 30s"),
        lines(done.out()),
        done.err());
  }

  @ParameterizedTest
  @CsvSource({"10x1, 10, 1", "heavy-and-7, 8, 1", "10x10, 10, 10", "10x10-two-at-a-time, 10, 10"})
  void each_completion_of_a_jobset_runs_once(String name, int jobs, int completions)
      throws Exception {
    ServiceUnderTest.Result done = submit("jobset/" + name + ".yaml", Map.of());
    assertEquals(0, done.code(), done.err());
    List<String> said =
        done.out().lines().filter(line -> line.contains("completion")).sorted().toList();
    assertEquals(jobs * completions, said.size(), done.out());
    assertEquals(said.size(), Set.copyOf(said).size(), done.out());
    if (name.startsWith("10x10")) {
      Set<String> wanted =
          IntStream.range(0, 100)
              .mapToObj(i -> "job " + i / 10 + " of 10, completion " + i % 10)
              .collect(Collectors.toSet());
      assertEquals(
          wanted,
          said.stream()
              .map(line -> line.replaceFirst(".*worker ", ""))
              .collect(Collectors.toSet()));
    }
  }

  @Test
  void a_broken_manifest_is_refused_before_anything_starts() throws Exception {
    Path manifest = folder.resolve("demo/manifest.yaml");
    Files.writeString(manifest, Files.readString(manifest).replace("tf\n", "kuberay\n"));
    ServiceUnderTest.Result refused = submit("manifest.yaml", Map.of());
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains(manifest + ":10:13: spec.operator kuberay"), refused.err());
    assertEquals("", refused.out());
  }

  @Test
  void the_schema_is_printed() throws Exception {
    ServiceUnderTest.Result schema = service.cli("schema", "aichor");
    assertEquals(SchemaCommand.aichor(), schema.out());
    assertEquals(2, service.cli("schema", "helm").code());
  }
}
