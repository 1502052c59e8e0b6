package io.remuda.coordinator.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A control group that may have so many processes and threads; only root may have one. */
public final class PidsGroup implements AutoCloseable {

  private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/pids");
  private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");

  private final Path folder;

  private PidsGroup(Path folder) {
    this.folder = folder;
  }

  /** Makes one; nothing, where that is not allowed or the kernel does not count processes. */
  public static Optional<PidsGroup> of(int most) {
    Path parent = Files.exists(VERSION_1.resolve("tasks")) ? VERSION_1 : VERSION_2;
    Path folder = parent.resolve("remuda-test-" + UUID.randomUUID());
    try {
      Files.createDirectory(folder);
    } catch (IOException notAllowed) {
      return Optional.empty();
    }
    PidsGroup group = new PidsGroup(folder);
    try {
      group.limit(Integer.toString(most));
      return Optional.of(group);
    } catch (IOException notCounted) {
      group.close();
      return Optional.empty();
    }
  }

  private void limit(String most) throws IOException {
    Files.writeString(folder.resolve("pids.max"), most);
  }

  /** Lets it have as many as the machine can. */
  public void unlimit() throws IOException {
    limit("max");
  }

  /** The words before a command that have it run in the group. */
  public List<String> prefix() {
    return List.of("sh", "-c", "echo $$ > " + folder + "/cgroup.procs; exec \"$@\"", "sh");
  }

  /** Removes the group; all its processes must have ended. */
  @Override
  public void close() {
    folder.toFile().delete();
  }
}
