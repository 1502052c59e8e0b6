package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.cli.server.RestCommand;
import io.remuda.coordinator.cli.server.WithFakeServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands that change the use of a node ask for, and what they say then. */
class NodeChangeTest extends WithFakeServer {

  @BeforeEach
  void has_nodes() {
    server.answers("/nodes", "{}");
  }

  private static RestCommand command(String name) {
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
          """)
  void a_change_of_a_node_is_one_request(String words, String request, String line)
      throws Exception {
    String[] parts = words.split(" ", 2);
    assertEquals(0, ask(command(parts[0]), parts[1].split(" ")));
    assertEquals("POST /nodes" + request, server.requests().get(0));
    assertEquals("node " + line + "\n", out.toString());
  }
}
