package io.remuda.telemetry.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.source.DeviceSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedMachineTest {
  private static DeviceSource source(SimulatedMachine machine) {
    return new SimulatedDeviceSource(machine);
  }

  @Test
  void the_same_seed_gives_the_same_readings_at_the_same_tick() {
    DeviceSource one = source(SimulatedMachines.dgxH200("left"));
    DeviceSource two = source(SimulatedMachines.dgxH200("left"));
    for (int tick = 0; tick < 20; tick++) {
      assertEquals(one.sample(), two.sample());
    }
  }

  @Test
  void another_seed_is_another_machine() {
    List<DeviceInfo> left = SimulatedMachines.dgxH200("left").inventory();
    List<DeviceInfo> right = SimulatedMachines.dgxH200("right").inventory();
    assertNotEquals(left.get(0).id(), right.get(0).id());
  }

  @Test
  void load_moves_over_time_and_memory_stays_nearly_empty() {
    DeviceSource source = source(SimulatedMachine.parse("h100", "s"));
    int least = 100;
    int most = 0;
    for (int tick = 0; tick < 120; tick++) {
      DeviceSample sample = source.sample().get(0);
      least = Math.min(least, sample.utilGpu());
      most = Math.max(most, sample.utilGpu());
      assertTrue(sample.memUsed() <= sample.memTotal() / 100);
    }
    assertTrue(least < 15 && most > 85, "from " + least + " to " + most);
  }

  @Test
  void memory_fills_to_the_share_that_was_asked_for() {
    DeviceSource source =
        source(SimulatedMachine.builder("s").gpus("t4", 1).memoryShare(0.9).build());
    long peak = 0;
    for (int tick = 0; tick < 120; tick++) {
      peak = Math.max(peak, source.sample().get(0).memUsed());
    }
    assertTrue(peak > 0.7 * (15L << 30) && peak < 0.9 * (15L << 30), "peak " + peak);
  }

  @Test
  void a_fault_takes_the_readings_away_for_its_time() {
    SimulatedMachine machine =
        SimulatedMachine.builder("s")
            .gpus("l40s", 2)
            .fault(new SimulatedFault(1, DeviceHealth.LOST, 1, 3))
            .build();
    DeviceSource source = source(machine);
    DeviceHealth[] expected = {
      DeviceHealth.OK, DeviceHealth.LOST, DeviceHealth.LOST, DeviceHealth.OK
    };
    for (DeviceHealth health : expected) {
      List<DeviceSample> samples = source.sample();
      assertEquals(DeviceHealth.OK, samples.get(0).health());
      assertEquals(health, samples.get(1).health());
      assertEquals(health == DeviceHealth.OK, samples.get(1).utilGpu() != null);
    }
  }

  @Test
  void named_machines_and_models_are_known_by_name() {
    assertEquals(8, SimulatedMachine.parse("dgx-a100", "s").gpus().size());
    assertEquals(0, SimulatedMachine.parse("cpu-only", "s").gpus().size());
    for (String name : SimulatedMachines.names()) {
      SimulatedMachines.named(name, "s");
    }
    for (GpuModel model : GpuCatalogue.models()) {
      assertEquals(model, GpuCatalogue.model(model.key()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "h9000", "h9000:0", "h200:", "h200:x", "h200:-1", "h200:65", "h200:8,"})
  void a_wrong_specification_is_refused(String spec) {
    assertThrows(IllegalArgumentException.class, () -> SimulatedMachine.parse(spec, "s"));
  }
}
