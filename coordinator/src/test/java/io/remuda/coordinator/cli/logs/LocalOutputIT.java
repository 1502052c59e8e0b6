package io.remuda.coordinator.cli.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.client.RestClient.OutputChunk;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output that the client reads itself, beside what the server sends of it. */
class LocalOutputIT {
  private static final String PRINTS =
      "seq 1 200000; seq 300000 400000 >&2; echo end of attempt $REMUDA_ATTEMPT";

  @TempDir private static Path shared;
  private static Cluster service;

  private static final Duration SOON = Duration.ofSeconds(60);

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Runs a job to its end and returns its number. */
  private static String job(String... optionsAndCommand) throws IOException {
    String[] words =
        Stream.concat(Stream.of("submit", "--quiet"), Arrays.stream(optionsAndCommand))
            .toArray(String[]::new);
    Result submitted = service.cli(words);
    assertEquals(0, submitted.code(), submitted.err());
    String job = submitted.out().strip();
    service.cli("wait", "--quiet", job);
    return job;
  }

  /** Returns what the server sends of a stream. */
  private static String sent(String job, int task, int attempt, String stream) throws IOException {
    StringBuilder all = new StringBuilder();
    for (long offset = 0; ; ) {
      OutputChunk part =
          service
              .client()
              .bytes(
                  "/jobs/%s/logs?stream=%s&task=%d&attempt=%d&offset=%d"
                      .formatted(job, stream, task, attempt, offset));
      assertEquals(null, part.place(), "nobody has asked for it");
      all.append(new String(part.bytes(), StandardCharsets.UTF_8));
      offset = part.offset() + part.bytes().length;
      if (offset >= part.size()) {
        return all.toString();
      }
    }
  }

  private static void assertPrints(String expected, String... words) throws IOException {
    Result printed = service.cli(words);
    assertEquals(0, printed.code(), printed.err());
    // not as one comparison of texts, whose message would be as long
    assertTrue(expected.equals(printed.out()), () -> String.join(" ", words));
  }

  private static String lastLines(String text, int count) {
    List<String> lines = text.lines().toList();
    return lines.subList(lines.size() - count, lines.size()).stream()
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  /** What a first attempt printed last was lost, and as much of the second as the first had. */
  @Test
  void who_follows_a_task_sees_all_of_each_attempt() throws Exception {
    Path go = shared.resolve("go");
    String script =
        "echo begin $REMUDA_ATTEMPT; until [ -e "
            + go
            + " ]; do sleep 0.1; done; echo end $REMUDA_ATTEMPT; [ $REMUDA_ATTEMPT = 2 ]";
    Result submitted = service.cli("submit", "--quiet", "--retries", "1", "--", "sh", "-c", script);
    String follow = service.shellLine("logs", "-f", submitted.out().strip());
    Path shown = shared.resolve("shown");
    Process following =
        new ProcessBuilder("/bin/sh", "-c", follow).redirectOutput(shown.toFile()).start();
    service.await("the first line", SOON, () -> Files.readString(shown).equals("begin 1\n"));
    Files.createFile(go);
    assertTrue(following.waitFor(60, TimeUnit.SECONDS), () -> "it does not end: " + shown);
    assertEquals(0, following.exitValue());
    assertEquals("begin 1\nend 1\nbegin 2\nend 2\n", Files.readString(shown));
  }

  @Test
  void logs_prints_of_both_streams_what_the_server_sends() throws IOException {
    String job = job("--", "sh", "-c", PRINTS);
    String out = sent(job, 0, 0, "out");
    String err = sent(job, 0, 0, "err");
    assertEquals(100_001, err.lines().count());
    assertPrints(out, "logs", job);
    assertPrints(out, "logs", "-f", job);
    assertPrints(err, "logs", "--err", job);
    assertPrints(lastLines(out, 30_000), "logs", "-n", "30000", job);
    assertPrints(lastLines(out, 30_000), "logs", "-f", "-n", "30000", job);
  }

  @Test
  void of_an_array_each_line_is_behind_its_task() throws IOException {
    String job = job("--count", "2", "--", "sh", "-c", PRINTS);
    StringBuilder expected = new StringBuilder();
    for (int task = 0; task < 2; task++) {
      String name = "[" + task + "] ";
      sent(job, task, 0, "out").lines().forEach(one -> expected.append(name + one + "\n"));
    }
    assertPrints(expected.toString(), "logs", job);
    Result followed = service.cli("logs", "-f", job);
    assertEquals(
        expected.toString().lines().sorted().toList(), followed.out().lines().sorted().toList());
  }

  @Test
  void an_earlier_attempt_is_read_from_its_own_file() throws IOException {
    String job = job("--retries", "1", "--", "sh", "-c", PRINTS + "; test $REMUDA_ATTEMPT = 2");
    for (int attempt = 1; attempt <= 2; attempt++) {
      String out = sent(job, 0, attempt, "out");
      assertTrue(out.endsWith("end of attempt " + attempt + "\n"));
      assertPrints(out, "logs", job + ".0." + attempt);
    }
  }

  @Test
  void a_running_task_is_followed_to_its_end_and_run_prints_all() throws IOException {
    String script = "for i in 1 2 3; do seq 1 100000; sleep 0.3; done";
    Result run = service.cli("run", "--quiet", "--", "sh", "-c", script);
    String job = job("--", "sh", "-c", script);
    String out = sent(job, 0, 0, "out");
    assertEquals(300_000, out.lines().count());
    assertTrue(out.equals(run.out()));
    Result submitted = service.cli("submit", "--quiet", "--", "sh", "-c", script);
    assertPrints(out, "logs", "-f", submitted.out().strip());
  }
}
