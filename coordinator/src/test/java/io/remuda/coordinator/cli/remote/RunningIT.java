package io.remuda.coordinator.cli.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.SshServer;
import io.remuda.coordinator.testkit.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server in the background, and an agent that is brought to another host by a real sshd. */
class RunningIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  @Tag(TestStore.STATE_FILE) // a transient server has its state in a file
  void a_detached_server_takes_over_from_that_of_a_run_and_gets_an_agent_by_ssh() throws Exception {
    Path home = folder.resolve("h");
    Path other = folder.resolve("other");
    Map<String, String> environment =
        Map.of("REMUDA_NO_ARCHIVE", "1", "JAVA_HOME", System.getProperty("java.home"));
    try (ServiceProcess own = new ServiceProcess(Installation.find(), home, environment)) {
      Process run = own.start("run", "run", "--", "sh", "-c", "sleep 3; echo carried on; exit 5");
      own.await(
          "a job",
          SOON,
          () -> own.client().get("/jobs/1").path("state").asText().equals("running"));
      Result detached = own.cli("serve", "--detach");
      assertEquals(0, detached.code(), detached.err());
      String[] lines = detached.out().split("\n");
      assertTrue(lines[0].startsWith("serving "), detached.out());
      assertTrue(lines[2].endsWith(", log " + home.resolve("serve.log")), detached.out());
      own.await( // serve --detach waits for its own node, but not for ever on a crowded machine
          "its own node",
          SOON,
          () -> own.client().get("/nodes").at("/nodes/0/state").asText().equals("ready"));
      assertEquals(5, run.waitFor());
      assertEquals("carried on\n", Files.readString(home.resolveSibling("run.out")));

      Member server =
          own.members().stream()
              .filter(one -> lines[2].startsWith("process " + one.pid() + ","))
              .findFirst()
              .orElseThrow();
      server.signal("HUP");
      Map<String, String> there =
          Map.of(
              "JAVA_HOME",
              System.getProperty("java.home"),
              "REMUDA_CACHE",
              Installation.find().cache().toString(),
              "REMUDA_DEVICE_LOCKS",
              home.resolveSibling("locks").toString(),
              "REMUDA_NO_ARCHIVE",
              "1",
              own.markName(),
              own.mark());
      try (SshServer sshd = new SshServer(folder.resolve("sshd"), other, there)) {
        Result joined = agent(own, sshd, "--name", "far", "--cpus", "1");
        assertEquals(0, joined.code(), joined.err() + own.describe());
        assertTrue(joined.out().contains("127.0.0.1: node far has joined ("), joined.out());
        own.awaitNode("far", "ready");
        Path access = access(other);
        assertEquals(
            "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(access)));
        assertTrue(!Files.readString(access).contains("token"));
        Result again = agent(own, sshd, "--name", "far");
        assertTrue(again.out().contains("the release was there; it ran already"), again.out());
        Result stopped = agent(own, sshd, "--stop");
        assertTrue(stopped.out().startsWith("127.0.0.1: stopped "), stopped.out() + stopped.err());
        own.awaitNode("far", "silent");
      }
      assertEquals(0, own.cli("stop", "--keep").code());
    }
  }

  private static Result agent(ServiceProcess own, SshServer sshd, String... more) throws Exception {
    return own.cli(
        Stream.concat(
                Stream.of("agent", "--ssh", "127.0.0.1", "--ssh-options", sshd.options()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private static Path access(Path home) throws Exception {
    try (Stream<Path> files = Files.walk(home)) {
      return files.filter(file -> file.endsWith("access.json")).findFirst().orElseThrow();
    }
  }
}
