package io.remuda.coordinator.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.cli.channel.TaskTerminal;
import io.remuda.coordinator.cli.script.ProgramCheck;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.server.TransientServerLauncher;
import io.remuda.coordinator.cli.stream.InputSender;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.coordinator.console.RawTerminal;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Runs a job like a command of the shell: prints its output and exits with its exit code. Ctrl-C
 * cancels the job; a second Ctrl-C ends this command at once. After a broken connection it
 * reconnects and continues where it was.
 */
@Command(
    name = "run",
    description = {
      "Submits a job, prints its output, and exits with its exit code. Starts a server if none is"
          + " running.",
      JobOptions.VARIABLES
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0 to 255:the exit code of the job",
      "127:there is no such program, or it cannot be run",
      "128 + N:the job was ended by signal N; 130 if it was cancelled",
      "1, 2, 3:the job could not run, bad usage, no server answers"
    })
public final class RunCommand extends ServerCommandBase {

  private static final int SIGNAL_BASE = 128;

  /** As shells exit if there is no such program, or it cannot be run. */
  private static final int NOT_FOUND = 127;

  private static final int MOST_SUBMISSIONS = 5;

  @Mixin private JobOptions job;

  @Option(
      names = "--no-stdin",
      description =
          "leave this command's stdin alone; the job's is empty. Else a pipe or file is sent to its"
              + " first task")
  private boolean noStdin;

  @Option(
      names = "--pty",
      description =
          "the task gets this terminal: for shells, editors, debuggers; Ctrl-C and Ctrl-D are for the"
              + " task")
  private boolean pty;

  private ReturningServer returning;
  private boolean sendsInput;

  /** Refuses text that is not UTF-8 before a server is started. */
  @Override
  public Integer call() throws Exception {
    JobScriptOptionsReader.read(
        job, spec.commandLine(), err(), JobScriptOptionsReader.Output.AT_NODE);
    if (pty) {
      takeTerminal();
    }
    sendsInput = !pty && isInputGiven();
    if (sendsInput) {
      job.streams.sendInput();
    }
    job.request();
    job.noteNames(err());
    return super.call();
  }

  private boolean isInputGiven() {
    return job.streams.isInputStated() ? job.streams.isInputOwn() : !noStdin && caller().hasInput();
  }

  private void takeTerminal() {
    if (!RawTerminal.isThere(caller())) {
      throw new ParameterException(
          spec.commandLine(),
          "--pty needs a terminal on stdin and stdout: leave it out in pipes and" + " scripts");
    }
    if (job.streams.besideTerminal() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--pty is all streams of the task: leave out " + job.streams.besideTerminal());
    }
    job.streams.useTerminal(TerminalStream.of(caller(), TerminalStream.OUT).size());
  }

  @Override
  protected RestClient server() throws IOException, InterruptedException {
    return TransientServerLauncher.find(caller());
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    if (job.command.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "give a command: remuda run make test");
    }
    Optional<ProgramCheck> missing = ProgramCheck.of(job.request(), server, caller());
    if (missing.filter(ProgramCheck::isEverywhere).isPresent()) {
      err().println("remuda: " + PrintableText.of(missing.get().fault()));
      err().flush();
      return NOT_FOUND;
    }
    returning = new ReturningServer(server, this::server);
    RunSignals signals = RunSignals.watch(caller().process(), returning::current, err());
    String id = submit();
    signals.submitted(id);
    if (TerminalStream.of(caller(), TerminalStream.ERR).isTerminal()) {
      WaitNotice.start(returning::current, id, err());
    }
    if (pty) {
      return exitCode(id, returning.current(), terminal(id).follow());
    }
    try (InputSender input =
        sendsInput ? InputSender.start(returning::current, id, caller(), err()) : null) {
      JsonNode end = followed(id);
      if (input != null) {
        input.finish();
      }
      return exitCode(id, returning.current(), end);
    }
  }

  private TaskTerminal terminal(String id) {
    return new TaskTerminal(
        caller(),
        new TaskTerminal.Server() {
          @Override
          public RestClient client() {
            return returning.current();
          }

          @Override
          public JsonNode get(String path) throws IOException, InterruptedException {
            return returning.get(path);
          }
        },
        id);
  }

  /** Follows the output to its end: of one task as it is, of several each line with its task. */
  private JsonNode followed(String id) throws IOException, InterruptedException {
    JsonNode submitted = returning.get("/jobs/" + id);
    if (submitted.path("tasks").asInt(1) == 1) {
      return new OutputFollower(id, new Shell()).follow(returning);
    }
    PrefixedOutput lines =
        new PrefixedOutput(
            new TaskNames(submitted, TaskNames.Beside.NOTHING), caller().out(), caller().err());
    JsonNode end = new OutputFollower(id, lines).follow(returning);
    lines.close();
    return end;
  }

  /** Prints the output as the program itself would. */
  private final class Shell implements OutputFollower.Receiver {
    private final PrintStream out = caller().out();
    private final PrintStream err = caller().err();

    @Override
    public void show(TaskId task, OutputStreamName stream, byte[] bytes, int from) {
      PrintStream to = stream == OutputStreamName.OUT ? out : err;
      to.write(bytes, from, bytes.length - from);
      to.flush();
    }

    @Override
    public void dropped(long bytes, TaskId task, OutputStreamName stream) {
      sayDropped(bytes, task + "'s std" + stream.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void missing(String why) {
      err.println(PrefixedOutput.missingText(why));
      err.flush();
    }
  }

  /** Submits the job, again if the server has ended; the idempotency key prevents a second job. */
  private String submit() throws IOException, InterruptedException {
    if (job.given.get(SubmissionRows.CLIENT_KEY) == null) {
      job.given.set(SubmissionRows.CLIENT_KEY, UUID.randomUUID().toString());
    }
    for (int tries = 1; ; tries++) {
      try {
        return job.submit(returning.current());
      } catch (RestFailureException no) {
        if (no.status() != RestFailureException.NO_SERVER || tries == MOST_SUBMISSIONS) {
          throw no;
        }
        returning.look();
      }
    }
  }

  /** Returns the job's exit code; 128 plus the signal if a signal ended it, as shells do. */
  private int exitCode(String id, RestClient server, JsonNode end) throws IOException {
    JsonNode code = end.path("exitCode");
    String state = end.path("state").asText();
    if (state.equals("succeeded")) {
      return OK;
    }
    if (state.equals("failed") && code.isInt() && code.asInt() != 0) {
      return code.asInt();
    }
    if (state.equals("failed")) {
      for (JsonNode task : server.get("/jobs/" + id + "/tasks").path("tasks")) {
        if (task.path("signal").isInt()) {
          say(id, end); // the program cannot say that its time limit has passed
          return SIGNAL_BASE + task.path("signal").asInt();
        }
      }
    }
    say(id, end);
    return state.equals("cancelled") ? SIGNAL_BASE + 2 : FAILURE;
  }

  private void say(String id, JsonNode end) {
    String reason = text(end, "reason");
    err()
        .println(
            "remuda: job "
                + id
                + " "
                + end.path("state").asText()
                + (reason == null ? "" : ": " + PrintableText.of(reason)));
    err().flush();
  }
}
