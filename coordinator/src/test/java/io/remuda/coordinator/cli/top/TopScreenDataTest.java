package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopScreenDataTest {

  private static TopScreenData picture(String nodeState) throws IOException {
    String json =
        """
        {"time": "2026-01-01T10:00:00Z",
         "nodes": [{"name": "n1", "state": "%s"}, {"name": "n2", "state": "draining"}],
         "gpus": [{"node": "n1", "number": "0:3", "uuid": "GPU-a", "model": "H200\\u001b[2J", "state": "draining",
           "drainReason": "a\\nfan", "health": "ok", "memoryBytes": 100, "usedBytes": 60,
           "holders": [{"job": 7, "attempt": "7.0.1", "whole": false, "reservedBytes": 50,
             "usedBytes": null}],
           "otherBytes": null, "utilization": 87, "temperatureCelsius": 61, "powerWatts": 250.5}],
         "counts": {"submitted": 1, "held": 2, "waiting": 4, "starting": 8, "running": 16,
           "unknown": 32, "ending": 64},
         "jobs": [
           {"id": 7, "name": "a\\nb", "user": "ann", "state": "running", "tasks": 3,
            "counts": {"succeeded": 1, "running": 2},
            "submittedAt": "2026-01-01T09:00:00Z", "startedAt": "2026-01-01T09:30:00Z",
            "reason": null},
           {"id": 8, "name": "c", "user": "ann", "state": "waiting", "tasks": 1,
            "submittedAt": "2026-01-01T09:00:00Z", "startedAt": null, "reason": "no\\troom"}]}
        """;
    return TopScreenData.of(JsonMapper.builder().build().readTree(json.formatted(nodeState)));
  }

  @Test
  void what_the_server_tells_is_read_and_cannot_move_the_cursor() throws IOException {
    TopScreenData picture = picture("ready");
    assertEquals(2, picture.nodes());
    assertEquals(0, picture.silent());
    assertEquals(7, picture.waiting());
    assertEquals(120, picture.running());
    assertEquals(
        List.of(
            new TopScreenData.Gpu(
                "n1",
                false,
                "0:3",
                "H200\\u001b[2J",
                "draining",
                "a\\nfan",
                "ok",
                100,
                60L,
                List.of(new TopScreenData.JobShare(7, false, 50, null)),
                null,
                87,
                61,
                250.5,
                "GPU-a")),
        picture.gpus());
    assertEquals(
        List.of(
            new TopScreenData.Job(
                7, "a\\nb", "ann", "running", "1/3 done, 2 running", "2026-01-01T09:30:00Z", ""),
            new TopScreenData.Job(
                8, "c", "ann", "waiting", "", "2026-01-01T09:00:00Z", "no\\troom")),
        picture.jobs());
  }

  @Test
  void what_pauses_a_node_by_itself_is_told_before_why_one_was_drained() throws IOException {
    String drained = "{\"name\": \"n1\", \"state\": \"draining\", \"note\": \"is draining (x)\"}";
    String paused = "{\"name\": \"n2\", \"state\": \"paused\", \"note\": \"its disk\"}";
    assertEquals("n1: is draining (x)", note(drained));
    assertEquals("n2: its disk", note(drained + "," + paused));
    assertEquals("n2: its disk", note(paused + "," + drained));
  }

  private static String note(String nodes) throws IOException {
    String json = "{\"time\": \"2026-01-01T10:00:00Z\", \"nodes\": [" + nodes + "]}";
    return TopScreenData.of(JsonMapper.builder().build().readTree(json)).note();
  }

  @Test
  void of_a_node_that_does_not_answer_old_readings_are_not_shown() throws IOException {
    TopScreenData picture = picture("silent");
    assertEquals(1, picture.silent());
    TopScreenData.Gpu gpu = picture.gpus().get(0);
    assertNull(gpu.used());
    assertNull(gpu.utilization());
    assertNull(gpu.celsius());
    assertNull(gpu.watts());
    assertEquals(100, gpu.total());
  }
}
