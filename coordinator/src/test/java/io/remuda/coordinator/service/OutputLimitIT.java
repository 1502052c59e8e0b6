package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.BegunCommand;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that print more than is kept: 64 KiB of their beginning and 128 KiB of their end. */
class OutputLimitIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final int BEGINNING = 64 << 10;
  private static final int NEWEST = 128 << 10;
  private static final Pattern DROPPED =
      Pattern.compile("(?m)^remuda: (\\d+) bytes of (\\d+)\\.0's stdout were dropped here");

  /** What {@code seq 1 200000} prints. */
  private static final String NUMBERS =
      IntStream.rangeClosed(1, 200_000).mapToObj(i -> i + "\n").collect(Collectors.joining());

  @TempDir private static Path shared;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    Path home = Files.createDirectories(shared.resolve("h"));
    Files.writeString(home.resolve("remuda.conf"), "remuda.agent.output-limit = 256KiB\n");
    service = new Cluster(Installation.find(), home, Map.of()).serve();
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static void awaitDrop(String job) {
    service.await(
        "drop of what job " + job + " has printed",
        SOON,
        () -> service.client().bytes("/jobs/" + job + "/logs?offset=" + BEGINNING).dropped() > 0);
  }

  /** All that was printed but for the middle, and how much that is. */
  private static void assertKept(String job, String printed, Result shown) {
    Matcher said = DROPPED.matcher(shown.err());
    assertTrue(said.find(), shown.err());
    int dropped = Integer.parseInt(said.group(1));
    assertEquals(job, said.group(2));
    assertEquals(
        printed.substring(0, BEGINNING) + printed.substring(BEGINNING + dropped), shown.out());
    assertTrue(shown.out().length() >= BEGINNING + NEWEST, "shown " + shown.out().length());
    assertEquals(0, shown.code());
  }

  @Test
  void who_follows_a_task_is_told_what_was_dropped_and_gets_what_comes_after_it() throws Exception {
    Path go = shared.resolve("go");
    String job =
        String.valueOf(
            service.submit(
                "seq 1 200000; until [ -e " + go + " ]; do sleep 0.1; done; echo the end"));
    awaitDrop(job);
    BegunCommand follower = service.begin("logs", "-f", job);
    service.await(
        "a follower behind the hole", SOON, () -> follower.out().length() >= BEGINNING + NEWEST);
    Files.createFile(go);
    assertKept(job, NUMBERS + "the end\n", follower.await());
  }

  @Test
  void run_shows_what_is_kept_of_a_task_that_printed_much_in_no_time() throws Exception {
    String[] command = {"--key", "once", "--", "seq", "1", "200000"};
    Result submitted = service.cli(with("submit", command));
    String job = submitted.out().strip();
    assertEquals(0, service.cli("wait", job).code());
    awaitDrop(job);
    assertKept(job, NUMBERS, service.cli(with("run", command)));
  }

  private static String[] with(String verb, String[] more) {
    return Stream.concat(Stream.of(verb), Stream.of(more)).toArray(String[]::new);
  }
}
