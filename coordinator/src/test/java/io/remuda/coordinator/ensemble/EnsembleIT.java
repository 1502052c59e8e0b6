package io.remuda.coordinator.ensemble;

import static io.remuda.coordinator.ensemble.RunLines.assertEachNodeReportsOncePerTick;
import static io.remuda.coordinator.ensemble.RunLines.assertTelemetryIsBetween;
import static io.remuda.coordinator.ensemble.RunLines.assertUtilisationTurns;
import static io.remuda.coordinator.ensemble.RunLines.isTelemetry;
import static io.remuda.coordinator.ensemble.RunLines.rates;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.report.HtmlFile;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.EventLogFile;
import io.remuda.coordinator.testkit.EventLogFile.Move;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The main job: what it prints, where its workers run and what they use. */
class EnsembleIT extends WithEnsemble {
  /** The number of the convolutions' job. */
  private static final int SCIPY = 2;

  private static final int EPOCHS = 12;

  private static EnsembleProcess calm;
  private static EnsembleProcess killed;

  /** A run of one node whose driver does not open and whose workers are left alone, at its end. */
  private EnsembleProcess calm() throws IOException {
    if (calm == null) {
      calm = start(driver().says("gpus 2", "hang init").environment(), "--epochs=" + EPOCHS);
      assertEquals(0, calm.awaitExit(WHOLE_RUN), calm::describe);
    }
    return calm;
  }

  /** The same with two GPUs and an old driver; all workers were killed once. */
  private EnsembleProcess killed() throws IOException {
    if (killed == null) {
      SimulatedDriver driver = driver().says("gpus 2", "gpu 0 util 23");
      killed = start(driver.environmentOfOldDriver(), "--epochs=" + EPOCHS);
      killed.awaitLine("a third epoch", line -> line.contains(": epoch 3/"), WHOLE_RUN);
      killed.members(Role.WORKER).forEach(worker -> worker.signal("KILL"));
      assertEquals(0, killed.awaitExit(WHOLE_RUN), killed::describe);
    }
    return killed;
  }

  @Test
  void one_node_prints_the_lines_of_the_example_in_their_order() throws IOException {
    EnsembleProcess run = calm();
    run.awaitNothingLeft(SWEPT);
    List<String> plain = run.out().stream().filter(line -> !isTelemetry(line)).toList();
    assertEquals(
        List.of(
            "Hello from main process " + machine + ".",
            "using dragon runtime",
            "Number of nodes: 1",
            "Number of scipy workers: 2",
            "Number of MNIST workers: 2",
            "This is the postprocessing process, " + machine + ".",
            "Number of images: 40",
            "This is a telemetry process on node " + machine + ".",
            "Launching scipy and mnist jobs",
            "Shutting down procs",
            "Telemetry process on node " + machine + " exiting ...",
            "Post process is exiting"),
        plain.subList(0, plain.size() - 2),
        run::describe);
    assertEquals(List.of("0.5", "1.5"), rates(plain.subList(plain.size() - 2, plain.size())));
    assertTelemetryIsBetween("Launching scipy and mnist jobs", "Telemetry process on node", run);
  }

  /** One that refuses instead is a test of the telemetry module. */
  @Test
  void a_driver_that_does_not_open_leaves_the_cpu_lines() throws IOException {
    EnsembleProcess run = calm();
    assertEachNodeReportsOncePerTick(run, List.of(machine));
    assertTrue(run.out().stream().noneMatch(line -> line.contains(" device # ")), run::describe);
    assertEquals(List.of("0.5", "1.5"), rates(run.out()), run::describe);
    run.awaitNothingLeft(SWEPT);
  }

  @Test
  void an_old_driver_is_good_enough() throws IOException {
    EnsembleProcess run = killed();
    assertUtilisationTurns(run, List.of(machine), "23.00%");
    assertEquals(2, devices(run.events().placements(MNIST)).size(), run::describe);
  }

  @Test
  void a_json_report_is_alone_on_stdout_and_simulated_gpus_are_lent() throws IOException {
    Path file = folder.resolve("json.html");
    EnsembleProcess run =
        start(Map.of(), "--epochs=1", "--json", "--simulate-gpus=h200:8", "--report=" + file);
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertEquals(1, run.out().size(), run::describe);
    JsonNode report = new JsonMapper().readTree(run.out().get(0));
    assertEquals(2, report.get("mnist").size(), run::describe);
    assertEquals(1.5, report.get("mnist").get(1).get("learningRate").asDouble());
    assertEquals(40, report.get("scipy").get("done").asInt());
    assertTrue(run.err().contains("Hello from main process " + machine + "."), run::describe);
    assertTrue(run.err().stream().anyMatch(line -> line.contains(" device # 0 util")));
    assertEquals(2, devices(run.events().placements(MNIST)).size(), run::describe);
    run.events().assertNoDeviceHeldTwice();
    run.awaitNothingLeft(SWEPT);
    HtmlFile html = HtmlFile.of(Files.readString(file));
    assertTrue(html.text("dd").contains("all succeeded"), html.text("dd"));
    assertTrue(html.text("pre").contains("Final test for learning rate 1.5"), html.text("pre"));
    assertTrue(html.text("title").contains(" on " + machine + ", succeeded"), html.text("title"));
    assertTrue(html.text("text").contains("GPU utilization"), html.text("text"));
    assertTrue(html.text("text").contains(machine + ":0"), html.text("text"));
  }

  @Test
  void an_interrupted_run_writes_its_report() throws IOException {
    Path file = folder.resolve("interrupted.html");
    EnsembleProcess run = startHeld(Map.of(), "--simulate-gpus=h200:2", "--report=" + file);
    release(run);
    run.coordinator().signal("INT");
    int code = run.awaitExit(WHOLE_RUN);
    HtmlFile html = HtmlFile.of(Files.readString(file));
    assertTrue(html.text("dd").contains(code + "\ninterrupted"), html.text("dd"));
    assertTrue(html.text("h2").contains("Node " + machine), html.text("h2"));
    run.awaitNothingLeft(SWEPT);
  }

  @Test
  void six_trainings_go_round_three_nodes_that_share_two_gpus() throws IOException {
    SimulatedDriver driver = driver().says("gpus 2", "gpu 0 util 37", "gpu 1 util 11");
    EnsembleProcess run =
        start(
            driver.environment(),
            "--nodes=3",
            "--mnist-workers=6",
            "--scipy-workers=3",
            "--epochs=1");
    run.awaitLine("a first result", line -> line.contains(": epoch 1/1"), WHOLE_RUN);
    driver.says("gpus 2", "gpu 0 util 82", "gpu 1 util 11");
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    run.awaitNothingLeft(SWEPT);

    List<String> nodes = List.of(machine + "-1", machine + "-2", machine + "-3");
    assertEachNodeReportsOncePerTick(run, nodes);
    assertUtilisationTurns(run, nodes, "37.00%", "82.00%");
    EventLogFile events = run.events();
    assertEquals(nodes, events.placements(SCIPY).stream().map(Move::node).toList());
    List<String> twice = new ArrayList<>(nodes);
    twice.addAll(nodes);
    assertEquals(twice, events.placements(MNIST).stream().map(Move::node).toList());
    assertEquals(2, devices(events.placements(MNIST)).size(), run::describe);
    events.assertNoDeviceHeldTwice();
    assertEquals(
        List.of("0.5", "0.7", "0.9", "1.1", "1.3", "1.5"), rates(run.out()), run::describe);
  }

  @Test
  void two_runs_at_once_never_use_a_gpu_together() throws IOException {
    SimulatedDriver driver = driver().says("gpus 2");
    Map<String, String> environment = new HashMap<>(driver.environment());
    environment.put("REMUDA_DEVICE_LOCKS", folder.resolve("common-locks").toString());
    List<EnsembleProcess> runs =
        List.of(start(environment, "--epochs=1"), start(environment, "--epochs=1"));
    Set<String> used = new HashSet<>();
    runs.get(0)
        .await(
            "both runs at their end",
            WHOLE_RUN.multipliedBy(2),
            () -> {
              used.addAll(devicesInUse(runs));
              return runs.stream().noneMatch(EnsembleProcess::isAlive);
            });
    for (EnsembleProcess run : runs) {
      assertEquals(0, run.awaitExit(SWEPT), run::describe);
      assertEquals(List.of("0.5", "1.5"), rates(run.out()));
      run.events().assertNoDeviceHeldTwice();
    }
    assertEquals(2, used.size(), "devices seen in use: " + used);
  }

  @Test
  void the_rehearsal_by_which_class_archives_are_made_is_a_run_that_succeeds() {
    EnsembleProcess run = launch(Map.of(), List.of("--rehearse"));
    assertEquals(0, run.awaitExit(WHOLE_RUN), run::describe);
    assertTrue(run.out().contains("Number of images: 1"), run::describe);
  }

  private static boolean isEpoch(String line) {
    return line.contains(": epoch ") && line.contains("/" + EPOCHS + " ");
  }

  private static List<String> results(EnsembleProcess run) {
    return run.out().stream().filter(line -> line.startsWith("Final test for")).toList();
  }

  @Test
  void killed_workers_cost_an_epoch_and_change_no_result() throws IOException {
    EnsembleProcess run = killed();
    run.awaitNothingLeft(SWEPT);
    assertEquals(results(calm()), results(run), "to the last digit");
    List<String> epochs = run.err().stream().filter(EnsembleIT::isEpoch).toList();
    List<String> numbers = epochs.stream().map(line -> line.replaceAll(" loss .*", "")).toList();
    assertEquals(numbers.stream().distinct().toList(), numbers, "no epoch is done twice");
    assertTrue(
        run.err().stream().anyMatch(line -> line.contains("continues after epoch ")),
        run::describe);
    try (Stream<Path> left = Files.walk(folder)) {
      assertFalse(left.anyMatch(path -> path.toString().endsWith(".snapshot")), "snapshots");
    }
  }

  /** Fails if two living workers have the same device. */
  private static Set<String> devicesInUse(List<EnsembleProcess> runs) {
    Map<String, Member> holders = new HashMap<>();
    for (EnsembleProcess run : runs) {
      for (Member worker : run.members(Role.WORKER)) {
        String device = worker.variable("REMUDA_DEVICES").orElse("");
        Member other = device.isEmpty() ? null : holders.put(device, worker);
        boolean both = other != null && other.variable("REMUDA_DEVICES").isPresent();
        assertFalse(both, () -> device + " is used by " + other + " and " + worker);
      }
    }
    return holders.keySet();
  }
}
