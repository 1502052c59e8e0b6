package io.remuda.coordinator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.agent.protocol.CoordinatorMessage;
import io.remuda.agent.protocol.GangStart;
import io.remuda.agent.protocol.OrderTemplate;
import io.remuda.agent.protocol.TaskStartOrder;
import io.remuda.agent.protocol.WireCodec;
import io.remuda.agent.protocol.WireMessage;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DesiredStatesTest {
  private static final int ROLES = 100;
  private static final int OF_ROLE = 40;

  private final DesiredStates desired = new DesiredStates();

  /** A gang of thousands of members on many nodes, 100 of which, one of each role, are on n1. */
  private void largeGang() {
    Random random = new Random(1);
    List<GangRoleSpec> roles = new ArrayList<>();
    List<GangStart.Member> members = new ArrayList<>();
    for (int role = 0; role < ROLES; role++) {
      roles.add(new GangRoleSpec("role" + role, OF_ROLE, 1, 0, new ResourceRequest(role, 1)));
      for (int i = 0; i < OF_ROLE; i++) {
        String gpu = "GPU-" + new UUID(random.nextLong(), random.nextLong());
        String node = i == 0 ? "n1" : "node-" + members.size() + ".cluster.example.org";
        String address = "10." + random.nextInt(256) + "." + random.nextInt(256) + ".7";
        members.add(new GangStart.Member(node, address, 20_000 + i, List.of(new DeviceId(gpu))));
      }
    }
    GangStart start = new GangStart(1, 0, 20_999, members);
    GangTerms gang = new GangTerms(true, GangTerms.Failure.FAIL, false, roles);
    for (int role = 0; role < ROLES; role++) {
      TaskId task = new TaskId(new JobId(1), role * OF_ROLE);
      List<String> argv = List.of("train", "role" + role);
      desired.add(
          "n1",
          new TaskStartOrder(
              new AttemptId(task, 1),
              "ann",
              false,
              0,
              new CommandWorkload(argv, Map.of(), "/", 022),
              members.get(task.index()).devices(),
              1,
              true,
              new TaskStartOrder.JobFacts(
                  new UUID(0, 1), "job", members.size(), roles.get(role).request(), gang, start)));
    }
  }

  /** Returns the length of a message as it travels, with a template for each workload. */
  private static int[] lengths(List<TaskStartOrder> orders) {
    Map<CommandWorkload, OrderTemplate> templates = new HashMap<>();
    List<OrderTemplate.ShortOrder> shortened = new ArrayList<>();
    for (TaskStartOrder order : orders) {
      int number = templates.size() + 1;
      templates.put(
          (CommandWorkload) order.workload(),
          new OrderTemplate(
              number,
              order.user(),
              order.tied(),
              0,
              order.workload(),
              1,
              order.job(),
              order.ending()));
      shortened.add(
          new OrderTemplate.ShortOrder(
              order.attempt(), number, order.devices(), true, 0, null, null));
    }
    byte[] packed =
        WireCodec.encode(
            new CoordinatorMessage.DesiredByTemplate(
                1, 1, false, List.copyOf(templates.values()), shortened, List.of(), List.of()));
    int plain = packed[0] == 1 ? java.nio.ByteBuffer.wrap(packed, 1, 4).getInt() : packed.length;
    return new int[] {packed.length, plain};
  }

  @Test
  void a_gang_of_thousands_in_many_roles_comes_to_a_node_in_frames_that_are_short_enough() {
    largeGang();
    Set<AttemptId> reported = new HashSet<>();
    int frames = 0;
    while (reported.size() < ROLES) {
      List<TaskStartOrder> inFull = desired.order("n1", reported).inFull();
      assertTrue(!inFull.isEmpty(), "nothing more is sent");
      int[] lengths = lengths(inFull);
      assertTrue(lengths[0] <= WireMessage.MAX_FRAME, () -> "a frame of " + lengths[0]);
      assertTrue(lengths[1] <= WireMessage.MAX_MESSAGE, () -> "a message of " + lengths[1]);
      inFull.forEach(order -> reported.add(order.attempt()));
      frames++;
    }
    assertTrue(frames > 1 && frames <= ROLES, "frames: " + frames);
  }

  @Test
  void the_start_of_a_gang_counts_once_for_members_that_are_alike() {
    CommandWorkload command = new CommandWorkload(List.of("train"), Map.of(), "/", 022);
    List<GangStart.Member> members =
        IntStream.range(0, 4000)
            .mapToObj(i -> new GangStart.Member("n1", "10.0.0.1", 20_000 + i, List.of()))
            .toList();
    TaskStartOrder.JobFacts facts =
        new TaskStartOrder.JobFacts(
            new UUID(0, 1),
            "job",
            4000,
            new ResourceRequest(0, 0),
            GangTerms.USUAL,
            new GangStart(1, 0, 30_000, members));
    for (int i = 0; i < 1000; i++) {
      AttemptId attempt = new AttemptId(new TaskId(new JobId(1), i), 1);
      desired.add(
          "n1", new TaskStartOrder(attempt, "ann", false, 0, command, List.of(), 1, false, facts));
    }
    assertEquals(1000, desired.order("n1", Set.of()).inFull().size());
  }
}
