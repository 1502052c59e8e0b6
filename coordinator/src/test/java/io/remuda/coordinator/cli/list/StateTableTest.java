package io.remuda.coordinator.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTableTest {

  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 11, 24, 14, 0, 0, 0, ZoneOffset.UTC);

  private static StateTable table(String jobs) throws IOException {
    String common = "'submittedAt': '2026-11-24T13:50:00Z', 'user': 'ann', 'name': 'n', ";
    return new StateTable(
        JsonMapper.builder()
            .build()
            .readTree(("[" + jobs.replace("{'id", "{" + common + "'id") + "]").replace('\'', '"')),
        NOW);
  }

  @Test
  void what_waits_has_its_turn_its_start_and_its_reason() throws IOException {
    assertEquals(
        List.of(
            "JOB  STATE      TASKS  TURN  START         SUBMITTED  RAN  USER  NAME  REASON",
            "1    running    1                          10m ago         ann   n",
            "2    waiting    1      1     ~14:20        10m ago         ann   n     n1: full",
            "3    waiting    1      2     ~11-25 02:00  10m ago         ann   n",
            "4    waiting    1      3     ?             10m ago         ann   n",
            "5    submitted  1            ?             10m ago         ann   n",
            "6    held       1                          10m ago         ann   n"),
        table(
                "{'id': 1, 'state': 'running', 'tasks': 1},"
                    + "{'id': 2, 'state': 'waiting', 'tasks': 1, 'turn': 1,"
                    + " 'expectedStartAt': '2026-11-24T14:20:10Z', 'reason': 'n1: full'},"
                    + "{'id': 3, 'state': 'waiting', 'tasks': 1, 'turn': 2,"
                    + " 'expectedStartAt': '2026-11-25T02:00:00Z'},"
                    + "{'id': 4, 'state': 'waiting', 'tasks': 1, 'turn': 3},"
                    + "{'id': 5, 'state': 'submitted', 'tasks': 1},"
                    + "{'id': 6, 'state': 'held', 'tasks': 1}")
            .lines());
  }

  @Test
  void an_array_says_how_far_it_is_and_nothing_is_expected_where_nothing_waits()
      throws IOException {
    assertEquals(
        List.of(
            "JOB  STATE    TASKS                                            SUBMITTED  RAN  USER"
                + "  NAME  REASON",
            "1    running  37/1,000 done, 3 failed, 1 cancelled, 4 running  10m ago         ann"
                + "   n"),
        table(
                "{'id': 1, 'state': 'running', 'tasks': 1000, 'counts': {'succeeded': 37,"
                    + " 'failed': 2, 'lost': 1, 'cancelled': 1, 'running': 3, 'ending': 1,"
                    + " 'waiting': 955}}")
            .lines());
  }

  @Test
  void on_a_terminal_long_texts_are_cut_with_a_mark() throws IOException {
    List<String> lines =
        table("{'id': 2, 'state': 'failed', 'tasks': 1, 'reason': '" + "x".repeat(200) + "'}")
            .lines(60);
    assertEquals(60, lines.get(1).length());
    assertTrue(lines.get(1).matches(".*x(…|\\+)"), lines.get(1));
  }
}
