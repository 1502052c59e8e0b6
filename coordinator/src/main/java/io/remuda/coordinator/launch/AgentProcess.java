package io.remuda.coordinator.launch;

import io.remuda.agent.settings.FolderOwnershipCheck;
import io.remuda.agent.settings.JvmFlags;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The process of an agent on this machine, started in its node's folder. */
public final class AgentProcess {

  private static final int LAST_BYTES = 8192;

  private AgentProcess() {}

  /**
   * Starts an agent; its output goes to its log.
   *
   * @param folder of the node; created for its owner alone if it is missing
   * @param surroundings sets what the agent inherits if that is not what this process has, such as
   *     in a program that embeds a server
   * @param environment variables besides those
   */
  public static Process start(
      Path folder,
      List<String> command,
      Consumer<ProcessBuilder> surroundings,
      Map<String, String> environment)
      throws IOException {
    FolderOwnershipCheck.create(folder);
    ProcessBuilder builder = new ProcessBuilder(command);
    surroundings.accept(builder);
    builder.environment().putAll(JvmFlags.agentEnvironment());
    builder.environment().putAll(environment);
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log(folder).toFile()));
    return builder.start();
  }

  /** Returns the log of the agent of a node. */
  public static Path log(Path folder) {
    return folder.resolve("agent.log");
  }

  /**
   * Returns the last line that an agent has printed, without stack traces.
   *
   * @param earlier bytes of the log that earlier agents wrote; they count no more if the log is
   *     shorter, since it has gone aside then
   */
  public static String lastWords(Path log, long earlier) {
    try (InputStream in = Files.newInputStream(log)) {
      long length = log.toFile().length();
      in.skip(Math.max(earlier > length ? 0 : earlier, length - LAST_BYTES));
      return new String(in.readNBytes(LAST_BYTES), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("\t"))
          .reduce((first, second) -> second)
          .orElse("it printed nothing");
    } catch (IOException fault) {
      return "its log cannot be read: " + fault;
    }
  }
}
