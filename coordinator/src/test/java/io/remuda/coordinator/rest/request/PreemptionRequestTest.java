package io.remuda.coordinator.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.signal.SignalReach;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreemptionRequestTest {

  /** Returns the terms that the job of a submission has. */
  private static PreemptionTerms terms(Map<String, Object> fields) {
    Map<String, Object> all = new HashMap<>(fields);
    all.put("argv", List.of("true"));
    return JobRequest.of(all)
        .toNewJob("ann", List.of())
        .numbered(new JobId(1), List.of())
        .terms()
        .preemption();
  }

  @Test
  void a_signal_may_be_for_all_processes_that_handle_it() {
    PreemptionTerms all = terms(Map.of("preemptible", true, "preemptSignal", "all:sigusr1"));
    assertEquals("USR1", all.signal());
    assertEquals(SignalReach.ALL, all.reach());
    IllegalArgumentException wrong =
        assertThrows(
            IllegalArgumentException.class,
            () -> terms(Map.of("preemptible", true, "preemptSignal", "some:USR1")));
    assertTrue(wrong.getMessage().startsWith("preemptSignal: 'some:'"), wrong.getMessage());
  }

  @Test
  void a_job_keeps_its_places_unless_it_says_otherwise() {
    assertNull(terms(Map.of()));
    assertEquals(PreemptionTerms.USUAL, terms(Map.of("preemptible", true)));
  }

  @Test
  void what_it_says_is_in_the_terms_of_its_job() {
    assertEquals(
        new PreemptionTerms("USR1", PreemptionTerms.Then.HOLD, 5000, 3),
        terms(
            Map.of(
                "preemptible", true,
                "preemptSignal", "sigusr1",
                "onPreempt", "hold",
                "preemptAfter", "5s",
                "maxPreemptions", 3)));
  }

  @ParameterizedTest
  @CsvSource({
    "preemptSignal, KILL, preemptSignal: 'KILL' is not a signal",
    "onPreempt, kill, 'onPreempt must be requeue, hold or cancel, got ''kill'''",
    "preemptAfter, soon, preemptAfter",
    "maxPreemptions, 0, 'maxPreemptions must be 1 to 1000, got 0'",
  })
  void what_makes_no_sense_is_refused_with_its_value(String field, String value, String text) {
    Object typed = field.equals("maxPreemptions") ? (Object) Integer.valueOf(value) : value;
    Map<String, Object> fields = Map.of("preemptible", true, field, typed);
    String message = assertThrows(IllegalArgumentException.class, () -> terms(fields)).getMessage();
    assertTrue(message.contains(text), message);
    String alone =
        assertThrows(IllegalArgumentException.class, () -> terms(Map.of(field, typed)))
            .getMessage();
    assertTrue(alone.contains("require preemptible"), alone);
  }
}
