package io.remuda.telemetry.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BarStyleTest {
  private static boolean unicode(String all, String type, String lang) {
    Map<String, String> environment = new HashMap<>();
    environment.put("LC_ALL", all);
    environment.put("LC_CTYPE", type);
    environment.put("LANG", lang);
    environment.values().removeIf(value -> value == null);
    return BarStyle.of(environment).unicode();
  }

  private static boolean colour(String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int at = 0; at < variables.length; at += 2) {
      environment.put(variables[at], variables[at + 1]);
    }
    return BarStyle.of(environment).colour();
  }

  @ParameterizedTest
  @CsvSource({
    "C.UTF-8, C, C, true",
    "C, C.UTF-8, C.UTF-8, false",
    ", C.UTF-8, C, true",
    ", C, C.UTF-8, false",
    ", , C.UTF-8, true",
    ", , C, false",
    ", , , false",
    "'', C.UTF-8, C, true",
    "'', '', C.UTF-8, true",
    "'', '', '', false"
  })
  void the_first_of_lc_all_lc_ctype_and_lang_that_says_something_counts(
      String all, String type, String lang, boolean unicode) {
    assertEquals(unicode, unicode(all, type, lang));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "C.UTF-8",
        "C.utf8",
        "en_US.UTF-8",
        "de_DE.utf-8",
        "en_GB.UTF8",
        "sr_RS.UTF-8@latin"
      })
  void utf_8_is_spelled_in_many_ways(String locale) {
    assertEquals(true, unicode(locale, null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX", "en_US", "de_DE.ISO-8859-15@euro", "ja_JP.eucJP", "UTF-16"})
  void other_character_sets_have_no_blocks(String locale) {
    assertEquals(false, unicode(locale, null, null));
  }

  @Test
  void bars_are_coloured_unless_no_color_has_any_value_but_the_empty_one() {
    assertEquals(true, colour());
    assertEquals(true, colour("NO_COLOR", ""));
    assertEquals(false, colour("NO_COLOR", "1"));
    assertEquals(false, colour("NO_COLOR", "0"));
    assertEquals(false, colour("NO_COLOR", "false"));
  }

  @Test
  void a_dumb_terminal_has_no_colours() {
    assertEquals(false, colour("TERM", "dumb"));
    assertEquals(true, colour("TERM", "xterm"));
    assertEquals(true, colour("TERM", "screen", "NO_COLOR", ""));
  }
}
