package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShortListTest {

  @Test
  void only_what_is_not_named_is_counted() {
    assertEquals("", ShortList.of(List.of(), 2));
    assertEquals("a", ShortList.of(List.of("a"), 2));
    assertEquals("1, 2", ShortList.of(List.of(1, 2), 2));
    assertEquals("a, b and 1 more", ShortList.of(List.of("a", "b", "c"), 2));
  }
}
