package io.remuda.agent.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.settings.AgentSettings.EndsWith;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How an agent's program ends, by itself or by a signal, and what it leaves on its node. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe is not interrupted
class AgentShutdownTest {
  private static final int KILLED = 128 + 9;
  private static final int TERMINATED = 128 + 15;
  private static final long LONG_GRACE = 60_000;

  /** A keeper that is gone, since there is no such process. */
  private static final String LOST_KEEPER = "99999999.1";

  @TempDir private Path temporary;
  private Path folder;
  private Process leftover;
  private Process program;
  private BufferedReader said;

  @BeforeEach
  void aTaskHasLeftAProcess() throws IOException {
    folder = Files.createDirectories(temporary.resolve("step"));
    Files.writeString(folder.resolve("agent.log"), "hello");
    ProcessBuilder sleep = new ProcessBuilder("sleep", "600");
    sleep.environment().put("REMUDA_TASK_KEY", run() + "/n1/1.0.1");
    sleep.environment().put("REMUDA_KEEPER", LOST_KEEPER);
    leftover = sleep.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    leftover.destroyForcibly().waitFor();
    program.destroyForcibly().waitFor();
  }

  /** No other run on this machine has this name. */
  private String run() {
    return temporary.getFileName().toString();
  }

  /** Starts the program, and returns once it waits for its end. */
  private void start(EndsWith tie, long graceMillis, boolean stays, boolean server)
      throws IOException {
    program =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                AgentEndProgram.class.getName(),
                folder.toString(),
                run(),
                tie.name(),
                Long.toString(graceMillis),
                Boolean.toString(stays),
                Boolean.toString(server))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    said = program.inputReader();
    assertEquals("waits", said.readLine());
  }

  private void signal(String name) throws Exception {
    String pid = Long.toString(program.pid());
    assertEquals(0, new ProcessBuilder("kill", "-s", name, pid).start().waitFor());
  }

  /**
   * Returns whether these tests were started so that a signal is ignored, which Java then ignores,
   * too: HUP behind nohup, INT in the background of a shell.
   */
  private static boolean isIgnored(int signal) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String mask = lines.filter(line -> line.startsWith("SigIgn:")).findFirst().orElseThrow();
      return (Long.parseUnsignedLong(mask.substring(7).strip(), 16) >> signal - 1 & 1) == 1;
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  private List<String> rest() {
    return said.lines().toList();
  }

  @Test
  void when_its_run_has_ended_nothing_of_it_is_left_on_the_node() throws Exception {
    start(EndsWith.RUN, LONG_GRACE, false, false);
    program.getOutputStream().close();
    assertEquals(List.of("over"), rest());
    assertEquals(0, program.waitFor());
    assertTrue(leftover.waitFor(60, TimeUnit.SECONDS), "it lives");
    assertEquals(KILLED, leftover.exitValue());
    assertFalse(Files.exists(folder));
  }

  @Test
  void one_that_a_person_started_ends_no_process_of_a_task_which_the_next_adopts()
      throws Exception {
    start(EndsWith.NONE, LONG_GRACE, false, false);
    program.getOutputStream().close();
    assertEquals(List.of("over"), rest());
    assertTrue(leftover.isAlive());
  }

  @Test
  void a_sigterm_asks_the_agent_to_leave_and_the_node_is_clean_when_it_has() throws Exception {
    start(EndsWith.RUN, LONG_GRACE, false, false);
    signal("TERM");
    assertEquals("told to leave: signal", said.readLine());
    assertEquals(TERMINATED, program.waitFor());
    assertTrue(leftover.waitFor(60, TimeUnit.SECONDS), "it lives");
    assertFalse(Files.exists(folder));
  }

  @Test
  void one_that_does_not_leave_within_its_grace_and_two_seconds_is_not_waited_for()
      throws Exception {
    start(EndsWith.RUN, 1, true, false);
    long before = System.nanoTime();
    signal("TERM");
    assertEquals(TERMINATED, program.waitFor());
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
    assertTrue(millis >= 2000, "it had " + millis + " ms");
    assertEquals(List.of("told to leave: signal"), rest());
    assertTrue(leftover.isAlive(), "the agent may still know what to do with it");
  }

  @Test
  void where_a_server_orders_the_end_a_signal_is_told_to_it_and_ends_nothing() throws Exception {
    start(EndsWith.RUN, LONG_GRACE, false, true);
    Map<String, Integer> signals = new LinkedHashMap<>(Map.of("TERM", 15, "INT", 2, "HUP", 1));
    signals.put("USR1", 10);
    signals.values().removeIf(AgentShutdownTest::isIgnored);
    for (String name : signals.keySet()) {
      signal(name);
      assertEquals("told to await an order: signal", said.readLine(), name);
    }
    assertTrue(program.isAlive());
    program.getOutputStream().close();
    assertEquals(List.of("over"), rest());
    assertEquals(0, program.waitFor());
  }
}
