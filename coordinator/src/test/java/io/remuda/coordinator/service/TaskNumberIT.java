package io.remuda.coordinator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.testkit.Cluster;
import io.remuda.coordinator.testkit.Installation;
import io.remuda.coordinator.testkit.ServiceUnderTest.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The numbers that tasks of an array from a script for sbatch have, where commands take jobs. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TaskNumberIT {

  private static final String WHOLE =
      "accepts only whole jobs, and '%d' is task %d.2 (array index 6) of";

  @TempDir private static Path folder;
  private static Cluster service;

  @BeforeAll
  static void start() throws IOException {
    service = new Cluster(Installation.find(), folder.resolve("home"), Map.of());
    service.withScriptedKeepers();
    service.serve("--cpus", "2");
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** Submits an array for sbatch; its task 2, of array index 6, has the number 3 higher. */
  private static long array(String indices, String... options) throws IOException {
    String script = "#!/bin/sh\n#SBATCH -a " + indices + " -J array\nsleep 1\n";
    String[] words = new String[options.length + 1];
    words[0] = "submit";
    System.arraycopy(options, 0, words, 1, options.length);
    ByteArrayInputStream in = new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8));
    Result submitted = service.cliIn(Files.createTempDirectory(folder, "at"), in, words);
    assertEquals(0, submitted.code(), submitted.err());
    return Long.parseLong(submitted.out().strip());
  }

  private static void says(String part, Result of) {
    assertTrue((of.out() + of.err()).contains(part), of + " has not: " + part);
  }

  @Test
  void a_task_is_named_by_its_number_wherever_one_is_taken() throws IOException {
    long job = array("4,5,6", "--hold");
    String number = "" + (job + 3);
    String task = job + ".2";
    assertAll(
        () -> says("the time has passed", service.cli("wait", "--timeout", "1ms", number)),
        () -> says("task " + task, service.cli("wait", "--timeout", "1ms", number)),
        () -> says("job " + job + " is held", service.cli("explain", number)),
        () -> says("task       " + task, service.cli("show", number)),
        () -> says("task " + task, service.cli("logs", number)),
        () -> says("1 job with 1 task", service.cli("resubmit", "--dry-run", number)));
    assertEquals(
        new Result(0, "task " + task + " (index 6) is cancelled\n", ""),
        service.cli("cancel", "--yes", number));
    Result waited = service.cli("wait", number);
    assertEquals(1, waited.code());
    says("task " + task + " (index 6) cancelled", waited);
    assertEquals(1, service.cli("wait", "--json", number, task).code());
    service.cli("cancel", "--yes", "" + job);
    assertEquals(1, service.cli("wait", number, "" + (job + 1), "" + job).code());
  }

  @Test
  void what_takes_whole_jobs_names_the_job() throws IOException {
    long job = array("4,5,6", "--hold");
    long number = job + 3;
    String says = WHOLE.formatted(number, job) + " job " + job + ": name the job";
    assertAll(
        () -> says("hold " + says, service.cli("hold", "" + number)),
        () -> says("release " + says, service.cli("release", "" + number)),
        () -> says("set " + says, service.cli("set", "-p", "3", "" + number)),
        () -> says("after " + says, service.cli("submit", "--after", number + ":ok", "true")),
        () -> says("after " + says, service.cli("set", "--after", "" + number, "" + job)));
    service.cli("cancel", "--yes", "" + job);
  }

  @Test
  void more_than_ten_numbers_are_tasks_too_and_that_of_the_job_is_all_of_them() throws IOException {
    long job = array("1-30", "--hold");
    String some = (job + 1) + "-" + (job + 12);
    String[] words = new String[14];
    words[0] = "cancel";
    words[1] = "--yes";
    for (int i = 1; i <= 12; i++) {
      words[i + 1] = "" + (job + i);
    }
    assertEquals(
        new Result(0, "12 tasks are cancelled\n", ""), service.cli(words), "numbers " + some);
    words[0] = "hold";
    words[1] = "-q";
    says("only a whole job is put on hold: name job " + job, service.cli(words));
    says("job " + job + " is cancelled", service.cli("cancel", "--yes", "" + job));
    words[0] = "cancel";
    says("12 had ended before", service.cli(words));
  }
}
