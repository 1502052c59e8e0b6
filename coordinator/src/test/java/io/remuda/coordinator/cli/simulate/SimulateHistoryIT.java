package io.remuda.coordinator.cli.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server with a GPU on which five jobs of two seconds have run, one after the other. */
@Timeout(240)
class SimulateHistoryIT {

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void runJobs() throws Exception {
    service = new Cluster(Installation.find(), folder.resolve("h"), Map.of());
    service.serve("--cpus", "8", "--simulate-gpus", "h200:1");
    Result before = service.cli("simulate", "history", "--since", "1h");
    assertEquals(2, before.code(), before::out);
    assertTrue(before.err().contains("no task had a place in the last 1h"), before::err);
    long last = 0;
    for (int i = 0; i < 5; i++) {
      last = service.submit("sleep 2", "gpus", 1);
    }
    service.awaitEnd(last);
  }

  @AfterAll
  static void end() {
    service.close();
  }

  private static JsonNode json(String... more) throws IOException {
    String[] words = new String[more.length + 5];
    String[] first = {"simulate", "history", "--since", "1h", "--json"};
    System.arraycopy(first, 0, words, 0, first.length);
    System.arraycopy(more, 0, words, first.length, more.length);
    Result result = service.cli(words);
    assertEquals(0, result.code(), result::err);
    return RestClient.JSON.readTree(result.out());
  }

  @Test
  void the_simulation_is_like_the_past_and_four_more_gpus_end_the_waiting() throws IOException {
    JsonNode all = json("--add-node", "h200:4");
    assertEquals(5, all.path("tasks").asInt(), all::toString);
    JsonNode was = all.path("cases").get(0);
    JsonNode simulated = all.path("cases").get(1);
    JsonNode more = all.path("cases").get(2);
    assertEquals("as it was", was.path("name").asText());
    assertEquals("fair", simulated.path("order").asText());
    assertEquals("with h200:4", more.path("name").asText());
    double waited = was.path("meanWait").asDouble();
    double again = simulated.path("meanWait").asDouble();
    assertTrue(waited >= 3.5, all::toString); // 0, 2, 4, 6 and 8 s, and what starts and ends take
    assertTrue(again >= 3.5 && again <= waited + 0.1, all::toString);
    assertTrue(more.path("maxWait").asDouble() < 0.1, all::toString);
    assertTrue(all.path("notKnown").size() > 2, all::toString);
  }

  @Test
  void a_table_has_a_row_for_each_order_and_policy() throws IOException {
    Result table =
        service.cli("simulate", "history", "--order", "fifo,expected", "--policy", "pack");
    assertEquals(0, table.code(), table::err);
    for (String row : new String[] {"as it was", "simulated", "order fifo, policy pack"}) {
      assertTrue(table.out().contains(row), table::out);
    }
    assertTrue(table.out().contains("5 jobs, 5 tasks of 1 user"), table::out);
  }

  @Test
  void what_is_unknown_is_refused_with_what_there_is() throws IOException {
    Result model = service.cli("simulate", "history", "--add-node", "h900:8");
    assertEquals(2, model.code());
    assertTrue(model.err().contains("no GPU model 'h900'"), model::err);
    Result order = service.cli("simulate", "history", "--order", "lottery");
    assertEquals(2, order.code());
    assertTrue(order.err().contains("--order must be one of fifo, "), order::err);
    Result since = service.cli("simulate", "history", "--since", "soon");
    assertEquals(2, since.code());
    assertTrue(since.err().contains("--since: 'soon'"), since::err);
  }
}
