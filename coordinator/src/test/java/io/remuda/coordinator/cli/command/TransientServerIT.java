package io.remuda.coordinator.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceProcess.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server that {@code remuda run} starts for itself, from its end to the start of the next. */
class TransientServerIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void it_goes_when_nobody_needs_it_and_another_comes_even_for_one_who_has_just_found_it()
      throws Exception {
    try (ServiceProcess own =
        new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of())) {
      own.serve("--no-agent");
      long job = own.submit("sleep 2");
      own.member(Role.COORDINATOR).signal("TERM");
      assertEquals(0, own.awaitServerEnd());
      own.serve("--idle-exit", "1s");
      assertEquals(0, own.awaitServerEnd());
      own.await("the end of all", SOON, () -> own.members().isEmpty());
      Thread dying = dyingServer(URI.create(own.client().access().rest()).getPort());
      assertEquals(new Result(0, "there\n", ""), own.cli("run", "--", "echo", "there"));
      dying.join();
      assertEquals("succeeded", own.client().get("/jobs/" + job).path("state").asText());
    }
  }

  /** Answers one question as a server without jobs does, and is gone by then. */
  private static Thread dyingServer(int port) throws IOException {
    ServerSocket listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              try (Socket connection = listener.accept()) {
                listener.close();
                awaitEndOfHeaders(connection.getInputStream());
                OutputStream out = connection.getOutputStream();
                String answer =
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\n{\"jobs\":[]}";
                out.write(answer.getBytes(StandardCharsets.US_ASCII));
              } catch (IOException fault) {
                throw new AssertionError(fault);
              }
            });
    thread.start();
    return thread;
  }

  private static void awaitEndOfHeaders(InputStream in) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (!seen.toString().endsWith("\r\n\r\n")) {
      seen.append((char) in.read());
    }
  }
}
