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

  public static final JobField<List<String>> NODES =
      ROWS.option("--node NAME,...", "run only on this node or these, as a1,a2; may be repeated")
          .texts("nodes", 1000, WORD, WAITING);
  public static final JobField<List<String>> EXCLUDE_NODES =
      ROWS.option("--exclude NAME,...", "run on none of these nodes; may be repeated")
          .texts("excludeNodes", 1000, WORD, WAITING);
  public static final JobField<List<String>> RESOURCES =
      ROWS.option(
              "--resource NAME=N...",
              "N of a counted resource of its node or of the cluster for each task, as lic=2; may be"
                  + " repeated")
          .texts("resources", 100, WORD, WAITING);
  public static final JobField<String> BEGIN =
      ROWS.option(
              "--begin TIME",
              "start no task before this time of this machine: 22:00, now+2h, tomorrow 06:00,"
                  + " '2026-11-26 22:00'")
          .set("start no task before this time: now, 22:00, now+2h, tomorrow 06:00")
          .text("begin", QUANTITY, ALWAYS);
  public static final JobField<String> NOTIFY_TO =
      ROWS.option(
              "--notify URL|ADDRESS|PROGRAM",
              "tell this URL (JSON by POST), mail address, or, as the owner of the server, program"
                  + " what happens to the job")
          .text("notifyTo", NotificationTerms.MOST_LETTERS, NEVER);
  public static final JobField<List<String>> NOTIFY_ON =
      TOLD.option(
              "--notify-on WHAT,...",
              "what is told: end (default), fail, start, or several as start,fail")
          .texts("notifyOn", 3, QUANTITY, NEVER);
  public static final JobField<Boolean> HOLD =
      ROWS.option("--hold", "start only after remuda release").flag("hold", ALWAYS);
  public static final JobField<String> TYPE =
      ROWS.option("--type NAME", "name for jobs with similar needs, which are measured together")
          .text("type", FieldLimit.TYPE, ALWAYS);
  public static final JobField<String> PROJECT = ROWS.text("project", PATH, ALWAYS);
  public static final JobField<Boolean> PIN =
      ROWS.option(
              "--pin",
              "bind each task to --cpus CPUs of its own, next to its GPU where the machine tells")
          .flag("pin", NEVER);
  public static final JobField<String> FROZEN_TREE =
      FROZEN
          .also(
              "--freeze",
              "run it in a copy of the working tree as it is now, so that later changes have no"
                  + " effect (docs/scripts.md)")
          .text("frozenTree", 64, NEVER);
  public static final JobField<String> FROZEN_ARCHIVE = FROZEN.text("frozenArchive", PATH, NEVER);
  public static final JobField<String> FROZEN_ROOT = FROZEN.text("frozenRoot", PATH, NEVER);
  public static final JobField<String> CLIENT_KEY =
      ROWS.option(
              "--key TEXT",
              "idempotency key: submitting again with it returns the first job's number")
          .text("clientKey", JobRow.MOST_KEY, NEVER);

  private SubmissionRows() {}
}
