package io.remuda.coordinator.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TrainingProgressTextTest {

  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  private static JsonNode job(String fields) throws JsonProcessingException {
    return new JsonMapper().readTree("{" + fields.replace('\'', '"') + "}");
  }

  @Test
  void a_job_that_is_no_training_has_only_its_reason() throws JsonProcessingException {
    assertEquals("on hold", TrainingProgressText.withReason(job("'reason': 'on hold'"), NOW));
    assertEquals("", TrainingProgressText.withReason(job("'reason': null"), NOW));
    assertNull(TrainingProgressText.words(job("'reason': null"), NOW));
  }

  @Test
  void a_running_training_has_a_bar_and_the_time_that_is_left() throws JsonProcessingException {
    JsonNode job =
        job(
            "'epochs': 20, 'epochsDone': 5, 'epochMillis': 61400, 'epochMeasured': true,"
                + " 'expectedEndAt': '2026-11-23T12:15:00Z'");
    assertEquals("[##........] 5/20, 15m left", TrainingProgressText.withReason(job, NOW));
    assertEquals("5 of 20 done, 61 s each, about 15m left", TrainingProgressText.words(job, NOW));
  }

  @Test
  void a_training_that_waits_again_has_what_it_did_and_why_it_waits()
      throws JsonProcessingException {
    JsonNode job =
        job("'epochs': 3, 'epochsDone': 3, 'expectedEndAt': null, 'reason': 'preempted by 7.0'");
    assertEquals("[##########] 3/3; preempted by 7.0", TrainingProgressText.withReason(job, NOW));
  }

  @Test
  void an_estimate_counts_until_an_epoch_is_measured_and_is_then_compared()
      throws JsonProcessingException {
    String estimate = "'terms': {'training': {'estimatedHours': 2}}, 'epochs': 10, ";
    JsonNode before =
        job(
            estimate
                + "'epochsDone': 0, 'epochMillis': 720000, 'epochMeasured': false,"
                + " 'expectedEndAt': '2026-11-23T14:00:00Z'");
    assertEquals(
        "0 of 10 done, about 2h left by your estimate", TrainingProgressText.words(before, NOW));
    JsonNode after =
        job(estimate + "'epochsDone': 1, 'epochMillis': 1800000, 'epochMeasured': true");
    assertEquals(
        "1 of 10 done, 30 min each; estimated 2.0 h in all, 5.0 h by the newest epoch",
        TrainingProgressText.words(after, NOW));
  }
}
