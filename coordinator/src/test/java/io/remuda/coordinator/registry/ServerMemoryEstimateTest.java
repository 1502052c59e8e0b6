package io.remuda.coordinator.registry;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.lifecycle.TaskState;
import io.remuda.coordinator.registry.policy.RetryPolicy;
import io.remuda.coordinator.registry.policy.ServerMemoryEstimate;
import io.remuda.coordinator.registry.task.ImmediateOrHeldStart;
import io.remuda.coordinator.store.JobChangeRowConverter;
import io.remuda.coordinator.store.StoreState;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What live jobs take is not more than is estimated, and not much less. */
@Tag("attack")
@Tag("attack-bad-request")
@Tag("long-attack")
@Timeout(120)
class ServerMemoryEstimateTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/bin");

  private final TaskRegistry tasks =
      new TaskRegistry(new RetryPolicy(9, 9, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)));
  private final JobChangeRowConverter jobRows =
      new JobChangeRowConverter(
          new StoreState(
              1, 1, 1, List.of(), Map.of(), Map.of(), List.of(), Map.of(), Map.of(), List.of()),
          Clock.systemUTC());
  private long estimated;

  private void submit(int count, String argument) {
    JobId id = jobRows.newId(1);
    JobSpec job =
        new JobSpec(
            id,
            UUID.randomUUID(),
            "job " + id,
            "ann",
            false,
            new ResourceRequest(1, 0),
            1,
            JobTerms.USUAL,
            Collections.nCopies(
                count,
                new CommandWorkload(List.of("/bin/echo", argument), ENVIRONMENT, "/tmp", 022)));
    tasks.submit(job, Set.of(), ImmediateOrHeldStart.AT_ONCE, 0);
    jobRows.added(job, TaskState.WAITING, List.of(), "key " + id);
    estimated += ServerMemoryEstimate.job(job);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private void measure(String what, int count, IntConsumer each) {
    long before = used();
    for (int i = 0; i < count; i++) {
      each.accept(i);
    }
    long taken = used() - before;
    System.out.printf("%s: %d bytes each, estimated %d%n", what, taken / count, estimated / count);
    assertTrue(taken <= estimated, what + ": " + taken + " bytes, estimated " + estimated);
    assertTrue(taken > estimated / 5, what + ": " + taken + " bytes, estimated " + estimated);
  }

  @Test
  void of_single_jobs() {
    measure("single jobs", 50_000, i -> submit(1, "argument " + i));
  }

  @Test
  void of_long_arguments() {
    measure("jobs with long arguments", 200, i -> submit(1, i + "x".repeat(100_000)));
  }
}
