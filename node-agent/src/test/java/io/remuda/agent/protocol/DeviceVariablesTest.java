package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeviceVariablesTest {
  private static final String NVIDIA = "GPU-6ada6976-421e-387f-bb93-5daf311a7f54";
  private static final String MIG = "MIG-6ada6976-421e-387f-bb93-5daf311a7f55";
  private static final String AMD = "GPU-a1b2c3d4e5f60718";

  private static Map<String, String> visible(String... uuids) {
    List<DeviceId> devices = Stream.of(uuids).map(DeviceId::new).toList();
    return DeviceVariables.task(devices);
  }

  @Test
  void without_a_device_a_task_sees_none_of_any_vendor() {
    assertEquals("", visible().get("CUDA_VISIBLE_DEVICES"));
    assertEquals("", visible().get("ROCR_VISIBLE_DEVICES"));
  }

  @Test
  void each_vendors_devices_go_to_its_own_variable() {
    Map<String, String> variables = visible(NVIDIA, AMD, MIG);
    assertEquals(NVIDIA + "," + MIG, variables.get("CUDA_VISIBLE_DEVICES"));
    assertEquals(AMD, variables.get("ROCR_VISIBLE_DEVICES"));
  }
}
