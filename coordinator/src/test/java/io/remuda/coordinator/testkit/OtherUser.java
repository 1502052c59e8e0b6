package io.remuda.coordinator.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another user of this machine, without rights; needs no account. */
public final class OtherUser {

  /** The number of the user. */
  public static final int UID = 65_432;

  private OtherUser() {}

  /** Skips the test where it cannot start processes of another user. */
  public static void assumeThereIsOne() throws IOException {
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    assumeTrue(self.equals(0), "skipped: only root can start processes of another user");
  }

  /**
   * Runs a Python program as that user. It becomes that user itself, since an interpreter may lie
   * where others cannot get at it; the number is its first argument.
   */
  public static Process python(String resource, Path out, String... arguments) throws IOException {
    String program;
    try (InputStream script = OtherUser.class.getResourceAsStream(resource)) {
      program = new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> command = new ArrayList<>(List.of("python3", "-c", program));
    command.add(Integer.toString(UID));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
        .start();
  }
}
