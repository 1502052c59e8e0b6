package io.remuda.coordinator.cli.ui;

import io.remuda.agent.commandline.Caller;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens addresses in the browser of a desktop, where there is one. */
final class BrowserLauncher {

  private static final String OPENER = "xdg-open";

  private final Caller caller;

  BrowserLauncher(Caller caller) {
    this.caller = caller;
  }

  /**
   * Returns whether a browser that the caller sees may be there: they sit at this machine's
   * desktop.
   */
  boolean isPossible() {
    Map<String, String> environment = caller.readEnvironment();
    boolean desktop =
        Stream.of("DISPLAY", "WAYLAND_DISPLAY").anyMatch(name -> isSet(environment, name));
    return caller.isOwnProcess()
        && desktop
        && !isSet(environment, "SSH_CONNECTION")
        && opener(environment).isPresent();
  }

  private static boolean isSet(Map<String, String> environment, String name) {
    return !environment.getOrDefault(name, "").isEmpty();
  }

  private static Optional<Path> opener(Map<String, String> environment) {
    return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, OPENER))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens an address and does not wait; returns whether that was begun. */
  boolean open(String address) {
    ProcessBuilder builder = new ProcessBuilder(OPENER, address);
    caller.passTo(builder);
    try {
      builder
          .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException none) {
      return false;
    }
  }
}
