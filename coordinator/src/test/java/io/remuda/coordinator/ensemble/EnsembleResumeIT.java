package io.remuda.coordinator.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Trainings of a run whose workers are killed go on from their last epoch. */
class EnsembleResumeIT extends WithEnsemble {

  private static final int EPOCHS = 12;

  private static boolean isEpoch(String line) {
    return line.contains(": epoch ") && line.contains("/" + EPOCHS + " ");
  }

  private static List<String> results(EnsembleProcess run) {
    return run.out().stream().filter(line -> line.startsWith("Final test for")).toList();
  }

  @Test
  void killed_workers_cost_an_epoch_and_change_no_result() throws IOException {
    EnsembleProcess calm = start(Map.of(), "--epochs=" + EPOCHS);
    assertEquals(0, calm.awaitExit(WHOLE_RUN), calm::describe);
    EnsembleProcess run = start(Map.of(), "--epochs=" + EPOCHS);
    run.awaitLine("a third epoch", line -> line.contains(": epoch 3/"), WHOLE_RUN);
    run.members(Role.WORKER).forEach(EnsembleResumeIT::kill);
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    run.awaitNothingLeft(SWEPT);
    assertEquals(results(calm), results(run), "to the last digit");
    List<String> epochs = run.err().stream().filter(EnsembleResumeIT::isEpoch).toList();
    List<String> numbers = epochs.stream().map(line -> line.replaceAll(" loss .*", "")).toList();
    assertEquals(numbers.stream().distinct().toList(), numbers, "no epoch is done twice");
    assertTrue(
        run.err().stream().anyMatch(line -> line.contains("continues after epoch ")),
        run::describe);
    try (Stream<Path> left = Files.walk(folder)) {
      assertFalse(left.anyMatch(path -> path.toString().endsWith(".snapshot")), "snapshots");
    }
  }

  private static void kill(Member worker) {
    worker.signal("KILL");
  }
}
