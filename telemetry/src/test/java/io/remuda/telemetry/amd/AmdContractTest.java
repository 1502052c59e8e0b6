package io.remuda.telemetry.amd;

import io.remuda.telemetry.source.DeviceSource;
import io.remuda.telemetry.source.DeviceSourceContract;
import io.remuda.telemetry.testkit.FakeSysfs;
import io.remuda.telemetry.testkit.ManualTicker;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class AmdContractTest extends DeviceSourceContract {
  @TempDir Path folder;

  @BeforeEach
  void layOut() {
    new FakeSysfs(folder)
        .gpu(1, "0000:03:00.0", "a1b2c3d4e5f60718")
        .gpu(2, "0000:83:00.0", "a1b2c3d4e5f60719");
  }

  @Override
  protected DeviceSource open() {
    return AmdDeviceSource.open(folder, null, new ManualTicker());
  }
}
