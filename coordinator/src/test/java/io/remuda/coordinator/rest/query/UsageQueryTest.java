package io.remuda.coordinator.rest.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The query part of a question for usage. */
class UsageQueryTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 11, 25);

  @Test
  void without_parameters_it_is_the_last_seven_days_by_user() {
    assertEquals(
        new UsageQuery(TODAY.minusDays(7), TODAY, UsageQuery.Grouping.USER, null),
        UsageQuery.of(Map.of(), TODAY));
  }

  @Test
  void a_wrong_parameter_is_named_with_its_value() {
    assertEquals("by is one of user, type, node, day, job, got 'week'", refused("by", "week"));
    assertEquals("since is a day such as 2026-11-25, got '7d'", refused("since", "7d"));
    assertEquals(
        "since must be no later than until, got 2026-11-26 and 2026-11-25",
        refused("since", "2026-11-26"));
    assertEquals(
        "there is no parameter 'sinse'; there are since, until, by and user",
        refused("sinse", "1"));
  }

  private static String refused(String name, String value) {
    return assertThrows(
            IllegalArgumentException.class, () -> UsageQuery.of(Map.of(name, value), TODAY))
        .getMessage();
  }
}
