package io.remuda.coordinator.cli.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmissionLinesTest {

  private static String line(String job) throws IOException {
    return SubmissionLines.line(7, job == null ? null : new ObjectMapper().readTree(job));
  }

  @Test
  void a_job_is_shown_with_its_name_and_its_tasks_if_there_are_several() throws IOException {
    assertEquals("job 7 (sleep)", line("{\"id\":7,\"name\":\"sleep\",\"tasks\":1}"));
    assertEquals("job 7 (train), 20 tasks", line("{\"name\":\"train\",\"tasks\":20}"));
    assertEquals("job 7", line(null));
  }

  @Test
  void the_hint_names_the_job() {
    assertEquals(
        "remuda logs -f 7 follows its output, remuda explain 7 says why it waits",
        SubmissionLines.hint(List.of(7L)));
    assertEquals(
        "remuda state shows how far they are, remuda logs -f 7 the output of the first",
        SubmissionLines.hint(List.of(7L, 8L)));
  }
}
