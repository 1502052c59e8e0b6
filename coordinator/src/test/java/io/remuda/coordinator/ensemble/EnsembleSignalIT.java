package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.Member.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals leave nothing of a run. */
@Tag("slow")
class EnsembleSignalIT extends WithEnsemble {
  private static final Duration ENDING = Duration.ofSeconds(90);

  /** With it a run waits for a hung agent. */
  private static final Map<String, String> LONG_END =
      Map.of("JDK_JAVA_OPTIONS", "-Dremuda.coordinator.end-deadline=300s");

  /** Signals within half a second are one request. */
  private static final Duration ANOTHER_REQUEST = Duration.ofMillis(600);

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void a_signal_in_the_middle_ends_all_processes_of_all_nodes(String signal, int code)
      throws IOException {
    EnsembleProcess run = midway(Map.of());
    long asked = run.millis();
    run.coordinator().signal(signal);
    assertEquals(code, run.awaitExit(ENDING), run::describe);
    run.awaitNothingLeft(ENDING);
    long took = run.millis() - asked;
    System.out.println("SIG" + signal + ": nothing left after " + took + " ms");
    assertTrue(took <= ENDING.toMillis(), () -> took + " ms\n" + run.describe());
  }

  @Test
  void a_second_ctrl_c_forces_the_end_while_an_agent_hangs() throws IOException {
    EnsembleProcess run = midway(LONG_END);
    run.members(Role.AGENT).get(0).signal("STOP");
    run.coordinator().signal("INT");
    run.awaitLine("the end", "remuda: ending: SIGINT"::equals, ENDING);
    long begun = run.millis();
    run.await(
        "a signal that counts as another",
        ENDING,
        () -> run.millis() > begun + ANOTHER_REQUEST.toMillis());
    assertTrue(run.isAlive(), run::describe);
    long asked = run.millis();
    run.coordinator().signal("INT");
    assertEquals(130, run.awaitExit(ENDING), run::describe);
    run.awaitNothingLeft(SWEPT);
    System.out.println("second SIGINT: nothing left after " + (run.millis() - asked) + " ms");
  }

  @Test
  void ctrl_c_while_the_nodes_start_leaves_nothing_either() throws IOException {
    EnsembleProcess run = start(Map.of(), "--nodes=2", "--epochs=1");
    run.await("an agent", START, () -> !run.members(Role.AGENT).isEmpty());
    long asked = run.millis();
    run.coordinator().signal("INT");
    assertEquals(130, run.awaitExit(ENDING), run::describe);
    run.awaitNothingLeft(ENDING);
    long took = run.millis() - asked;
    System.out.println("early SIGINT: nothing left after " + took + " ms");
  }

  /** A long run on two nodes with all of its workers at work. */
  private EnsembleProcess midway(Map<String, String> environment) throws IOException {
    EnsembleProcess run =
        start(
            environment,
            "--nodes=2",
            "--epochs=1000",
            "--scipy-workers=2",
            "--size=512",
            "--mem=64GiB"); // more images than are worked on before an epoch has ended
    run.awaitLine("an epoch", line -> line.contains(": epoch 1/1000"), START);
    run.await("all workers", START, () -> run.members(Role.WORKER).size() == 4);
    assertEquals(2, run.members(Role.AGENT).size(), run::describe);
    assertEquals(2, run.members(Role.KEEPER).size(), run::describe);
    return run;
  }
}
