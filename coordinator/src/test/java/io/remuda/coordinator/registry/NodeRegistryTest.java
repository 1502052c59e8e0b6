package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.telemetry.model.DeviceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeRegistryTest {
  private final TestCluster cluster = new TestCluster();

  private NodeRegistry.Node node(String name) {
    return cluster.nodes.find(name).orElseThrow();
  }

  @Test
  void nodes_are_listed_in_the_natural_order_of_their_names() {
    cluster.node("n10").node("n2").node("n1");
    assertEquals(
        List.of("n1", "n2", "n10"),
        cluster.nodes.all().stream().map(NodeRegistry.Node::name).toList());
  }

  @Test
  void a_silent_node_stays_known_and_is_reachable_again_when_it_joins() {
    cluster.node("n1", "A");
    cluster.nodes.silent("n1", cluster.now());
    assertFalse(node("n1").reachable());
    assertEquals(List.of(new DeviceId("A")), node("n1").deviceIds());
    cluster.node("n1", "A");
    assertTrue(node("n1").reachable());
  }

  @Test
  void the_time_of_a_silence_counts_from_its_beginning_and_ends_when_the_node_joins() {
    cluster.node("n1").node("n2").node("n10");
    long now = cluster.now();
    cluster.nodes.silent("n10", now);
    cluster.nodes.silent("n2", now);
    cluster.nodes.silent("n2", now + 5);
    assertEquals(List.of(), cluster.nodes.silentFor(10, now + 9));
    assertEquals(List.of("n2", "n10"), cluster.nodes.silentFor(10, now + 10));
    cluster.node("n2");
    assertEquals(List.of("n10"), cluster.nodes.silentFor(10, now + 10));
    cluster.nodes.forget("n10");
    assertEquals(List.of(), cluster.nodes.silentFor(10, now + 10));
    assertTrue(cluster.nodes.find("n10").isEmpty());
  }

  @Test
  void why_an_agent_has_ended_is_known_while_its_node_is_silent() {
    cluster.node("n1").node("n2");
    cluster.nodes.left("n1", "signal");
    assertEquals(Optional.empty(), cluster.nodes.whyLeft("n1"), "it is still there");
    cluster.nodes.silent("n1", cluster.now());
    cluster.nodes.silent("n2", cluster.now());
    assertEquals(Optional.of("signal"), cluster.nodes.whyLeft("n1"));
    assertEquals(Optional.empty(), cluster.nodes.whyLeft("n2"), "it has said nothing");
    cluster.node("n1");
    cluster.nodes.silent("n1", cluster.now());
    assertEquals(Optional.empty(), cluster.nodes.whyLeft("n1"), "the next has said nothing");
  }

  @Test
  void the_health_of_devices_is_that_of_the_last_sample() {
    cluster.node("n1", "A", "B");
    cluster.nodes.sampled(Samples.with("n1", "A"));
    assertEquals(Set.of(new DeviceId("A")), node("n1").unhealthy());
    cluster.nodes.sampled(Samples.with("n1"));
    assertEquals(Set.of(), node("n1").unhealthy());
  }

  @Test
  void a_node_that_never_joined_is_no_trouble() {
    cluster.nodes.silent("n9", cluster.now());
    cluster.nodes.sampled(Samples.with("n9", "A"));
    assertTrue(cluster.nodes.find("n9").isEmpty());
  }
}
