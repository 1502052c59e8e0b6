package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.MachineFacts;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.schedule.model.NodeOffer;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Agents of one machine add up, and together have no more than the machine. */
class MachineSharingTest {
  private static final long GIB = 1L << 30;
  private static final double ALL_CPUS = 4;
  private static final long ALL_MEMORY = 8 * GIB;

  private final TestCluster cluster = new TestCluster();

  private void agent(String name, String machine, double cpus) {
    agent(name, "host", machine, cpus, ALL_MEMORY);
  }

  private void agent(String name, String host, String machine, double cpus, long memory) {
    HostInfo info = new HostInfo(host, "a CPU", 4, cpus, ALL_MEMORY, memory);
    MachineFacts facts = new MachineFacts(machine, ALL_CPUS, ALL_MEMORY);
    cluster.nodes.joined(
        name,
        info,
        facts,
        List.of(),
        "test",
        Map.of(),
        Map.of(),
        NodeAddressAndPorts.LOOPBACK,
        "127.0.0.1");
  }

  private NodeOffer offer(String node) {
    return cluster.tasks.offers(cluster.nodes.all(), cluster.now()).stream()
        .filter(one -> one.node().equals(node))
        .findFirst()
        .orElseThrow();
  }

  private long freeCpus(String node) {
    return offer(node).cpus().free();
  }

  private void gang(long id, int tasks, double cpus) {
    cluster.terms(new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    cluster.job(id, tasks, new ResourceRequest(cpus, 0)).schedule();
  }

  @Test
  void a_second_agent_with_one_cpu_adds_exactly_one() {
    agent("n1", "boot-1", 2);
    agent("n2", "boot-1", 1);
    assertEquals(2000, freeCpus("n1"));
    assertEquals(1000, freeCpus("n2"));
    gang(1, 3, 1);
    assertEquals(TaskState.STARTING, cluster.state("1.2"));
    assertEquals(0, freeCpus("n1"));
    assertEquals(0, freeCpus("n2"));
    cluster.job(2, 1, new ResourceRequest(1, 0)).schedule();
    assertEquals(TaskState.WAITING, cluster.state("2.0"));
  }

  @Test
  void a_machine_caps_what_its_agents_offer_together() {
    agent("n1", "boot-1", 4);
    agent("n2", "boot-1", 3);
    cluster.job(1, 1, new ResourceRequest(4, 0)).schedule();
    assertEquals(0, freeCpus("n1"));
    assertEquals(0, freeCpus("n2"));
    assertEquals(3000, offer("n2").cpus().total());
  }

  @Test
  void within_one_plan_the_cap_of_the_machine_counts_too() {
    agent("n1", "boot-1", 3);
    agent("n2", "boot-1", 3);
    cluster.job(1, 6, new ResourceRequest(1, 0)).schedule();
    assertEquals(TaskState.STARTING, cluster.state("1.3"));
    assertEquals(TaskState.WAITING, cluster.state("1.4"));
  }

  @Test
  void an_agent_that_is_gone_leaves_the_others_what_they_have() {
    agent("n1", "boot-1", 2);
    agent("n2", "boot-1", 1);
    cluster.silent("n2");
    assertEquals(2000, freeCpus("n1"));
  }

  @Test
  void two_hosts_of_one_name_are_two_machines() {
    agent("n1", "boot-1", 4);
    agent("n2", "boot-2", 4);
    gang(1, 2, 4);
    assertEquals(TaskState.STARTING, cluster.state("1.1"));
  }

  @Test
  void memory_adds_up_as_cpus_do() {
    agent("n1", "host", "boot-1", 4, 2 * GIB);
    agent("n2", "host", "boot-1", 4, GIB);
    cluster.job(1, 1, new ResourceRequest(0, 0, 2 * GIB)).schedule();
    assertEquals(0, offer("n1").memory().free());
    assertEquals(GIB, offer("n2").memory().free());
  }

  @Test
  void an_agent_that_offers_more_than_there_is_has_that() {
    agent("n1", "boot-1", 16);
    assertEquals(16_000, freeCpus("n1"));
  }
}
