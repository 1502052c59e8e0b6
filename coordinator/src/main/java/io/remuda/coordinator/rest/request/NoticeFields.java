package io.remuda.coordinator.rest.request;

import io.remuda.worker.job.NotificationTerms;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The fields of a {@link JobRequest} that say who is told what happens to it. */
final class NoticeFields {

  private final JobRequest request;

  NoticeFields(JobRequest request) {
    this.request = request;
  }

  /**
   * Returns the terms; null if nobody is told.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  NotificationTerms terms() {
    if (request.notifyTo() == null) {
      if (request.notifyOn() != null) {
        throw new IllegalArgumentException("notifyOn wants notifyTo: who is told?");
      }
      return null;
    }
    SortedSet<NotificationTerms.Occasion> on = new TreeSet<>();
    for (String text : JobRequest.or(request.notifyOn(), List.of("end"))) {
      on.add(occasion(text));
    }
    return new NotificationTerms(request.notifyTo(), on);
  }

  private static NotificationTerms.Occasion occasion(String text) {
    for (NotificationTerms.Occasion one : NotificationTerms.Occasion.values()) {
      if (one.name().equalsIgnoreCase(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException("notifyOn must be end, fail or start, got '" + text + "'");
  }
}
