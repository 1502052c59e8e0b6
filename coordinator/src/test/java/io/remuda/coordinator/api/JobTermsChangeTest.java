package io.remuda.coordinator.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.rest.request.ChangeFields;
import io.remuda.coordinator.rest.request.SubmissionReader;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other terms for a job that is there already. */
class JobTermsChangeTest {
  private static final JobSpec JOB =
      job(
          "\"gpus\": 2, \"gpuMem\": \"4GiB\", \"cpus\": 3, \"mem\": \"1GiB\", \"timeLimit\": \"1h\","
              + " \"signal\": \"USR1@5m\", \"grace\": \"1m\", \"priority\": 3, \"retries\": 2,"
              + " \"preemptible\": true, \"params\": {\"lr\": \"1..3\"}");

  private static JobSpec job(String fields) {
    String body =
        "{\"argv\": [\"train\", \"{lr}\"], \"workdir\": \"/w\", \"env\": {\"A\": \"b\"}, "
            + fields
            + "}";
    return new SubmissionReader(false)
        .read(body.getBytes(UTF_8), "ann")
        .get(0)
        .numbered(new JobId(17), List.of());
  }

  private static JobTermsChange change(String fields) {
    return ChangeFields.read(("{" + fields + "}").getBytes(UTF_8), "ann");
  }

  private static JobSpec changed(String fields) {
    return change(fields).applied(JOB);
  }

  @Test
  void what_is_given_changes_and_nothing_else() {
    JobSpec changed = changed("\"mem\": \"8GiB\", \"priority\": 7");
    assertEquals(
        JOB.withRequest(changed.request()).withTerms(changed.terms()), changed, "all else is kept");
    assertEquals(8L << 30, changed.request().memory());
    assertEquals(2, changed.request().gpus());
    assertEquals(4L << 30, changed.request().gpuMemory());
    assertEquals(7, changed.terms().priority());
    assertEquals(JOB.terms().ending(), changed.terms().ending());
    assertSame(JOB.terms().array(), changed.terms().array());
  }

  @Test
  void the_grace_changes_without_the_signal_and_the_other_way_round() {
    assertEquals(
        JOB.terms().ending().warning(), changed("\"grace\": \"2m\"").terms().ending().warning());
    assertEquals(60_000, changed("\"signal\": \"TERM@1m\"").terms().ending().graceMillis());
  }

  private static final String PROMISED = "\"gpus\": 1, \"gpuMem\": \"auto\", \"shareIf\": 0.85";

  @Test
  void a_promise_of_speed_changes_by_itself() {
    assertEquals(90, change("\"shareIf\": 0.9").applied(job(PROMISED)).request().shareIf());
    JobSpec auto = job("\"gpus\": 1, \"gpuMem\": \"auto\"");
    ResourceRequest promised = change("\"shareIf\": 0.85").applied(auto).request();
    assertEquals(job(PROMISED).request(), promised);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "'\"gpuMem\": \"whole\"'; 0; 0",
        "'\"gpuMem\": \"4GiB\"'; 4294967296; 0",
        "'\"exclusive\": true'; -1; 1",
        "'\"perGpu\": 4'; -1; 4"
      })
  void what_a_promise_cannot_be_kept_with_ends_it(String fields, long memory, int perGpu) {
    ResourceRequest changed = change(fields).applied(job(PROMISED)).request();
    assertEquals(0, changed.shareIf());
    assertEquals(memory, changed.gpuMemory());
    assertEquals(perGpu, changed.perGpu());
  }

  @Test
  void a_promise_needs_measured_memory() {
    String why =
        assertThrows(IllegalArgumentException.class, () -> changed("\"shareIf\": 0.9"))
            .getMessage();
    assertEquals("shareIf needs gpuMem auto, since what is measured belongs to a type", why);
  }

  @Test
  void what_is_needed_of_a_node_changes_one_by_one() {
    JobSpec job =
        job("\"nodes\": [\"a1\", \"a2\"], \"excludeNodes\": [\"a3\"], \"resources\": [\"lic=2\"]");
    assertEquals(
        job("\"nodes\": [\"a2\"], \"excludeNodes\": [\"a3\"], \"resources\": [\"lic=2\"]")
            .request(),
        change("\"nodes\": [\"a2\"]").applied(job).request());
    assertEquals(
        job("\"nodes\": [\"a1\", \"a2\"], \"resources\": [\"lic=2\"]").request(),
        change("\"excludeNodes\": []").applied(job).request());
  }

  @Test
  void a_hold_is_not_changed_but_begun() {
    String why =
        assertThrows(
                IllegalArgumentException.class,
                () -> ChangeFields.read("{\"hold\": true}".getBytes(UTF_8), "ann"))
            .getMessage();
    assertEquals(
        "hold is not a term of a job: hold or release the job in place of changing it", why);
  }

  @Test
  void a_comment_changes() {
    assertEquals("again", changed("\"comment\": \"again\"").terms().comment());
  }

  @Test
  void retries_given_as_0_are_another_thing_than_none_given() {
    assertFalse(job("\"cpus\": 1").terms().neverAgain());
    JobSpec never = changed("\"retries\": 0");
    assertEquals(0, never.terms().retries());
    assertTrue(never.terms().neverAgain());
    assertTrue(job("\"retries\": 0").terms().neverAgain());
    JobSpec again = change("\"retries\": 3").applied(never);
    assertEquals(3, again.terms().retries());
    assertFalse(again.terms().neverAgain());
  }

  @Test
  void variables_are_added_to_those_that_it_has() {
    CommandWorkload command = (CommandWorkload) changed("\"env\": {\"C\": \"d\"}").tasks().get(2);
    assertEquals(Map.of("A", "b", "C", "d"), command.environment());
    assertEquals(List.of("train", "{lr}"), command.argv());
  }

  @Test
  void a_job_without_gpus_gets_what_its_memory_means() {
    JobSpec plain = change("\"gpuMem\": \"2GiB\"").applied(job("\"cpus\": 1"));
    assertEquals(1, plain.request().gpus());
    assertEquals(0, change("\"gpus\": 0").applied(JOB).request().gpuMemory());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"timeLimit\": \"2m\"|signal: USR1 5 min before the time limit needs a longer time limit,"
            + " got 2 min",
        "\"count\": 3|count cannot be changed: submit a new job with it in place of this one",
        "\"mem\": \"6GiX\"|mem: '6GiX' is not a size: write 6G, 512M, 6GiB, or a number of MiB",
      })
  void what_makes_no_sense_is_refused(String fields, String message) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> changed(fields)).getMessage());
  }

  @Test
  void a_change_of_nothing_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> change(""));
  }
}
