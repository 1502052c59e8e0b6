package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.agent.protocol.TaskEnd;
import io.remuda.agent.protocol.TaskPhase;
import io.remuda.agent.protocol.TaskReport;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.SchedulingSettings;
import io.remuda.coordinator.schedule.model.WaitReason;
import io.remuda.coordinator.schedule.order.OrderPolicies;
import io.remuda.worker.job.AttemptId;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a server with the setting first-run = BESIDE; its node has one device of 24 GiB. */
class FirstRunBesideTest {
  private static final long GIB = 1L << 30;
  private static final ResourceRequest AUTO =
      new ResourceRequest(0, 1, 0, ResourceRequest.AUTO, null, Map.of());

  private final TestCluster cluster =
      new TestCluster(
              new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)),
              new SchedulingSettings(
                  Duration.ofSeconds(60),
                  Duration.ofHours(24),
                  Duration.ofMinutes(5),
                  Duration.ZERO,
                  SchedulingSettings.Claims.PRIORITY,
                  SchedulingSettings.FirstRun.BESIDE,
                  Map.of(),
                  OrderPolicies.FAIR))
          .commands();

  @BeforeEach
  void threeTypesAreKnown() {
    cluster.nodeWithReadings("n1", 24 * GIB, 0, "A");
    for (long id = 1; id <= 3; id++) {
      job(id, 1, "known" + id).schedule().reported("n1", good(id + ".0.1", 2));
    }
  }

  private TestCluster job(long id, int tasks, String type) {
    return cluster
        .terms(new JobTerms(false, PlacementPolicy.PACK, 0, List.of(), 0, 0, type))
        .job(id, tasks, AUTO);
  }

  private static TaskReport good(String attempt, long peakGib) {
    return good(attempt, peakGib, 60_000L);
  }

  private static TaskReport good(String attempt, long peakGib, long millis) {
    TaskEnd end =
        new TaskEnd(
            TaskEnd.Kind.BY_ITSELF,
            0,
            null,
            "exit code 0",
            null,
            null,
            millis,
            new TaskEnd.GpuUse(peakGib * GIB, 50),
            null);
    return new TaskReport(AttemptId.parse(attempt), TaskPhase.ENDED, 0, null, end);
  }

  private long promisedGib(String task) {
    return cluster.placed(task).place().gpuMemory() / GIB;
  }

  @Test
  void the_first_task_of_a_type_is_alone_where_a_device_is_idle() {
    job(4, 1, "new").schedule();
    assertEquals(ResourceRequest.AUTO, cluster.placed("4.0").place().gpuMemory());
  }

  @Test
  void else_it_is_promised_two_thirds_of_a_device_beside_others_and_its_twins_wait() {
    job(4, 1, "known1").schedule();
    job(5, 2, "new").schedule();
    assertEquals(List.of("n1[A]", "n1[A]", "-"), cluster.places("4.0", "5.0", "5.1"));
    assertEquals(16, promisedGib("5.0"));
    assertEquals(
        List.of(new WaitReason.TypeMeasured("new", TaskId.parse("5.0"))),
        cluster.tasks.whyWaiting(TaskId.parse("5.1"), cluster.now()));
  }

  @Test
  void what_it_took_there_is_what_its_twins_are_promised() {
    job(4, 1, "known1").schedule();
    job(5, 2, "new").schedule().reported("n1", good("5.0.1", 4)).schedule();
    assertEquals("n1[A]", cluster.place("5.1"));
    assertEquals(4, promisedGib("5.1"));
  }

  /** Readings come once a second, and may have missed its peak. */
  @Test
  void a_short_run_beside_others_says_too_little_of_what_its_twins_need() {
    job(4, 1, "known1").schedule();
    job(5, 2, "new").schedule();
    cluster.reported("n1", TaskReports.running("4.0.1"), good("5.0.1", 1, 5_000)).schedule();
    assertEquals("n1[A]", cluster.place("5.1"));
    assertEquals(16, promisedGib("5.1"));
  }

  @Test
  void without_two_thirds_of_a_device_it_waits() {
    cluster.job(4, 1, AUTO.withGpuMemory(9 * GIB)).schedule();
    job(5, 1, "new").schedule();
    assertEquals(List.of("n1[A]", "-"), cluster.places("4.0", "5.0"));
  }
}
