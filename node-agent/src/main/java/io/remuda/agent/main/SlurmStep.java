package io.remuda.agent.main;

import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.file.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Settings of an agent that srun has started. Its node has Slurm's name. The folder of a run's
 * agent is on the node's own disk, since Unix sockets do not work on all shared file systems, and
 * is removed at the end. That of a server's agent is in the server's folder and stays, with the
 * output of its tasks.
 *
 * @param node Slurm's name of this node
 * @param folder folder of this agent while it runs
 * @param stays whether the folder stays after the end
 */
record SlurmStep(String node, Path folder, boolean stays) {

  private static final String PID = "agent.pid";

  /**
   * Maximum length. A Unix socket's path has at most 107 bytes, and a task's socket needs 30 of
   * them below this folder.
   */
  private static final int LONGEST = 75;

  private static final long KILL_SECONDS = 5;

  /**
   * Reads the environment of a Slurm step.
   *
   * @param temporary the node's folder for temporary files
   * @param user user that runs it
   * @throws IOException outside a step
   */
  static SlurmStep of(Map<String, String> environment, Path temporary, String user, String run)
      throws IOException {
    String node = node(environment);
    String name = "remuda-" + user + "-" + run + "-" + node;
    Path folder = temporary.resolve(name).toAbsolutePath();
    if (folder.toString().length() > LONGEST) {
      folder = temporary.resolve("remuda-" + Integer.toHexString(name.hashCode())).toAbsolutePath();
    }
    return new SlurmStep(node, folder, false);
  }

  /**
   * Reads the environment of a Slurm step in which a server has started the agent.
   *
   * @param nodes the server's folder of nodes
   * @throws IOException outside a step
   */
  static SlurmStep ofServer(Map<String, String> environment, Path nodes) throws IOException {
    String node = node(environment);
    return new SlurmStep(node, nodes.resolve(node).toAbsolutePath(), true);
  }

  private static String node(Map<String, String> environment) throws IOException {
    String node = environment.get("SLURMD_NODENAME");
    if (node == null || node.isBlank()) {
      throw new IOException("--slurm-step: SLURMD_NODENAME is not set; srun sets it");
    }
    return node;
  }

  /**
   * Takes over the folder of an earlier agent of this run that its coordinator has lost, and kills
   * that agent. The tasks of its keeper can then be adopted.
   *
   * @throws IOException if the folder belongs to another user or that agent does not end
   */
  void takeOver() throws IOException {
    FolderOwnershipCheck.create(folder);
    FolderOwnershipCheck.requireOwn(folder);
    Optional<ProcessHandle> before = predecessor();
    if (before.isPresent() && !ended(before.get())) {
      throw new IOException("another agent, process " + before.get().pid() + ", does not end");
    }
    AtomicFile.write(
        folder.resolve(PID), describe(ProcessHandle.current()).getBytes(StandardCharsets.UTF_8));
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

  /** Returns pid and start time: pids are reused, but both together identify a process. */
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

  /** Removes the folder as far as possible, unless it stays. */
  void clean() {
    if (stays || Files.notExists(folder)) {
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
