package io.remuda.agent.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage.Desired;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.agent.protocol.StateFileLineage;
import io.remuda.worker.job.AttemptId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceivedDesiredStateTest {
  private static final Kept TIED = new Kept(AttemptId.parse("1.0.1"), true, 0, 0);
  private static final Kept FREE = new Kept(AttemptId.parse("2.0.1"), false, 9000, 0);

  private final ReceivedDesiredState order = new ReceivedDesiredState();

  private static Desired desired(long epoch, long revision, Kept... kept) {
    return new Desired(epoch, revision, true, List.of(), List.of(kept));
  }

  @Test
  void an_order_of_a_lower_epoch_or_revision_is_stale() {
    order.give(desired(2, 5));
    assertTrue(order.isStale(desired(2, 4)));
    assertTrue(order.isStale(desired(1, 9)));
    assertFalse(order.isStale(desired(2, 5)));
    assertFalse(order.isStale(desired(3, 1)));
  }

  @Test
  void a_new_leader_counts_its_orders_anew_and_what_runs_stays_wanted() {
    order.give(desired(1, 5, TIED));
    order.follow();
    order.lead(2, StateFileLineage.ALL);
    assertEquals(0, order.followed());
    assertFalse(order.sampling());
    assertFalse(order.isStale(desired(2, 0)));
    assertEquals(List.of(TIED), order.attempts());
  }

  @Test
  void the_same_leader_again_changes_nothing() {
    order.give(desired(1, 5, TIED));
    order.follow();
    order.lead(1, StateFileLineage.ALL);
    assertEquals(5, order.followed());
    assertTrue(order.isStale(desired(1, 4)));
  }

  @Test
  void what_is_tied_can_be_taken_out() {
    order.give(desired(1, 5, TIED, FREE));
    order.dropTied();
    assertEquals(List.of(FREE), order.attempts());
    assertTrue(order.isStale(desired(1, 4)));
  }

  @Test
  void before_the_first_order_something_may_run_that_outlives_the_coordinator() {
    assertTrue(order.mayOutliveCoordinator());
    order.give(desired(1, 1, TIED));
    assertFalse(order.mayOutliveCoordinator());
    order.give(desired(1, 2, TIED, FREE));
    assertTrue(order.mayOutliveCoordinator());
  }
}
