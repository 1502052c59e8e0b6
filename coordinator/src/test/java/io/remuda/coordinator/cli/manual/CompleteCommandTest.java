package io.remuda.coordinator.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.cli.command.RootCommand;
import io.remuda.coordinator.cli.server.WithComplaints;
import java.io.IOException;
import java.nio.file.Files;
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
  void without_a_server_it_says_nothing_and_starts_none() {
    assertEquals(0, RootCommand.execute(new String[] {"complete", "jobs"}));
    assertEquals("", complaint());
    assertFalse(Files.exists(folder.resolve("serve.lock")));
  }
}
