package io.remuda.agent.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskSignalTest {

  @ParameterizedTest
  @CsvSource({"USR1,10", "SIGUSR1,10", "sigterm,15", "usr2,12", "1,1", "31,31", "STOP,19"})
  void a_signal_has_a_name_with_or_without_sig_or_a_number(String text, int number) {
    assertEquals(number, TaskSignal.parse(text).number());
    assertEquals(TaskSignal.parse(text), TaskSignal.of(TaskSignal.parse(text).toAsk()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "32", "-9", "USR3", "SIG", "7.0", "last"})
  void anything_else_is_refused(String text) {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> TaskSignal.parse(text))
            .getMessage()
            .startsWith("'" + text + "' is not a signal"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "SIGKILL", "9"})
  void sigkill_has_a_command_of_its_own(String text) {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> TaskSignal.parse(text))
            .getMessage()
            .contains("remuda cancel --now"));
  }

  @Test
  void a_channel_is_no_signal() {
    ChannelExchangeRequest port =
        new ChannelExchangeRequest("p", "port:6006", 0, null, false, -1, 0, 0, false);
    assertFalse(TaskSignal.isAsked(port));
    assertTrue(TaskSignal.isAsked(TaskSignal.parse("HUP").toAsk()));
  }
}
