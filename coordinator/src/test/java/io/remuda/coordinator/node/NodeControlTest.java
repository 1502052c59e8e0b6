package io.remuda.coordinator.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.api.CoordinatorCommand;
import io.remuda.coordinator.api.CoordinatorCommand.NodeUse;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.api.Rejection;
import io.remuda.coordinator.api.Reply;
import io.remuda.coordinator.commit.Decision;
import io.remuda.coordinator.commit.Effect;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.coordinator.registry.policy.NodeDrain;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.store.row.StoreChange;
import io.remuda.coordinator.testkit.SeenOrders;
import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceInfo;
import io.remuda.telemetry.model.DeviceVendor;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.telemetry.model.MigSlot;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeControlTest {

  private static final CoordinatorCommand.Caller ANN = new CoordinatorCommand.Caller("ann", true);

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final NodeControl control = new NodeControl(nodes, tasks);
  private final TestInbox<Reply<String>> answers = TestInbox.create();

  @BeforeEach
  void fourCores() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  private void placeOne() {
    NewJob job =
        new NewJob(
            "job",
            "ann",
            new ResourceRequest(1, 0),
            JobTerms.placed(PlacementPolicy.PACK),
            new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
            1,
            false,
            null,
            List.of());
    tasks.submit(job.numbered(new JobId(1), List.of()), 1);
    SeenOrders.schedule(tasks, nodes, 1);
  }

  private static Rejection rejection(Decision decision) {
    Object answer = ((Effect.Tell<?>) decision.atOnce().get(0)).message();
    return assertInstanceOf(Reply.No.class, answer).rejection();
  }

  private static Rejection.Code refusal(Decision decision) {
    return rejection(decision).code();
  }

  private Decision removal(String node) {
    return control.remove(new CoordinatorCommand.RemoveNode(node, answers.getRef()));
  }

  @Test
  void a_node_is_forgotten_if_it_is_silent_and_may_run_nothing() {
    assertEquals(Rejection.Code.NOT_FOUND, refusal(removal("n2")));
    assertEquals(Rejection.Code.WRONG_STATE, refusal(removal("n1")), "it answers");
    placeOne();
    nodes.silent("n1", 1);
    tasks.silent("n1", 1);
    assertEquals(Rejection.Code.WRONG_STATE, refusal(removal("n1")), "it may run a task");
    tasks.nodeGone("n1", "it is off", 1);
    assertEquals(
        Decision.ofRows(List.of(new StoreChange.NodeResumed("n1")))
            .thenAnswer(answers.getRef(), Reply.of("n1"))
            .placing(),
        removal("n1"));
    assertTrue(nodes.find("n1").isEmpty());
  }

  @Test
  void a_drained_node_is_stored_and_then_answered() {
    assertEquals(
        Decision.ofRows(List.of(new StoreChange.NodeDrained("n1", "")))
            .thenAnswer(answers.getRef(), Reply.of("n1"))
            .placing(),
        used(NodeUse.DRAINED, null));
    assertTrue(nodes.find("n1").orElseThrow().draining());
  }

  private Decision used(NodeUse use, String reason) {
    return control.drain(new CoordinatorCommand.DrainNode("n1", use, reason, answers.getRef()), 0);
  }

  @Test
  void the_reason_of_a_drained_node_is_stored_until_there_is_another_or_it_is_resumed() {
    assertEquals(
        List.of(new StoreChange.NodeDrained("n1", "a new disk")),
        used(NodeUse.DRAINED, "a new disk").rows());
    assertEquals(
        List.of(new StoreChange.NodeDrained("n1", "a new disk")),
        used(NodeUse.DRAINED_AND_MOVED, null).rows());
    assertEquals("a new disk", nodes.find("n1").orElseThrow().drain().reason());
    assertEquals(
        List.of(new StoreChange.NodeDrained("n1", "two disks")),
        used(NodeUse.DRAINED, "two disks").rows());
    assertEquals(List.of(new StoreChange.NodeResumed("n1")), used(NodeUse.OPEN, null).rows());
    assertFalse(nodes.find("n1").orElseThrow().draining());
    assertEquals(
        List.of(new StoreChange.NodeDrained("n1", "")), used(NodeUse.DRAINED, null).rows());
  }

  private static DeviceInfo device(String uuid, int index, MigSlot mig) {
    return new DeviceInfo(
        new DeviceId(uuid), index, DeviceVendor.SIMULATED, "H200", null, 0, null, mig);
  }

  private void joinsWithGpus(String node) {
    nodes.joined(
        node,
        new HostInfo(node, "a CPU", 4, 4, 1L << 33, 1L << 33),
        List.of(
            device("GPU-a", 0, null),
            device("GPU-b", 1, null),
            device("MIG-c", 2, new MigSlot(new DeviceId("GPU-c"), 5))),
        "test");
  }

  private Decision gpus(String node, NodeUse use, String reason, String... gpus) {
    return control.drainGpus(
        new CoordinatorCommand.DrainGpus(node, List.of(gpus), use, reason, answers.getRef()), 0);
  }

  private static StoreChange.GpuDrained drained(String gpu, String reason) {
    return new StoreChange.GpuDrained("n1", new DeviceId(gpu), reason);
  }

  @Test
  void gpus_are_drained_and_resumed_by_number_or_uuid_and_keep_their_reason_until_then() {
    joinsWithGpus("n1");
    assertEquals(
        Decision.ofRows(List.of(drained("GPU-b", "a fan"), drained("GPU-a", "a fan")))
            .thenAnswer(answers.getRef(), Reply.of("n1"))
            .placing(),
        gpus("n1", NodeUse.DRAINED, "a fan", "1", "GPU-a", "1"));
    assertFalse(nodes.find("n1").orElseThrow().draining());
    assertEquals(
        List.of(drained("GPU-a", "a fan"), drained("MIG-c", "")),
        gpus("n1", NodeUse.DRAINED, null, "0", "2:5").rows());
    used(NodeUse.DRAINED, null);
    used(NodeUse.OPEN, null);
    assertEquals(
        Set.of(new DeviceId("GPU-a"), new DeviceId("GPU-b"), new DeviceId("MIG-c")),
        nodes.find("n1").orElseThrow().drain().gpus().keySet());
    assertEquals(
        List.of(new StoreChange.GpuResumed("n1", new DeviceId("GPU-b"))),
        gpus("n1", NodeUse.OPEN, null, "1").rows());
    assertEquals(List.of(), gpus("n1", NodeUse.OPEN, null, "1").rows(), "it is not drained");
  }

  @Test
  void a_gpu_that_the_node_does_not_have_is_refused_with_those_that_it_has() {
    assertEquals("node n1 has no GPU", rejection(gpus("n1", NodeUse.DRAINED, null, "0")).message());
    joinsWithGpus("n1");
    Decision wrong = gpus("n1", NodeUse.DRAINED, null, "0", "2");
    assertEquals(Rejection.Code.NOT_FOUND, refusal(wrong));
    assertEquals(
        "node n1 has no GPU 2: it has 0 (GPU-a), 1 (GPU-b), 2:5 (MIG-c)",
        rejection(wrong).message());
    assertEquals(Map.of(), nodes.find("n1").orElseThrow().drain().gpus(), "all or none");
    assertEquals(
        "no node n2 has joined", rejection(gpus("n2", NodeUse.DRAINED, null, "0")).message());
  }

  @Test
  void a_gpu_that_two_nodes_see_is_resumed_on_either() {
    joinsWithGpus("n1");
    joinsWithGpus("n2");
    gpus("n1", NodeUse.DRAINED, null, "0");
    assertEquals(
        List.of(new StoreChange.GpuResumed("n1", new DeviceId("GPU-a"))),
        gpus("n2", NodeUse.OPEN, null, "0").rows());
    assertEquals(Map.of(), nodes.drain("n1").gpus());
  }

  /** It was resumed by that, and drained again by the next server that read the state. */
  @Test
  void a_node_that_is_forgotten_because_it_is_silent_stays_drained_until_it_is_resumed() {
    joinsWithGpus("n1");
    used(NodeUse.DRAINED, "ECC");
    gpus("n1", NodeUse.DRAINED, null, "0");
    nodes.forget("n1");
    assertEquals("ECC", nodes.drain("n1").reason());
    joinsWithGpus("n1");
    assertTrue(nodes.find("n1").orElseThrow().draining());
    assertEquals(Set.of(new DeviceId("GPU-a")), nodes.drain("n1").gpus().keySet());
    nodes.forget("n1");
    assertEquals(
        List.of(
            new StoreChange.NodeResumed("n1"),
            new StoreChange.GpuResumed("n1", new DeviceId("GPU-a"))),
        used(NodeUse.OPEN, null).rows(),
        "nothing else is known of it");
    assertEquals(NodeDrain.NONE, nodes.drain("n1"));
  }

  @Test
  void a_drained_gpu_that_the_node_has_no_more_can_be_resumed_and_is_forgotten_with_the_node() {
    joinsWithGpus("n1");
    gpus("n1", NodeUse.DRAINED, null, "0", "1");
    nodes.devices("n1", List.of());
    assertEquals(
        List.of(new StoreChange.GpuResumed("n1", new DeviceId("GPU-b"))),
        gpus("n1", NodeUse.OPEN, null, "GPU-b").rows());
    nodes.silent("n1", 1);
    assertEquals(
        List.of(
            new StoreChange.NodeResumed("n1"),
            new StoreChange.GpuResumed("n1", new DeviceId("GPU-a"))),
        removal("n1").rows());
    assertEquals(NodeDrain.NONE, nodes.drain("n1"));
  }

  @Test
  void a_node_that_answers_is_not_given_up() {
    assertEquals(
        Rejection.Code.WRONG_STATE,
        refusal(
            control.giveUp(
                new CoordinatorCommand.GiveUpNode("n1", null, ANN, answers.getRef()), 1)));
  }

  @Test
  void the_tasks_of_a_node_that_is_given_up_end_with_the_drain_in_one_commit() {
    placeOne();
    nodes.silent("n1", 1);
    tasks.silent("n1", 1);
    Decision decision =
        control.giveUp(new CoordinatorCommand.GiveUpNode("n1", null, ANN, answers.getRef()), 1);
    assertEquals(1, decision.changes().size());
    assertEquals("node n1 was declared gone by ann", decision.changes().get(0).cause());
    assertEquals(List.of(new StoreChange.NodeDrained("n1", "")), decision.rows());
  }

  @Test
  void the_reason_why_a_node_is_gone_is_that_of_its_tasks_too() {
    placeOne();
    nodes.silent("n1", 1);
    tasks.silent("n1", 1);
    Decision decision =
        control.giveUp(
            new CoordinatorCommand.GiveUpNode("n1", "it burnt", ANN, answers.getRef()), 1);
    assertEquals("node n1 was declared gone by ann: it burnt", decision.changes().get(0).cause());
    assertEquals(List.of(new StoreChange.NodeDrained("n1", "it burnt")), decision.rows());
  }
}
