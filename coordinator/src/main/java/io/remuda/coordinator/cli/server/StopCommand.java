package io.remuda.coordinator.cli.server;

import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.UserPrompt;
import io.remuda.worker.job.EndingTerms;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Ends the server. */
@Command(
    name = "stop",
    description =
        "Ends the server. Running tasks are cancelled, each within its grace, on a terminal after a"
            + " question; waiting tasks are kept for the next server.")
public final class StopCommand extends ServerCommandBase {

  private static final long DEADLINE_NANOS = (EndingTerms.MOST_GRACE_MILLIS + 20_000) * 1_000_000;

  private static final long NOTICE_NANOS = 2_000_000_000L;
  private static final long LOOK_MILLIS = 50;

  @Option(names = "--keep", description = "tasks continue; the next server takes them over")
  private boolean keep;

  @Option(names = "--now", description = "tasks are killed at once, not after their grace")
  private boolean now;

  @Option(
      names = {"-y", "--yes"},
      description = "cancel what runs without a question")
  private boolean yes;

  private final UserPrompt prompt;

  StopCommand() {
    this(null);
  }

  /**
   * @param prompt null for that of the caller
   */
  StopCommand(UserPrompt prompt) {
    this.prompt = prompt;
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    if (keep && now) {
      throw new ParameterException(spec.commandLine(), "give --keep or --now, not both");
    }
    RestClient own = new RestClient(server.access().at(server.access().rest()));
    UserPrompt asking = prompt == null ? UserPrompt.of(caller()) : prompt;
    if (!keep && !now && !yes && asking.isPossible() && !isConfirmed(own, asking)) {
      return FAILURE;
    }
    own.post("/stop" + (keep ? "?keep=1" : now ? "?now=1" : ""), null);
    long noticeAt = System.nanoTime() + NOTICE_NANOS;
    boolean noticed = keep || now;
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < deadline) {
      try {
        own.get("/version");
        if (!noticed && System.nanoTime() > noticeAt) {
          err().println("remuda: tasks have their grace to end; remuda stop --now kills them");
          err().flush();
          noticed = true;
        }
        Thread.sleep(LOOK_MILLIS);
      } catch (RestFailureException gone) {
        return OK;
      } catch (IOException goneMeanwhile) {
        return OK;
      }
    }
    err().println("remuda: the server has not ended within 20 seconds");
    err().flush();
    return FAILURE;
  }

  /** Asks before running jobs are cancelled; a server without any ends without a question. */
  private boolean isConfirmed(RestClient server, UserPrompt asking) throws IOException {
    int running = server.get("/top?jobs=0").path("counts").path("running").asInt();
    if (running == 0) {
      return true;
    }
    err()
        .print(
            (running == 1 ? "1 running job is" : running + " running jobs are")
                + " cancelled (remuda stop --keep lets them go on); stop the server? [y/N] ");
    err().flush();
    boolean confirmed = asking.isConfirmed();
    if (!confirmed) {
      err().println("remuda: the server goes on");
      err().flush();
    }
    return confirmed;
  }
}
