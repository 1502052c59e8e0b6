package io.remuda.coordinator.rest.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.OutputStreamName;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputPositionTest {
  private static final OutputStreamName OUT = OutputStreamName.OUT;
  private static final OutputStreamName ERR = OutputStreamName.ERR;

  @Test
  void what_somebody_has_is_told_in_few_words() {
    OutputPosition position = new OutputPosition();
    for (int task = 0; task < 100; task++) {
      position.done(task);
    }
    position.shown(101, 1, OUT, 7);
    position.done(101);
    position.shown(7, 1, OUT, 7);
    position.shown(102, 1, OUT, 4096);
    position.shown(102, 2, OUT, 5);
    position.shown(102, 2, ERR, 6);
    position.shown(102, 1, ERR, 600); // of an attempt that is past
    assertEquals("0-99_101_102.2.5.6", position.toString());
    assertEquals("0-99_101_102.2.5.6", OutputPosition.parse(position.toString()).toString());
    assertEquals(100, position.firstOpen());
    assertTrue(position.isDone(101));
    assertFalse(position.isDone(102));
    assertEquals(2, position.attempt(102));
  }

  @Test
  void what_was_seen_is_known_by_attempt_and_stream() {
    OutputPosition position = OutputPosition.parse("3_5.2.10.20");
    assertEquals(10, position.seen(5, 2, OUT));
    assertEquals(20, position.seen(5, 2, ERR));
    assertEquals(0, position.seen(5, 3, OUT));
    assertEquals(Long.MAX_VALUE, position.seen(5, 1, OUT));
    assertEquals(Long.MAX_VALUE, position.seen(3, 9, OUT));
    assertEquals(0, position.seen(4, 1, OUT));
    position.done("5-6");
    assertEquals("3_5-6", position.toString());
  }

  @Test
  void it_fits_into_an_address_whatever_there_is() {
    OutputPosition position = new OutputPosition();
    for (int task = 0; task < 200_000; task += 2) {
      position.done(task);
      position.shown(task + 1, 1, OUT, 1_000_000);
    }
    assertTrue(position.toString().length() <= 3000);
    OutputPosition read = OutputPosition.parse(position.toString());
    assertTrue(read.isDone(0) && read.isDone(100) && !read.isDone(1));
  }

  @Test
  void what_is_no_position_is_refused() {
    for (String text :
        List.of(
            "x",
            "-1",
            "1-",
            "5-3",
            "1000000",
            "0-9999999",
            "1.2.3",
            "1.2.3.4.5",
            "1__2",
            "1,2",
            "_",
            "1.1.99999999999999999999.0",
            "1".repeat(3001))) {
      String why =
          assertThrows(IllegalArgumentException.class, () -> OutputPosition.parse(text))
              .getMessage();
      assertTrue(why.startsWith("after "), why);
    }
    assertEquals("", OutputPosition.parse("").toString());
  }
}
