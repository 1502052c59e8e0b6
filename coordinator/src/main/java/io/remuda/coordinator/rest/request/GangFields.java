package io.remuda.coordinator.rest.request;

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

  private final JobRequest request;
  private final GangRequest gang;

  GangFields(JobRequest request) {
    this.request = request;
    this.gang = request.gang();
  }

  private Map<String, GangRoleRequest> roles() {
    return gang == null || gang.roles() == null ? Map.of() : gang.roles();
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
    if (gang.roles() != null && (gang.roles().isEmpty() || gang.roles().size() > MOST_ROLES)) {
      throw new IllegalArgumentException(
          "gang.roles must be 1 to " + MOST_ROLES + " roles, got " + gang.roles().size());
    }
    if (!roles().isEmpty() && request.count() != null) {
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
            ? JobRequest.or(request.count(), 1)
            : all.stream().mapToLong(GangRoleSpec::tasks).sum();
    long most = JobRequest.or(gang.together(), true) ? MOST_MEMBERS : JobSpec.MOST_TASKS;
    if (members > most) {
      throw new IllegalArgumentException("a gang has at most " + most + " members, got " + members);
    }
    return new GangTerms(
        JobRequest.or(gang.together(), true), failure(), JobRequest.or(gang.mixed(), false), all);
  }

  private GangTerms.Failure failure() {
    int retries = JobRequest.or(request.retries(), 0);
    GangTerms.Failure failure =
        retries > 0 && JobRequest.or(gang.together(), true)
            ? GangTerms.Failure.RESTART
            : GangTerms.Failure.FAIL;
    if (gang.failure() != null) {
      failure = parsed(gang.failure());
    }
    boolean together = JobRequest.or(gang.together(), true);
    if (failure == GangTerms.Failure.RESTART && !together) {
      throw new IllegalArgumentException(
          "gang.failure restart wants tasks that start together, got together false");
    }
    if (failure != GangTerms.Failure.RESTART && together && retries > 0) {
      throw new IllegalArgumentException(
          "retries of a gang want gang failure restart, got "
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
            && gang.failure() != null
            && parsed(gang.failure()) == GangTerms.Failure.RESTART;
    return JobRequest.or(request.retries(), restarts ? USUAL_RESTARTS : 0);
  }

  /** Returns how many tasks run at once at most; 0 for all. */
  int mostRunning() {
    return request.maxRunning() == null ? 0 : atLeastOne("maxRunning", request.maxRunning());
  }

  private static GangRoleSpec role(String name, GangRoleRequest role, ResourceRequest alike) {
    String at = "gang.roles." + name + ".";
    if (role == null) {
      throw new IllegalArgumentException("gang.roles." + name + " must be an object");
    }
    long memory =
        role.mem() == null
            ? alike.memory()
            : JobRequest.field(at + "mem", role.mem(), SizeAndTimeParser::bytes);
    long gpuMemory =
        role.gpuMem() == null ? alike.gpuMemory() : JobRequest.gpuMemory(role.gpuMem());
    int gpus =
        JobRequest.or(
            role.gpus(),
            alike.gpus() == 0 && (role.gpuMem() != null || role.gpuModel() != null)
                ? 1
                : alike.gpus());
    if (gpuMemory == ResourceRequest.AUTO) {
      throw new IllegalArgumentException(at + "gpuMem must be a size or whole, got auto");
    }
    try {
      NodeFields.checkSlices(gpus, JobRequest.or(role.gpuModel(), alike.gpuModel()));
      return new GangRoleSpec(
          name,
          JobRequest.or(role.count(), 1),
          JobRequest.or(role.completions(), 1),
          role.parallelism() == null ? 0 : atLeastOne(at + "parallelism", role.parallelism()),
          new ResourceRequest(
              JobRequest.or(role.cpus(), alike.cpus()),
              gpus,
              memory,
              gpus == 0 ? 0 : gpuMemory,
              gpus == 0 ? null : JobRequest.or(role.gpuModel(), alike.gpuModel()),
              JobRequest.or(role.labels(), alike.labels()),
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
    for (GangRoleRequest role : roles().values()) {
      CommandWorkload own = workload(role, alike);
      all.addAll(Collections.nCopies((int) terms.roles().get(index++).tasks(), own));
    }
    return all;
  }

  /** Returns the command of the first role if every role has its own; else nothing. */
  Optional<List<String>> commandOfFirstRole() {
    boolean all =
        roles().values().stream().allMatch(role -> role.argv() != null || role.shell() != null);
    return all ? roles().values().stream().findFirst().map(GangFields::words) : Optional.empty();
  }

  private static List<String> words(GangRoleRequest role) {
    return role.argv() != null ? role.argv() : List.of("/bin/sh", "-c", role.shell());
  }

  private static CommandWorkload workload(GangRoleRequest role, CommandWorkload alike) {
    if (role.argv() != null && role.shell() != null) {
      throw new IllegalArgumentException("give a role argv or shell, and not both");
    }
    ContainerTerms container = container(role, alike.container());
    boolean same = role.argv() == null && role.shell() == null && role.env() == null;
    if (same && Objects.equals(container, alike.container())) {
      return alike;
    }
    if (container != null && role.env() != null) {
      container = container.withVariables(role.env().keySet());
    }
    Map<String, String> environment = new HashMap<>(alike.environment());
    environment.putAll(JobRequest.or(role.env(), Map.of()));
    boolean own = role.argv() != null || role.shell() != null;
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
  private static ContainerTerms container(GangRoleRequest role, ContainerTerms alike) {
    if (role.shmSize() == null && role.cpuLimit() == null) {
      return alike;
    }
    if (alike == null) {
      throw new IllegalArgumentException("shmSize and cpuLimit of a role want a container");
    }
    return alike.limited(
        role.shmSize() == null
            ? alike.shmBytes()
            : JobRequest.positive("shmSize", role.shmSize(), SizeAndTimeParser::bytes),
        JobRequest.or(role.cpuLimit(), alike.cpuLimit()));
  }
}
