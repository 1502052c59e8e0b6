package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.LaunchTerms;

/** The fields of a {@link JobRequest} that say how the processes of its tasks are started. */
final class LaunchFields {

  private final JobRequest request;

  LaunchFields(JobRequest request) {
    this.request = request;
  }

  /**
   * Returns the terms, null for the usual way.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  LaunchTerms terms() {
    if (!JobRequest.or(request.pin(), false)) {
      return null;
    }
    requireWhole(request.cpus());
    if (request.gang() != null && request.gang().roles() != null) {
      request.gang().roles().values().forEach(role -> requireWhole(role.cpus()));
    }
    return LaunchTerms.PINNED;
  }

  private static void requireWhole(Double cpus) {
    if (cpus != null && (cpus < 1 || cpus != Math.rint(cpus))) {
      throw new IllegalArgumentException("pin wants cpus to be 1, 2, 3 or more, got " + cpus);
    }
  }
}
