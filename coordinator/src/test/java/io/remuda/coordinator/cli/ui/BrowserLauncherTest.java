package io.remuda.coordinator.cli.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.commandline.EmbeddedCaller;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserLauncherTest {
  private static final String LINK = "http://127.0.0.1:7832/open?code=dear-secret";

  @TempDir private Path folder;

  private BrowserLauncher launcher() throws IOException {
    Path opener = folder.resolve("xdg-open");
    Files.writeString(
        opener,
        "#!/bin/sh\necho \"$*\" > " + folder + "/new\nmv " + folder + "/new " + folder + "/argv\n");
    Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
    OutputStream nowhere = OutputStream.nullOutputStream();
    return new BrowserLauncher(
        new EmbeddedCaller(
            Map.of("PATH", folder + ":/usr/bin:/bin"), folder, null, nowhere, nowhere));
  }

  @Test
  void the_code_is_in_no_argument_and_in_a_file_for_its_owner_until_it_is_used() throws Exception {
    BrowserLauncher launcher = launcher();
    assertTrue(launcher.open(LINK));
    Path argv = folder.resolve("argv");
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(argv));
    String given = Files.readString(argv).strip();
    assertFalse(given.contains("dear-secret"), given);
    Path page = Path.of(URI.create(given));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(page)));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(page.getParent())));
    assertTrue(Files.readString(page).contains("content=\"0;url=" + LINK + "\""));
    launcher.forget();
    assertFalse(Files.exists(page.getParent()));
  }
}
