package io.remuda.coordinator.drawing.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.coordinator.drawing.MemoryPart;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryBarsTest {

  private static List<MemoryPart> parts(String gpu) throws IOException {
    return MemoryBars.bar(new ObjectMapper().readTree(gpu)).parts();
  }

  @Test
  void a_holder_of_a_whole_gpu_has_no_memory_that_others_use() throws IOException {
    assertEquals(
        List.of(
            new MemoryPart("job 7", 10, MemoryPart.Kind.USED),
            new MemoryPart("job 7", 390, MemoryPart.Kind.LENT),
            new MemoryPart("others", 600, MemoryPart.Kind.FOREIGN)),
        parts(
            """
            {"memoryBytes": 1000, "usedBytes": 610, "otherBytes": 600, "holders": [
              {"job": 7, "whole": true, "usedBytes": 10, "reservedBytes": 1000}]}"""));
  }

  @Test
  void parts_of_different_times_are_no_more_than_the_gpu() throws IOException {
    assertEquals(
        List.of(
            new MemoryPart("job 7", 900, MemoryPart.Kind.USED),
            new MemoryPart("others", 100, MemoryPart.Kind.FOREIGN)),
        parts(
            """
            {"memoryBytes": 1000, "usedBytes": 900, "otherBytes": 300, "holders": [
              {"job": 7, "whole": false, "usedBytes": 900, "reservedBytes": 950}]}"""));
  }
}
