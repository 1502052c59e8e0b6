package io.remuda.telemetry.source;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceSample;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.DeviceVendor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Devices that hang on demand; counts the threads inside. */
final class GatedSource implements DeviceSource {
  private final List<DeviceInfo> devices = new ArrayList<>();
  private final Map<Integer, CountDownLatch> gates = new ConcurrentHashMap<>();
  private volatile CountDownLatch sessionGate = new CountDownLatch(0);
  final AtomicInteger inside = new AtomicInteger();
  final AtomicInteger insideMost = new AtomicInteger();
  final AtomicInteger rounds = new AtomicInteger();
  final AtomicInteger closings = new AtomicInteger();
  volatile RuntimeException failure;

  GatedSource(int count) {
    for (int i = 0; i < count; i++) {
      devices.add(
          new DeviceInfo(
              new DeviceId("gpu-" + i), i, DeviceVendor.SIMULATED, "gated", null, 1, null));
    }
  }

  void hang(int device) {
    gates.put(device, new CountDownLatch(1));
  }

  void release(int device) {
    gates.remove(device).countDown();
  }

  void hangSession() {
    sessionGate = new CountDownLatch(1);
  }

  void releaseSession() {
    sessionGate.countDown();
  }

  @Override
  public List<DeviceInfo> inventory() {
    return devices;
  }

  @Override
  public List<DeviceSample> sample() {
    return DeviceSource.all(this);
  }

  @Override
  public void sampleEach(SampleProgressListener progress) {
    int round = rounds.incrementAndGet();
    insideMost.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      await(sessionGate);
      if (failure != null) {
        throw failure;
      }
      for (DeviceInfo device : devices) {
        if (progress.starting(device.id())) {
          await(gates.getOrDefault(device.index(), new CountDownLatch(0)));
          progress.sampled(
              DeviceSampleBuilder.of(device.id(), device.index()).utilGpu(round % 100).build());
        }
      }
    } finally {
      inside.decrementAndGet();
    }
  }

  private static void await(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a reader", e);
    }
  }

  @Override
  public String description() {
    return "gated";
  }

  @Override
  public void close() {
    closings.incrementAndGet();
  }
}
