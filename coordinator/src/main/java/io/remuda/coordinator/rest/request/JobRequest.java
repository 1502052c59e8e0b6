package io.remuda.coordinator.rest.request;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.remuda.coordinator.api.NewJob;
import io.remuda.coordinator.profile.JobType;
import io.remuda.coordinator.rest.request.dependency.DependencyTexts;
import io.remuda.telemetry.render.PrintableText;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.PlacementPolicy;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.sweep.CompactTextList;
import io.remuda.worker.job.sweep.PlaceholderSubstitution;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * A request for a job, over HTTP or in a file; null stands for the default. Sizes and times are
 * texts for {@link SizeAndTimeParser}.
 *
 * @param name for people; the program's name by default
 * @param argv program and arguments; excludes {@code shell}
 * @param shell a line for {@code /bin/sh -c}; excludes {@code argv}
 * @param env the whole environment
 * @param workdir absolute working folder
 * @param umask octal digits
 * @param count number of tasks
 * @param gang how its tasks belong together; {@code true} if all start together or none
 * @param maxRunning how many of its tasks run at once at most
 * @param cpus cores of each task; 1 by default
 * @param mem memory of each task
 * @param gpus devices of each task
 * @param gpuMem memory of each of its devices, which other tasks may then share; {@value #AUTO} for
 *     the measured need of its type, {@value #WHOLE} for all
 * @param gpuModel part of the model's name, or several between {@code |} in the order of preference
 * @param labels labels that the node must have, each with a value or several between {@code |}
 * @param policy one of {@link PlacementPolicy#names}; for null {@link PlacementPolicy#USUAL}
 * @param priority jobs with a higher value go first
 * @param perGpu maximum number of tasks on each of its devices; without gpuMem each gets an equal
 *     part of the memory
 * @param exclusive no other task on its devices, even if it states gpuMem; same as perGpu 1
 * @param after jobs that have to end first: {@code JOB} or {@code JOB:ok|any|fail|each}, or the
 *     name of an earlier job in the same submission
 * @param afterOneOf jobs of which one has to end first, each as in {@code after} without each;
 *     excludes {@code after}
 * @param timeLimit time limit of each attempt
 * @param jobTimeLimit time limit of the whole job from the first start of a task
 * @param grace from SIGTERM to SIGKILL when an attempt is ended, 30 s unless given
 * @param signal and how long before the time limit the first process of an attempt gets it, as
 *     {@code USR1@5m}
 * @param retries retries of each task
 * @param preemptible whether its tasks may be asked to leave for tasks of higher priority
 * @param preemptSignal signal that asks, in place of SIGTERM; HUP, INT, QUIT, USR1, USR2 or TERM
 * @param onPreempt requeue, hold or cancel; what becomes of a task that has left
 * @param preemptAfter how long an attempt runs before it may be asked; one minute by default
 * @param maxPreemptions how often a task may be asked
 * @param epochs number of epochs, which makes the job a training
 * @param snapshots absolute folder for a training's snapshots
 * @param custom absolute folder with the user's own files for a training
 * @param data absolute folder with training data
 * @param batchSize samples of a training's batch on one GPU
 * @param trainingSetSize samples of the training set
 * @param maxGpus highest number of GPUs that a training may get; its number then follows its
 *     measured speed
 * @param estHours estimated run time of a training in hours
 * @param container image, or absolute path of a root file system's folder or of an image file
 * @param engine podman, docker, apptainer or bubblewrap; what the node has by default
 * @param mounts what the container sees of the node, as {@code SRC[:DST[:ro]]}
 * @param ports ports of the node that lead to the container, as {@code HOST:CONTAINER}
 * @param shmSize size of the container's {@code /dev/shm}
 * @param cpuLimit cores that the container uses at most
 * @param pull whether the engine may fetch an image that the node lacks
 * @param containerEnv names of variables that the container gets whatever they are called
 * @param nodes names of the nodes that it may run on; all by default
 * @param excludeNodes names of the nodes that it must not run on
 * @param resources counted resources of each task, each as {@code NAME=N}
 * @param begin when its first task may start, as {@code 2026-11-26T22:00:00Z}
 * @param notifyTo who is told what happens to it: a URL, a mail address, or a program
 * @param notifyOn what is told: end, which is usual, fail or start
 * @param hold whether it waits to be released
 * @param type name shared by jobs with the same needs; derived from the command and the project if
 *     gpuMem is {@value #AUTO}
 * @param project folder of the project that the command belongs to, as the client found it; workdir
 *     by default
 * @param pin whether each task is bound to CPUs of its own
 * @param frozenTree hash of the working tree at the submission, of which each task gets a copy
 * @param frozenArchive absolute path of the file that has it
 * @param frozenRoot absolute path of the folder that was frozen; workdir is in it
 * @param clientKey idempotency key: a repeated submission returns the number of the first one
 * @param array indices of the tasks, as {@code 3,7-20:2}
 * @param lines texts, one for each task
 * @param entries values in JSON, one for each task
 * @param params values of parameters by name, as {@code 0.1,0.2} or {@code 1..5}; the tasks have
 *     all combinations
 * @param maxFails after so many failed tasks the others are cancelled
 * @param first whether it starts before its user's other waiting jobs of equal priority
 * @param stdin path on the node of the file that each task reads as stdin; relative ones, as those
 *     of output and error, are below the working folder, and have the percent signs of {@link
 *     io.remuda.worker.job.stream.StandardStreamTerms}
 * @param stdinData what each task reads as stdin, in base64
 * @param stdinStream whether the submitter sends stdin to the first task while it runs
 * @param output path on the node of the file for stdout, and for stderr without {@code error}
 * @param error path on the node of the file for stderr
 * @param openMode truncate or append; what becomes of an output file that is there already
 * @param terminal size of a terminal that the task gets, as {@code 24x80}
 */
public record JobRequest(
    String name,
    List<String> argv,
    String shell,
    Map<String, String> env,
    String workdir,
    String umask,
    Integer count,
    GangRequest gang,
    Integer maxRunning,
    Double cpus,
    String mem,
    Integer gpus,
    String gpuMem,
    String gpuModel,
    Map<String, String> labels,
    String policy,
    Integer priority,
    Integer perGpu,
    Boolean exclusive,
    List<String> after,
    List<String> afterOneOf,
    String timeLimit,
    String jobTimeLimit,
    String grace,
    String signal,
    Integer retries,
    Boolean preemptible,
    String preemptSignal,
    String onPreempt,
    String preemptAfter,
    Integer maxPreemptions,
    Integer epochs,
    String snapshots,
    String custom,
    String data,
    Integer batchSize,
    Integer trainingSetSize,
    Integer maxGpus,
    Double estHours,
    String container,
    String engine,
    List<String> mounts,
    List<String> ports,
    String shmSize,
    Double cpuLimit,
    Boolean pull,
    List<String> containerEnv,
    List<String> nodes,
    List<String> excludeNodes,
    List<String> resources,
    String begin,
    String notifyTo,
    List<String> notifyOn,
    Boolean hold,
    String type,
    String project,
    Boolean pin,
    String frozenTree,
    String frozenArchive,
    String frozenRoot,
    @JsonProperty("clientKey") String clientKey,
    String array,
    CompactTextList lines,
    CompactTextList entries,
    Map<String, String> params,
    Integer maxFails,
    Boolean first,
    String stdin,
    String stdinData,
    Boolean stdinStream,
    String output,
    String error,
    String openMode,
    String terminal) {

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
    boolean silent = gpuMem == null && perGpu == null && exclusive == null && or(gpus, 0) > 0;
    String wanted = silent && autoGpuMem ? AUTO : gpuMem;
    CommandFields command = new CommandFields(this);
    List<String> words = command.words();
    if (or(gpus, 1) == 0 && (gpuMem != null || gpuModel != null || sharers() > 0)) {
      throw new IllegalArgumentException("gpuMem, gpuModel and perGpu want GPUs, got gpus 0");
    }
    ResourceRequest request =
        new ResourceRequest(
            or(cpus, 1.0),
            or(gpus, wantsGpu() ? 1 : 0),
            mem == null ? 0 : field("mem", mem, SizeAndTimeParser::bytes),
            gpuMemory(wanted),
            gpuModel,
            or(labels, Map.of()),
            sharers(),
            0,
            null,
            new NodeFields(this).needs());
    DependencyTexts dependencies =
        new DependencyTexts(or(after, List.of()), or(afterOneOf, List.of()), earlier);
    NodeFields.checkSlices(Math.max(or(gpus, 1), or(maxGpus, 1)), gpuModel);
    GangFields gangFields = new GangFields(this);
    GangTerms together = gangFields.terms(request);
    SweepFields sweepFields = new SweepFields(this);
    TaskArrayTerms array = sweepFields.terms(words);
    JobTerms terms =
        new JobTerms(
            together,
            policy == null ? PlacementPolicy.USUAL : PlacementPolicy.parse(policy),
            or(priority, 0),
            dependencies.others(),
            timeLimit == null ? 0 : positive("timeLimit", timeLimit, JobRequest::millis),
            gangFields.retries(),
            checkedType(user, alike(words, array), wanted),
            new EndingFields(this).terms(),
            new PreemptionFields(this).terms(),
            new TrainingFields(this).terms(),
            sweepFields.mostRunning(),
            jobTimeLimit == null ? 0 : positive("jobTimeLimit", jobTimeLimit, JobRequest::millis),
            array,
            begin == null ? 0 : field("begin", begin, JobRequest::instant),
            new NoticeFields(this).terms(),
            retries != null && retries == 0,
            dependencies.oneIsEnough());
    boolean hasRoles = together != null && !together.roles().isEmpty();
    return new NewJob(
        command.name(words),
        user,
        hasRoles ? together.roles().get(0).request() : request,
        terms,
        gangFields.workloads(command.workload(words), tasks(array), together),
        Math.max(1, (int) Math.ceil(request.cpus())),
        false,
        or(hold, false),
        clientKey,
        dependencies.siblings(),
        dependencies.named());
  }

  private int tasks(TaskArrayTerms array) {
    return array.sweep() == null ? NewJob.requireCount(or(count, 1)) : array.sweep().size();
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
    return gpuMem != null || gpuModel != null || sharers() > 0 || maxGpus != null;
  }

  private int sharers() {
    if (perGpu != null && perGpu < 1) {
      throw new IllegalArgumentException("perGpu must be 1 or more, got " + perGpu);
    }
    boolean alone = or(exclusive, false);
    if (alone && perGpu != null && perGpu > 1) {
      throw new IllegalArgumentException("exclusive is perGpu 1, got " + perGpu);
    }
    return alone ? 1 : or(perGpu, 0);
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
      return positive("gpuMem", text, SizeAndTimeParser::bytes);
    } catch (IllegalArgumentException noSize) {
      throw new IllegalArgumentException(noSize.getMessage() + ", or auto, or whole", noSize);
    }
  }

  private String checkedType(String user, List<String> words, String wanted) {
    if (type == null) {
      boolean measured = AUTO.equals(wanted) || epochs != null;
      return measured ? JobType.nameOf(words, or(project, workdir)) : null;
    }
    return typeName(user, type);
  }

  /** Returns a checked type name; line breaks and terminal control characters are refused. */
  static String typeName(String user, String type) {
    if (!PrintableText.isName(type)) {
      throw new IllegalArgumentException(
          "type must be printable characters, got " + ShortenedValues.quoted(type));
    }
    return new JobType(user, type).name();
  }

  static <T> T or(T given, T usual) {
    return given == null ? usual : given;
  }

  private static long instant(String text) {
    try {
      return Math.max(1, OffsetDateTime.parse(text).toInstant().toEpochMilli());
    } catch (DateTimeException wrong) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a time with its zone: write 2026-11-26T22:00:00Z", wrong);
    }
  }

  static long millis(String time) {
    return SizeAndTimeParser.time(time).toMillis();
  }

  /** Reads a quantity of which 0 would mean something else than it says. */
  static long positive(String name, String text, ToLongFunction<String> reader) {
    long value = field(name, text, reader);
    if (value == 0) {
      throw new IllegalArgumentException(name + " must be above 0, got '" + text + "'");
    }
    return value;
  }

  static long field(String name, String text, ToLongFunction<String> reader) {
    try {
      return reader.applyAsLong(text);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(name + ": " + wrong.getMessage(), wrong);
    }
  }
}
