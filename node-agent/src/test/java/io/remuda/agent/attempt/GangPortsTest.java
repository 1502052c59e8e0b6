package io.remuda.agent.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.NodeAddressAndPorts;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.ResourceRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GangPortsTest {
  private final GangPorts agent = ports(GangPorts.SingleTasks.WITH_GPUS);
  private final GangPorts another = ports(GangPorts.SingleTasks.WITH_GPUS);

  private static GangPorts ports(GangPorts.SingleTasks singles) {
    return new GangPorts(NodeAddressAndPorts.LOOPBACK, singles);
  }

  private static TaskStartOrder single(int job, Map<String, String> set, String... gpus) {
    return new TaskStartOrder(
        AttemptId.parse(job + ".0.1"),
        "ann",
        false,
        0,
        new CommandWorkload(List.of("/bin/true"), set, "/", 022),
        List.of(gpus).stream().map(DeviceId::new).toList(),
        1,
        false,
        new TaskStartOrder.JobFacts(
            new UUID(1, job), "train", 1, new ResourceRequest(1, gpus.length)));
  }

  private static Map<String, String> variables(GangPorts ports, TaskStartOrder order) {
    assertEquals(Optional.empty(), ports.take(order));
    return ports.variables(order.attempt());
  }

  /** Two trainings beside each other otherwise both take port 29500. */
  @Test
  void each_task_with_a_gpu_has_a_port_of_its_own_on_the_machine() throws IOException {
    Map<String, String> first = variables(agent, single(1, Map.of(), "GPU-1"));
    Map<String, String> second = variables(agent, single(2, Map.of(), "GPU-1"));
    Map<String, String> elsewhere = variables(another, single(3, Map.of(), "GPU-2"));
    String port = first.get("MASTER_PORT");
    assertEquals(
        Map.of(
            "MASTER_ADDR", "127.0.0.1",
            "MASTER_PORT", port,
            "PET_MASTER_PORT", port,
            "REMUDA_TASK_PORT", port),
        first);
    assertEquals(
        3,
        Stream.of(first, second, elsewhere).map(one -> one.get("MASTER_PORT")).distinct().count());
    try (ServerSocket program = new ServerSocket()) {
      program.setReuseAddress(false);
      program.bind(new InetSocketAddress(Integer.parseInt(port)));
    }
    for (int job = 1; job < 4; job++) {
      agent.release(AttemptId.parse(job + ".0.1"));
      another.release(AttemptId.parse(job + ".0.1"));
    }
    assertEquals(Map.of(), agent.variables(AttemptId.parse("1.0.1")), "it has ended");
  }

  @Test
  void a_later_agent_gives_the_port_of_a_running_task_to_no_other(@TempDir Path folder)
      throws IOException {
    TaskStartOrder first = single(1, Map.of(), "GPU-1");
    Map<String, String> told = variables(agent, first);
    agent.note(first.attempt(), folder);
    agent.release(first.attempt()); // as the end of its process does
    GangPorts later = ports(GangPorts.SingleTasks.WITH_GPUS);
    later.adopt(first.attempt(), folder);
    assertEquals(told, later.variables(first.attempt()));
    TaskStartOrder second = single(2, Map.of(), "GPU-2");
    assertNotEquals(told.get("MASTER_PORT"), variables(later, second).get("MASTER_PORT"));
    later.release(first.attempt());
    later.release(second.attempt());
  }

  @Test
  void a_task_without_a_note_is_adopted_without_a_port(@TempDir Path folder) throws IOException {
    agent.note(AttemptId.parse("1.0.1"), folder);
    agent.adopt(AttemptId.parse("1.0.1"), folder);
    assertEquals(Map.of(), agent.variables(AttemptId.parse("1.0.1")));
  }

  @Test
  void a_port_or_place_that_the_user_has_chosen_is_left_alone() {
    for (String chosen : List.of("MASTER_PORT", "MASTER_ADDR", "PET_RDZV_ENDPOINT")) {
      assertEquals(Map.of(), variables(agent, single(4, Map.of(chosen, "1"), "GPU-1")), chosen);
    }
  }

  @Test
  void a_task_without_a_gpu_and_every_task_if_a_setting_says_so_has_no_port() {
    assertEquals(Map.of(), variables(agent, single(5, Map.of())));
    GangPorts off = ports(GangPorts.SingleTasks.NONE);
    assertEquals(Map.of(), variables(off, single(6, Map.of(), "GPU-1")));
  }

  @Test
  void a_job_that_such_a_task_submits_gets_a_port_of_its_own() {
    Map<String, String> told = new HashMap<>(variables(agent, single(7, Map.of(), "GPU-1")));
    assertEquals(Map.of(), GangVariables.withoutGang(told));
    told.put("MASTER_PORT", "4711"); // by its script
    assertEquals(Map.of("MASTER_PORT", "4711"), GangVariables.withoutGang(told));
    agent.release(AttemptId.parse("7.0.1"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The order of the only member, whose own port is another than the gang's. */
  private static TaskStartOrder order(int masterPort) throws IOException {
    GangStart.Member member = new GangStart.Member("n1", "127.0.0.1", freePort(), List.of());
    return GangVariablesTest.order(
        0, GangTerms.USUAL, new GangStart(1, 0, masterPort, List.of(member)));
  }

  @Test
  void a_port_that_is_listened_on_is_refused_by_its_number() throws IOException {
    try (ServerSocket other = new ServerSocket(0)) {
      String why = agent.take(order(other.getLocalPort())).orElseThrow();
      assertTrue(why.startsWith("port " + other.getLocalPort() + " is in use"), why);
    }
  }

  @Test
  void a_port_is_given_once_on_a_machine_until_its_member_has_ended() throws IOException {
    TaskStartOrder order = order(freePort());
    assertEquals(Optional.empty(), agent.take(order));
    assertEquals(Optional.empty(), agent.take(order), "it is its own already");
    assertTrue(another.take(order).isPresent());
    agent.release(order.attempt());
    assertEquals(Optional.empty(), another.take(order));
    another.release(order.attempt());
  }

  @Test
  void the_program_can_listen_on_the_port() throws IOException {
    int port = freePort();
    TaskStartOrder order = order(port);
    assertEquals(Optional.empty(), agent.take(order));
    try (ServerSocket program = new ServerSocket()) {
      program.setReuseAddress(false);
      program.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
    agent.release(order.attempt());
  }

  @Test
  void a_task_without_a_gang_needs_none() {
    assertEquals(Optional.empty(), agent.take(GangVariablesTest.order(0, null, null)));
  }
}
