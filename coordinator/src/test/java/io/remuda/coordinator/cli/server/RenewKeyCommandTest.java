package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.MemberKeyFingerprints;
import io.remuda.coordinator.access.RotatingClusterKeys;
import io.remuda.coordinator.cluster.ClusterFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RenewKeyCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private ClusterFile cluster;

  @BeforeEach
  void init() throws Exception {
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = Math.min(unused.getLocalPort(), 65_000);
      cluster =
          ClusterFile.of(
              "jdbc:postgresql://db/remuda",
              List.of(
                  ClusterFile.member("a", "127.0.0.1:" + port),
                  ClusterFile.member("b", "127.0.0.1:" + (port + 3)),
                  ClusterFile.member("c", "127.0.0.1:" + (port + 6))));
    }
    Files.writeString(file(), cluster.text());
    ClusterSecret.create("ann", "token", Instant.now()).write(key());
  }

  private Path file() {
    return folder.resolve("cluster.yaml");
  }

  private Path key() {
    return folder.resolve("cluster.key");
  }

  private RotatingClusterKeys keys() throws Exception {
    return ClusterSecret.read(key()).orElseThrow().keys();
  }

  private int run(String... options) {
    out.getBuffer().setLength(0);
    return new CommandLine(new RenewKeyCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (fault, command, parsed) -> {
              err.append(fault.getMessage());
              return 1;
            })
        .execute(options);
  }

  @Test
  void three_calls_renew_the_key_and_say_what_to_do_next() throws Exception {
    RotatingClusterKeys before = keys();
    for (int step = 1; step <= 3; step++) {
      assertEquals(0, run("--file", file().toString(), "--force"), err::toString);
      assertTrue(out.toString().startsWith("step " + step + " of 3: "), out.toString());
      assertTrue(out.toString().contains("now copy " + key() + " to the machines of the other"));
    }
    assertTrue(keys() instanceof RotatingClusterKeys.Settled);
    assertTrue(!keys().key().equals(before.key()));
    assertTrue(out.toString().contains(before.key().certificate().fingerprint()), out.toString());
  }

  @Test
  void without_an_answer_of_the_members_nothing_is_changed() throws Exception {
    RotatingClusterKeys before = keys();
    assertEquals(1, run("--file", file().toString()));
    assertEquals(before, keys());
    String said = err.toString();
    for (String member : List.of("a", "b", "c")) {
      assertTrue(said.contains(member + " does not say which key it has: no server answers"), said);
    }
    assertTrue(said.contains("--force takes it without asking"), said);
  }

  @Test
  void a_member_that_lacks_the_step_before_is_named_with_what_to_do() {
    MemberKeyFingerprints wanted = new MemberKeyFingerprints("new", List.of("old"));
    ReportedMemberKeys keys =
        new ReportedMemberKeys(
            Map.of("a", wanted, "b", new MemberKeyFingerprints("old", List.of("new"))),
            Map.of("c", "its build is older"));
    List<String> said = RenewKeyCommand.obstacles(cluster, wanted, keys, key());
    assertEquals(2, said.size(), said::toString);
    assertTrue(said.get(0).startsWith("b has the key old, trusts new, and "), said.get(0));
    assertTrue(said.get(0).contains("copy that file to 127.0.0.1"), said.get(0));
    assertEquals("c does not say which key it has: its build is older", said.get(1));
    ReportedMemberKeys all =
        new ReportedMemberKeys(Map.of("a", wanted, "b", wanted, "c", wanted), Map.of());
    assertEquals(List.of(), RenewKeyCommand.obstacles(cluster, wanted, all, key()));
  }

  @Test
  void a_missing_file_is_bad_usage() {
    assertEquals(2, run("--file", folder.resolve("none.yaml").toString()));
    assertTrue(err.toString().contains("--file: " + folder.resolve("none.yaml")), err::toString);
  }

  @Test
  void a_file_without_a_key_beside_it_is_refused() throws Exception {
    Files.delete(key());
    assertEquals(1, run("--file", file().toString(), "--force"));
    assertTrue(err.toString().contains(key() + " is missing"), err.toString());
  }
}
