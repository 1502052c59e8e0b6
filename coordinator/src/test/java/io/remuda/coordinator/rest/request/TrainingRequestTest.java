package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.TrainingTerms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingRequestTest {

  private static JobSpec job(Map<String, Object> fields) {
    Map<String, Object> all = new HashMap<>(fields);
    all.put("argv", List.of("true"));
    return JobRequest.of(all).toNewJob("ann", List.of()).numbered(new JobId(1), List.of());
  }

  @Test
  void a_job_without_epochs_is_no_training() {
    assertNull(job(Map.of()).terms().training());
  }

  @Test
  void a_training_has_what_its_user_says_of_it() {
    JobSpec job =
        job(
            Map.of(
                "epochs",
                20,
                "snapshots",
                "/s/./snap",
                "custom",
                "/c",
                "data",
                "/d",
                "batchSize",
                64,
                "trainingSetSize",
                60_000,
                "maxGpus",
                4,
                "estHours",
                1.5));
    assertEquals(
        new TrainingTerms(20, "/s/snap", "/c", "/d", 64, 60_000, 4, 1.5), job.terms().training());
    assertEquals(1, job.request().gpus(), "one that may have four GPUs wants one");
  }

  @Test
  void a_training_may_be_asked_to_leave_unless_it_says_no() {
    assertEquals(PreemptionTerms.TRAINING, job(Map.of("epochs", 2)).terms().preemption());
    assertNull(job(Map.of("epochs", 2, "preemptible", false)).terms().preemption());
    assertEquals(
        5000, job(Map.of("epochs", 2, "preemptAfter", "5s")).terms().preemption().afterMillis());
  }

  @ParameterizedTest
  @CsvSource({
    "epochs, 0, 'epochs must be 1 to 1000000, got 0'",
    "batchSize, 0, 'batchSize must be 1 or more, got 0'",
    "trainingSetSize, -5, 'trainingSetSize must be 1 or more, got -5'",
    "maxGpus, 0, 'maxGpus must be 1 or more, got 0'",
    "maxGpus, 1025, 'maxGpus must be 0 to 1024, got 1025'",
    "estHours, 0, 'estHours must be above 0 and at most 87600, got 0.0'",
    "snapshots, here, 'snapshots must be an absolute path, got ''here'''",
    "count, 2, 'epochs require a job of one task, got count 2: each training is a job of its own'",
  })
  void what_makes_no_sense_is_refused_with_its_value(String field, String value, String text) {
    Object typed = value.matches("-?\\d+") ? (Object) Integer.valueOf(value) : value;
    Map<String, Object> fields = new HashMap<>(Map.of("epochs", 2));
    fields.put(field, typed);
    String message = assertThrows(IllegalArgumentException.class, () -> job(fields)).getMessage();
    assertTrue(message.contains(text), message);
  }

  @ParameterizedTest
  @CsvSource({"snapshots, /s", "data, /d", "batchSize, 3", "maxGpus, 2", "estHours, 2"})
  void what_only_a_training_has_wants_epochs(String field, String value) {
    Object typed = value.matches("\\d+") ? (Object) Integer.valueOf(value) : value;
    String message =
        assertThrows(IllegalArgumentException.class, () -> job(Map.of(field, typed))).getMessage();
    assertTrue(message.contains("require epochs"), message);
  }

  @Test
  void more_gpus_than_the_most_are_refused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> job(Map.of("epochs", 2, "maxGpus", 2, "gpus", 3)))
            .getMessage();
    assertEquals("gpus must be 1 to maxGpus 2, got 3", message);
  }
}
