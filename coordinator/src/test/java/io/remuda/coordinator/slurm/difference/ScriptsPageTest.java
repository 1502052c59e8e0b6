package io.remuda.coordinator.slurm.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ScriptsPageTest {
  @Test
  void the_page_shows_what_differs_from_slurm() throws IOException {
    assertEquals(
        ScriptsPage.withTable(ScriptsPage.page()),
        ScriptsPage.page(),
        "docs/scripts.md is out of date: run ScriptsPage");
  }

  @Test
  void every_difference_has_a_row_of_its_own() throws IOException {
    String page = ScriptsPage.page();
    for (KnownDifference one : KnownDifference.values()) {
      assertTrue(page.contains("\n" + one.row()), one.name());
    }
  }
}
