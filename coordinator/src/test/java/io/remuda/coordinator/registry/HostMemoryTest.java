package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.tookMore;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.telemetry.model.HostInfo;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks that were ended because they took more of the machine's memory than they had stated. */
class HostMemoryTest {
  private static final long GIB = 1L << 30;

  private final TestCluster cluster = new TestCluster().commands();

  private TestCluster job(long id, int tasks, long gib) {
    return cluster.job(id, tasks, new ResourceRequest(0, 0, gib * GIB));
  }

  private long orderedGib(String attempt) {
    return cluster.taskOrders("n1").stream()
            .filter(order -> order.attempt().equals(AttemptId.parse(attempt)))
            .findFirst()
            .orElseThrow()
            .job()
            .request()
            .memory()
        / GIB;
  }

  @Test
  void who_is_tried_again_counts_for_the_limit_of_its_array() {
    JobTerms two =
        new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, null)
            .with(draft -> draft.maxRunning = 2);
    cluster.node("n1").terms(two).job(1, 4, new ResourceRequest(0, 0, GIB)).schedule();
    assertEquals(List.of("n1[]", "n1[]", "-"), cluster.places("1.0", "1.1", "1.2"));
    cluster.reported("n1", tookMore("1.0.1"), TaskReports.exited("1.1.1", 0)).schedule();
    assertEquals(List.of("n1[]", "n1[]", "-"), cluster.places("1.0", "1.2", "1.3"));
    cluster.reported("n1", TaskReports.exited("1.0.2", 0), running("1.2.1")).schedule();
    assertEquals(List.of("n1[]", "n1[]"), cluster.places("1.2", "1.3"));
  }

  @Test
  void it_is_tried_again_with_half_as_much_more_before_others() {
    cluster.node("n1"); // 8 GiB
    job(1, 1, 4);
    job(2, 2, 4).schedule();
    assertEquals(List.of("n1[]", "n1[]", "-"), cluster.places("1.0", "2.0", "2.1"));
    cluster.reported("n1", tookMore("1.0.1"), running("2.0.1")).schedule();
    assertEquals("n1[]", cluster.place("2.1"), "6 GiB are not free, and 4 are");
    cluster.reported("n1", tookMore("2.0.1"), running("2.1.1")).schedule();
    assertEquals(List.of("-", "-"), cluster.places("1.0", "2.0"));
    cluster.reported("n1", TaskReports.exited("2.1.1", 0)).schedule();
    assertEquals(List.of("n1[]", "-"), cluster.places("1.0", "2.0"));
    assertEquals(6, orderedGib("1.0.2"));
    assertEquals(0, cluster.task("1.0").interruptions());
    cluster.reported("n1", TaskReports.exited("1.0.2", 0));
    assertEquals(
        "exit code 0, with 6144 MiB of memory after less was too little",
        cluster.task("1.0").cause());
  }

  @Test
  void it_fails_at_once_if_it_is_never_to_run_again() {
    cluster
        .node("n1")
        .terms(
            JobTerms.USUAL.with(
                draft -> {
                  draft.retries = 0;
                  draft.neverAgain = true;
                }));
    job(1, 1, 4).schedule().reported("n1", tookMore("1.0.1"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
    assertEquals("took more than its --mem", cluster.task("1.0").cause());
  }

  @Test
  void it_gets_no_more_than_the_largest_node_has_and_then_fails() {
    cluster.node("n1");
    job(1, 1, 6).schedule().reported("n1", tookMore("1.0.1")).schedule();
    assertEquals(8, orderedGib("1.0.2"));
    cluster.reported("n1", tookMore("1.0.2"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
    assertEquals(
        "took more than its --mem, with 8192 MiB of memory after less was too little",
        cluster.task("1.0").cause());
  }

  @Test
  void only_nodes_on_which_it_could_be_count_for_the_most_it_gets() {
    cluster.node("n1", "A"); // 8 GiB
    HostInfo large = new HostInfo("n2", "a CPU", 4, 4, 1L << 36, 1L << 36);
    cluster.nodes.joined("n2", large, List.of(), "test");
    cluster.job(1, 1, new ResourceRequest(0, 1, 6 * GIB)).schedule();
    cluster.reported("n1", tookMore("1.0.1")).schedule();
    assertEquals(8, orderedGib("1.0.2"));
  }

  @Test
  void a_gang_is_not_tried_again_in_part() {
    cluster.node("n1");
    cluster.terms(new JobTerms(true, PlacementPolicy.PACK, 0, List.of(), 0, 0, null));
    job(1, 2, 1).schedule().reported("n1", tookMore("1.0.1"), running("1.1.1"));
    assertEquals(TaskState.FAILED, cluster.state("1.0"));
  }
}
