package io.remuda.agent.keeper.task;

import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.UnansweredKeeperCallException;
import io.remuda.agent.keeper.limit.DeviceLocks;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.program.KeeperLauncher;
import io.remuda.agent.keeper.program.KeeperMain;
import io.remuda.agent.keeper.protocol.KeeperClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A short folder with a keeper of the node folder {@code node} in a JVM of its own, which may serve
 * one test after the other, and with the device locks and the log of all keepers that are started
 * from here.
 */
final class KeeperPlace implements AutoCloseable {
  final Path folder;
  final Path node;
  final Path log;
  private final long idleExitMillis;
  private Process keeper;
  private int tests;

  KeeperPlace(long idleExitMillis) throws IOException {
    this.idleExitMillis = idleExitMillis;
    folder = Files.createTempDirectory(Path.of("/tmp"), "rk");
    node = folder.resolve("node");
    log = folder.resolve("keeper.log");
  }

  static KeeperPlace started() throws IOException {
    KeeperPlace place = new KeeperPlace(60_000);
    place.start();
    return place;
  }

  Process start() throws IOException {
    keeper = start(node);
    return keeper;
  }

  /** Starts one more keeper. */
  Process start(Path other) throws IOException {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put(DeviceLocks.FOLDER_VARIABLE, folder.resolve("locks").toString());
    environment.put(KeeperMain.IDLE_EXIT_VARIABLE, Long.toString(idleExitMillis));
    return KeeperLauncher.launch(
        Path.of(System.getProperty("java.home")),
        KeeperLauncher.JVM_FLAGS,
        KeeperUnderTest.classPath(),
        other,
        environment,
        log);
  }

  /** The keeper of {@link #node} that was started last. */
  Process keeper() {
    return keeper;
  }

  /** Makes a folder for one more test. */
  Path nextTest() throws IOException {
    tests++;
    return Files.createDirectory(folder.resolve("t" + tests));
  }

  /** Ends all tasks and returns whether the keeper is as if it were new. */
  boolean renew() {
    if (!keeper.isAlive()) {
      return false;
    }
    try (KeeperClient client = KeeperClient.connect(new KeeperFolder(node).socket(), deaf())) {
      client.list().forEach(task -> client.kill(task.key(), 0));
      Awaitility.await("the ends of all tasks")
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(10))
          .until(() -> client.list().stream().allMatch(task -> task.exit() != null));
      client.forget(client.list().stream().map(TaskView::key).toList());
      return client.list().isEmpty();
    } catch (IOException | UnansweredKeeperCallException gone) {
      return false;
    }
  }

  private static KeeperClient.Listener deaf() {
    return new KeeperClient.Listener() {
      @Override
      public void exited(TaskView task) {}

      @Override
      public void disconnected(Throwable cause) {}
    };
  }

  /** Deletes a folder, if it is there, and all in it. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  /** Ends the keeper. Its tasks have ended. */
  @Override
  public void close() throws IOException {
    if (keeper != null) {
      keeper.destroyForcibly().onExit().join();
    }
    delete(folder);
  }
}
