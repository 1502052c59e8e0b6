package io.remuda.coordinator.cli.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.client.RestClient;
import io.remuda.coordinator.rest.answer.SubmittedAnswer;
import io.remuda.coordinator.rest.request.SubmissionReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the server says of a dry run, and how it is printed. */
class DryRunLinesTest {

  private static JsonNode planned(String request) {
    return RestClient.JSON
        .valueToTree(
            SubmittedAnswer.planned(
                new SubmissionReader(false)
                    .read(request.replace('\'', '"').getBytes(StandardCharsets.UTF_8), "ann")))
        .path("planned");
  }

  private static final String TO_RUN = "'workdir': '/'";

  @Test
  void a_sweep_shows_the_first_commands_with_their_values_as_a_shell_takes_them() {
    List<String> lines =
        DryRunLines.of(
            planned(
                "{'name': 'lr', 'argv': ['train', '--lr', '{lr}', '{text}'], 'params': {'lr':"
                    + " '1..6', 'text': 'a b,c'}, "
                    + TO_RUN
                    + "}"));
    assertEquals("the server accepts this; nothing was submitted", lines.get(0));
    assertEquals("1 job with 12 tasks", lines.get(1));
    assertEquals("lr: 12 tasks, each with 1 CPU", lines.get(2));
    assertEquals("  train --lr 1 'a b'", lines.get(3));
    assertEquals("  train --lr 1 c", lines.get(4));
    assertEquals("  train --lr 5 c", lines.get(12));
    assertEquals("  ... and 2 more", lines.get(13));
    assertEquals(14, lines.size());
  }

  @Test
  void tasks_that_are_alike_have_one_command_and_of_many_jobs_ten_are_shown() {
    String one = "{'name': 'n', 'argv': ['x', ''], 'count': 3, " + TO_RUN + "},";
    List<String> lines =
        DryRunLines.of(
            planned("{'jobs': [" + one.repeat(11) + one.substring(0, one.length() - 1) + "]}"));
    assertEquals("12 jobs with 36 tasks", lines.get(1));
    assertEquals(List.of("n: 3 tasks, each with 1 CPU", "  x ''"), lines.subList(2, 4));
    assertEquals("... and 2 more jobs", lines.get(lines.size() - 1));
    assertEquals(23, lines.size());
  }

  @Test
  void commands_that_would_make_the_answer_too_long_are_left_out() {
    String job = "{'argv': ['x', '" + "y".repeat(100_000) + "'], " + TO_RUN + "}";
    JsonNode planned = planned("{'jobs': [" + (job + ",").repeat(19) + job + "]}");
    assertEquals(20, planned.size());
    assertEquals(1, planned.path(9).path("commands").size());
    assertEquals(0, planned.path(19).path("commands").size());
  }

  @Test
  void a_server_of_an_earlier_build_says_only_that_it_accepts() {
    assertEquals(1, DryRunLines.of(RestClient.JSON.missingNode()).size());
  }

  @Test
  void what_a_job_asked_for_is_shown() {
    String asked = "{'name': 'n', 'argv': ['x'], 'cpus': 2, 'gpus': 1, 'timeLimit': '2h', ";
    assertEquals(
        "n: 1 task with 2 CPUs, 1 GPU, at most 2 h",
        DryRunLines.of(planned(asked + TO_RUN + "}")).get(2));
  }

  @Test
  void which_tasks_there_are_is_said_by_array_index() {
    String array = "{'argv': ['x'], 'name': 'n', 'array': '%s', " + TO_RUN + "}";
    assertEquals(
        "n: 3 tasks of array indices 3-5, each with 1 CPU",
        DryRunLines.of(planned(array.formatted("3-5"))).get(2));
    assertEquals(
        "n: 1 task of array index 7 with 1 CPU",
        DryRunLines.of(planned(array.formatted("7"))).get(2));
    assertEquals(
        "n: 5 tasks, each with 1 CPU", DryRunLines.of(planned(array.formatted("0-4"))).get(2));
  }
}
