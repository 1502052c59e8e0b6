package io.remuda.coordinator.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.cli.server.WithFakeServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodesCommandTest extends WithFakeServer {

  @BeforeEach
  void has_nodes() {
    server.answers(
        "/nodes",
        "{\"nodes\":[{\"name\":\"n1\",\"resources\":{\"lic\":{\"free\":1,\"total\":2}}},"
            + "{\"name\":\"n2\"}],\"resources\":{\"lic\":{\"free\":1,\"total\":2}}}");
  }

  private int nodes(String... words) throws Exception {
    return ask(new NodesCommand(), words);
  }

  @Test
  void nodes_that_are_named_are_listed_alone() throws Exception {
    assertEquals(0, nodes("n1"));
    assertTrue(out.toString().contains("n1"), out::toString);
    assertTrue(out.toString().contains("n1: lic 1 of 2 free"), out::toString);
    assertFalse(out.toString().contains("n2"), out::toString);
    assertFalse(out.toString().contains("cluster"), out::toString);
    assertEquals(0, nodes());
    assertTrue(out.toString().contains("cluster: lic 1 of 2 free"), out::toString);
  }

  @Test
  void a_node_that_is_named_tells_what_its_machine_does() throws Exception {
    server.answers(
        "/nodes/n1/readings",
        "{\"coresBusy\":[90,10,50],\"disks\":[{\"name\":\"sda\",\"readBytesPerSecond\":1572864,"
            + "\"writtenBytesPerSecond\":null}],\"networks\":[{\"name\":\"eth0\","
            + "\"receivedBytesPerSecond\":2147483648,\"sentBytesPerSecond\":0}],"
            + "\"temperatures\":[{\"sensor\":\"cpu\\u001b\",\"celsius\":61.5}],"
            + "\"fileSystems\":[{\"mount\":\"/\",\"type\":\"ext4\",\"sizeBytes\":10737418240,"
            + "\"usedBytes\":5368709120,\"freeBytes\":1073741824}]}");
    assertEquals(0, nodes("n1"));
    assertTrue(
        out.toString()
            .contains(
                "n1: cores: 2 of 3 busy, the busiest 90 %\n"
                    + "n1: disk sda: reads 1.5 MiB/s, writes ?\n"
                    + "n1: network eth0: receives 2 GiB/s, sends 0 B/s\n"
                    + "n1: temperature cpu\\u001b: 62 C\n"
                    + "n1: file system / (ext4): 50 % of 10 GiB used, 1 GiB free\n"),
        out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, nodes("--json", "n1"));
    assertTrue(out.toString().contains("\"coresBusy\""), out::toString);
  }

  @Test
  void drained_gpus_are_told_with_their_reasons() throws Exception {
    server.answers(
        "/nodes",
        "{\"nodes\":[{\"name\":\"n1\",\"devices\":["
            + "{\"uuid\":\"GPU-a\",\"number\":\"0\",\"state\":\"draining\",\"drainReason\":\"a fan\"},"
            + "{\"uuid\":\"GPU-b\",\"number\":null,\"state\":\"draining\",\"drainReason\":null},"
            + "{\"uuid\":\"GPU-c\",\"number\":\"2\",\"state\":\"free\",\"drainReason\":null}]}]}");
    assertEquals(0, nodes());
    assertTrue(out.toString().contains("1/3"), out::toString);
    assertTrue(
        out.toString()
            .endsWith("n1: GPU 0 (GPU-a) is draining (a fan)\nn1: GPU GPU-b is draining\n"),
        out::toString);
  }

  @Test
  void a_name_that_no_node_has_is_told_with_those_that_there_are() throws Exception {
    assertEquals(1, nodes("n1", "n3"));
    assertEquals("remuda: no node is called 'n3': there are n1, n2\n", err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void why_the_node_of_the_servers_machine_is_not_there_is_told_with_the_nodes_that_are()
      throws Exception {
    server.answers("/nodes", "{\"nodes\":[],\"absent\":\"node vm cannot join: no\\u001b disk\"}");
    assertEquals(0, nodes());
    assertEquals("no node has joined\nnode vm cannot join: no\\u001b disk\n", out.toString());
    server.answers("/nodes", "{\"nodes\":[{\"name\":\"n1\"}],\"absent\":\"node vm cannot join\"}");
    assertEquals(0, nodes());
    assertTrue(out.toString().endsWith("node vm cannot join\n"), out::toString);
  }
}
