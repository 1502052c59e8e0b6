package io.remuda.coordinator.cli.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTableTest {

  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 11, 24, 14, 0, 0, 0, ZoneOffset.UTC);

  private static JobTable table(String jobs, JobColumn... columns) throws IOException {
    String common = "'submittedAt': '2026-11-24T13:50:00Z', 'user': 'ann', 'name': 'n', ";
    return new JobTable(
        JsonMapper.builder()
            .build()
            .readTree(("[" + jobs.replace("{'id", "{" + common + "'id") + "]").replace('\'', '"')),
        List.of(columns),
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
            "JOB  STATE    TASKS                                                         SUBMITTED"
                + "  RAN  USER  NAME  REASON",
            "1    running  37/1,000 done, 3 failed, 1 cancelled, 4 running, 955 waiting  10m ago  "
                + "       ann   n"),
        table(
                "{'id': 1, 'state': 'running', 'tasks': 1000, 'counts': {'succeeded': 37,"
                    + " 'failed': 2, 'lost': 1, 'cancelled': 1, 'running': 3, 'ending': 1,"
                    + " 'waiting': 955}}")
            .lines());
  }

  @Test
  void a_single_task_does_not_count_the_tasks_of_its_array() throws IOException {
    String counts = ", 'tasks': 4, 'counts': {'succeeded': 1, 'waiting': 3}}";
    String tasks = "{'id': 7, 'task': 0, 'state': 'succeeded'" + counts;
    assertEquals(
        List.of(
            "JOB  STATE      SUBMITTED  RAN  USER  NAME  REASON",
            "7.0  succeeded  10m ago         ann   n"),
        table(tasks).lines());
    assertEquals(
        List.of("JOB  TASKS", "7.0  1", "8    1/4 done"),
        table(tasks + ",{'id': 8, 'state': 'waiting'" + counts, JobColumn.JOB, JobColumn.TASKS)
            .lines());
  }

  @Test
  void a_running_array_has_the_turn_of_its_next_task_if_it_has_one() throws IOException {
    assertEquals(
        List.of(
            "JOB  STATE    TASKS                           TURN  START   SUBMITTED  RAN  USER"
                + "  NAME  REASON",
            "1    running  2/6 done, 2 running, 2 waiting  1     ~14:20  10m ago         ann "
                + "  n     n1: full",
            "2    running  0/4 done, 1 running, 3 waiting  2     ?       10m ago         ann   n",
            "3    running  2/6 done, 2 running, 2 waiting                10m ago         ann "
                + "  n     at most 2 of its tasks run at once"),
        table(
                "{'id': 1, 'state': 'running', 'tasks': 6, 'turn': 1, 'reason': 'n1: full',"
                    + " 'expectedStartAt': '2026-11-24T14:20:10Z',"
                    + " 'counts': {'succeeded': 2, 'running': 2, 'waiting': 2}},"
                    + "{'id': 2, 'state': 'running', 'tasks': 4, 'turn': 2,"
                    + " 'counts': {'running': 1, 'waiting': 3}},"
                    + "{'id': 3, 'state': 'running', 'tasks': 6,"
                    + " 'reason': 'at most 2 of its tasks run at once',"
                    + " 'counts': {'succeeded': 2, 'running': 2, 'waiting': 2}}")
            .lines());
  }

  @Test
  void where_a_job_is_or_was_is_shown_once_one_has_a_place() throws IOException {
    assertEquals(
        List.of(
            "JOB  STATE      TASKS  SUBMITTED  RAN  NODE     USER  NAME  REASON",
            "1    running    9      10m ago         lab7 +2  ann   n",
            "2    succeeded  1      10m ago         lab1     ann   n",
            "3    running    90     10m ago         a +11    ann   n",
            "4    held       1      10m ago                  ann   n"),
        table(
                "{'id': 1, 'state': 'running', 'tasks': 9, 'nodes': ['lab7', 'lab8', 'lab9']},"
                    + "{'id': 2, 'state': 'succeeded', 'tasks': 1, 'nodes': ['lab1']},"
                    + "{'id': 3, 'state': 'running', 'tasks': 90, 'nodes': ['a', 'b', 'c', 'd',"
                    + " 'e', 'f', 'g', 'h'], 'nodesMore': 4},"
                    + "{'id': 4, 'state': 'held', 'tasks': 1}")
            .lines());
  }

  @Test
  void chosen_columns_come_in_their_order_also_those_with_nothing_in_them() throws IOException {
    String asked =
        "{'id': 1, 'state': 'failed', 'tasks': 1, 'exitCode': 3,"
            + " 'startedAt': '2026-11-24T13:55:00Z', 'endedAt': '2026-11-24T13:58:30Z',"
            + " 'needs': {'cpus': 1.0, 'gpus': 2, 'memory': 6442450944},"
            + " 'terms': {'priority': 5, 'timeLimitMillis': 5400000, 'after': ['3:ok', '4:any']}},"
            + "{'id': 2, 'state': 'held', 'tasks': 1, 'exitCode': null,"
            + " 'needs': {'cpus': 0.5, 'gpus': 0, 'memory': 1048576},"
            + " 'terms': {'priority': 0, 'timeLimitMillis': 0, 'after': []}}";
    assertEquals(
        List.of("NAME  JOB  TURN  EXIT  NODE", "n     1          3", "n     2"),
        table(asked, JobColumn.NAME, JobColumn.JOB, JobColumn.TURN, JobColumn.EXIT, JobColumn.NODE)
            .lines());
    assertEquals(
        List.of(
            "CPUS  GPUS  MEM      PRIORITY  LIMIT   AFTER        STARTED  ENDED",
            "1     2     6.0 GiB  5         90 min  3:ok, 4:any  5m ago   90s ago",
            "0.5   0     1 MiB    0"),
        table(
                asked,
                JobColumn.CPUS,
                JobColumn.GPUS,
                JobColumn.MEM,
                JobColumn.PRIORITY,
                JobColumn.LIMIT,
                JobColumn.AFTER,
                JobColumn.STARTED,
                JobColumn.ENDED)
            .lines());
  }

  @Test
  void what_has_ended_has_its_exit_code_or_the_signal_that_ended_it() throws IOException {
    String ended = "'state': 'failed', 'endedAt': '2026-11-24T13:58:30Z', ";
    assertEquals(
        List.of("JOB  EXIT", "1    0", "2.3  signal 15", "3    -", "4"),
        table(
                "{'id': 1, "
                    + ended
                    + "'exitCode': 0},"
                    + "{'id': 2, 'task': 3, "
                    + ended
                    + "'exitCode': null, 'signal': 15},"
                    + "{'id': 3, "
                    + ended
                    + "'exitCode': null},"
                    + "{'id': 4, 'state': 'running', 'exitCode': null}",
                JobColumn.JOB,
                JobColumn.EXIT)
            .lines());
  }

  @Test
  void times_are_absolute_where_that_is_chosen_and_a_peak_may_be_unknown() throws IOException {
    assertEquals(
        List.of(
            "SUBMITTED-AT         STARTED-AT           ENDED-AT             START                PEAK",
            "2026-11-24 13:50:00  2026-11-24 13:55:00  2026-11-24 13:58:30  2026-11-24 13:55:00"
                + "  1.5 GiB",
            "2026-11-24 13:50:00                                            ~14:20               -"),
        table(
                "{'id': 1, 'state': 'failed', 'peakRssBytes': 1610612736,"
                    + " 'startedAt': '2026-11-24T13:55:00.123Z',"
                    + " 'endedAt': '2026-11-24T13:58:30Z'},"
                    + "{'id': 2, 'state': 'waiting', 'startedAt': null, 'endedAt': null,"
                    + " 'expectedStartAt': '2026-11-24T14:20:10Z'}",
                JobColumn.SUBMITTED_AT,
                JobColumn.STARTED_AT,
                JobColumn.ENDED_AT,
                JobColumn.START,
                JobColumn.PEAK)
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

  @Test
  void a_job_has_run_as_long_as_was_measured_whatever_clocks_say() throws IOException {
    String hour = " 'startedAt': '2026-11-24T12:59:30Z', 'endedAt': '2026-11-24T14:00:00Z'";
    assertEquals(
        List.of("JOB  RAN", "1    60m", "2    30s", "3    0s", "4"),
        table(
                "{'id': 1,"
                    + hour
                    + "},{'id': 2, 'ranMillis': 30000,"
                    + hour
                    + "},{'id': 3, 'startedAt': '2026-11-24T15:00:00Z'},"
                    + "{'id': 4, 'startedAt': null, 'ranMillis': 30000}",
                JobColumn.JOB,
                JobColumn.RAN)
            .lines());
  }
}
