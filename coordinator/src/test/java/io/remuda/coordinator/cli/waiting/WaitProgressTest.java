package io.remuda.coordinator.cli.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitProgressTest {

  @Test
  void a_terminal_has_a_bar_with_the_rate_since_the_wait_began() {
    WaitProgress bar = new WaitProgress(WaitProgress.Place.TERMINAL, 0);
    assertEquals(
        Optional.of(
            "\r\u001b[K[###...........................] 10/100 ended, 4 running, no rate yet"),
        bar.next(new TaskSums(100, 10, 0, 4), false, 0));
    assertEquals(
        Optional.of(
            "\r\u001b[K[#########.....................] 30/100 ended, 2 failed, 4 running,"
                + " 20 a minute, about 3 min left"),
        bar.next(new TaskSums(100, 28, 2, 4), false, 60_000));
    assertEquals(
        Optional.of(
            "\r\u001b[K[##############################] 100/100 ended, 2 failed, 45 a minute\n"),
        bar.next(new TaskSums(100, 98, 2, 0), true, 120_000));
  }

  @Test
  void elsewhere_a_line_is_printed_every_ten_seconds_if_it_is_new_and_at_the_end() {
    WaitProgress lines = new WaitProgress(WaitProgress.Place.LINES, 0);
    assertEquals(
        Optional.of("0/4 ended, 4 running, no rate yet\n"),
        lines.next(new TaskSums(4, 0, 0, 4), false, 0));
    assertEquals(Optional.empty(), lines.next(new TaskSums(4, 1, 0, 3), false, 5_000));
    assertEquals(
        Optional.of("1/4 ended, 3 running, 6.0 a minute, about 30 s left\n"),
        lines.next(new TaskSums(4, 1, 0, 3), false, 10_000));
    assertEquals(Optional.empty(), lines.next(new TaskSums(4, 1, 0, 3), false, 40_000));
    assertEquals(
        Optional.of("4/4 ended, 5.9 a minute\n"),
        lines.next(new TaskSums(4, 4, 0, 0), true, 41_000));
  }
}
