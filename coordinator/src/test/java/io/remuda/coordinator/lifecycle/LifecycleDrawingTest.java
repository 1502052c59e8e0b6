package io.remuda.coordinator.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class LifecycleDrawingTest {
  @Test
  void the_document_shows_the_rows() throws IOException {
    assertEquals(
        LifecycleDrawing.document(),
        Files.readString(LifecycleDrawing.FILE),
        "docs/lifecycle.md is out of date: run LifecycleDrawing");
  }

  @Test
  void every_row_is_an_arrow() {
    String drawing = LifecycleDrawing.diagram();
    assertTrue(drawing.contains("\n    waiting --> starting: placed\n"), drawing);
    assertTrue(drawing.contains("\n    running --> lost: interrupted too often\n"), drawing);
    assertTrue(drawing.endsWith("lost --> [*]"), drawing);
    assertEquals(
        Lifecycle.ROWS.size() + 3 + 4, drawing.lines().filter(l -> l.contains("-->")).count());
  }
}
