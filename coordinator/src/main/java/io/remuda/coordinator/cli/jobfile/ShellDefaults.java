package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.settings.Invocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a job has from the shell that submits it, unless it says otherwise.
 *
 * @param environment all of its variables
 * @param umask octal digits, or null where the kernel does not tell
 */
public record ShellDefaults(Map<String, String> environment, String umask) {

  private static final String UMASK = "Umask:";

  public ShellDefaults {
    environment = Map.copyOf(environment);
  }

  /**
   * The one that this process was started from.
   *
   * @throws io.remuda.agent.settings.NotUtf8 if it has what cannot be carried
   */
  public static ShellDefaults current() {
    return new ShellDefaults(Invocation.environment(), ownUmask());
  }

  private static String ownUmask() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(UMASK))
          .map(line -> line.substring(UMASK.length()).trim())
          .findFirst()
          .orElse(null);
    } catch (IOException unknown) {
      return null;
    }
  }
}
