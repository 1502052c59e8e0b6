package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.program.KeeperLauncher;
import io.remuda.agent.keeper.program.KeeperMain;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * A real keeper in a JVM of its own, in a short folder of its own; {@link #close} ends it and every
 * process that its tasks have left, by their ids.
 */
public final class KeeperUnderTest implements AutoCloseable {
  private static final int SIGSTOP = 19;

  public final Path folder;
  final Path locks;
  final String run = "t" + ProcessHandle.current().pid() + "x" + System.nanoTime() + "/";
  public final List<TaskView> exits = new CopyOnWriteArrayList<>();
  public final List<Throwable> disconnects = new CopyOnWriteArrayList<>();
  private final List<KeeperClient> clients = new ArrayList<>();
  private final List<Process> keepers = new ArrayList<>();
  private final List<Integer> guardians = new ArrayList<>();
  private final long idleExitMillis;

  KeeperUnderTest(long idleExitMillis) throws IOException {
    this.idleExitMillis = idleExitMillis;
    folder = Files.createTempDirectory(Path.of("/tmp"), "rk");
    locks = folder.resolve("locks");
  }

  static KeeperUnderTest started() throws IOException {
    KeeperUnderTest keeper = new KeeperUnderTest(60_000);
    keeper.start();
    return keeper;
  }

  Process start() throws IOException {
    return start("node");
  }

  /** Starts one more keeper, for another node folder or for one whose keeper is gone. */
  Process start(String node) throws IOException {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put(DeviceLocks.FOLDER_VARIABLE, locks.toString());
    environment.put(KeeperMain.IDLE_EXIT_VARIABLE, Long.toString(idleExitMillis));
    Process process =
        KeeperLauncher.launch(
            Path.of(System.getProperty("java.home")),
            KeeperLauncher.JVM_FLAGS,
            classPath(),
            folder.resolve(node),
            environment,
            folder.resolve("keeper.log"));
    keepers.add(process);
    return process;
  }

  Process process() {
    return keepers.get(keepers.size() - 1);
  }

  public KeeperClient client() throws IOException {
    return client("node");
  }

  KeeperClient client(String node) throws IOException {
    KeeperClient client =
        KeeperClient.connect(
            new KeeperFolder(folder.resolve(node)).socket(),
            new KeeperClient.Listener() {
              @Override
              public void exited(TaskView task) {
                exits.add(task);
              }

              @Override
              public void disconnected(Throwable cause) {
                disconnects.add(cause);
              }
            },
            Duration.ofSeconds(3));
    clients.add(client);
    return client;
  }

  public String key(String name) {
    return run + name;
  }

  public Requests requests() {
    return Requests.in(folder);
  }

  /** Requests in a separate folder for a task. */
  public Requests requests(String task) throws IOException {
    return Requests.in(Files.createDirectories(folder.resolve(task)));
  }

  public ExitRecord awaitExit(KeeperClient client, String key) {
    return await("exit of " + key)
        .atMost(Duration.ofSeconds(15))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> exitOf(client, key), exit -> exit != null);
  }

  private static ExitRecord exitOf(KeeperClient client, String key) {
    return client.list().stream()
        .filter(task -> task.key().equals(key))
        .map(TaskView::exit)
        .filter(exit -> exit != null)
        .findFirst()
        .orElse(null);
  }

  /** Waits until a task has written a whole line and gives it. */
  String awaitLine(String file) {
    return await("a line in " + file)
        .atMost(Duration.ofSeconds(15))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> read(file), text -> text.endsWith("\n"))
        .trim();
  }

  int awaitPid(String file) {
    return Integer.parseInt(awaitLine(file));
  }

  public String read(String file) throws IOException {
    Path path = folder.resolve(file);
    return Files.exists(path) ? Files.readString(path) : "";
  }

  static boolean alive(int pid) {
    ProcStat stat = ProcFiles.stat(pid);
    return stat != null && !stat.dead();
  }

  static void awaitGone(int pid) {
    await("end of pid " + pid).atMost(Duration.ofSeconds(15)).until(() -> !alive(pid));
  }

  void signalKeeper(int signal) {
    Posix.kill((int) process().pid(), signal);
  }

  /** Returns when none of its threads runs any more. */
  void stopKeeper() {
    stop(process());
  }

  private static void stop(Process keeper) {
    Posix.kill((int) keeper.pid(), SIGSTOP);
    String pid = Long.toString(keeper.pid());
    await("stop of the keeper").until(() -> threadsOf(pid).allMatch(KeeperUnderTest::isStopped));
  }

  private static Stream<Path> threadsOf(String pid) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc", pid, "task"))) {
      return threads.toList().stream();
    }
  }

  private static boolean isStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException ended) {
      return true;
    }
  }

  /** The process that looks after what the keeper may leave. */
  int guardian() {
    return guardian(process());
  }

  private int guardian(Process keeper) {
    int found =
        await("a guardian")
            .until(
                () ->
                    ProcFiles.children((int) keeper.pid()).stream()
                        .filter(KeeperUnderTest::isGuardian)
                        .findFirst(),
                Optional::isPresent)
            .orElseThrow();
    guardians.add(found);
    return found;
  }

  /** Returns whether the process is a guardian that has become a shell. */
  static boolean isGuardian(int pid) {
    RlimitProcessMark.Mark limits = RlimitProcessMark.of(pid);
    return limits.keeper() != 0 && limits.serial() == 0 && ProcFiles.name(pid).equals(" (sh)");
  }

  /** Kills the first keeper and its guardian, so that its tasks live on. */
  void killUnguarded() {
    Process first = keepers.get(0);
    int guardian = guardian(first);
    stop(first); // so that it does not start another one
    Posix.kill(guardian, Posix.SIGKILL);
    first.destroyForcibly().onExit().join();
  }

  /** Kills the newest keeper. */
  void killKeeper() {
    process().destroyForcibly().onExit().join();
  }

  @Override
  public void close() throws IOException {
    clients.forEach(KeeperClient::close);
    for (Process keeper : keepers) {
      keeper.destroyForcibly();
      keeper.onExit().join();
    }
    guardians.forEach(guardian -> Posix.kill(guardian, Posix.SIGKILL));
    try (Stream<Path> nodes = Files.list(folder)) {
      nodes.forEach(node -> OrphanSweep.end(node, run));
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  static Path classPath() {
    return Path.of(place(KeeperMain.class) + ":" + place(com.sun.jna.Native.class));
  }

  private static String place(Class<?> type) {
    try {
      CodeSource source = type.getProtectionDomain().getCodeSource();
      return Path.of(source.getLocation().toURI()).toString();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
