package io.remuda.coordinator.rest.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyRoomTest {
  private final BodyRoom room = new BodyRoom(20);
  private final List<String> in = new ArrayList<>();

  private BodyRoom.BodyReservation enter(String sender, long bytes) {
    return room.enter(sender, bytes, () -> in.add(sender + bytes));
  }

  @Test
  void those_who_send_take_turns() {
    BodyRoom.BodyReservation first = enter("ann", 16);
    BodyRoom.BodyReservation second = enter("ann", 15);
    enter("ann", 14);
    enter("bob", 13);
    assertEquals(List.of("ann16"), in);
    first.leave();
    first.leave();
    assertEquals(List.of("ann16", "ann15"), in);
    second.leave();
    assertEquals(List.of("ann16", "ann15", "bob13"), in);
    assertEquals(13, room.taken());
  }

  @Test
  void one_that_is_larger_than_the_room_is_taken_alone() {
    BodyRoom.BodyReservation huge = enter("ann", 90);
    enter("bob", 1);
    assertEquals(List.of("ann90"), in);
    huge.leave();
    assertEquals(List.of("ann90", "bob1"), in);
  }

  @Test
  void one_that_waits_no_longer_is_passed() {
    BodyRoom.BodyReservation first = enter("ann", 20);
    BodyRoom.BodyReservation second = enter("bob", 20);
    enter("eve", 5);
    second.leave();
    first.leave();
    assertEquals(List.of("ann20", "eve5"), in);
    assertEquals(5, room.taken());
  }
}
