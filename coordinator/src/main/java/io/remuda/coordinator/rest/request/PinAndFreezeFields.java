package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;

/** The fields of a {@link JobRequest} that say how the processes of its tasks are started. */
final class PinAndFreezeFields {

  private final JobRequest request;

  PinAndFreezeFields(JobRequest request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for the usual way.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  PinAndFreezeTerms terms() {
    boolean pinned = JobRequest.or(request.pin(), false);
    FrozenTree tree = tree();
    if (pinned) {
      checkCpus();
    }
    return pinned || tree != null ? new PinAndFreezeTerms(pinned, tree) : null;
  }

  private FrozenTree tree() {
    if (request.frozenTree() == null) {
      if (request.frozenArchive() != null || request.frozenRoot() != null) {
        throw new IllegalArgumentException("frozenArchive and frozenRoot want frozenTree");
      }
      return null;
    }
    if (request.frozenArchive() == null || request.frozenRoot() == null) {
      throw new IllegalArgumentException("frozenTree wants frozenArchive and frozenRoot");
    }
    FrozenTree tree;
    try {
      tree = new FrozenTree(request.frozenTree(), request.frozenArchive(), request.frozenRoot());
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("frozenTree: " + wrong.getMessage(), wrong);
    }
    if (tree.below(JobRequest.or(request.workdir(), "/")) == null) {
      throw new IllegalArgumentException("workdir must be in frozenRoot, got " + request.workdir());
    }
    return tree;
  }

  private void checkCpus() {
    requireWhole(request.cpus());
    if (request.gang() != null && request.gang().roles() != null) {
      request.gang().roles().values().forEach(role -> requireWhole(role.cpus()));
    }
  }

  private static void requireWhole(Double cpus) {
    if (cpus != null && (cpus < 1 || cpus != Math.rint(cpus))) {
      throw new IllegalArgumentException("pin wants cpus to be 1, 2, 3 or more, got " + cpus);
    }
  }
}
