package io.remuda.agent.keeper.ending;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class EndingPageTest {
  @Test
  void the_page_shows_the_ways_out() throws IOException {
    assertEquals(
        EndingPage.withTable(EndingPage.page()),
        EndingPage.page(),
        "docs/ending.md is out of date: run EndingPage");
  }

  @Test
  void every_way_has_a_row_of_its_own() throws IOException {
    String page = EndingPage.page();
    for (WayOut way : WayOut.values()) {
      assertTrue(page.contains("| " + String.join("; ", way.cases()) + " |"), way.name());
    }
  }
}
