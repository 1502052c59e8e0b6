package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.PlacementPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Types that are known to be slow beside each other. Devices have 80. */
class SlowTogetherTest {

  private final Picture picture =
      new Picture().by(PlacementPolicy.PACK).slow("train", "eval", 96).slow("twin", "twin", 104);

  private Picture wants(String task, String type) {
    return picture.type(type).wantsGpuMemory(task, 1, 20);
  }

  @Test
  void they_are_put_on_different_devices_though_one_has_room_for_both() {
    picture.sharedNode("n1", "A", 80).alsoShares("B", 80);
    wants("1.0", "train");
    wants("2.0", "eval");
    wants("3.0", "train");
    wants("4.0", "other");
    assertEquals(
        List.of("1.0 on n1[A]", "2.0 on n1[B]", "3.0 on n1[A]", "4.0 on n1[A]"), picture.placed());
  }

  @Test
  void one_waits_if_there_is_room_only_beside_the_other() {
    picture.slow("eval", "absent", 50);
    picture.sharedNode("n1", "A", 50).holds("train");
    wants("2.0", "eval");
    assertEquals(List.of(), picture.placed());
    assertEquals(List.of(new WaitReason.SlowTogether("n1", "train", 96)), picture.reasons("2.0"));
  }

  @Test
  void a_device_without_room_is_no_matter_of_company() {
    picture.sharedNode("n1", "A", 10).holds("train").alsoShares("B", 5);
    wants("2.0", "eval");
    assertEquals(
        List.of(new WaitReason.TooLittleGpuMemory("n1", 20, 1, 0, 10, 80)), picture.reasons("2.0"));
  }

  @Test
  void best_fit_does_not_look_at_what_is_left_beside_the_other() {
    picture.by(PlacementPolicy.BEST_FIT).sharedNode("n1", "A", 21).holds("train");
    picture.alsoShares("B", 80).sharedNode("n2", "C", 40);
    wants("2.0", "eval");
    assertEquals(List.of("2.0 on n2[C]"), picture.placed());
  }

  @Test
  void tasks_of_one_type_may_be_slow_beside_each_other() {
    picture.sharedNode("n1", "A", 80).alsoShares("B", 80);
    wants("1.0", "twin");
    wants("1.1", "twin");
    wants("1.2", "twin");
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n1[B]"), picture.placed());
    assertEquals(List.of(new WaitReason.SlowTogether("n1", "twin", 104)), picture.reasons("1.2"));
  }

  @Test
  void a_gang_shares_with_itself_all_the_same_for_else_it_might_never_start() {
    picture.gangs().sharedNode("n1", "A", 80);
    wants("1.0", "twin");
    wants("1.1", "twin");
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n1[A]"), picture.placed());
  }

  @Test
  void a_gang_that_cannot_start_gives_its_company_back() {
    picture.gangs().sharedNode("n1", "A", 30);
    wants("1.0", "train");
    wants("1.1", "train");
    wants("2.0", "eval");
    assertEquals(List.of("2.0 on n1[A]"), picture.placed());
  }

  @Test
  void one_that_has_waited_for_long_has_a_device_kept_free_for_it() {
    picture.sharedNode("n1", "A", 60).holds("train").impatient("2.0");
    wants("2.0", "eval");
    wants("3.0", "train");
    assertEquals(List.of(), picture.placed());
    assertEquals(List.of(new WaitReason.HeldForOther("n1", new JobId(2))), picture.reasons("3.0"));
  }

  @Test
  void those_who_have_no_type_go_anywhere() {
    picture.sharedNode("n1", "A", 60).holds("train").wantsGpuMemory("5.0", 1, 20);
    assertEquals(List.of("5.0 on n1[A]"), picture.placed());
  }
}
