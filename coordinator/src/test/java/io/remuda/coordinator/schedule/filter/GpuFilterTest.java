package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.H200;
import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuFilterTest {
  private static final String A100 = "NVIDIA A100";

  private final GpuFilter filter = new GpuFilter();

  /** Of three H200 one is free, one is taken and one is shared; one A100 is free. */
  private final RemainingNodeCapacity node =
      node("n1", device("A"), device("B").taken(), device("C").shared(50), device("D").model(A100))
          .capacity();

  private Optional<WaitReason> refusal(NeedsBuilder needs) {
    return filter.refusal(node, needs.request());
  }

  private static Optional<WaitReason> tooFew(int wanted, int free, int total) {
    return Optional.of(new WaitReason.TooFewFreeGpus("n1", wanted, free, total));
  }

  @ParameterizedTest(name = "{0} whole devices")
  @CsvSource({"0, true", "1, true", "2, true", "3, false", "4, false", "5, false"})
  void whole_devices_must_be_free(int wanted, boolean fits) {
    assertEquals(fits ? Optional.empty() : tooFew(wanted, 2, 4), refusal(needs().gpus(wanted)));
  }

  @ParameterizedTest(name = "parts of {0} devices")
  @CsvSource({"1, true", "4, true", "5, false"})
  void for_parts_it_suffices_that_the_devices_exist(int wanted, boolean fits) {
    Optional<WaitReason> expected = fits ? Optional.empty() : tooFew(wanted, 4, 4);
    assertEquals(expected, refusal(needs().gpus(wanted).gpuMemory(10)));
    assertEquals(expected, refusal(needs().gpus(wanted).perGpu(2)));
  }

  @Test
  void a_limit_of_one_task_per_device_and_no_memory_means_whole_devices() {
    assertEquals(Optional.empty(), refusal(needs().gpus(2).perGpu(1)));
    assertEquals(tooFew(3, 2, 4), refusal(needs().gpus(3).perGpu(1)));
  }

  @Test
  void a_type_that_is_not_measured_yet_gets_whole_devices() {
    assertEquals(Optional.empty(), refusal(needs().gpus(2).gpuMemory(ResourceRequest.AUTO)));
    assertEquals(tooFew(3, 2, 4), refusal(needs().gpus(3).gpuMemory(ResourceRequest.AUTO)));
  }

  @ParameterizedTest(name = "{0} of model {1}")
  @CsvSource({
    "1, h200, true",
    "1, H200, true",
    "1, NVIDIA, true",
    "2, nvidia, true",
    "1, nVidia a100, true",
    "1, '', true",
    "2, a100, false",
    "1, H 200, false"
  })
  void a_part_of_the_model_name_suffices_in_any_case(int wanted, String model, boolean fits) {
    assertEquals(fits, refusal(needs().gpus(wanted).model(model)).isEmpty());
  }

  @Test
  void a_node_with_too_few_of_the_model_names_the_models_it_has() {
    assertEquals(
        Optional.of(new WaitReason.LacksModel("n1", "h100", List.of(H200, A100))),
        refusal(needs().gpus(1).model("h100")));
    assertEquals(
        Optional.of(new WaitReason.LacksModel("n1", "a100", List.of(H200, A100))),
        refusal(needs().gpus(2).model("a100")));
    assertEquals(
        Optional.of(new WaitReason.LacksModel("n1", "a100", List.of(H200, A100))),
        refusal(needs().gpus(2).model("a100").gpuMemory(10)));
  }

  @Test
  void a_node_with_enough_of_the_model_counts_the_free_ones_of_it() {
    assertEquals(tooFew(2, 1, 3), refusal(needs().gpus(2).model("h200")));
    assertEquals(tooFew(3, 1, 3), refusal(needs().gpus(3).model("h200")));
    assertEquals(Optional.empty(), refusal(needs().gpus(3).model("h200").gpuMemory(99)));
  }

  @Test
  void a_node_without_devices_has_none_of_any_kind() {
    RemainingNodeCapacity none = node("n1").capacity();
    assertEquals(tooFew(1, 0, 0), filter.refusal(none, needs().gpus(1).request()));
    assertEquals(tooFew(1, 0, 0), filter.refusal(none, needs().gpus(1).gpuMemory(1).request()));
    assertEquals(
        Optional.of(new WaitReason.LacksModel("n1", "h200", List.of())),
        filter.refusal(none, needs().gpus(1).model("h200").request()));
    assertEquals(Optional.empty(), filter.refusal(none, needs().cpus(1).request()));
  }

  @Test
  void what_the_plan_has_lent_is_no_longer_free() {
    node.take(needs().gpus(1).model("h200").request(), null, RemainingNodeCapacity.byIndex());
    assertEquals(Optional.empty(), refusal(needs().gpus(1)));
    assertEquals(tooFew(2, 1, 4), refusal(needs().gpus(2)));
    node.take(
        needs().gpus(1).model("a100").gpuMemory(1).request(),
        null,
        RemainingNodeCapacity.byIndex());
    assertEquals(tooFew(1, 0, 4), refusal(needs().gpus(1)));
  }

  @Test
  void a_user_reads_how_many_are_free_or_that_there_are_never_enough() {
    assertEquals("n1: 2 of 4 GPUs free, wanted 3", text(tooFew(3, 2, 4).orElseThrow()));
    assertEquals("n1: has 4 GPUs, wanted 5", text(tooFew(5, 2, 4).orElseThrow()));
    assertEquals(
        "n1: has NVIDIA H200, NVIDIA A100, wanted h100",
        text(new WaitReason.LacksModel("n1", "h100", List.of(H200, A100))));
    assertEquals(
        "n1: has no GPU, wanted h100", text(new WaitReason.LacksModel("n1", "h100", List.of())));
  }
}
