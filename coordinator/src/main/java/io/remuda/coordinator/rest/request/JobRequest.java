package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.NeedsRows;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.jobfield.SubmissionRows;
import io.remuda.coordinator.jobfield.TimeRows;
import io.remuda.coordinator.jobfield.TrainingRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.rest.request.dependency.DependencyTexts;
import io.remuda.coordinator.usage.UsageAccumulator;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request for a job, over HTTP or in a file.
 *
 * @param fields those that were given, of {@link io.remuda.coordinator.jobfield.FieldTable#JOB}
 */
public record JobRequest(FieldValues fields) {

  /** Replaces a size: the measured need of the job's type. */
  public static final String AUTO = "auto";

  /** Replaces a size: whole devices. */
  public static final String WHOLE = "whole";

  /**
   * Returns the requested job.
   *
   * @param user the owner
   * @param earlier names of the jobs before it in the same submission
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public NewJob toNewJob(String user, List<String> earlier) {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < earlier.size(); i++) {
      positions.put(earlier.get(i), i);
    }
    return toNewJob(user, positions, false);
  }

  /**
   * Returns a request with fields that were read from elsewhere, checked like those of a body.
   *
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  public static JobRequest of(Map<String, Object> fields) {
    return RequestBodyParser.as(fields, JobRequest.class);
  }

  /**
   * Returns the requested job.
   *
   * @param earlier positions of the earlier jobs in the submission, from 0, by name; of equal names
   *     the last one's
   * @param autoGpuMem whether a request for GPUs without an amount of memory means {@value #AUTO}
   *     instead of whole devices
   */
  NewJob toNewJob(String user, Map<String, Integer> earlier, boolean autoGpuMem) {
    boolean silent =
        !fields.hasAny(NeedsRows.GPU_MEM, NeedsRows.PER_GPU, NeedsRows.EXCLUSIVE)
            && fields.or(NeedsRows.GPUS, fields.has(NeedsRows.SHARE_IF) ? 1 : 0) > 0;
    String wanted = silent && autoGpuMem ? AUTO : fields.get(NeedsRows.GPU_MEM);
    CommandFields command = new CommandFields(fields);
    List<String> words = command.words();
    if (fields.or(NeedsRows.GPUS, 1) == 0
        && (fields.hasAny(NeedsRows.GPU_MEM, NeedsRows.GPU_MODEL) || sharers() > 0)) {
      throw new IllegalArgumentException(
          "gpuMem, gpuModel, perGpu and shareIf require GPUs, got gpus 0");
    }
    ResourceRequest request =
        new ResourceRequest(
            fields.or(NeedsRows.CPUS, 1.0),
            fields.or(NeedsRows.GPUS, wantsGpu() ? 1 : 0),
            fields.read(NeedsRows.MEM, SizeAndTimeParser::bytes, 0),
            gpuMemory(wanted),
            fields.get(NeedsRows.GPU_MODEL),
            fields.or(NeedsRows.LABELS, Map.of()),
            sharers(),
            0,
            null,
            NeedsRows.node(fields),
            SharePromiseField.percent(fields, gpuMemory(wanted)));
    DependencyTexts dependencies =
        new DependencyTexts(
            fields.or(TimeRows.AFTER, List.of()),
            fields.or(TimeRows.AFTER_ONE_OF, List.of()),
            earlier);
    NeedsRows.checkSlices(
        Math.max(fields.or(NeedsRows.GPUS, 1), fields.or(TrainingRows.MAX_GPUS, 1)),
        fields.get(NeedsRows.GPU_MODEL));
    GangFields gangFields = new GangFields(fields);
    GangTerms together = gangFields.terms(request);
    SweepFields sweepFields = new SweepFields(fields);
    TaskArrayTerms array = sweepFields.terms(words);
    JobTerms terms =
        new JobTerms(
            together,
            fields.has(NeedsRows.POLICY)
                ? PlacementPolicy.parse(fields.get(NeedsRows.POLICY))
                : PlacementPolicy.USUAL,
            fields.or(NeedsRows.PRIORITY, 0),
            dependencies.others(),
            fields.positive(TimeRows.TIME_LIMIT, FieldValues::millis),
            gangFields.retries(),
            checkedType(user, alike(words, array), wanted),
            TimeRows.ending(fields),
            TimeRows.preemption(fields),
            TrainingRows.terms(fields),
            sweepFields.mostRunning(),
            fields.positive(TimeRows.JOB_TIME_LIMIT, FieldValues::millis),
            array,
            fields.read(SubmissionRows.BEGIN, JobRequest::instant, 0),
            SubmissionRows.notice(fields),
            fields.or(TimeRows.RETRIES, 1) == 0,
            dependencies.oneIsEnough(),
            fields.get(SubmissionRows.COMMENT),
            NeedsRows.qos(fields));
    boolean hasRoles = together != null && !together.roles().isEmpty();
    return new NewJob(
        command.name(words),
        user,
        hasRoles ? together.roles().get(0).request() : request,
        terms,
        gangFields.workloads(command.workload(words), tasks(array), together),
        Math.max(1, (int) Math.ceil(request.cpus())),
        false,
        fields.or(SubmissionRows.HOLD, false),
        fields.get(SubmissionRows.CLIENT_KEY),
        dependencies.siblings(),
        dependencies.named());
  }

  private int tasks(TaskArrayTerms array) {
    return array.sweep() == null
        ? NewJob.requireCount(fields.or(WorkRows.COUNT, 1))
        : array.sweep().size();
  }

  /** Returns the words without the values in which the tasks differ. */
  private static List<String> alike(List<String> words, TaskArrayTerms array) {
    if (array.sweep() == null) {
      return words;
    }
    Set<String> names = array.sweep().names();
    return words.stream().map(word -> PlaceholderSubstitution.without(word, names)).toList();
  }

  private boolean wantsGpu() {
    return fields.hasAny(NeedsRows.GPU_MEM, NeedsRows.GPU_MODEL, TrainingRows.MAX_GPUS)
        || sharers() > 0;
  }

  private int sharers() {
    Integer perGpu = fields.get(NeedsRows.PER_GPU);
    if (perGpu != null && perGpu < 1) {
      throw new IllegalArgumentException("perGpu must be 1 or more, got " + perGpu);
    }
    boolean alone = fields.or(NeedsRows.EXCLUSIVE, false);
    if (alone && perGpu != null && perGpu > 1) {
      throw new IllegalArgumentException("exclusive is perGpu 1, got " + perGpu);
    }
    return alone ? 1 : or(perGpu, SharePromiseField.mostPerGpu(fields));
  }

  /** Returns the bytes of each device; 0 for whole devices, also if {@code text} is null. */
  static long gpuMemory(String text) {
    if (text == null || text.equals(WHOLE)) {
      return 0;
    }
    if (text.equals(AUTO)) {
      return ResourceRequest.AUTO;
    }
    try {
      return FieldValues.positive("gpuMem", text, SizeAndTimeParser::bytes);
    } catch (IllegalArgumentException noSize) {
      throw new IllegalArgumentException(noSize.getMessage() + ", or auto, or whole", noSize);
    }
  }

  private String checkedType(String user, List<String> words, String wanted) {
    if (fields.has(SubmissionRows.TYPE)) {
      return typeName(user, fields.get(SubmissionRows.TYPE));
    }
    boolean measured = AUTO.equals(wanted) || fields.has(TrainingRows.EPOCHS);
    return measured
        ? JobType.nameOf(words, fields.or(SubmissionRows.PROJECT, fields.get(WorkRows.WORKDIR)))
        : null;
  }

  /** Returns a checked type name; line breaks and terminal control characters are refused. */
  static String typeName(String user, String type) {
    if (!PrintableText.isName(type)) {
      throw new IllegalArgumentException(
          "type must be printable characters, got " + ShortenedValues.quoted(type));
    }
    if (type.endsWith(UsageAccumulator.SCAVENGER)) {
      throw new IllegalArgumentException(
          "type must not end in '"
              + UsageAccumulator.SCAVENGER
              + "', by which remuda usage names scavengers, got "
              + ShortenedValues.quoted(type));
    }
    return new JobType(user, type).name();
  }

  static <T> T or(T given, T usual) {
    return given == null ? usual : given;
  }

  static long instant(String text) {
    try {
      return Math.max(1, OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time with its zone: write 2026-11-26T22:00:00Z", wrong);
    }
  }
}
