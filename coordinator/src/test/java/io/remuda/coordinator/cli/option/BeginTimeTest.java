package io.remuda.coordinator.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BeginTimeTest {

  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-25T15:30:00+01:00");

  @ParameterizedTest
  @CsvSource({
    "22:00, 2026-11-25T21:00:00Z",
    "9:15, 2026-11-26T08:15:00Z",
    "15:30, 2026-11-26T14:30:00Z",
    "now, 2026-11-25T14:30:00Z",
    "now+2h, 2026-11-25T16:30:00Z",
    "now+1h30m, 2026-11-25T16:00:00Z",
    "now+3600, 2026-11-25T15:30:00Z",
    "now+1second, 2026-11-25T14:30:01Z",
    "now+1hour, 2026-11-25T15:30:00Z",
    "now+2hours, 2026-11-25T16:30:00Z",
    "NOW+2Hours, 2026-11-25T16:30:00Z",
    "now+1minute, 2026-11-25T14:31:00Z",
    "now+30minutes, 2026-11-25T15:00:00Z",
    "now+1day, 2026-11-26T14:30:00Z",
    "now+1week, 2026-12-02T14:30:00Z",
    "now+2weeks, 2026-12-09T14:30:00Z",
    "today 15:00, 2026-11-25T14:00:00Z",
    "tomorrow, 2026-11-25T23:00:00Z",
    "tomorrow 06:00, 2026-11-26T05:00:00Z",
    "2026-12-24, 2026-12-23T23:00:00Z",
    "2026-12-24 18:00, 2026-12-24T17:00:00Z",
    "2026-12-24T18:00:30, 2026-12-24T17:00:30Z",
    "2026-12-24T18:00:00Z, 2026-12-24T18:00:00Z",
    "2026-12-24 18:00+02:00, 2026-12-24T16:00:00Z",
    "noon, 2026-11-26T11:00:00Z",
    "midnight, 2026-11-25T23:00:00Z",
    "teatime, 2026-11-25T15:00:00Z",
    "Fika, 2026-11-26T14:00:00Z",
    "06:00:00PM, 2026-11-25T17:00:00Z",
    "12:30am, 2026-11-25T23:30:00Z",
    "12:30 PM, 2026-11-26T11:30:00Z",
    "11/30/26-12:00, 2026-11-30T11:00:00Z",
    "12/24, 2026-12-23T23:00:00Z",
    "12/24/2026-6:00pm, 2026-12-24T17:00:00Z"
  })
  void a_time_is_read_in_the_zone_of_the_shell(String text, String instant) {
    assertEquals(instant, BeginTime.parse(text, NOW).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "25:00",
        "now+",
        "now+5x",
        "now+2fortnights",
        "tomorrow at six",
        "2026-13-01"
      })
  void what_is_no_time_is_refused_with_how_to_write_one(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> BeginTime.parse(text, NOW)).getMessage();
    assertTrue(message.startsWith("'" + text + "' is not a time"), message);
    assertTrue(message.contains("write 22:00, now+2h, tomorrow 06:00"), message);
  }

  @Test
  void a_day_without_summer_time_is_read_as_the_zone_says() {
    ZonedDateTime berlin = ZonedDateTime.parse("2026-07-01T12:00:00+02:00[Europe/Berlin]");
    assertEquals("2026-12-01T05:00:00Z", BeginTime.parse("2026-12-01 06:00", berlin).toString());
  }
}
