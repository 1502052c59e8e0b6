package io.remuda.coordinator.cli.list;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RestClient;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTreeTest {

  private final ArrayNode jobs = RestClient.JSON.createArrayNode();

  private ObjectNode job(long id, String... after) {
    ObjectNode job = jobs.addObject().put("id", id).put("state", "submitted").put("name", "n" + id);
    ArrayNode all = job.putObject("terms").putArray("after");
    for (String one : after) {
      all.add(one);
    }
    return job;
  }

  private List<String> lines(JobTree.Style style) {
    return new JobTree(jobs, style)
        .branches().stream()
            .map(one -> one.before() + one.job().path("id").asText() + one.after())
            .toList();
  }

  @Test
  void what_waits_stands_below_what_it_waits_for() {
    job(1);
    job(2, "1:ok");
    job(3);
    job(4, "2:ok");
    job(5, "1:any");
    job(6, "5:ok");
    assertEquals(
        List.of(
            "1",
            "\u251c\u2500 2",
            "\u2502  \u2514\u2500 4",
            "\u2514\u2500 5",
            "   \u2514\u2500 6",
            "3"),
        lines(JobTree.Style.LINES));
    assertEquals(List.of("1", "  2", "    4", "  5", "    6", "3"), lines(JobTree.Style.BLANKS));
  }

  @Test
  void the_other_jobs_that_it_waits_for_are_named() {
    job(1);
    job(5);
    job(7);
    job(8, "1:ok", "5:ok", "7:any");
    ObjectNode one = job(9);
    ((ObjectNode) one.path("terms")).putArray("afterOneOf").add("5:ok").add("7:ok");
    assertEquals(
        List.of("1", "  8 also after 5, 7:any", "5", "  9 or after 7", "7"),
        lines(JobTree.Style.BLANKS));
  }

  @Test
  void jobs_that_are_not_listed_are_left_out_and_what_comes_after_them_alone_is_a_root() {
    job(4, "2:ok");
    job(5, "3:ok", "4:ok");
    assertEquals(List.of("4", "  5"), lines(JobTree.Style.BLANKS));
  }

  @Test
  void a_job_may_come_after_one_with_a_higher_number() {
    job(1, "2:ok");
    job(2);
    assertEquals(List.of("2", "  1"), lines(JobTree.Style.BLANKS));
  }

  @Test
  void a_job_with_two_listed_tasks_has_its_followers_once() {
    job(1).put("task", 3);
    job(1).put("task", 4);
    job(2, "1:ok");
    assertEquals(List.of("1", "  2", "1"), lines(JobTree.Style.BLANKS));
  }

  @Test
  void a_long_chain_is_numbered_and_not_indented_for_ever() {
    job(1);
    for (long id = 2; id <= 20_000; id++) {
      job(id, id - 1 + ":ok");
    }
    List<String> lines = lines(JobTree.Style.BLANKS);
    assertEquals("                9", lines.get(8));
    assertEquals("                [9] 10", lines.get(9));
    assertEquals("                [19999] 20000", lines.get(19_999));
  }

  @Test
  void branches_stand_before_the_numbers_or_else_in_the_first_column() {
    job(1);
    job(2, "1:ok");
    ZonedDateTime now = ZonedDateTime.of(2026, 11, 24, 14, 0, 0, 0, ZoneOffset.UTC);
    JobTree tree = new JobTree(jobs, JobTree.Style.LINES);
    assertEquals(
        List.of("NAME  JOB", "n1    1", "n2    \u2514\u2500 2"),
        new JobTable(jobs, tree, List.of(JobColumn.NAME, JobColumn.JOB), now).lines());
    assertEquals(
        List.of("NAME   STATE", "n1     submitted", "\u2514\u2500 n2  submitted"),
        new JobTable(jobs, tree, List.of(JobColumn.NAME, JobColumn.STATE), now).lines());
  }
}
