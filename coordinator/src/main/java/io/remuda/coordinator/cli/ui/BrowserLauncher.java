package io.remuda.coordinator.cli.ui;

import io.remuda.agent.commandline.Caller;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Opens an address in the browser of a desktop, where there is one. Everybody on the machine sees
 * the arguments of programs, so the address, which is a password, goes by a file that leads there
 * and that its owner alone can read. Any thread.
 */
final class BrowserLauncher {

  private static final String OPENER = "xdg-open";

  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rw-------");

  private final Caller caller;
  private final AtomicReference<Path> written = new AtomicReference<>();

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

  /**
   * Opens an address and does not wait; returns whether that was begun. A file with the address is
   * there until {@link #forget}, or until this process ends.
   */
  boolean open(String address) {
    try {
      ProcessBuilder builder = new ProcessBuilder(OPENER, leadingTo(address).toUri().toString());
      caller.passTo(builder);
      builder
          .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException none) {
      forget();
      return false;
    }
  }

  /** Writes a file that leads a browser on. */
  private Path leadingTo(String address) throws IOException {
    forget();
    Path folder = Files.createTempDirectory("remuda-ui"); // for its owner alone
    folder.toFile().deleteOnExit();
    Path file = folder.resolve("open.html");
    written.set(file);
    file.toFile().deleteOnExit();
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
    return Files.writeString(
        file,
        "<!DOCTYPE html><meta charset=\"utf-8\"><title>Remuda</title>"
            + "<meta http-equiv=\"refresh\" content=\"0;url="
            + address
            + "\"><a href=\""
            + address
            + "\">Remuda</a>\n");
  }

  /** Removes the file with the address, which is good for one browser. */
  void forget() {
    Path file = written.getAndSet(null);
    if (file != null) {
      try {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.getParent());
      } catch (IOException fault) {
        // its code is used, or nobody but the owner can read it; the end of the process tries again
      }
    }
  }
}
