package io.remuda.coordinator.schedule.filter;

import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.node;
import static io.remuda.coordinator.schedule.ScheduleSamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.schedule.DeviceBuilder;
import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.RemainingNodeCapacity;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.worker.job.ResourceRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices have 100, of which an idle one has at least 96 free. */
class GpuMemoryFilterTest {
  private static final long GIB = 1L << 30;

  private final GpuMemoryFilter filter = new GpuMemoryFilter();

  private Optional<WaitReason> refusal(NeedsBuilder needs, DeviceBuilder... devices) {
    return filter.refusal(node("n1", devices).capacity(), needs.request());
  }

  private static Optional<WaitReason> tooLittle(
      long wanted, int gpus, int fitting, long mostFree, long largest) {
    return Optional.of(
        new WaitReason.TooLittleGpuMemory("n1", wanted, gpus, fitting, mostFree, largest));
  }

  @Test
  void tasks_without_parts_of_devices_are_not_concerned() {
    DeviceBuilder full = device("A").shared(0);
    assertEquals(Optional.empty(), refusal(needs().cpus(1), full));
    assertEquals(Optional.empty(), refusal(needs().gpus(1), full));
    assertEquals(Optional.empty(), refusal(needs().gpus(1).perGpu(1), full));
    assertEquals(Optional.empty(), refusal(needs().gpus(1).gpuMemory(ResourceRequest.AUTO), full));
  }

  @ParameterizedTest(name = "{1} of {0} free")
  @CsvSource({
    "50, 50, true",
    "50, 51, false",
    "50, 1, true",
    "0, 1, false",
    "1, 1, true",
    "-4, 1, false"
  })
  void a_part_fits_up_to_the_last_free_byte(long free, long wanted, boolean fits) {
    assertEquals(
        fits ? Optional.empty() : tooLittle(wanted, 1, 0, Math.max(0, free), 100),
        refusal(needs().gpus(1).gpuMemory(wanted), device("A").shared(free)));
  }

  @ParameterizedTest(name = "{1} of an idle device with {0} free")
  @CsvSource({
    "100, 100, true",
    "100, 101, false",
    "96, 96, true",
    "96, 97, true",
    "96, 100, true",
    "96, 101, false",
    "95, 95, true",
    "95, 96, false",
    "95, 97, false"
  })
  void an_idle_device_is_lent_whole_though_a_little_is_in_use(
      long free, long wanted, boolean fits) {
    assertEquals(
        fits, refusal(needs().gpus(1).gpuMemory(wanted), device("A").free(free)).isEmpty());
  }

  @Test
  void a_shared_device_is_never_lent_as_if_it_were_idle() {
    assertEquals(
        tooLittle(97, 1, 0, 96, 100),
        refusal(needs().gpus(1).gpuMemory(97), device("A").shared(96)));
  }

  @Test
  void all_wanted_devices_need_the_memory() {
    DeviceBuilder[] three = {
      device("A").shared(10), device("B").shared(30), device("C").shared(50)
    };
    assertEquals(Optional.empty(), refusal(needs().gpus(3).gpuMemory(10), three));
    assertEquals(tooLittle(11, 3, 2, 50, 100), refusal(needs().gpus(3).gpuMemory(11), three));
    assertEquals(Optional.empty(), refusal(needs().gpus(2).gpuMemory(30), three));
    assertEquals(tooLittle(31, 2, 1, 50, 100), refusal(needs().gpus(2).gpuMemory(31), three));
    assertEquals(tooLittle(51, 1, 0, 50, 100), refusal(needs().gpus(1).gpuMemory(51), three));
  }

  @Test
  void taken_and_lost_devices_have_no_memory_for_parts() {
    assertEquals(
        tooLittle(1, 1, 0, 0, 100),
        refusal(needs().gpus(1).gpuMemory(1), device("A").taken(), device("B").unfit()));
    assertEquals(
        tooLittle(40, 2, 1, 70, 100),
        refusal(needs().gpus(2).gpuMemory(40), device("A").shared(70), device("B").unfit()));
  }

  @ParameterizedTest(name = "1 of {0} parts, {1} free")
  @CsvSource({"2, 48, true", "2, 47, false", "3, 32, true", "3, 31, false", "96, 1, true"})
  void without_a_size_the_part_is_a_fraction_of_what_is_reliably_free(
      int perGpu, long free, boolean fits) {
    Optional<WaitReason> expected =
        fits ? Optional.empty() : tooLittle(96 / perGpu, 1, 0, free, 100);
    assertEquals(expected, refusal(needs().gpus(1).perGpu(perGpu), device("A").shared(free)));
  }

  @Test
  void devices_of_other_models_do_not_count() {
    DeviceBuilder small = device("A").model("NVIDIA A100").memory(20, 40);
    DeviceBuilder large = device("B").shared(90);
    assertEquals(
        tooLittle(30, 1, 0, 20, 40),
        refusal(needs().gpus(1).model("a100").gpuMemory(30), small, large));
    assertEquals(
        Optional.empty(), refusal(needs().gpus(1).model("h200").gpuMemory(90), small, large));
    assertEquals(
        tooLittle(95, 1, 0, 90, 100), refusal(needs().gpus(1).gpuMemory(95), small, large));
  }

  @Test
  void a_bound_process_finds_the_memory_that_it_already_has() {
    DeviceBuilder device = device("A").shared(10).own(30);
    assertEquals(Optional.empty(), refusal(needs().bound("A").gpuMemory(40), device));
    assertEquals(tooLittle(41, 1, 0, 10, 100), refusal(needs().bound("A").gpuMemory(41), device));
    assertEquals(tooLittle(11, 1, 0, 10, 100), refusal(needs().gpus(1).gpuMemory(11), device));
  }

  @ParameterizedTest(name = "{0} tasks, at most {1}; the next allows {2}")
  @CsvSource({
    "0, 0, 0, true",
    "7, 0, 0, true",
    "0, 0, 1, true",
    "1, 0, 1, false",
    "1, 0, 2, true",
    "2, 0, 2, false",
    "1, 1, 0, false",
    "1, 2, 0, true",
    "2, 2, 0, false",
    "2, 3, 2, false",
    "2, 3, 4, true",
    "2, 2, 4, false"
  })
  void the_lowest_limit_of_all_tasks_on_a_device_counts(
      int tasks, int most, int perGpu, boolean fits) {
    NeedsBuilder needs = needs().gpus(1).gpuMemory(10).perGpu(perGpu);
    assertEquals(
        fits ? Optional.empty() : Optional.of(new WaitReason.TooManyOnGpus("n1", 1, 0)),
        refusal(needs, device("A").free(50).load(tasks, most, 0)));
  }

  @ParameterizedTest(name = "{1} % beside {0} tasks of {2} %")
  @CsvSource({
    "1, 40, 60, true",
    "1, 40, 61, false",
    "1, 41, 60, false",
    "1, 0, 100, true",
    "1, 100, 0, true",
    "1, 100, 1, false",
    "0, 100, 100, true",
    "2, 0, 100, true"
  })
  void a_device_is_kept_busy_for_all_of_the_time_at_most(
      int tasks, int wanted, int busy, boolean fits) {
    NeedsBuilder needs = needs().gpus(1).gpuMemory(10).percent(wanted);
    assertEquals(
        fits ? Optional.empty() : Optional.of(new WaitReason.GpusTooBusy("n1", 1, 0, wanted)),
        refusal(needs, device("A").free(50).load(tasks, 0, busy)));
  }

  @Test
  void memory_is_named_before_limits_and_limits_before_utilisation() {
    NeedsBuilder needs = needs().gpus(2).gpuMemory(10).perGpu(2).percent(50);
    DeviceBuilder fits = device("A");
    DeviceBuilder full = device("B").free(50).load(2, 0, 0);
    DeviceBuilder busy = device("C").free(50).load(1, 0, 60);
    DeviceBuilder small = device("D").shared(9);
    assertEquals(tooLittle(10, 2, 1, 100, 100), refusal(needs, fits, small));
    assertEquals(Optional.of(new WaitReason.TooManyOnGpus("n1", 2, 1)), refusal(needs, fits, full));
    assertEquals(
        Optional.of(new WaitReason.GpusTooBusy("n1", 2, 1, 50)), refusal(needs, fits, busy));
    assertEquals(
        Optional.of(new WaitReason.TooManyOnGpus("n1", 2, 1)), refusal(needs, full, busy, small));
    assertEquals(Optional.empty(), refusal(needs, fits, busy, device("E"), small));
  }

  @Test
  void what_the_plan_has_lent_is_no_longer_free() {
    RemainingNodeCapacity node = node("n1", device("A")).capacity();
    ResourceRequest half = needs().gpus(1).gpuMemory(50).percent(30).request();
    node.take(half, null, RemainingNodeCapacity.byIndex());
    assertEquals(Optional.empty(), filter.refusal(node, half));
    node.take(half, null, RemainingNodeCapacity.byIndex());
    assertEquals(tooLittle(50, 1, 0, 0, 100), filter.refusal(node, half));
  }

  @Test
  void a_user_reads_what_is_lacking_and_what_there_is() {
    assertEquals(
        "n1: 1 GPU with 20.0 GiB free, wanted 2; the most free is 30.0 GiB",
        text(tooLittle(20 * GIB, 2, 1, 30 * GIB, 80 * GIB).orElseThrow()));
    assertEquals(
        "n1: its largest GPU has 80.0 GiB, wanted 81.0 GiB",
        text(tooLittle(81 * GIB, 1, 0, 30 * GIB, 80 * GIB).orElseThrow()));
    assertEquals(
        "n1: 0 GPUs take one more task (--per-gpu, --exclusive), wanted 1",
        text(new WaitReason.TooManyOnGpus("n1", 1, 0)));
    assertEquals(
        "n1: 1 GPU is idle enough for a task that keeps one 60 % busy, wanted 2",
        text(new WaitReason.GpusTooBusy("n1", 2, 1, 60)));
  }
}
