package io.remuda.coordinator.cli.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.cli.select.ChosenJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitedJobsTest {

  private final List<String> requests = new ArrayList<>();

  private JsonNode answer(String path) throws IOException {
    requests.add(path);
    String ran = path.endsWith("&progress") ? ",\"ranMillis\":30000" : "";
    return JsonMapper.builder().build().readTree("{\"id\":7,\"state\":\"succeeded\"" + ran + "}");
  }

  private static JsonNode refuse() throws IOException {
    throw new IOException("no server answers");
  }

  @Test
  void how_long_a_job_ran_is_asked_for_once_when_it_has_ended() throws Exception {
    ChosenJob seven = new ChosenJob(7, null, null);
    WaitedJobs jobs = new WaitedJobs(List.of(seven), false, false);
    Map<ChosenJob, JsonNode> over = jobs.look(this::answer);
    assertEquals(30_000, jobs.timed(over, this::answer).get(seven).path("ranMillis").asLong());
    assertEquals(List.of("/jobs/7?limit=0", "/jobs/7?limit=0&progress"), requests);
    assertEquals(over, jobs.timed(over, path -> refuse()));
    requests.clear();
    jobs.timed(Map.of(), this::answer);
    assertEquals(List.of(), requests);
  }
}
