package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastPidReaderTest {
  @TempDir private Path folder;

  @Test
  void it_reads_the_newest_pid_of_this_machine() {
    LastPidReader reader = new LastPidReader();
    assertTrue(reader.getAsInt() > 0);
    assertTrue(reader.getAsInt() > 0);
  }

  @Test
  void a_file_that_could_not_be_read_is_opened_again() throws IOException {
    Path file = folder.resolve("loadavg");
    Files.writeString(file, "");
    LastPidReader reader = new LastPidReader(file.toString());
    assertEquals(-1, reader.getAsInt());
    Path next = folder.resolve("next");
    Files.writeString(next, "0.10 0.20 0.30 1/100 4711\n");
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    assertEquals(4711, reader.getAsInt());
  }
}
