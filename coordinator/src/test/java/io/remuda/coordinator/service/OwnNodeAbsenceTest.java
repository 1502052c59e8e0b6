package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnNodeAbsenceTest {

  @TempDir private Path nodes;

  @Test
  void the_last_line_of_the_agents_log_says_why_it_has_not_joined() throws IOException {
    Path folder = Files.createDirectory(nodes.resolve("vm"));
    OwnNodeAbsence absence = new OwnNodeAbsence(Optional.of(folder));
    assertEquals(Optional.empty(), absence.reason(), "it has not begun");
    Files.writeString(folder.resolve("agent.log"), "hello\nno coordinator: refused\n\tat x\n\n");
    assertEquals(
        Optional.of(
            "node vm has not joined; the last line of "
                + folder.resolve("agent.log")
                + ": no coordinator: refused"),
        absence.reason());
    assertEquals(Optional.empty(), absence.foreseen());
  }

  @Test
  void a_server_without_a_node_of_its_own_misses_none() {
    assertEquals(Optional.empty(), new OwnNodeAbsence(Optional.empty()).reason());
  }
}
