package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.select.CancellationPreviewText;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.cli.select.JobFilters;
import io.remuda.coordinator.cli.show.JobTermsText;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.UserPrompt;
import io.remuda.coordinator.lifecycle.TaskState;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Cancels jobs: waiting tasks at once, running tasks with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description =
        "Cancels jobs: waiting tasks at once, running tasks with SIGTERM and,"
            + " after their grace, SIGKILL. With --state pending (or waiting, held, submitted) it"
            + " cancels only what has not started: also of jobs that run the tasks that wait. On a"
            + " terminal it asks before it ends more than ten tasks.")
public final class CancelCommand extends JobActionCommand {

  private static final Set<TaskState> BEFORE =
      Stream.of(TaskState.values())
          .filter(TaskState::isBefore)
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(TaskState.class)));

  @Option(names = "--now", description = "with SIGKILL at once, not after each task's grace")
  private boolean now;

  @Option(
      names = {"-y", "--yes"},
      description = "do not ask")
  private boolean yes;

  @Option(
      names = "--dry-run",
      description = "only say which jobs and how many of their tasks would end")
  private boolean dryRun;

  @Option(
      names = {"-s", "--signal"},
      hidden = true,
      paramLabel = "SIGNAL")
  private void signal(String name) {
    throw new ParameterException(
        spec.commandLine(),
        "cancel ends jobs; to send a signal to a running one: remuda signal " + name + " JOB");
  }

  @Option(names = "--reason", paramLabel = "TEXT", description = "why, as state and show then say")
  private String reason;

  private final UserPrompt terminal;
  private boolean several;

  /** Those that were cancelled before the others, since nothing of them ran. */
  private final Set<ChosenJob> ended = new HashSet<>();

  CancelCommand() {
    this(null);
  }

  /**
   * @param terminal null for that of the caller
   */
  CancelCommand(UserPrompt terminal) {
    super("cancel", "is cancelled");
    this.terminal = terminal;
  }

  @Override
  String query() {
    String why = reason == null ? "" : "&reason=" + RestClient.encode(reason);
    return now ? "?now=1" + why : why.replaceFirst("^&", "?");
  }

  @Override
  String actionOfMany() {
    boolean whole = !dryRun && filters().beforeStart().isEmpty();
    return whole ? (now ? "cancel-now" : "cancel") : null;
  }

  @Override
  String reason() {
    return reason;
  }

  @Override
  JobFilters choosing() {
    return filters().beforeStart().isEmpty() ? filters() : filters().ofUnfinished();
  }

  @Override
  String change(RestClient server, ChosenJob job) throws IOException {
    Set<TaskState> before = filters().beforeStart();
    if (dryRun) {
      return planned(server, job);
    }
    return before.isEmpty() ? cancel(server, job) : cancelWaiting(server, job, before);
  }

  /** Returns what would end, and which jobs start after that and may never. */
  private String planned(RestClient server, ChosenJob job) throws IOException {
    String planned = CancellationPreviewText.planned(job, meant());
    if (planned == null || job.task() != null || !filters().beforeStart().isEmpty()) {
      return planned;
    }
    String then = JobTermsText.then(server.get(job.path()));
    return then.isEmpty() ? planned : planned + "; jobs that start after it: " + then;
  }

  /**
   * Cancels first what waits: else the place of each that is cancelled would go to the next, which
   * would start to be ended at once.
   */
  @Override
  void prepare(RestClient server, List<ChosenJob> jobs) throws IOException {
    several = jobs.size() > 1;
    if (!several || dryRun || !filters().beforeStart().isEmpty()) {
      return;
    }
    for (ChosenJob job : jobs) {
      try {
        Waiting its = waiting(server, job, BEFORE);
        if (its.cancelled() > 0 && (job.task() != null || its.left() == 0)) {
          ended.add(job);
        }
      } catch (RestFailureException no) {
        if (no.status() == RestFailureException.NO_SERVER) {
          throw no;
        } // else what is wrong is said when the job itself is cancelled
      }
    }
  }

  /** Cancels a job, which the end of one before it may have cancelled already. */
  private String cancel(RestClient server, ChosenJob job) throws IOException {
    if (ended.contains(job)) {
      return job.words() + " is cancelled";
    }
    try {
      return super.change(server, job);
    } catch (RestFailureException no) {
      boolean withAnother =
          several
              && job.task() == null
              && no.status() != RestFailureException.NO_SERVER
              && TaskState.CANCELLED.label().equals(server.get(job.path()).path("state").asText());
      if (withAnother) {
        return job.words() + " is cancelled";
      }
      throw no;
    }
  }

  /** Cancels what waits of a job, and says how much. */
  private String cancelWaiting(RestClient server, ChosenJob job, Set<TaskState> states)
      throws IOException {
    Waiting its = waiting(server, job, states);
    if (its.cancelled() == 0) {
      return null;
    } else if (job.task() != null || its.left() == 0) {
      return job.words() + " is cancelled";
    }
    return "%s: %s cancelled, %s on"
        .formatted(
            job.words(),
            its.cancelled() == 1
                ? "1 task that waited is"
                : its.cancelled() + " tasks that waited are",
            its.left() == 1 ? "1 goes" : its.left() + " go");
  }

  /** How many tasks of a job were cancelled, and how many have not ended. */
  private record Waiting(int cancelled, int left) {}

  /** Cancels the tasks of a job that are in these states, and no others: the server decides. */
  private Waiting waiting(RestClient server, ChosenJob job, Set<TaskState> states)
      throws IOException {
    String path =
        "/jobs/"
            + job.id()
            + "/tasks/cancel?state="
            + states.stream().map(TaskState::label).collect(Collectors.joining(","))
            + (reason == null ? "" : "&reason=" + RestClient.encode(reason))
            + (job.task() == null ? "" : "&end=" + (job.task() + 1));
    int first = job.task() == null ? 0 : job.task();
    int cancelled = 0;
    JsonNode answer;
    do {
      answer = server.post(path + "&first=" + first, null);
      cancelled += answer.path("cancelled").asInt();
      first = answer.path("next").asInt();
    } while (answer.path("next").isInt());
    return new Waiting(cancelled, answer.path("left").asInt());
  }

  @Override
  boolean takesTasks() {
    return true;
  }

  @Override
  List<ChosenJob> chosen(RestClient server) throws IOException {
    if (dryRun) {
      return chosenWithProgress(server);
    }
    UserPrompt asking = terminal == null ? UserPrompt.of(caller()) : terminal;
    if (yes || quiet || !asking.isPossible()) {
      return super.chosen(server);
    }
    List<ChosenJob> jobs = chosenWithProgress(server);
    Optional<String> question = CancellationPreviewText.about(jobs, meant());
    if (question.isEmpty()) {
      return jobs;
    }
    err().print(question.get());
    err().flush();
    if (asking.isConfirmed()) {
      return jobs;
    }
    throw new NotConfirmedException();
  }

  /** Returns the labels of the states whose tasks are to end, in the order of a task's life. */
  private Set<String> meant() {
    Set<TaskState> before = filters().beforeStart();
    return Stream.of(TaskState.values())
        .filter(state -> before.isEmpty() ? !state.isFinal() : before.contains(state))
        .map(TaskState::label)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The user has said no. */
  private static final class NotConfirmedException extends IOException {
    private static final long serialVersionUID = 1;
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    try {
      return super.ask(server);
    } catch (NotConfirmedException no) {
      err().println("remuda: nothing is cancelled");
      err().flush();
      return FAILURE;
    }
  }
}
