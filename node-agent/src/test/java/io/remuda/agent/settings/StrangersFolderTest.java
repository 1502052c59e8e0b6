package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders that are not closed to other users. */
@Tag("attack")
@Tag("attack-local-user")
@Timeout(60)
class StrangersFolderTest {

  private static final int STRANGER = 65_432;

  @TempDir private Path folder;

  private Path made(String name, String permissions) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
    return made;
  }

  private static String refused(Path state) {
    RemudaPaths paths = new RemudaPaths(state, state.resolveSibling("cache"));
    String said = assertThrows(IOException.class, paths::check).getMessage();
    assertTrue(said.contains("REMUDA_HOME"), said);
    return said;
  }

  @Test
  void one_that_only_its_owner_may_write_in_is_used() throws IOException {
    new RemudaPaths(made("own", "rwx------"), made("kept", "rwxr-xr-x")).check();
    new RemudaPaths(folder.resolve("new"), folder.resolve("other")).check();
  }

  @Test
  void one_that_others_may_write_in_is_refused_with_what_to_do() throws IOException {
    assertTrue(refused(made("all", "rwxrwxrwx")).contains("chmod go-w"));
    assertTrue(refused(made("group", "rwxrwx---")).contains("chmod go-w"));
    RemudaPaths cache = new RemudaPaths(made("own", "rwx------"), made("cache", "rwxrwxrwx"));
    String said = assertThrows(IOException.class, cache::check).getMessage();
    assertTrue(said.contains("REMUDA_CACHE"), said);
  }

  @Test
  void one_that_anybody_may_rename_is_refused() throws IOException {
    Path above = made("above", "rwxrwxrwx");
    Path inside = made("above/inside", "rwx------");
    assertTrue(refused(inside).contains("chmod +t"));
    Files.setAttribute(above, "unix:mode", 01777);
    assertDoesNotThrow(() -> FolderOwnershipCheck.requirePrivate(inside, "REMUDA_HOME"));
  }

  @Test
  void one_of_another_user_is_refused_by_root_too() throws IOException {
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    assumeTrue(self.equals(0), "skipped: only root can give a folder to another user");
    Path strangers = made("strangers", "rwx------");
    Files.setAttribute(strangers, "unix:uid", STRANGER);
    assertTrue(refused(strangers).contains("belongs to user " + STRANGER));
    Files.setAttribute(strangers, "unix:uid", 0);
  }
}
