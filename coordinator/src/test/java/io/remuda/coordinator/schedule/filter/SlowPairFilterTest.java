package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static io.remuda.coordinator.schedule.ScheduleSamples.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.DeviceBuilder;
import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlowPairFilterTest {
  private static final JobType TRAIN = type("train");
  private static final JobType EVAL = type("eval");
  private static final JobType OTHER = type("other");
  private static final NeedsBuilder PART = needs().gpus(1).gpuMemory(20);

  private static final SlowPairFilter NOT_WITH_TRAIN = new SlowPairFilter(Map.of(TRAIN, 96));

  private static DeviceBuilder holds(String uuid, JobType... types) {
    return device(uuid).free(60).load(types.length, 0, 0, types);
  }

  private static Optional<WaitReason> refusal(
      SlowPairFilter filter, NeedsBuilder needs, DeviceBuilder... devices) {
    return filter.refusal(node("n1", devices).capacity(), needs.request());
  }

  private static Optional<WaitReason> slow(String type, int percent) {
    return Optional.of(new WaitReason.SlowTogether("n1", type, percent));
  }

  @Test
  void a_task_that_is_slow_with_no_type_goes_anywhere() {
    SlowPairFilter none = new SlowPairFilter(Map.of());
    RemainingNodeCapacity node = node("n1", holds("A", TRAIN)).capacity();
    assertEquals(Optional.empty(), none.refusal(node, PART.request()));
    assertSame(node, none.leftOf(node));
  }

  @Test
  void it_does_not_go_beside_a_type_that_it_is_slow_with() {
    assertEquals(slow("train", 96), refusal(NOT_WITH_TRAIN, PART, holds("A", TRAIN)));
    assertEquals(slow("train", 96), refusal(NOT_WITH_TRAIN, PART, holds("A", TRAIN, OTHER)));
    assertEquals(Optional.empty(), refusal(NOT_WITH_TRAIN, PART, holds("A", OTHER)));
    assertEquals(Optional.empty(), refusal(NOT_WITH_TRAIN, PART, device("A").shared(60)));
    assertEquals(Optional.empty(), refusal(NOT_WITH_TRAIN, PART, device("A")));
  }

  @Test
  void one_more_device_without_that_type_suffices() {
    assertEquals(
        Optional.empty(), refusal(NOT_WITH_TRAIN, PART, holds("A", TRAIN), holds("B", EVAL)));
    assertEquals(
        slow("train", 96),
        refusal(NOT_WITH_TRAIN, PART, holds("A", TRAIN), device("B").shared(19)),
        "B has too little memory");
    assertEquals(
        slow("train", 96),
        refusal(NOT_WITH_TRAIN, PART, holds("A", TRAIN), device("B").model("x").taken()));
  }

  @Test
  void as_many_devices_as_are_wanted_must_be_without_it() {
    NeedsBuilder two = needs().gpus(2).gpuMemory(20);
    assertEquals(
        slow("train", 96), refusal(NOT_WITH_TRAIN, two, holds("A", TRAIN), holds("B", EVAL)));
    assertEquals(
        Optional.empty(),
        refusal(NOT_WITH_TRAIN, two, holds("A", TRAIN), holds("B", EVAL), device("C")));
  }

  @Test
  void the_slowest_pair_is_the_reason_then_the_first_name_then_the_first_user() {
    SlowPairFilter both = new SlowPairFilter(Map.of(TRAIN, 96, EVAL, 80));
    assertEquals(slow("eval", 80), refusal(both, PART, holds("A", TRAIN), holds("B", EVAL)));
    assertEquals(slow("train", 96), refusal(both, PART, holds("A", TRAIN)), "eval is not there");
    SlowPairFilter alike = new SlowPairFilter(Map.of(TRAIN, 90, EVAL, 90));
    assertEquals(slow("eval", 90), refusal(alike, PART, holds("A", TRAIN, EVAL)));
    JobType bobs = new JobType("bob", "train");
    SlowPairFilter namesakes = new SlowPairFilter(Map.of(bobs, 90, TRAIN, 90));
    assertEquals(slow("train", 90), refusal(namesakes, PART, holds("A", TRAIN, bobs)));
  }

  @Test
  void types_of_other_users_are_other_types() {
    JobType bobs = new JobType("bob", "train");
    assertEquals(Optional.empty(), refusal(NOT_WITH_TRAIN, PART, holds("A", bobs)));
  }

  @Test
  void whole_devices_and_tasks_without_devices_are_not_concerned() {
    assertEquals(Optional.empty(), refusal(NOT_WITH_TRAIN, needs().gpus(1), holds("A", TRAIN)));
    assertEquals(Optional.empty(), refusal(NOT_WITH_TRAIN, needs().cpus(1), holds("A", TRAIN)));
  }

  @Test
  void a_node_without_room_anyway_is_left_to_the_other_filters() {
    assertEquals(
        Optional.empty(),
        refusal(NOT_WITH_TRAIN, needs().gpus(1).gpuMemory(61), holds("A", TRAIN)));
  }

  @Test
  void devices_that_the_task_cannot_have_are_no_company() {
    NeedsBuilder a100 = needs().gpus(1).gpuMemory(20).model("a100");
    assertEquals(
        Optional.empty(),
        refusal(NOT_WITH_TRAIN, a100, holds("A", TRAIN), device("B").model("NVIDIA A100")));
    assertEquals(
        slow("train", 96),
        refusal(NOT_WITH_TRAIN, needs().bound("A").gpuMemory(20), holds("A", TRAIN), device("B")));
  }

  @Test
  void what_is_left_of_a_node_has_no_such_devices_but_is_the_same_node() {
    RemainingNodeCapacity node =
        node("n1", holds("A", TRAIN), device("B"), holds("C", EVAL)).capacity();
    RemainingNodeCapacity left = NOT_WITH_TRAIN.leftOf(node);
    assertEquals(2, left.gpusOf(needs().gpus(1).request()));
    assertEquals(1, left.wholeGpus(null));
    left.take(needs().cpus(1).gpus(1).request(), null, RemainingNodeCapacity.byIndex());
    assertEquals(3000, node.freeCpus());
    assertEquals(0, node.wholeGpus(null));
  }

  @Test
  void a_placement_of_the_plan_counts_at_once() {
    RemainingNodeCapacity node = node("n1", device("A")).capacity();
    assertEquals(Optional.empty(), NOT_WITH_TRAIN.refusal(node, PART.request()));
    node.take(PART.request(), TRAIN, RemainingNodeCapacity.byIndex());
    assertEquals(slow("train", 96), NOT_WITH_TRAIN.refusal(node, PART.request()));
  }

  @Test
  void a_user_reads_how_fast_the_two_are_together() {
    assertEquals(
        "n1: there is room only beside 'train': together they are 0.96 times as fast as one after"
            + " the other",
        text(slow("train", 96).orElseThrow()));
  }
}
