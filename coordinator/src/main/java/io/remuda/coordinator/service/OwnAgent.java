package io.remuda.coordinator.service;

import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.coordinator.launch.AgentProcess;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of the server's machine. It outlives a server that is killed, and the next server finds
 * it. An agent that ends is started again. Any thread.
 */
final class OwnAgent {

  private static final Logger LOG = LoggerFactory.getLogger(OwnAgent.class);
  private static final long LOOK_MILLIS = 500;

  /**
   * The parameters of its start.
   *
   * @param name of the node
   * @param folder of the node
   * @param access file of the cluster
   * @param launcher starts it
   * @param more additional options of the agent
   */
  record Launch(
      String name,
      Path folder,
      Path access,
      Path cache,
      AgentLauncher launcher,
      List<String> more) {}

  private final Launch launch;
  private final AgentEndMessages ends;
  private final RestartPause pause = new RestartPause();
  private AgentLauncher.Agent started; // last, by this server, or null
  private volatile boolean ending;

  OwnAgent(Launch launch) {
    this.launch = launch;
    this.ends = new AgentEndMessages(log());
  }

  private Path log() {
    return AgentProcess.log(launch.folder());
  }

  /**
   * Starts an agent unless one is alive, and starts it again whenever it ends.
   *
   * @throws IOException if the first agent cannot be started
   */
  void start() throws IOException {
    look();
    DaemonThread.start("own-agent", this::watch);
  }

  private void watch() {
    try {
      while (!ending) {
        Thread.sleep(LOOK_MILLIS);
        lookAgain();
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookAgain() {
    try {
      look();
    } catch (IOException fault) {
      LOG.error("the agent of this machine cannot be started now: {}", fault.toString());
    }
  }

  /**
   * Starts an agent unless one is starting or alive, possibly that of an earlier server. Once this
   * server ends it touches nothing: its folder may be removed.
   */
  synchronized void look() throws IOException {
    if (ending) {
      return;
    }
    FolderOwnershipCheck.create(launch.folder());
    boolean comingUp = started != null && started.isAlive();
    if (comingUp) {
      return;
    }
    boolean another = launch.launcher().find(launch.folder()).isPresent();
    if (started != null && !another) {
      long millis = pause.ended(millis());
      ends.ended(started.exitCode(), millis).ifPresent(word -> LOG.warn("{}", word));
    }
    started = null;
    if (!another && pause.isOver(millis())) {
      launchOne();
    }
  }

  private void launchOne() throws IOException {
    ends.begins();
    started = launch.launcher().start(launch.folder(), options());
    pause.started(millis());
  }

  private static long millis() {
    return System.nanoTime() / 1_000_000;
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    options.addAll(
        List.of(
            "--join",
            launch.access().toString(),
            "--name",
            launch.name(),
            "--folder",
            launch.folder().toString(),
            "--cache",
            launch.cache().toString()));
    options.addAll(launch.more());
    return options;
  }

  /** Ends the agent in order and waits for its end; its tasks continue. */
  void end(long millis) throws InterruptedException {
    leave();
    Optional<AgentLauncher.Agent> agent = agent(); // also one that was just started again
    agent.ifPresent(AgentLauncher.Agent::askToEnd);
    await(agent, millis);
  }

  /** Waits until the agent ends by itself; does not start it again. */
  void awaitEnd(long millis) throws InterruptedException {
    leave();
    await(agent(), millis);
  }

  /** Does not start the agent again; one that is alive goes on. */
  void leaveAlone() {
    leave();
  }

  private static void await(Optional<AgentLauncher.Agent> agent, long millis)
      throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (agent.isPresent() && agent.get().isAlive() && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
  }

  private synchronized void leave() {
    ending = true; // the lock has waited for a running look()
  }

  private Optional<AgentLauncher.Agent> agent() {
    try {
      return launch.launcher().find(launch.folder());
    } catch (IOException unreadable) {
      LOG.warn("{} cannot be read: {}", launch.folder(), unreadable.toString());
      return Optional.empty();
    }
  }

  /**
   * How long to wait before a program that has ended is started again: half a second, and twice as
   * long each time that it has not stayed up, to a minute. Times are milliseconds of one monotonic
   * clock. One thread.
   */
  static final class RestartPause {
    static final long FIRST_MILLIS = 500;
    static final long LONGEST_MILLIS = 60_000;

    /** A program that has run for so long has stayed up. */
    static final long STEADY_MILLIS = 5000;

    private long startedAt;
    private long pauseMillis;
    private long notBefore;

    /** Notes a start. */
    void started(long now) {
      startedAt = now;
    }

    /** Notes the end of what was started last, and returns the milliseconds to the next start. */
    long ended(long now) {
      boolean steady = now - startedAt >= STEADY_MILLIS;
      pauseMillis =
          steady || pauseMillis == 0 ? FIRST_MILLIS : Math.min(2 * pauseMillis, LONGEST_MILLIS);
      notBefore = now + pauseMillis;
      return pauseMillis;
    }

    /** Whether the pause is over. */
    boolean isOver(long now) {
      return pauseMillis == 0 || now - notBefore >= 0;
    }
  }
}
