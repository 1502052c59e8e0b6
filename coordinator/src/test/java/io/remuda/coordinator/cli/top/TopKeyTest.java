package io.remuda.coordinator.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopKeyTest {
  private static final int NOT_IN_TIME = -2;

  /** All keys in these bytes of a terminal. */
  private static List<TopKey> read(String sent) throws IOException {
    int[] at = {0};
    TopKey.Source source = millis -> at[0] < sent.length() ? sent.charAt(at[0]++) : NOT_IN_TIME;
    List<TopKey> keys = new ArrayList<>();
    while (at[0] < sent.length()) {
      keys.add(TopKey.read(source, 0));
    }
    return keys;
  }

  @ParameterizedTest
  @CsvSource({
    "q, QUIT",
    "p, PAUSE",
    "k, CANCEL",
    "l, DETAILS",
    "u, USER",
    "/, FIND",
    "?, HELP",
    "h, HELP",
    "[A, UP",
    "[B, DOWN",
    "OA, UP",
    "OB, DOWN",
    "[5~, PAGE_UP",
    "[6~, PAGE_DOWN",
    "[H, HOME",
    "[F, END",
    "[1~, HOME",
    "[4~, END",
    "OH, HOME",
    "[1;5A, UP",
    "[3~, NONE",
    "[15~, NONE",
    "x, NONE"
  })
  void a_key_is_one_whatever_it_is_sent_as(String sent, TopKey key) throws IOException {
    boolean sequence = sent.length() > 1;
    assertEquals(List.of(key), read((sequence ? "\u001b" : "") + sent));
  }

  @Test
  void control_characters_end_or_switch() throws IOException {
    assertEquals(List.of(TopKey.INTERRUPT, TopKey.QUIT, TopKey.TAB), read("\u0003\u0004\t"));
  }

  @Test
  void escape_alone_is_no_key_and_takes_nothing_with_it() throws IOException {
    assertEquals(List.of(TopKey.NONE), read("\u001b"));
    assertEquals(List.of(TopKey.UP, TopKey.PAGE_DOWN, TopKey.QUIT), read("\u001b[A\u001b[6~q"));
  }

  @Test
  void the_end_of_input_quits() throws IOException {
    assertEquals(TopKey.QUIT, TopKey.read(millis -> -1, 0));
    assertEquals(TopKey.NONE, TopKey.read(millis -> NOT_IN_TIME, 0));
  }
}
