package io.remuda.coordinator.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FetchedJobTasksTest {

  private static FetchedJobTasks list(String job, int shown, boolean more) throws IOException {
    ArrayNode tasks = RestClient.JSON.createArrayNode();
    for (int i = 0; i < shown; i++) {
      tasks.addObject().put("id", "1." + i);
    }
    return new FetchedJobTasks(json(job), tasks, more);
  }

  private static JsonNode json(String text) throws IOException {
    return RestClient.JSON.readTree(text.replace('\'', '"'));
  }

  @Test
  void what_is_not_shown_is_counted() throws IOException {
    assertEquals(
        "and 99,900 more (--tasks all, --tasks 100-199, --failed); 90,000 tasks have not started",
        list("{'tasks': 100000, 'counts': {'waiting': 90000}}", 100, true)
            .footer(FetchedJobTasks.Kind.ANY));
    assertEquals(
        "5 tasks have not started",
        list("{'tasks': 8, 'counts': {'held': 5}}", 3, false).footer(FetchedJobTasks.Kind.ANY));
    assertEquals("", list("{'tasks': 3}", 3, false).footer(FetchedJobTasks.Kind.ANY));
    assertEquals(
        "2 of 8 tasks failed", list("{'tasks': 8}", 2, false).footer(FetchedJobTasks.Kind.FAILED));
    assertEquals(
        "no task has failed", list("{'tasks': 8}", 0, false).footer(FetchedJobTasks.Kind.FAILED));
  }

  @Test
  void a_range_is_one_task_several_or_all() {
    assertEquals(new TaskRange(5, 6), TaskRange.of("5"));
    assertEquals(new TaskRange(3, 8), TaskRange.of("3-7"));
    assertEquals(new TaskRange(0, 0), TaskRange.of("all"));
    for (String wrong : List.of("7-3", "-1", "x", "")) {
      assertEquals(
          "'" + wrong + "' is not a range of tasks: write 5, 3-7 or all",
          assertThrows(IllegalArgumentException.class, () -> TaskRange.of(wrong)).getMessage());
    }
  }

  @Test
  void each_attempt_of_a_task_has_a_row() throws IOException {
    JsonNode tasks =
        json(
            "[{'id': '5.0', 'state': 'running', 'attempt': 2, 'node': 'n2', 'devices': [],"
                + " 'startedAt': '2026-11-24T10:00:00Z', 'endedAt': null, 'exitCode': null,"
                + " 'signal': null, 'peakRssBytes': null, 'cpuMillis': null, 'cause': null,"
                + " 'earlier': [{'attempt': 1, 'node': 'n1', 'startedAt': '2026-11-24T09:00:00Z',"
                + " 'endedAt': '2026-11-24T09:00:30Z', 'cause': 'exit code 3'}]}]");
    assertEquals(
        List.of(
            "TASK  STATE    TRY  NODE  GPUS  RAN  EXIT  PEAK MIB  CPU S  CPU %  GPU %  GPU MIB  CAUSE",
            "5.0   tried    1    n1          30s                                                exit code 3",
            "5.0   running  2    n2          60s"),
        TaskTable.of(tasks, Instant.parse("2026-11-24T10:01:00Z")).lines());
  }
}
