package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.Tmux;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service with a node of 20 GPUs: on the first, of 24 GiB, job 1 was promised 12 GiB and uses 6,
 * and another process uses 3; job 2 waits.
 */
@Timeout(300)
class TopCommandIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final long GIB = 1L << 30;
  private static final int GPUS = 20;
  private static final String BAR = "[BBBBBBBBBBB######bbbbbbbbbbb.................] 9.0/24.0";

  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;
  private Tmux tmux;

  @BeforeAll
  static void oneJobRunsAndOneWaits() throws Exception {
    SimulatedDriver driver =
        SimulatedDriver.in(shared)
            .says(
                "gpus " + GPUS,
                "gpu 0 uuid GPU-" + UUID.randomUUID(), // other runs have the usual ones
                "gpu 0 name \"NVIDIA L40S\" memory 24GiB reserved 0 util busy job-memory 6GiB"
                    + " process 1 3GiB");
    driver.loaded();
    service = new Cluster(Installation.find(), shared.resolve("h"), driver.environment());
    service.serve("--no-agent");
    service.agent("n1");
    service.awaitNode("n1", "ready");
    service.submit(
        "exec sleep 1000",
        "name",
        "\u5b66\u7fd2",
        "cpus",
        0,
        "gpus",
        1,
        "gpuMem",
        "12GiB",
        "gpuModel",
        "L40S");
    service.awaitState(1, "running");
    service.submit("true", "name", "late", "gpus", GPUS);
    service.await(
        "memory of job 1", SOON, () -> gpu().at("/holders/0/usedBytes").asLong() == 6 * GIB);
    service.await(
        "a reason of job 2", SOON, () -> top().at("/jobs/1/reason").asText().contains("GPUs"));
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @AfterEach
  void closeTerminal() {
    if (tmux != null) {
      tmux.close();
    }
  }

  private static JsonNode top() throws IOException {
    return service.client().get("/top");
  }

  private static JsonNode gpu() throws IOException {
    return top().at("/gpus/0");
  }

  private void open(String environment, String... options) throws IOException {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "top";
    System.arraycopy(options, 0, arguments, 1, options.length);
    tmux =
        Tmux.run(
            folder,
            80,
            24,
            environment
                + " LC_ALL=C.UTF-8 "
                + service.shellLine(arguments)
                + "\necho ended with $?\nstty -a | grep -o ' [-]*icanon'\nexec sleep 1000\n");
  }

  @Test
  void json_has_what_each_task_was_promised_and_uses() throws IOException {
    Result printed = service.cli("top", "--json");
    assertEquals(0, printed.code(), printed::err);
    JsonNode gpu = new JsonMapper().readTree(printed.out()).at("/gpus/0");
    assertEquals("n1", gpu.path("node").asText());
    assertEquals(24 * GIB, gpu.path("memoryBytes").asLong());
    assertEquals(9 * GIB, gpu.path("usedBytes").asLong());
    assertEquals(3 * GIB, gpu.path("otherBytes").asLong());
    assertEquals(
        "[{\"job\":1,\"attempt\":\"1.0.1\",\"whole\":false,\"reservedBytes\":12884901888,"
            + "\"usedBytes\":6442450944}]",
        gpu.path("holders").toString());
    assertEquals(90, gpu.path("utilization").asInt());
  }

  @Test
  void printed_once_there_is_a_line_for_each_gpu_and_job() throws IOException {
    for (List<String> options : List.of(List.of("top", "--once"), List.of("top"))) {
      Result printed = service.cli(options.toArray(String[]::new));
      assertEquals(0, printed.code(), printed::err);
      List<String> lines = printed.out().lines().toList();
      assertEquals(2 + GPUS + 2 + 2, lines.size(), printed::out);
      assertEquals(
          "n1     0  90% [BBBBBBBBBBB######bbbbbbbbbbb................] 9.0/24.0 L40S       40C  "
              + " 60W",
          lines.get(2));
      assertTrue(lines.get(2 + GPUS + 2).matches("B 1   .* running .*"), printed::out);
      assertTrue(
          lines.get(2 + GPUS + 3).contains("n1: 19 of 20 GPUs free, wanted 20"), printed::out);
      assertTrue(printed.out().indexOf('\u001b') < 0, printed::out);
    }
  }

  @Test
  void on_a_terminal_it_scrolls_follows_its_size_and_leaves_it_as_it_was() throws IOException {
    open("");
    tmux.awaitText(BAR, SOON);
    tmux.awaitText("GPUs 1-17 of 20: arrows, PgUp, PgDn", SOON);
    tmux.awaitText("B 1   \u5b66\u7fd2 ", SOON);
    assertTrue(tmux.coloured().contains("\u001b["), "nothing is emphasised");
    tmux.press("Down", "Down");
    tmux.awaitText("GPUs 3-19 of 20", SOON);
    tmux.press("PageDown");
    tmux.awaitText("GPUs 4-20 of 20", SOON);
    tmux.resize(100, 40);
    tmux.awaitText("\nn1     0  90%", SOON);
    tmux.awaitText("\nn1    19 ", SOON);
    assertTrue(!tmux.screen().contains("of 20:"), tmux::screen);
    tmux.press("p");
    tmux.awaitText("paused", SOON);
    tmux.press("q");
    tmux.awaitText("ended with 0\n icanon", SOON);
    assertTrue(!tmux.screen().contains("MEMORY"), tmux::screen);
  }

  @Test
  void a_wide_terminal_has_curves_of_the_last_minutes() throws IOException {
    open("");
    tmux.awaitText(BAR, SOON);
    tmux.resize(140, 40);
    tmux.awaitText(" TEMP POWER LAST 15 MIN", SOON);
    tmux.awaitText("60W               \u2587", SOON); // of one minute, and the server is young
    tmux.press("q");
    tmux.awaitText("ended with 0\n icanon", SOON);
  }

  @Test
  void keys_show_help_a_jobs_reason_a_users_jobs_and_cancel_after_a_question() throws Exception {
    long id = service.submit("true", "name", "tocancel", "gpus", GPUS);
    open("");
    tmux.awaitText("tocancel", SOON);
    tmux.press("?");
    tmux.awaitText("remuda top: keys", SOON);
    tmux.press("q");
    tmux.awaitText("MEMORY", SOON);
    tmux.press("u");
    tmux.awaitText("jobs of user (empty for all): _", SOON);
    tmux.press("n", "o", "n", "e", "Enter");
    tmux.awaitText("only jobs of none", SOON);
    tmux.awaitText("no jobs", SOON);
    tmux.press("u", "Enter", "/", "t", "o", "c", "Enter");
    tmux.awaitText("only jobs with 'toc'", SOON);
    tmux.press("k");
    tmux.awaitText("choose a job with the arrows first", SOON);
    tmux.press("Tab", "l");
    tmux.awaitText("job " + id + " tocancel of ", SOON);
    tmux.awaitText("GPUs free, wanted 20", SOON);
    tmux.press("q", "k");
    tmux.awaitText("cancel job " + id + "? y or n", SOON);
    tmux.press("n");
    tmux.awaitText("job " + id + " goes on", SOON);
    tmux.press("k", "y");
    tmux.awaitText("job " + id + " is cancelled", SOON);
    service.awaitState(id, "cancelled");
    tmux.press("q");
    tmux.awaitText("ended with 0\n icanon", SOON);
  }

  @Test
  void ctrl_c_ends_it_and_no_color_is_obeyed() throws IOException {
    open("NO_COLOR=1", "--delay", "0.2");
    tmux.awaitText(BAR, SOON);
    assertTrue(tmux.coloured().indexOf('\u001b') < 0, tmux::coloured);
    tmux.press("C-c");
    tmux.awaitText("ended with 130\n icanon", SOON);
  }

  @Test
  void sigterm_leaves_the_terminal_as_it_was() throws Exception {
    open("");
    tmux.awaitText("MEMORY", SOON);
    service.members().stream()
        .filter(member -> member.commandLine().contains(" top"))
        .forEach(member -> member.signal("TERM"));
    tmux.awaitText("ended with 143\n icanon", SOON);
  }

  @Test
  void a_server_that_is_away_is_waited_for() throws Exception {
    open("", "--delay", "0.2");
    tmux.awaitText("MEMORY", SOON);
    service.end();
    tmux.awaitText("no server answers", SOON);
    service.serve("--no-agent");
    service.awaitNode("n1", "ready");
    tmux.awaitText("1 node  20 GPUs", SOON);
    tmux.awaitText(BAR, SOON);
    tmux.press("q");
    tmux.awaitText("ended with 0", SOON);
  }

  @Test
  void without_a_server_it_says_so() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("none"));
    Result printed = service.cli(Map.of("REMUDA_HOME", empty.toString()), "top");
    assertEquals(3, printed.code(), printed::out);
    assertTrue(printed.err().contains("no server has been started"), printed::err);
  }

  @Test
  void a_delay_that_makes_no_sense_is_refused() throws IOException {
    assertEquals(2, service.cli("top", "-d", "0").code());
  }
}
