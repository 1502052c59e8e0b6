package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.remuda.coordinator.profile.EpochSpeeds.EpochTime;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochSpeedsTest {

  private static EpochTime epoch(int gpus, long millis) {
    return new EpochTime("H200", gpus, 1, millis, 0.5, 100L, 80);
  }

  @Test
  void epochs_on_equal_gpus_are_one_measurement_in_which_newer_ones_count_more() {
    EpochSpeeds speeds = EpochSpeeds.NONE.and(epoch(1, 1000)).and(epoch(1, 2000));
    assertEquals(
        Optional.of(new EpochTime("H200", 1, 2, 1500, 0.5, 100L, 80)), speeds.of("H200", 1));
    assertEquals(1750, speeds.and(epoch(1, 2000)).of("H200", 1).orElseThrow().millis());
  }

  @Test
  void other_models_and_numbers_of_gpus_are_apart() {
    EpochSpeeds speeds = EpochSpeeds.NONE.and(epoch(1, 1000)).and(epoch(2, 600));
    assertEquals(1000, speeds.of("H200", 1).orElseThrow().millis());
    assertEquals(600, speeds.of("H200", 2).orElseThrow().millis());
    assertEquals(Optional.empty(), speeds.of("A100", 1));
    assertEquals(2, speeds.measured().get(1).gpus(), "the newest is last");
  }

  @Test
  void what_an_epoch_does_not_tell_stays_known_and_most_memory_is_kept() {
    EpochTime silent = new EpochTime("H200", 1, 1, 1000, null, 50L, null);
    EpochTime after = EpochSpeeds.NONE.and(epoch(1, 1000)).and(silent).of("H200", 1).orElseThrow();
    assertEquals(new EpochTime("H200", 1, 2, 1000, 0.5, 100L, 80), after);
  }

  @Test
  void the_cost_of_a_start_is_a_mean_in_which_newer_ones_count_more() {
    EpochSpeeds speeds = EpochSpeeds.NONE.started(4000).started(8000);
    assertEquals(6000, speeds.restartMillis());
  }

  @Test
  void a_profile_of_an_older_build_has_none_and_a_stored_one_comes_back()
      throws JsonProcessingException {
    Profile old = Profile.unknown(new JobType("ann", "train"));
    Profile trained = old.trained(epoch(2, 600)).restarted(4000);
    JsonMapper json = new JsonMapper();
    assertEquals(trained, json.readValue(json.writeValueAsString(trained), Profile.class));
    String without = json.writeValueAsString(old).replaceAll(",\"epochs\":\\{[^}]*\\}", "");
    assertEquals(EpochSpeeds.NONE, json.readValue(without, Profile.class).epochs());
  }
}
