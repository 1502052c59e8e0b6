package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.worker.protocol.WorkerEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What nodes are told should run there, and how often. */
class CoordinatorOrdersTest extends WithCoordinator {

  @Test
  void an_agent_is_welcomed_before_it_is_told_what_to_do() {
    List<CoordinatorMessage> news = new Agent("n1").joins("boot").news();
    assertEquals(new CoordinatorMessage.Welcome(3, 6000, 500), news.get(0));
    assertEquals(new CoordinatorMessage.Desired(3, 1, false, List.of()), news.get(1));
  }

  @Test
  void orders_are_repeated_each_tick_with_the_same_revision() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    assertEquals(List.of("1.0.1"), agent.orders());
    CoordinatorMessage.Desired first = agent.desired();
    tick();
    assertEquals(List.of(first), agent.news());
    tick();
    assertEquals(List.of(first), agent.news());
  }

  @Test
  void a_new_order_is_sent_at_once_with_a_higher_revision() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    long before = agent.revision();
    submit(job(1, 0));
    assertEquals(List.of("1.0.1", "2.0.1"), agent.orders());
    assertEquals(before + 1, agent.revision());
  }

  @Test
  void revisions_go_on_when_an_agent_comes_back() {
    Agent before = new Agent("n1").joins("boot");
    submit(job(1, 0));
    long revision = before.revision();
    before.goes();
    Agent after = new Agent("n1").joins("boot", running());
    assertEquals(List.of("1.0.1"), after.orders());
    assertTrue(after.revision() > revision, after.revision() + " after " + revision);
  }

  @Test
  void a_cancelled_job_is_no_longer_ordered() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 0));
    agent.reports(false, running());
    cancel(1);
    assertEquals(List.of(), agent.orders());
  }

  @Test
  void a_node_is_told_to_forget_what_has_ended_before_it_is_told_to_end() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running()).tells(1, new WorkerEvent.PoolDone(0));
    agent.reports(false, ended(0, null));
    agent.news();
    run(new CoordinatorCommand.EndNodes("the run is over", Duration.ofSeconds(1)));
    List<CoordinatorMessage> said = agent.news();
    assertEquals(2, said.size(), said::toString);
    assertEquals(List.of(), agent.orders());
    assertEquals(new CoordinatorMessage.EndNode("the run is over", 1000), said.get(1));
  }

  @Test
  void every_node_is_told_to_end_and_one_that_joins_late_too() {
    Agent agent = new Agent("n1").joins("boot");
    agent.news();
    run(new CoordinatorCommand.EndNodes("the run is over", Duration.ofSeconds(1)));
    CoordinatorMessage end = new CoordinatorMessage.EndNode("the run is over", 1000);
    assertEquals(List.of(end), agent.news());
    Agent late = new Agent("n2").joins("boot");
    assertTrue(late.news().contains(end));
    submit(job(1, 0));
    assertEquals(List.of(), agent.orders());
  }
}
