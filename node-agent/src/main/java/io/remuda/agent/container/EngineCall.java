package io.remuda.agent.container;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A short call of an engine's program by the agent itself, in the agent's environment. Blocks. */
record EngineCall(int code, String output) {

  /** A call that takes longer is killed. */
  private static final int SECONDS = 30;

  boolean succeeded() {
    return code == 0;
  }

  /**
   * @param agent the environment of the agent
   * @throws IOException if the program cannot be run
   */
  static EngineCall of(List<String> argv, Map<String, String> agent) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().clear();
    builder.environment().putAll(agent);
    Process process = builder.start();
    CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS)
        .execute(process::destroyForcibly); // does nothing after its end
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
      return new EngineCall(process.waitFor(), text);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", closed);
    }
  }
}
