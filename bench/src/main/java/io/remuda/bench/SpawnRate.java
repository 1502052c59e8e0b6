package io.remuda.bench;

import io.remuda.agent.keeper.ExitStatus;
import io.remuda.agent.keeper.SpawnAnswer;
import io.remuda.agent.keeper.SpawnRequest;
import io.remuda.agent.keeper.TaskView;
import io.remuda.agent.keeper.proc.KeeperFolder;
import io.remuda.agent.keeper.program.KeeperLauncher;
import io.remuda.agent.keeper.protocol.KeeperClient;
import io.remuda.agent.settings.JvmFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Measures process starts: runs /bin/true many times, two at a time, each in its own folder with
 * its output in files. One variant uses a keeper in its own process, from request to exit record,
 * the other a plain ProcessBuilder in this process. Prints the seconds of each round.
 */
public final class SpawnRate {

  private static final int AT_ONCE = 2;
  private static final String PROGRAM = "/bin/true";

  private final Path folder;
  private final int count;
  private final KeeperClient keeper;
  private final Map<String, CompletableFuture<TaskView>> exits;

  private SpawnRate(
      Path folder, int count, KeeperClient keeper, Map<String, CompletableFuture<TaskView>> exits) {
    this.folder = folder;
    this.count = count;
    this.keeper = keeper;
    this.exits = exits;
  }

  /**
   * Runs the rounds; arguments: node-agent.jar, a folder with a short path, processes per round,
   * rounds.
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]).toAbsolutePath();
    Path node = folder.resolve("node");
    Process process =
        KeeperLauncher.launch(
            Path.of(System.getProperty("java.home")),
            JvmFlags.keeper(),
            Path.of(arguments[0]),
            node,
            System.getenv(),
            folder.resolve("keeper.log"));
    Map<String, CompletableFuture<TaskView>> exits = new ConcurrentHashMap<>();
    try (KeeperClient keeper =
        KeeperClient.connect(new KeeperFolder(node).socket(), listener(exits))) {
      SpawnRate rate = new SpawnRate(folder, Integer.parseInt(arguments[2]), keeper, exits);
      rate.round(0, rate::throughKeeper);
      rate.round(0, rate::byProcessBuilder);
      for (int round = 1; round <= Integer.parseInt(arguments[3]); round++) {
        print("keeper", rate.round(round, rate::throughKeeper));
        print("process-builder", rate.round(round, rate::byProcessBuilder));
      }
      keeper.shutdown(0);
    } finally {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    System.exit(0);
  }

  private static void print(String kind, double seconds) {
    System.out.println(kind + "\t" + seconds);
  }

  private static KeeperClient.Listener listener(Map<String, CompletableFuture<TaskView>> exits) {
    return new KeeperClient.Listener() {
      @Override
      public void exited(TaskView task) {
        exits.get(task.key()).complete(task);
      }

      @Override
      public void disconnected(Throwable cause) {
        exits.values().forEach(exit -> exit.completeExceptionally(cause));
      }
    };
  }

  /** Starts one process in a folder and waits until it ended successfully. */
  private interface Starter {
    void run(String key, Path folder) throws Exception;
  }

  private double round(int number, Starter starter) throws Exception {
    List<Path> folders = folders("r" + number + "-" + System.nanoTime());
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      long began = System.nanoTime();
      List<Callable<Void>> parts = new ArrayList<>();
      for (int part = 0; part < AT_ONCE; part++) {
        int first = part;
        parts.add(() -> runEach(folders, first, starter));
      }
      for (Future<Void> part : threads.invokeAll(parts)) {
        part.get();
      }
      return (System.nanoTime() - began) / 1e9;
    } finally {
      threads.shutdownNow();
    }
  }

  private List<Path> folders(String round) throws IOException {
    List<Path> made = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      made.add(Files.createDirectories(folder.resolve(round).resolve(Integer.toString(index))));
    }
    return made;
  }

  private static Void runEach(List<Path> folders, int first, Starter starter) throws Exception {
    for (int index = first; index < folders.size(); index += AT_ONCE) {
      Path own = folders.get(index);
      starter.run("bench/" + own.getParent().getFileName() + "/" + index, own);
    }
    return null;
  }

  private void throughKeeper(String key, Path own) throws Exception {
    CompletableFuture<TaskView> exit = new CompletableFuture<>();
    exits.put(key, exit);
    SpawnAnswer answer =
        keeper.spawn(
            new SpawnRequest(
                key,
                List.of(PROGRAM),
                Map.of(),
                own,
                own.resolve("out"),
                own.resolve("err"),
                own,
                List.of(),
                0,
                0));
    if (!(answer instanceof SpawnAnswer.Started)) {
      throw new IllegalStateException("not started: " + answer);
    }
    ExitStatus status = exit.get(10, TimeUnit.SECONDS).exit().status();
    if (status.shellCode() != 0) {
      throw new IllegalStateException("ended with " + status);
    }
    keeper.forget(List.of(key));
    exits.remove(key);
  }

  private void byProcessBuilder(String key, Path own) throws Exception {
    Process process =
        new ProcessBuilder(PROGRAM)
            .directory(own.toFile())
            .redirectOutput(own.resolve("out").toFile())
            .redirectError(own.resolve("err").toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(key + " ended with " + process.exitValue());
    }
  }
}
