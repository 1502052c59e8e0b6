package io.remuda.coordinator.cli.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.Tmux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line prints of a real server's jobs, in pipes and on a terminal. */
class CommandWordsIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private static Path folder;
  private static Cluster service;
  private static String three;

  @BeforeAll
  static void serve() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--name", "n1");
    long job =
        service.submit(
            "echo first of $REMUDA_TASK; echo last of $REMUDA_TASK; echo bad >&2",
            "count",
            3,
            "cpus",
            0.1,
            "name",
            "three");
    service.awaitEnd(job);
    three = Long.toString(job);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static List<String> printed(String... arguments) throws IOException {
    Result result = service.cli(arguments);
    assertEquals(0, result.code(), result.err());
    return result.out().lines().toList();
  }

  @Test
  void logs_of_a_job_show_all_tasks_each_line_behind_its_task() throws IOException {
    assertEquals(
        List.of(
            "[0] first of " + three + ".0",
            "[0] last of " + three + ".0",
            "[1] first of " + three + ".1",
            "[1] last of " + three + ".1",
            "[2] first of " + three + ".2",
            "[2] last of " + three + ".2"),
        printed("logs", three));
    List<String> last =
        List.of(
            "[0] last of " + three + ".0",
            "[1] last of " + three + ".1",
            "[2] last of " + three + ".2");
    assertEquals(last, printed("logs", "-n", "1", "three"));
    assertEquals(last, printed("logs", "-f", "-n", "1", three));
    assertEquals(List.of("[0] bad", "[1] bad", "[2] bad"), printed("logs", "--err", three));
    assertEquals(List.of("last of " + three + ".2"), printed("logs", "-n", "1", three + ".2"));
    assertEquals(List.of(), printed("logs", "--since", "1ms", three));
    Result none = service.cli("logs", three + ".7");
    assertEquals(
        "remuda: job " + three + " has 3 tasks, " + three + ".0 to " + three + ".2\n", none.err());
  }

  @Test
  void one_file_of_all_tasks_is_printed_once_and_that_is_no_failure() throws Exception {
    Path file = folder.resolve("all.txt");
    long job = service.submit("echo hi", "count", 3, "cpus", 0.1, "output", file.toString());
    service.awaitEnd(job);
    Result logs = service.cli("logs", Long.toString(job));
    assertEquals(0, logs.code(), logs.err());
    assertEquals("", logs.err());
    assertEquals(3, logs.out().lines().filter(line -> line.endsWith("hi")).count(), logs.out());
  }

  @Test
  void one_file_of_all_errors_is_printed_once_beside_files_of_each_tasks_output() throws Exception {
    long job =
        service.submit(
            "echo hi; echo bad >&2",
            "count",
            3,
            "cpus",
            0.1,
            "output",
            folder.resolve("out-%t").toString(),
            "error",
            folder.resolve("errors").toString());
    service.awaitEnd(job);
    assertEquals(
        List.of("[0] bad", "[0] bad", "[0] bad"), printed("logs", "--err", Long.toString(job)));
    assertEquals(List.of("[0] hi", "[1] hi", "[2] hi"), printed("logs", Long.toString(job)));
  }

  @Test
  void logs_that_follow_a_job_of_one_task_wait_for_its_start() throws Exception {
    long job = service.submit("echo hi", "hold", true, "cpus", 0.1);
    Process logs = service.start("followed", "logs", "-f", Long.toString(job));
    Path printed = folder.resolve("followed.out");
    String waits = "remuda: task " + job + ".0 has not started; waiting for it\n";
    service.await("a word", SOON, () -> Files.readString(printed).equals(waits));
    assertEquals(0, service.cli("release", Long.toString(job)).code());
    assertTrue(logs.waitFor(SOON.toSeconds(), TimeUnit.SECONDS), "logs -f has no end");
    assertEquals(waits + "hi\n", Files.readString(printed));
    assertEquals(0, logs.exitValue());
  }

  @Test
  void run_labels_the_lines_of_several_tasks() throws IOException {
    Result run = service.cli("run", "--count", "2", "--cpus", "0.1", "--", "echo", "hi");
    assertEquals(List.of("[0] hi", "[1] hi"), run.out().lines().sorted().toList());
  }

  @Test
  void a_server_that_runs_is_asked_for_completions() throws IOException {
    assertTrue(printed("complete", "all-jobs").containsAll(List.of(three, "three", "last")));
    assertEquals(List.of("n1"), printed("complete", "nodes"));
  }

  @Test
  void on_a_terminal_a_new_job_has_its_name_and_a_hint_what_next() throws IOException {
    try (Tmux tmux =
        Tmux.run(
            folder, 110, 24, service.shellLine("submit", "--", "true") + "\nexec sleep 1000\n")) {
      tmux.awaitText("(true)", SOON);
      tmux.awaitText("follows its output, remuda explain", SOON);
    }
    assertTrue(service.cli("submit", "--", "true").out().matches("\\d+\n"));
  }

  @Test
  void on_a_terminal_the_bar_of_a_wait_is_drawn_in_place() throws Exception {
    long job = service.submit("true", "count", 3, "cpus", 0.1);
    String wait = service.shellLine("wait", "--progress", Long.toString(job));
    try (Tmux tmux = Tmux.run(folder, 110, 24, wait + "\necho over\nexec sleep 1000\n")) {
      tmux.awaitText("[##############################] 3/3 ended", SOON);
      tmux.awaitText("over", SOON);
      assertFalse(tmux.screen().contains("u001b"), tmux.screen());
    }
  }
}
