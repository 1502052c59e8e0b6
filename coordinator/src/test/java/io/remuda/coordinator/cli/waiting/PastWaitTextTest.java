package io.remuda.coordinator.cli.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RestClient;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PastWaitTextTest {
  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 11, 28, 14, 20, 0, 0, ZoneId.of("UTC"));

  private final ObjectNode waiting = RestClient.JSON.createObjectNode();
  private final ArrayNode reasons = waiting.putArray("reasons");

  private void reason(String name, String from, String to) {
    ObjectNode reason = reasons.addObject().put("reason", name);
    reason.put("from", ZonedDateTime.parse(from + "Z").toEpochSecond());
    if (to == null) {
      reason.putNull("to");
    } else {
      reason.put("to", ZonedDateTime.parse(to + "Z").toEpochSecond());
    }
  }

  @Test
  void each_reason_has_its_times_and_all_of_them_a_sum() {
    reason("no-room-on-gpus", "2026-11-28T14:02:00", "2026-11-28T14:10:00");
    reason("on-hold", "2026-11-28T14:10:00", "2026-11-28T14:14:00");
    assertEquals(
        Optional.of("waited 12 min: no-room-on-gpus 14:02-14:10, on-hold 14:10-14:14"),
        PastWaitText.of(waiting, NOW));
  }

  @Test
  void what_goes_on_is_since_then_and_another_day_has_its_date() {
    reason("after-job", "2026-11-27T23:59:00", "2026-11-28T00:05:00");
    reason("on-hold", "2026-11-28T14:19:10", "2026-11-28T14:19:40");
    reason("no-nodes", "2026-11-28T14:19:40", null);
    assertEquals(
        Optional.of(
            "waited 6 min: after-job 2026-11-27 23:59-2026-11-28 00:05,"
                + " on-hold 14:19:10-14:19:40, no-nodes since 14:19"),
        PastWaitText.of(waiting, NOW));
  }

  @Test
  void of_many_the_newest_are_named() {
    for (int minute = 0; minute < 12; minute++) {
      String at = "2026-11-28T13:%02d:00";
      reason("r" + minute, at.formatted(minute), at.formatted(minute + 1));
    }
    String line = PastWaitText.of(waiting, NOW).orElseThrow();
    assertEquals("waited 12 min: 4 earlier ones, r4 ", line.substring(0, 34));
  }

  @Test
  void what_it_waits_for_since_a_moment_ago_is_said_elsewhere() {
    reason("no-nodes", "2026-11-28T14:19:10", null);
    assertEquals(Optional.empty(), PastWaitText.of(waiting, NOW));
  }

  @Test
  void nothing_is_said_of_a_job_that_has_not_waited() {
    assertEquals(Optional.empty(), PastWaitText.of(waiting, NOW));
  }
}
