package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.store.StoreOpener;
import io.remuda.coordinator.store.StoreSamples;
import io.remuda.coordinator.store.postgres.PostgresDatabase;
import io.remuda.coordinator.store.row.EventLogEntry;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import io.remuda.coordinator.testkit.TestPostgres;
import io.remuda.coordinator.testkit.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code remuda store copy} between the folder of a service and a real PostgreSQL server. */
@Timeout(240)
@Tag(TestStore.STATE_FILE)
class StoreCopyIT {

  private static final int EVENTS = 150_000;

  @TempDir private Path folder;
  private String url;
  private Cluster service;

  @BeforeEach
  void make() throws Exception {
    url = TestPostgres.newUrl();
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
  }

  @AfterEach
  void end() {
    service.close();
  }

  private String home() {
    return service.home().toString();
  }

  private String endOf(long job) {
    JsonNode end = service.awaitEnd(job);
    return end.path("state").asText() + " " + end.path("exitCode").asText();
  }

  private long started(Path go) throws IOException {
    long job = service.submit("while [ ! -e " + go + " ]; do sleep 0.1; done", "cpus", 0);
    service.awaitState(job, "running");
    return job;
  }

  private void stop() throws Exception {
    assertEquals(0, service.cli("stop", "--keep").code());
    service.awaitServerEnd();
  }

  private Result copied(String... words) throws IOException {
    Result copy = service.cli(words);
    assertEquals(0, copy.code(), copy.err());
    return copy;
  }

  @Test
  void a_service_goes_on_in_a_database_and_back_in_a_file_with_its_running_tasks()
      throws Exception {
    service.serve("--cpus", "2");
    final long done = service.submit("echo one; exit 3", "cpus", 0);
    assertEquals("failed 3", endOf(done));
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    final long runs = started(first);
    final long longer = started(second);

    Result served = service.cli("store", "copy", "--from", home(), "--to", url);
    assertEquals(1, served.code(), served.out());
    assertTrue(served.err().contains("a server uses " + home()), served.err());
    stop();

    Result copy = copied("store", "copy", "--from", home(), "--to", url);
    assertTrue(copy.out().contains("copying jobs: 3 of 3 rows"), copy.out());
    assertTrue(copy.out().contains("put " + home() + "/state.db aside"), copy.out());
    Result file = service.cli("serve", "--no-agent");
    assertEquals(1, file.code());
    assertTrue(file.err().contains("give --store with its address"), file.err());

    service.serve("--store", url, "--cpus", "2");
    assertEquals("running", service.awaitState(runs, "running").path("state").asText());
    Files.createFile(first);
    assertEquals("succeeded 0", endOf(runs));
    assertEquals(0, client().get("/jobs/" + runs).path("interruptions").asInt());
    assertTrue(service.cli("show", Long.toString(done)).out().contains("exit code 3"));
    long next = service.submit("true", "cpus", 0);
    assertTrue(next > longer, next + " was given before");
    assertEquals("succeeded 0", endOf(next));
    stop();

    String state = home() + "/state.db";
    Result taken = service.cli("store", "copy", "--from", url, "--to", state);
    assertEquals(1, taken.code(), taken.out());
    assertTrue(taken.err().contains("has another state"), taken.err());
    assertEquals(0, service.cli("restore", "--empty").code());
    Result back = copied("store", "copy", "--from", url, "--to", state, "--json");
    JsonNode summary = RestClient.JSON.readTree(back.out());
    assertEquals(4, summary.path("rows").path("jobs").asInt(), back.out());
    service.serve("--cpus", "2");
    assertEquals("running", service.awaitState(longer, "running").path("state").asText());
    Files.createFile(second);
    assertEquals("succeeded 0", endOf(longer));
    Result left = service.cli("nodes");
    assertTrue(!left.out().contains("another state"), left.out());
  }

  private RestClient client() throws IOException {
    return service.client();
  }

  private long copiedEvents() throws SQLException {
    try (Connection connection = new PostgresDatabase(url).connectToRead();
        Statement statement = connection.createStatement();
        ResultSet there = statement.executeQuery("SELECT to_regclass('events')")) {
      there.next();
      if (there.getString(1) == null) {
        return 0;
      }
      try (ResultSet row = statement.executeQuery("SELECT count(*) FROM events")) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private void fill() throws Exception {
    Files.createDirectories(service.home());
    StoreOpener.Opened opened = StoreOpener.open(service.home(), StoreSamples.CLOCK);
    StoreChange[] events = new StoreChange[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
      events[i] = new StoreChange.Happened(new EventLogEntry(i + 1, 5, 1, 0, "task-started", "{}"));
    }
    StoreSamples.write(opened.journal(), events);
    opened.journal().close();
  }

  @Test
  void a_copy_that_is_killed_is_refused_by_servers_and_goes_on() throws Exception {
    fill();
    Process copy = service.start("copy", "store", "copy", "--from", home(), "--to", url);
    service.await("copied events", Duration.ofSeconds(90), () -> copiedEvents() > 0);
    copy.destroyForcibly();
    assertTrue(copy.waitFor(60, TimeUnit.SECONDS));
    Result here = service.cli("serve", "--store", url, "--no-agent");
    assertTrue(here.err().contains("state.db: leave out --store"), here.err());
    try (Cluster other = new Cluster(Installation.find(), folder.resolve("other"), Map.of())) {
      other.await(
          "refusal after the end of the killed session",
          Duration.ofSeconds(90),
          () -> isRefused(other.cli("serve", "--store", url, "--no-agent")));
    }
    long before = copiedEvents();
    assertTrue(before > 0 && before < EVENTS, before + " were copied");
    Result again = copied("store", "copy", "--from", home(), "--to", url, "--json");
    JsonNode summary = RestClient.JSON.readTree(again.out());
    assertEquals(EVENTS, summary.path("rows").path("events").asInt());
    assertEquals(EVENTS - before, summary.path("copiedNow").asLong(), again.out());
    service.serve("--store", url, "--no-agent");
  }

  private static boolean isRefused(Result serve) {
    assertTrue(serve.code() != 0, "it serves");
    return serve.err().contains("a copy into it is not finished")
        && serve.err().contains("remuda store copy again");
  }

  @Test
  void wrong_words_are_refused() throws Exception {
    String password = url + "&password=x";
    assertTrue(refused(home(), password).contains("put the password into ~/.pgpass"));
    assertTrue(refused(home(), "jdbc:mysql://a/b").contains("--to: a database is jdbc:postgresql"));
    assertTrue(refused(home(), home()).contains("are the same state"));
    assertTrue(refused(home(), folder.resolve("g").toString()).contains("both are folders"));
    Path file = Files.createFile(folder.resolve("some"));
    assertTrue(refused(file.toString(), url).contains("remuda restore FILE puts a backup"));
    assertEquals(2, service.cli("store").code());
    Result none = service.cli("store", "copy", "--from", home(), "--to", url);
    assertEquals(1, none.code());
    assertTrue(none.err().contains("state.db is missing: there is no state"), none.err());
  }

  private String refused(String from, String to) throws IOException {
    Result no = service.cli("store", "copy", "--from", from, "--to", to);
    assertEquals(2, no.code(), no.err());
    return no.err();
  }
}
