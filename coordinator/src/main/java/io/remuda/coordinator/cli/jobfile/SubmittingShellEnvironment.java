package io.remuda.coordinator.cli.jobfile;

import io.remuda.agent.attempt.GangVariables;
import io.remuda.agent.attempt.ThreadCountVariables;
import io.remuda.agent.commandline.Caller;
import io.remuda.agent.keeper.limit.ShellLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The defaults that a job takes from the shell that submits it.
 *
 * @param environment all variables
 * @param umask octal digits, or null if the kernel does not report it
 */
public record SubmittingShellEnvironment(Map<String, String> environment, String umask) {

  private static final String UMASK = "Umask:";

  /** Set by bin/remuda with the flag by which the JVM leaves the number of open files alone. */
  private static final String OWN_FILES = "remuda.shell-files";

  public SubmittingShellEnvironment {
    environment = Map.copyOf(environment);
  }

  /**
   * Returns the defaults of a caller, with the umask and the soft limits of this process if it is
   * the caller's own, and without what belongs to the shell alone.
   *
   * @throws io.remuda.agent.settings.NotUtf8Exception if its environment is not UTF-8
   */
  public static SubmittingShellEnvironment of(Caller caller) {
    Map<String, String> shell =
        new HashMap<>(
            LauncherVariables.without(
                ThreadCountVariables.withoutTask(GangVariables.withoutGang(caller.environment()))));
    if (caller.isOwnProcess()) {
      ShellLimits.ofThisProcess(Boolean.getBoolean(OWN_FILES))
          .ifPresent(limits -> shell.put(ShellLimits.VARIABLE, limits));
    }
    return new SubmittingShellEnvironment(shell, ownUmask());
  }

  /** Returns the root of the project of an absolute folder. */
  public String projectOf(String folder) {
    return ProjectRoot.of(folder, environment.get("HOME"));
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
