package io.remuda.coordinator.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeAxisTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static TimeAxis axis(String from, long seconds, ZoneId zone, double pixels) {
    long first = ZonedDateTime.parse(from).toEpochSecond();
    return new TimeAxis(first, first + seconds, 0, pixels, zone);
  }

  private static List<String> labels(TimeAxis axis) {
    return axis.ticks().stream().map(TimeAxis.Tick::label).toList();
  }

  @Test
  void ticks_are_at_round_times_of_the_zone() {
    assertEquals(
        List.of("18:00", "21:00", "00:00", "03:00"),
        labels(axis("2026-11-28T16:20:00Z", 12 * 3600, BERLIN, 300)));
    assertEquals(
        List.of("04:00", "04:15", "04:30", "04:45", "05:00"),
        labels(axis("2026-11-28T22:10:00Z", 3600 + 5 * 60, ZoneId.of("Asia/Kathmandu"), 400)));
  }

  @Test
  void the_first_tick_of_a_day_has_its_date() {
    List<TimeAxis.Tick> ticks = axis("2026-11-28T16:20:00Z", 12 * 3600, BERLIN, 300).ticks();
    assertEquals("28 Nov", ticks.get(0).day());
    assertEquals(null, ticks.get(1).day());
    assertEquals("29 Nov", ticks.get(2).day());
  }

  @Test
  void an_hour_that_the_clocks_repeat_or_leave_out_moves_no_tick() {
    assertEquals(
        List.of("00:00", "06:00", "12:00", "18:00", "00:00"),
        labels(axis("2026-10-24T22:00:00Z", 25 * 3600, BERLIN, 400)),
        "25 hours long");
    assertEquals(
        List.of("00:00", "01:00", "03:00", "04:00"),
        labels(axis("2026-03-28T23:00:00Z", 3 * 3600, BERLIN, 300)),
        "there is no 02:00");
  }

  @Test
  void two_weeks_have_days() {
    assertEquals(
        List.of("16 Nov", "23 Nov"),
        labels(axis("2026-11-14T12:00:00Z", 14 * 86_400, BERLIN, 200)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 10, 61, 900, 3600, 86_400, 14 * 86_400, 400 * 86_400L, 20_000_000_000L})
  void labels_have_room(long seconds) {
    for (double pixels : new double[] {220, 900}) {
      List<TimeAxis.Tick> ticks = axis("2026-11-28T16:20:33Z", seconds, BERLIN, pixels).ticks();
      assertTrue(ticks.size() <= pixels / 40 + 1, () -> seconds + ": " + ticks.size());
    }
  }

  @Test
  void a_span_is_said_with_its_day() {
    assertEquals(
        "28 Nov 2026, 17:20:00 to 18:20:00",
        axis("2026-11-28T16:20:00Z", 3600, BERLIN, 400).words(1_795_882_800L, 1_795_886_400L));
  }
}
