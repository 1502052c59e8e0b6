package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.client.RestClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code show} and {@code explain} print of several jobs, and of tasks. */
class ShowCommandTest {

  private final StringWriter out = new StringWriter();
  private FakeServer server;

  @BeforeEach
  void serve() throws Exception {
    server =
        new FakeServer()
            .answers("/jobs/1/explain", "{\"state\":\"succeeded\",\"counts\":{},\"text\":[]}")
            .answers("/jobs/2/explain", "{\"state\":\"cancelled\",\"counts\":{},\"text\":[]}")
            .answers("/jobs/3/explain", "{\"state\":\"waiting\",\"counts\":{},\"text\":[]}")
            .answers("/jobs/1/tasks", "{\"tasks\":[],\"next\":null}")
            .answers("/jobs/2/tasks", "{\"tasks\":[],\"next\":null}")
            .answers("/jobs/1?", job(1, "prepare"))
            .answers("/jobs/2?", job(2, "train").replace("{}", "{\"comment\":\"second try\"}"))
            .answers(
                "/jobs?", "{\"filtered\":true,\"jobs\":[{\"id\":2,\"task\":1,\"arrayIndex\":7}]}");
  }

  private static String job(int id, String name) {
    return "{\"id\":%d,\"name\":\"%s\",\"state\":\"waiting\",\"tasks\":2,\"terms\":{},"
            .formatted(id, name)
        + "\"needs\":{\"cpus\":1.0,\"gpus\":1},\"counts\":{\"waiting\":2}}";
  }

  @AfterEach
  void close() {
    server.close();
  }

  private List<String> run(ServerCommandBase command, String... words) throws Exception {
    new CommandLine(command).setOut(new PrintWriter(out, true)).parseArgs(words);
    if (command instanceof ShowCommand show) {
      show.ask(server.client());
    } else {
      ((ExplainCommand) command).ask(server.client());
    }
    return out.toString().lines().toList();
  }

  @Test
  void several_jobs_follow_each_other() throws Exception {
    List<String> lines = run(new ShowCommand(), "1,2");
    assertTrue(lines.contains("job        1  prepare"), lines::toString);
    assertTrue(lines.contains("job        2  train"), lines::toString);
    assertTrue(lines.contains("each task  1 CPU, 1 GPU"), lines::toString);
    assertEquals(1, Collections.frequency(lines, "comment    second try"), lines::toString);
  }

  @Test
  void several_jobs_are_a_list_in_json_and_one_is_none() throws Exception {
    run(new ShowCommand(), "--json", "1", "2");
    JsonNode several = RestClient.JSON.readTree(out.toString());
    assertEquals(2, several.get(1).path("id").asInt());
    out.getBuffer().setLength(0);
    run(new ShowCommand(), "--json", "1");
    assertEquals(1, RestClient.JSON.readTree(out.toString()).path("id").asInt());
  }

  @Test
  void a_task_that_has_not_started_is_named_by_number_and_array_index() throws Exception {
    assertEquals("task       2.1 (index 7) of train", run(new ShowCommand(), "2_7").get(0));
  }

  @Test
  void explain_says_of_jobs_that_are_over_how_they_ended() throws Exception {
    assertEquals(
        List.of("job 1 succeeded", "job 2 was cancelled", "job 3 is waiting"),
        run(new ExplainCommand(), "1,2", "3"));
  }
}
