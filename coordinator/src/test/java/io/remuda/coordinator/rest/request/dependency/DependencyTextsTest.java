package io.remuda.coordinator.rest.request.dependency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.JobDependency;
import io.remuda.worker.job.JobDependency.When;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DependencyTextsTest {

  private static DependencyTexts of(String... texts) {
    return new DependencyTexts(List.of(texts), List.of(), Map.of("prepare", 0, "3", 1));
  }

  private static DependencyTexts oneOf(List<String> after, String... texts) {
    return new DependencyTexts(after, List.of(texts), Map.of("prepare", 0));
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
  void one_of_several_is_enough_if_they_are_given_so() {
    assertFalse(of("2").oneIsEnough());
    assertFalse(oneOf(List.of()).oneIsEnough());
    DependencyTexts one = oneOf(List.of(), "2:any", "prepare", "train:fail");
    assertTrue(one.oneIsEnough());
    assertEquals(List.of(JobDependency.parse("2:any")), one.others());
    assertEquals(List.of(new NewJob.SiblingDependency(0, When.OK)), one.siblings());
    assertEquals(List.of(new NewJob.NamedDependency("train", When.FAIL)), one.named());
  }

  @Test
  void all_and_one_of_several_exclude_each_other_and_one_is_not_task_by_task() {
    assertEquals(
        "after and afterOneOf exclude each other: a job waits for all of these or for one",
        assertThrows(IllegalArgumentException.class, () -> oneOf(List.of("1"), "2")).getMessage());
    for (String each : List.of("2:each", "prepare:each", "train:each")) {
      assertEquals(
          "afterOneOf: JOB:each starts task by task, and a job starts as a whole after one of"
              + " several: use JOB:ok",
          assertThrows(IllegalArgumentException.class, () -> oneOf(List.of(), each)).getMessage());
    }
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
