package io.remuda.coordinator.rest.request;

import static io.remuda.coordinator.jobfield.SubmissionRows.NOTIFY_ON;
import static io.remuda.coordinator.jobfield.SubmissionRows.NOTIFY_TO;

import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.worker.job.NotificationTerms;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The fields of a {@link JobRequest} that say who is told what happens to it. */
final class NoticeFields {

  private final FieldValues request;

  NoticeFields(FieldValues request) {
    this.request = request;
  }

  /**
   * Returns the terms; null if nobody is told.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  NotificationTerms terms() {
    if (!request.has(NOTIFY_TO)) {
      if (request.has(NOTIFY_ON)) {
        throw new IllegalArgumentException("notifyOn wants notifyTo: who is told?");
      }
      return null;
    }
    SortedSet<NotificationTerms.Occasion> on = new TreeSet<>();
    for (String text : request.or(NOTIFY_ON, List.of("end"))) {
      on.add(occasion(text));
    }
    return new NotificationTerms(request.get(NOTIFY_TO), on);
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
