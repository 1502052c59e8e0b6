package io.remuda.coordinator.cli.server;

import io.remuda.agent.settings.RemudaPaths;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of what commands say on standard error, with an empty home. */
public abstract class WithComplaints {
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream complained = new ByteArrayOutputStream();

  /** The home. */
  @TempDir protected Path folder;

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
    System.setProperty(RemudaPaths.HOME_PROPERTY, folder.toString());
  }

  @AfterEach
  void restore() {
    System.setErr(err);
    System.clearProperty(RemudaPaths.HOME_PROPERTY);
  }

  /** All complaints so far. */
  protected String complaint() {
    return complained.toString(StandardCharsets.UTF_8);
  }
}
