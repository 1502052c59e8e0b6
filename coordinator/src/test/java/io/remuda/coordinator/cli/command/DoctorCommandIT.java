package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.EnsembleProcess;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor as a user meets it. */
class DoctorCommandIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Set<String> SUBJECTS =
      Set.of(
          "java",
          "cpus",
          "memory",
          "clock",
          "state",
          "cache",
          "code in the cache",
          "device locks",
          "gpus",
          "driver",
          "libtorch",
          "cuda",
          "data",
          "ports",
          "slurm",
          "trainings");

  @TempDir private Path folder;
  private final Installation installation = Installation.find();
  private final List<EnsembleProcess> started = new ArrayList<>();

  @AfterEach
  void leaveNothing() {
    started.forEach(EnsembleProcess::close);
  }

  private EnsembleProcess doctor(Map<String, String> more, String... options) {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 2", "driver 550.54.14");
    Map<String, String> environment = new HashMap<>(driver.environment());
    environment.put("REMUDA_DEVICE_LOCKS", folder.resolve("locks").toString());
    environment.putAll(more);
    List<String> arguments = new ArrayList<>(List.of("doctor"));
    arguments.addAll(List.of(options));
    EnsembleProcess process =
        EnsembleProcess.start(installation, folder.resolve("home"), environment, arguments);
    started.add(process);
    return process;
  }

  /** Verdicts by subject, from the one line that is printed. */
  private static Map<String, String> verdicts(EnsembleProcess doctor) throws IOException {
    assertEquals(1, doctor.out().size(), doctor::describe);
    Map<String, String> verdicts = new TreeMap<>();
    for (JsonNode finding : new JsonMapper().readTree(doctor.out().get(0))) {
      String verdict = finding.get("verdict").asText();
      assertTrue(!finding.get("found").asText().isBlank(), doctor::describe);
      assertEquals(verdict.equals("GOOD"), finding.get("todo").asText().isEmpty());
      verdicts.put(finding.get("subject").asText(), verdict);
    }
    return verdicts;
  }

  @Test
  void warnings_alone_are_exit_code_3_and_json_has_every_finding() throws IOException {
    EnsembleProcess doctor = doctor(Map.of(), "--json");
    assertEquals(3, doctor.awaitExit(LIMIT), doctor::describe);
    Map<String, String> verdicts = verdicts(doctor);
    assertEquals("WARNING", verdicts.get("driver"), doctor::describe);
    for (String good : List.of("java", "libtorch", "gpus", "device locks", "slurm")) {
      assertEquals("GOOD", verdicts.get(good), () -> good + doctor.describe());
    }
    assertEquals(SUBJECTS, verdicts.keySet());
    assertEquals(List.of(), doctor.err());
  }

  @Test
  void something_broken_is_exit_code_1_and_the_other_looks_are_taken_nevertheless()
      throws IOException {
    String nowhere = folder.resolve("nowhere").toString();
    EnsembleProcess doctor = doctor(Map.of("MNIST_DIR", nowhere), "--json");
    assertEquals(1, doctor.awaitExit(LIMIT), doctor::describe);
    assertEquals("BROKEN", verdicts(doctor).get("data"), doctor::describe);
    assertEquals(SUBJECTS, verdicts(doctor).keySet());
  }

  @Test
  void for_people_each_finding_is_a_line_with_what_to_do_below() {
    EnsembleProcess doctor = doctor(Map.of());
    assertEquals(3, doctor.awaitExit(LIMIT), doctor::describe);
    int driver = doctor.out().indexOf("warning  driver           550.54.14 is older than 580");
    assertTrue(driver >= 0, doctor::describe);
    assertTrue(doctor.out().get(driver + 1).matches(" {26}-> telemetry .*"), doctor::describe);
    assertTrue(doctor.out().get(0).startsWith("good     java             Java "), doctor::describe);
  }
}
