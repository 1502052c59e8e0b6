package io.remuda.coordinator.cli.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.agent.commandline.OwnProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileHelpTest {

  private static final int WIDTH = 80;

  @TempDir private Path folder;

  @Test
  void each_field_of_the_schema_has_a_row_with_its_meaning() throws Exception {
    String text = JobFileHelp.text(WIDTH);
    JsonNode schema = new JsonMapper().readTree(JobFileHelp.schema());
    for (String kind : List.of("job", "gang", "role")) {
      schema
          .path("$defs")
          .path(kind)
          .path("properties")
          .fieldNames()
          .forEachRemaining(
              field ->
                  assertTrue(
                      text.matches("(?s).*\n  " + field + " .*"), () -> "no row of " + field));
    }
    assertTrue(text.contains("\n  policy            Choice among nodes that fit. One of"), text);
  }

  @Test
  void no_line_is_longer_than_the_terminal_is_wide() throws Exception {
    assertEquals(
        List.of(), JobFileHelp.text(WIDTH).lines().filter(line -> line.length() > WIDTH).toList());
  }

  @Test
  void its_example_is_a_job_file() throws Exception {
    String text = JobFileHelp.text(WIDTH);
    Path file = folder.resolve("jobs.yaml");
    Files.writeString(
        file, text.substring(text.indexOf("jobs:\n"), text.indexOf("Fields of a job")));
    Map<String, Object> request =
        JobFileReader.read(file, new OwnProcess(), SubmittingShellEnvironment.of(new OwnProcess()));
    assertEquals(2, ((List<?>) request.get("jobs")).size());
  }
}
