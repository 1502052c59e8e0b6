package io.remuda.agent.channel;

import io.remuda.agent.attempt.TaskFolder;
import io.remuda.agent.protocol.ChannelExchangeRequest;
import io.remuda.agent.settings.AgentSettings;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens what a client asks for beside a running attempt: a shell, or a port of this node. */
public final class ShellAndPortOpener {

  private static final Pattern PORT = Pattern.compile("port:(\\d{1,5})");

  private static final Pattern SHELL = Pattern.compile("shell:([\\w.+-]{1,80})");

  private final AgentSettings settings;

  public ShellAndPortOpener(AgentSettings settings) {
    this.settings = settings;
  }

  /**
   * Opens it.
   *
   * @throws IOException if the attempt does not run, or it cannot be opened; the message is for the
   *     user
   */
  TaskChannel open(AttemptId attempt, ChannelExchangeRequest ask) throws IOException {
    requireRunning(attempt);
    Matcher port = PORT.matcher(ask.open());
    if (port.matches()) {
      return PortChannel.connect(Integer.parseInt(port.group(1)), System::nanoTime);
    }
    Matcher shell = SHELL.matcher(ask.open());
    if (shell.matches()) {
      return ShellChannel.start(
          settings.keyPrefix() + attempt,
          ask,
          shell.group(1),
          TaskFolder.of(settings, attempt).path());
    }
    throw new IOException(
        "the agent of node " + settings.node() + " cannot open '" + ask.open() + "'");
  }

  private void requireRunning(AttemptId attempt) throws IOException {
    TaskFolder folder = TaskFolder.of(settings, attempt);
    if (!Files.isDirectory(folder.path()) || folder.exit().isPresent()) {
      throw new IOException("task " + attempt.task() + " does not run on " + settings.node());
    }
  }
}
