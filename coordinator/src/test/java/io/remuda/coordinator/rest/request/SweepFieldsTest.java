package io.remuda.coordinator.rest.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.Sweep;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Submissions of sweeps. */
class SweepFieldsTest {
  private static NewJob job(String fields) {
    String body = "{\"argv\": [\"train\"], \"workdir\": \"/\", \"env\": {}, " + fields + "}";
    return new SubmissionReader(false).read(body.getBytes(UTF_8), "ann").get(0);
  }

  private static Sweep sweep(String fields) {
    return job(fields).terms().array().sweep();
  }

  @Test
  void a_job_has_a_task_for_each_combination_and_one_command() {
    NewJob job = job("\"params\": {\"lr\": \"0.1,0.2\", \"seed\": \"1..5\"}, \"lines\": [\"a\"]");
    assertEquals(10, job.tasks().size());
    assertTrue(job.tasks().stream().allMatch(task -> task == job.workload()));
    assertEquals(
        Map.of("lr", "0.2", "seed", "5", "line", "a"), job.terms().array().sweep().values(9));
  }

  @Test
  void values_are_written_as_they_are_given() {
    assertEquals(List.of("08", "09", "10"), values("08..10"));
    assertEquals(List.of("-1", "1", "3", "x"), values("-1..3:2,x"));
    assertEquals(
        "{\"lr\":0.10,\"big\":1e-7}",
        sweep("\"entries\": [{\"lr\": 0.10, \"big\": 1e-7}, 1]").values(0).get("entry"));
  }

  private static List<String> values(String text) {
    Sweep sweep = sweep("\"params\": {\"x\": \"" + text + "\"}");
    return java.util.stream.IntStream.range(0, sweep.size())
        .mapToObj(task -> sweep.values(task).get("x"))
        .toList();
  }

  private static NewJob ofEntries(String word, String variable) {
    String body =
        "{\"argv\": [\"train\", \"%s\"], \"workdir\": \"/\", \"env\": {\"A\": \"%s\"}, "
            + "\"entries\": [{\"lr\": 1, \"note\": 2}, {\"lr\": 2}, 3]}";
    return new SubmissionReader(false)
        .read(body.formatted(word, variable).getBytes(UTF_8), "ann")
        .get(0);
  }

  @Test
  void an_entry_without_a_field_that_the_job_uses_is_refused() {
    assertEquals(3, ofEntries("{{lr}} {x} {entry}", "lr {{note}}").tasks().size());
    assertEquals(
        "entries: entry 3 has no field 'lr', which the job uses as {lr}: add it",
        assertThrows(IllegalArgumentException.class, () -> ofEntries("--lr={lr}", ""))
            .getMessage());
    assertEquals(
        "entries: entry 2 has no field 'note', which the job uses as {note}: add it",
        assertThrows(IllegalArgumentException.class, () -> ofEntries("", "a {note}")).getMessage());
  }

  @Test
  void slurms_percent_sign_limits_how_many_run() {
    NewJob job = job("\"array\": \"1-100%4\"");
    assertEquals(4, job.terms().maxRunning());
    assertEquals(100, job.tasks().size());
  }

  @Test
  void a_job_may_give_up_and_go_first() {
    assertEquals(
        new TaskArrayTerms(null, 3, 0, 1),
        job("\"count\": 9, \"maxFails\": 3, \"first\": true").terms().array());
  }

  @Test
  void parameters_in_braces_do_not_split_a_type() {
    String type = "\"gpus\": 1, \"gpuMem\": \"auto\", ";
    String words = "{\"argv\": [\"train.py\", \"%s\"], \"workdir\": \"/w\", \"env\": {}, ";
    String sweep = words.formatted("{seed}") + type + "\"params\": {\"seed\": \"1..3\"}}";
    String plain = words.formatted("5") + type + "\"count\": 1}";
    SubmissionReader reader = new SubmissionReader(false);
    assertEquals(
        reader.read(plain.getBytes(UTF_8), "ann").get(0).type(),
        reader.read(sweep.getBytes(UTF_8), "ann").get(0).type());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"array\": \"1-\"|array: indices are numbers and ranges, as 3,7-20:2, got '1-'",
        "\"array\": \"1-3%0\"|array: behind % stands how many tasks run at once, as 1-100%4, got"
            + " '1-3%0'",
        "\"array\": \"1-3%2\", \"maxRunning\": 4|array with %2 is maxRunning 2, got also 4",
        "\"array\": \"1\", \"lines\": [\"a\"]|array, lines and entries exclude each other: give one"
            + " of them, and params for the rest",
        "\"array\": \"1-3\", \"count\": 3|array, lines, entries and params say how many tasks there"
            + " are: leave count 3 out",
        "\"array\": \"1-3\", \"gang\": true|array, lines, entries and params and gang exclude each"
            + " other: the tasks of a sweep have nothing in common",
        "\"lines\": []|lines is empty, so the job would have no task",
        "\"lines\": [1]|lines must be a list of texts, got '1'",
        "\"lines\": [\"a\\nb\"]|lines, number 1, has a line break or a NUL character",
        "\"entries\": {}|entries must be a list, got an object",
        "\"entries\": [{\"a-b\": 1, \"a_b\": 2}]|a task would have two values 'a-b' and 'a_b', both"
            + " REMUDA_PARAM_A_B: rename one",
        "\"entries\": [1, {\"lr\": 1}], \"params\": {\"lr\": \"2\"}|a task would have two values"
            + " 'lr' and 'lr', both REMUDA_PARAM_LR: rename one",
        "\"params\": {\"a b\": \"1\"}|params: a name has letters, digits, '_', '-' and '.', got 'a"
            + " b'",
        "\"params\": {\"lr\": \"1,,2\"}|params.lr: a value is empty in '1,,2': write them as"
            + " 0.1,0.2",
        "\"params\": {\"lr\": \"5..1\"}|params.lr: '5..1' has no number: write FROM..TO or"
            + " FROM..TO:STEP",
        "\"params\": {\"a\": \"1..2000\", \"b\": \"1..2000\"}|a sweep has at most 1000000 tasks,"
            + " got 4000000",
        "\"count\": 3, \"maxFails\": 0|maxFails must be 1 or more, got 0",
      })
  void what_makes_no_sense_is_refused(String fields, String message) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> job(fields)).getMessage());
  }
}
