package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a job is called, says and fails of is shown by every verb, and commands no terminal. Verbs
 * are called beside a server with jobs whose every text is hostile.
 */
@Tag("attack")
@Tag("attack-bad-request")
@Timeout(120)
class HostileTextIT {

  /** Sets a title, in 7 and 8 bits; turns the line; colours; a line of its own; deletes. */
  private static final String HOSTILE =
      "\u001b]0;PWNED\u0007\u009d0;P\u009c\u202etxt\u2066\u001b[31mred\nforged  line\r\u007f\u2028";

  /** A line as compilers colour it. */
  private static final String LAST = "\n\u001b[1;31mbroken\u007f\u001b[0m end";

  @TempDir private static Path shared;
  private static Cluster service;
  private static long failed;
  private static long nowhere;
  private static long held;

  @BeforeAll
  static void jobs() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of()).serve();
    failed = submit(Map.of("shell", "printf '" + HOSTILE + LAST + "' >&2; exit 3", "count", 2));
    nowhere = submit(Map.of("argv", List.of("x" + HOSTILE), "workdir", "/" + HOSTILE));
    held = submit(Map.of("argv", List.of("/bin/" + HOSTILE, HOSTILE), "hold", true));
    service.awaitEnd(failed);
    service.awaitEnd(nowhere);
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static long submit(Map<String, Object> fields) throws IOException {
    Map<String, Object> job = new HashMap<>(fields);
    job.put("env", Map.of("PATH", "/usr/bin:/bin"));
    job.putIfAbsent("workdir", "/");
    return service.client().post("/jobs", job).path("ids").path(0).asLong();
  }

  private static boolean isHostile(int one) {
    return (Character.isISOControl(one) && one != '\n')
        || Character.getType(one) == Character.FORMAT
        || one == '\u2028';
  }

  static Stream<List<String>> verbs() {
    String job = Long.toString(failed);
    return Stream.of(
        List.of("state"),
        List.of("state", "--all"),
        List.of("state", "--user", HOSTILE),
        List.of("show", job),
        List.of("show", Long.toString(nowhere)),
        List.of("show", Long.toString(held)),
        List.of("explain", job),
        List.of("explain", Long.toString(nowhere)),
        List.of("explain", Long.toString(held)),
        List.of("wait", job, Long.toString(nowhere)),
        List.of("wait", HOSTILE),
        List.of("logs", "--err", HOSTILE),
        List.of("logs", job + ".7"),
        List.of("run", "--name", HOSTILE, "--", "true"),
        List.of("run", "--workdir", "/" + HOSTILE, "--", "true"),
        List.of("run", "--label", HOSTILE + "=" + HOSTILE, "--gpu-model", HOSTILE, "--", "true"),
        List.of("submit", "--type", HOSTILE, "--", "true"),
        List.of("submit", "--mem", HOSTILE, "--", "true"),
        List.of("submit", "--after", HOSTILE, "--", "true"),
        List.of("submit", "--policy", HOSTILE, "--", "true"),
        List.of("submit", "-f", HOSTILE),
        List.of("cancel", job, HOSTILE),
        List.of("hold", job),
        List.of("release", job),
        List.of("nodes"),
        List.of("drain", HOSTILE),
        List.of("resume", HOSTILE),
        List.of("profiles"),
        List.of("profiles", "forget", HOSTILE),
        List.of("profiles", "forget", "--user", HOSTILE, "x"),
        List.of("user", "add", HOSTILE),
        List.of("top", "--once"),
        List.of("gpus"),
        List.of("completion", HOSTILE),
        List.of(HOSTILE),
        List.of("serve", "--listen", HOSTILE),
        List.of("--data-dir", "/" + HOSTILE));
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void no_verb_shows_a_terminal_what_commands_it(List<String> words) throws IOException {
    Result said = service.cli(words.toArray(String[]::new));

    String shown = said.out() + said.err();
    assertTrue(shown.codePoints().noneMatch(HostileTextIT::isHostile), () -> escaped(shown));
    assertFalse(
        shown.lines().anyMatch(line -> line.startsWith("forged")),
        () -> "a line of the user's own: " + escaped(shown));
  }

  private static String escaped(String text) {
    StringBuilder visible = new StringBuilder();
    text.codePoints()
        .forEach(
            one ->
                visible.append(
                    one == '\n' || (one >= ' ' && one < 0x7f)
                        ? Character.toString(one)
                        : String.format("<%x>", one)));
    return visible.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"state --all --json", "show --json %d", "top --json", "explain --json %d"})
  void json_has_them_escaped_and_says_the_same(String line) throws IOException {
    Result said = service.cli(line.formatted(nowhere).split(" "));

    assertTrue(
        said.out().codePoints().noneMatch(HostileTextIT::isHostile), () -> escaped(said.out()));
    JsonNode read = RestClient.JSON.readTree(said.out());
    assertFalse(read.isMissingNode());
    if (line.startsWith("show")) {
      assertEquals("/" + HOSTILE, read.at("/workload/folder").asText());
    }
  }

  @Test
  void colours_of_an_error_break_no_table() throws IOException {
    List<String> lines = service.cli("state", "--all").out().lines().toList();

    int reason = lines.get(0).indexOf("REASON");
    String row = lines.stream().filter(line -> line.contains("exit code 3")).findFirst().get();
    assertEquals(reason, row.indexOf("1.0: exit code 3: "), row);
    assertTrue(row.endsWith("broken\\u007f end"), row);
  }

  @Test
  void names_that_command_terminals_are_refused() {
    assertAll(
        Stream.of("\u001b[A", "\u007f", "\u009b", "\u202e", "\u2066", "\u2028", "a\nb")
            .map(
                name ->
                    () -> {
                      RestFailureException no =
                          assertThrows(
                              RestFailureException.class,
                              () -> submit(Map.of("shell", ":", "hold", true, "name", name)));
                      assertEquals(400, no.status());
                    }));
  }

  @Test
  void what_a_task_prints_is_raw() throws IOException {
    assertTrue(service.log(failed, 0, "err").startsWith("\u001b]0;PWNED\u0007"));
  }
}
