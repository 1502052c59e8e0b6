package io.remuda.coordinator.cli.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of jobs as users submit them. */
class JobFileReaderIT {
  @TempDir private static Path shared;
  private static Cluster service;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), shared.resolve("h"), Map.of());
    service.serve("--simulate-gpus", "h200:1");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private Result submit(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("jobs.yaml"), text);
    return service.cli(Map.of("COLOUR", "red"), "submit", file.toString());
  }

  private void assertRefused(String complaint, String text) throws IOException {
    int before = service.client().get("/jobs?all").path("jobs").size();
    Result refused = submit(text);
    assertEquals(new Result(2, "", complaint + "\n"), refused);
    assertEquals(before, service.client().get("/jobs?all").path("jobs").size());
  }

  @Test
  void jobs_of_a_file_find_the_shell_and_the_folder_of_the_file() throws Exception {
    List<String> ids =
        submit(
                """
                jobs:
                - {name: first, shell: 'echo $COLOUR > made'}
                - {shell: 'cat made; pwd', after: [first]}
                """)
            .out()
            .lines()
            .toList();
    assertEquals(2, ids.size());
    assertEquals(0, service.cli("wait", ids.get(1)).code());
    assertEquals("red\n" + folder + "\n", service.log(Long.parseLong(ids.get(1)), 0, "out"));
  }

  @Test
  void of_a_file_with_a_job_that_the_server_refuses_nothing_is_submitted_and_the_job_is_named()
      throws IOException {
    String text = "jobs: [{shell: x}, {name: train, shell: x, %s}]";
    assertRefused(
        "remuda: job number 2, 'train': after 7777:ok: there is no such job",
        String.format(text, "after: [7777]"));
    Result large = submit(String.format(text, "gpus: 2"));
    assertEquals(2, large.code());
    assertTrue(
        large.err().startsWith("remuda: job number 2, 'train': no node can ever run this"),
        large.err());
  }

  @Test
  void jobs_on_stdin_have_the_shells_folder() throws Exception {
    for (String way :
        List.of(
            "echo 'shell: pwd' | remuda submit -f -", "remuda submit -f - <<E\nshell: pwd\nE")) {
      Result sent = service.tool("dash", folder, Map.of("WAY", way), "sh", "-c", "eval \"$WAY\"");
      assertEquals(0, sent.code(), sent::toString);
      assertEquals(0, service.cli("wait", sent.out().strip()).code());
      assertEquals(folder + "\n", service.log(Long.parseLong(sent.out().strip()), 0, "out"));
    }
  }
}
