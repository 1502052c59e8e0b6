package io.remuda.coordinator.cli.script;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The environment that a user has after a login: what the login shell says after it has read its
 * profile.
 */
public final class LoginEnvironment {

  /** A profile that needs longer waits for something. */
  private static final int MOST_SECONDS = 30;

  /** What stands before the variables; a profile may print. */
  private static final String MARK = "remuda-login-environment";

  private static final List<String> KEPT = List.of("HOME", "USER", "LOGNAME", "SHELL");

  /** What a shell sets for itself. */
  private static final Set<String> OF_SHELL = Set.of("_", "SHLVL", "PWD", "OLDPWD", "TERM");

  private final Map<String, String> caller;

  /**
   * @param caller variables of the shell that calls, of which the user, the home and the login
   *     shell are taken
   */
  public LoginEnvironment(Map<String, String> caller) {
    this.caller = Map.copyOf(caller);
  }

  /**
   * Asks the login shell, which reads the user's profile.
   *
   * @throws IllegalArgumentException if it has no answer; the message is for users
   */
  public Map<String, String> variables() {
    String shell = caller.getOrDefault("SHELL", "/bin/sh");
    try {
      return asked(shell);
    } catch (IOException broken) {
      throw new IllegalArgumentException(
          "'"
              + shell
              + " -l' does not say what your environment is after a login: "
              + broken.getMessage(),
          broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalArgumentException("interrupted", interrupted);
    }
  }

  private Map<String, String> asked(String shell) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(shell, "-l", "-c", "echo " + MARK + "; exec env -0")
            .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.clear();
    KEPT.stream()
        .filter(caller::containsKey)
        .forEach(name -> environment.put(name, caller.get(name)));
    environment.put("PATH", ScriptLookup.DEFAULT_PATH);
    Process process = builder.start();
    process.onExit().orTimeout(MOST_SECONDS, TimeUnit.SECONDS).exceptionally(late -> end(process));
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      int from = said.indexOf(MARK + "\n");
      if (process.waitFor() != 0 || from < 0) {
        throw new IOException("exit code " + process.exitValue());
      }
      return parsed(said.substring(from + MARK.length() + 1));
    }
  }

  private static Process end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    return process.destroyForcibly();
  }

  private static Map<String, String> parsed(String text) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String variable : text.split("\0")) {
      int sign = variable.indexOf('=');
      if (sign > 0 && !OF_SHELL.contains(variable.substring(0, sign))) {
        all.put(variable.substring(0, sign), variable.substring(sign + 1));
      }
    }
    return all;
  }
}
