package io.remuda.coordinator.api;

import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.JobTerms;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.TaskArrayTerms;
import io.remuda.worker.job.Workload;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Other terms for a job that is there already.
 *
 * @param wanted a job with these terms; what no field stands for has no meaning
 * @param fields the fields of the request that are given, of {@link #KNOWN}
 */
public record JobTermsChange(NewJob wanted, Set<String> fields) {

  private static final Set<String> DEPENDENCIES = Set.of("after", "afterOneOf");

  private static final Map<String, Set<String>> TERMS =
      Map.ofEntries(
          Map.entry("policy", Set.of("policy")),
          Map.entry("priority", Set.of("priority")),
          Map.entry("timeLimitMillis", Set.of("timeLimit")),
          Map.entry("retries", Set.of("retries")),
          Map.entry("neverAgain", Set.of("retries")),
          Map.entry("type", Set.of("type")),
          Map.entry("gang", Set.of("gang")),
          Map.entry(
              "preemption",
              Set.of(
                  "preemptible", "preemptSignal", "onPreempt", "preemptAfter", "maxPreemptions")),
          Map.entry(
              "training",
              Set.of(
                  "epochs",
                  "snapshots",
                  "custom",
                  "data",
                  "batchSize",
                  "trainingSetSize",
                  "maxGpus",
                  "estHours")),
          Map.entry("maxRunning", Set.of("maxRunning")),
          Map.entry("jobTimeLimitMillis", Set.of("jobTimeLimit")),
          Map.entry("beginMillis", Set.of("begin")),
          Map.entry("after", DEPENDENCIES),
          Map.entry("afterOne", DEPENDENCIES));

  private static final Map<String, Set<String>> ENDING =
      Map.of("graceMillis", Set.of("grace"), "warning", Set.of("signal"));

  private static final Map<String, Set<String>> NEEDS =
      Map.of(
          "cpus", Set.of("cpus"),
          "gpus", Set.of("gpus"),
          "memory", Set.of("mem"),
          "gpuMemory", Set.of("gpuMem"),
          "gpuModel", Set.of("gpuModel"),
          "labels", Set.of("labels"),
          "perGpu", Set.of("perGpu", "exclusive"),
          "node", Set.of("nodes", "excludeNodes", "resources"));

  private static final Map<String, Set<String>> COMMAND =
      Map.of(
          "argv", Set.of("argv", "shell"),
          "folder", Set.of("workdir"),
          "umask", Set.of("umask"),
          "container",
              Set.of(
                  "container",
                  "engine",
                  "mounts",
                  "ports",
                  "shmSize",
                  "cpuLimit",
                  "pull",
                  "containerEnv"));

  /** The fields of what a task needs, which cannot change while it has a place. */
  public static final Set<String> OF_NEEDS = names(Stream.of(NEEDS));

  /** All fields that can change. */
  public static final Set<String> KNOWN =
      names(
          Stream.of(
              TERMS,
              ENDING,
              NEEDS,
              COMMAND,
              Map.of("others", Set.of("name", "env", "maxFails", "first", "hold", "project"))));

  public JobTermsChange {
    fields = Set.copyOf(fields);
    requireKnown(fields);
  }

  /**
   * Checks that all fields can change.
   *
   * @throws IllegalArgumentException if one cannot; the message is for users
   */
  public static void requireKnown(Set<String> fields) {
    for (String field : new TreeSet<>(fields)) {
      if (!KNOWN.contains(field)) {
        throw new IllegalArgumentException(
            field + " cannot be changed: submit a new job with it in place of this one");
      }
    }
  }

  private static Set<String> names(Stream<Map<String, Set<String>>> tables) {
    Set<String> names = new TreeSet<>();
    tables.forEach(table -> table.values().forEach(names::addAll));
    return Set.copyOf(names);
  }

  private boolean has(String field) {
    return fields.contains(field);
  }

  /** Returns whether it says where a task can run, or with what. */
  public boolean isOfNeeds() {
    return !Collections.disjoint(OF_NEEDS, fields);
  }

  /** Returns whether it says when the first task can start. */
  public boolean isOfStart() {
    return has("begin") || isOfDependencies();
  }

  /** Returns whether it says after which jobs it starts. */
  public boolean isOfDependencies() {
    return hasAny(DEPENDENCIES);
  }

  /**
   * Returns a job with these terms. Its place among others of its user is left as it is.
   *
   * @throws IllegalArgumentException if they make no sense for it; the message is for users
   */
  public JobSpec applied(JobSpec job) {
    boolean roles = job.terms().gang() != null && !job.terms().gang().roles().isEmpty();
    if (roles && isOfNeeds()) {
      throw new IllegalArgumentException(
          "job " + job.id() + " has roles, and what their tasks need cannot be changed");
    }
    ResourceRequest needs = isOfNeeds() ? needs(job.request()) : job.request();
    JobTerms terms = terms(job.terms());
    if (needs.gpuShare().isMeasured() && terms.type() == null) {
      terms = RecordComponentMerger.of(terms, wanted.terms(), TERMS, Set.of("type"));
    }
    return new JobSpec(
        job.id(),
        job.uuid(),
        has("name") ? wanted.name() : job.name(),
        job.user(),
        job.tied(),
        needs,
        has("cpus") ? wanted.threads() : job.threads(),
        terms,
        tasks(job));
  }

  private ResourceRequest needs(ResourceRequest old) {
    Set<String> given = new TreeSet<>(fields);
    if (old.gpus() == 0 && wanted.request().gpus() > 0) {
      given.add("gpus"); // gpuMem alone means one
    }
    if (has("gpus") && wanted.request().gpus() == 0) {
      given.addAll(Set.of("gpuMem", "gpuModel", "perGpu"));
    }
    return RecordComponentMerger.of(old, wanted.request(), NEEDS, given);
  }

  private JobTerms terms(JobTerms old) {
    JobTerms mixed = RecordComponentMerger.of(old, wanted.terms(), TERMS, fields);
    if (has("grace") || has("signal")) {
      mixed =
          mixed.withEnding(
              RecordComponentMerger.of(old.ending(), wanted.terms().ending(), ENDING, fields));
    }
    TaskArrayTerms array = mixed.array();
    return has("maxFails")
        ? mixed.withArray(array.withMaxFails(wanted.terms().array().maxFails()))
        : mixed;
  }

  private List<Workload> tasks(JobSpec job) {
    boolean changes = has("env") || COMMAND.values().stream().anyMatch(this::hasAny);
    if (!changes) {
      return job.tasks();
    }
    Workload first = job.tasks().get(0);
    boolean alike = job.tasks().stream().allMatch(task -> task == first);
    if (!alike || !(first instanceof CommandWorkload command)) {
      throw new IllegalArgumentException(
          "the tasks of job " + job.id() + " do different things: submit it anew to change them");
    }
    CommandWorkload other = (CommandWorkload) wanted.workload();
    CommandWorkload mixed = RecordComponentMerger.of(command, other, COMMAND, fields);
    if (has("env")) {
      Map<String, String> environment = new HashMap<>(command.environment());
      environment.putAll(other.environment());
      mixed = mixed.in(environment);
    }
    return Collections.nCopies(job.tasks().size(), mixed);
  }

  private boolean hasAny(Set<String> some) {
    return !Collections.disjoint(some, fields);
  }
}
