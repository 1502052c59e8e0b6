package io.remuda.examples.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.examples.PrintedLines;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanPreviewTest {

  @Test
  void the_example_starts_what_fits_and_says_why_the_rest_waits() throws Exception {
    List<String> lines = PrintedLines.of(PlanPreview::main);

    List<String> starts =
        lines.stream()
            .filter(line -> line.contains(" starts on "))
            .map(line -> line.split(" ")[1])
            .sorted()
            .toList();
    assertEquals(List.of("1.0", "1.1", "2.0"), starts, lines::toString);
    List<String> waits = lines.stream().filter(line -> line.contains(" wait: ")).toList();
    assertEquals(2, waits.size(), lines::toString);
    assertTrue(waits.stream().allMatch(line -> line.contains("TooFewFreeGpus")), lines::toString);
  }
}
