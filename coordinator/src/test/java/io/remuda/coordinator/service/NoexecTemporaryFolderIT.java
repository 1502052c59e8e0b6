package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.NoexecFolder;
import io.remuda.coordinator.testkit.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine whose temporary folder is mounted noexec, as hardened ones have it. */
@Tag("attack")
@Tag("attack-bad-disk")
@Timeout(180)
class NoexecTemporaryFolderIT {

  @TempDir private Path folder;

  @Test
  void a_service_runs_jobs_without_code_from_the_temporary_folder_and_leaves_none_there()
      throws IOException {
    Path temporary = folder.resolve("tmp");
    Optional<NoexecFolder> made = NoexecFolder.at(temporary);
    assumeTrue(made.isPresent(), "skipped: no mount namespace can be made but by root");
    String options = "-Djava.io.tmpdir=" + temporary;
    try (ServiceProcess service =
        new ServiceProcess(
            Installation.find(), folder.resolve("h"), Map.of("JDK_JAVA_OPTIONS", options))) {
      service.serveBehind(made.get().prefix());
      long job = service.submit("echo ran");
      assertEquals("succeeded", service.awaitEnd(job).path("state").asText());
      assertEquals("ran\n", service.log(job, 0, "out"));
      Member server = service.member(Role.COORDINATOR);
      assertTrue(made.get().isNoexecFor(server));
      try (Stream<Path> inside = Files.list(made.get().seenBy(server))) {
        assertEquals(List.of(), inside.map(Path::getFileName).toList());
      }
    }
  }
}
