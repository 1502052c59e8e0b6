package io.remuda.coordinator.ensemble;

import static io.remuda.coordinator.ensemble.RunLines.TICKS;
import static io.remuda.coordinator.ensemble.RunLines.assertEachNodeReportsOncePerTick;
import static io.remuda.coordinator.ensemble.RunLines.awaitSamplesAfter;
import static io.remuda.coordinator.ensemble.RunLines.isTelemetry;
import static io.remuda.coordinator.ensemble.RunLines.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EnsembleProcess.Line;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the GPU driver's faults do to a run. */
@Tag("slow")
class EnsembleDriverIT extends WithEnsemble {
  @Test
  void gpus_that_fail_in_the_middle_delay_nothing() throws IOException {
    SimulatedDriver driver = driver().says("gpus 4", "gpu 0 util 5");
    EnsembleProcess run = startHeld(driver.environment(), "--epochs=1");
    run.awaitLine("a first sample", line -> line.endsWith("utilization: 5.00%"), START);
    driver.says("gpus 4", "gpu 0 util 50", "gpu 1 hang", "gpu 2 lost", "gpu 3 gone");
    Line fresh = run.awaitLine("GPU 0", line -> line.endsWith("utilization: 50.00%"), TICKS);
    awaitSamplesAfter(run, fresh);
    release(run);
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEachNodeReportsOncePerTick(run, List.of(machine));
    assertTrue(
        run.lines().stream()
            .filter(line -> line.millis() > fresh.millis() && isTelemetry(line.text()))
            .allMatch(line -> line.text().endsWith("utilization: 50.00%")),
        run::describe);
    assertEquals(List.of("0.5", "1.5"), rates(run.out()), run::describe);
    run.awaitNothingLeft(SWEPT);
  }

  @Test
  void without_cuda_no_gpu_is_taken_and_the_loss_of_the_only_one_leaves_the_cpu_lines()
      throws IOException {
    SimulatedDriver driver = driver().says("gpus 1", "gpu 0 util 5");
    EnsembleProcess run = startHeld(driver.environment(), "--epochs=1", "--no-cuda");
    run.awaitLine("a first sample", line -> line.endsWith("utilization: 5.00%"), START);
    driver.says("gpus 1", "gpu 0 hang");
    awaitSamplesAfter(
        run, run.awaitLine("no value", line -> line.endsWith("utilization: n/a"), TICKS));
    release(run);
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEquals(Set.of(), devices(run.events().moves()), run::describe);
    assertEachNodeReportsOncePerTick(run, List.of(machine));
  }
}
