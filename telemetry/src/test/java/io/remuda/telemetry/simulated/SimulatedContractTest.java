package io.remuda.telemetry.simulated;

import io.remuda.telemetry.machine.DeviceSources;
import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.DeviceSourceContract;

class SimulatedContractTest extends DeviceSourceContract {
  @Override
  protected DeviceSource open() {
    return DeviceSources.simulated("h200:1,rtx4090:1", "contract");
  }
}
