package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.GangRows;
import io.remuda.coordinator.jobfield.NeedsRows;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;

/** The fields of a {@link JobRequest} that say how the processes of its tasks are started. */
final class PinAndFreezeFields {

  private final FieldValues request;

  PinAndFreezeFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for the usual way.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  PinAndFreezeTerms terms() {
    boolean pinned = request.or(SubmissionRows.PIN, false);
    FrozenTree tree = tree();
    if (pinned) {
      checkCpus();
    }
    return pinned || tree != null ? new PinAndFreezeTerms(pinned, tree) : null;
  }

  private FrozenTree tree() {
    if (!request.has(SubmissionRows.FROZEN_TREE)) {
      if (request.has(SubmissionRows.FROZEN_ARCHIVE) || request.has(SubmissionRows.FROZEN_ROOT)) {
        throw new IllegalArgumentException("frozenArchive and frozenRoot want frozenTree");
      }
      return null;
    }
    if (!request.has(SubmissionRows.FROZEN_ARCHIVE) || !request.has(SubmissionRows.FROZEN_ROOT)) {
      throw new IllegalArgumentException("frozenTree wants frozenArchive and frozenRoot");
    }
    FrozenTree tree;
    try {
      tree =
          new FrozenTree(
              request.get(SubmissionRows.FROZEN_TREE),
              request.get(SubmissionRows.FROZEN_ARCHIVE),
              request.get(SubmissionRows.FROZEN_ROOT));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("frozenTree: " + wrong.getMessage(), wrong);
    }
    if (tree.below(request.or(WorkRows.WORKDIR, "/")) == null) {
      throw new IllegalArgumentException(
          "workdir must be in frozenRoot, got " + request.get(WorkRows.WORKDIR));
    }
    return tree;
  }

  private void checkCpus() {
    requireWhole(request.get(NeedsRows.CPUS));
    if (request.has(WorkRows.GANG) && request.get(WorkRows.GANG).get(GangRows.ROLES) != null) {
      request
          .get(WorkRows.GANG)
          .get(GangRows.ROLES)
          .values()
          .forEach(role -> requireWhole(role.get(NeedsRows.CPUS)));
    }
  }

  private static void requireWhole(Double cpus) {
    if (cpus != null && (cpus < 1 || cpus != Math.rint(cpus))) {
      throw new IllegalArgumentException("pin wants cpus to be 1, 2, 3 or more, got " + cpus);
    }
  }
}
