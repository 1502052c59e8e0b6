package io.remuda.agent.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a training is asked to leave, and when it needs a signal. */
class TrainingLeaveTest extends WithTrainings {

  /** It is left alone until a second before. */
  private void needsASignalAfter(Duration patience) {
    assertTrue(trainings.leave(ATTEMPT, false));
    after(patience.minusSeconds(1));
    assertTrue(trainings.leave(ATTEMPT, false));
    after(Duration.ofSeconds(1));
    assertFalse(trainings.leave(ATTEMPT, false));
  }

  @Test
  void it_is_known_to_leave_once_it_was_told_so_also_to_a_later_agent() throws Exception {
    question();
    trainings.leave(ATTEMPT, false);
    assertFalse(trainings.progress(ATTEMPT).orElseThrow().leaves(), "it was not told yet");
    question();
    assertTrue(trainings.progress(ATTEMPT).orElseThrow().leaves());
    assertTrue(told.get(told.size() - 1).leaves(), "before it can end");
    assertTrue(TrainingNote.read(folder).orElseThrow().progress().leaves());
  }

  @Test
  void a_training_goes_on_until_it_is_to_leave() throws Exception {
    assertEquals("0", question());
    assertTrue(trainings.leave(ATTEMPT, false));
    assertEquals("1", question());
  }

  @Test
  void it_is_never_stopped_in_its_last_epoch() throws Exception {
    assertEquals(200, ends(3));
    trainings.leave(ATTEMPT, false);
    assertEquals("1", question());
    assertEquals(200, ends(4));
    assertEquals("0", question());
  }

  @Test
  void one_that_never_spoke_needs_a_signal_unless_an_earlier_attempt_spoke() throws Exception {
    assertFalse(trainings.leave(ATTEMPT, false));
    trainings.ended(ATTEMPT);
    prepare(1);
    assertTrue(trainings.leave(ATTEMPT, false));
  }

  @Test
  void one_that_does_not_leave_in_time_needs_a_signal() throws Exception {
    question();
    needsASignalAfter(Duration.ofMinutes(10).plusSeconds(30)); // no epoch is known
  }

  @Test
  void the_time_to_leave_is_twice_the_longest_epoch_and_the_grace() throws Exception {
    after(Duration.ofSeconds(60));
    post("/profiling", profile(", \"epochDur\": 60"));
    ends(1);
    needsASignalAfter(Duration.ofSeconds(150));
  }

  @Test
  void in_its_last_epoch_it_gets_no_signal_however_long_it_takes() throws Exception {
    ends(4);
    assertTrue(trainings.leave(ATTEMPT, false));
    after(Duration.ofDays(1));
    assertTrue(trainings.leave(ATTEMPT, false));
  }

  @Test
  void one_that_fills_holes_gets_its_signal_in_the_last_epoch_at_once() throws Exception {
    ends(3);
    assertTrue(trainings.leave(ATTEMPT, true));
    ends(4);
    assertFalse(trainings.leave(ATTEMPT, true));
  }

  @Test
  void the_longest_epoch_of_earlier_attempts_counts_before_the_first_of_this_one()
      throws Exception {
    trainings.ended(ATTEMPT);
    longestMillis = 3_600_000;
    prepare(1);
    question();
    needsASignalAfter(Duration.ofHours(2).plusSeconds(30));
  }

  @Test
  void all_ranks_of_an_epoch_get_the_same_answer() throws Exception {
    trainings.ended(ATTEMPT);
    prepare(0, new DeviceId("GPU-1"), new DeviceId("GPU-2"));
    assertEquals("0", question());
    trainings.leave(ATTEMPT, false);
    assertEquals("0", question(), "the second rank begins the same epoch");
    ends(1);
    assertEquals("1", question());
  }
}
