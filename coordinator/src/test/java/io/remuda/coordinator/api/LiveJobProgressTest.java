package io.remuda.coordinator.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.TaskUse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveJobProgressTest {

  private static TaskUse use(Long peak) {
    return new TaskUse(1L, 1L, 1L, peak, null, null);
  }

  @Test
  void the_peak_is_the_highest_of_the_tasks_that_count_and_are_known() {
    LiveJobProgress view =
        new LiveJobProgress(Map.of(), List.of(), Map.of(0, use(30L), 1, use(null), 2, use(50L)));
    assertEquals(50L, view.peakBytes(null));
    assertEquals(30L, view.peakBytes(0));
    assertNull(view.peakBytes(1));
    assertNull(view.peakBytes(7));
    assertNull(new LiveJobProgress(Map.of(), List.of()).peakBytes(null));
  }
}
