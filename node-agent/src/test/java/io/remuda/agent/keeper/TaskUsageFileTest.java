package io.remuda.agent.keeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of what running tasks use. */
class TaskUsageFileTest {
  @TempDir private Path folder;

  @Test
  void what_was_written_is_read_and_replaced() throws Exception {
    assertEquals(Map.of(), TaskUsageFile.read(folder), "as beside an older keeper");
    Map<String, LiveUse> two =
        Map.of("n/1.0.1", new LiveUse(1, 2, 3, 4), "n/1.1.1-a", new LiveUse(5, 6, 7, 8));
    TaskUsageFile.write(folder, two);
    assertEquals(two, TaskUsageFile.read(folder));
    TaskUsageFile.write(folder, Map.of());
    assertEquals(Map.of(), TaskUsageFile.read(folder));
  }

  @Test
  void a_line_of_another_build_is_left_out_and_no_number_is_a_fault() throws Exception {
    Files.writeString(folder.resolve("use"), "n/1.0.1 1 2 3 4\nn/1.1.1 1 2\n");
    assertEquals(Map.of("n/1.0.1", new LiveUse(1, 2, 3, 4)), TaskUsageFile.read(folder));
    Files.writeString(folder.resolve("use"), "n/1.0.1 1 x 3 4\n");
    assertThrows(IOException.class, () -> TaskUsageFile.read(folder));
  }
}
