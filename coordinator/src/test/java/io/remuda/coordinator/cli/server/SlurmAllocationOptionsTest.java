package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmAllocationOptionsTest {
  @TempDir private Path folder;

  private Optional<String> note(String hosts) throws IOException {
    Path file = Files.writeString(folder.resolve("nodes"), hosts);
    return SlurmAllocationOptions.pbsNote(Map.of("PBS_NODEFILE", file.toString()));
  }

  @Test
  void in_a_pbs_job_of_several_machines_it_is_said_that_only_this_one_has_an_agent()
      throws IOException {
    String note = note("n1\nn1\nn2\n").orElseThrow();
    assertTrue(note.startsWith("in a PBS job of 2 machines, and only this one has an agent"), note);
    assertEquals(Optional.empty(), note("n1\nn1\n"));
  }

  @Test
  void outside_of_pbs_nothing_is_said() {
    assertEquals(Optional.empty(), SlurmAllocationOptions.pbsNote(Map.of()));
    assertEquals(
        Optional.empty(), SlurmAllocationOptions.pbsNote(Map.of("PBS_NODEFILE", "/no/such/file")));
  }
}
