package io.remuda.agent.attempt;

import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.limit.LimitNote;
import io.remuda.agent.output.OutputLimit;
import io.remuda.agent.output.RegularFile;
import io.remuda.agent.output.ScratchFolders;
import io.remuda.agent.output.TreeRemoval;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.stream.TaskStreamFilePreparer;
import io.remuda.json.PlainJson;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.MnistWorkload;
import io.remuda.worker.job.WorkerOrder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The folder of one attempt: its order, its output, its socket and its exit record.
 *
 * @param path path of the folder
 */
public record TaskFolder(Path path) {

  private static final int TAIL_BYTES = 16 << 10;

  /** Terminal control sequences, such as colours. */
  private static final Pattern COMMANDS = Pattern.compile("\u001b\\[[0-9;:?]*[A-Za-z]");

  /** The format of {@link AttemptId}; those of earlier builds have no tag. */
  private static final String NAME = "\\d+\\.\\d+\\.\\d+(-[0-9a-f]{16})?";

  /** Name of the folder beside a run's access file for the snapshots of its trainings. */
  public static final String SNAPSHOTS = "snapshots";

  private static final String OVER_USE = "over-use";
  private static final String BEGUN = "begun";
  private static final String TASKS = "tasks";
  private static final String ENDED = "ended";

  public static TaskFolder of(AgentSettings settings, AttemptId attempt) {
    return in(settings.folder(), attempt);
  }

  /** Returns the folder of an attempt in the folder of its node. */
  static TaskFolder in(Path node, AttemptId attempt) {
    return new TaskFolder(node.resolve(TASKS).resolve(attempt.toString()));
  }

  /** Returns what {@link #ended} does, in the folder of its node. */
  static TaskFolder endedIn(Path node, AttemptId attempt) {
    return new TaskFolder(node.resolve(ENDED).resolve(attempt.toString()));
  }

  /** Returns the folder of a command after the coordinator has learned its end. */
  public static TaskFolder ended(AgentSettings settings, AttemptId attempt) {
    return new TaskFolder(allEnded(settings).resolve(attempt.toString()));
  }

  /** Returns the parent of all folders that {@link #ended} returns. */
  public static Path allEnded(AgentSettings settings) {
    return settings.folder().resolve(ENDED);
  }

  /** Returns the folders of attempts until the coordinator has learned their ends. */
  public static Map<AttemptId, TaskFolder> open(AgentSettings settings) {
    Map<AttemptId, TaskFolder> folders = new TreeMap<>();
    String[] names = settings.folder().resolve(TASKS).toFile().list();
    for (String name : names == null ? new String[0] : names) {
      if (name.matches(NAME)) {
        AttemptId attempt = AttemptId.parse(name);
        folders.put(attempt, of(settings, attempt));
      }
    }
    return folders;
  }

  /** Returns whether the attempt is a built-in worker, which has a socket, and not a command. */
  public boolean isWorker() {
    return Files.exists(path.resolve(WorkerOrder.FILE));
  }

  /** Returns whether the attempt is a lease of a running program. */
  public boolean isLease() {
    return DeviceLeaseRecord.isIn(path);
  }

  /** Returns whether its keeper has written an exit record. */
  boolean hasExit() {
    try {
      return ExitFile.read(path).isPresent();
    } catch (IOException unreadable) {
      return true; // it exists
    }
  }

  /** Returns the exit record of its keeper, if it has written one that can be read. */
  public Optional<ExitRecord> exit() {
    try {
      return ExitFile.read(path);
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Returns the folder for files that the task does not need after its end. */
  public Path scratch() {
    return path.resolve("scratch");
  }

  /** Returns the file to which its program writes what it reports; mostly there is none. */
  public Path metrics() {
    return scratch().resolve(".metrics");
  }

  /**
   * Moves the folder of a command to the ended tasks, after the coordinator has learned the end.
   *
   * @return whether it was moved; a built-in worker's folder stays, and there may be none
   */
  public boolean retireCommand(AgentSettings settings) throws IOException {
    if (isWorker() || !path.toFile().isDirectory()) {
      return false;
    }
    retire(settings);
    return true;
  }

  /** Moves the folder to the ended tasks, after the coordinator has learned the end. */
  public void retire(AgentSettings settings) throws IOException {
    Path ended = allEnded(settings).resolve(path.getFileName());
    if (!path.toFile().renameTo(ended.toFile())) { // mostly it can; the next says why it cannot
      FolderOwnershipCheck.create(allEnded(settings));
      Files.move(path, ended, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * Takes the scratch folder away if it is empty, as most are.
   *
   * @return whether that is all: else {@link #clean} is needed, or the output may exceed its limit
   */
  public boolean tidy(ScratchFolders folders) {
    return folders.take(scratch())
        && outputs().stream().allMatch(output -> output.toFile().length() <= OutputLimit.LEAST);
  }

  /** Removes the scratch folder, which may be large, but for what cannot be removed. */
  public void clean() {
    try {
      TreeRemoval.of(scratch());
    } catch (IOException notOurs) {
      // as files of another user, of a container
    }
  }

  /** Writes a warning for the user to the task's stderr. */
  public void warn(String text) throws IOException {
    if (!Files.exists(stderr(), LinkOption.NOFOLLOW_LINKS)) {
      Files.createFile(stderr());
    }
    try (OutputStream file = RegularFile.append(stderr())) {
      file.write(("remuda: this task " + text + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Writes the result of the program of a lease; ignores a repetition.
   *
   * @return whether the attempt is a lease; else nothing is written
   */
  public boolean giveBack(DeviceLeaseRecord.GivenBack how) throws IOException {
    if (!isLease()) {
      return false;
    }
    if (DeviceLeaseRecord.givenBack(path).isEmpty()) {
      DeviceLeaseRecord.giveBack(path, how);
    }
    return true;
  }

  /** Notes that the task is ended because it uses more device memory than promised. */
  public void noteOverUse(String cause) throws IOException {
    SmallJsonFiles.write(path, OVER_USE, cause);
  }

  /** Returns the noted cause; empty if the task was not ended for this. */
  Optional<String> overUse() {
    return SmallJsonFiles.read(path, OVER_USE, String.class);
  }

  /** Creates the folder with mode 0700 and the files that the task needs when it starts. */
  public void prepare(TaskStartOrder order, AgentSettings settings, ScratchFolders folders)
      throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Optional<PromisedGpuMemoryNote> promise = PromisedGpuMemoryNote.of(order);
    if (promise.isPresent()) {
      promise.get().write(path);
    }
    if (order.workload() instanceof CommandWorkload) {
      folders.give(scratch());
      TaskStreamFilePreparer.prepare(
          order, (CommandWorkload) order.workload(), path, settings.node());
      if (order.job().start() != null) {
        GangVariables.writeFile(order.job().start(), scratch());
      }
      return;
    }
    if (order.workload() instanceof LeasedProgramWorkload lease) {
      DeviceLeaseRecord.of(lease, order.devices()).write(path);
      return;
    }
    WorkerOrder worker =
        new WorkerOrder(
            WorkerOrder.VERSION,
            order.attempt(),
            order.workload(),
            order.threads(),
            order.cuda(),
            settings.cache().toString(),
            snapshots(order, settings));
    PlainJson.MAPPER.writeValue(path.resolve(WorkerOrder.FILE).toFile(), worker);
  }

  /**
   * Returns the folder for the snapshots of a built-in training, in which every attempt of its task
   * finds those of the earlier ones; null for other work, and if this node does not see the run's
   * folder: then a new attempt begins with the first epoch.
   */
  private static String snapshots(TaskStartOrder order, AgentSettings settings) {
    Path shared = settings.access().toAbsolutePath().resolveSibling(SNAPSHOTS);
    boolean training = order.workload() instanceof MnistWorkload;
    return training && Files.isDirectory(shared)
        ? shared.resolve(order.job().uuid() + "-" + order.attempt().task().index()).toString()
        : null;
  }

  /**
   * Returns whether a process was started or about to be: its output file is created before, and
   * beside a link to a file of the user's a note.
   */
  public boolean mayHaveBegun() {
    boolean linked = Files.isSymbolicLink(stdout()) || Files.isSymbolicLink(stderr());
    return (linked ? Files.exists(path.resolve(BEGUN)) : Files.exists(stdout())) || isLease();
  }

  public Path stdout() {
    return path.resolve("out");
  }

  public Path stderr() {
    return path.resolve("err");
  }

  /** Returns the output files of the process. */
  public List<Path> outputs() {
    return List.of(stdout(), stderr());
  }

  /** Returns the limit for which the task was ended, as text; empty if it was not. */
  Optional<String> limitPassed() {
    return LimitNote.read(path);
  }

  /** Returns the last line of stderr that is not part of a stack trace. */
  Optional<String> lastWords() {
    return COMMANDS
        .matcher(errorTail())
        .replaceAll("")
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("\t"))
        .reduce((first, second) -> second);
  }

  /** Returns the last {@value #TAIL_BYTES} bytes of stderr. */
  String errorTail() {
    try (RandomAccessFile file = RegularFile.open(stderr())) {
      file.seek(Math.max(0, file.length() - TAIL_BYTES));
      byte[] tail = new byte[TAIL_BYTES];
      int length = Math.max(0, file.read(tail));
      return new String(tail, 0, length, StandardCharsets.UTF_8);
    } catch (IOException noOutput) {
      return "";
    }
  }
}
