package io.remuda.coordinator.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TypeDurationsTest {

  private static final JobType TRAIN = new JobType("ann", "train");

  private final Profiles profiles = new Profiles();
  private final TypeDurations durations = profiles.durations();

  private void ran(JobType type, int times, long millis) {
    for (int i = 0; i < times; i++) {
      durations.ran(type, millis);
    }
  }

  private List<Profile> stored() {
    return profiles.takeChanges().stream().flatMap(one -> one.profile().stream()).toList();
  }

  @Test
  void a_type_without_runs_is_like_those_of_its_user_and_else_like_all() {
    ran(TRAIN, 1, 500);
    ran(new JobType("bob", "sort"), 1, 70);
    assertEquals(OptionalLong.of(500), durations.left(TRAIN, 0));
    assertEquals(OptionalLong.of(70), durations.left(new JobType("bob", "new"), 0));
    assertTrue(durations.left(new JobType("eve", "new"), 0).isPresent());
    assertEquals(OptionalLong.empty(), durations.usual(new JobType("bob", "new")));
    assertEquals(
        OptionalLong.empty(), new Profiles().durations().left(TRAIN, 0), "nothing has ended");
  }

  @Test
  void only_its_own_runs_say_when_a_task_has_surely_ended() {
    ran(TRAIN, 20, 500);
    assertEquals(OptionalLong.of(500), durations.surely(TRAIN));
    assertEquals(OptionalLong.empty(), durations.surely(new JobType("ann", "new")));
  }

  @Test
  void what_was_stored_is_known_after_a_restart() {
    ran(TRAIN, 20, 500);
    durations.doubted(TRAIN);
    Profiles later = new Profiles();
    List<Profile> stored = stored();
    assertEquals(1, stored.size());
    later.restore(stored);
    assertEquals(OptionalLong.of(1000), later.durations().surely(TRAIN));
    assertEquals(OptionalLong.of(500), later.durations().left(new JobType("ann", "new"), 0));
  }

  @Test
  void commands_that_come_once_are_not_stored_and_many_runs_not_each_by_itself() {
    for (int i = 0; i < 100; i++) {
      ran(new JobType("ann", "sort file" + i), TypeDurations.STORED_FROM - 1, 10);
    }
    assertEquals(List.of(), stored());
    int times = 0;
    for (int i = 0; i < 1000; i++) {
      ran(TRAIN, 1, 500);
      times += stored().size();
    }
    assertTrue(times > 100 && times < 150, times + " times");
  }

  @Test
  void the_number_of_types_is_bounded_and_forgotten_ones_are_deleted() {
    ran(TRAIN, 5, 500);
    stored();
    for (int i = 0; i < TypeDurations.MOST_TYPES; i++) {
      ran(new JobType("ann", "sort file" + i), 1, 10);
    }
    assertEquals(TypeDurations.MOST_TYPES, durations.types());
    assertEquals(OptionalLong.empty(), durations.usual(TRAIN));
    assertEquals(
        List.of(new Profiles.Change(TRAIN, java.util.Optional.empty())), profiles.takeChanges());
  }

  @Test
  void a_forgotten_type_that_needs_gpu_memory_keeps_that() {
    profiles.put(Profile.unknown(TRAIN).ran(5L << 30, 50, 1000));
    ran(TRAIN, 5, 500);
    for (int i = 0; i < TypeDurations.MOST_TYPES; i++) {
      ran(new JobType("ann", "sort file" + i), 1, 10);
    }
    Profile left = profiles.of(TRAIN).orElseThrow();
    assertTrue(left.isKnown());
    assertEquals(RunTimes.NONE, left.times());
  }

  @Test
  void a_profile_that_its_user_deletes_takes_the_durations_along() {
    ran(TRAIN, 20, 500);
    assertTrue(profiles.forget(TRAIN));
    assertEquals(OptionalLong.empty(), durations.surely(TRAIN));
  }

  @Test
  void after_a_restart_a_new_type_of_a_user_is_like_the_newest_of_all_others_and_not_of_one() {
    ran(new JobType("ann", "short"), 64, 100);
    ran(new JobType("ann", "long"), 64, 9000);
    List<Profile> stored = new ArrayList<>(stored());
    Map<JobType, Profile> newest = new LinkedHashMap<>();
    stored.forEach(one -> newest.put(one.type(), one));
    List<Profile> inOneOrder = new ArrayList<>(newest.values());
    List<Profile> inTheOther = new ArrayList<>(inOneOrder);
    Collections.reverse(inTheOther);
    for (List<Profile> order : List.of(inOneOrder, inTheOther)) {
      Profiles later = new Profiles();
      later.restore(order);
      OptionalLong left = later.durations().left(new JobType("ann", "new"), 100);
      assertEquals(OptionalLong.of(8900), left, "half of them take longer");
    }
  }
}
