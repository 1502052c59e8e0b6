package io.remuda.coordinator.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.remuda.coordinator.registry.NodeRegistry;
import io.remuda.coordinator.registry.RetryPolicy;
import io.remuda.coordinator.registry.TaskRegistry;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeskTest {

  private static final long COMPLETE_AT = 1000;

  private final NodeRegistry nodes = new NodeRegistry();
  private final Desk desk =
      new Desk(
          new TaskRegistry(
              new RetryPolicy(1, 1, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10))),
          nodes,
          Optional.empty(),
          Durably.NOT,
          COMPLETE_AT);

  private Reply<?> check(double cpus, long now) {
    return desk.check(
        List.of(
            new NewJob(
                "job",
                "ann",
                new ResourceRequest(cpus, 0),
                JobTerms.placed(PlacementPolicy.PACK),
                new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022),
                1,
                false,
                null,
                List.of())),
        now);
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
}
