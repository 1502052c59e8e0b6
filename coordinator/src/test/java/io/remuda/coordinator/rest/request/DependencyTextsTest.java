package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobDependency.When;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DependencyTextsTest {

  private static DependencyTexts of(String... texts) {
    return new DependencyTexts(List.of(texts), Map.of("prepare", 0, "3", 1));
  }

  @Test
  void a_number_is_a_job_and_its_outcome_may_be_stated() {
    assertEquals(
        List.of(JobDependency.parse("2:ok"), JobDependency.parse("7:each")),
        of("2", "7:each").others());
  }

  @Test
  void the_name_of_an_earlier_job_of_the_submission_is_that_job() {
    assertEquals(
        List.of(
            new NewJob.SiblingDependency(0, When.ANY), new NewJob.SiblingDependency(1, When.OK)),
        of("prepare:any", "3").siblings());
  }

  @Test
  void another_name_is_looked_up() {
    assertEquals(
        List.of(
            new NewJob.NamedDependency("train", When.OK),
            new NewJob.NamedDependency("last", When.FAIL)),
        of("train", "last:fail").named());
  }

  @Test
  void an_outcome_that_is_none_is_refused() {
    for (String text :
        List.of("2:maybe", "prepare:now", "train:now", "", "2:", "0", "train:any:each")) {
      assertEquals(
          "a dependency is JOB or JOB:ok|any|fail|each, got '" + text + "'",
          assertThrows(IllegalArgumentException.class, () -> of(text)).getMessage());
    }
  }
}
