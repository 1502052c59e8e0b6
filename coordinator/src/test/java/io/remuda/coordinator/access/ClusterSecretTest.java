package io.remuda.coordinator.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.agent.protocol.AccessFile;
import io.remuda.agent.protocol.ClusterTls;
import io.remuda.telemetry.testkit.TlsHandshake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterSecretTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** Before a renewal, and after each of its steps. */
  private static final List<ClusterSecret> STEPS = new ArrayList<>();

  @TempDir private Path folder;

  @BeforeAll
  static void renew() throws Exception {
    STEPS.add(ClusterSecret.create("ann", "token", NOW));
    for (int step = 1; step <= 3; step++) {
      STEPS.add(STEPS.get(step - 1).renewed(NOW));
    }
  }

  private static ClusterTls tls(int step) throws Exception {
    return ClusterTls.of(STEPS.get(step).agents(List.of()));
  }

  private Path file() {
    return folder.resolve("cluster.key");
  }

  private String refusal() {
    String said = assertThrows(IOException.class, () -> ClusterSecret.read(file())).getMessage();
    assertTrue(said.contains(file().toString()), said);
    return said;
  }

  @Test
  void those_who_have_taken_up_a_step_and_those_who_have_not_accept_each_other() throws Exception {
    for (int one = 0; one < 3; one++) {
      assertTrue(
          TlsHandshake.succeeds(tls(one).client(), tls(one + 1).server()), one + " calls the next");
      assertTrue(
          TlsHandshake.succeeds(tls(one + 1).client(), tls(one).server()),
          one + " is called by the next");
    }
  }

  @Test
  void an_agent_needs_no_other_file_after_that_of_the_first_step() throws Exception {
    for (int listener = 0; listener <= 3; listener++) {
      assertTrue(
          TlsHandshake.succeeds(tls(1).client(), tls(listener).server()),
          "listener in step " + listener);
    }
  }

  @Test
  void an_old_file_is_refused_once_the_old_key_is_dropped() throws Exception {
    assertFalse(TlsHandshake.succeeds(tls(0).client(), tls(3).server()));
    assertFalse(TlsHandshake.succeeds(tls(3).client(), tls(0).server()));
  }

  @Test
  void an_agent_that_shows_the_old_key_is_refused_though_it_trusts_the_new_one() throws Exception {
    AccessFile old = STEPS.get(0).agents(List.of());
    AccessFile careless =
        new AccessFile(
            1,
            List.of(),
            old.certificate(),
            old.privateKey(),
            STEPS.get(1).agents(List.of()).trusted(),
            null,
            null);
    assertTrue(TlsHandshake.succeeds(ClusterTls.of(careless).client(), tls(2).server()));
    assertFalse(TlsHandshake.succeeds(ClusterTls.of(careless).client(), tls(3).server()));
  }

  @Test
  void three_steps_end_with_another_key_and_all_else_as_it_was() {
    ClusterSecret before = STEPS.get(0);
    ClusterSecret after = STEPS.get(3);
    assertTrue(after.keys() instanceof RotatingClusterKeys.Settled);
    assertNotEquals(before.keys().key(), after.keys().key());
    assertEquals(before.token(), after.token());
    assertEquals(before.name(), after.name());
    assertEquals(before.name(), after.agents(List.of()).cluster());
    assertEquals(List.of(), MemberKeyFingerprints.of(after.keys()).trusted());
  }

  @Test
  void a_client_trusts_both_keys_while_they_change() {
    String before = STEPS.get(0).keys().key().certificate().pem();
    String after = STEPS.get(3).keys().key().certificate().pem();
    assertEquals(List.of(before), STEPS.get(0).owner("https://h:1", null).pins());
    assertEquals(List.of(before, after), STEPS.get(1).owner("https://h:1", null).pins());
    assertEquals(List.of(after, before), STEPS.get(2).owner("https://h:1", null).pins());
    assertEquals(List.of(after), STEPS.get(3).owner("https://h:1", null).pins());
    ServerAccessFile user = STEPS.get(1).owner("https://h:1", null).forUser("bob", "other");
    assertEquals(List.of(before, after), user.pins());
  }

  @Test
  void each_step_is_read_as_it_was_written_and_for_its_owner_alone() throws Exception {
    for (ClusterSecret step : STEPS) {
      step.write(file());
      assertEquals(step, ClusterSecret.read(file()).orElseThrow());
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
      assertEquals(step.agents(List.of("h:1")), read(step.agents(List.of("h:1"))));
    }
  }

  private AccessFile read(AccessFile access) throws IOException {
    access.write(folder.resolve("access.json"));
    return AccessFile.read(folder.resolve("access.json"));
  }

  /** They ignore fields that they do not know. */
  @Test
  void builds_before_find_the_key_that_is_shown_where_it_was() throws Exception {
    STEPS.get(2).write(file());
    ServerAccessFile read = ServerAccessFile.read(file()).orElseThrow();
    assertEquals(STEPS.get(2).keys().key().certificate().pem(), read.certificate());
    assertEquals(read.certificate(), read.pin());
    assertEquals("token", read.token());
  }

  @Test
  void a_file_of_an_earlier_build_has_one_key() throws Exception {
    STEPS.get(0).write(file());
    edit("cluster", null);
    assertEquals(STEPS.get(0), ClusterSecret.read(file()).orElseThrow());
  }

  private void edit(String field, String value) throws IOException {
    ObjectNode content = (ObjectNode) JsonMapper.builder().build().readTree(file().toFile());
    if (value == null) {
      content.remove(field);
    } else {
      content.put(field, value);
    }
    Files.writeString(file(), content.toString());
  }

  @Test
  void a_damaged_file_is_refused_with_its_name() throws Exception {
    for (String field : List.of("certificate", "privateKey", "token", "user")) {
      STEPS.get(1).write(file());
      edit(field, null);
      refusal();
    }
    for (String field : List.of("certificate", "privateKey", "trusted", "next")) {
      STEPS.get(1).write(file());
      edit(field, "damaged");
      refusal();
    }
    STEPS.get(1).write(file());
    edit("trusted", null);
    refusal();
    STEPS.get(1).write(file());
    Files.writeString(file(), Files.readString(file()).substring(0, 900));
    refusal();
    for (String text : List.of("", "null", "[]", "{}")) {
      Files.writeString(file(), text);
      refusal();
    }
  }

  @Test
  void a_key_of_another_certificate_is_refused() throws Exception {
    STEPS.get(0).write(file());
    edit("privateKey", STEPS.get(3).keys().key().privateKey());
    assertTrue(refusal().contains("belongs to another certificate"));
  }

  @Test
  void one_that_others_may_read_is_refused() throws Exception {
    STEPS.get(0).write(file());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
    assertTrue(refusal().contains("chmod 600"));
  }
}
