package io.remuda.coordinator.cli.job;

import io.remuda.coordinator.cli.select.CancelQuestion;
import io.remuda.coordinator.cli.select.ChosenJob;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.console.UserPrompt;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Cancels jobs: waiting tasks at once, running tasks with SIGTERM and then SIGKILL. */
@Command(
    name = "cancel",
    description =
        "Cancels jobs: waiting tasks at once, running tasks with SIGTERM and,"
            + " after their grace, SIGKILL. On a terminal it asks before it ends more than ten"
            + " tasks.")
public final class CancelCommand extends JobsChange {

  @Option(names = "--now", description = "with SIGKILL at once, not after each task's grace")
  private boolean now;

  @Option(
      names = {"-y", "--yes"},
      description = "do not ask")
  private boolean yes;

  @Option(names = "--reason", paramLabel = "TEXT", description = "why, as state and show then say")
  private String reason;

  private final UserPrompt terminal;

  CancelCommand() {
    this(UserPrompt.own());
  }

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
  boolean takesTasks() {
    return true;
  }

  @Override
  List<ChosenJob> chosen(RestClient server) throws IOException {
    if (yes || quiet || !terminal.isPossible()) {
      return super.chosen(server);
    }
    List<ChosenJob> jobs = chosenWithProgress(server);
    Optional<String> question = CancelQuestion.about(jobs);
    if (question.isEmpty()) {
      return jobs;
    }
    err().print(question.get());
    err().flush();
    if (terminal.isConfirmed()) {
      return jobs;
    }
    throw new NotConfirmed();
  }

  /** The user has said no. */
  private static final class NotConfirmed extends IOException {
    private static final long serialVersionUID = 1;
  }

  @Override
  protected int ask(RestClient server) throws IOException {
    try {
      return super.ask(server);
    } catch (NotConfirmed no) {
      err().println("remuda: nothing is cancelled");
      err().flush();
      return FAILURE;
    }
  }
}
