package io.remuda.agent.keeper.proc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcStatTest {
  private static final String REST =
      " S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 1000 200 18446744073709551615\n";

  @Test
  void a_line_is_read() {
    assertEquals(new ProcStat(42, 'S', 7, 9, 123456), parse("42 (sh)" + REST));
  }

  @Test
  void a_name_may_hold_parentheses_and_blanks() {
    assertEquals(new ProcStat(42, 'S', 7, 9, 123456), parse("42 (a) Z 1 (b c)" + REST));
  }

  @Test
  void one_whose_first_thread_alone_has_ended_lives() {
    String rest = REST.replace(" S 7", " Z 7");
    assertTrue(parse("42 (sh)" + rest).dead());
    assertEquals('S', parse("42 (sh)" + rest.replace(" 20 0 1 ", " 20 0 3 ")).state());
  }

  @Test
  void a_cut_line_is_no_process() {
    String line = "42 (sh)" + REST;
    for (int length = 0; length < line.indexOf("123456"); length++) {
      assertNull(parse(line.substring(0, length)));
    }
  }

  @Test
  void this_process_is_read_and_is_among_all() {
    int self = (int) ProcessHandle.current().pid();
    ProcStat stat = ProcFiles.stat(self);
    assertEquals(self, stat.pid());
    assertTrue(ProcFiles.all().stream().anyMatch(stat::same));
    assertNull(ProcFiles.stat(0));
  }

  @Test
  void a_variable_is_found_by_its_whole_name() {
    byte[] block = "AB=1\0B=2\0EMPTY=\0".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        List.of("1", "2", ""),
        List.of(
            ProcFiles.variable(block, "AB"),
            ProcFiles.variable(block, "B"),
            ProcFiles.variable(block, "EMPTY")));
    assertNull(ProcFiles.variable(block, "A"));
  }

  private static ProcStat parse(String line) {
    return ProcStat.parse(line.getBytes(StandardCharsets.UTF_8), line.length());
  }
}
