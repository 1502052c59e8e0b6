package io.remuda.coordinator.ensemble;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.coordinator.status.RunningEnsembles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of one run: access file, event log, snapshots of trainings while it lasts, and a
 * folder for each node of this machine. A run holds a lock in its folder until it ends, so that
 * later runs do not remove the folder of an active run.
 */
public final class RunFolder {

  private static final String LOCK = "run.lock";
  private static final String ACCESS = "access.json";
  private static final String KEY_STORE = "cluster.jks";

  /** Length of the longest path of a Unix socket below a node's folder. */
  private static final int DEEPEST = "/tasks/2.99999.99/worker.sock".length();

  private static final int LONGEST_SOCKET = 107; // bytes in the path of a Unix socket
  private static final int KEPT = 10;

  private final String run;
  private final Path path;
  private final FileLock lock;

  private RunFolder(String run, Path path, FileLock lock) {
    this.run = run;
    this.path = path;
    this.lock = lock;
  }

  /**
   * Creates the folder of a new run and removes all but the 10 newest of the others. If sockets
   * below the state folder would have too long a path, the folder is created in the folder for
   * temporary files.
   *
   * @param longestNode the longest name of the nodes with sockets in this folder; empty if there
   *     are none
   */
  public static RunFolder create(Path state, LocalDateTime now, long pid, String longestNode)
      throws IOException {
    String run = now.format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")) + "-" + pid;
    Path runs = state.resolve("runs");
    if (!longestNode.isEmpty()
        && node(runs.resolve(run), longestNode).toString().length() + DEEPEST > LONGEST_SOCKET) {
      runs = shortFolder();
    }
    Files.createDirectories(runs, ownerOnly());
    prune(runs);
    Path path = Files.createDirectory(runs.resolve(run), ownerOnly());
    FileLock lock =
        FileChannel.open(
                path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
            .lock();
    Files.createDirectory(path.resolve(TaskFolder.SNAPSHOTS), ownerOnly());
    return new RunFolder(run, path, lock);
  }

  /** Creates the user's folder for temporary files; refuses one of another owner. */
  private static Path shortFolder() throws IOException {
    String user = System.getProperty("user.name");
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "remuda-" + user);
    Files.createDirectories(folder, ownerOnly());
    String owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName();
    if (Files.isSymbolicLink(folder) || !owner.equals(user)) {
      throw new IOException(
          folder + " belongs to " + owner + ": set REMUDA_HOME to a folder with a short path");
    }
    return folder;
  }

  private static FileAttribute<?> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  /**
   * Removes old runs, except active ones, whose lock is held; and of the others the keys and
   * snapshots, which a run that was killed has left.
   */
  private static void prune(Path runs) throws IOException {
    try (Stream<Path> all = Files.list(runs)) {
      List<Path> newestFirst =
          all.sorted(Comparator.comparing((Path run) -> run.getFileName().toString()).reversed())
              .toList();
      for (int i = 0; i < newestFirst.size(); i++) {
        Path run = newestFirst.get(i);
        if (isOver(run) && i < KEPT) {
          removeSecrets(run);
        } else if (isOver(run)) {
          removeTree(run);
        }
      }
    }
  }

  private static void removeSecrets(Path run) throws IOException {
    Files.deleteIfExists(run.resolve(KEY_STORE));
    Files.deleteIfExists(run.resolve(ACCESS));
    Files.deleteIfExists(RunningEnsembles.fileOf(run));
    if (Files.exists(run.resolve(TaskFolder.SNAPSHOTS))) {
      removeTree(run.resolve(TaskFolder.SNAPSHOTS));
    }
  }

  private static boolean isOver(Path run) throws IOException {
    Path file = run.resolve(LOCK);
    if (Files.notExists(file)) {
      return true;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    }
  }

  private static void removeTree(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Returns the run's name, unique for this user. */
  public String run() {
    return run;
  }

  public Path path() {
    return path;
  }

  public Path access() {
    return path.resolve(ACCESS);
  }

  public Path events() {
    return path.resolve("events.jsonl");
  }

  /** Returns the file in which builds before this one kept the key for the actor system. */
  Path keyStore() {
    return path.resolve(KEY_STORE);
  }

  public Path node(String name) {
    return node(path, name);
  }

  private static Path node(Path run, String name) {
    return run.resolve("nodes").resolve(name);
  }

  /** Removes keys and status at once, while the run may still be active; for {@code kill}. */
  void abandon() {
    access().toFile().delete();
    keyStore().toFile().delete();
    RunningEnsembles.fileOf(path).toFile().delete();
  }

  /** Removes the keys of an ended run and releases its lock. */
  public void close() throws IOException {
    removeSecrets(path);
    release();
  }

  /** Releases its lock, as the kernel does when the process dies. */
  void release() throws IOException {
    lock.acquiredBy().close();
  }
}
