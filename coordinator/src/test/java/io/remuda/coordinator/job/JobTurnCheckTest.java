package io.remuda.coordinator.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.registry.policy.SchedulingSettings.TestBounds;
import io.remuda.coordinator.rest.request.SubmissionReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobTurnCheckTest {

  private final JobTurnCheck check =
      new JobTurnCheck(
          new TestBounds(Duration.ofMinutes(20), 2, 1),
          () -> Instant.parse("2026-11-26T14:00:00Z").toEpochMilli());

  private String refusal(String fields) {
    return check.refusal(job(fields)).map(Rejection::message).orElse("");
  }

  private static NewJob job(String fields) {
    String body = "{\"argv\": [\"true\"], \"workdir\": \"/\", \"env\": {}, " + fields + "}";
    return new SubmissionReader(false).read(body.getBytes(UTF_8), "ann").get(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'qos': 'test'",
        "'qos': 'test', 'gpus': 2, 'timeLimit': '20m'",
        "'qos': 'test', 'gpus': 1, 'gang': true, 'count': 2",
        "'qos': 'test', 'gpus': 2, 'count': 100",
        "'qos': 'scavenger', 'gpus': 8, 'timeLimit': '20h'",
        "'first': true, 'firstUntil': '2026-11-26T14:00:01Z'"
      })
  void what_keeps_to_the_bounds_is_accepted(String fields) {
    assertEquals("", refusal(fields.replace('\'', '"')));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'qos': 'test', 'gpus': 3",
        "'qos': 'test', 'gpus': 1, 'gang': true, 'count': 3",
        "'qos': 'test', 'epochs': 2, 'maxGpus': 3"
      })
  void a_test_that_has_too_many_gpus_at_once_is_refused(String fields) {
    assertEquals(
        "a job with qos test has at most 2 GPUs here, got 3", refusal(fields.replace('\'', '"')));
  }

  @Test
  void a_test_that_takes_too_long_is_refused() {
    assertEquals(
        "a job with qos test has a time limit of at most 20 min here, got 21 min",
        refusal("\"qos\": \"test\", \"timeLimit\": \"21m\""));
  }

  @Test
  void a_time_that_is_over_is_refused() {
    assertEquals(
        "firstUntil must be a time to come, got 2026-11-26T14:00:00Z",
        refusal("\"first\": true, \"firstUntil\": \"2026-11-26T14:00:00Z\""));
  }

  @Test
  void what_was_accepted_before_the_bounds_were_lowered_is_not_refused_for_another_change() {
    String large = "\"qos\": \"test\", \"gpus\": 3, \"timeLimit\": ";
    NewJob before = job(large + "\"21m\"");
    assertEquals(
        Optional.empty(), check.refusal(before, job(large + "\"21m\", \"comment\": \"x\"")));
    assertEquals(Optional.empty(), check.refusal(before, job(large + "\"20m\"")));
    assertTrue(check.refusal(before, job(large + "\"22m\"")).isPresent());
    String first = "\"first\": true, \"firstUntil\": \"2026-11-26T14:00:00Z\"";
    assertEquals(Optional.empty(), check.refusal(job(first), job(first + ", \"comment\": \"x\"")));
  }

  @Test
  void the_advice_names_the_setting() {
    String advice = check.refusal(job("\"qos\": \"test\", \"gpus\": 3")).orElseThrow().todo();
    assertTrue(advice.endsWith("remuda.coordinator.sharing.tests.gpus"), advice);
  }

  @Test
  void a_test_that_takes_long_to_end_is_refused() {
    assertEquals("", refusal("\"qos\": \"test\", \"grace\": \"20m\""));
    assertTrue(refusal("\"qos\": \"test\", \"grace\": \"1h\"").contains("a grace of at most"));
  }
}
