package io.remuda.worker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "6GiB, 6442450944",
    "512MiB, 536870912",
    "512, 536870912",
    "1.5g, 1610612736",
    "2 TiB, 2199023255552",
    "100kb, 102400",
    "7b, 7",
    "0, 0"
  })
  void sizes_are_read_as_people_write_them(String text, long bytes) {
    assertEquals(bytes, Quantities.bytes(text));
  }

  @ParameterizedTest
  @CsvSource({
    "90s, 90",
    "90, 90",
    "15m, 900",
    "6h, 21600",
    "1d, 86400",
    "1.5h, 5400",
    "2w, 1209600"
  })
  void times_are_read_as_people_write_them(String text, long seconds) {
    assertEquals(Duration.ofSeconds(seconds), Quantities.time(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "1e3", "GiB", "6GB6", "99999999999TiB", "1.2.3"})
  void what_is_no_size_is_shown(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Quantities.bytes(text)).getMessage();
    assertTrue(message.contains("'" + text + "'"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1s", "1y", "999999999999w"})
  void what_is_no_time_is_shown(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Quantities.time(text)).getMessage();
    assertTrue(message.contains("'" + text + "'"), message);
  }
}
