package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.coordinator.access.ClusterSecret;
import io.remuda.coordinator.access.ServerAccessFile;
import io.remuda.telemetry.testkit.TlsHandshake;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyReloadTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;
  private ClusterSecret first;
  private LocalMemberConfig member;
  private KeyReload reload;

  @BeforeEach
  void start() throws Exception {
    first = ClusterSecret.create("ann", "token", NOW);
    first.write(keyFile());
    member = MemberSamples.first("10.0.0", keyFile(), first);
    reload = new KeyReload(member, access());
  }

  private Path keyFile() {
    return folder.resolve("cluster.key");
  }

  private Path access() {
    return folder.resolve("access.json");
  }

  private boolean accepts(ClusterSecret caller) throws Exception {
    return TlsHandshake.succeeds(
        ClusterTls.of(caller.agents(List.of())).client(), member.secret().tls().server());
  }

  @Test
  void an_unchanged_file_changes_nothing() {
    assertEquals(Optional.empty(), reload.look());
    assertTrue(Files.notExists(access()));
  }

  @Test
  void each_step_is_taken_up_by_new_connections_and_the_access_file() throws Exception {
    ClusterSecret step = first;
    for (int number = 1; number <= 3; number++) {
      step = step.renewed(NOW);
      step.write(keyFile());
      String shown = step.keys().key().certificate().fingerprint();
      assertTrue(reload.look().orElseThrow().contains(shown));
      assertEquals(Optional.empty(), reload.look(), "told once");
      assertTrue(accepts(step));
      AccessFile agents = AccessFile.read(access());
      assertEquals(List.of("10.0.0.1:7411", "10.0.0.2:7411", "10.0.0.3:7411"), agents.contacts());
      assertEquals(step.agents(agents.contacts()), agents);
      ServerAccessFile owner = ServerAccessFile.read(access()).orElseThrow();
      assertEquals("token", owner.token());
      assertEquals(agents.certificate(), owner.pin());
    }
    assertFalse(accepts(first));
  }

  @Test
  void a_damaged_file_is_reported_once_and_the_old_key_stays() throws Exception {
    Files.writeString(keyFile(), "{\"version\":1");
    assertEquals(Optional.empty(), reload.look(), "a copy may be under way");
    assertTrue(reload.look().orElseThrow().contains("keeps the key that it has"));
    assertEquals(Optional.empty(), reload.look());
    assertTrue(accepts(first));
    assertEquals(first, member.secret().get());
    assertTrue(Files.notExists(access()));
    first.renewed(NOW).write(keyFile());
    assertTrue(reload.look().isPresent(), "a file that is whole again is taken up");
  }

  @Test
  void a_key_is_taken_up_later_if_the_access_file_cannot_be_written() throws Exception {
    first.renewed(NOW).write(keyFile());
    Path obstacle = Files.createDirectories(access().resolve("not-empty"));
    reload.look();
    assertTrue(reload.look().isPresent());
    assertEquals(first, member.secret().get());
    Files.delete(obstacle);
    Files.delete(access());
    assertTrue(reload.look().orElseThrow().contains("now shows"));
    assertTrue(Files.exists(access()));
  }

  @Test
  void a_file_that_others_may_read_is_not_taken_up() throws Exception {
    first.renewed(NOW).write(keyFile());
    Files.setPosixFilePermissions(keyFile(), PosixFilePermissions.fromString("rw-r--r--"));
    reload.look();
    assertTrue(reload.look().orElseThrow().contains("chmod 600"));
    assertEquals(first, member.secret().get());
  }

  @Test
  void the_key_of_another_cluster_is_not_taken_up() throws Exception {
    ClusterSecret.create("ann", "another token", NOW).write(keyFile());
    reload.look();
    assertTrue(reload.look().orElseThrow().contains("another cluster's"));
    assertTrue(accepts(first));
  }

  @Test
  void a_file_that_is_gone_is_reported_again_after_it_was_back() throws Exception {
    for (int time = 0; time < 2; time++) {
      Files.delete(keyFile());
      reload.look();
      assertTrue(reload.look().orElseThrow().contains("is missing"));
      first.write(keyFile());
      assertEquals(Optional.empty(), reload.look());
    }
  }
}
