package io.remuda.agent.keeper.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.agent.keeper.RefusalCode;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.SpawnFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceLocksTest {
  private static final int STRANGER = 65_432;

  @TempDir Path temporary;
  private Path folder;
  private DeviceLocks ours;
  private DeviceLocks theirs;

  @BeforeEach
  void prepare() {
    folder = temporary.resolve("locks");
    ours = new DeviceLocks(folder);
    theirs = new DeviceLocks(folder);
  }

  @Test
  void a_device_is_lent_by_one_at_a_time() throws SpawnFailureException {
    List<DeviceLock> held = ours.take(List.of("GPU-1"));

    SpawnFailureException busy =
        assertThrows(SpawnFailureException.class, () -> theirs.take(List.of("GPU-1")));
    assertEquals(RefusalCode.DEVICE_BUSY, busy.code());
    assertEquals(
        "GPU-1 is lent by pid "
            + ProcessHandle.current().pid()
            + " of user "
            + System.getProperty("user.name"),
        busy.getMessage());
    ours.release(held);
    theirs.release(theirs.take(List.of("GPU-1")));
  }

  @Test
  void tasks_of_one_keeper_share_a_device_until_the_last_gives_it_back()
      throws SpawnFailureException {
    List<DeviceLock> first = ours.take(List.of("GPU-1"));
    List<DeviceLock> second = ours.take(List.of("GPU-1"));
    ours.release(first);

    assertThrows(SpawnFailureException.class, () -> theirs.take(List.of("GPU-1")));
    ours.release(second);
    theirs.release(theirs.take(List.of("GPU-1")));
  }

  @Test
  void all_are_taken_or_none() throws SpawnFailureException {
    List<DeviceLock> held = ours.take(List.of("GPU-2"));

    assertThrows(SpawnFailureException.class, () -> theirs.take(List.of("GPU-1", "GPU-2")));

    ours.release(ours.take(List.of("GPU-1")));
    ours.release(held);
  }

  @Test
  void everybody_may_use_the_folder_and_its_files() throws Exception {
    ours.release(ours.take(List.of("GPU-1")));

    assertEquals(01777, (int) Files.getAttribute(folder, "unix:mode") & 07777);
    assertEquals(
        "rw-rw-rw-",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("GPU-1.lock"))));
  }

  @Test
  void a_uuid_cannot_leave_the_folder() throws SpawnFailureException {
    assertEquals("MIG-GPU-1_7_0.lock", DeviceLocks.fileName("MIG-GPU-1/7/0"));
    assertEquals("______etc.lock", DeviceLocks.fileName("../../etc"));
    assertThrows(SpawnFailureException.class, () -> DeviceLocks.fileName(""));
  }

  @Test
  void a_link_in_place_of_a_lock_is_not_followed() throws IOException {
    Files.createDirectory(folder);
    Path victim = Files.writeString(temporary.resolve("victim"), "precious");
    Files.createSymbolicLink(folder.resolve("GPU-1.lock"), victim);
    Files.createLink(folder.resolve("GPU-2.lock"), victim);

    for (String uuid : List.of("GPU-1", "GPU-2")) {
      SpawnFailureException refused =
          assertThrows(SpawnFailureException.class, () -> ours.take(List.of(uuid)));
      assertEquals(RefusalCode.DEVICE_LOCK_UNUSABLE, refused.code());
    }
    assertEquals("precious", Files.readString(victim));
  }

  @Test
  void the_folder_comes_from_the_environment_or_is_the_machines() {
    assertEquals(Path.of("/tmp/remuda-devices"), DeviceLocks.folder(Map.of()));
    assertEquals(Path.of("/x"), DeviceLocks.folder(Map.of("REMUDA_DEVICE_LOCKS", "/x")));
  }

  @Test
  void a_removed_lock_file_is_made_anew() throws Exception {
    ours.release(ours.take(List.of("GPU-1")));
    Files.delete(folder.resolve("GPU-1.lock"));

    List<DeviceLock> held = ours.take(List.of("GPU-1"));

    assertTrue(Files.exists(folder.resolve("GPU-1.lock")));
    ours.release(held);
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void a_lock_file_that_is_removed_while_its_device_is_lent_lets_no_other_lend_it()
      throws Exception {
    List<DeviceLock> held = ours.take(List.of("GPU-1"));
    Files.delete(folder.resolve("GPU-1.lock")); // as the owner of the folder may

    SpawnFailureException busy =
        assertThrows(SpawnFailureException.class, () -> theirs.take(List.of("GPU-1")));
    assertEquals(RefusalCode.DEVICE_BUSY, busy.code());
    ours.release(held);
    theirs.release(theirs.take(List.of("GPU-1")));
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void a_program_that_locks_the_file_is_named() throws Exception {
    ours.release(ours.take(List.of("GPU-1")));
    Path file = folder.resolve("GPU-1.lock");
    Process stranger =
        new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo locked; read end")
            .redirectErrorStream(true)
            .start();
    try {
      stranger.inputReader().readLine();
      SpawnFailureException busy =
          assertThrows(SpawnFailureException.class, () -> ours.take(List.of("GPU-1")));
      assertEquals(RefusalCode.DEVICE_BUSY, busy.code());
      String words = "GPU-1 is kept by process " + stranger.pid() + " (flock) of user ";
      assertTrue(busy.getMessage().startsWith(words), busy.getMessage());
    } finally {
      stranger.outputWriter().close();
      stranger.waitFor();
    }
  }

  /** Runs a command as another user that may look into the folder of this test. */
  private Process asStranger(String... command) throws IOException {
    assumeTrue(Posix.getuid() == 0, "skipped: only root can start processes of another user");
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
    List<String> words =
        new ArrayList<>(List.of("setpriv", "--reuid=" + STRANGER, "--regid=" + STRANGER));
    words.add("--clear-groups");
    words.addAll(List.of(command));
    return new ProcessBuilder(words).redirectErrorStream(true).start();
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void another_user_who_locks_the_file_is_named() throws Exception {
    ours.release(ours.take(List.of("GPU-1")));
    Process stranger =
        asStranger("flock", folder.resolve("GPU-1.lock").toString(), "sh", "-c", "echo on; read e");
    try {
      assertEquals("on", stranger.inputReader().readLine());
      SpawnFailureException busy =
          assertThrows(SpawnFailureException.class, () -> ours.take(List.of("GPU-1")));
      assertEquals(RefusalCode.DEVICE_BUSY, busy.code());
      assertTrue(busy.getMessage().contains(" of user " + STRANGER), busy.getMessage());
    } finally {
      stranger.outputWriter().close();
      stranger.waitFor();
    }
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void the_stranger_whose_folder_it_is_removes_a_lock_in_vain() throws Exception {
    assumeTrue(Posix.getuid() == 0, "skipped: only root can have a folder of another user");
    Files.createDirectory(folder);
    Files.setAttribute(folder, "unix:mode", 01777);
    Files.setAttribute(folder, "unix:uid", STRANGER);
    List<DeviceLock> held = ours.take(List.of("GPU-1"));
    assertEquals(0, asStranger("rm", folder.resolve("GPU-1.lock").toString()).waitFor());

    SpawnFailureException busy =
        assertThrows(SpawnFailureException.class, () -> theirs.take(List.of("GPU-1")));
    assertEquals(RefusalCode.DEVICE_BUSY, busy.code());
    ours.release(held);
  }

  @Test
  @Tag("attack")
  @Tag("attack-local-user")
  void a_folder_in_place_of_a_lock_is_named_with_its_owner() throws Exception {
    Files.createDirectories(folder.resolve("GPU-1.lock"));
    SpawnFailureException odd =
        assertThrows(SpawnFailureException.class, () -> ours.take(List.of("GPU-1")));
    assertEquals(RefusalCode.DEVICE_LOCK_UNUSABLE, odd.code());
    String file = folder.resolve("GPU-1.lock") + " of user " + Posix.getuid();
    assertTrue(odd.getMessage().contains(file), odd.getMessage());
  }
}
