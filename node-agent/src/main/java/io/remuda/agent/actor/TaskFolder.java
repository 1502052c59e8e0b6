package io.remuda.agent.actor;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.keeper.ExitFile;
import io.remuda.agent.keeper.LimitNote;
import io.remuda.agent.protocol.TaskOrder;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.agent.settings.OwnFolders;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.LeaseWorkload;
import io.remuda.worker.job.WorkerOrder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of one attempt: its order, its output, its socket and its exit record.
 *
 * @param path the folder
 */
record TaskFolder(Path path) {

  private static final int TAIL_BYTES = 16 << 10;

  /** Colours and the like, as terminals are told them. */
  private static final Pattern COMMANDS = Pattern.compile("\u001b\\[[0-9;:?]*[A-Za-z]");

  /** As {@link AttemptId} writes it; those of earlier builds have no tag. */
  private static final String NAME = "\\d+\\.\\d+\\.\\d+(-[0-9a-f]{16})?";

  private static final String OVER_USE = "over-use";
  private static final String TASKS = "tasks";
  private static final String ENDED = "ended";

  static TaskFolder of(AgentSettings settings, AttemptId attempt) {
    return new TaskFolder(settings.folder().resolve(TASKS).resolve(attempt.toString()));
  }

  /** Where the folder of a command is once its end was learned. */
  static TaskFolder ended(AgentSettings settings, AttemptId attempt) {
    return new TaskFolder(allEnded(settings).resolve(attempt.toString()));
  }

  /** Where the folders are of which the ends were learned. */
  static Path allEnded(AgentSettings settings) {
    return settings.folder().resolve(ENDED);
  }

  /** The folders of attempts whose end was not learned by the coordinator. */
  static Map<AttemptId, TaskFolder> open(AgentSettings settings) {
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

  /** Whether a built-in worker lives here, which is spoken with, and not a command. */
  boolean isWorker() {
    return Files.exists(path.resolve(WorkerOrder.FILE));
  }

  /** Whether nothing was started here, but a program lent something that ran already. */
  boolean isLease() {
    return LeaseNote.isIn(path);
  }

  /** Whether its keeper has written down how it ended. */
  boolean hasExit() {
    try {
      return ExitFile.read(path).isPresent();
    } catch (IOException unreadable) {
      return true; // there is one
    }
  }

  /** For what a task wants to forget at its end. */
  Path scratch() {
    return path.resolve("scratch");
  }

  /** The end was learned: what was printed is kept elsewhere from now on. */
  void retire(AgentSettings settings) throws IOException {
    Path ended = allEnded(settings);
    OwnFolders.create(ended);
    Files.move(path, ended.resolve(path.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes the scratch folder, as far as the task has left it removable; it may be large. */
  void clean() {
    try {
      removeTree(scratch());
    } catch (IOException | UncheckedIOException notOurs) {
      // what a task has locked away stays
    }
  }

  private static void removeTree(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path one : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }

  /** Tells the task's user something where what it prints itself goes, too. */
  void warn(String text) throws IOException {
    Files.writeString(
        stderr(),
        "remuda: this task " + text + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Notes why the task is ended as one that took more of a device than others can spare. */
  void noteOverUse(String cause) throws IOException {
    JsonNotes.write(path, OVER_USE, cause);
  }

  /** Why the task was ended, if it was for that. */
  Optional<String> overUse() {
    return JsonNotes.read(path, OVER_USE, String.class);
  }

  /** Makes the folder with mode 0700 and in it what the task finds when it starts. */
  void prepare(TaskOrder order, Path cache) throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Optional<GpuPromise> promise = GpuPromise.of(order);
    if (promise.isPresent()) {
      promise.get().write(path);
    }
    if (order.workload() instanceof CommandWorkload) {
      Files.createDirectories(scratch());
      return;
    }
    if (order.workload() instanceof LeaseWorkload lease) {
      LeaseNote.of(lease, order.devices()).write(path);
      return;
    }
    WorkerOrder worker =
        new WorkerOrder(
            WorkerOrder.VERSION,
            order.attempt(),
            order.workload(),
            order.threads(),
            order.cuda(),
            cache.toString());
    new JsonMapper().writeValue(path.resolve(WorkerOrder.FILE).toFile(), worker);
  }

  /** Whether a process was started here or was about to be: its output is opened before. */
  boolean mayHaveBegun() {
    return Files.exists(stdout()) || isLease();
  }

  Path stdout() {
    return path.resolve("out");
  }

  Path stderr() {
    return path.resolve("err");
  }

  /** What the process prints to. */
  List<Path> outputs() {
    return List.of(stdout(), stderr());
  }

  /** The limit that the task was ended for, in words, if it was. */
  Optional<String> limitPassed() {
    return LimitNote.read(path);
  }

  /** The last line that the process wrote to stderr and that is not part of a stack trace. */
  Optional<String> lastWords() {
    return COMMANDS
        .matcher(errorTail())
        .replaceAll("")
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("\t"))
        .reduce((first, second) -> second);
  }

  /** The last {@value #TAIL_BYTES} bytes that the process wrote to stderr. */
  String errorTail() {
    try (RandomAccessFile file = new RandomAccessFile(stderr().toFile(), "r")) {
      file.seek(Math.max(0, file.length() - TAIL_BYTES));
      byte[] tail = new byte[TAIL_BYTES];
      int length = Math.max(0, file.read(tail));
      return new String(tail, 0, length, StandardCharsets.UTF_8);
    } catch (IOException noOutput) {
      return "";
    }
  }
}
