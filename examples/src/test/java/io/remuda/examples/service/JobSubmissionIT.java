package io.remuda.examples.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.examples.ExampleProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class JobSubmissionIT {

  @TempDir private Path folder;

  private ExampleProcess run(String line) throws Exception {
    Map<String, String> home = Map.of("REMUDA_HOME", folder.resolve("h").toString());
    return ExampleProcess.run(folder, List.of(), home, JobSubmission.class, "sh", "-c", line);
  }

  @Test
  void the_output_and_the_exit_code_of_the_job_are_those_of_the_example() throws Exception {
    try (Cluster service = new Cluster(Installation.find(), folder.resolve("h"), Map.of())) {
      service.serve();
      ExampleProcess good = run("echo trained; echo warned >&2");
      ExampleProcess bad = run("exit 7");

      assertEquals("trained\n", good.out(), good::toString);
      assertTrue(good.err().contains("warned\n"), good::toString);
      assertEquals(0, good.code(), good::toString);
      assertEquals(7, bad.code(), bad::toString);
    }
  }

  @Test
  void without_a_server_the_example_says_what_to_do() throws Exception {
    ExampleProcess run = run("true");

    assertEquals(1, run.code(), run::toString);
    assertTrue(run.err().contains("start one with remuda serve"), run::toString);
  }
}
