package io.remuda.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * An example that was run as a process of its own, as a reader would run it.
 *
 * @param code its exit code
 */
public record ExampleProcess(int code, String out, String err) {

  private static final int SECONDS = 120;

  /**
   * Runs the main method of a class to its end.
   *
   * @param folder for its output
   * @param flags of its JVM
   * @param environment added to that of this process
   */
  public static ExampleProcess run(
      Path folder,
      List<String> flags,
      Map<String, String> environment,
      Class<?> main,
      String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
      String texts = Files.readString(out) + Files.readString(err);
      assertTrue(ended, () -> "it does not end: " + texts);
      return new ExampleProcess(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroy();
    }
  }
}
