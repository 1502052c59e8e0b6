package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.registry.LiveLimits;
import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.RetryPolicy;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobAdmissionTest {

  private static final long COMPLETE_AT = 1000;

  private final NodeRegistry nodes = new NodeRegistry();
  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final JobAdmission admission =
      new JobAdmission(
          tasks,
          nodes,
          Optional.empty(),
          DurableLog.NOT,
          new LiveLoad(LiveLimits.NONE),
          COMPLETE_AT);

  private static NewJob job(double cpus) {
    return new NewJob(
        "job",
        "ann",
        new ResourceRequest(cpus, 0),
        JobTerms.placed(PlacementPolicy.PACK),
        new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
        1,
        false,
        null,
        List.of());
  }

  private Reply<?> check(double cpus, long now) {
    return admission.check(List.of(job(cpus)), now);
  }

  private void fourCores() {
    nodes.joined("n1", new HostInfo("n1", "a CPU", 4, 4, 1L << 33, 1L << 33), List.of(), "test");
  }

  @Test
  void what_is_too_large_for_all_nodes_is_refused() {
    fourCores();
    Reply.No<?> no = assertInstanceOf(Reply.No.class, check(8, COMPLETE_AT));
    assertEquals(Rejection.Code.NEVER_FITS, no.rejection().code());
    assertInstanceOf(Reply.Yes.class, check(4, COMPLETE_AT));
  }

  @Test
  void it_may_fit_a_node_that_has_not_come_back_to_a_new_server_yet() {
    fourCores();
    assertInstanceOf(Reply.Yes.class, check(8, COMPLETE_AT - 1));
  }

  @Test
  void before_any_node_has_joined_nothing_is_too_large() {
    assertInstanceOf(Reply.Yes.class, check(1000, COMPLETE_AT));
  }

  @Test
  void a_node_is_forgotten_if_it_is_silent_and_may_run_nothing() {
    fourCores();
    assertEquals(Rejection.Code.NOT_FOUND, removal("n2"));
    assertEquals(Rejection.Code.WRONG_STATE, removal("n1"), "it answers");
    tasks.submit(job(1).numbered(new JobId(1), List.of()), COMPLETE_AT);
    tasks.schedule(nodes.all(), node -> 1L, COMPLETE_AT);
    nodes.silent("n1", COMPLETE_AT);
    tasks.silent("n1", COMPLETE_AT);
    assertEquals(Rejection.Code.WRONG_STATE, removal("n1"), "it may run a task");
    tasks.nodeGone("n1", "it is off", COMPLETE_AT);
    assertInstanceOf(Reply.Yes.class, admission.removeNode("n1").answer());
    assertTrue(nodes.find("n1").isEmpty());
  }

  private Rejection.Code removal(String node) {
    Reply<String> answer = admission.removeNode(node).answer();
    return assertInstanceOf(Reply.No.class, answer).rejection().code();
  }

  @Test
  void what_is_over_is_not_cancelled_even_before_its_end_is_durable() {
    JobId id = new JobId(1);
    tasks.submit(job(1).numbered(id, List.of()), COMPLETE_AT);
    Coordinator.Caller ann = new Coordinator.Caller("ann", false);
    assertInstanceOf(
        Reply.Yes.class,
        admission.change(id, Coordinator.Action.CANCEL, ann, COMPLETE_AT).answer());
    Reply.No<JobId> no =
        assertInstanceOf(
            Reply.No.class,
            admission.change(id, Coordinator.Action.CANCEL, ann, COMPLETE_AT).answer());
    assertEquals(Rejection.Code.WRONG_STATE, no.rejection().code());
    assertEquals("job 1 is over: cancelled", no.rejection().message());
  }
}
