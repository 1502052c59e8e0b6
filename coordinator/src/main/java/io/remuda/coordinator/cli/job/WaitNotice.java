package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.thread.DaemonThread;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Prints why a job does not start, once for each reason. The caller starts it only if standard
 * error is a terminal, so that a redirected stderr has nothing but the job's own output.
 */
final class WaitNotice implements Runnable {
  private static final long LOOK_MILLIS = 3000;
  private static final Set<String> BEFORE = Set.of("submitted", "held", "waiting");

  private final Supplier<RestClient> server;
  private final String id;
  private final PrintWriter err;
  private String said = "";

  private WaitNotice(Supplier<RestClient> server, String id, PrintWriter err) {
    this.server = server;
    this.id = id;
    this.err = err;
  }

  /** Starts a daemon thread that asks the server every three seconds until the job begins. */
  static void start(Supplier<RestClient> server, String id, PrintWriter err) {
    DaemonThread.start("wait-notice", new WaitNotice(server, id, err));
  }

  @Override
  public void run() {
    try {
      do {
        Thread.sleep(LOOK_MILLIS);
      } while (waits());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean waits() {
    try {
      JsonNode job = server.get().get("/jobs/" + id + "/explain");
      String state = job.path("state").asText();
      if (BEFORE.contains(state)) {
        say(job.path("text").path(0).asText(""));
      }
      return BEFORE.contains(state) || state.equals("starting");
    } catch (RestFailureException no) {
      return no.status() == RestFailureException.NO_SERVER;
    } catch (IOException awayForNow) {
      return true;
    }
  }

  private void say(String reason) {
    if (!reason.isEmpty() && !reason.equals(said)) {
      said = reason;
      err.println("remuda: job " + id + " waits: " + PrintableText.of(reason));
      err.flush();
    }
  }
}
