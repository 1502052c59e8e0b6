package io.remuda.coordinator.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.PreemptionTerms;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UsageAccumulatorTest {

  private static JobSpec job(Qos qos) {
    return new JobSpec(
        new JobId(1),
        new UUID(0, 1),
        "job",
        "ann",
        false,
        new ResourceRequest(1, 0),
        1,
        JobTerms.USUAL
            .with(terms -> terms.preemption = PreemptionTerms.TRAINING)
            .with(terms -> terms.qos = qos),
        List.of(new CommandWorkload(List.of("./explore", "7"), Map.of(), "/", 022)));
  }

  @Test
  void scavengers_have_sums_of_their_own_by_type_and_by_user() {
    String sum = UsageAccumulator.sumOf(job(Qos.SCAVENGER));
    assertEquals("./explore (scavenger)", sum);
    assertEquals("ann (scavenger)", UsageAccumulator.userOf("ann", sum));
    assertEquals("./explore", UsageAccumulator.typeOf(job(Qos.SCAVENGER)));
  }

  @Test
  void other_jobs_are_summed_by_type_and_user() {
    for (Qos qos : new Qos[] {null, Qos.TEST}) {
      assertEquals("./explore", UsageAccumulator.sumOf(job(qos)));
      assertEquals("ann", UsageAccumulator.userOf("ann", UsageAccumulator.sumOf(job(qos))));
    }
  }
}
