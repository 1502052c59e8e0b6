package io.remuda.coordinator.rest.view;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.AgentMessage;
import io.remuda.agent.protocol.OutputStreamName;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.worker.job.AttemptId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node of an earlier Slurm job has left in the server's folder. */
class UnreachableNodeOutputTest {
  private static final AttemptId ONE = AttemptId.parse("1.0.1");
  private static final Reply<AgentMessage.Output> AWAY =
      Reply.no(Rejection.of(Rejection.Code.UNREACHABLE, "node gpu2 does not answer"));

  @TempDir private Path nodes;

  @BeforeEach
  void output() throws IOException {
    Path task = Files.createDirectories(nodes.resolve("gpu2/ended/1.0.1"));
    Files.writeString(task.resolve("out"), "epoch 1\nepoch 2\n");
  }

  private Reply<AgentMessage.Output> ask(Reply<AgentMessage.Output> reply, String node) {
    return new UnreachableNodeOutput(nodes).orKept(reply, node, ONE, OutputStreamName.OUT, 8, 1000);
  }

  @Test
  void the_output_of_a_node_that_is_away_is_read_from_its_folder() {
    AgentMessage.Output output = ((Reply.Yes<AgentMessage.Output>) ask(AWAY, "gpu2")).value();
    assertArrayEquals("epoch 2\n".getBytes(StandardCharsets.UTF_8), output.bytes());
    assertEquals(16, output.size());
  }

  @Test
  void a_node_without_a_folder_or_without_the_task_here_stays_away() {
    assertEquals(AWAY, ask(AWAY, "gpu3"));
    assertEquals(
        AWAY,
        new UnreachableNodeOutput(nodes)
            .orKept(AWAY, "gpu2", AttemptId.parse("2.0.1"), OutputStreamName.OUT, 0, 1000));
  }

  @Test
  void what_the_node_itself_answers_counts() {
    Reply<AgentMessage.Output> no = Reply.no(Rejection.of(Rejection.Code.NOT_FOUND, "no output"));
    assertEquals(no, ask(no, "gpu2"));
  }
}
