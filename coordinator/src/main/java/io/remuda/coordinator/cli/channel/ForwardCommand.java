package io.remuda.coordinator.cli.channel;

import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.TaskId;
import java.io.IOException;
import java.net.BindException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Makes a TCP port of a task's node reachable on this machine, as TensorBoard or Jupyter have. */
@Command(
    name = "forward",
    description =
        "Makes a TCP port that a task listens on reachable at 127.0.0.1 here, until Ctrl-C or the"
            + " task's end.")
public final class ForwardCommand extends ServerCommandBase {

  private static final int LAST_PORT = 65_535;
  private static final long LOOK_MILLIS = 2000;
  private static final Pattern PORTS = Pattern.compile("(?:(\\d{1,6}):)?(\\d{1,6})");

  @Parameters(
      paramLabel = "JOB[.TASK]",
      description = "a running task; a job is a number, its name, or last (your newest)")
  private String selector;

  @Parameters(
      paramLabel = "[LOCAL:]PORT",
      description =
          "the port on the task's node (127.0.0.1 or ::1 there), and another one here; LOCAL 0 takes"
              + " any that is free")
  private String ports;

  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private int local;
  private int port;

  @Override
  public Integer call() throws Exception {
    Matcher numbers = PORTS.matcher(ports);
    if (!numbers.matches()) {
      throw wrong("give PORT or LOCAL:PORT, such as 6006 or 16006:6006, got '" + ports + "'");
    }
    port = number("PORT", numbers.group(2), 1);
    local = numbers.group(1) == null ? port : number("LOCAL", numbers.group(1), 0);
    return super.call();
  }

  private int number(String name, String text, int least) {
    int number = Integer.parseInt(text);
    if (number < least || number > LAST_PORT) {
      throw wrong(name + " must be " + least + " to " + LAST_PORT + ", got " + text);
    }
    return number;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  protected int ask(RestClient server) throws IOException, InterruptedException {
    TaskId task = ChosenTask.find(server, selector);
    ChosenTask chosen = ChosenTask.look(server, task);
    chosen.requireRunning();
    TaskLink.requireOwn(server, task);
    try (PortForward forward = PortForward.listen(this::server, task, local, port, this::sayOnce)) {
      announce(forward, chosen);
      return untilEnd(server, task);
    } catch (BindException inUse) {
      err()
          .println(
              "remuda: port "
                  + local
                  + " is in use here: give another one, as in remuda forward "
                  + selector
                  + " 0:"
                  + port
                  + ", which takes any that is free");
      return FAILURE;
    }
  }

  private void announce(PortForward forward, ChosenTask task) throws IOException {
    String url = "http://127.0.0.1:" + forward.local();
    if (json) {
      printJson(
          RestClient.JSON
              .createObjectNode()
              .put("url", url)
              .put("task", task.id().toString())
              .put("node", task.node())
              .put("port", port));
      return;
    }
    out().println(url);
    out().flush();
    if (!quiet) {
      err()
          .println(
              "remuda: leads to port "
                  + port
                  + " of task "
                  + task.id()
                  + " on "
                  + PrintableText.of(task.node())
                  + ", until Ctrl-C");
      err().flush();
    }
  }

  /** Waits for the end of the task; a server that is away for a while does not matter. */
  private int untilEnd(RestClient server, TaskId id) throws IOException, InterruptedException {
    while (true) {
      Thread.sleep(LOOK_MILLIS);
      try {
        ChosenTask now = ChosenTask.look(server, id);
        if (now.isOver()) {
          err().println("remuda: task " + id + " has ended: it is " + now.state());
          return OK;
        }
      } catch (IOException fault) {
        if (!TaskLink.isAway(fault)) {
          throw fault;
        }
      }
    }
  }

  @Override
  protected RestClient server() throws IOException {
    return RestClient.of(caller().paths().state());
  }

  /** A browser tries again and again. */
  private void sayOnce(String why) {
    if (told.add(why)) {
      err().println("remuda: " + PrintableText.of(why));
      err().flush();
    }
  }
}
