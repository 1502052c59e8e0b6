package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.api.ClusterActivity;
import io.remuda.coordinator.api.CoordinatorQuestion;
import io.remuda.coordinator.api.QueueCounts;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** What happens at one moment, as history and metrics ask for it. */
class CoordinatorActivityTest extends WithCoordinator {

  private QueueCounts queue() {
    TestInbox<ClusterActivity> seen = TestInbox.create();
    run(new CoordinatorQuestion.LookAtActivity(seen.getRef()));
    return seen.receiveMessage().queue();
  }

  @Test
  void tasks_that_wait_and_run_are_counted_by_user_and_by_reason() {
    new Agent("n1").joins("boot");
    submit(job(3, 1));
    submit(job(2, 1));
    QueueCounts queue = queue();
    assertEquals(1, queue.running());
    assertEquals(4, queue.waiting());
    assertEquals(1, queue.byUser().size());
    assertEquals(
        new QueueCounts.Share(4, 1), queue.byUser().values().iterator().next(), "of one user");
    assertEquals(4, queue.byReason().values().stream().mapToInt(Integer::intValue).sum());
  }

  @Test
  void the_reasons_of_so_many_jobs_are_looked_at_and_the_others_are_counted() {
    for (int job = 0; job < 203; job++) {
      submit(job(2, 1));
    }
    assertEquals(Map.of("no-nodes", 400, "not-looked-at", 6), queue().byReason());
  }
}
