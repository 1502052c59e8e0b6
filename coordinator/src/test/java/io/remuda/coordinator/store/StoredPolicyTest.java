package io.remuda.coordinator.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.remuda.coordinator.store.row.JobSpecCodec;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A member of an earlier build reads each job, though it does not know each policy. */
class StoredPolicyTest {

  private static JobSpec job(PlacementPolicy policy) {
    return StoreSamples.spec(7, 1).withTerms(JobTerms.placed(policy));
  }

  @ParameterizedTest
  @EnumSource(PlacementPolicy.class)
  void a_policy_is_read_as_it_was_written(PlacementPolicy policy) throws Exception {
    String body = JobSpecCodec.write(job(policy)).body();
    assertEquals(policy, JobSpecCodec.parse(body).job().terms().policy(), body);
  }

  @Test
  void a_policy_that_earlier_builds_do_not_know_is_beside_one_that_they_know() {
    String body = JobSpecCodec.write(job(PlacementPolicy.FORESIGHT)).body();
    assertTrue(body.contains("\"policy\":\"pack\""), body);
    assertTrue(body.endsWith("\"policy\":\"foresight\"}"), body);
    assertFalse(JobSpecCodec.write(job(PlacementPolicy.SPREAD)).body().contains("pack"));
  }
}
