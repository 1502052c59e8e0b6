package io.remuda.coordinator.registry;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ConvolutionWorkload;
import io.remuda.worker.job.JobId;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.LeasedProgramWorkload;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.Workload;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Jobs for tests. What is set holds for all that follow; the first are of Ann, and convolutions
 * that are tied to their run.
 */
final class JobBuilder {
  private static final Workload CONVOLUTION = new ConvolutionWorkload(4, 1);

  private JobTerms terms = JobTerms.placed(PlacementPolicy.ROUND_ROBIN);
  private Workload workload = CONVOLUTION;
  private boolean tied = true;
  private String user = "ann";

  JobBuilder terms(JobTerms other) {
    terms = other;
    return this;
  }

  JobBuilder tiedConvolutions() {
    workload = CONVOLUTION;
    tied = true;
    return this;
  }

  /** Commands that are tied to nothing. */
  JobBuilder commands() {
    workload = new CommandWorkload(List.of("/bin/true"), Map.of(), "/", 022);
    tied = false;
    return this;
  }

  /** Leases of programs. */
  JobBuilder leases() {
    workload = new LeasedProgramWorkload(4711, 1, "python3");
    tied = false;
    return this;
  }

  JobBuilder of(String who) {
    user = who;
    return this;
  }

  JobSpec spec(long id, int size, ResourceRequest request) {
    return new JobSpec(
        new JobId(id),
        new UUID(0, id),
        "job",
        user,
        tied,
        request,
        1,
        terms,
        Collections.nCopies(size, workload));
  }
}
