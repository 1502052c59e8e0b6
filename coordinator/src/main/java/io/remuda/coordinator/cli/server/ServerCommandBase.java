package io.remuda.coordinator.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.agent.commandline.Caller;
import io.remuda.coordinator.cli.output.TextTable;
import io.remuda.coordinator.cli.words.FieldToOptionNames;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.client.RestFailureException;
import io.remuda.telemetry.render.PrintableText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Base class of the commands that send requests to a server: finds the server, prints results, and
 * turns refusals into exit codes.
 */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:failure, or refused by the server",
      "2:bad usage, or a job that can never run",
      "3:no server answers"
    })
public abstract class ServerCommandBase implements Callable<Integer> {

  /** Exit codes; see docs/job-service.md. */
  protected static final int OK = 0;

  protected static final int FAILURE = 1;
  protected static final int USAGE = 2;
  static final int NO_SERVER = 3;

  @Option(names = "--json", description = "print JSON")
  protected boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "print only what scripts need, or nothing")
  protected boolean quiet;

  @Spec protected CommandSpec spec;

  /**
   * Calls the server, prints the result and returns the exit code; {@link #call} turns a {@link
   * RestFailureException} into a message and an exit code.
   */
  protected abstract int ask(RestClient server) throws IOException, InterruptedException;

  @Override
  public Integer call() throws Exception {
    RestClient server = null;
    try {
      server = server();
      if (server.isInsecure()) {
        err()
            .println(
                "remuda: warning: the server was started with --insecure, so your token goes in"
                    + " clear text to whatever listens at "
                    + server.access().rest());
        err().flush();
      }
      return ask(server);
    } catch (RestFailureException no) {
      err().println("remuda: " + PrintableText.of(inWords(no)));
      return no.status() == RestFailureException.NO_SERVER ? NO_SERVER : exitCode(no.status());
    } finally {
      if (server != null && !caller().isOwnProcess()) { // whose end closes all of it anyway
        server.close();
      }
    }
  }

  /** Returns what the server says, with the names of options in place of those of fields. */
  protected String inWords(RestFailureException no) {
    return FieldToOptionNames.in(no.getMessage(), spec);
  }

  private static int exitCode(int status) {
    return status == 400 || status == 422 ? USAGE : FAILURE;
  }

  protected RestClient server() throws IOException, InterruptedException {
    return RestClient.of(caller().paths().state());
  }

  /** Returns who calls this command. */
  protected final Caller caller() {
    return Caller.of(spec);
  }

  protected PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints a line unless the command is to be quiet. */
  protected void say(String line) {
    if (!quiet) {
      out().println(line);
      out().flush();
    }
  }

  /** Prints a warning if {@code bytes} of a task's output are missing here. */
  protected void sayDropped(long bytes, String what) {
    if (bytes > 0) {
      err()
          .println(
              "remuda: "
                  + bytes
                  + " bytes of "
                  + what
                  + " were dropped here: the task printed more than is kept");
    }
  }

  protected void print(TextTable table) {
    table.lines().forEach(out()::println);
    out().flush();
  }

  protected void printJson(JsonNode value) throws IOException {
    out().println(RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value));
    out().flush();
  }

  /** Returns the text of a field, not escaped, or null if the field is null or missing. */
  protected static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNull() || value.isMissingNode() ? null : value.asText();
  }

  /** Checks the number of a job and returns the job's path. */
  protected String job(String id) {
    if (!id.matches("[1-9]\\d{0,17}")) {
      throw new picocli.CommandLine.ParameterException(
          spec.commandLine(), "a job is a number, got '" + id + "'");
    }
    return "/jobs/" + id;
  }
}
