package io.remuda.agent.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tasks leave in their scratch; for root nothing is unreadable. */
class TreeRemovalTest {
  @TempDir private Path folder;

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void folders_that_nobody_may_read_or_write_go_with_all_that_is_beside_them() throws IOException {
    Path tree = folder.resolve("scratch");
    Path locked = Files.createDirectories(tree.resolve("m/deep"));
    Path readOnly = Files.createDirectories(tree.resolve("r/module"));
    for (Path one : List.of(locked, readOnly, Files.createDirectories(tree.resolve("z")))) {
      Files.writeString(one.resolve("file"), "x");
    }
    mode(locked, "---------");
    mode(locked.getParent(), "---------");
    mode(readOnly, "r-xr-xr-x");
    mode(readOnly.getParent(), "r--r--r--");
    TreeRemoval.of(tree);
    assertFalse(Files.exists(tree));
  }

  @Test
  void links_are_removed_and_not_what_they_lead_to() throws IOException {
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("file"), "x");
    Path tree = Files.createDirectories(folder.resolve("scratch"));
    Files.createSymbolicLink(tree.resolve("link"), other);
    TreeRemoval.of(tree);
    assertFalse(Files.exists(tree));
    assertEquals("x", Files.readString(other.resolve("file")));
  }

  @Test
  void what_is_not_there_is_no_fault() throws IOException {
    TreeRemoval.of(folder.resolve("nothing"));
  }
}
