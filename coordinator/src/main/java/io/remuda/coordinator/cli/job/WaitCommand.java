package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobChoice;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Waits until jobs have ended. */
@Command(
    name = "wait",
    description = "Waits until jobs have ended; exits with 0 only if all of them succeeded.")
public final class WaitCommand extends RestCommand {

  private static final Set<String> FINAL = Set.of("succeeded", "failed", "cancelled", "lost");
  private static final long FIRST_PAUSE = 20;
  private static final long LONGEST_PAUSE = 500;

  @Parameters(arity = "0..*", paramLabel = "JOB", description = JobChoice.WAYS)
  private List<String> selectors = new ArrayList<>();

  @Mixin private JobFilters filters;

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    List<String> waiting = new ArrayList<>();
    chosen(server).forEach(job -> waiting.add(Long.toString(job.id())));
    boolean allGood = true;
    long pause = FIRST_PAUSE;
    RetryWhileAway retryWhileAway = new RetryWhileAway(err());
    while (!waiting.isEmpty()) {
      String path = "/jobs/" + waiting.get(0);
      JsonNode job = retryWhileAway.ask(() -> server.get(path));
      String state = job.path("state").asText();
      if (FINAL.contains(state)) {
        boolean good = state.equals("succeeded");
        allGood &= good;
        if (!quiet && !good) {
          String reason = text(job, "reason");
          err()
              .println(
                  "job "
                      + waiting.get(0)
                      + " "
                      + state
                      + (reason == null ? "" : ": " + PrintableText.of(reason)));
        }
        waiting.remove(0);
      } else {
        Thread.sleep(pause);
        pause = Math.min(LONGEST_PAUSE, pause * 2);
      }
    }
    err().flush();
    return allGood ? OK : FAILURE;
  }

  private List<ChosenJob> chosen(RestClient server) throws IOException {
    if (selectors.isEmpty() && filters.areNone()) {
      throw new ParameterException(
          spec.commandLine(), "no job is named: give " + JobChoice.WAYS + "; or a filter");
    }
    JobChoice.Choice choice = JobChoice.of(server, selectors, filters, JobChoice.Purpose.LOOK);
    choice.notes().forEach(note -> err().println("remuda: " + PrintableText.of(note)));
    return choice.jobs();
  }
}
