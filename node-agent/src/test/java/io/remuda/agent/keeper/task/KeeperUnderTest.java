package io.remuda.agent.keeper.task;

import static org.awaitility.Awaitility.await;

import io.remuda.agent.keeper.ExitRecord;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.proc.Posix;
import io.remuda.agent.keeper.proc.ProcFiles;
import io.remuda.agent.keeper.proc.ProcStat;
import io.remuda.agent.keeper.proc.RlimitProcessMark;
import io.remuda.agent.keeper.program.KeeperMain;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.keeper.sweep.KeeperProcessJournal;
import io.remuda.agent.keeper.sweep.OrphanSweep;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real keeper in a JVM of its own, as one test sees it: in a short folder of its own, with keys
 * of its own. {@link #close} ends every process that its tasks have left, by their ids, and leaves
 * the keeper of {@link KeeperPlace} to the next test if that is well.
 */
public final class KeeperUnderTest implements AutoCloseable {
  private static final int SIGSTOP = 19;

  /** For the files of the test. */
  public final Path folder;

  final String run = "t" + ProcessHandle.current().pid() + "x" + System.nanoTime() + "/";
  public final List<TaskView> exits = new CopyOnWriteArrayList<>();
  public final List<Throwable> disconnects = new CopyOnWriteArrayList<>();
  private final KeeperPlace place;
  private final List<KeeperClient> clients = new ArrayList<>();
  private final List<Process> keepers = new ArrayList<>();
  private final List<Integer> guardians = new ArrayList<>();
  private boolean worn;

  KeeperUnderTest(KeeperPlace place) throws IOException {
    this.place = place;
    folder = place.nextTest();
    if (place.keeper() != null) {
      keepers.add(place.keeper());
    }
  }

  /** The folder of the first keeper's node. */
  public Path node() {
    return place.node;
  }

  /** What the keepers have logged. */
  Path log() {
    return place.log;
  }

  private Path node(String name) {
    return name.equals("node") ? node() : folder.resolve(name);
  }

  /** Starts the keeper, or one for its folder when it is gone. */
  Process start() throws IOException {
    Process process = place.start();
    keepers.add(process);
    return process;
  }

  /** Starts one more keeper, for another node folder. */
  Process start(String node) throws IOException {
    Process process = place.start(node(node));
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
    return client(node, Duration.ofSeconds(3));
  }

  /** A client that waits this long for each answer. */
  KeeperClient client(Duration patience) throws IOException {
    return client("node", patience);
  }

  private KeeperClient client(String node, Duration patience) throws IOException {
    KeeperClient client =
        KeeperClient.connect(
            new KeeperFolder(node(node)).socket(),
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
            patience);
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
        .atMost(Duration.ofSeconds(60))
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
        .atMost(Duration.ofSeconds(60))
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

  /** Returns how many sockets the newest keeper holds open. */
  long sockets() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", "" + process().pid(), "fd"))) {
      return open.filter(KeeperUnderTest::isSocket).count();
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException closed) {
      return false;
    }
  }

  /** Kills the newest keeper. */
  void killKeeper() {
    process().destroyForcibly().onExit().join();
  }

  /** Ends what the test has left. */
  @Override
  public void close() throws IOException {
    clients.forEach(KeeperClient::close);
    for (Process keeper : keepers) {
      if (keeper != place.keeper()) {
        keeper.destroyForcibly().onExit().join();
      }
    }
    worn = !place.renew();
    if (worn) {
      place.keeper().destroyForcibly().onExit().join();
      guardians.forEach(guardian -> Posix.kill(guardian, Posix.SIGKILL));
      OrphanSweep.end(node(), run);
    }
    try (Stream<Path> inside = Files.list(folder)) {
      inside
          .filter(one -> Files.exists(one.resolve(KeeperProcessJournal.FOLDER)))
          .forEach(node -> OrphanSweep.end(node, run));
    }
    KeeperPlace.delete(node().resolve("tasks"));
    KeeperPlace.delete(folder);
  }

  /** Returns whether the keeper, after {@link #close}, can serve no other test. */
  boolean isWorn() {
    return worn;
  }

  static Path classPath() {
    return Path.of(
        Stream.of(KeeperMain.class, DaemonThread.class, com.sun.jna.Native.class)
            .map(KeeperUnderTest::place)
            .distinct()
            .collect(Collectors.joining(":")));
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
