package io.remuda.coordinator.rest.request;

import io.remuda.coordinator.jobfield.ContainerRows;
import io.remuda.coordinator.jobfield.FieldValues;
import io.remuda.coordinator.jobfield.GangRows;
import io.remuda.coordinator.jobfield.NeedsRows;
import io.remuda.coordinator.jobfield.ShortenedValues;
import io.remuda.coordinator.jobfield.TimeRows;
import io.remuda.coordinator.jobfield.WorkRows;
import io.remuda.worker.job.CommandWorkload;
import io.remuda.worker.job.ContainerTerms;
import io.remuda.worker.job.GangRoleSpec;
import io.remuda.worker.job.GangTerms;
import io.remuda.worker.job.JobSpec;
import io.remuda.worker.job.ResourceRequest;
import io.remuda.worker.job.SizeAndTimeParser;
import io.remuda.worker.job.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The fields of a {@link JobRequest} that say how its tasks belong together. */
final class GangFields {

  /** How often a gang starts again if its job does not say. */
  static final int USUAL_RESTARTS = 3;

  private static final int MOST_ROLES = 100;

  /** Each member is told of every other. */
  private static final int MOST_MEMBERS = 4096;

  private final FieldValues request;
  private final FieldValues gang;

  GangFields(FieldValues request) {
    this.request = request;
    this.gang = request.get(WorkRows.GANG);
  }

  private Map<String, FieldValues> roles() {
    return gang == null || !gang.has(GangRows.ROLES) ? Map.of() : gang.get(GangRows.ROLES);
  }

  /**
   * Returns the terms; null for a job whose tasks have nothing to do with each other.
   *
   * @param alike what each task needs, unless its role says otherwise
   * @throws IllegalArgumentException if a field is wrong; the message has its name and value
   */
  GangTerms terms(ResourceRequest alike) {
    if (gang == null) {
      return null;
    }
    if (gang.has(GangRows.ROLES)
        && (gang.get(GangRows.ROLES).isEmpty() || gang.get(GangRows.ROLES).size() > MOST_ROLES)) {
      throw new IllegalArgumentException(
          "gang.roles must be 1 to "
              + MOST_ROLES
              + " roles, got "
              + gang.get(GangRows.ROLES).size());
    }
    if (!roles().isEmpty() && request.has(WorkRows.COUNT)) {
      throw new IllegalArgumentException(
          "count and gang.roles exclude each other: each role has its own count");
    }
    if (!roles().isEmpty() && alike.gpuShare().isMeasured()) {
      throw new IllegalArgumentException(
          "gpuMem auto and gang.roles exclude each other: state the memory of each role");
    }
    List<GangRoleSpec> all = new ArrayList<>();
    roles().forEach((name, role) -> all.add(role(name, role, alike)));
    long members =
        all.isEmpty()
            ? request.or(WorkRows.COUNT, 1)
            : all.stream().mapToLong(GangRoleSpec::tasks).sum();
    long most = gang.or(GangRows.TOGETHER, true) ? MOST_MEMBERS : JobSpec.MOST_TASKS;
    if (members > most) {
      throw new IllegalArgumentException("a gang has at most " + most + " members, got " + members);
    }
    return new GangTerms(
        gang.or(GangRows.TOGETHER, true), failure(), gang.or(GangRows.MIXED, false), all);
  }

  private GangTerms.Failure failure() {
    int retries = request.or(TimeRows.RETRIES, 0);
    GangTerms.Failure failure =
        retries > 0 && gang.or(GangRows.TOGETHER, true)
            ? GangTerms.Failure.RESTART
            : GangTerms.Failure.FAIL;
    if (gang.has(GangRows.FAILURE)) {
      failure = parsed(gang.get(GangRows.FAILURE));
    }
    boolean together = gang.or(GangRows.TOGETHER, true);
    if (failure == GangTerms.Failure.RESTART && !together) {
      throw new IllegalArgumentException(
          "gang.failure restart requires tasks that start together, got together false");
    }
    if (failure != GangTerms.Failure.RESTART && together && retries > 0) {
      throw new IllegalArgumentException(
          "retries of a gang require gang failure restart, got "
              + failure.name().toLowerCase(Locale.ROOT));
    }
    return failure;
  }

  private static GangTerms.Failure parsed(String text) {
    for (GangTerms.Failure one : GangTerms.Failure.values()) {
      if (one.name().equalsIgnoreCase(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "gang.failure must be fail, restart or ignore, got " + ShortenedValues.quoted(text));
  }

  /** Returns how often a task, or the gang, starts again. */
  int retries() {
    boolean restarts =
        gang != null
            && gang.has(GangRows.FAILURE)
            && parsed(gang.get(GangRows.FAILURE)) == GangTerms.Failure.RESTART;
    return request.or(TimeRows.RETRIES, restarts ? USUAL_RESTARTS : 0);
  }

  /** Returns how many tasks run at once at most; 0 for all. */
  int mostRunning() {
    return !request.has(WorkRows.MAX_RUNNING)
        ? 0
        : atLeastOne("maxRunning", request.get(WorkRows.MAX_RUNNING));
  }

  private static GangRoleSpec role(String name, FieldValues role, ResourceRequest alike) {
    String at = "gang.roles." + name + ".";
    if (role == null) {
      throw new IllegalArgumentException("gang.roles." + name + " must be an object");
    }
    long memory =
        !role.has(NeedsRows.MEM)
            ? alike.memory()
            : FieldValues.read(at + "mem", role.get(NeedsRows.MEM), SizeAndTimeParser::bytes);
    long gpuMemory =
        !role.has(NeedsRows.GPU_MEM)
            ? alike.gpuMemory()
            : JobRequest.gpuMemory(role.get(NeedsRows.GPU_MEM));
    int gpus =
        role.or(
            NeedsRows.GPUS,
            alike.gpus() == 0 && (role.has(NeedsRows.GPU_MEM) || role.has(NeedsRows.GPU_MODEL))
                ? 1
                : alike.gpus());
    if (gpuMemory == ResourceRequest.AUTO) {
      throw new IllegalArgumentException(at + "gpuMem must be a size or whole, got auto");
    }
    try {
      NeedsRows.checkSlices(gpus, role.or(NeedsRows.GPU_MODEL, alike.gpuModel()));
      return new GangRoleSpec(
          name,
          role.or(WorkRows.COUNT, 1),
          role.or(GangRows.COMPLETIONS, 1),
          !role.has(GangRows.PARALLELISM)
              ? 0
              : atLeastOne(at + "parallelism", role.get(GangRows.PARALLELISM)),
          new ResourceRequest(
              role.or(NeedsRows.CPUS, alike.cpus()),
              gpus,
              memory,
              gpus == 0 ? 0 : gpuMemory,
              gpus == 0 ? null : role.or(NeedsRows.GPU_MODEL, alike.gpuModel()),
              role.or(NeedsRows.LABELS, alike.labels()),
              gpus == 0 ? 0 : alike.perGpu(),
              0,
              null,
              alike.node()));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("gang.roles." + name + ": " + wrong.getMessage(), wrong);
    }
  }

  private static int atLeastOne(String field, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(field + " must be 1 or more, got " + value);
    }
    return value;
  }

  /**
   * Returns the workload of each task; those of a role are one object.
   *
   * @param alike of each task, unless its role says otherwise
   * @param count number of tasks of a job without roles
   */
  List<Workload> workloads(CommandWorkload alike, int count, GangTerms terms) {
    if (roles().isEmpty()) {
      return Collections.nCopies(count, alike);
    }
    List<Workload> all = new ArrayList<>();
    int index = 0;
    for (FieldValues role : roles().values()) {
      CommandWorkload own = workload(role, alike);
      all.addAll(Collections.nCopies((int) terms.roles().get(index++).tasks(), own));
    }
    return all;
  }

  /** Returns the command of the first role if every role has its own; else nothing. */
  Optional<List<String>> commandOfFirstRole() {
    boolean all =
        roles().values().stream()
            .allMatch(role -> role.has(WorkRows.ARGV) || role.has(WorkRows.SHELL));
    return all ? roles().values().stream().findFirst().map(GangFields::words) : Optional.empty();
  }

  private static List<String> words(FieldValues role) {
    return role.has(WorkRows.ARGV)
        ? role.get(WorkRows.ARGV)
        : List.of("/bin/sh", "-c", role.get(WorkRows.SHELL));
  }

  private static CommandWorkload workload(FieldValues role, CommandWorkload alike) {
    if (role.has(WorkRows.ARGV) && role.has(WorkRows.SHELL)) {
      throw new IllegalArgumentException("give a role argv or shell, and not both");
    }
    ContainerTerms container = container(role, alike.container());
    boolean same = !role.has(WorkRows.ARGV) && !role.has(WorkRows.SHELL) && !role.has(WorkRows.ENV);
    if (same && Objects.equals(container, alike.container())) {
      return alike;
    }
    if (container != null && role.has(WorkRows.ENV)) {
      container = container.withVariables(role.get(WorkRows.ENV).keySet());
    }
    Map<String, String> environment = new HashMap<>(alike.environment());
    environment.putAll(role.or(WorkRows.ENV, Map.of()));
    boolean own = role.has(WorkRows.ARGV) || role.has(WorkRows.SHELL);
    List<String> argv = own ? words(role) : alike.argv();
    return new CommandWorkload(
        argv,
        environment,
        alike.folder(),
        alike.umask(),
        container,
        alike.launch(),
        alike.streams());
  }

  /** Returns the container of a role's tasks; null without. */
  private static ContainerTerms container(FieldValues role, ContainerTerms alike) {
    if (!role.has(ContainerRows.SHM_SIZE) && !role.has(ContainerRows.CPU_LIMIT)) {
      return alike;
    }
    if (alike == null) {
      throw new IllegalArgumentException("shmSize and cpuLimit of a role require a container");
    }
    return alike.limited(
        role.has(ContainerRows.SHM_SIZE)
            ? role.positive(ContainerRows.SHM_SIZE, SizeAndTimeParser::bytes)
            : alike.shmBytes(),
        role.or(ContainerRows.CPU_LIMIT, alike.cpuLimit()));
  }
}
