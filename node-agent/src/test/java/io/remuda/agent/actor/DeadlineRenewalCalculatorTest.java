package io.remuda.agent.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.clock.ContactDeadline;
import io.remuda.agent.protocol.CoordinatorMessage.Kept;
import io.remuda.worker.job.AttemptId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineRenewalCalculatorTest {
  private static final ContactDeadline SIX_SECONDS =
      ContactDeadline.begin(Duration.ofSeconds(6), 0);

  private static Kept tied(String attempt) {
    return new Kept(AttemptId.parse(attempt), true, 0, 0);
  }

  private static Kept leased(String attempt, long millis) {
    return new Kept(AttemptId.parse(attempt), false, millis, 0);
  }

  private static List<KeeperConnectionActor.Renew> after(Duration passed, Kept... tasks) {
    return DeadlineRenewalCalculator.of(List.of(tasks), SIX_SECONDS, "r1/n1/", passed.toNanos());
  }

  @Test
  void tied_tasks_have_what_is_left_of_the_agents_contact_deadline() {
    assertEquals(
        List.of(new KeeperConnectionActor.Renew(List.of("r1/n1/1.0.1", "r1/n1/2.0.1"), 4000)),
        after(Duration.ofSeconds(2), tied("1.0.1"), tied("2.0.1")));
  }

  @Test
  void tasks_with_a_contact_deadline_of_their_own_have_all_of_it_by_length() {
    assertEquals(
        List.of(
            new KeeperConnectionActor.Renew(List.of("r1/n1/2.0.1"), 0),
            new KeeperConnectionActor.Renew(List.of("r1/n1/1.0.1", "r1/n1/3.0.1"), 9000)),
        after(
            Duration.ofSeconds(2),
            leased("1.0.1", 9000),
            leased("2.0.1", 0),
            leased("3.0.1", 9000)));
  }

  @Test
  void once_the_agents_contact_deadline_has_passed_tied_tasks_end_and_the_others_run_down() {
    assertEquals(
        List.of(
            new KeeperConnectionActor.Renew(List.of("r1/n1/1.0.1"), 1)), // 0 would mean no deadline
        after(Duration.ofSeconds(6), tied("1.0.1"), leased("2.0.1", 9000)));
  }

  @Test
  void without_tasks_there_is_nothing_to_say() {
    assertEquals(List.of(), after(Duration.ZERO));
  }
}
