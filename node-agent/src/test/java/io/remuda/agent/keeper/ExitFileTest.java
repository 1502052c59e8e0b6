package io.remuda.agent.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitFileTest {
  private static final ExitRecord CODE =
      new ExitRecord("1/2.0.1", 5, 6, new ExitStatus.Code(3), 1, 2, 3, 4, false, true, 7);

  @TempDir Path folder;

  @Test
  void what_was_written_is_read() throws IOException {
    ExitRecord signal =
        new ExitRecord("k", 5, 6, new ExitStatus.Signal(11, true), 1, 2, 3, 4, true, false, 0);
    ExitFile.write(folder, CODE);
    assertEquals(Optional.of(CODE), ExitFile.read(folder));
    ExitFile.write(folder, signal);
    assertEquals(Optional.of(signal), ExitFile.read(folder));
  }

  @Test
  void no_file_is_no_exit() throws IOException {
    assertEquals(Optional.empty(), ExitFile.read(folder));
  }

  @Test
  void a_file_cut_anywhere_is_no_exit() throws IOException {
    ExitFile.write(folder, CODE);
    String whole = Files.readString(folder.resolve("exit"));
    for (int length = 0; length < whole.length() - 1; length++) {
      Files.writeString(folder.resolve("exit"), whole.substring(0, length));
      assertEquals(Optional.empty(), ExitFile.read(folder));
    }
  }

  @Test
  void a_newer_version_is_an_error() throws IOException {
    Files.writeString(folder.resolve("exit"), "version=2\nend=1\n");
    assertThrows(IOException.class, () -> ExitFile.read(folder));
  }

  @Test
  void a_wait_status_is_a_code_or_a_signal() {
    assertEquals(new ExitStatus.Code(7), ExitStatus.ofWaitStatus(7 << 8));
    assertEquals(new ExitStatus.Signal(9, false), ExitStatus.ofWaitStatus(9));
    assertEquals(new ExitStatus.Signal(11, true), ExitStatus.ofWaitStatus(11 | 0x80));
  }
}
