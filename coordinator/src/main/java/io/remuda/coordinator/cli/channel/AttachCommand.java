package io.remuda.coordinator.cli.channel;

import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.console.RawTerminal;
import io.remuda.coordinator.console.TerminalStream;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Starts a shell beside a running task, in this terminal. */
@Command(
    name = "attach",
    description =
        "Starts a shell, or another command, beside a running task: on its node, in its environment"
            + " and folder, with its devices. It ends with the task. Without a terminal, as in scripts"
            + " and pipes, a COMMAND is needed; it reads nothing, and stdout has its output and"
            + " errors.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0 to 255:the exit code of the shell or command; 128 + N if signal N ended it",
      "1, 2, 3:it could not be started, bad usage, no server answers"
    })
public final class AttachCommand extends ServerCommandBase {

  private static final int SIGNAL_BASE = 128;
  private static final String PLAIN = "dumb";

  @Parameters(
      index = "0",
      paramLabel = "JOB[.TASK]",
      description = "a running task; a job is a number, its name, or last (your newest)")
  private String selector;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "after --: a command in place of $SHELL")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    if (!RawTerminal.isThere(caller()) && command.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "a shell needs a terminal on stdin and stdout; in pipes and scripts give a command, as:"
              + " remuda attach JOB -- nvidia-smi");
    }
    return super.call();
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    TaskId task = ChosenTask.find(server, selector);
    ChosenTask.look(server, task).requireRunning();
    TaskLink link = TaskLink.open(server, task, "shell:" + terminalType(), fields());
    try {
      if (RawTerminal.isThere(caller())) {
        new TerminalSession(caller()).run(link);
      } else {
        CarriageReturnFilter.copy(link, caller().out());
      }
    } finally {
      link.close();
    }
    Integer code = link.exitCode();
    if (code != null && code <= SIGNAL_BASE) {
      return code;
    }
    ChosenTask now = ChosenTask.look(server, task);
    if (now.isOver()) {
      err().println("remuda: task " + task + " has ended, it is " + now.state());
    } else if (code == null) {
      err().println("remuda: the node's agent has ended, and the shell with it");
    }
    return code == null ? FAILURE : code;
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    TerminalStream.Size size = TerminalStream.of(caller(), TerminalStream.OUT).size();
    fields.put("rows", size.rows());
    fields.put("columns", size.columns());
    if (!command.isEmpty()) {
      fields.put("command", RawTerminal.isThere(caller()) ? command : readingNothing());
    }
    return fields;
  }

  /** Returns the command with an empty stdin: nobody types. */
  private List<String> readingNothing() {
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" </dev/null", "sh"));
    words.addAll(command);
    return words;
  }

  private String terminalType() {
    String type =
        RawTerminal.isThere(caller())
            ? caller().readEnvironment().getOrDefault("TERM", PLAIN)
            : PLAIN;
    return type.matches("[\\w.+-]{1,80}") ? type : PLAIN;
  }

  /** Output of a terminal as a file has it: a line ends with a line feed alone. */
  static final class CarriageReturnFilter {

    private final OutputStream out;

    /** A carriage return has come, and not what is behind it. */
    private boolean returned;

    CarriageReturnFilter(OutputStream out) {
      this.out = out;
    }

    /** Copies what is received until there is no more. */
    static void copy(TaskLink link, PrintStream out) throws IOException, InterruptedException {
      CarriageReturnFilter plain = new CarriageReturnFilter(out);
      for (byte[] part = link.receive(); part != null; part = link.receive()) {
        plain.write(part);
        if (out.checkError()) {
          throw new IOException("Broken pipe");
        }
      }
      plain.end();
    }

    /** Writes the next bytes. */
    void write(byte[] part) throws IOException {
      for (byte next : part) {
        if (returned && next != '\n') {
          out.write('\r');
        }
        returned = next == '\r';
        if (!returned) {
          out.write(next);
        }
      }
      out.flush();
    }

    /** Writes what was kept back. */
    void end() throws IOException {
      if (returned) {
        out.write('\r');
      }
      out.flush();
    }
  }
}
