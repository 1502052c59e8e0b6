package io.remuda.coordinator.jobfield;

import static io.remuda.coordinator.jobfield.FieldLimit.QUANTITY;
import static io.remuda.coordinator.jobfield.FieldLimit.WORD;
import static io.remuda.coordinator.jobfield.JobField.Changes.ALWAYS;
import static io.remuda.coordinator.jobfield.JobField.Changes.NEVER;
import static io.remuda.coordinator.jobfield.JobField.Changes.WAITING;

import io.remuda.coordinator.schedule.model.DeviceOffer;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.JobTerms.Qos;
import io.remuda.worker.job.NodeConstraints;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a task needs of its node, and which node gets it. */
public final class NeedsRows {

  static final FieldGroup ROWS = new FieldGroup();

  public static final JobField<Double> CPUS =
      ROWS.option("-c --cpus C", "CPU cores of each task, such as 0.5 (default: 1)")
          .set("CPU cores of each task")
          .usual("1")
          .number("cpus", 0, Integer.MAX_VALUE, WAITING);
  public static final JobField<String> MEM =
      ROWS.option(
              "--mem SIZE",
              "memory of each task, such as 6G, 512M or 6GiB; one that takes more is ended, and"
                  + " runs again with 1.5 times as much, unless --retries 0 is given")
          .set("memory of each task")
          .text("mem", QUANTITY, WAITING);
  public static final JobField<Integer> GPUS =
      ROWS.option(
              "-G --gpus G",
              "GPUs of each task (default: 0, or 1 beside --gpu-mem, --gpu-model or --per-gpu)")
          .set("GPUs of each task")
          .integer("gpus", 0, Integer.MAX_VALUE, WAITING);
  public static final JobField<String> GPU_MEM =
      ROWS.option(
              "--gpu-mem SIZE",
              "memory that each task needs on each of its GPUs, which other tasks may then share;"
                  + " auto: what jobs of its type were measured to need; whole: whole GPUs"
                  + " (default: whole, unless the server is configured otherwise)")
          .set("memory of each of its GPUs")
          .text("gpuMem", QUANTITY, WAITING);
  public static final JobField<String> GPU_MODEL =
      ROWS.option(
              "--gpu-model TEXT",
              "only GPUs whose model name contains this text; of several, as 'A100|H100', the first"
                  + " that is free")
          .set("part of the GPUs' model")
          .text("gpuModel", WORD, WAITING);
  public static final JobField<Map<String, String>> LABELS =
      ROWS.option(
              "--label KEY=VALUE...",
              "only nodes with this label, or with one of several values, as 'rack=1|2'; may be"
                  + " repeated")
          .map("labels", new FieldLimit(100, WORD, WORD), WAITING);
  public static final JobField<String> POLICY =
      ROWS.option(
              "--policy POLICY",
              "choice among nodes that fit: foresight (default), pack, spread, best-fit or another")
          .says("Choice among nodes that fit.")
          .usual(PlacementPolicy.USUAL.toString())
          .words(PlacementPolicy.names().toArray(String[]::new))
          .text("policy", QUANTITY, ALWAYS);
  public static final JobField<Integer> PRIORITY =
      ROWS.option("-p --priority P", "jobs of higher priority start first (default: 0)")
          .set("jobs of higher priority start first")
          .usual("0")
          .integer("priority", -JobTerms.TOP_PRIORITY, JobTerms.TOP_PRIORITY, ALWAYS);
  public static final JobField<String> QOS =
      ROWS.option(
              "--qos CLASS",
              "scavenger: it fills holes, leaves at once for any other job, and costs no share;"
                  + " test: a test of minutes that starts ahead of others, within the server's"
                  + " limits")
          .says(
              "Its class: scavenger fills holes, leaves at once for any other job and costs no"
                  + " share; test is for tests of minutes, ahead of others, within the server's"
                  + " limits.")
          .words("scavenger", "test")
          .text("qos", QUANTITY, NEVER);
  public static final JobField<Integer> PER_GPU =
      ROWS.option(
              "--per-gpu N",
              "at most N tasks on each of its GPUs; without --gpu-mem each may use 1/N of it")
          .integer("perGpu", 1, ResourceRequest.MOST_PER_GPU, WAITING);
  public static final JobField<Double> SHARE_IF =
      ROWS.option(
              "--share-if SPEED",
              "with --gpu-mem auto: share GPUs only as long as it keeps that much of its speed"
                  + " alone, 0.1 to 0.99, as 0.85; at most two tasks on a GPU")
          .number("shareIf", 0.1, 0.99, WAITING);
  public static final JobField<Boolean> EXCLUSIVE =
      ROWS.option("--exclusive", "no other task on its GPUs; means --per-gpu 1")
          .flag("exclusive", WAITING);

  private NeedsRows() {}

  /** Returns its class; null for none. */
  public static Qos qos(FieldValues values) {
    return values.has(QOS) ? QOS.word(Qos.values(), values.get(QOS)) : null;
  }

  /**
   * Returns what its tasks need of their node; nothing by default.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static NodeConstraints node(FieldValues values) {
    checkChoices(values);
    return new NodeConstraints(
        names(values, SubmissionRows.NODES),
        names(values, SubmissionRows.EXCLUDE_NODES),
        resources(values));
  }

  private static SortedSet<String> names(FieldValues values, JobField<List<String>> field) {
    SortedSet<String> names = new TreeSet<>(values.or(field, List.of()));
    if (names.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          field.name() + " must be names of nodes, got an empty one");
    }
    return names;
  }

  private static SortedMap<String, Long> resources(FieldValues values) {
    try {
      return NodeConstraints.read(values.or(SubmissionRows.RESOURCES, List.of()));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("resources: " + wrong.getMessage(), wrong);
    }
  }

  /** Refuses an empty choice, which every model would match. */
  private static void checkChoices(FieldValues values) {
    Map<String, String> labels = values.or(LABELS, Map.of());
    labels.forEach((key, value) -> checkChoice("labels." + key, value));
    if (values.has(GPU_MODEL)) {
      checkChoice("gpuModel", values.get(GPU_MODEL));
    }
  }

  private static void checkChoice(String field, String text) {
    boolean several = text.indexOf('|') >= 0;
    if (several && Stream.of(text.split("\\|", -1)).anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          field + " must have a text before and behind each '|', got '" + text + "'");
    }
  }

  /**
   * Checks that the speed of a task with a promise can be measured.
   *
   * @param gpuMemory what it asks for of each device
   */
  public static void checkPromise(long gpuMemory) {
    if (gpuMemory != ResourceRequest.AUTO) {
      throw new IllegalArgumentException(
          "shareIf needs gpuMem auto, since what is measured belongs to a type");
    }
  }

  /**
   * Checks that a task which asks for slices of GPUs (MIG) wants one of them.
   *
   * @param gpuModel or null
   */
  public static void checkSlices(int gpus, String gpuModel) {
    if (gpus > 1 && gpuModel != null) {
      Stream.of(gpuModel.split("\\|"))
          .filter(DeviceOffer::asksForSlices)
          .findFirst()
          .ifPresent(
              slice -> {
                throw new IllegalArgumentException(
                    "gpus must be 1 with gpuModel '"
                        + slice
                        + "', which asks for a MIG slice: a CUDA program sees one slice only, so"
                        + " use more tasks instead; got "
                        + gpus);
              });
    }
  }
}
