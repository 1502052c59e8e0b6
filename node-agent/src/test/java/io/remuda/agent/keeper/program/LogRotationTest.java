package io.remuda.agent.keeper.program;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
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
    LogRotation rotation = new LogRotation(log, 3, 5);
    try (OutputStream writer =
        Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      append(writer, "12345");
      assertFalse(rotation.rotate());
      for (int round = 1; round <= 5; round++) {
        append(writer, "round " + round);
        assertTrue(rotation.rotate());
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
    assertFalse(new LogRotation(folder.resolve("serve.log"), 3, 5).rotate());
  }

  @Test
  void no_line_is_lost_or_doubled_by_the_turns_of_a_log() throws IOException {
    Path log = folder.resolve("agent.log");
    StringBuilder all = new StringBuilder();
    StringBuilder kept = new StringBuilder();
    try (OutputStream file =
            Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        PrintStream out =
            new PrintStream(
                new NonblockingOutputStream(file, 10_000, new LogRotation(log, 100, 50)), true)) {
      for (int line = 0; line < 100; line++) {
        out.println("line " + line);
        all.append("line ").append(line).append('\n');
      }
      await().until(() -> Files.readString(log).endsWith("line 99\n"));
    }
    for (int number = 100; number > 0; number--) {
      Path old = folder.resolve("agent.log." + number);
      kept.append(Files.exists(old) ? Files.readString(old) : "");
    }
    assertTrue(kept.length() > 0, "it was moved aside");
    assertTrue(Files.size(log) < 150, "it has " + Files.size(log) + " bytes");
    assertEquals(all.toString(), kept + Files.readString(log));
  }

  @Test
  void a_draft_that_a_crash_has_left_is_in_nobodys_way() throws IOException {
    Path log = Files.writeString(folder.resolve("agent.log"), "123456");
    Files.writeString(folder.resolve("agent.log.new"), "half");
    assertTrue(new LogRotation(log, 1, 5).rotate());
    assertEquals("123456", Files.readString(folder.resolve("agent.log.1")));
    assertFalse(Files.exists(folder.resolve("agent.log.new")));
  }
}
