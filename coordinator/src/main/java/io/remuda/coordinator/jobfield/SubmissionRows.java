package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;
import static io.remuda.coordinator.jobfield.JobField.Changes.WAITING;

import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.NotificationTerms;
import java.util.List;
import java.util.Map;

/** Where and when a job may run, who is told, and what its submission adds. */
public final class SubmissionRows {

  static final FieldGroup ROWS = new FieldGroup();
  private static final FieldGroup TOLD = ROWS.beside(Map.of("notifyTo", "https://localhost"));
  private static final FieldGroup FROZEN =
      ROWS.beside(Map.of("frozenTree", "0".repeat(64), "frozenArchive", "/", "frozenRoot", "/"));

  public static final JobField<List<String>> NODES = ROWS.texts("nodes", 1000, WORD, WAITING);
  public static final JobField<List<String>> EXCLUDE_NODES =
      ROWS.texts("excludeNodes", 1000, WORD, WAITING);
  public static final JobField<List<String>> RESOURCES =
      ROWS.texts("resources", 100, WORD, WAITING);
  public static final JobField<String> BEGIN = ROWS.text("begin", QUANTITY, ALWAYS);
  public static final JobField<String> NOTIFY_TO =
      ROWS.text("notifyTo", NotificationTerms.MOST_LETTERS, NEVER);
  public static final JobField<List<String>> NOTIFY_ON = TOLD.texts("notifyOn", 3, QUANTITY, NEVER);
  public static final JobField<Boolean> HOLD = ROWS.flag("hold", ALWAYS);
  public static final JobField<String> TYPE = ROWS.text("type", FieldLimit.TYPE, ALWAYS);
  public static final JobField<String> PROJECT = ROWS.text("project", PATH, ALWAYS);
  public static final JobField<Boolean> PIN = ROWS.flag("pin", NEVER);
  public static final JobField<String> FROZEN_TREE = FROZEN.text("frozenTree", 64, NEVER);
  public static final JobField<String> FROZEN_ARCHIVE = FROZEN.text("frozenArchive", PATH, NEVER);
  public static final JobField<String> FROZEN_ROOT = FROZEN.text("frozenRoot", PATH, NEVER);
  public static final JobField<String> CLIENT_KEY = ROWS.text("clientKey", JobRow.MOST_KEY, NEVER);

  private SubmissionRows() {}
}
