package io.remuda.coordinator.registry.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.telemetry.model.DeviceId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeDrainTest {
  private static final DeviceId GPU = new DeviceId("GPU-1");

  @Test
  void a_reason_is_kept_until_there_is_another() {
    assertEquals("a", NodeDrain.NONE.withNode("a").withNode("").reason());
    assertEquals("b", NodeDrain.NONE.withNode("a").withNode("b").reason());
    assertEquals("", NodeDrain.NONE.withNode("a").withoutNode().withNode("").reason());
    assertEquals(Map.of(GPU, "a"), NodeDrain.NONE.withGpu(GPU, "a").withGpu(GPU, "").gpus());
    assertEquals(Map.of(GPU, "b"), NodeDrain.NONE.withGpu(GPU, "a").withGpu(GPU, "b").gpus());
  }

  @Test
  void a_node_and_its_gpus_are_drained_and_resumed_apart() {
    NodeDrain both = NodeDrain.NONE.withNode("a").withGpu(GPU, "b");
    assertEquals(new NodeDrain(null, Map.of(GPU, "b")), both.withoutNode());
    assertEquals(NodeDrain.whole("a"), both.withoutGpu(GPU));
    assertEquals(NodeDrain.NONE, both.withoutGpu(GPU).withoutNode());
  }
}
