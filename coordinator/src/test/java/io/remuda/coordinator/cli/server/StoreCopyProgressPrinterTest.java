package io.remuda.coordinator.cli.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.store.copy.CopyProgressListener.Phase;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class StoreCopyProgressPrinterTest {

  private final StringWriter shown = new StringWriter();

  private String shown(boolean redrawn, boolean silent) {
    try (StoreCopyProgressPrinter lines =
        new StoreCopyProgressPrinter(new PrintWriter(shown), redrawn, silent)) {
      lines.at(Phase.COPIED, "jobs", 2000, 4000);
      lines.at(Phase.COPIED, "jobs", 4000, 4000);
      lines.at(Phase.COMPARED, "jobs", 4000, 4000);
    }
    return shown.toString();
  }

  @Test
  void elsewhere_than_on_a_terminal_each_table_has_a_line_when_it_is_done() {
    assertEquals(
        String.format("copying jobs: 4000 of 4000 rows%ncomparing jobs: 4000 of 4000 rows%n"),
        shown(false, false));
  }

  @Test
  void on_a_terminal_one_line_is_redrawn_and_removed_at_the_end() {
    String all = shown(true, false);
    assertTrue(all.startsWith("\r\u001b[Kcopying jobs: 2000 of 4000 rows\r\u001b[K"), all);
    assertTrue(all.endsWith("comparing jobs: 4000 of 4000 rows\r\u001b[K"), all);
    assertTrue(!all.contains("\n"), all);
  }

  @Test
  void nothing_is_shown_for_quiet() {
    assertEquals("", shown(false, true));
  }
}
