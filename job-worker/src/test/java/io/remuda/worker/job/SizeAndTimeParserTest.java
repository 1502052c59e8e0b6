package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeAndTimeParserTest {
  @ParameterizedTest
  @CsvSource({
    "6GiB, 6442450944",
    "512MiB, 536870912",
    "512, 536870912",
    "1.5g, 1610612736",
    "4G, 4294967296",
    "4GB, 4294967296",
    "4g, 4294967296",
    "2 TiB, 2199023255552",
    "100kb, 102400",
    "7b, 7",
    "0, 0"
  })
  void sizes_are_read_as_people_write_them(String text, long bytes) {
    assertEquals(bytes, SizeAndTimeParser.bytes(text));
  }

  @ParameterizedTest
  @CsvSource({
    "90s, 90",
    "15m, 900",
    "6h, 21600",
    "1d, 86400",
    "1.5h, 5400",
    "2w, 1209600",
    "1h30m, 5400",
    "1d 2h 3m 4s, 93784",
    "30min, 1800",
    "45sec, 45",
    "01:30:00, 5400",
    "100:00:00, 360000",
    "2-00:00:00, 172800",
    "2-12:30, 217800",
    "2-12, 216000",
    "0, 0"
  })
  void times_are_read_as_people_write_them(String text, long seconds) {
    assertEquals(Duration.ofSeconds(seconds), SizeAndTimeParser.time(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "1e3", "GiB", "6GB6", "99999999999TiB", "1.2.3"})
  void what_is_no_size_is_shown(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> SizeAndTimeParser.bytes(text))
            .getMessage();
    assertTrue(message.contains("'" + text + "'"), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "60 | 60 what? write 60s, 60m or 1h",
        "90 | 90 what? write 90s, 90m or 90h",
        "1.5 | 1.5 what? write 1.5s, 1.5m or 1.5h",
        "90:00 | '90:00' is hours and minutes, or minutes and seconds: write 90h00m or 90m00s"
      })
  void a_time_that_means_two_things_is_refused_with_ways_to_write_it(String text, String message) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> SizeAndTimeParser.time(text))
            .getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "-1s",
        "1y",
        "999999999999w",
        "1h30",
        "1h:30",
        "1:2:3",
        "1:60:00",
        "h",
        "2-"
      })
  void what_is_no_time_is_shown(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> SizeAndTimeParser.time(text))
            .getMessage();
    assertTrue(message.contains("'" + text + "'"), message);
  }
}
