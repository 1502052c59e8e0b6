package io.remuda.coordinator.schedule.model;

import static io.remuda.coordinator.schedule.ScheduleSamples.PID;
import static io.remuda.coordinator.schedule.ScheduleSamples.device;
import static io.remuda.coordinator.schedule.ScheduleSamples.needs;
import static io.remuda.coordinator.schedule.ScheduleSamples.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.schedule.NeedsBuilder;
import io.remuda.coordinator.schedule.model.DeviceOffer.Load;
import io.remuda.coordinator.schedule.model.DeviceOffer.Standing;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.LeaseHolderProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceOfferTest {

  private static NeedsBuilder part() {
    return needs().gpus(1).gpuMemory(10);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "h200, true",
    "NVIDIA H200, true",
    "nvidia, true",
    "200, true",
    "'', true",
    "h100, false",
    "NVIDIA H200 NVL, false"
  })
  void a_model_is_named_by_any_part_of_it(String wanted, boolean is) {
    assertEquals(is, device("A").offer().isModel(wanted));
  }

  @Test
  void no_model_means_any() {
    assertEquals(true, device("A").offer().isModel(null));
  }

  @Test
  void a_turkish_locale_does_not_matter() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr"));
      assertEquals(true, device("A").offer().isModel("nvidia"));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void a_bound_process_wants_its_devices_and_others_those_of_the_model() {
    DeviceOffer device = device("A").offer();
    assertEquals(true, device.isWanted(needs().request()));
    assertEquals(true, device.isWanted(needs().bound("B", "A").request()));
    assertEquals(false, device.isWanted(needs().bound("B").request()));
    assertEquals(true, device.isWanted(needs().gpus(1).model("h200").request()));
    assertEquals(false, device.isWanted(needs().gpus(1).model("a100").request()));
  }

  @Test
  void only_the_process_itself_has_its_own_memory() {
    DeviceOffer device = device("A").own(30).offer();
    assertEquals(30, device.ownMemory(needs().bound("A").request()));
    assertEquals(0, device.ownMemory(needs().gpus(1).request()));
    LeaseHolderProcess other = new LeaseHolderProcess(PID + 1, List.of(new DeviceId("A")));
    assertEquals(0, device.ownMemory(needs().gpus(1).request().boundTo(other)));
  }

  @Test
  void an_emptied_device_is_free_whatever_it_was() {
    DeviceOffer empty = device("A").offer();
    assertEquals(empty, device("A").taken().offer().emptied());
    assertEquals(empty, device("A").shared(5).own(30).offer().emptied());
    assertEquals(empty, device("A").free(5).load(3, 2, 90, type("train")).offer().emptied());
    assertEquals(empty, device("A").heldBy("process 7").offer().emptied());
    assertEquals(
        device("A").model("x").memory(7, 7).offer(),
        device("A").model("x").memory(1, 7).unfit().offer().emptied());
  }

  @Test
  void a_drained_device_stays_drained_without_its_tasks_unless_nothing_is_drained() {
    DeviceOffer drained = device("A").shared(5).drained("a fan").offer();
    assertEquals(Standing.DRAINING, drained.standing());
    assertEquals("a fan", drained.drained());
    assertEquals(device("A").drained("a fan").offer(), drained.vacated());
    assertEquals(device("A").offer(), drained.emptied());
    assertEquals(device("A").offer(), device("A").taken().offer().vacated());
  }

  @Test
  void a_drained_device_has_a_reason_and_no_other_has() {
    DeviceId id = new DeviceId("A");
    assertThrows(
        IllegalArgumentException.class, () -> new DeviceOffer(id, "x", 7, 5, Standing.DRAINING));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new DeviceOffer(
                id,
                "x",
                7,
                5,
                Standing.FREE,
                Load.NONE,
                Map.of(),
                null,
                "",
                false,
                StrangerMemory.NONE,
                null));
  }

  @Test
  void the_short_offers_have_no_load_and_no_holder() {
    DeviceId id = new DeviceId("A");
    DeviceOffer offer = new DeviceOffer(id, "x", 7, 5, Standing.FREE);
    assertEquals(Load.NONE, offer.load());
    assertEquals(Map.of(), offer.ownMemory());
    assertNull(offer.heldBy());
    assertEquals(offer, new DeviceOffer(id, "x", 7, 5, Standing.FREE, Load.NONE, Map.of()));
  }

  @Test
  void id_model_and_standing_are_required_and_own_memory_is_copied() {
    DeviceId id = new DeviceId("A");
    assertThrows(NullPointerException.class, () -> new DeviceOffer(null, "x", 7, 5, Standing.FREE));
    assertThrows(NullPointerException.class, () -> new DeviceOffer(id, null, 7, 5, Standing.FREE));
    assertThrows(NullPointerException.class, () -> new DeviceOffer(id, "x", 7, 5, null));
    Map<Long, Long> own = new HashMap<>(Map.of(1L, 2L));
    DeviceOffer offer = new DeviceOffer(id, "x", 7, 5, Standing.FREE, Load.NONE, own);
    own.clear();
    assertEquals(Map.of(1L, 2L), offer.ownMemory());
  }

  @ParameterizedTest(name = "{0} and then {1}")
  @CsvSource({"0, 0, 0", "0, 3, 3", "3, 0, 3", "3, 2, 2", "2, 3, 2", "1, 1, 1"})
  void the_lower_limit_of_tasks_counts_and_zero_is_none(int before, int perGpu, int after) {
    Load load = new Load(1, before, 0, Set.of()).plus(part().perGpu(perGpu).request(), null);
    assertEquals(new Load(2, after, 0, Set.of()), load);
  }

  @Test
  void a_load_grows_by_utilisation_and_type() {
    JobType train = type("train");
    JobType eval = type("eval");
    Load one = Load.NONE.plus(part().percent(40).request(), train);
    assertEquals(new Load(1, 0, 40, Set.of(train)), one);
    Load two = one.plus(part().percent(50).request(), train);
    assertEquals(new Load(2, 0, 90, Set.of(train)), two);
    Load three = two.plus(part().request(), eval);
    assertEquals(new Load(3, 0, 90, Set.of(train, eval)), three);
    assertEquals(new Load(4, 0, 90, Set.of(train, eval)), three.plus(part().request(), null));
    assertEquals(new Load(1, 0, 40, Set.of(train)), one, "a load does not change");
  }

  @ParameterizedTest(name = "{0} tasks, at most {1}, the next allows {2}")
  @CsvSource({
    "0, 0, 0, false",
    "9, 0, 0, false",
    "0, 0, 1, false",
    "1, 0, 1, true",
    "1, 2, 0, false",
    "2, 2, 0, true",
    "2, 5, 3, false",
    "3, 5, 3, true",
    "3, 3, 5, true"
  })
  void a_device_is_full_when_one_more_task_exceeds_a_limit(
      int tasks, int most, int perGpu, boolean full) {
    assertEquals(
        full, new Load(tasks, most, 0, Set.of()).isFullFor(part().perGpu(perGpu).request()));
  }

  @ParameterizedTest(name = "{1} % on {0} tasks, the next {2} %")
  @CsvSource({
    "1, 60, 40, false",
    "1, 60, 41, true",
    "1, 100, 0, false",
    "1, 100, 1, true",
    "1, 0, 100, false",
    "0, 100, 100, false"
  })
  void a_device_is_too_busy_when_one_more_task_exceeds_all_of_its_time(
      int tasks, int percent, int wanted, boolean busy) {
    assertEquals(
        busy, new Load(tasks, 0, percent, Set.of()).isTooBusyFor(part().percent(wanted).request()));
  }
}
