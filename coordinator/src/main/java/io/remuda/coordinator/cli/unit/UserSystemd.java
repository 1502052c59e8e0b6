package io.remuda.coordinator.cli.unit;

import io.remuda.agent.commandline.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The user's instance of systemd, through systemctl and loginctl. */
final class UserSystemd {

  private static final long SECONDS = 30;

  private final Caller caller;

  /**
   * @param caller whose programs they are
   */
  UserSystemd(Caller caller) {
    this.caller = caller;
  }

  /** The end of a command: its exit code, and what it has printed. */
  record Result(int code, String text) {
    boolean isGood() {
      return code == 0;
    }
  }

  /** Returns whether there is an instance for this user. */
  boolean isThere() throws InterruptedException {
    return systemctl("show-environment").isGood();
  }

  Result systemctl(String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("systemctl", "--user"));
    command.addAll(List.of(words));
    return run(command);
  }

  /** Returns whether the instance stays when its user logs out. */
  boolean lingers(String user) throws InterruptedException {
    return run(List.of("loginctl", "show-user", user, "--property=Linger"))
        .text()
        .contains("Linger=yes");
  }

  private Result run(List<String> command) throws InterruptedException {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
      caller.passTo(builder);
      Process process = builder.start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Result(1, command.get(0) + " did not end within " + SECONDS + " s");
      }
      return new Result(process.exitValue(), text.strip());
    } catch (IOException missing) {
      return new Result(127, missing.getMessage());
    }
  }
}
