package io.remuda.coordinator.cli.server;

import io.remuda.agent.commandline.Caller;
import io.remuda.agent.settings.Distribution;
import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.LockFile;
import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds the server for {@code remuda run}, or starts one, which ends after 30 s without a job.
 * Commands that start a server at the same time share it.
 */
public final class TransientServerLauncher {

  private static final long DEADLINE_SECONDS = 60;
  private static final long LOOK_MILLIS = 50;
  private static final long AGAIN_MILLIS = 1000;
  private static final String IDLE_EXIT = "30s";

  private TransientServerLauncher() {}

  /**
   * Returns a client of the server of the caller's state folder.
   *
   * @param caller whose environment the server gets if it is started
   */
  public static RestClient find(Caller caller) throws IOException, InterruptedException {
    RemudaPaths paths = caller.paths();
    RestClient running = answering(paths.state(), RequestEnd.NONE);
    if (running != null) {
      return running;
    }
    SettingsCheck.of(paths.state()); // here, where its user sees what is wrong
    FolderOwnershipCheck.create(paths.state());
    StartLock door = new StartLock(paths.state().resolve("start.lock"));
    try {
      return start(paths.state(), door, caller);
    } finally {
      door.close();
    }
  }

  /**
   * The lock of the one process that starts a server. The others wait for that server; otherwise
   * each would start a JVM.
   */
  private static final class StartLock {
    private final Path file;
    private Optional<LockFile> lock = Optional.empty();

    private StartLock(Path file) {
      this.file = file;
    }

    private boolean isOurs() throws IOException {
      lock = lock.isPresent() ? lock : LockFile.take(file);
      return lock.isPresent();
    }

    private void close() throws IOException {
      if (lock.isPresent()) {
        lock.get().close();
      }
    }
  }

  private static RestClient start(Path home, StartLock door, Caller caller)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    RequestEnd end = RequestEnd.in(Duration.ofSeconds(DEADLINE_SECONDS));
    Process started = null;
    while (System.nanoTime() < deadline) {
      RestClient running = answering(home, end);
      if (running != null) {
        return running;
      }
      if (door.isOurs() && started == null) {
        started = start(home, caller);
      } else if (started != null && !started.isAlive()) {
        if (started.exitValue() != 0 && started.exitValue() != ServeCommand.IN_USE) {
          break;
        }
        Thread.sleep(AGAIN_MILLIS); // the server with the folder answers soon, or is ending
        started = null;
        continue;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    throw new RestFailureException(
        RestFailureException.NO_SERVER, "cannot start a server: see " + home.resolve("serve.log"));
  }

  private static RestClient answering(Path home, RequestEnd end) throws IOException {
    try {
      RestClient server = RestClient.of(home);
      server.until(end).get("/jobs?limit=1");
      return server;
    } catch (RestFailureException no) {
      if (no.status() == RestFailureException.NO_SERVER) {
        return null;
      }
      throw no;
    }
  }

  /** Returns how much heap the server has, as {@code bin/remuda} sets it. */
  private static List<String> memory(Caller caller) {
    String memory = caller.readEnvironment().getOrDefault("REMUDA_SERVER_MEMORY", "");
    return memory.isEmpty() ? List.of("-Xmx512m", "-Xms96m") : List.of("-Xmx" + memory);
  }

  private static Process start(Path home, Caller caller) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Distribution.java().toString());
    command.addAll(memory(caller));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    String archives = System.getProperty("remuda.archives");
    if (archives != null) {
      command.add("-Dremuda.archives=" + archives);
      Path own = Path.of(archives, "serve.jsa");
      if (own.toFile().isFile()) {
        command.addAll(
            List.of("-XX:SharedArchiveFile=" + own, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
      }
    }
    command.addAll(
        List.of(
            "-jar",
            Distribution.locate().home().resolve("coordinator.jar").toString(),
            "serve",
            "--idle-exit",
            IDLE_EXIT));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("serve.log").toFile()));
    caller.passTo(builder);
    builder.environment().put("LC_ALL", "C.UTF-8"); // paths may have any character
    builder.directory(Path.of("/").toFile());
    return builder.start();
  }
}
