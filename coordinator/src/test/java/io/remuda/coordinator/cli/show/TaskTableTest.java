package io.remuda.coordinator.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TaskTableTest {

  private static String table(String state) throws Exception {
    JsonNode tasks =
        new ObjectMapper()
            .readTree(
                "[{\"id\":\"20.0\",\"state\":\""
                    + state
                    + "\",\"attempt\":2,\"signal\":15,\"cause\":\"requeued by ann\","
                    + "\"devices\":[]}]");
    return String.join("\n", TaskTable.of(tasks, Instant.EPOCH).lines());
  }

  @Test
  void a_task_that_runs_again_does_not_show_how_its_earlier_try_ended() throws Exception {
    String runs = table("running");
    assertFalse(runs.contains("signal 15"), runs);
    assertFalse(runs.contains("requeued"), runs);
    String waits = table("waiting");
    assertTrue(waits.contains("signal 15") && waits.contains("requeued by ann"), waits);
  }

  private static String ran(String ended, String measured) throws Exception {
    JsonNode tasks =
        new ObjectMapper()
            .readTree(
                "[{\"id\":\"20.0\",\"state\":\"running\",\"startedAt\":\"1970-01-01T00:00:00Z\""
                    + ended
                    + measured
                    + ",\"devices\":[]}]");
    Instant now = Instant.EPOCH.plusSeconds(3_630);
    return TaskTable.of(tasks, now).lines().get(1).replaceAll("20.0 +running +", "").trim();
  }

  @Test
  void a_task_whose_clock_was_set_has_run_as_long_as_its_keeper_measured() throws Exception {
    String over = ",\"endedAt\":\"1970-01-01T01:00:30Z\"";
    assertEquals("60m", ran(over, ""));
    assertEquals("30s", ran(over, ",\"wallMillis\":30000"));
    assertEquals("30s", ran("", ",\"wallMillis\":30000"));
    assertEquals("60m", ran("", ",\"wallMillis\":3580000"), "not told since");
  }
}
