package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.server.ServerCommandBase;
import io.remuda.coordinator.cli.server.WithFakeServer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands that change the use of a node ask for, and what they say then. */
class NodeActionCommandTest extends WithFakeServer {

  @BeforeEach
  void has_nodes() {
    server.answers("/nodes", "{}");
  }

  private static ServerCommandBase command(String name) {
    return switch (name) {
      case "drain" -> new DrainCommand();
      case "resume" -> new ResumeCommand();
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          drain n1 | /n1/drain | n1 gets no more tasks
          drain n1 --move | /n1/drain?move=1 | n1 gets no more tasks, and its preemptible ones leave
          drain n1 --reason a=b&c | /n1/drain?reason=a%3Db%26c | n1 gets no more tasks
          drain n1 --move --reason x | /n1/drain?move=1&reason=x \
              | n1 gets no more tasks, and its preemptible ones leave
          drain --gone n1 | /n1/gone | n1 is gone, and its attempts have ended
          drain --gone n1 --reason x | /n1/gone?reason=x | n1 is gone, and its attempts have ended
          resume n1 | /n1/resume | n1 gets tasks again
          drain n1 --gpu GPU-a | /n1/gpus/drain?gpu=GPU-a | GPU GPU-a: gets no more tasks
          drain n1 --gpu 0 --move --reason x | /n1/gpus/drain?gpu=0&move=1&reason=x \
              | GPU 0: gets no more tasks, and its preemptible ones leave
          resume n1 --gpu 2:1 | /n1/gpus/resume?gpu=2%3A1 | GPU 2:1: gets tasks again
          """)
  void a_change_of_a_node_is_one_request(String words, String request, String line)
      throws Exception {
    String[] parts = words.split(" ", 2);
    assertEquals(0, ask(command(parts[0]), parts[1].split(" ")));
    assertEquals("POST /nodes" + request, server.requests().get(0));
    String[] ofGpu = line.split(": ", 2);
    String said = ofGpu.length == 1 ? "node " + line : ofGpu[0] + " of node n1 " + ofGpu[1];
    assertEquals(said + "\n", out.toString());
  }

  @Test
  void several_gpus_are_one_request_and_a_line_each() throws Exception {
    assertEquals(0, ask(new DrainCommand(), "n1", "--gpu", "0,1", "--gpu", "GPU-c"));
    assertEquals(List.of("POST /nodes/n1/gpus/drain?gpu=0%2C1%2CGPU-c"), server.requests());
    assertEquals(
        "GPU 0 of node n1 gets no more tasks\nGPU 1 of node n1 gets no more tasks\n"
            + "GPU GPU-c of node n1 gets no more tasks\n",
        out.toString());
  }
}
