package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.Member.Role;
import io.remuda.coordinator.testkit.ServiceProcess;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestPostgres;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with its state in a real PostgreSQL server. */
@Timeout(180)
class PostgresServiceIT {

  @TempDir private Path folder;
  private String url;

  @BeforeEach
  void make() throws Exception {
    url = TestPostgres.newUrl();
  }

  private Cluster service(String home) {
    return new Cluster(Installation.find(), folder.resolve(home), Map.of());
  }

  private static String endOf(ServiceProcess service, long job) throws IOException {
    JsonNode end = service.awaitEnd(job);
    return end.path("state").asText() + " " + end.path("exitCode").asText();
  }

  @Test
  void jobs_outlive_the_server_and_a_loss_of_the_database() throws Exception {
    try (ServiceProcess service =
        new ServiceProcess(Installation.find(), folder.resolve("h"), Map.of())) {
      service.serve("--store", url, "--cpus", "2");
      long done = service.submit("echo one; exit 3", "cpus", 0);
      assertEquals("failed 3", endOf(service, done));
      Path go = folder.resolve("go");
      long runs = service.submit("while [ ! -e " + go + " ]; do sleep 0.1; done", "cpus", 0);
      service.awaitState(runs, "running");

      service.member(Role.COORDINATOR).signal("KILL");
      service.serve("--store", url, "--cpus", "2");
      assertEquals("running", service.awaitState(runs, "running").path("state").asText());
      TestPostgres.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
              + " 'remuda'");
      long after = service.submit("true", "cpus", 0);
      assertEquals("succeeded 0", endOf(service, after));
      Files.createFile(go);
      assertEquals("succeeded 0", endOf(service, runs));
      assertTrue(service.cli("show", Long.toString(done)).out().contains("exit code 3"));
    }
  }

  @Test
  @Tag(TestStore.STATE_FILE) // one of its servers names no store
  void a_server_that_would_begin_with_another_state_is_refused() throws Exception {
    try (Cluster service = service("h")) {
      service.serve("--store", url, "--no-agent");
      try (Cluster other = service("other")) {
        Result second = other.cli("serve", "--store", url, "--no-agent");
        assertTrue(second.err().contains("another server uses postgresql://"), second.err());
        assertTrue(second.code() != 0, "it serves");
      }
      assertEquals(0, service.cli("stop").code());
      service.awaitServerEnd();
      Result file = service.cli("serve", "--no-agent");
      assertEquals(1, file.code());
      assertTrue(file.err().contains("give --store with its address"), file.err());
      Result wrong = service.cli("serve", "--store", "jdbc:mysql://a/b");
      assertEquals(2, wrong.code());
      assertTrue(wrong.err().contains("--store: a database is jdbc:postgresql://"), wrong.err());
      Result open = service.cli("serve", "--store", url + "&password=x", "--no-agent");
      assertEquals(2, open.code());
      assertTrue(open.err().contains("put the password into ~/.pgpass"), open.err());
      Result away =
          service.cli("serve", "--store", "jdbc:postgresql://127.0.0.1:1/lab", "--no-agent");
      assertEquals(1, away.code());
      assertTrue(away.err().contains("postgresql://127.0.0.1:1/lab"), away.err());
    }
  }
}
