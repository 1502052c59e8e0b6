package io.remuda.coordinator.registry;

import static io.remuda.coordinator.registry.TaskReports.running;
import static io.remuda.coordinator.registry.TaskReports.starting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.coordinator.lifecycle.TaskState;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A task that its node has not started for long. */
class SlowStartTest {

  private static final String WHY = "node n1 copies its frozen tree /x since 10:00:00";
  private final TestCluster cluster = new TestCluster().commands();

  private Optional<String> why() {
    return cluster.task("1.0").whyNotOver();
  }

  @Test
  void what_its_node_has_not_started_for_long_says_why_until_it_runs() {
    cluster.node("n1").job(1, 1, 0).schedule();
    cluster.reported("n1", starting("1.0.1"));
    assertEquals(Optional.empty(), why());
    cluster.reported("n1", starting("1.0.1").with(TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, WHY)));
    assertEquals(TaskState.STARTING, cluster.state("1.0"));
    assertEquals(Optional.of(WHY), why());
    assertNull(cluster.task("1.0").cause(), "it is no part of the record");
    cluster.reported("n1", running("1.0.1"));
    assertEquals(Optional.empty(), why());
  }

  @Test
  void it_says_nothing_once_its_node_goes_on() {
    cluster.node("n1").job(1, 1, 0).schedule();
    cluster.reported("n1", starting("1.0.1").with(TaskEnd.because(TaskEnd.Kind.NOT_BEGUN, WHY)));
    cluster.reported("n1", starting("1.0.1"));
    assertEquals(Optional.empty(), why());
  }
}
