package io.remuda.coordinator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server that is alone says to load balancers. */
class SingleServerMembershipTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final DatabaseReachability contact = new DatabaseReachability(nanos::get);
  private Optional<String> trouble = Optional.empty();
  private final SingleServerMembership server =
      new SingleServerMembership("127.0.0.1:1", contact, () -> trouble);

  @BeforeEach
  void reached() {
    contact.reached();
  }

  @Test
  void it_is_ready_while_it_reads_and_writes_its_state() {
    nanos.addAndGet(DatabaseReachability.FRESH.toNanos() - 1);
    assertEquals(Optional.empty(), server.notReady());
    assertTrue(server.reachesState());
  }

  @Test
  void it_is_not_ready_while_its_database_stands_still() {
    nanos.addAndGet(DatabaseReachability.FRESH.toNanos());
    assertEquals(
        Optional.of(new NotReadyReason("the database has not answered for more than 4 s")),
        server.notReady());
    assertFalse(server.reachesState());
    contact.reached();
    assertEquals(Optional.empty(), server.notReady());
  }

  @Test
  void it_is_not_ready_while_its_state_cannot_be_written_and_says_the_rest_to_users_alone() {
    trouble = Optional.of("the disk of /home/ann is full");
    NotReadyReason why = server.notReady().orElseThrow();
    assertEquals("the state cannot be written", why.what());
    assertEquals("the disk of /home/ann is full", why.detail());
  }
}
