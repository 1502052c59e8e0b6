package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.Reply;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.Test;

/** What is answered about output while nodes are asked for it. */
class CoordinatorOutputTest extends WithCoordinator {

  private final TestInbox<Reply<AgentMessage.Output>> answers = TestInbox.create();

  /** Asks for the output of the first task, and has the node say that there is none. */
  private Reply<AgentMessage.Output> missingOn(Agent agent) {
    run(
        new CoordinatorCommand.ReadOutput(
            "n1", FIRST, OutputStreamName.OUT, 0, 100, null, null, answers.getRef()));
    CoordinatorMessage.ReadOutput asked =
        agent.news().stream()
            .filter(CoordinatorMessage.ReadOutput.class::isInstance)
            .map(CoordinatorMessage.ReadOutput.class::cast)
            .findFirst()
            .orElseThrow();
    agent.says(new AgentMessage.Output(asked.id(), 0, new byte[0], 0, 0, "never ran there"));
    return answers.receiveMessage();
  }

  @Test
  void a_task_that_its_node_has_not_begun_to_start_has_printed_nothing_so_far() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    Reply<AgentMessage.Output> answer = missingOn(agent);
    AgentMessage.Output none =
        assertInstanceOf(
            AgentMessage.Output.class, assertInstanceOf(Reply.Yes.class, answer).value());
    assertEquals(0, none.size());
    assertEquals(0, none.bytes().length);
  }

  @Test
  void a_running_task_whose_node_has_no_output_of_it_is_said_to_have_none() {
    Agent agent = new Agent("n1").joins("boot");
    submit(job(1, 1));
    agent.reports(false, running());
    Reply.No<?> no = assertInstanceOf(Reply.No.class, missingOn(agent));
    assertEquals("no output: never ran there", no.rejection().message());
  }
}
