package io.remuda.agent.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lock that processes of one user hold, and what other users can do to it. */
@Tag("attack")
@Tag("attack-local-user")
@Timeout(60)
class LockFileTest {

  /** Locks a file, for reading or writing, and says so; ends if it cannot. */
  private static final String HOLDER =
      "import fcntl,struct,sys\n"
          + "write=sys.argv[2]=='write'\n"
          + "f=open(sys.argv[1],'r+b' if write else 'rb')\n"
          + "try: fcntl.lockf(f,(fcntl.LOCK_EX if write else fcntl.LOCK_SH)|fcntl.LOCK_NB)\n"
          + "except OSError: sys.exit()\n"
          + "print('held',flush=True)\n"
          + "sys.stdin.read()\n";

  @TempDir private Path folder;

  private Path file(String permissions) throws IOException {
    Path file = Files.createFile(folder.resolve("serve.lock"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file;
  }

  private static Process locking(Path file, String how) throws IOException {
    return new ProcessBuilder("python3", "-c", HOLDER, file.toString(), how)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static Process holder(Path file, String how) throws IOException {
    Process holder = locking(file, how);
    assertEquals('h', holder.getInputStream().read(), "it holds the lock");
    return holder;
  }

  private static void assertOwnersOnly(Path file) throws IOException {
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void a_new_one_is_closed_to_others_and_held_once() throws Exception {
    Path file = folder.resolve("new.lock");
    try (LockFile lock = LockFile.take(file).orElseThrow()) {
      assertOwnersOnly(file);
      assertTrue(lock != null && LockFile.take(file).isEmpty());
    }
  }

  @Test
  void one_that_is_released_twice_takes_nothing_from_who_took_it_meanwhile() throws Exception {
    Path file = folder.resolve("twice.lock");
    LockFile first = LockFile.take(file).orElseThrow();
    first.close();
    try (LockFile second = LockFile.take(file).orElseThrow()) {
      first.close();
      assertTrue(second != null && LockFile.isHeld(file));
      Process other = locking(file, "write");
      try {
        assertEquals(-1, other.getInputStream().read(), "another process does not get it");
      } finally {
        other.destroy();
      }
    }
  }

  @Test
  void another_process_of_the_user_that_holds_it_keeps_it() throws Exception {
    for (String mode : new String[] {"rw-------", "rw-r--r--"}) {
      Path file = file(mode);
      Process holder = holder(file, "write");
      try {
        assertEquals(Optional.empty(), LockFile.take(file));
        assertTrue(LockFile.isHeld(file));
      } finally {
        holder.destroy();
        holder.waitFor();
      }
      assertFalse(LockFile.isHeld(file));
      Files.delete(file);
    }
  }

  @Test
  void a_reader_of_a_file_that_all_may_read_keeps_nobody_out() throws Exception {
    Path file = file("rw-r--r--");
    Process stranger = holder(file, "read");
    try {
      assertFalse(LockFile.isHeld(file));
      try (LockFile lock = LockFile.take(file).orElseThrow()) {
        assertTrue(lock != null);
        assertOwnersOnly(file);
        assertTrue(LockFile.isHeld(file));
      }
    } finally {
      stranger.destroy();
      stranger.waitFor();
    }
  }

  @Test
  void a_file_that_all_may_read_is_replaced_for_the_next_time() throws Exception {
    Path file = file("rw-r--r--");
    Object before = Files.getAttribute(file, "unix:ino");
    try (LockFile lock = LockFile.take(file).orElseThrow()) {
      assertTrue(lock != null);
      assertOwnersOnly(file);
      assertFalse(before.equals(Files.getAttribute(file, "unix:ino")));
    }
  }
}
