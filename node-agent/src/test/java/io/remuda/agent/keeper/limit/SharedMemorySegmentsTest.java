package io.remuda.agent.keeper.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemorySegmentsTest {

  /** No process has such a pid. */
  private static final int GONE = 99_999_999;

  @TempDir Path folder;

  private Set<String> left(boolean kept, Integer... pids) throws IOException {
    new SharedMemorySegments(folder, kept).remove("a task", Set.of(pids));
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void only_files_that_name_a_process_of_the_task_that_is_gone_are_removed() throws IOException {
    long here = ProcessHandle.current().pid();
    Path data = Files.createDirectory(folder.resolve("torch_" + GONE + "_folder"));
    Files.createSymbolicLink(folder.resolve("torch_" + GONE + "_link"), data);
    Set<String> stay =
        Set.of(
            "torch_" + GONE + "_folder",
            "torch_" + GONE + "_link",
            "torch_" + here + "_1_0",
            "torch_" + (GONE - 1) + "_1_0",
            "torch_" + GONE,
            "torch_x_1",
            "psm_" + GONE);
    for (String name : stay) {
      if (!Files.exists(folder.resolve(name))) {
        Files.createFile(folder.resolve(name));
      }
    }
    Files.createFile(folder.resolve("torch_" + GONE + "_1_0"));
    assertEquals(stay, left(false, GONE, (int) here));
  }

  @Test
  void by_the_setting_everything_stays() throws IOException {
    Files.createFile(folder.resolve("torch_" + GONE + "_1_0"));
    assertEquals(Set.of("torch_" + GONE + "_1_0"), left(true, GONE));
  }

  @Test
  void a_folder_that_cannot_be_read_stops_nothing() throws IOException {
    Path none = folder.resolve("none");
    new SharedMemorySegments(none, false).remove("a task", Set.of(GONE));
    assertEquals(Set.of(), left(false, GONE));
  }
}
