package io.remuda.coordinator.cli.background;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRotationTest {

  @TempDir private Path folder;

  private void append(OutputStream log, String text) throws IOException {
    log.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_log_beyond_its_size_goes_aside_and_its_writer_writes_on_in_the_emptied_file()
      throws IOException {
    Path log = folder.resolve("serve.log");
    try (OutputStream writer =
        Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      append(writer, "12345");
      assertFalse(LogRotation.rotate(log, 5));
      for (int round = 1; round <= 5; round++) {
        append(writer, "round " + round);
        assertTrue(LogRotation.rotate(log, 5));
        append(writer, "");
      }
      append(writer, "now");
    }
    assertEquals("now", Files.readString(log));
    assertEquals("round 5", Files.readString(folder.resolve("serve.log.1")));
    assertEquals("round 3", Files.readString(folder.resolve("serve.log.3")));
    assertFalse(Files.exists(folder.resolve("serve.log.4")));
    assertEquals(
        "rw-------",
        java.nio.file.attribute.PosixFilePermissions.toString(
            Files.getPosixFilePermissions(folder.resolve("serve.log.1"))));
  }

  @Test
  void no_log_is_no_fault() throws IOException {
    assertFalse(LogRotation.rotate(folder.resolve("serve.log"), 5));
  }
}
