package io.remuda.coordinator.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.cli.server.WithComplaints;
import io.remuda.coordinator.testkit.StandingServer;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompleteCommandTest extends WithComplaints {

  private static String words(String jobs) throws IOException {
    return String.join(
        " ", CompleteCommand.jobs(new ObjectMapper().readTree(jobs), List.of("last")));
  }

  @Test
  void jobs_are_known_by_number_and_by_names_that_need_no_quotes() throws IOException {
    assertEquals(
        "3 2 1 train last",
        words(
            "[{\"id\":3,\"name\":\"train\"},{\"id\":2,\"name\":\"$(reboot)\"},"
                + "{\"id\":1,\"name\":\"train\"}]"));
    assertEquals("4 last", words("[{\"id\":4,\"name\":\"12\"}]"));
    assertEquals("", words("[]"));
  }

  @Test
  void a_server_that_stands_still_keeps_the_shell_only_for_seconds() throws Exception {
    try (StandingServer still = StandingServer.after()) {
      String rest = "http://127.0.0.1:" + still.port();
      new ServerAccessFile(1, null, null, null, rest, null, true, "ann", "token")
          .write(folder.resolve(ServerAccessFile.FILE));
      long begin = System.nanoTime();
      assertEquals(0, RootCommand.execute(new String[] {"complete", "jobs"}));
      assertEquals("", complaint());
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(20).toNanos());
    }
  }

  @Test
  void without_a_server_it_says_nothing_and_starts_none() {
    assertEquals(0, RootCommand.execute(new String[] {"complete", "jobs"}));
    assertEquals("", complaint());
    assertFalse(Files.exists(folder.resolve("serve.lock")));
  }
}
