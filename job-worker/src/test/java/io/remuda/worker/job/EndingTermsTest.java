package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndingTermsTest {

  @ParameterizedTest
  @CsvSource({"USR1@5m,USR1,300000,10", "sigterm@90s,TERM,90000,15", "hup@1s,HUP,1000,1"})
  void a_signal_is_read_with_its_time(String text, String name, long millis, int number) {
    WarningSignal signal = WarningSignal.parse(text);
    assertEquals(new WarningSignal(name, millis), signal);
    assertEquals(number, signal.number());
  }

  @ParameterizedTest
  @ValueSource(strings = {"USR1", "KILL@5m", "USR1@", "USR1@0s", "@5m", "USR1@5m@6m", "10@5m"})
  void anything_else_is_refused_with_its_value(String text) {
    IllegalArgumentException no =
        assertThrows(IllegalArgumentException.class, () -> WarningSignal.parse(text));
    assertTrue(no.getMessage().startsWith("'"), no.getMessage());
  }

  @Test
  void a_signal_needs_a_time_limit_that_is_longer() {
    EndingTerms ending = new EndingTerms(0, WarningSignal.parse("USR1@5m"));
    for (long limit : new long[] {0, 300_000}) {
      IllegalArgumentException no =
          assertThrows(IllegalArgumentException.class, () -> terms(limit, ending));
      assertTrue(
          no.getMessage().startsWith("signal: USR1 5 min before the time limit needs a longer"),
          no.getMessage());
    }
    assertEquals(ending, terms(300_001, ending).ending());
  }

  private static JobTerms terms(long limit, EndingTerms ending) {
    return new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), limit, 0, null)
        .with(draft -> draft.ending = ending);
  }

  @Test
  void a_grace_is_at_most_an_hour_and_never_negative() {
    assertThrows(IllegalArgumentException.class, () -> new EndingTerms(-1, null));
    assertThrows(IllegalArgumentException.class, () -> new EndingTerms(3_600_001, null));
  }

  @Test
  void a_job_that_an_earlier_build_has_stored_has_the_usual_ending() throws Exception {
    JsonMapper json =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    String stored =
        "{\"gang\":false,\"policy\":\"pack\",\"priority\":0,\"after\":[],"
            + "\"timeLimitMillis\":0,\"retries\":0,\"type\":null}";
    assertEquals(EndingTerms.USUAL, json.readValue(stored, JobTerms.class).ending());
    assertFalse(json.readValue(stored, JobTerms.class).neverAgain());
    assertFalse(json.readValue(stored, JobTerms.class).afterOne());
    assertFalse(json.writeValueAsString(JobTerms.USUAL).contains("afterOne"));
    JobTerms one =
        JobTerms.USUAL.with(
            draft -> {
              draft.after = List.of(JobDependency.parse("3:any"));
              draft.afterOne = true;
            });
    assertEquals(one, json.readValue(json.writeValueAsString(one), JobTerms.class));
    JobTerms once =
        JobTerms.USUAL.with(
            draft -> {
              draft.retries = 0;
              draft.neverAgain = true;
            });
    assertEquals(once, json.readValue(json.writeValueAsString(once), JobTerms.class));
    JobTerms own = terms(600_000, new EndingTerms(1, WarningSignal.parse("USR1@5m")));
    assertEquals(own, json.readValue(json.writeValueAsString(own), JobTerms.class));
  }

  @ParameterizedTest
  @CsvSource({"300000,5 min", "90000,90 s", "1500,1500 ms", "86400000,1 d", "7200000,2 h"})
  void times_are_said_in_the_largest_unit_that_shows_them_whole(long millis, String words) {
    assertEquals(words, SizeAndTimeParser.words(millis));
  }
}
