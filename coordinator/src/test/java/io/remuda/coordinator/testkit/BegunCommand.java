package io.remuda.coordinator.testkit;

import io.remuda.coordinator.main.RemudaProgram;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command that runs in this JVM, on a thread of its own. Any thread. */
public final class BegunCommand {
  private static final long MOST_SECONDS = 120;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Thread thread;

  BegunCommand(List<String> words, Map<String, String> environment) {
    thread =
        new Thread(
            () -> {
              try {
                code.complete(RemudaProgram.run(words, environment, Path.of(""), null, out, err));
              } catch (RuntimeException | Error fault) {
                code.completeExceptionally(fault);
              }
            },
            "command " + words);
    thread.setDaemon(true);
    thread.start();
  }

  /** What it has printed so far. */
  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What it has printed so far on standard error. */
  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  public boolean isAlive() {
    return !code.isDone();
  }

  /** Has it end, as a signal does with a process. */
  public void interrupt() {
    thread.interrupt();
  }

  /** Waits for its end. */
  public ServiceUnderTest.Result await() throws InterruptedException {
    try {
      return new ServiceUnderTest.Result(code.get(MOST_SECONDS, TimeUnit.SECONDS), out(), err());
    } catch (ExecutionException | TimeoutException fault) {
      throw new AssertionError(thread.getName() + ": " + out() + err(), fault);
    }
  }
}
