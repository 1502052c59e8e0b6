package io.remuda.worker.job.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.remuda.worker.job.WarningSignal;
import org.junit.jupiter.api.Test;

class SignalReachTest {
  private final ObjectMapper json = new ObjectMapper();

  @Test
  void a_word_before_a_signal_says_which_processes_get_it() {
    assertEquals(
        new WarningSignal("USR1", 4000, SignalReach.ALL), WarningSignal.parse("all:USR1@4s"));
    assertEquals(
        new WarningSignal("TERM", 4000, SignalReach.CHILDREN),
        WarningSignal.parse(" Children: sigterm@4s"));
    assertEquals(new WarningSignal("HUP", 4000), WarningSignal.parse("first:HUP@4s"));
    assertEquals(new WarningSignal("HUP", 4000), WarningSignal.parse("HUP@4s"));
  }

  @Test
  void another_word_is_refused_with_what_may_be_written() {
    for (String text : new String[] {"every:USR1@4s", "B:USR1@4s", ":USR1@4s", "all:all:USR1@4s"}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> WarningSignal.parse(text))
              .getMessage();
      boolean said = message.contains("first:, children: or all:") || message.contains("all:USR1");
      assertTrue(said, message);
    }
  }

  @Test
  void an_earlier_build_finds_in_json_what_it_knows() throws Exception {
    assertEquals(
        "{\"name\":\"USR1\",\"leadMillis\":4000}",
        json.writeValueAsString(new WarningSignal("USR1", 4000)));
    WarningSignal all = new WarningSignal("USR1", 4000, SignalReach.ALL);
    assertEquals(all, json.readValue(json.writeValueAsString(all), WarningSignal.class));
    assertEquals(
        new WarningSignal("USR1", 4000),
        json.readValue("{\"name\":\"USR1\",\"leadMillis\":4000}", WarningSignal.class));
  }
}
