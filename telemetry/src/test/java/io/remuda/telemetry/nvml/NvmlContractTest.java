package io.remuda.telemetry.nvml;

import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.DeviceSourceContract;
import io.remuda.telemetry.testkit.SimulatedDriver;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class NvmlContractTest extends DeviceSourceContract {
  @TempDir Path folder;
  private SimulatedDriver driver;

  @BeforeEach
  void twoGpus() {
    driver = SimulatedDriver.in(folder).says("gpus 2", "gpu 0 util wave", "gpu 1 util 37 fan 30");
    driver.loaded();
  }

  @Override
  protected DeviceSource open() {
    return NvmlDeviceSource.open(driver.library().toString(), null, System::nanoTime);
  }
}
