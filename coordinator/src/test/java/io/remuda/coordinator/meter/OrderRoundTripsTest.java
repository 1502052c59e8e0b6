package io.remuda.coordinator.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderRoundTripsTest {

  private final List<Long> measured = new ArrayList<>();
  private long now = 1000;
  private final OrderRoundTrips trips = new OrderRoundTrips(() -> now, measured::add);

  @Test
  void a_round_trip_ends_with_the_report_that_follows_the_order() {
    trips.sent("n1", 7);
    now += 20;
    trips.reported("n1", 6);
    now += 30;
    trips.reported("n1", 8);
    now += 40;
    trips.reported("n1", 8);
    assertEquals(List.of(50L), measured);
  }

  @Test
  void a_node_that_is_told_more_meanwhile_is_measured_from_the_first_order() {
    trips.sent("n1", 7);
    now += 20;
    trips.sent("n1", 8);
    trips.reported("n1", 7);
    assertEquals(List.of(20L), measured);
  }

  @Test
  void an_order_on_a_connection_that_has_ended_is_not_measured() {
    trips.sent("n1", 7);
    trips.sent("n2", 1);
    trips.forget("n1");
    now += 5;
    trips.reported("n1", 9);
    trips.reported("n2", 1);
    assertEquals(List.of(5L), measured);
  }
}
