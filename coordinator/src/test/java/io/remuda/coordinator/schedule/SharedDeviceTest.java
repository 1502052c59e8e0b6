package io.remuda.coordinator.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many share a device, how busy they keep it, and which one is chosen. Devices have 80. */
class SharedDeviceTest {

  private final Picture picture = new Picture().by(PlacementPolicy.PACK);

  private static ResourceRequest needs(long bytes, int perGpu, int percent) {
    return new ResourceRequest(0, 1, 0, bytes, null, Map.of(), perGpu, percent);
  }

  private Picture three(ResourceRequest needs) {
    return picture.wants("1.0", needs).wants("1.1", needs).wants("1.2", needs);
  }

  @Test
  void tasks_that_say_so_are_never_more_on_a_device() {
    picture.sharedNode("n1", "A", 80);
    three(needs(10, 2, 0));
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n1[A]"), picture.placed());
    assertEquals(List.of(new WaitReason.TooManyOnGpus("n1", 1, 0)), picture.reasons("1.2"));
  }

  @Test
  void without_a_stated_memory_each_has_its_part_of_the_device() {
    picture.sharedNode("n1", "A", 80).wants("1.0", needs(0, 4, 0)).wantsGpuMemory("2.0", 1, 62);
    assertEquals(List.of("1.0 on n1[A]"), picture.placed());
    assertEquals(
        List.of(new WaitReason.TooLittleGpuMemory("n1", 62, 1, 0, 61, 80)), picture.reasons("2.0"));
  }

  @Test
  void parts_by_number_have_room_for_all_though_an_idle_device_has_a_little_in_use() {
    picture.sharedNode("n1", "A", 79).wants("1.0", needs(0, 2, 0)).wants("1.1", needs(0, 2, 0));
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n1[A]"), picture.placed());
  }

  @Test
  void one_that_is_exclusive_suffers_nobody_and_nobody_comes_to_it() {
    picture.sharedNode("n1", "A", 80).wants("1.0", needs(10, 1, 0)).wantsGpuMemory("2.0", 1, 10);
    assertEquals(List.of("1.0 on n1[A]"), picture.placed());
    Picture other = new Picture().by(PlacementPolicy.PACK).sharedNode("n1", "A", 80);
    other.wantsGpuMemory("1.0", 1, 10).wants("2.0", needs(10, 1, 0));
    assertEquals(List.of("1.0 on n1[A]"), other.placed());
  }

  @Test
  void a_device_is_kept_busy_for_no_more_than_all_of_the_time() {
    picture.sharedNode("n1", "A", 80);
    three(needs(10, 0, 40));
    assertEquals(List.of("1.0 on n1[A]", "1.1 on n1[A]"), picture.placed());
    assertEquals(List.of(new WaitReason.GpusTooBusy("n1", 1, 0, 40)), picture.reasons("1.2"));
  }

  @Test
  void one_of_which_nothing_is_known_is_no_load() {
    picture.sharedNode("n1", "A", 80).wants("1.0", needs(10, 0, 90)).wants("2.0", needs(10, 0, 0));
    assertEquals(List.of("1.0 on n1[A]", "2.0 on n1[A]"), picture.placed());
  }

  @Test
  void the_busiest_task_finds_an_idle_device() {
    picture.sharedNode("n1", "A", 80).wants("1.0", needs(10, 0, 100));
    assertEquals(List.of("1.0 on n1[A]"), picture.placed());
  }

  @Test
  void best_fit_looks_at_single_devices_and_packing_at_whole_nodes() {
    Picture best = new Picture().by(PlacementPolicy.BEST_FIT);
    for (Picture nodes : List.of(best, picture)) {
      nodes.sharedNode("n1", "A", 79).alsoShares("B", 31).sharedNode("n2", "C", 45);
      nodes.wantsGpuMemory("1.0", 1, 30);
    }
    assertEquals(List.of("1.0 on n1[B]"), best.placed());
    assertEquals(List.of("1.0 on n2[C]"), picture.placed());
  }

  @Test
  void by_best_fit_the_largest_go_first_whoever_came_first() {
    Picture best = new Picture().by(PlacementPolicy.BEST_FIT).sharedNode("n1", "A", 80);
    best.wantsGpuMemory("1.0", 1, 30).wantsGpuMemory("2.0", 1, 70).wantsGpuMemory("3.0", 1, 10);
    assertEquals(List.of("2.0 on n1[A]", "3.0 on n1[A]"), best.placed());
  }
}
