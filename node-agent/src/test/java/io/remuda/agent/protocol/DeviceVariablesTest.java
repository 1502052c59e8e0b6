package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeviceVariablesTest {
  private static final String FIRST = "GPU-6ada6976-421e-387f-bb93-5daf311a7f54";
  private static final String SECOND = "GPU-7ada6976-421e-387f-bb93-5daf311a7f54";
  private static final String MIG = "MIG-6ada6976-421e-387f-bb93-5daf311a7f55";
  private static final String AMD = "GPU-a1b2c3d4e5f60718";
  private static final String OTHER_AMD = "GPU-b1b2c3d4e5f60718";

  private static DeviceInfo device(String uuid, DeviceVendor vendor, Integer ordinal) {
    return new DeviceInfo(new DeviceId(uuid), 0, vendor, "gpu", null, 1, null).withOrdinal(ordinal);
  }

  private static final List<DeviceInfo> NVIDIA_NODE =
      List.of(
          device(FIRST, DeviceVendor.NVIDIA, 0),
          device(SECOND, DeviceVendor.NVIDIA, 3),
          device(MIG, DeviceVendor.NVIDIA, null));
  private static final List<DeviceInfo> AMD_NODE =
      List.of(device(AMD, DeviceVendor.AMD, 5), device(OTHER_AMD, DeviceVendor.AMD, 4));

  private static Map<String, String> visible(List<DeviceInfo> node, String... uuids) {
    return DeviceVariables.task(Stream.of(uuids).map(DeviceId::new).toList(), node);
  }

  @Test
  void without_a_device_a_task_sees_none_of_any_vendor_that_the_node_has() {
    assertEquals("", visible(NVIDIA_NODE).get("CUDA_VISIBLE_DEVICES"));
    Map<String, String> amd = visible(AMD_NODE);
    assertEquals("", amd.get("ROCR_VISIBLE_DEVICES"));
    assertEquals("", amd.get("HIP_VISIBLE_DEVICES"));
  }

  @Test
  void devices_are_told_by_number_in_the_order_in_which_they_are_lent() {
    Map<String, String> told = visible(NVIDIA_NODE, SECOND, FIRST);
    assertEquals("3,0", told.get("CUDA_VISIBLE_DEVICES"));
    assertEquals("PCI_BUS_ID", told.get("CUDA_DEVICE_ORDER"));
  }

  @Test
  void if_one_of_them_has_no_number_all_are_told_by_uuid() {
    assertEquals(FIRST + "," + MIG, visible(NVIDIA_NODE, FIRST, MIG).get("CUDA_VISIBLE_DEVICES"));
    assertEquals(FIRST, visible(List.of(), FIRST).get("CUDA_VISIBLE_DEVICES"), "unknown here");
  }

  @Test
  void a_node_without_amd_has_no_variables_of_rocm() {
    Map<String, String> told = visible(NVIDIA_NODE, FIRST);
    assertFalse(told.containsKey("ROCR_VISIBLE_DEVICES"), told::toString);
    assertFalse(told.containsKey("HIP_VISIBLE_DEVICES"), told::toString);
  }

  @Test
  void hip_counts_anew_what_rocm_leaves_it() {
    Map<String, String> told = visible(AMD_NODE, AMD, OTHER_AMD);
    assertEquals("5,4", told.get("ROCR_VISIBLE_DEVICES"));
    assertEquals("0,1", told.get("HIP_VISIBLE_DEVICES"));
    assertEquals("", told.get("CUDA_VISIBLE_DEVICES"));
  }

  @Test
  void each_vendors_devices_go_to_its_own_variable() {
    Map<String, String> told =
        visible(Stream.concat(NVIDIA_NODE.stream(), AMD_NODE.stream()).toList(), FIRST, AMD);
    assertEquals("0", told.get("CUDA_VISIBLE_DEVICES"));
    assertEquals("5", told.get("ROCR_VISIBLE_DEVICES"));
    assertEquals("0", told.get("HIP_VISIBLE_DEVICES"));
  }
}
