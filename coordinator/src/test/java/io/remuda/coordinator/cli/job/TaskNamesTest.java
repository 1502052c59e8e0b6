package io.remuda.coordinator.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.client.RestClient;
import io.remuda.worker.job.TaskId;
import org.junit.jupiter.api.Test;

class TaskNamesTest {

  private static String prefix(String job, TaskNames.Beside beside, String task) throws Exception {
    return new TaskNames(RestClient.JSON.readTree(job), beside).prefix(TaskId.parse(task));
  }

  @Test
  void a_task_of_an_array_has_its_number_and_its_array_index() throws Exception {
    String array = "{\"id\":4,\"tasks\":3,\"terms\":{\"array\":{\"indices\":\"1,50-51\"}}}";
    assertEquals("[0 (index 1)]  ", prefix(array, TaskNames.Beside.NOTHING, "4.0"));
    assertEquals("[4.2 (index 51)] ", prefix(array, TaskNames.Beside.OTHER_JOBS, "4.2"));
  }

  @Test
  void a_task_without_another_index_has_its_number_alone() throws Exception {
    assertEquals("[0]  ", prefix("{\"id\":4,\"tasks\":11}", TaskNames.Beside.NOTHING, "4.0"));
  }
}
