package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GpuShareTest {

  private static final long GIB = 1L << 30;

  private static GpuShare share(long gpuMemory, int perGpu) {
    return new ResourceRequest(1, 1, 0, gpuMemory, null, Map.of(), perGpu, 0).gpuShare();
  }

  @Test
  void without_memory_and_limit_of_tasks_a_task_has_its_devices_whole() {
    assertEquals(new GpuShare.Whole(), share(0, 0));
    assertEquals(new GpuShare.Whole(), share(0, 1), "one task per device is the whole device");
    assertFalse(share(0, 0).isShared());
    assertFalse(share(0, 0).isByMemory());
    assertEquals(8 * GIB, share(0, 0).partOf(8 * GIB));
    assertEquals(0, share(0, 0).promisedBytes());
  }

  @Test
  void a_stated_memory_is_the_part_also_beside_a_limit_of_tasks() {
    assertEquals(new GpuShare.Bytes(GIB), share(GIB, 0));
    assertEquals(new GpuShare.Bytes(GIB), share(GIB, 4));
    assertTrue(share(GIB, 0).isShared());
    assertTrue(share(GIB, 0).isByMemory());
    assertEquals(GIB, share(GIB, 0).partOf(8 * GIB));
    assertEquals(GIB, share(GIB, 0).promisedBytes());
  }

  @Test
  void a_measured_type_has_its_devices_whole_and_promises_no_bytes_yet() {
    assertEquals(new GpuShare.Measured(), share(ResourceRequest.AUTO, 0));
    assertTrue(share(ResourceRequest.AUTO, 4).isMeasured());
    assertFalse(share(ResourceRequest.AUTO, 4).isShared());
    assertTrue(share(ResourceRequest.AUTO, 0).isByMemory());
    assertEquals(0, share(ResourceRequest.AUTO, 0).promisedBytes());
    assertEquals(8 * GIB, share(ResourceRequest.AUTO, 0).partOf(8 * GIB));
  }

  @Test
  void only_a_limit_of_tasks_gives_equal_parts_of_nearly_all() {
    assertEquals(new GpuShare.PerDevice(4), share(0, 4));
    assertTrue(share(0, 4).isShared());
    assertFalse(share(0, 4).isByMemory());
    assertEquals(ResourceRequest.nearlyAll(8 * GIB) / 4, share(0, 4).partOf(8 * GIB));
  }

  @Test
  void a_share_of_nothing_is_refused() {
    assertThrows(IllegalArgumentException.class, () -> new GpuShare.Bytes(0));
    assertThrows(IllegalArgumentException.class, () -> new GpuShare.PerDevice(1));
  }
}
