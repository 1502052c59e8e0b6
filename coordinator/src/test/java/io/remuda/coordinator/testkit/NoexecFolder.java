package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A folder from which no code may be mapped, for one command and all that it starts: a file system
 * in a mount namespace of their own, which is gone with the last of them. Only root may have one.
 */
public final class NoexecFolder {

  private static final String MOUNT =
      "mount -t tmpfs -o noexec,mode=1777 remuda-test \"$0\" && exec \"$@\"";

  private final Path folder;

  private NoexecFolder(Path folder) {
    this.folder = folder;
  }

  /** Makes one of an empty folder; nothing, where that is not allowed or unshare is missing. */
  public static Optional<NoexecFolder> at(Path folder) throws IOException {
    NoexecFolder made = new NoexecFolder(Files.createDirectories(folder));
    List<String> probe = new ArrayList<>(made.prefix());
    probe.add("true");
    return succeeds(probe) ? Optional.of(made) : Optional.empty();
  }

  private static boolean succeeds(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The words before a command that have it run where the folder is such a one. */
  public List<String> prefix() {
    return List.of("unshare", "--mount", "sh", "-c", MOUNT, folder.toString());
  }

  /** Whether no code may be mapped from it for a member. */
  public boolean isNoexecFor(Member member) throws IOException {
    String mount = " " + folder.toAbsolutePath() + " rw,noexec,";
    return Files.readString(Path.of("/proc/" + member.pid() + "/mountinfo")).contains(mount);
  }

  /** The path of this folder for a member. */
  public Path seenBy(Member member) {
    return Path.of("/proc", Long.toString(member.pid()), "root" + folder.toAbsolutePath());
  }
}
