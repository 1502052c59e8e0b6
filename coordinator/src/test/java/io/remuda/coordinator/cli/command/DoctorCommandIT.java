package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor as a user meets it. */
class DoctorCommandIT {
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

  /** Runs it where the driver of two simulated GPUs is an old one. */
  private Result doctor(Map<String, String> more, String... options) throws IOException {
    SimulatedDriver driver = SimulatedDriver.in(folder).says("gpus 2", "driver 550.54.14");
    driver.loaded(); // if it runs in this process
    List<String> arguments = new ArrayList<>(List.of("doctor"));
    arguments.addAll(List.of(options));
    try (Cluster none =
        new Cluster(Installation.find(), folder.resolve("home"), driver.environment())) {
      return none.cli(more, arguments.toArray(String[]::new));
    }
  }

  /** Verdicts by subject, from the one line that is printed. */
  private static Map<String, String> verdicts(Result doctor) throws IOException {
    assertEquals(1, doctor.out().lines().count(), doctor::toString);
    Map<String, String> verdicts = new TreeMap<>();
    for (JsonNode finding : new JsonMapper().readTree(doctor.out())) {
      String verdict = finding.get("verdict").asText();
      assertTrue(!finding.get("found").asText().isBlank(), doctor::toString);
      assertEquals(verdict.equals("GOOD"), finding.get("todo").asText().isEmpty());
      verdicts.put(finding.get("subject").asText(), verdict);
    }
    return verdicts;
  }

  @Test
  void warnings_alone_are_exit_code_3_and_json_has_every_finding() throws IOException {
    Result doctor = doctor(Map.of(), "--json");
    assertEquals(3, doctor.code(), doctor::toString);
    Map<String, String> verdicts = verdicts(doctor);
    assertEquals("WARNING", verdicts.get("driver"), doctor::toString);
    for (String good : List.of("java", "libtorch", "gpus", "device locks", "slurm")) {
      assertEquals("GOOD", verdicts.get(good), () -> good + doctor);
    }
    assertEquals(SUBJECTS, verdicts.keySet());
    assertEquals("", doctor.err());
  }

  @Test
  void something_broken_is_exit_code_1_and_the_other_looks_are_taken_nevertheless()
      throws IOException {
    String nowhere = folder.resolve("nowhere").toString();
    Result doctor = doctor(Map.of("MNIST_DIR", nowhere), "--json");
    assertEquals(1, doctor.code(), doctor::toString);
    assertEquals("BROKEN", verdicts(doctor).get("data"), doctor::toString);
    assertEquals(SUBJECTS, verdicts(doctor).keySet());
  }

  @Test
  void for_people_each_finding_is_a_line_with_what_to_do_below() throws IOException {
    Result doctor = doctor(Map.of());
    assertEquals(3, doctor.code(), doctor::toString);
    List<String> lines = doctor.out().lines().toList();
    int driver = lines.indexOf("warning  driver           550.54.14 is older than 580");
    assertTrue(driver >= 0, doctor::toString);
    assertTrue(lines.get(driver + 1).matches(" {26}-> telemetry .*"), doctor::toString);
    assertTrue(lines.get(0).startsWith("good     java             Java "), doctor::toString);
  }
}
