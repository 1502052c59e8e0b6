package io.remuda.agent.main;

import io.remuda.agent.settings.OwnFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * What is special about an agent that srun has started: its node's name is Slurm's, it keeps its
 * things on the node's own disk, for sockets do not work on shared ones, and takes them away at the
 * end.
 *
 * @param node Slurm's name of this node
 * @param folder of this agent, for as long as it runs
 */
record SlurmStep(String node, Path folder) {

  private static final String PID = "agent.pid";

  /** A Unix socket's path has at most 107 bytes, of which a task's takes 30 below this folder. */
  private static final int LONGEST = 75;

  private static final long KILL_SECONDS = 5;

  /**
   * Reads the environment of a task of a step.
   *
   * @param temporary the node's folder for temporary files
   * @param user who runs it
   * @throws IOException outside a step
   */
  static SlurmStep of(Map<String, String> environment, Path temporary, String user, String run)
      throws IOException {
    String node = environment.get("SLURMD_NODENAME");
    if (node == null || node.isBlank()) {
      throw new IOException("--slurm-step: SLURMD_NODENAME is not set; srun sets it");
    }
    String name = "remuda-" + user + "-" + run + "-" + node;
    Path folder = temporary.resolve(name).toAbsolutePath();
    if (folder.toString().length() > LONGEST) {
      folder = temporary.resolve("remuda-" + Integer.toHexString(name.hashCode())).toAbsolutePath();
    }
    return new SlurmStep(node, folder);
  }

  /**
   * Takes the folder over from an agent of the same run that is lost to its coordinator, which it
   * ends; what its keeper holds can then be adopted.
   *
   * @throws IOException if the folder belongs to somebody else or that agent does not end
   */
  void takeOver() throws IOException {
    OwnFolders.create(folder);
    OwnFolders.requireOwn(folder);
    Optional<ProcessHandle> before = predecessor();
    if (before.isPresent() && !ended(before.get())) {
      throw new IOException("another agent, process " + before.get().pid() + ", does not end");
    }
    Path next = folder.resolve(PID + ".new");
    Files.writeString(next, describe(ProcessHandle.current()));
    Files.move(next, folder.resolve(PID), StandardCopyOption.ATOMIC_MOVE);
  }

  private Optional<ProcessHandle> predecessor() throws IOException {
    Path file = folder.resolve(PID);
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    String noted = Files.readString(file);
    if (!noted.matches("\\d{1,9} .+")) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(noted.substring(0, noted.indexOf(' '))))
        .filter(process -> describe(process).equals(noted));
  }

  /** Process ids are used again; with the time of its start one is meant for good. */
  private static String describe(ProcessHandle process) {
    return process.pid() + " " + process.info().startInstant().map(Object::toString).orElse("?");
  }

  private static boolean ended(ProcessHandle process) {
    process.destroyForcibly();
    try {
      process.onExit().get(KILL_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException late) {
      return !process.isAlive();
    }
  }

  /** Removes the folder; what cannot be removed stays. */
  void clean() {
    if (Files.notExists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException fault) {
      System.err.println("node-agent: cannot remove " + folder + ": " + fault.getMessage());
    }
  }
}
