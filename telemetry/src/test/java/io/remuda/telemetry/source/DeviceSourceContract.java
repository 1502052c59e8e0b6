package io.remuda.telemetry.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceHealth;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every origin of device readings keeps to. */
public abstract class DeviceSourceContract {
  /** A fresh source over the same machine each time, with two healthy devices. */
  protected abstract DeviceSource open();

  @Test
  void the_inventory_lists_each_device_once_in_index_order() {
    try (DeviceSource source = open()) {
      List<DeviceInfo> inventory = source.inventory();
      assertEquals(List.of(0, 1), inventory.stream().map(DeviceInfo::index).toList());
      assertEquals(2, new HashSet<>(ids(inventory)).size());
      for (DeviceInfo device : inventory) {
        assertFalse(device.name().isBlank());
        assertTrue(device.memoryTotalBytes() > 0);
        assertTrue(device.pciBusId().matches("([0-9A-F]{4}|[0-9A-F]{8}):[0-9A-F]{2}:00\\.0"));
        assertNotNull(device.driver());
      }
    }
  }

  @Test
  void two_openings_of_one_machine_show_the_same_identifiers() {
    try (DeviceSource first = open();
        DeviceSource second = open()) {
      assertEquals(ids(first.inventory()), ids(second.inventory()));
    }
  }

  @Test
  void a_sample_has_one_entry_per_device_in_the_order_of_the_inventory() {
    try (DeviceSource source = open()) {
      for (int tick = 0; tick < 3; tick++) {
        List<DeviceId> sampled = source.sample().stream().map(DeviceSample::id).toList();
        assertEquals(ids(source.inventory()), sampled);
      }
    }
  }

  @Test
  void readings_of_a_healthy_device_are_there_and_within_their_ranges() {
    try (DeviceSource source = open()) {
      for (int tick = 0; tick < 200; tick++) {
        source.sample().forEach(DeviceSourceContract::assertPlausible);
      }
    }
  }

  private static void assertPlausible(DeviceSample sample) {
    assertEquals(DeviceHealth.OK, sample.health());
    assertTrue(sample.utilGpu() >= 0 && sample.utilGpu() <= 100);
    assertTrue(sample.utilMem() >= 0 && sample.utilMem() <= 100);
    assertTrue(sample.memUsed() >= 0 && sample.memFree() >= 0);
    long reserved = sample.memReserved() == null ? 0 : sample.memReserved();
    assertEquals(sample.memTotal(), sample.memUsed() + sample.memFree() + reserved);
    assertTrue(sample.tempC() > 0 && sample.tempC() < 120);
    assertTrue(sample.powerMw() > 0 && sample.powerMw() <= sample.powerLimitMw());
  }

  @Test
  void energy_does_not_fall() {
    try (DeviceSource source = open()) {
      long before = -1;
      for (int tick = 0; tick < 50; tick++) {
        Long energy = source.sample().get(0).energyMj();
        if (energy != null) {
          assertTrue(energy >= before);
          before = energy;
        }
      }
    }
  }

  @Test
  void each_device_is_told_before_it_is_read_and_a_refused_one_is_not_read() {
    try (DeviceSource source = open()) {
      DeviceId refused = source.inventory().get(0).id();
      Recorder recorder = new Recorder(refused);
      source.sampleEach(recorder);
      DeviceId other = source.inventory().get(1).id();
      assertEquals(
          List.of("starting " + refused, "starting " + other, "sampled " + other), recorder.told);
    }
  }

  @Test
  void closing_twice_is_harmless_and_afterwards_devices_are_stale() {
    DeviceSource source = open();
    source.close();
    source.close();
    assertEquals(2, source.sample().size());
    for (DeviceSample sample : source.sample()) {
      assertEquals(DeviceHealth.STALE, sample.health());
      assertNull(sample.utilGpu());
      assertFalse(sample.errors().isEmpty());
    }
  }

  @Test
  void a_source_describes_itself() {
    try (DeviceSource source = open()) {
      assertFalse(source.description().isBlank());
    }
  }

  private static List<DeviceId> ids(List<DeviceInfo> devices) {
    return devices.stream().map(DeviceInfo::id).toList();
  }

  private record Recorder(DeviceId refused, List<String> told) implements SampleProgressListener {
    Recorder(DeviceId refused) {
      this(refused, new ArrayList<>());
    }

    @Override
    public boolean starting(DeviceId id) {
      told.add("starting " + id);
      return !id.equals(refused);
    }

    @Override
    public void sampled(DeviceSample sample) {
      told.add("sampled " + sample.id());
    }
  }
}
