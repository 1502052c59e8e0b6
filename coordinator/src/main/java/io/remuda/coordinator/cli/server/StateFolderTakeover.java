package io.remuda.coordinator.cli.server;

import io.remuda.agent.settings.LockFile;
import io.remuda.coordinator.client.RequestEnd;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the state folder while a server has it that is about to go: one that is ending, or one
 * that {@code remuda run} has started for a while, which is asked to end. Its tasks run on.
 */
final class StateFolderTakeover {

  /** Marks a folder whose server ends by itself when it has no job. */
  private static final String MARK = "transient";

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A server that answers for so long without the mark stays. */
  private static final long STAYS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LOOK_MILLIS = 50;

  private static final Duration LONGEST_LOOK = Duration.ofSeconds(5);

  private final Path home;
  private final PrintWriter err;
  private boolean asked;

  private StateFolderTakeover(Path home, PrintWriter err) {
    this.home = home;
    this.err = err;
  }

  /** Says that the server of this folder goes when it is idle. */
  static void mark(Path home) throws IOException {
    Files.write(home.resolve(MARK), new byte[0]);
  }

  /** Returns when the folder is free, or when its server does not go. */
  static void await(Path home, PrintWriter err) throws IOException, InterruptedException {
    new StateFolderTakeover(home, err).await();
  }

  private void await() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + MOST_NANOS;
    long answersSince = 0;
    while (LockFile.isHeld(home.resolve("serve.lock"))) {
      long now = System.nanoTime();
      if (Files.exists(home.resolve(MARK))) {
        askToEnd();
      } else if (isAnswering()) {
        answersSince = answersSince == 0 ? now : answersSince;
        if (now - answersSince > STAYS_NANOS) {
          return;
        }
      }
      if (now > deadline) {
        return;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    Files.deleteIfExists(home.resolve(MARK));
  }

  private boolean isAnswering() throws IOException {
    try (RestClient server = RestClient.of(home).until(RequestEnd.in(LONGEST_LOOK))) {
      server.get("/version");
      return true;
    } catch (IOException goneOrStarting) {
      return false;
    }
  }

  private void askToEnd() throws IOException {
    try (RestClient server = RestClient.of(home).until(RequestEnd.in(LONGEST_LOOK))) {
      server.post("/stop?keep=1", null);
      if (!asked) {
        err.println("remuda: takes over from the server that remuda run has started");
        err.flush();
      }
      asked = true;
    } catch (RestFailureException notNow) { // it starts, or ends already
      if (notNow.status() != RestFailureException.NO_SERVER) {
        throw notNow;
      }
    }
  }
}
