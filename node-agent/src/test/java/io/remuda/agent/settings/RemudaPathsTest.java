package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemudaPathsTest {
  private static final Path HOME = Path.of("/home/ann");

  @TempDir private Path folder;

  @Test
  void without_a_word_they_are_in_the_home_folder() {
    assertEquals(
        new RemudaPaths(Path.of("/home/ann/.remuda"), Path.of("/home/ann/.cache/remuda")),
        RemudaPaths.of(Map.of(), HOME));
  }

  @Test
  void the_environment_may_put_them_elsewhere() {
    assertEquals(
        new RemudaPaths(Path.of("/s"), Path.of("/c")),
        RemudaPaths.of(
            Map.of("REMUDA_HOME", "/s", "REMUDA_CACHE", "/c", "XDG_CACHE_HOME", "/x"), HOME));
    assertEquals(
        Path.of("/x/remuda"), RemudaPaths.of(Map.of("XDG_CACHE_HOME", "/x"), HOME).cache());
  }

  @Test
  void an_empty_variable_counts_for_nothing_and_a_relative_one_becomes_absolute() {
    assertEquals(
        RemudaPaths.of(Map.of(), HOME),
        RemudaPaths.of(Map.of("REMUDA_HOME", "", "REMUDA_CACHE", " "), HOME));
    assertEquals(
        Path.of("here").toAbsolutePath(),
        RemudaPaths.of(Map.of("REMUDA_HOME", "here"), HOME).state());
  }

  @Test
  void they_are_made_for_their_owner_only_and_nothing_is_left_in_them() throws IOException {
    RemudaPaths paths = new RemudaPaths(folder.resolve("a/state"), folder.resolve("b/cache"));
    paths.check();
    paths.check();
    for (Path made : List.of(paths.state(), paths.cache())) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
      try (Stream<Path> files = Files.list(made)) {
        assertEquals(List.of(), files.toList());
      }
    }
  }

  @Test
  void one_that_cannot_be_written_is_named_with_its_variable() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    RemudaPaths paths = new RemudaPaths(folder.resolve("state"), file.resolve("cache"));
    String message = assertThrows(IOException.class, paths::check).getMessage();
    assertTrue(message.contains(file.resolve("cache").toString()), message);
    assertTrue(message.contains("REMUDA_CACHE"), message);
  }
}
