package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.remuda.telemetry.model.DeviceId;
import io.remuda.telemetry.model.DeviceSampleBuilder;
import io.remuda.telemetry.model.HostSample;
import io.remuda.telemetry.model.NodeSample;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What attempts were promised of their devices. */
class PromisedTest {
  private final TestCluster cluster = new TestCluster().commands();

  @Test
  void who_holds_devices_was_promised_what_it_has_asked_for() {
    cluster.node("n1", "A").job(1, 1, 1).job(2, 1, 0).schedule();
    assertEquals(
        Map.of(AttemptId.parse("1.0.1"), new ResourceRequest(0, 1)), cluster.tasks.promised());
    assertEquals(
        Map.of(new DeviceId("A"), List.of(AttemptId.parse("1.0.1"))), cluster.tasks.holders());
  }

  private static NodeSample emptyDevice() {
    return new NodeSample(
        "n1",
        1,
        0,
        new HostSample(0, 0, 0, null, 4, 1L << 33, 1L << 32, 0L),
        List.of(
            DeviceSampleBuilder.of(new DeviceId("A"), 0).memUsed(0L).processes(List.of()).build()));
  }

  @Test
  void each_task_of_a_job_has_its_own_part() {
    ResourceRequest part = new ResourceRequest(0, 1, 0, 30, null, Map.of());
    cluster.nodeWithMemory("n1", 100, "A");
    cluster.nodes.sampled(emptyDevice());
    cluster.job(1, 2, part).schedule();
    assertEquals(
        Map.of(AttemptId.parse("1.0.1"), part, AttemptId.parse("1.1.1"), part),
        cluster.tasks.promised());
  }

  @Test
  void who_is_measured_shares_with_nobody() {
    cluster.nodeWithMemory("n1", 100, "A");
    cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, "train"))
        .job(1, 1, new ResourceRequest(0, 1, 0, ResourceRequest.AUTO, null, Map.of()))
        .schedule();
    assertFalse(cluster.tasks.promised().get(AttemptId.parse("1.0.1")).gpuShare().isShared());
  }
}
