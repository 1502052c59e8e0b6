package io.remuda.coordinator.cli.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.remuda.coordinator.client.RestClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StandardStreamPathTextTest {

  private static ObjectNode job(String output, String attempts) throws IOException {
    return (ObjectNode)
        RestClient.JSON.readTree(
            ("{'id': 7, 'name': 'a/b', 'tasks': 1, 'workload': {'folder': '/home/ann', 'streams':"
                    + " {'output': '"
                    + output
                    + "'}}, 'attempts': ["
                    + attempts
                    + "]}")
                .replace('\'', '"'));
  }

  private static final String ON_LAB7 =
      "{'node': 'lab7', 'arrayIndex': 3, 'parameters': {'lr': '1/2'}}";

  @Test
  void the_path_of_a_task_that_has_a_node_is_told_beside_the_given_one() throws IOException {
    assertEquals(
        "out/%x-%j.%t.%a-{lr}@%n%%, which is /home/ann/out/a_b-7.0.3-1_2@lab7%",
        StandardStreamPathText.words(job("out/%x-%j.%t.%a-{lr}@%n%%", ON_LAB7), "output"));
    assertEquals(
        "/tmp/%a, which is /tmp/0",
        StandardStreamPathText.words(job("/tmp/%a", "{'node': 'n'}"), "output"));
  }

  @Test
  void the_number_of_the_task_is_its_own_if_it_has_one() throws IOException {
    ObjectNode job = job("%J-%j", ON_LAB7);
    assertEquals("%J-%j, which is /home/ann/7-7", StandardStreamPathText.words(job, "output"));
    job.putObject("terms").putObject("array").put("numbered", true);
    assertEquals("%J-%j, which is /home/ann/8-7", StandardStreamPathText.words(job, "output"));
  }

  @Test
  void what_is_not_known_or_nothing_else_is_left_as_it_was_given() throws IOException {
    assertNull(StandardStreamPathText.words(job("a", ON_LAB7), "error"));
    assertEquals("out.txt", StandardStreamPathText.words(job("out.txt", ON_LAB7), "output"));
    assertEquals("%j", StandardStreamPathText.words(job("%j", ""), "output"));
    assertEquals("%j", StandardStreamPathText.words(job("%j", "{'node': null}"), "output"));
    assertEquals("%j", StandardStreamPathText.words(job("%j", ON_LAB7).put("tasks", 2), "output"));
    assertEquals("/{x}", StandardStreamPathText.words(job("/{x}", ON_LAB7), "output"));
    ObjectNode frozen = job("%j", ON_LAB7);
    ((ObjectNode) frozen.path("workload")).put("frozenTree", "abc");
    assertEquals("%j", StandardStreamPathText.words(frozen, "output"));
  }
}
