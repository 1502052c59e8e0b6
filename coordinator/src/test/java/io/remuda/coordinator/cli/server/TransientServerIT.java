package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestStore;
import io.remuda.coordinator.testkit.TlsListener;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server that {@code remuda run} starts for itself, from its end to the start of the next. */
class TransientServerIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path folder;

  @Test
  @Tag(TestStore.STATE_FILE) // a transient server has its state in a file
  void it_goes_when_nobody_needs_it_and_another_comes_even_for_one_who_has_just_found_it()
      throws Exception {
    try (ServiceProcess own =
        new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of())) {
      own.serve("--no-agent");
      long job = own.submit("sleep 2");
      own.member(Role.COORDINATOR).signal("TERM");
      assertEquals(0, own.awaitServerEnd());
      own.launch("--idle-exit", "1s");
      assertEquals(0, own.awaitServerEnd());
      own.await("the end of all", SOON, () -> own.members().isEmpty());
      try (TlsListener dying = dyingServer(own)) {
        assertEquals(new Result(0, "there\n", ""), own.cli("run", "--", "echo", "there"));
        assertEquals(1, dying.heard().size());
      }
      assertEquals("succeeded", own.client().get("/jobs/" + job).path("state").asText());
    }
  }

  /** Answers one question as a server without jobs does, and is gone by then. */
  private static TlsListener dyingServer(ServiceProcess own)
      throws IOException, GeneralSecurityException {
    ServerAccessFile access = own.client().access();
    return TlsListener.once(
        URI.create(access.rest()).getPort(),
        List.of(access.certificate()),
        access.privateKey(),
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\n{\"jobs\":[]}");
  }
}
