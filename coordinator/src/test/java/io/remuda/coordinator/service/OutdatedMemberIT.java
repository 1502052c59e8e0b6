package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.ClusterProcesses;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Coordinators whose build is too old for the state of their cluster. */
@Timeout(240)
class OutdatedMemberIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOO_NEW = "its schema has version 1000, this build knows ";

  @TempDir private Path folder;
  private ClusterProcesses cluster;

  @AfterEach
  void end() {
    cluster.close();
  }

  @Test
  void one_that_is_too_old_for_the_state_stays_out_or_does_not_lead_and_says_why()
      throws Exception {
    String url = TestPostgres.newUrl();
    String place = url.substring(url.indexOf("currentSchema=") + "currentSchema=".length());
    cluster = new ClusterProcesses(Installation.find(), folder, url, "a", "b", "c");
    cluster.start();
    String leader = cluster.leader("a");
    TestPostgres.run("INSERT INTO " + place + ".schema_version VALUES (1000)");
    cluster.signal(leader, "TERM");
    cluster.member(leader).awaitServerEnd();
    cluster.launch(leader);
    awaitReason(leader, TOO_NEW);
    assertEquals("outdated", state(leader, leader));
    String next = cluster.follower(leader);
    String last = "abc".replace(leader, "").replace(next, "");
    cluster
        .member(next)
        .await(
            "a member that is to lead and cannot",
            PATIENCE,
            () ->
                reason(next).contains("it is to lead and cannot open the state: " + TOO_NEW)
                    || reason(last)
                        .contains("it is to lead and cannot open the state: " + TOO_NEW));

    TestPostgres.run("DELETE FROM " + place + ".schema_version WHERE version = 1000");
    for (String name : new String[] {"a", "b", "c"}) {
      cluster.awaitReady(name);
    }
    long held = cluster.member(leader).submit("true", "hold", true);
    assertEquals("held", cluster.member(next).awaitState(held, "held").path("state").asText());
  }

  private void awaitReason(String name, String why) {
    ServiceProcess member = cluster.member(name);
    member.await(name + " that says: " + why, PATIENCE, () -> reason(name).contains(why));
  }

  /** Returns why a member is not ready, as its users are told. */
  private String reason(String name) throws IOException {
    JsonNode answer = cluster.member(name).client().get("/cluster");
    boolean own =
        answer.path("member").asText().equals(name); // else it is away, and another answers
    return own ? answer.path("notReady").asText() : "";
  }

  private String state(String asked, String name) throws IOException {
    for (JsonNode one : cluster.member(asked).client().get("/cluster").path("members")) {
      if (one.path("name").asText().equals(name)) {
        return one.path("state").asText();
      }
    }
    return "";
  }
}
