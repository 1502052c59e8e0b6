package io.remuda.examples.quickstart;

import io.remuda.agent.settings.RemudaPaths;
import io.remuda.coordinator.console.Console;
import io.remuda.coordinator.ensemble.EnsembleRun;
import io.remuda.coordinator.ensemble.EnsembleSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/**
 * Runs four trainings and a small convolution pool on two nodes on this machine, which simulate
 * four H200 GPUs in total, and prints the output of the command line.
 *
 * <p>Argument: a folder with IDX files to train on, not necessarily the genuine MNIST; without it
 * the data comes from the cache, is downloaded or drawn. The jars are located through {@code
 * -Dremuda.dist=DIST}.
 */
public final class Quickstart {

  private static final int TRAININGS = 4;
  private static final int NODES = 2;

  private Quickstart() {}

  public static void main(String[] arguments) throws Exception {
    Path data = arguments.length > 0 ? Path.of(arguments[0]).toAbsolutePath() : null;
    RemudaPaths paths = RemudaPaths.current();
    paths.check();
    int code;
    try (Console console = Console.of(System.out, System.err, System.out)) {
      EnsembleRun run = EnsembleRun.start(request(settings(data), paths, console), clock());
      code = run.await();
    }
    System.exit(code);
  }

  private static EnsembleSettings settings(Path data) {
    return new EnsembleSettings(
        TRAININGS,
        2,
        true,
        256,
        256 * 256 * 64,
        64,
        1000,
        1,
        0.7,
        1,
        NODES,
        0,
        0,
        data,
        data == null,
        Duration.ofSeconds(1));
  }

  private static EnsembleRun.Request request(
      EnsembleSettings settings, RemudaPaths paths, Console console) {
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new EnsembleRun.Request(
        settings, System.getenv(), paths, null, loopback, "h200:4", false, console);
  }

  private static Clock clock() {
    return Clock.systemDefaultZone();
  }
}
