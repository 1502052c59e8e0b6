package io.remuda.telemetry.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleDevicesTest {
  private static final List<DeviceInfo> FOUR =
      List.of(gpu(0, "GPU-aa11"), gpu(1, "GPU-ab22"), gpu(2, "GPU-cc33"), gpu(3, "GPU-dd44"));

  private static DeviceInfo gpu(int index, String uuid) {
    return new DeviceInfo(new DeviceId(uuid), index, DeviceVendor.NVIDIA, "gpu", null, 1, null);
  }

  private static String visible(String variable) {
    return VisibleDevices.restrict(FOUR, variable).stream()
        .map(device -> Integer.toString(device.index()))
        .collect(Collectors.joining(" "));
  }

  @Test
  void an_unset_variable_hides_nothing() {
    assertEquals("0 1 2 3", visible(null));
  }

  @ParameterizedTest(name = "\"{0}\" shows \"{1}\"")
  @CsvSource(
      delimiter = '|',
      value = {
        "''            | ''",
        "0             | 0",
        "2,0           | 2 0",
        "' 1 , 3 '     | 1 3",
        "GPU-cc33      | 2",
        "GPU-cc33,0    | 2 0",
        "GPU-c         | 2",
        "GPU-CC33      | 2",
        "GPU-a         | ''",
        "GPU-aa,GPU-ab | 0 1",
        "-1            | ''",
        "NoDevFiles    | ''",
        "0,-1,1        | 0",
        "0,9,1         | 0",
        "0,0,1         | 0",
        "0,GPU-aa11,1  | 0",
        "0,,1          | 0",
        "0,GPU-zz,1    | 0",
        "1,MIG-1234,2  | 1",
        "99999999999   | ''",
      })
  void entries_are_taken_until_the_first_that_is_wrong(String variable, String indices) {
    assertEquals(indices, visible(variable));
  }

  @Test
  void positions_count_the_devices_that_may_be_opened_not_the_drivers_indices() {
    List<DeviceInfo> granted = FOUR.subList(2, 4);
    assertEquals(3, VisibleDevices.restrict(granted, "1").get(0).index());
  }
}
