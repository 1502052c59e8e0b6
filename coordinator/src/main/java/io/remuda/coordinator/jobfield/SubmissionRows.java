package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.PATH;
import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;
import static io.remuda.coordinator.jobfield.JobField.Changes.WAITING;

import io.remuda.coordinator.store.row.JobRow;
import io.remuda.worker.job.NotificationTerms;
import io.remuda.worker.job.PinAndFreezeTerms;
import io.remuda.worker.job.PinAndFreezeTerms.FrozenTree;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

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
      ROWS.says("Counted resources of each task, of its node or of the cluster, each as lic=2.")
          .option(
              "--resource NAME=N...",
              "N of a counted resource of its node or of the cluster for each task, as lic=2; may be"
                  + " repeated")
          .texts("resources", 100, WORD, WAITING);
  public static final JobField<String> BEGIN =
      ROWS.says(
              "Start no task before this time, as 2026-11-26T22:00:00Z; in a job file also a time of"
                  + " this machine: 22:00, now+2h, tomorrow 06:00, 2026-11-26 22:00.")
          .option(
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
          .says(
              "Who is told what happens to it: a URL, which gets JSON by POST, a mail address, or,"
                  + " from the owner of the server, a program with its whole path.")
          .text("notifyTo", NotificationTerms.MOST_LETTERS, NEVER);
  public static final JobField<List<String>> NOTIFY_ON =
      TOLD.option(
              "--notify-on WHAT,...",
              "what is told: end (default), fail, start, or several as start,fail")
          .says("What is told: end unless given, fail, start.")
          .words("end", "fail", "start")
          .texts("notifyOn", 3, QUANTITY, NEVER);
  public static final JobField<Boolean> HOLD =
      ROWS.option("--hold", "start only after remuda release").flag("hold", ALWAYS);
  public static final JobField<String> TYPE =
      ROWS.option("--type NAME", "name for jobs with similar needs, which are measured together")
          .text("type", FieldLimit.TYPE, ALWAYS);
  public static final JobField<String> COMMENT =
      ROWS.option("--comment TEXT", "what you want to remember of the job; show prints it")
          .set("what you want to remember of the job")
          .text("comment", 1000, ALWAYS);
  public static final JobField<String> PROJECT =
      ROWS.says(
              "Folder of the project that the command belongs to, by which types of equal commands"
                  + " differ; in a job file that of workdir unless given.")
          .text("project", PATH, ALWAYS);
  public static final JobField<Boolean> PIN =
      ROWS.option(
              "--pin",
              "bind each task to --cpus CPUs of its own, next to its GPU where the machine tells")
          .says("Bind each task to CPUs of its own, as many as cpus, which must be whole.")
          .flag("pin", NEVER);
  public static final JobField<String> FROZEN_TREE =
      FROZEN
          .also(
              "--freeze",
              "run it in a copy of the working tree as it is now, so that later changes have no"
                  + " effect (docs/scripts.md)")
          .says(
              "Hash of the working tree at the submission, of which each task gets a copy; remuda"
                  + " submit --freeze makes it.")
          .text("frozenTree", 64, NEVER);
  public static final JobField<String> FROZEN_ARCHIVE =
      FROZEN
          .says("Absolute path of the file that has this tree.")
          .text("frozenArchive", PATH, NEVER);
  public static final JobField<String> FROZEN_ROOT =
      FROZEN
          .says("Absolute path of the folder that was frozen; workdir is in it.")
          .text("frozenRoot", PATH, NEVER);
  public static final JobField<String> CLIENT_KEY =
      ROWS.option(
              "--key TEXT",
              "idempotency key: submitting again with it returns the first job's number")
          .text("clientKey", JobRow.MOST_KEY, NEVER);

  private SubmissionRows() {}

  /**
   * Returns the terms; null if nobody is told.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static NotificationTerms notice(FieldValues values) {
    if (!values.has(NOTIFY_TO)) {
      if (values.has(NOTIFY_ON)) {
        throw new IllegalArgumentException("notifyOn requires notifyTo: who is told?");
      }
      return null;
    }
    SortedSet<NotificationTerms.Occasion> on = new TreeSet<>();
    for (String text : values.or(NOTIFY_ON, List.of("end"))) {
      on.add(NOTIFY_ON.word(NotificationTerms.Occasion.values(), text));
    }
    return new NotificationTerms(values.get(NOTIFY_TO), on);
  }

  /**
   * Returns the terms, null for the usual way.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static PinAndFreezeTerms launch(FieldValues values) {
    boolean pinned = values.or(PIN, false);
    FrozenTree tree = tree(values);
    if (pinned) {
      checkCpus(values);
    }
    return pinned || tree != null ? new PinAndFreezeTerms(pinned, tree) : null;
  }

  private static FrozenTree tree(FieldValues values) {
    if (!values.has(FROZEN_TREE)) {
      if (values.has(FROZEN_ARCHIVE) || values.has(FROZEN_ROOT)) {
        throw new IllegalArgumentException("frozenArchive and frozenRoot require frozenTree");
      }
      return null;
    }
    if (!values.has(FROZEN_ARCHIVE) || !values.has(FROZEN_ROOT)) {
      throw new IllegalArgumentException("frozenTree requires frozenArchive and frozenRoot");
    }
    FrozenTree tree;
    try {
      tree =
          new FrozenTree(
              values.get(FROZEN_TREE), values.get(FROZEN_ARCHIVE), values.get(FROZEN_ROOT));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("frozenTree: " + wrong.getMessage(), wrong);
    }
    if (tree.below(values.or(WorkRows.WORKDIR, "/")) == null) {
      throw new IllegalArgumentException(
          "workdir must be in frozenRoot, got " + values.get(WorkRows.WORKDIR));
    }
    return tree;
  }

  private static void checkCpus(FieldValues values) {
    requireWhole(values.get(NeedsRows.CPUS));
    if (values.has(WorkRows.GANG) && values.get(WorkRows.GANG).get(GangRows.ROLES) != null) {
      values
          .get(WorkRows.GANG)
          .get(GangRows.ROLES)
          .values()
          .forEach(role -> requireWhole(role.get(NeedsRows.CPUS)));
    }
  }

  private static void requireWhole(Double cpus) {
    if (cpus != null && (cpus < 1 || cpus != Math.rint(cpus))) {
      throw new IllegalArgumentException("pin requires cpus to be 1, 2, 3 or more, got " + cpus);
    }
  }
}
