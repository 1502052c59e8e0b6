package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.NewJob;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attempts beyond the size of one order are ordered later, and do not count as lost before. */
class LargeOrdersTest extends WithCoordinator {

  private static final int SIZE = 40;

  /** Each task has so long an argument that one order holds about half of them. */
  private static NewJob large(boolean hold) {
    CommandWorkload command =
        new CommandWorkload(List.of("echo", "x".repeat(100_000)), Map.of(), "/", 022);
    return new NewJob(
        "job",
        "ann",
        new ResourceRequest(0, 0),
        JobTerms.placed(PlacementPolicy.ROUND_ROBIN),
        command,
        SIZE,
        hold,
        null,
        List.of());
  }

  /** What a node holds that has followed this order and nothing before it. */
  private static AgentMessage.Report followed(CoordinatorMessage.Desired order) {
    List<TaskReport> started =
        order.tasks().stream()
            .map(task -> new TaskReport(task.attempt(), TaskPhase.STARTING, 0, null, null))
            .toList();
    return new AgentMessage.Report(order.revision(), false, started);
  }

  @Test
  void a_report_from_before_the_second_part_was_asked_for_says_nothing_of_it() {
    Agent agent = new Agent("n1").joins("boot");
    submit(large(false));
    CoordinatorMessage.Desired first = agent.desired();
    agent.says(followed(first));
    tick();
    CoordinatorMessage.Desired second = agent.desired();
    assertEquals(SIZE, first.tasks().size() + second.tasks().size());
    agent.says(followed(first)); // it was on its way
    tick();
    assertEquals(SIZE, agent.orders().size());
  }

  @Test
  void an_agent_that_has_come_back_is_asked_for_the_second_part_again() {
    Agent before = new Agent("n1").joins("boot");
    submit(large(false));
    before.says(followed(before.desired()));
    tick(); // the rest of it is on its way, and is lost
    before.goes();
    Agent after = new Agent("n1").joins("boot");
    after.says(followed(after.desired()));
    tick();
    assertEquals(SIZE, after.orders().size());
    assertEquals(SIZE - after.desired().kept().size(), after.desired().tasks().size());
  }

  @Test
  void an_agent_that_has_only_followed_the_newest_order_is_asked_for_what_that_left_out() {
    Agent agent = new Agent("n1").joins("boot");
    submit(large(true));
    submit(large(false));
    agent.news();
    change(1, CoordinatorCommand.Action.RELEASE); // comes first
    agent.says(followed(agent.desired()));
    tick();
    assertEquals(2 * SIZE, agent.orders().size());
  }

  @Test
  void what_did_not_fit_is_sent_as_soon_as_a_task_has_ended() {
    Agent agent = new Agent("n1").joins("boot");
    submit(large(false));
    CoordinatorMessage.Desired first = agent.desired();
    List<TaskReport> tasks = new ArrayList<>(followed(first).tasks());
    tasks.set(0, ended(0, null));
    agent.says(new AgentMessage.Report(first.revision(), false, tasks));
    assertEquals(SIZE - first.tasks().size(), agent.desired().tasks().size());
    assertEquals(SIZE - 1, agent.orders().size());
  }

  @Test
  void what_is_missing_in_a_report_that_has_seen_its_part_is_over() {
    Agent agent = new Agent("n1").joins("boot");
    submit(large(false));
    agent.says(followed(agent.desired()));
    tick();
    CoordinatorMessage.Desired second = agent.desired();
    agent.says(followed(second));
    assertEquals(second.tasks().size(), agent.orders().size());
  }
}
