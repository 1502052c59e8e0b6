package io.remuda.coordinator.cli.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobFiltersTest {

  private static final ZonedDateTime NOW =
      ZonedDateTime.of(2026, 11, 24, 14, 20, 0, 0, ZoneId.of("Europe/Berlin"));

  @ParameterizedTest
  @CsvSource({
    "2h, 2026-11-24T11:20:00Z",
    "3d, 2026-11-21T13:20:00Z",
    "13:05, 2026-11-24T12:05:00Z",
    "13:05:30, 2026-11-24T12:05:30Z",
    "2026-11-23, 2026-11-22T23:00:00Z",
    "today, 2026-11-23T23:00:00Z",
    "yesterday, 2026-11-22T23:00:00Z",
    "2026-11-23 08:00, 2026-11-23T07:00:00Z",
    "2026-11-23T08:00:00Z, 2026-11-23T08:00:00Z"
  })
  void since_is_a_time_or_how_long_ago(String text, Instant meant) {
    assertEquals(meant, JobFilters.since(text, NOW));
  }

  @Test
  void what_is_no_time_is_refused_with_what_to_write() {
    assertEquals(
        "'noon' is not a time: write how long ago, as 2h or 3d, or when, as 2026-11-24,"
            + " '2026-11-24 14:20', 14:20, today or yesterday",
        assertThrows(IllegalArgumentException.class, () -> JobFilters.since("noon", NOW))
            .getMessage());
  }
}
