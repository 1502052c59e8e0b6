package io.remuda.coordinator.ensemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folder of one run: access file, event log, and a folder for each node of this machine.
 *
 * @param run its name, unique for this user on this machine
 * @param path where it is
 */
public record RunFolder(String run, Path path) {

  /** A Unix socket's path has at most 107 bytes; this much is needed below a node's folder. */
  private static final int DEEPEST = "/tasks/999999.9999.99/worker.sock".length();

  private static final int LONGEST_SOCKET = 107;
  private static final int KEPT = 10;

  /**
   * Makes the folder of a new run and removes all but the newest few old ones. Where sockets below
   * the state folder would have too long a path, it is made in the folder for temporary files.
   *
   * @param longestNode the longest name of this machine's nodes
   */
  public static RunFolder create(Path state, LocalDateTime now, long pid, String longestNode)
      throws IOException {
    String run = now.format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")) + "-" + pid;
    Path runs = state.resolve("runs");
    Path node = new RunFolder(run, runs.resolve(run)).node(longestNode);
    if (node.toString().length() + DEEPEST > LONGEST_SOCKET) {
      runs =
          Path.of(
              System.getProperty("java.io.tmpdir"), "remuda-" + System.getProperty("user.name"));
    }
    Files.createDirectories(runs, ownerOnly());
    prune(runs);
    Path path = Files.createDirectory(runs.resolve(run), ownerOnly());
    return new RunFolder(run, path);
  }

  private static java.nio.file.attribute.FileAttribute<?> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  }

  /** Only runs that are over are removed: those whose access file is gone. */
  private static void prune(Path runs) throws IOException {
    try (Stream<Path> all = Files.list(runs)) {
      List<Path> over =
          all.filter(run -> Files.notExists(run.resolve("access.json")))
              .sorted(Comparator.comparing((Path run) -> run.getFileName().toString()).reversed())
              .skip(KEPT)
              .toList();
      for (Path run : over) {
        removeTree(run);
      }
    }
  }

  private static void removeTree(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  public Path access() {
    return path.resolve("access.json");
  }

  public Path events() {
    return path.resolve("events.jsonl");
  }

  public Path keyStore() {
    return path.resolve("cluster.p12");
  }

  public Path node(String name) {
    return path.resolve("nodes").resolve(name);
  }

  /** The run is over: its keys are of no use any more. */
  public void close() throws IOException {
    Files.deleteIfExists(keyStore());
    Files.deleteIfExists(access());
  }
}
