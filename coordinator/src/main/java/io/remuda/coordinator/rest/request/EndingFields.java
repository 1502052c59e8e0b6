package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.EndingTerms;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.WarningSignal;

/** The fields of a {@link JobRequest} that say how its attempts are ended. */
final class EndingFields {

  private final JobRequest request;

  EndingFields(JobRequest request) {
    this.request = request;
  }

  /**
   * Returns how its attempts are ended.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  EndingTerms terms() {
    String grace = request.grace();
    long millis =
        grace == null
            ? EndingTerms.USUAL.graceMillis()
            : JobRequest.field("grace", grace, JobRequest::millis);
    if (millis > EndingTerms.MOST_GRACE_MILLIS) {
      throw new IllegalArgumentException(
          "grace must be at most "
              + SizeAndTimeParser.words(EndingTerms.MOST_GRACE_MILLIS)
              + ", got "
              + grace);
    }
    return new EndingTerms(millis, request.signal() == null ? null : warning());
  }

  private WarningSignal warning() {
    try {
      return WarningSignal.parse(request.signal());
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("signal: " + wrong.getMessage(), wrong);
    }
  }
}
