package io.remuda.coordinator.cli.channel;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.select.FinalStates;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.TaskId;
import java.io.IOException;

/** Connects this terminal with that of a job's task, over all of its attempts. */
public final class TaskTerminal {

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  /** A server that may go away and come back. */
  public interface Server {
    RestClient client();

    JsonNode get(String path) throws IOException, InterruptedException;
  }

  private final Server server;
  private final TaskId task;
  private final TerminalSession session;
  private int lastAttempt;

  /**
   * @param caller whose terminal it is
   */
  public TaskTerminal(Caller caller, Server server, String job) {
    this.session = new TerminalSession(caller);
    this.server = server;
    this.task = new TaskId(new JobId(Long.parseLong(job)), 0);
  }

  /** Returns the job when it is over. */
  public JsonNode follow() throws IOException, InterruptedException {
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      TaskLink link = newAttempt();
      if (link != null) {
        session.run(link);
        pause = FIRST_PAUSE_MILLIS;
      }
      JsonNode job = server.get("/jobs/" + task.job());
      if (FinalStates.include(job.path("state").asText())) {
        return job;
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  /** Returns the channel to an attempt that is new here; null if there is none now. */
  private TaskLink newAttempt() throws IOException {
    try {
      TaskLink link = TaskLink.ofTask(server.client(), task);
      boolean again = link.attempt() == lastAttempt;
      lastAttempt = link.attempt();
      return again ? null : link;
    } catch (IOException fault) {
      boolean over =
          fault instanceof RestFailureException no && no.status() == TaskLink.WRONG_STATE;
      if (over || TaskLink.isAway(fault)) {
        return null;
      }
      throw fault;
    }
  }
}
