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
import java.util.Map;
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

  @Test
  void one_that_is_too_old_for_the_state_stays_out_or_does_not_lead_and_says_why()
      throws Exception {
    String url = TestPostgres.newUrl();
    String place = url.substring(url.indexOf("currentSchema=") + "currentSchema=".length());
    cluster = new ClusterProcesses(Installation.find(), folder, url, "a", "b", "c");
    try (ClusterProcesses closed = cluster.start()) {
      String leader = closed.leader("a");
      TestPostgres.run("INSERT INTO " + place + ".schema_version VALUES (1000)");
      closed.signal(leader, "TERM");
      closed.member(leader).awaitServerEnd();
      closed.launch(leader);
      awaitReason(leader, TOO_NEW);
      assertEquals("outdated", state(leader, leader));
      String next = closed.follower(leader);
      String last = "abc".replace(leader, "").replace(next, "");
      closed
          .member(next)
          .await(
              "a member that is to lead and cannot",
              PATIENCE,
              () ->
                  reason(next).contains("it is to lead and cannot: " + TOO_NEW)
                      || reason(last).contains("it is to lead and cannot: " + TOO_NEW));

      TestPostgres.run("DELETE FROM " + place + ".schema_version WHERE version = 1000");
      for (String name : new String[] {"a", "b", "c"}) {
        closed.awaitReady(name);
      }
      long held = closed.member(leader).submit("true", "hold", true);
      assertEquals("held", closed.member(next).awaitState(held, "held").path("state").asText());
    }
  }

  private void awaitReason(String name, String why) {
    ServiceProcess member = cluster.member(name);
    member.await(name + " that says: " + why, PATIENCE, () -> reason(name).contains(why));
  }

  /** Returns why a member is not ready, as a load balancer is told. */
  private String reason(String name) throws IOException {
    ServiceProcess member = cluster.member(name);
    String address = member.client().access().rest() + "/api/v1/ready";
    return member.tool("curl", folder, Map.of(), "curl", "-sk", address).out();
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
